// Settings: each takes effect at once and is kept.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <imgui.h>
#include <imgui_stdlib.h>

#include "ui/panels/panel.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

struct Preset {
  const char* name;
  const char* meaning;
  float temperature;
  float top_p;
};
constexpr Preset kPresets[] = {{"Precise", "always the same answer, nearest to the documents", 0.0f, 1.0f},
                               {"Balanced", "some freedom in the wording", 0.5f, 0.9f},
                               {"Free", "varied wording; check the sources", 0.9f, 0.95f}};
struct Choice {
  const char* value;
  const char* name;
};
constexpr Choice kModes[] = {{"", "Best measured for the model"},
                             {"full", "Full: compute everything"},
                             {"prefix", "Prefix: reuse the common beginning"},
                             {"reuse", "Reuse: take stored passages as they are"},
                             {"blend", "Blend: reuse and repair a share"}};
constexpr Choice kLevels[] = {
    {"exact", "Exact (largest)"}, {"high", "High"}, {"medium", "Medium"}, {"low", "Low (smallest)"}};

constexpr float kNames = 250.0f;
constexpr float kControls = 300.0f;

// The name of a setting; what changes it stands behind it.
void name(PanelContext& c, const char* text) {
  ImGui::AlignTextToFramePadding();
  label(text, c.fonts.regular, c.theme.text, c.px(kNames - 12));
  ImGui::SameLine(c.px(kNames));
  ImGui::SetNextItemWidth(c.px(kControls));
}

template <size_t N>
bool choice(PanelContext& c, const char* title, const Choice (&choices)[N], std::string& value) {
  const char* shown = choices[0].name;
  for (const Choice& choice : choices) {
    if (value == choice.value) shown = choice.name;
  }
  name(c, title);
  bool changed = false;
  if (!begin_choice((std::string("##") + title).c_str(), shown, c.px(kControls), c.theme, c.scale)) return false;
  for (const Choice& choice : choices) {
    if (!ImGui::Selectable(choice.name, value == choice.value)) continue;
    value = choice.value;
    changed = true;
  }
  ImGui::EndCombo();
  return changed;
}

// Taken over when the slider is let go: with the size, the window would change under the mouse otherwise.
bool slider(PanelContext& c, const char* title, int& value, int low, int high, const char* format) {
  name(c, title);
  ImGui::SliderInt((std::string("##") + title).c_str(), &value, low, high, format);
  return ImGui::IsItemDeactivatedAfterEdit();
}
bool slider(PanelContext& c, const char* title, float& value, float low, float high, const char* format) {
  name(c, title);
  ImGui::SliderFloat((std::string("##") + title).c_str(), &value, low, high, format);
  return ImGui::IsItemDeactivatedAfterEdit();
}

bool draw_appearance(PanelContext& c, SettingsView& s) {
  bool changed = false;
  label("Appearance", c.fonts.heading, c.theme.text);
  int theme = static_cast<int>(s.theme);
  name(c, "Colours");
  for (const auto& [title, value] : {std::pair{"As the system", 0}, {"Light", 1}, {"Dark", 2}}) {
    if (value > 0) ImGui::SameLine(0, c.px(16));
    changed |= ImGui::RadioButton(title, &theme, value);
  }
  s.theme = static_cast<ThemeChoice>(theme);
  int percent = static_cast<int>(std::lround(s.scale * 100.0f));
  changed |= slider(c, "Size", percent, 75, 250, "%d %%");
  s.scale = static_cast<float>(percent) / 100.0f;
  name(c, "When long work ends");
  changed |= ImGui::Checkbox("Tell the desktop", &s.notify);
  if (ImGui::IsItemHovered()) tooltip("When nobody looks at the window");
  changed |= slider(c, "Long is more than", s.long_work_s, 5, 300, "%d s");
  return changed;
}

bool draw_presets(PanelContext& c, SettingsView& s) {
  bool changed = false;
  name(c, "Wording");
  for (const Preset& preset : kPresets) {
    if (&preset != kPresets) ImGui::SameLine(0, c.px(16));
    const bool chosen =
        std::abs(s.temperature - preset.temperature) < 0.01f && std::abs(s.top_p - preset.top_p) < 0.01f;
    if (ImGui::RadioButton(preset.name, chosen)) {
      s.temperature = preset.temperature;
      s.top_p = preset.top_p;
      changed = true;
    }
    if (ImGui::IsItemHovered()) tooltip(preset.meaning);
  }
  changed |= slider(c, "Temperature", s.temperature, 0.0f, 1.5f,
                    s.temperature == 0.0f ? "0 (always the same answer)" : "%.2f");
  changed |= slider(c, "Share of likely words considered", s.top_p, 0.05f, 1.0f, s.top_p >= 1.0f ? "all" : "%.2f");
  return changed;
}

bool draw_answers(PanelContext& c, SettingsView& s) {
  bool changed = false;
  label("Answers", c.fonts.heading, c.theme.text);
  changed |= draw_presets(c, s);
  changed |= slider(c, "Passages per question", s.top_k, 1, 24, "%d");
  changed |= slider(c, "Longest answer", s.max_tokens, 64, 4096, "%d tokens");
  changed |= choice(c, "Use of stored passages", kModes, s.mode);
  changed |= choice(c, "How exactly they are stored", kLevels, s.kv_level);
  name(c, "Your own instructions");
  const float width = std::min(c.px(560), ImGui::GetContentRegionAvail().x);
  ImGui::InputTextMultiline("##instructions", &s.instructions, ImVec2(width, c.px(80)));
  changed |= ImGui::IsItemDeactivatedAfterEdit();
  if (ImGui::IsItemHovered()) tooltip("Sent with every question");
  return changed;
}

void draw_keys(PanelContext& c) {
  constexpr std::pair<const char*, const char*> kKeys[] = {
      {"Ctrl+K", "everything the window can do"},
      {"Ctrl+N", "new chat"},
      {"Ctrl+L", "to the question"},
      {"Enter, Shift+Enter", "ask, new line"},
      {"Up, Down", "earlier questions"},
      {"Ctrl+Z, Ctrl+Y", "undo, redo in the question"},
      {"Esc", "stop the answer, close what is open"},
      {"Ctrl+R", "answer again"},
      {"Ctrl+E", "edit the last question"},
      {"Ctrl+Shift+C", "copy the last answer"},
      {"Alt+1 … Alt+9", "open source 1 … 9"},
      {"Ctrl+Page Down, Ctrl+Page Up", "next, previous chat"},
      {"Ctrl+1 … Ctrl+5", "chat, library, models, insight, settings"},
      {"Ctrl+B, Ctrl+J", "show or hide the sidebar, the sources"},
      {"Ctrl+F", "search chats; filter documents in the library"},
      {"Page Up, Page Down", "scroll the conversation"},
      {"Ctrl++, Ctrl+-, Ctrl+0", "larger, smaller, 100 %"},
      {"Tab, arrows, Space", "reach and press everything else"},
  };
  label("Keys", c.fonts.heading, c.theme.text);
  if (!ImGui::BeginTable("keys", 2)) return;
  ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, c.px(kNames - 16));
  ImGui::TableSetupColumn("meaning", ImGuiTableColumnFlags_WidthStretch);
  for (const auto& [keys, meaning] : kKeys) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    label(keys, c.fonts.regular, c.theme.text, c.px(kNames - 24));
    ImGui::TableNextColumn();
    label(meaning, c.fonts.regular, c.theme.muted, c.px(420));
  }
  ImGui::EndTable();
}

}  // namespace

void draw_settings(PanelContext& c) {
  ImGui::SetCursorPos(ImVec2(c.px(32), c.px(28)));
  ImGui::BeginChild("settings", ImVec2(ImGui::GetContentRegionAvail().x - c.px(24), -c.px(16)));
  label("Settings", c.fonts.title, c.theme.text);
  ImGui::Dummy(ImVec2(0, c.px(8)));
  // Edited in place between frames; the snapshot takes over again once a change was posted.
  SettingsView& edited = c.window.edited_settings;
  if (!ImGui::IsAnyItemActive()) edited = c.snapshot.settings;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(c.px(10), c.px(5)));
  ImGui::PushStyleVar(ImGuiStyleVar_GrabMinSize, c.px(16));
  bool changed = draw_appearance(c, edited);
  ImGui::Dummy(ImVec2(0, c.px(16)));
  changed |= draw_answers(c, edited);
  ImGui::PopStyleVar(2);
  if (changed) c.post(ChangeSettings{edited});
  ImGui::Dummy(ImVec2(0, c.px(16)));
  draw_keys(c);
  ImGui::EndChild();
}

}  // namespace mneme::ui

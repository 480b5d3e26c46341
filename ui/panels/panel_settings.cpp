// Settings: each takes effect at once and is kept.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <string>
#include <utility>

#include <imgui.h>

#include "base/human_text.h"
#include "ui/panels/panel.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

struct Preset {
  Option option;
  float temperature;
  float top_p;
};
constexpr Preset kPresets[] = {{{"Precise", "always the same answer, nearest to the documents"}, 0.0f, 1.0f},
                               {{"Balanced", "some freedom in the wording"}, 0.5f, 0.9f},
                               {{"Free", "varied wording; check the sources"}, 0.9f, 0.95f}};
constexpr Option kThemes[] = {{"As the system"}, {"Light"}, {"Dark"}};
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
constexpr size_t kLongestInstructions = 20 * 1000;  // bytes
constexpr double kTypingPause_s = 1.0;
constexpr float kMeanings = 175.0f;  // what stands behind a slider

// Where there is no room for a name and its control side by side, they stand one above the other.
bool is_narrow(const PanelContext& c) {
  return ImGui::GetWindowWidth() < c.px(kNames + kControls + 40.0f);
}

float control_width(const PanelContext& c, float behind = 0.0f) {
  return std::max(c.px(80), std::min(c.px(kControls), ImGui::GetContentRegionAvail().x - c.px(behind)));
}

// The name of a setting; what changes it stands behind it.
void name(PanelContext& c, const char* text) {
  ImGui::AlignTextToFramePadding();
  label(text, c.fonts.regular, c.theme.text, is_narrow(c) ? 0.0f : c.px(kNames - 12));
  if (!is_narrow(c)) ImGui::SameLine(c.px(kNames));
}

template <size_t N>
bool choice(PanelContext& c, const char* title, const Choice (&choices)[N], std::string& value) {
  const char* shown = choices[0].name;
  for (const Choice& choice : choices) {
    if (value == choice.value) shown = choice.name;
  }
  name(c, title);
  bool changed = false;
  if (!begin_choice((std::string("##") + title).c_str(), shown, control_width(c), c.theme, c.scale)) return false;
  for (const Choice& choice : choices) {
    if (!ImGui::Selectable(choice.name, value == choice.value)) continue;
    value = choice.value;
    changed = true;
  }
  ImGui::EndCombo();
  return changed;
}

// Taken over when the slider is let go: with the size, the window would change under the mouse otherwise.
template <typename T>
bool named_slider(PanelContext& c, const char* title, T& value, T low, T high, const char* format,
                  const std::string& meaning) {
  name(c, title);
  return slider((std::string("##") + title).c_str(), value, low, high, format, meaning, control_width(c, kMeanings),
                c.theme, c.scale);
}

std::string with_two_digits(float value) {
  char text[16];
  std::snprintf(text, sizeof(text), "%.2f", static_cast<double>(value));
  return text;
}

bool draw_appearance(PanelContext& c, SettingsView& s) {
  bool changed = false;
  label("Appearance", c.fonts.heading, c.theme.text);
  int theme = static_cast<int>(s.theme);
  name(c, "Colours");
  changed |= choose_one("colours", kThemes, theme, c.theme, c.scale);
  s.theme = static_cast<ThemeChoice>(theme);
  int percent = static_cast<int>(std::lround(s.scale * 100.0f));
  changed |= named_slider(c, "Size", percent, 75, 250, "%d", std::to_string(percent) + " %");
  s.scale = static_cast<float>(percent) / 100.0f;
  name(c, "When long work ends");
  changed |= toggle("Tell the desktop", s.notify, c.theme, c.scale);
  if (ImGui::IsItemHovered()) tooltip("When nobody looks at the window");
  changed |= named_slider(c, "Long is more than", s.long_work_s, 5, 300, "%d", human_seconds(s.long_work_s));
  return changed;
}

bool draw_presets(PanelContext& c, SettingsView& s) {
  int chosen = -1;
  Option options[std::size(kPresets)];
  for (size_t i = 0; i < std::size(kPresets); ++i) {
    options[i] = kPresets[i].option;
    if (std::abs(s.temperature - kPresets[i].temperature) < 0.01f && std::abs(s.top_p - kPresets[i].top_p) < 0.01f)
      chosen = static_cast<int>(i);
  }
  name(c, "Wording");
  bool changed = choose_one("wording", options, chosen, c.theme, c.scale);
  if (changed) {
    s.temperature = kPresets[chosen].temperature;
    s.top_p = kPresets[chosen].top_p;
  }
  const std::string always = s.temperature == 0.0f ? "always the same answer" : with_two_digits(s.temperature);
  changed |= named_slider(c, "Temperature", s.temperature, 0.0f, 1.5f, "%.2f", always);
  changed |= named_slider(c, "Share of likely words considered", s.top_p, 0.05f, 1.0f, "%.2f",
                          s.top_p >= 1.0f ? "all" : with_two_digits(s.top_p));
  return changed;
}

// Taken over when the typing rests or the field is left; leaving the page is seen to by draw_window().
bool draw_instructions(PanelContext& c, SettingsView& s) {
  name(c, "Your own instructions");
  WindowState& w = c.window;
  TextEditor& editor = w.instructions;
  if (std::exchange(w.kept_instructions, c.snapshot.settings.instructions) != c.snapshot.settings.instructions &&
      w.instructions_changed_at < 0.0 && editor.text() != w.kept_instructions)
    editor.set_text(w.kept_instructions);
  const float width = std::min(c.px(560), ImGui::GetContentRegionAvail().x);
  const ImVec2 size(width, std::max(c.px(80), editor.height(width, c.fonts.regular, c.scale, 8)));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 end(at.x + size.x, at.y + size.y);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, end, c.theme.raised, c.px(8));
  const TextEditor::Outcome outcome =
      editor.draw("##instructions", size, "Sent with every question", kLongestInstructions, c.theme, c.scale);
  draw_field_border(at, end, c.px(8), outcome.active, c.theme, c.scale);
  if (outcome.changed) w.instructions_changed_at = ImGui::GetTime();
  const bool rested = ImGui::GetTime() - w.instructions_changed_at > kTypingPause_s;
  if (w.instructions_changed_at < 0.0 || (!outcome.left && !rested)) return false;
  w.instructions_changed_at = -1.0;
  s.instructions = editor.text();
  return true;
}

bool draw_answers(PanelContext& c, SettingsView& s) {
  bool changed = false;
  label("Answers", c.fonts.heading, c.theme.text);
  if (c.snapshot.engine.state == EngineView::State::kNone)
    wrapped("Passages are quoted. Wording, length and what is stored are for when a language model answers (Models).",
            c.fonts.small, c.theme.muted);
  changed |= draw_presets(c, s);
  changed |= named_slider(c, "Passages per question", s.top_k, 1, 24, "%d", std::to_string(s.top_k));
  changed |= named_slider(c, "Longest answer", s.max_tokens, 64, 4096, "%d", human_count(s.max_tokens) + " tokens");
  changed |= choice(c, "Use of stored passages", kModes, s.mode);
  changed |= choice(c, "How exactly they are stored", kLevels, s.kv_level);
  changed |= draw_instructions(c, s);
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
      {"F2", "rename the chat"},
      {"Ctrl+Shift+C", "copy the last answer, or quote the open document"},
      {"Alt+1 … Alt+9", "open source 1 … 9"},
      {"Ctrl+Page Down, Ctrl+Page Up", "next, previous chat"},
      {"Ctrl+1 … Ctrl+5", "chat, library, models, insight, settings"},
      {"Ctrl+B, Ctrl+J", "show or hide the sidebar, the sources"},
      {"Ctrl+F", "search chats, the open document, or the library"},
      {"Page Up, Page Down", "scroll; with Shift the document beside"},
      {"Ctrl++, Ctrl+-, Ctrl+0", "larger, smaller, 100 %"},
      {"Tab, arrows, Enter", "reach and press everything else, links and borders of panels too"},
      {"Menu key, Shift+F10", "menu of what was reached"},
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
    wrapped(meaning, c.fonts.regular, c.theme.muted);
  }
  ImGui::EndTable();
}

}  // namespace

void draw_settings(PanelContext& c) {
  ImGui::SetCursorPos(ImVec2(c.px(32), c.px(28)));
  ImGui::BeginChild("settings", ImVec2(ImGui::GetContentRegionAvail().x - c.px(24), -c.px(16)));
  take_scroll(c.window.scroll_page);
  label("Settings", c.fonts.title, c.theme.text);
  ImGui::Dummy(ImVec2(0, c.px(8)));
  // Edited in place between frames; the snapshot takes over again once a change was posted.
  SettingsView& edited = c.window.edited_settings;
  if (!ImGui::IsAnyItemActive()) edited = c.snapshot.settings;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(c.px(10), c.px(5)));
  bool changed = draw_appearance(c, edited);
  ImGui::Dummy(ImVec2(0, c.px(16)));
  changed |= draw_answers(c, edited);
  ImGui::PopStyleVar();
  if (changed) c.post(ChangeSettings{edited});
  ImGui::Dummy(ImVec2(0, c.px(16)));
  draw_keys(c);
  ImGui::EndChild();
}

}  // namespace mneme::ui

// Settings: each takes effect at once and is kept.
#include <imgui.h>
#include <imgui_stdlib.h>

#include "ui/panels/panel.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

bool draw_appearance(PanelContext& c, SettingsView& s) {
  bool changed = false;
  label("Appearance", c.fonts.heading, c.theme.text);
  int theme = static_cast<int>(s.theme);
  for (const auto& [name, value] : {std::pair{"As the system", 0}, {"Light", 1}, {"Dark", 2}}) {
    if (value > 0) ImGui::SameLine();
    changed |= ImGui::RadioButton(name, &theme, value);
  }
  s.theme = static_cast<ThemeChoice>(theme);
  int percent = static_cast<int>(s.scale * 100.0f + 0.5f);
  ImGui::SetNextItemWidth(c.px(280));
  // Taken over when the slider is let go: the window would change under the mouse otherwise.
  ImGui::SliderInt("Size", &percent, 75, 250, "%d %%");
  s.scale = static_cast<float>(percent) / 100.0f;
  changed |= ImGui::IsItemDeactivatedAfterEdit();
  return changed;
}

bool draw_answers(PanelContext& c, SettingsView& s) {
  bool changed = false;
  label("Answers", c.fonts.heading, c.theme.text);
  ImGui::SetNextItemWidth(c.px(280));
  ImGui::SliderInt("Passages per question", &s.top_k, 1, 24);
  changed |= ImGui::IsItemDeactivatedAfterEdit();
  ImGui::SetNextItemWidth(c.px(280));
  ImGui::SliderFloat("Temperature", &s.temperature, 0.0f, 1.5f,
                     s.temperature == 0.0f ? "0 (always the same answer)" : "%.2f");
  changed |= ImGui::IsItemDeactivatedAfterEdit();
  ImGui::SetNextItemWidth(c.px(280));
  ImGui::SliderInt("Longest answer, tokens", &s.max_tokens, 64, 4096);
  changed |= ImGui::IsItemDeactivatedAfterEdit();
  label("Your own instructions, sent with every question", c.fonts.small, c.theme.muted);
  ImGui::InputTextMultiline("##instructions", &s.instructions, ImVec2(c.px(560), c.px(96)));
  changed |= ImGui::IsItemDeactivatedAfterEdit();
  return changed;
}

void shortcut(PanelContext& c, const char* keys, const char* meaning) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  label(keys, c.fonts.mono, c.theme.text);
  ImGui::TableNextColumn();
  label(meaning, c.fonts.regular, c.theme.muted);
}

}  // namespace

void draw_settings(PanelContext& c) {
  ImGui::SetCursorPos(ImVec2(c.px(32), c.px(28)));
  ImGui::BeginChild("settings", ImVec2(ImGui::GetContentRegionAvail().x - c.px(24), -c.px(16)));
  label("Settings", c.fonts.title, c.theme.text);
  ImGui::Dummy(ImVec2(0, c.px(8)));
  // Edited in place between frames; the snapshot takes over again once a change was posted.
  static SettingsView edited;
  if (!ImGui::IsAnyItemActive()) edited = c.snapshot.settings;
  bool changed = draw_appearance(c, edited);
  ImGui::Dummy(ImVec2(0, c.px(16)));
  changed |= draw_answers(c, edited);
  if (changed) c.post(ChangeSettings{edited});
  ImGui::Dummy(ImVec2(0, c.px(16)));
  label("Keys", c.fonts.heading, c.theme.text);
  if (ImGui::BeginTable("keys", 2, ImGuiTableFlags_SizingFixedFit)) {
    shortcut(c, "Ctrl+K", "everything the window can do");
    shortcut(c, "Ctrl+N", "new chat");
    shortcut(c, "Ctrl+L", "to the question");
    shortcut(c, "Enter", "ask");
    shortcut(c, "Shift+Enter", "new line in the question");
    shortcut(c, "Up, Down", "earlier questions");
    shortcut(c, "Esc", "stop the answer, close what is open");
    ImGui::EndTable();
  }
  ImGui::EndChild();
}

}  // namespace mneme::ui

// Settings: each takes effect at once and is kept.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include <imgui.h>

#include "ui/language/figures.h"
#include "ui/language/languages.h"
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
constexpr Preset kPresets[] = {
    {{tr_noop_c("wording", "Precise"), tr_noop("always the same answer, nearest to the documents")}, 0.0f, 1.0f},
    {{tr_noop_c("wording", "Balanced"), tr_noop("some freedom in the wording")}, 0.5f, 0.9f},
    {{tr_noop_c("wording", "Free"), tr_noop("varied wording; check the sources")}, 0.9f, 0.95f}};
struct Choice {
  const char* value;
  const char* name;
};
constexpr Choice kModes[] = {{"", tr_noop_c("setting", "Best measured for the model")},
                             {"full", tr_noop_c("setting", "Full: compute everything")},
                             {"prefix", tr_noop_c("setting", "Prefix: reuse the common beginning")},
                             {"reuse", tr_noop_c("setting", "Reuse: take stored passages as they are")},
                             {"blend", tr_noop_c("setting", "Blend: reuse and repair a share")}};
constexpr Choice kLevels[] = {{"exact", tr_noop_c("setting", "Exact (largest)")},
                              {"high", tr_noop_c("setting", "High")},
                              {"medium", tr_noop_c("setting", "Medium")},
                              {"low", tr_noop_c("setting", "Low (smallest)")}};

constexpr const char* kLongestKeys = "Ctrl+Page Down, Ctrl+Page Up";
constexpr float kLeastNames = 250.0f;
constexpr float kControls = 300.0f;
constexpr size_t kLongestInstructions = 20 * 1000;  // bytes
constexpr double kTypingPause_s = 1.0;
constexpr float kMeanings = 175.0f;  // what stands behind a slider

// Of the settings, and of the keys below them: the widest tells where all that stands behind them begins.
float names_width(const PanelContext& c) {
  const char* const names[] = {tr("Language"),
                               tr("Colours"),
                               tr("Size"),
                               tr("When long work ends"),
                               tr("Long is more than"),
                               tr("Wording"),
                               tr("Temperature"),
                               tr("Share of likely words considered"),
                               tr("Passages per question"),
                               tr("Longest answer"),
                               tr("Use of stored passages"),
                               tr("How exactly they are stored"),
                               tr("Your own instructions")};
  const auto drawn = [&](const std::string& text) {
    return text_width(drawable(text, c.fonts.regular), c.fonts.regular) + c.px(14);
  };
  float width = std::max(c.px(kLeastNames), drawn(keys_text(kLongestKeys)) + c.px(14));
  for (const char* one : names) width = std::max(width, drawn(one));
  return width;
}

// Where there is no room for a name and its control side by side, they stand one above the other.
bool is_narrow(const PanelContext& c) {
  return ImGui::GetWindowWidth() < names_width(c) + c.px(kControls + 40.0f);
}

float control_width(const PanelContext& c, float behind = 0.0f) {
  return std::max(c.px(80), std::min(c.px(kControls), ImGui::GetContentRegionAvail().x - c.px(behind)));
}

// The name of a setting; what changes it stands behind it.
void name(PanelContext& c, const char* text) {
  ImGui::AlignTextToFramePadding();
  const bool narrow = is_narrow(c);
  const float width = names_width(c);
  label(text, c.fonts.regular, c.theme.text, narrow ? 0.0f : width - c.px(12));
  if (!narrow) ImGui::SameLine(width);
}

template <size_t N>
bool choice(PanelContext& c, const char* title, const Choice (&choices)[N], std::string& value) {
  const char* shown = choices[0].name;
  for (const Choice& choice : choices) {
    if (value == choice.value) shown = choice.name;
  }
  name(c, title);
  bool changed = false;
  if (!begin_choice((std::string("##") + english_of(title)).c_str(), tr_c("setting", shown), control_width(c), c.theme,
                    c.scale))
    return false;
  for (const Choice& choice : choices) {
    if (!choice_row(tr_c("setting", choice.name), value == choice.value)) continue;
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
  return slider((std::string("##") + english_of(title)).c_str(), value, low, high, format, meaning,
                control_width(c, kMeanings), c.theme, c.scale);
}

std::string with_two_digits(float value) {
  return decimal_text(static_cast<double>(value), 2);
}

// Each in itself, so that who reads no other finds it.
bool draw_language(PanelContext& c, SettingsView& s) {
  constexpr const char* kEnglish = "English";
  const char* const system = tr("As the system");
  name(c, tr("Language"));
  const WindowLanguage* const chosen = find_language(s.language);
  const char* const shown = s.language.empty() ? system : chosen == nullptr ? kEnglish : chosen->name;
  if (!begin_choice("##language", shown, control_width(c), c.theme, c.scale)) return false;
  const std::string before = s.language;
  if (choice_row(system, s.language.empty())) s.language.clear();
  if (choice_row(kEnglish, s.language == kEnglishCode)) s.language = kEnglishCode;
  for (const WindowLanguage& language : window_languages()) {
    if (choice_row(language.name, s.language == language.code)) s.language = language.code;
  }
  ImGui::EndCombo();
  return s.language != before;
}

bool draw_appearance(PanelContext& c, SettingsView& s) {
  bool changed = false;
  label(tr("Appearance"), c.fonts.heading, c.theme.text);
  changed |= draw_language(c, s);
  const Option themes[] = {{tr("As the system")}, {tr_c("colours", "Light")}, {tr_c("colours", "Dark")}};
  int theme = static_cast<int>(s.theme);
  name(c, tr("Colours"));
  changed |= choose_one("colours", themes, theme, c.theme, c.scale);
  s.theme = static_cast<ThemeChoice>(theme);
  int percent = static_cast<int>(std::lround(s.scale * 100.0f));
  changed |= named_slider(c, tr("Size"), percent, 75, 250, "%d", percent_text(percent));
  s.scale = static_cast<float>(percent) / 100.0f;
  name(c, tr("When long work ends"));
  changed |= toggle(tr("Tell the desktop"), s.notify, c.theme, c.scale);
  if (ImGui::IsItemHovered()) tooltip(tr("When nobody looks at the window"));
  changed |= named_slider(c, tr("Long is more than"), s.long_work_s, 5, 300, "%d", seconds_text(s.long_work_s));
  return changed;
}

bool draw_presets(PanelContext& c, SettingsView& s) {
  int chosen = -1;
  Option options[std::size(kPresets)];
  for (size_t i = 0; i < std::size(kPresets); ++i) {
    options[i] = {tr_c("wording", kPresets[i].option.name), tr(kPresets[i].option.meaning)};
    if (std::abs(s.temperature - kPresets[i].temperature) < 0.01f && std::abs(s.top_p - kPresets[i].top_p) < 0.01f)
      chosen = static_cast<int>(i);
  }
  name(c, tr("Wording"));
  bool changed = choose_one("wording", options, chosen, c.theme, c.scale);
  if (changed) {
    s.temperature = kPresets[chosen].temperature;
    s.top_p = kPresets[chosen].top_p;
  }
  const std::string always = s.temperature == 0.0f ? tr("always the same answer") : with_two_digits(s.temperature);
  changed |= named_slider(c, tr("Temperature"), s.temperature, 0.0f, 1.5f, "%.2f", always);
  changed |= named_slider(c, tr("Share of likely words considered"), s.top_p, 0.05f, 1.0f, "%.2f",
                          s.top_p >= 1.0f ? tr_c("words", "all") : with_two_digits(s.top_p));
  return changed;
}

// Taken over when the typing rests or the field is left; leaving the page is seen to by draw_window().
bool draw_instructions(PanelContext& c, SettingsView& s) {
  name(c, tr("Your own instructions"));
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
      editor.draw("##instructions", size, tr("Sent with every question"), kLongestInstructions, c.theme, c.scale);
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
  label(tr("Answers"), c.fonts.heading, c.theme.text);
  if (c.snapshot.engine.state == EngineView::State::kNone)
    wrapped(
        tr("Passages are quoted. Wording, length and what is stored are for when a language model answers (Models)."),
        c.fonts.small, c.theme.muted);
  changed |= draw_presets(c, s);
  changed |= named_slider(c, tr("Passages per question"), s.top_k, 1, 24, "%d", std::to_string(s.top_k));
  changed |= named_slider(c, tr("Longest answer"), s.max_tokens, 64, 4096, "%d",
                          filled(tr_n("{0} token", "{0} tokens", s.max_tokens), number_text(s.max_tokens)));
  changed |= choice(c, tr("Use of stored passages"), kModes, s.mode);
  changed |= choice(c, tr("How exactly they are stored"), kLevels, s.kv_level);
  changed |= draw_instructions(c, s);
  return changed;
}

void draw_keys(PanelContext& c) {
  const std::pair<const char*, const char*> keys_and_meanings[] = {
      {"Ctrl+K", tr("everything the window can do")},
      {"Ctrl+N", tr("new chat")},
      {"Ctrl+L", tr("to the question")},
      {"Enter, Shift+Enter", tr("ask, new line")},
      {"Up, Down", tr("earlier questions")},
      {"Ctrl+Z, Ctrl+Y", tr("undo, redo in the question")},
      {"Esc", tr("stop the answer, close what is open")},
      {"Ctrl+R", tr("answer again")},
      {"Ctrl+E", tr("edit the last question")},
      {"F2", tr("rename the chat")},
      {"Ctrl+Shift+C", tr("copy the last answer, or quote the open document")},
      {"Alt+1 … Alt+9", tr("open source 1 … 9")},
      {kLongestKeys, tr("next, previous chat")},
      {"Ctrl+1 … Ctrl+5", tr("chat, library, models, insight, settings")},
      {"Ctrl+B, Ctrl+J", tr("show or hide the sidebar, the sources")},
      {"Ctrl+F", tr("search chats, the open document, or the library")},
      {"Page Up, Page Down", tr("scroll; with Shift the document beside")},
      {"Ctrl++, Ctrl+-, Ctrl+0", tr("larger, smaller, 100 %")},
      {"Tab, arrows, Enter", tr("reach and press everything else, links and borders of panels too")},
      {"Menu key, Shift+F10", tr("menu of what was reached")},
  };
  label(tr("Keys"), c.fonts.heading, c.theme.text);
  if (!ImGui::BeginTable("keys", 2)) return;
  ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, names_width(c) - c.px(16));
  ImGui::TableSetupColumn("meaning", ImGuiTableColumnFlags_WidthStretch);
  for (const auto& [keys, meaning] : keys_and_meanings) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    label(keys_text(keys), c.fonts.regular, c.theme.text);
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
  label(tr("Settings"), c.fonts.title, c.theme.text);
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

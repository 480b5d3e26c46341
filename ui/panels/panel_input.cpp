// Bottom: the question. Enter asks, Shift+Enter breaks the line, arrows go through what was asked before.
#include <algorithm>
#include <utility>

#include <imgui.h>

#include "ui/panels/panel.h"
#include "ui/widgets/focus_order.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr size_t kLongestInput = 200 * 1000;  // bytes; what is pasted beyond is cut, with a word
constexpr int kMostRows = 8;

// After a start nothing was asked yet; the chat that is shown knows what was asked before.
void begin_history(PanelContext& c) {
  WindowState& w = c.window;
  if (!w.question_history.empty()) return;
  for (const auto& message : c.snapshot.conversation.messages) {
    if (message->from_user) w.question_history.push_back(message->text);
  }
  w.history_at = w.question_history.size();
}

void send(PanelContext& c) {
  WindowState& w = c.window;
  std::string text = w.question.text();
  text.resize(text.find_last_not_of(" \n\t") + 1);
  if (text.empty() || c.snapshot.conversation.answering) return;
  remember_question(c, text);
  w.question.set_text("");
  w.focus_question = true;
  follow_question(w);
  w.selected_message = -1;
  w.selected_source = 0;
  if (c.snapshot.document) c.post(CloseDocument{});
  c.post(AskQuestion{std::move(text)});
}

void go_through_history(PanelContext& c, const TextEditor::Outcome& outcome) {
  WindowState& w = c.window;
  if (outcome.up_at_top) begin_history(c);
  w.history_at = std::min(w.history_at, w.question_history.size());
  const bool up = outcome.up_at_top && w.history_at > 0;
  const bool down = outcome.down_at_bottom && w.history_at < w.question_history.size();
  if (!up && !down) return;
  if (w.history_at == w.question_history.size()) w.left_question = w.question.text();
  w.history_at += up ? size_t(-1) : 1;
  w.question.set_text(w.history_at < w.question_history.size() ? w.question_history[w.history_at] : w.left_question);
}

void collection_choice(PanelContext& c) {
  const std::string& current = c.snapshot.settings.collection;
  const float width = std::min(c.px(180), ImGui::GetContentRegionAvail().x * 0.45f);
  if (!begin_choice("##collection", current.empty() ? tr("All collections") : current, width, c.theme, c.scale)) return;
  const auto choose = [&](const std::string& name) {
    c.change_settings([&](SettingsView& s) { s.collection = name; });
  };
  if (choice_row(tr("All collections"), current.empty())) choose("");
  for (const CollectionRow& row : c.snapshot.library.collections) {
    ImGui::PushID(row.name.c_str());
    if (ImGui::Selectable(drawable(row.name, ImGui::GetFont()).c_str(), row.name == current)) choose(row.name);
    ImGui::PopID();
  }
  ImGui::EndCombo();
}

// A disc in the accent colour as soon as it can be pressed.
bool disc_button(PanelContext& c, Icon icon, const char* name, bool enabled) {
  const float size = c.px(32);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 centre(at.x + size * 0.5f, at.y + size * 0.5f);
  ImGui::BeginDisabled(!enabled);
  const bool clicked = pressable(english_of(name), ImVec2(size, size));
  ImGui::EndDisabled();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddCircleFilled(centre, c.px(14), enabled ? c.theme.accent : c.theme.surface);
  draw_icon(list, icon, centre, c.px(16), enabled ? c.theme.accent_text : c.theme.muted);
  focus_ring(c.theme, c.scale);
  add_focus_stop();
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) tooltip(name);
  return clicked && enabled;
}

std::string model_title(const PanelContext& c) {
  const EngineView& engine = c.snapshot.engine;
  if (engine.model.empty() || engine.model == "none") return tr(kQuotePassages);
  std::string name = file_name(engine.model);
  if (engine.state == EngineView::State::kLoading) return filled(tr("{0}, loading…"), name);
  if (engine.state == EngineView::State::kFailed) return filled(tr("{0}, failed"), name);
  return name;
}

void model_choice(PanelContext& c) {
  const std::string title = model_title(c);
  const float needed =
      text_width(drawable(title, ImGui::GetFont()), ImGui::GetFont()) + ImGui::GetFrameHeight() + c.px(24);
  const float width = std::min(std::clamp(needed, c.px(220), c.px(320)), ImGui::GetContentRegionAvail().x);
  if (!begin_choice("##model", title, width, c.theme, c.scale)) return;
  const SettingsView& s = c.snapshot.settings;
  const std::string& current = c.snapshot.engine.model;
  if (choice_row(tr(kQuotePassages), current.empty() || current == "none"))
    c.post(UseModel{"none", s.device, s.context_tokens});
  for (const ModelRow& row : c.snapshot.models) {
    if (row.kind != "language") continue;
    ImGui::PushID(row.name.c_str());
    const ImGuiSelectableFlags flags = row.error.empty() ? 0 : ImGuiSelectableFlags_Disabled;
    if (ImGui::Selectable(drawable(file_name(row.name), ImGui::GetFont()).c_str(), row.in_use, flags) && !row.in_use)
      c.post(UseModel{row.name, s.device, s.context_tokens});
    if (!row.error.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) tooltip(row.error);
    ImGui::PopID();
  }
  ImGui::Separator();
  if (choice_row(tr("Models…"), false)) go_to(c, Page::kModels);
  ImGui::EndCombo();
}

}  // namespace

bool asks_something(const std::string& text) {
  return text.find_first_not_of(" \n\t") != text.npos;
}

bool types_question(const PanelContext& c) {
  const ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
  const bool types = (!typed.empty() && typed[0] != ' ') || !c.window.composing.composition.empty();
  return types && !ImGui::IsAnyItemActive() && !c.window.palette_open && !c.window.browser_open &&
         c.window.editing_message < 0;
}

void remember_question(PanelContext& c, const std::string& text) {
  begin_history(c);
  c.window.question_history.push_back(text);
  c.window.history_at = c.window.question_history.size();
}

float input_height(PanelContext& c, float width) {
  const float text = c.window.question.height(width - c.px(44), c.fonts.regular, c.scale, kMostRows);
  return std::min(text + c.px(54), ImGui::GetWindowHeight() * 0.6f);
}

void draw_input(PanelContext& c) {
  const float button = c.px(44);
  const float bottom = c.px(42);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  c.window.question_top = at.y;
  const ImVec2 size(ImGui::GetContentRegionAvail().x - button,
                    std::max(c.px(24), ImGui::GetContentRegionAvail().y - bottom));
  const ImVec2 end(at.x + size.x + button, at.y + size.y);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, end, c.theme.raised, c.px(12));
  if (std::exchange(c.window.focus_question, false) || types_question(c)) c.window.question.focus();
  const TextEditor::Outcome outcome =
      c.window.question.draw("##question", size, tr("Ask about your documents"), kLongestInput, c.theme, c.scale);
  draw_field_border(at, end, c.px(12), outcome.active, c.theme, c.scale);
  if (outcome.too_long) c.window.cut_since = ImGui::GetTime();
  if (outcome.submitted) send(c);
  if (outcome.active) go_through_history(c, outcome);
  ImGui::SetCursorScreenPos(ImVec2(end.x - c.px(38), end.y - c.px(36)));
  if (c.snapshot.conversation.answering) {
    if (disc_button(c, Icon::kStop, tr("Stop (Esc)"), true)) c.post(StopAnswer{});
  } else if (disc_button(c, Icon::kSend, tr("Ask (Enter)"), asks_something(c.window.question.text()))) {
    send(c);
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, end.y + c.px(6)));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(c.px(10), c.px(4)));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0.0f);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, IM_COL32(0, 0, 0, 0));
  ImGui::PushStyleColor(ImGuiCol_Button, IM_COL32(0, 0, 0, 0));
  ImGui::PushFont(c.fonts.small);
  collection_choice(c);
  ImGui::SameLine();
  model_choice(c);
  if (ImGui::GetTime() - c.window.cut_since < 8.0) {
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    label(tr("Only the first 200 KB were taken."), c.fonts.small, c.theme.danger);
  }
  ImGui::PopFont();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(2);
}

}  // namespace mneme::ui

// Bottom: the question. Enter asks, Shift+Enter breaks the line, arrows go through what was asked before.
#include <algorithm>
#include <cstring>

#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include "ui/panels/panel.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr size_t kLongestInput = 200 * 1000;  // bytes; what is pasted beyond is cut, with a word

void send(PanelContext& c) {
  std::string text = c.window.input;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  if (text.empty() || c.snapshot.answering) return;
  c.window.input_history.push_back(text);
  c.window.history_at = c.window.input_history.size();
  c.window.input.clear();
  c.window.stick_to_bottom = true;
  c.window.selected_message = -1;
  c.window.selected_source = 0;
  c.post(AskQuestion{std::move(text)});
}

void go_through_history(PanelContext& c) {
  if (c.window.input.find('\n') != std::string::npos) return;  // arrows move within several lines
  std::vector<std::string>& history = c.window.input_history;
  const bool up = key_pressed(ImGuiKey_UpArrow, false) && c.window.history_at > 0;
  const bool down = key_pressed(ImGuiKey_DownArrow, false) && c.window.history_at < history.size();
  if (!up && !down) return;
  c.window.history_at += up ? size_t(-1) : 1;
  c.window.input = c.window.history_at < history.size() ? history[c.window.history_at] : "";
  ImGui::ClearActiveID();  // the widget holds its own copy while active
  c.window.focus_input = true;
}

void collection_choice(PanelContext& c) {
  const std::string& current = c.snapshot.settings.collection;
  ImGui::SetNextItemWidth(c.px(170));
  if (!ImGui::BeginCombo("##collection", current.empty() ? "All collections" : current.c_str())) return;
  const auto choose = [&](const std::string& name) {
    SettingsView settings = c.snapshot.settings;
    settings.collection = name;
    c.post(ChangeSettings{settings});
  };
  if (ImGui::Selectable("All collections", current.empty())) choose("");
  for (const CollectionRow& row : c.snapshot.library.collections) {
    if (ImGui::Selectable(row.name.c_str(), row.name == current)) choose(row.name);
  }
  ImGui::EndCombo();
}

int filter_enter(ImGuiInputTextCallbackData* data) {
  // A plain Enter sends; only Shift+Enter may break the line.
  if (data->EventFlag == ImGuiInputTextFlags_CallbackCharFilter && data->EventChar == '\n' && !ImGui::GetIO().KeyShift)
    return 1;
  return 0;
}

}  // namespace

void draw_input(PanelContext& c) {
  const ImGuiIO& io = ImGui::GetIO();
  const float button = c.px(44);
  const float bottom = c.px(36);
  const ImVec2 size(ImGui::GetContentRegionAvail().x - button, ImGui::GetContentRegionAvail().y - bottom - c.px(8));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 end(at.x + size.x + button, at.y + size.y);
  ImGui::GetWindowDrawList()->AddRectFilled(at, end, c.theme.raised, c.px(12));
  ImGui::GetWindowDrawList()->AddRect(at, end, c.theme.border, c.px(12));
  if (c.window.focus_input) {
    ImGui::SetKeyboardFocusHere();
    c.window.focus_input = false;
  }
  ImGui::PushStyleColor(ImGuiCol_FrameBg, IM_COL32(0, 0, 0, 0));
  ImGui::InputTextMultiline("##question", &c.window.input, size, ImGuiInputTextFlags_CallbackCharFilter, filter_enter);
  ImGui::PopStyleColor();
  const bool active = ImGui::IsItemActive();
  if (c.window.input.size() > kLongestInput) c.window.input.resize(kLongestInput);
  if (c.window.input.empty()) {
    ImGui::GetWindowDrawList()->AddText(ImVec2(at.x + c.px(12), at.y + c.px(8)), c.theme.muted,
                                        "Ask about your documents");
  }
  const bool enter = enter_pressed();
  if (active && enter && !io.KeyShift) {
    send(c);
    ImGui::ClearActiveID();
    c.window.focus_input = true;
  }
  if (active) go_through_history(c);
  ImGui::SetCursorScreenPos(ImVec2(end.x - c.px(40), end.y - c.px(40)));
  if (c.snapshot.answering) {
    if (icon_button(Icon::kStop, "Stop (Esc)", c.theme, c.scale)) c.post(StopAnswer{});
  } else if (icon_button(Icon::kSend, "Ask (Enter)", c.theme, c.scale, !c.window.input.empty())) {
    send(c);
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, end.y + c.px(4)));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(c.px(10), c.px(4)));
  collection_choice(c);
  ImGui::SameLine();
  const std::string& model = c.snapshot.settings.model;
  ImGui::AlignTextToFramePadding();
  label(model.empty() || model == "none" ? "Quotes passages; no language model" : file_name(model), c.fonts.small,
        c.theme.muted);
  ImGui::PopStyleVar();
}

}  // namespace mneme::ui

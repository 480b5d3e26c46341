// Middle: the conversation. Only what is in sight is laid out and drawn; the heights of the rest are guessed first and
// measured while there is time in a frame, so that a long chat opens at once.
#include <algorithm>
#include <chrono>
#include <utility>

#include <imgui.h>
#include <imgui_internal.h>

#include "ui/panels/conversation_view.h"
#include "ui/panels/message_parts.h"
#include "ui/panels/panel.h"
#include "ui/text/imgui_fonts.h"
#include "ui/widgets/menu.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

using Clock = std::chrono::steady_clock;

constexpr float kColumnWidth = 760.0f;                // longest comfortable line
constexpr std::chrono::milliseconds kMeasureTime{2};  // from the begin of a frame, what is in sight included
constexpr size_t kLongestQuestion = 200 * 1000;

void draw_editing(PanelContext& c, size_t index, float width) {
  TextEditor& editor = c.window.edited;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size(width, editor.height(width, c.fonts.regular, c.scale, 10));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), c.theme.raised, c.px(12));
  list.AddRect(at, ImVec2(at.x + size.x, at.y + size.y), c.theme.accent, c.px(12));
  const TextEditor::Outcome outcome = editor.draw("##edit", size, "", kLongestQuestion, c.theme, c.scale);
  const bool ask = primary_button(tr("Ask again"), c.theme) || outcome.submitted;
  if (ask && asks_something(editor.text())) {
    remember_question(c, editor.text());
    c.post(EditQuestion{index, editor.text()});
    c.window.editing_message = -1;
    follow_question(c.window);
    c.window.focus_question = true;
  }
  same_line_if_room(tr("Cancel"));
  if (plain_button(tr("Cancel")) || outcome.cancelled) c.window.editing_message = -1;
  const char* const replaces = tr("What follows is replaced; a branch keeps it.");
  same_line_if_room(text_width(drawable(replaces, c.fonts.small), c.fonts.small));
  ImGui::AlignTextToFramePadding();
  label(replaces, c.fonts.small, c.theme.muted, ImGui::GetContentRegionAvail().x);
}

void user_menu(PanelContext& c, size_t index, const MessageView& message) {
  if (!begin_menu("message menu")) return;
  if (menu_item(tr("Copy"))) copy_text(c, message.text);
  if (menu_item(tr("Edit and ask again"), nullptr, false, !c.snapshot.conversation.answering)) edit_question(c, index);
  end_menu();
}

// What is drawn reaches to here, though nothing stands there: newer versions of Dear ImGui want an item for that.
void reach_to(const ImVec2& at) {
  ImGuiWindow& window = *ImGui::GetCurrentWindow();
  window.DC.CursorPos = at;
  window.DC.CursorMaxPos.x = std::max(window.DC.CursorMaxPos.x, at.x);
  window.DC.CursorMaxPos.y = std::max(window.DC.CursorMaxPos.y, at.y);
}

void draw_question(PanelContext& c, size_t index, const MessageView& message, float width) {
  if (c.window.editing_message == static_cast<int>(index)) return draw_editing(c, index, width);
  MessageBox& box = box_of(c, index);
  const float padding = c.px(14);
  const RichTextLayout& layout =
      box.layout.update(message.text, TextForm::kPlain, width - c.px(40) - 2 * padding, c.scale, c.fonts);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 end(at.x + width, at.y + layout.height + 2 * padding);
  ImGui::GetWindowDrawList()->AddRectFilled(at, end, c.theme.surface, c.px(12));
  ImGui::SetCursorScreenPos(ImVec2(at.x + padding, at.y + padding));
  mark_found(c, index, layout);
  draw(layout, &box, c.theme, c.scale, c.window.selection, {});
  user_menu(c, index, message);
  ImGui::SetCursorScreenPos(ImVec2(end.x - c.px(40), at.y + c.px(7)));
  if (icon_button(Icon::kEdit, tr("Edit and ask again (Ctrl+E for the last)"), c.theme, c.scale,
                  !c.snapshot.conversation.answering))
    edit_question(c, index);
  reach_to(ImVec2(at.x, end.y));
  // Its answer was never saved: it failed, or the window was closed or the machine stopped meanwhile.
  const auto& messages = c.snapshot.conversation.messages;
  const bool answered = index + 1 < messages.size() && !messages[index + 1]->from_user;
  if (!answered && !c.snapshot.conversation.answering) {
    ImGui::Dummy(ImVec2(0, c.px(6)));
    label(tr("This question has no answer yet."), c.fonts.regular, c.theme.muted);
    if (primary_button(tr("Answer it"), c.theme)) answer_again(c, index);
  }
}

// Before a message was drawn: near enough for the scroll bar.
float guessed_height(const PanelContext& c, const MessageView& message, float width) {
  const float characters_per_line = std::max(10.0f, width / (font_size(c.fonts.regular) * 0.5f));
  const float lines = 1.0f + static_cast<float>(message.text.size()) / characters_per_line;
  return lines * font_size(c.fonts.regular) * 1.45f + c.px(message.from_user ? 28 : 90);
}

void draw_message(PanelContext& c, size_t index, float left, float width) {
  const MessageView& message = *c.snapshot.conversation.messages[index];
  ImGui::SetCursorPosX(left);
  ImGui::PushID(static_cast<int>(index));
  ImGui::BeginGroup();
  if (message.from_user) {
    draw_question(c, index, message, width);
  } else {
    draw_answer(c, index, message, width);
  }
  ImGui::EndGroup();
  ImGui::PopID();
  ImGui::Dummy(ImVec2(0, c.px(20)));
}

// Brings the question into sight whose editing has just begun: without its editor what is typed would go elsewhere.
void scroll_to_editing(PanelContext& c, float y, float height) {
  const float above = y - ImGui::GetScrollY();
  if (above >= 0.0f && above + height <= ImGui::GetWindowHeight()) return;
  c.window.follow = Follow::kNothing;
  c.window.scroll_conversation = above - c.px(40);
}

// Messages out of sight keep their place; those never seen are drawn once, unseen, while there is time.
void draw_messages(PanelContext& c, float left, float width) {
  const auto& messages = c.snapshot.conversation.messages;
  if (std::exchange(c.window.messages_width, width) != width) {
    for (auto& entry : c.window.messages) entry.second.measured = false;  // lines break elsewhere now
  }
  look_for_found(c);
  ImGui::Dummy(ImVec2(0, c.px(16)));
  const float top = ImGui::GetScrollY() - c.px(200);
  const float bottom = ImGui::GetScrollY() + ImGui::GetWindowHeight() + c.px(200);
  const Clock::time_point begin = Clock::now();
  float moved = 0.0f;  // what measuring above the view moved it by
  int measured = 0;    // out of sight, in this frame
  LastQuestion last;
  for (size_t i = 0; i < messages.size(); ++i) {
    MessageBox& box = box_of(c, i);
    if (!box.measured && box.height == 0.0f) box.height = guessed_height(c, *messages[i], width);
    const float y = ImGui::GetCursorPosY();
    if (messages[i]->from_user) last = {y, y + box.height};
    if (c.window.found_in_chat.message == static_cast<int>(i)) c.window.found_in_chat.y = y;
    const bool edited = c.window.editing_message == static_cast<int>(i);
    if (edited && std::exchange(c.window.scroll_to_editing, false)) scroll_to_editing(c, y, box.height);
    const bool visible = edited || (y < bottom && y + box.height > top);
    // At least one in every frame: where what is in sight takes all the time, the rest would never be done.
    const bool measure = !box.measured && (measured == 0 || Clock::now() - begin < kMeasureTime);
    if (!visible && !measure) {
      if (!box.measured) c.window.wants_frame = true;
      ImGui::Dummy(ImVec2(width, std::max(0.0f, box.height - ImGui::GetStyle().ItemSpacing.y)));
      continue;
    }
    measured += visible ? 0 : 1;
    const float old_height = box.height;
    draw_message(c, i, left, width);
    box.height = ImGui::GetCursorPosY() - y;
    box.measured = true;
    if (y + old_height < ImGui::GetScrollY()) moved += box.height - old_height;
  }
  leave_room_below(c, last);
  follow_conversation_view(c, last, moved);
}

void draw_title(PanelContext& c, float left, float width) {
  if (c.snapshot.conversation.title.empty()) return;
  ImGui::SetCursorPos(ImVec2(left, c.px(10)));
  label(c.snapshot.conversation.title, c.fonts.small, c.theme.muted, width - c.px(40));
}

}  // namespace

MessageBox& box_of(PanelContext& c, size_t index) {
  MessageBox& box = c.window.messages[{c.snapshot.conversation.chat, index}];
  box.last_frame = c.window.frame;
  return box;
}

void draw_conversation(PanelContext& c) {
  const float available = ImGui::GetContentRegionAvail().x;
  const float margin = std::min(c.px(48), available * 0.1f);
  const float width = std::min(c.px(kColumnWidth), available - margin);
  const float left = (available - width) * 0.5f;
  draw_title(c, left, width);
  ImGui::SetCursorPosY(c.px(30));
  ImGui::BeginChild("messages", ImVec2(0, -input_height(c, width)));
  if (c.snapshot.conversation.messages.empty()) {
    draw_empty_conversation(c, left, width);
  } else {
    draw_messages(c, left, width);
  }
  ImGui::EndChild();
  ImGui::SetCursorPosX(left);
  ImGui::BeginChild("input area", ImVec2(width, 0), false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  draw_input(c);
  ImGui::EndChild();
}

}  // namespace mneme::ui

#include "ui/panels/conversation_view.h"

#include <algorithm>
#include <cfloat>
#include <utility>

#include <imgui.h>
#include <imgui_internal.h>

#include "ui/view_model/text_search.h"
#include "ui/widgets/marked_text.h"

namespace mneme::ui {
namespace {

// At the top; of a wall of pasted text its end, so that the answer is in sight.
float scroll_to_question(const PanelContext& c, const LastQuestion& last) {
  const float top = last.y - c.px(16) - ImGui::GetStyle().ItemSpacing.y;
  return std::max({0.0f, top, last.end - ImGui::GetWindowHeight() * 0.6f});
}

float scroll_to_found(const FoundInChat& found) {
  return std::max(0.0f, found.y - ImGui::GetWindowHeight() * 0.3f);
}

bool holds_scroll_bar() {
  const ImGuiID held = ImGui::GetActiveID();
  return held != 0 && held == ImGui::GetWindowScrollbarID(ImGui::GetCurrentWindow(), ImGuiAxis_Y);
}

// What is followed from here on, where somebody scrolls (`asked`: by keys) or has come to the end.
Follow followed(const PanelContext& c, float asked) {
  constexpr uint64_t kUnfolding = 3;  // frames until the new end is known
  Follow follow = c.window.follow;
  if (c.window.unfolded_at != 0 && c.window.frame < c.window.unfolded_at + kUnfolding) return Follow::kNothing;
  if (ImGui::GetCurrentWindow()->ScrollTarget.y < FLT_MAX) return Follow::kNothing;  // Tab goes to what is out of sight
  const float wheel = ImGui::IsWindowHovered() ? ImGui::GetIO().MouseWheel : 0.0f;
  const bool upwards = asked < 0.0f || wheel > 0.0f || holds_scroll_bar();
  const bool downwards = asked > 0.0f || wheel < 0.0f;
  if (upwards || (downwards && follow != Follow::kEnd)) follow = Follow::kNothing;
  if (follow == Follow::kFound && c.window.found_in_chat.message < 0) follow = Follow::kNothing;
  const bool at_end = ImGui::GetScrollY() >= ImGui::GetScrollMaxY() - c.px(4);
  return follow == Follow::kNothing && at_end && !upwards ? Follow::kEnd : follow;
}

}  // namespace

void stay_in_view(WindowState& w) {
  if (w.follow != Follow::kEnd) return;
  w.follow = Follow::kNothing;
  w.unfolded_at = w.frame;
  w.wants_frame = true;
}

void leave_room_below(const PanelContext& c, const LastQuestion& last) {
  const float missing = scroll_to_question(c, last) + ImGui::GetWindowHeight() - ImGui::GetCursorPosY();
  if (c.window.room_below && missing > 0.0f) ImGui::Dummy(ImVec2(0, missing));
}

void follow_conversation_view(PanelContext& c, const LastQuestion& last, float moved) {
  const float asked = std::exchange(c.window.scroll_conversation, 0.0f);
  const bool by_tab = ImGui::GetCurrentWindow()->ScrollTarget.y < FLT_MAX;
  c.window.follow = followed(c, asked);
  if (by_tab) return;
  switch (c.window.follow) {
    case Follow::kQuestion: return ImGui::SetScrollY(scroll_to_question(c, last));
    case Follow::kFound: return ImGui::SetScrollY(scroll_to_found(c.window.found_in_chat));
    case Follow::kEnd: return ImGui::SetScrollHereY(1.0f);
    case Follow::kNothing: break;
  }
  if (asked + moved != 0.0f) ImGui::SetScrollY(ImGui::GetScrollY() + asked + moved);
}

void look_for_found(PanelContext& c) {
  FoundInChat& found = c.window.found_in_chat;
  if (c.window.chat_filter.empty()) found = {};  // the search was left
  const auto& messages = c.snapshot.conversation.messages;
  if (found.text.empty() || found.message >= 0 || found.chat != c.snapshot.conversation.chat) return;
  const auto says = [&](const auto& message) { return !places_of(message->text, found.text, 1).empty(); };
  const auto first = std::find_if(messages.begin(), messages.end(), says);
  if (first == messages.end()) {
    found = {};  // only its title says it
    return;
  }
  found.message = static_cast<int>(first - messages.begin());
  c.window.follow = Follow::kFound;
}

void mark_found(PanelContext& c, size_t message, const RichTextLayout& layout) {
  constexpr size_t kMostPieces = 4000;  // in more of them it would be looked for too long in every frame
  FoundInChat& found = c.window.found_in_chat;
  if (found.message < 0 || found.chat != c.snapshot.conversation.chat || layout.pieces.size() > kMostPieces) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const auto places = places_in(layout, found.text);
  for (const auto& place : places) draw_marks(layout, place, at, c.theme.highlight, c.scale);
  if (static_cast<int>(message) != found.message || places.empty() || places.front().empty()) return;
  found.y = ImGui::GetCursorPosY() + layout.pieces[places.front().front().piece].position.y;
}

}  // namespace mneme::ui

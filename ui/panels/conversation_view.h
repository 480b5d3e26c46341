// What part of the conversation is in sight: the question just asked, the end, or the words for which the chat was
// found. Threads: the window's thread.
#pragma once

#include "ui/panels/panel.h"
#include "ui/widgets/rich_text.h"

namespace mneme::ui {

// Where the last question stands in the conversation, and where what is drawn of it ends.
struct LastQuestion {
  float y = 0.0f;
  float end = 0.0f;
};

// Leaves so much free below the last message that its question can stand at the top.
void leave_room_below(const PanelContext& context, const LastQuestion& last);

// Scrolls as asked, else keeps the view where it was (`moved`: what was measured above it has grown by), or to what is
// followed unless the reader has scrolled away.
void follow_conversation_view(PanelContext& context, const LastQuestion& last, float moved);

// Something in it is unfolded or folded by a click: it stays where it is, though the end moves.
void stay_in_view(WindowState& window);

// In a chat that was opened because it says something: finds where, once its messages are there.
void look_for_found(PanelContext& context);
// Marks it in a message that is about to be drawn at the cursor.
void mark_found(PanelContext& context, size_t message, const RichTextLayout& layout);

}  // namespace mneme::ui

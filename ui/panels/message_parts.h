// Parts of the conversation that its panel is put together from. Threads: the window's thread.
#pragma once

#include <cstddef>

#include "ui/panels/panel.h"

namespace mneme::ui {

// How a message of the shown chat was drawn last.
MessageBox& box_of(PanelContext& context, size_t message);

// An answer at the cursor, with what can be done about it; `width`: of its lines.
void draw_answer(PanelContext& context, size_t index, const MessageView& answer, float width);

// Nothing asked yet: what can be done next, `width` pixels wide from `left` on.
void draw_empty_conversation(PanelContext& context, float left, float width);

// Whether nothing is indexed that could answer.
bool nothing_to_ask(const PanelContext& context);
// Who asks all the same is told so: that “the documents do not say” is true, but no help.
void draw_nothing_to_ask(PanelContext& context, float width);

// Of the collections that are asked, the first with files that could not be read, or null; and their reasons, on the
// library's page.
const CollectionRow* asked_with_failed(const PanelContext& context);
void show_failed(PanelContext& context, const CollectionRow& row);

}  // namespace mneme::ui

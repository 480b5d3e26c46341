// What the elements of a page are: text, blocks of it, headings, furniture.
// Threads: pure functions.
#pragma once

#include <gumbo.h>

namespace mneme::readers {

inline constexpr int kDeepestElement = 1000;  // elements in elements; the stack holds this many frames with ease

// What is never text, wherever it stands.
bool is_furniture(GumboTag tag);

// Begins and ends a line of its own.
bool is_block(GumboTag tag);

// 1 to 6; 0: no heading.
int heading_level(GumboTag tag);

// The same of a paragraph that is set as one: all of it bold and in a larger letter (<font size="5"><b>Title</b>), as
// old pages and books for Kindle have their headings. 0: any other element.
int set_heading_level(const GumboNode* paragraph);

// Furniture, and what the page hides.
bool is_never_seen(const GumboNode* element);

// By its own style.
bool is_hidden_by_style(const GumboNode* element);

// A row that holds tables, headings or code arranges a page; it is no row of data.
bool is_layout(const GumboNode* row);

// Null: none. Children of elements, templates and documents.
const GumboVector* children_of(const GumboNode* node);

template <typename Visit>
void for_children(const GumboNode* node, const Visit& visit) {
  const GumboVector* children = children_of(node);
  for (unsigned i = 0; children && i < children->length; ++i) visit(static_cast<const GumboNode*>(children->data[i]));
}

}  // namespace mneme::readers

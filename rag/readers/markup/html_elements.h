// What the elements of a page are: text, furniture around it, lists of links, the part that holds the main text.
// Threads: pure functions.
#pragma once

#include <gumbo.h>

#include <string_view>
#include <vector>

namespace mneme::readers {

inline constexpr int kDeepestElement = 1000;  // elements in elements; the stack holds this many frames with ease

// What is never text, wherever it stands.
bool is_furniture(GumboTag tag);

// Begins and ends a line of its own.
bool is_block(GumboTag tag);

// 1 to 6; 0: no heading.
int heading_level(GumboTag tag);

// class or id with a word of its own such as "sidebar" or "site-footer".
bool names_boilerplate(std::string_view names);

// A row that holds tables, headings or code arranges a page; it is no row of data.
bool is_layout(const GumboNode* row);

// Nearly all of its text are links.
bool is_list_of_links(const GumboNode* list);

// The elements that hold the main text: <main>, role=main, else the <article>s. Empty: none that hold enough of it.
std::vector<const GumboNode*> main_parts(const GumboNode* root);

// Null: none. Children of elements, templates and documents.
const GumboVector* children_of(const GumboNode* node);

template <typename Visit>
void for_children(const GumboNode* node, const Visit& visit) {
  const GumboVector* children = children_of(node);
  for (unsigned i = 0; children && i < children->length; ++i) visit(static_cast<const GumboNode*>(children->data[i]));
}

}  // namespace mneme::readers

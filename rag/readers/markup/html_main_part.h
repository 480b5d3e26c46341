// What a page says of itself, by names that programs for web sites share (Open Graph, schema.org, classes of themes):
// whether it is an article, where its text and its headline stand.
// Internal to rag/readers. Ownership: borrows the page. Threads: pure functions.
#pragma once

#include <gumbo.h>

#include <string>
#include <vector>

namespace mneme::readers {

struct PageMarks {
  bool is_article = false;                       // news, a blog's entry: one text, and much around it
  std::vector<const GumboNode*> mains;           // <main> and what has its role; here and below none within another
  std::vector<const GumboNode*> articles;        // <article>
  std::vector<const GumboNode*> bodies;          // what schema.org's articleBody marks, in order
  std::vector<const GumboNode*> named_bodies;    // the same by class: "entry-content"
  std::vector<const GumboNode*> named_contents;  // the same by id: "content", "main"
  const GumboNode* headline = nullptr;           // the first <h1>
};

PageMarks marks_of(const GumboNode* root);

bool is_within(const GumboNode* node, const GumboNode* element);

// The smallest element that holds all of them; null: there are none.
const GumboNode* common_parent(const std::vector<const GumboNode*>& elements);

// Class and id, in lower case.
std::string names_of(const GumboNode* element);

}  // namespace mneme::readers

// What of a page stands around its text: navigation, advertising, notices, as elements and names tell. Nothing that is
// long, or has sentences of its own, is taken for such by its name; and where most of a page's text would go, all of it
// stays. Internal to rag/readers. Ownership: borrows the page. Threads: immutable once made.
#pragma once

#include <gumbo.h>

#include <cstddef>
#include <unordered_set>
#include <vector>

namespace mneme::readers {

class PageFurniture {
 public:
  explicit PageFurniture(const GumboNode* root);

  // The elements to read: <main>, role=main, else the <article>s, where they hold most of the text; else the page.
  const std::vector<const GumboNode*>& parts() const { return parts_; }
  // Elements within them to pass over.
  bool contains(const GumboNode* element) const { return elements_.contains(element); }
  // How much of the page's text, links aside, is in neither.
  int percent_left_out() const { return percent_left_out_; }

 private:
  std::vector<const GumboNode*> parts_;
  std::unordered_set<const GumboNode*> elements_;
  int percent_left_out_ = 0;
};

}  // namespace mneme::readers

// Which texts are runs of whole words of some quotations: what an answer in the documents' own words may be.
// Threads: immutable.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

class QuotedSpans {
 public:
  // White space counts as one space.
  explicit QuotedSpans(std::span<const std::string_view> texts);

  bool empty() const;  // not one word
  // Whether a run of words may begin with `text`; everything may begin with nothing.
  bool may_begin(std::string_view text) const;
  // The first of the texts in which `text` stands as whole words; -1 where none does, or it is empty.
  int where(std::string_view text) const;

 private:
  std::vector<std::string> texts_;
};

}  // namespace mneme::rag

// Which of the found passages, taken best first, say nothing that a better one does not say. Threads: one owner.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "rag/chunking/near_duplicates.h"

namespace mneme::rag {

class RepeatFinder {
 public:
  explicit RepeatFinder(std::string_view question);

  // Whether a passage nearly equals one taken before, or what it holds of the question stands mostly in paragraphs that
  // several of those have, too: the notice below every mail, the terms of every letter. Either way it is known then.
  bool is_repeat(std::string_view passage);

 private:
  std::set<std::string> asked_in(std::string_view text) const;

  std::set<std::string> asked_;  // stems of the question's words
  chunking::NearDuplicates known_;
  chunking::RepeatedParagraphs paragraphs_;
  uint64_t n_taken_ = 0;
};

}  // namespace mneme::rag

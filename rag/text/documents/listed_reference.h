// What points at one of the documents that were listed before: "the first one" of "Who wrote the first one?", "the
// third", "number 2", "das zweite", in the languages that part words by spaces. Threads: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace mneme::rag {

struct ListedReference {
  size_t begin = 0;  // bytes of the question
  size_t end = 0;
  int place = 0;  // from 1; -1: the last one
};

// Nothing where an ordinal is said of something else: "the first chapter".
std::optional<ListedReference> listed_reference(std::string_view question);

// Whether nothing is asked of what is pointed at but to see it: "open the third", "and the second one?", "summarise the
// first one", "what does the last one say?"
bool wants_listed_whole(std::string_view question, const ListedReference& reference);

}  // namespace mneme::rag

// A document in a list that answers: its name, what is told of it, and a sentence that speaks of what is asked.
// Threads: one answer at a time.
#pragma once

#include <string_view>

#include "rag/answering/exchange/answer.h"

namespace mneme::rag {

struct ListedLine {
  std::string_view sender{};  // stands before the name: "Ann Hale: "
  std::string_view when{};    // behind it: " (dated 2026-10-02)"
  std::string_view matter{};  // what a sentence of the passage is to speak of, if one does
};

// "Title (when): how it speaks of it [n]", as a line of the answer, and its source.
void add_listed_line(Hit hit, const ListedLine& told, Answer& answer);

}  // namespace mneme::rag

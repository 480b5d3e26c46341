// Questions for what stands on a page of a document, by its number: "What is on page 12?", "Seite 3 des Mietvertrags",
// 第3页写了什么. Threads: pure function.
#pragma once

#include <string>
#include <string_view>

namespace mneme::rag {

struct AskedPage {
  int number = 0;        // 0: the question asks something else, be it of a page ("Who signs on page 3?")
  std::string document;  // what the page is of, in the question's words: "the lease"; "" where it does not say

  bool empty() const { return number == 0; }
};

AskedPage asked_page(std::string_view question);

}  // namespace mneme::rag

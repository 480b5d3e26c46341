// Where in a document the words stand that an answer says with a citation. Threads: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

namespace mneme::rag {

struct Hit;

struct CitedPlace {
  size_t byte = 0;  // of the passage: where the first line of it begins that says so
  int page = 0;     // on which that line begins, where the passage has pages
  int line = 0;     // of the file; 0 where the passage is not made of the file's own lines (PDF, mail, HTML), or
                    // where the answer says nothing with the citation
};

CitedPlace cited_place(const Hit& source, std::string_view answer, int n);

}  // namespace mneme::rag

// Where in a document the words stand that an answer says with a citation. Threads: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

namespace mneme::rag {

struct Citation;

struct CitedPlace {
  size_t byte = 0;    // of the passage: where the best quotation of it begins; what a model says of it is looked for
                      // there, and the first line that says so begins here
  int page = 0;       // on which that stands, where the passage has pages
  int line = 0;       // of the file, the first that is cited; 0 where the passage is not made of the file's own lines
                      // (PDF, mail, HTML), or where the answer says nothing with the citation
  int last_line = 0;  // ... and the last
};

CitedPlace cited_place(const Citation& citation, std::string_view answer);

}  // namespace mneme::rag

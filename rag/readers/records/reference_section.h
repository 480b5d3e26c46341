// A reference to literature, in one form whatever program wrote it: a section headed by its title, a line for who wrote
// it, when, where, and its abstract. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <string>
#include <vector>

#include "rag/readers/document_builder.h"

namespace mneme::readers {

struct Reference {
  std::string key;  // by which texts cite it
  std::string kind;
  std::string title;
  std::vector<std::string> authors;
  std::vector<std::string> editors;
  std::string year;
  std::string in;  // journal, book, conference
  std::string volume;
  std::string number;
  std::string pages;
  std::string publisher;
  std::string doi;
  std::string link;
  std::string isbn;
  std::vector<std::string> keywords;
  std::string abstract;
  std::string note;
  int line_begin = 0;
  int line_end = 0;
};

// Nothing where it has neither title nor author.
void write_reference(const Reference& reference, DocumentBuilder& builder);

}  // namespace mneme::readers

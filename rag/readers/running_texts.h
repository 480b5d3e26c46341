// Headers and footers of office documents and PDFs. They stand on every page and are told once, behind all else, under
// a heading of their own, so that they are found and do not come along with every passage.
// Internal to rag/readers. Threads: one thread each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rag/readers/document_builder.h"

namespace mneme::readers {

class RunningTexts {
 public:
  // A paragraph, what its fields show left out. has_fields: it has some, the number of the page mostly, so that few
  // letters beside them ("Page of") say nothing. page: where it stands first; 0: not known.
  // False when there are too many to keep this one as well.
  bool take(std::string_view text, bool has_fields, int page = 0);

  // Those that the document does not say anyway.
  void write(DocumentBuilder& builder) const;

 private:
  struct Text {
    std::string text;
    int page = 0;
  };
  std::vector<Text> texts_;
};

}  // namespace mneme::readers

// Comments of PowerPoint, in both forms: of before 2021, and with replies. Internal to rag/readers.
// Threads: one thread each.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/office/side_parts.h"

namespace mneme::readers {

class PptxComments {
 public:
  // links: of the presentation, which names the part that names the authors. Errors: those of SideParts::read().
  Status read_authors(SideParts& parts, const PartLinks& links);

  // Writes the comments of one slide's part, each with its author.
  void add(const pugi::xml_document& part, DocumentBuilder& builder) const;

 private:
  void add_comment(const pugi::xml_node& comment, DocumentBuilder& builder) const;

  std::map<std::string, std::string, std::less<>> authors_;  // by id
};

}  // namespace mneme::readers

#include "rag/readers/mail/entry_documents.h"

namespace mneme::readers {

void forget_lines(rag::Document& document) {
  for (rag::Block& block : document.blocks) block.line_begin = block.line_end = 0;
}

std::string escape_content(std::string_view value) {
  std::string escaped;
  for (const char c : value) {
    if (c == '\r') continue;
    if (c == '\\' || c == ',' || c == ';') escaped += '\\';
    if (c == '\n') {
      escaped += "\\n";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace mneme::readers

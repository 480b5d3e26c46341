// BibTeX by its entries: "@article{key, title = {...}, year = 1984}". Internal to rag/readers. Ownership: borrows the
// text. Threads: one thread each.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace mneme::readers {

struct BibtexEntry {
  std::string kind = {};  // "article"; lower case
  std::string key = {};
  std::map<std::string, std::string> fields = {};  // by name in lower case; values as TeX
  size_t begin = 0;                                // bytes of the text
  size_t end = 0;

  std::string field(std::string_view name) const;
};

class BibtexCursor {
 public:
  explicit BibtexCursor(std::string_view text) : text_(text) {}

  // The next entry; strings are remembered, comments and preambles passed over. An entry that is cut off ends with the
  // text, or where the next begins on a line of its own.
  bool next(BibtexEntry& entry);

 private:
  void pass_space();
  std::string word();
  bool take(char c);
  void take_fields(BibtexEntry& entry);
  std::string value();
  std::string piece();
  std::string braced();
  std::string quoted();
  bool begins_entry(size_t at) const;

  std::string_view text_;
  size_t at_ = 0;
  std::map<std::string, std::string> strings_;
};

}  // namespace mneme::readers

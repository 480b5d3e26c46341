// The content of an OpenDocument spreadsheet of any size, a piece at a time: its tables come in trees of a MiB of text,
// cut between rows. A tree takes several times its text. Names of elements count without their prefixes. Internal to
// rag/readers. Threads: one thread each.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace mneme::readers {

class OdfSheetPieces {
 public:
  // take: gets a tree whose root is the table with some of its rows, in the order of the file. is_last: the table ends.
  using Take = std::function<Status(std::unique_ptr<pugi::xml_document> piece, bool is_last)>;
  explicit OdfSheetPieces(Take take) : take_(std::move(take)) {}

  // The next bytes. kResource where the file is large, but not by its rows; kCorruption where it is not XML; else what
  // `take` gives.
  Status add(std::string_view bytes);
  // At the end. kCorruption where a table does not end.
  Status finish() const;

  // What stands before the first table, without its end: styles. Whole when the first piece comes.
  const std::string& head() const { return head_; }

 private:
  struct Tag {
    size_t begin = 0;
    size_t end = 0;  // behind it
    std::string_view name;
    bool opens = false;
    bool closes = false;
  };
  bool next_tag(Tag& tag);
  Status take_tag(const Tag& tag);
  Status take_tag_of_table(const Tag& tag);
  Status give(size_t size, const std::vector<std::string>& groups, bool is_last);
  void drop(size_t size);

  const Take take_;
  std::string head_;
  std::string buffer_;    // not yet given
  size_t looked_at_ = 0;  // of it
  int depth_ = 0;         // of tables in each other; 0: outside
  bool met_table_ = false;
  std::string table_;                         // its tag
  std::vector<std::string> groups_;           // tags around the rows here
  std::vector<std::string> groups_at_begin_;  // of the buffer
  size_t cut_ = 0;                            // behind the last whole row
  std::vector<std::string> groups_at_cut_;
};

}  // namespace mneme::readers

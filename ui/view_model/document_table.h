// The documents of a collection as the window lists them: 100,000 of them in some 10 MB. All text stands in one buffer,
// rows refer to it; the few formats there are stand once.
// Threads: one while it is filled; published, it may be read from anywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::ui {

// One document; the texts are the table's, and valid as long as it is.
struct DocumentRow {
  int64_t id = 0;
  std::string_view path;
  std::string_view title;
  std::string_view format;
  uint64_t size_bytes = 0;
  int64_t n_chunks = 0;
  int64_t indexed_ms = 0;
  std::string_view place = {};  // end of the path, where the name alone does not tell it from another document

  // What it is listed as: its title, or its file's name.
  std::string_view name() const { return title.empty() ? path.substr(path.rfind('/') + 1) : title; }
};

class DocumentTable {
 public:
  // Room for what is going to be added, so that nothing is moved and nothing left over.
  void reserve(size_t rows, size_t text_bytes);
  void add(const DocumentRow& row);
  // Finds the place of each of several documents of one name, once all are there.
  void tell_apart();

  size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  DocumentRow operator[](size_t i) const;

 private:
  struct Entry {
    int64_t id = 0;
    uint64_t size_bytes = 0;
    int64_t indexed_ms = 0;
    uint64_t text_begin = 0;  // of the path; the title follows
    uint32_t path_bytes = 0;
    uint32_t title_bytes = 0;
    uint32_t n_chunks = 0;
    uint16_t format = 0;       // of formats_
    uint16_t place_bytes = 0;  // end of the path
  };

  std::vector<Entry> entries_;
  std::string text_;
  std::vector<std::string> formats_;
};

}  // namespace mneme::ui

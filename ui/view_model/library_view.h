// Collections, the documents of the one that is shown, and what is stored of them. Threads: values.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ui/view_model/document_table.h"

namespace mneme::ui {

// What the table of documents shows of them, and in which order.
enum class DocumentColumn { kTitle, kFormat, kSize, kPassages, kIndexed };
struct DocumentOrder {
  std::string filter;  // part of title or path, without regard to ASCII case
  DocumentColumn column = DocumentColumn::kTitle;
  bool descending = false;
  bool operator==(const DocumentOrder&) const = default;
};

struct FailedRow {
  std::string path;
  std::string error;
};

struct CollectionRow {
  std::string name;
  int64_t documents = 0;
  int64_t chunks = 0;
  int64_t tokens = 0;
  uint64_t text_bytes = 0;
  std::vector<std::string> roots;
  int64_t failed = 0;
  bool watched = false;
  std::string kv_level;  // empty: as the settings say
};

struct LibraryView {
  std::vector<CollectionRow> collections;
  std::shared_ptr<const DocumentTable> documents;           // of the shown collection
  std::shared_ptr<const std::vector<uint32_t>> shown_rows;  // of `documents`, filtered and in order
  DocumentOrder order;                                      // that `shown_rows` follows
  std::shared_ptr<const std::vector<FailedRow>> failed;
  std::string shown;    // collection whose documents are listed
  bool loaded = false;  // false: not read from the catalogue yet
  int64_t kv_bytes = 0;
  int64_t kv_quota_bytes = 0;
  int64_t kv_chunks = 0;
  int64_t kv_hits = 0;
  int64_t kv_misses = 0;
  int64_t kv_evictions = 0;
  uint64_t catalogue_bytes = 0;

  // Another collection's documents are to be listed, once they are read.
  void turn_to(const std::string& collection) {
    if (shown == collection) return;
    shown = collection;
    documents.reset();
    shown_rows.reset();
    failed.reset();
  }
};

}  // namespace mneme::ui

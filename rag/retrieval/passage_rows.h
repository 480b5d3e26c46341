// Passages and their documents as the catalogue has them, each read once per search.
// Ownership: borrows the catalogue. Threads: one owner.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>

#include "base/status.h"
#include "rag/document.h"
#include "storage/catalogue/records.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::rag {

class PassageRows {
 public:
  explicit PassageRows(storage::Catalogue& catalogue) : catalogue_(catalogue) {}

  // Reads passages that have not been read yet, and their documents. What was removed meanwhile is no error.
  Status read(std::span<const int64_t> keys);

  // Null for what is gone, or was never read.
  const storage::ChunkRecord* chunk(int64_t key) const;
  const storage::DocumentRecord* document_of(int64_t key) const;
  const storage::DocumentRecord* document(int64_t id) const;

  // A passage under the title and headings it stands under, which say what it is about; "" for one that is gone.
  std::string text_of(int64_t key) const;
  // What its document can be called by: title, headings and the file's name.
  std::string names_of(int64_t key) const;
  // The lowest heading it stands under; its document's title where it has none.
  std::string heading_of(int64_t key) const;
  std::string title_of(int64_t key) const;  // its document's
  // The names of its folders and file (document_names.h).
  std::string path_of(int64_t key) const;
  TextForm form_of(int64_t key) const;

 private:
  Status read_document(storage::DocumentId id);
  std::string above(const storage::ChunkRecord& chunk) const;

  storage::Catalogue& catalogue_;
  std::unordered_map<int64_t, storage::ChunkRecord> chunks_;
  std::unordered_map<int64_t, storage::DocumentRecord> documents_;
};

}  // namespace mneme::rag

#include "rag/retrieval/passage_rows.h"

#include <filesystem>
#include <vector>

#include "rag/document.h"
#include "rag/text/documents/document_names.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

using storage::ChunkId;
using storage::ChunkRecord;
using storage::DocumentRecord;

Status PassageRows::read(std::span<const int64_t> keys) {
  std::vector<ChunkId> unread;
  for (const int64_t key : keys) {
    if (!chunks_.contains(key)) unread.push_back(ChunkId{key});
  }
  if (unread.empty()) return {};
  MNEME_ASSIGN_OR_RETURN(std::vector<ChunkRecord> rows, catalogue_.chunks(unread));
  for (ChunkRecord& row : rows) {
    MNEME_RETURN_IF_ERROR(read_document(row.document));
    chunks_.emplace(static_cast<int64_t>(row.id), std::move(row));
  }
  return {};
}

// A document removed this moment is none.
Status PassageRows::read_document(storage::DocumentId id) {
  if (documents_.contains(static_cast<int64_t>(id))) return {};
  Result<DocumentRecord> record = catalogue_.document(id);
  if (record.status().code() == StatusCode::kNotFound) return {};
  if (!record.ok()) return record.status();
  documents_.emplace(static_cast<int64_t>(id), *std::move(record));
  return {};
}

const ChunkRecord* PassageRows::chunk(int64_t key) const {
  const auto at = chunks_.find(key);
  return at == chunks_.end() ? nullptr : &at->second;
}

const DocumentRecord* PassageRows::document(int64_t id) const {
  const auto at = documents_.find(id);
  return at == documents_.end() ? nullptr : &at->second;
}

const DocumentRecord* PassageRows::document_of(int64_t key) const {
  const ChunkRecord* row = chunk(key);
  return row == nullptr ? nullptr : document(static_cast<int64_t>(row->document));
}

std::string PassageRows::above(const ChunkRecord& chunk) const {
  const DocumentRecord* of = document(static_cast<int64_t>(chunk.document));
  std::string title = of == nullptr ? std::string() : of->title;
  if (chunk.heading_path.empty() || chunk.heading_path == title) return title;
  return title.empty() ? chunk.heading_path : title + "\n" + chunk.heading_path;
}

std::string PassageRows::text_of(int64_t key) const {
  const ChunkRecord* row = chunk(key);
  if (row == nullptr) return {};
  const std::string headings = above(*row);
  return headings.empty() ? row->text : headings + "\n" + row->text;
}

std::string PassageRows::names_of(int64_t key) const {
  const ChunkRecord* row = chunk(key);
  const DocumentRecord* of = document_of(key);
  if (row == nullptr || of == nullptr) return {};
  return above(*row) + "\n" + std::filesystem::path(of->path).stem().string();
}

std::string PassageRows::heading_of(int64_t key) const {
  const ChunkRecord* row = chunk(key);
  const DocumentRecord* of = document_of(key);
  if (row == nullptr || of == nullptr) return {};
  return lowest_heading(row->heading_path, of->title);
}

std::string PassageRows::title_of(int64_t key) const {
  const DocumentRecord* of = document_of(key);
  return of == nullptr ? std::string() : of->title;
}

TextForm PassageRows::form_of(int64_t key) const {
  const DocumentRecord* of = document_of(key);
  return of == nullptr ? TextForm::kProse : rag::form_of(of->format);
}

std::string PassageRows::path_of(int64_t key) const {
  const DocumentRecord* of = document_of(key);
  return of == nullptr ? std::string() : called_by_path(of->path, of->names);
}

}  // namespace mneme::rag

#include "rag/indexing/earlier_documents.h"

#include <algorithm>
#include <string>
#include <vector>

#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

using storage::ChunkRecord;
using storage::DocumentRecord;
using storage::NewChunk;

bool same_record(const DocumentRecord& a, const DocumentRecord& b) {
  return a.title == b.title && a.author == b.author && a.date == b.date && a.format == b.format && a.notes == b.notes &&
         a.names == b.names;
}

bool same_chunk(const NewChunk& a, const ChunkRecord& b) {
  return a.byte_begin == b.byte_begin && a.byte_end == b.byte_end && a.line_begin == b.line_begin &&
         a.line_end == b.line_end && a.page == b.page && a.page_marks == b.page_marks &&
         a.heading_path == b.heading_path && a.text == b.text;
}

}  // namespace

EarlierDocuments::EarlierDocuments(storage::Catalogue& catalogue, std::span<const storage::DocumentState> known)
    : catalogue_(catalogue) {
  ids_.reserve(known.size());
  for (const storage::DocumentState& state : known) ids_.emplace(state.path, state.id);
}

std::optional<storage::DocumentId> EarlierDocuments::find_unchanged(const storage::NewDocument& document) const {
  const auto known = ids_.find(document.record.path);
  if (known == ids_.end()) return std::nullopt;
  const Result<DocumentRecord> record = catalogue_.document(known->second);
  const auto n_chunks = static_cast<int64_t>(document.chunks.size());
  if (!record.ok() || record->n_chunks != n_chunks || !same_record(document.record, *record)) return std::nullopt;
  const Result<std::vector<ChunkRecord>> chunks = catalogue_.document_chunks(known->second);
  if (!chunks.ok() ||
      !std::equal(document.chunks.begin(), document.chunks.end(), chunks->begin(), chunks->end(), same_chunk)) {
    return std::nullopt;
  }
  const Result<std::optional<std::string>> text = catalogue_.document_text(known->second);
  return text.ok() && *text == document.text ? std::optional(known->second) : std::nullopt;
}

}  // namespace mneme::rag

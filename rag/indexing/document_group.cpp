#include "rag/indexing/document_group.h"

#include <utility>

#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

// Others who write wait for a transaction, and search finds nothing of it before its end.
constexpr size_t kMostFiles = 64;
constexpr uint64_t kMostBytes = uint64_t{4} << 20;
constexpr std::chrono::milliseconds kLongest{200};

bool is_of_one_document(StatusCode code) {
  return code != StatusCode::kBusy && code != StatusCode::kCancelled && code != StatusCode::kNoSpace;
}

}  // namespace

Result<std::vector<storage::DocumentId>> put_together(storage::Catalogue& catalogue,
                                                      std::span<const storage::NewDocument* const> documents) {
  auto together = catalogue.put_documents(documents);
  if (together.ok() || documents.size() == 1 || !is_of_one_document(together.status().code())) return together;
  std::vector<storage::DocumentId> ids;
  ids.reserve(documents.size());
  for (const storage::NewDocument* document : documents) {
    MNEME_ASSIGN_OR_RETURN(const storage::DocumentId id, catalogue.put_document(*document));
    ids.push_back(id);
  }
  return ids;
}

void DocumentGroup::add(const PlannedFile& planned, LoadedBatch batch) {
  if (files_.empty()) since_ = std::chrono::steady_clock::now();
  for (const LoadedDocument& loaded : batch.documents) {
    for (const storage::NewChunk& chunk : loaded.document.chunks) text_bytes_ += chunk.text.size();
  }
  files_.push_back({&planned, std::move(batch)});
}

bool DocumentGroup::is_full() const {
  return files_.size() >= kMostFiles || text_bytes_ >= kMostBytes ||
         (!files_.empty() && std::chrono::steady_clock::now() - since_ >= kLongest);
}

std::vector<DocumentGroup::File> DocumentGroup::take() {
  text_bytes_ = 0;
  return std::exchange(files_, {});
}

}  // namespace mneme::rag

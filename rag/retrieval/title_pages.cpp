#include "rag/retrieval/title_pages.h"

#include <algorithm>

#include "rag/retrieval/passage_rows.h"
#include "rag/text/asked/labels.h"
#include "rag/text/asked/question_kind.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

namespace {

bool may_stand_there(QuestionKind kind) {
  return kind == QuestionKind::kPerson || kind == QuestionKind::kDate;
}

}  // namespace

Result<std::vector<int64_t>> title_pages(storage::Catalogue& catalogue, std::string_view question,
                                         std::span<const int64_t> found) {
  std::vector<int64_t> pages;
  if (!may_stand_there(kind_of_question(question))) return pages;
  PassageRows rows(catalogue);
  MNEME_RETURN_IF_ERROR(rows.read(found));
  const AskedLabels labels(question);
  std::vector<storage::DocumentId> seen;
  for (const int64_t key : found) {
    const storage::DocumentRecord* const document = rows.document_of(key);
    if (document == nullptr || std::find(seen.begin(), seen.end(), document->id) != seen.end()) continue;
    seen.push_back(document->id);
    if (labels.taken_by(document->title) == 0) continue;
    MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ChunkRecord> first,
                           catalogue.document_chunks(document->id, 0, 0));
    for (const storage::ChunkRecord& chunk : first) pages.push_back(static_cast<int64_t>(chunk.id));
  }
  return pages;
}

}  // namespace mneme::rag

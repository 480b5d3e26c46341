#include "rag/answering/sources/listed_document.h"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "rag/answering/sources/asked_documents.h"
#include "rag/answering/sources/dated_documents.h"
#include "rag/text/documents/asked_dated.h"
#include "rag/text/documents/asked_listing.h"
#include "rag/text/documents/listed_reference.h"

namespace mneme::rag {
namespace {

using storage::DocumentRecord;

constexpr size_t kMostTurns = 5;  // back to the list

// The documents that were listed last, best first; none where none were.
Result<std::vector<DocumentRecord>> documents_listed(Workspace& workspace, const Asked& asked, size_t wanted) {
  const std::vector<Turn>& history = asked.options.history;
  for (size_t i = history.size(); i > 0 && history.size() - i < kMostTurns; --i) {
    const Turn& turn = history[i - 1];
    const AskedDated dated = asked_dated(turn.question, local_today());
    const bool is_list = dated.is_asked || asked_listing(turn.question).what != AskedListing::What::kNone;
    if (!is_list || turn.documents.empty() || listed_reference(turn.question)) continue;
    std::vector<DocumentRecord> documents;
    if (dated.is_asked && turn.documents.size() < wanted) {  // "And the second one?" behind the newest letter
      MNEME_ASSIGN_OR_RETURN(std::vector<DatedDocument> all, documents_dated(workspace, asked, dated));
      for (DatedDocument& one : all) documents.push_back(std::move(one.document));
      return documents;
    }
    return documents_at(workspace, asked, turn.documents);
  }
  return std::vector<DocumentRecord>();
}

}  // namespace

Result<std::optional<ListedDocument>> listed_document(Workspace& workspace, const Asked& asked) {
  const std::optional<ListedReference> reference = listed_reference(asked.question);
  if (!reference || asked.options.history.empty()) return std::optional<ListedDocument>();
  const size_t wanted = reference->place > 0 ? static_cast<size_t>(reference->place) : 1;
  MNEME_ASSIGN_OR_RETURN(std::vector<DocumentRecord> documents, documents_listed(workspace, asked, wanted));
  if (documents.size() < wanted) return std::optional<ListedDocument>();
  ListedDocument listed{std::move(reference->place > 0 ? documents[wanted - 1] : documents.back())};
  const std::string& title = listed.document.title;
  const std::string called = title.empty() ? std::filesystem::path(listed.document.path).stem().string() : title;
  listed.question = asked.question;
  listed.question.replace(reference->begin, reference->end - reference->begin, called);
  listed.as_whole = wants_listed_whole(asked.question, *reference);
  return std::optional(std::move(listed));
}

}  // namespace mneme::rag

#include "rag/answering/sources/gist_sources.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rag/answering/sources/asked_documents.h"
#include "rag/answering/sources/listed_document.h"
#include "rag/retrieval/hit_list.h"
#include "rag/text/documents/asked_gist.h"
#include "rag/text/languages/notes.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

using storage::DocumentRecord;

constexpr int64_t kQuotedFrom = 4;  // passages at a document's beginning in which to look for what it is about
constexpr size_t kMostNamed = 3;    // further documents of that name that are told

Result<std::vector<DocumentRecord>> documents_at_hand(Workspace& workspace, const Asked& asked) {
  MNEME_ASSIGN_OR_RETURN(std::vector<DocumentRecord> documents, documents_last_cited(workspace, asked));
  if (!documents.empty()) return documents;
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::CollectionStats> stats, workspace.catalogue().stats());
  const std::string& wanted = asked.options.search.collection;
  int64_t n_there = 0;
  for (const storage::CollectionStats& one : stats) {
    if (wanted.empty() || one.collection.name == wanted) n_there += one.documents;
  }
  if (n_there == 1) return documents_of_question(workspace, asked);
  return documents;
}

// Half of what a model reads is the beginning, the rest at equal distances to the end.
std::vector<int64_t> chosen_passages(int64_t n_there, int64_t n_read) {
  std::vector<int64_t> chosen;
  chosen.reserve(static_cast<size_t>(std::min(n_there, n_read)));
  if (n_there <= n_read) n_read = n_there;
  const int64_t n_first = n_there == n_read ? n_read : (n_read + 1) / 2;
  for (int64_t i = 0; i < n_first; ++i) chosen.push_back(i);
  const int64_t n_rest = n_read - n_first;
  for (int64_t i = 1; i <= n_rest; ++i) chosen.push_back(n_first - 1 + i * (n_there - n_first) / n_rest);
  return chosen;
}

std::string called(const DocumentRecord& document) {
  return document.title.empty() ? document.path : document.title;
}

void add_notes(const std::vector<DocumentRecord>& documents, std::string_view question, int64_t n_read, bool is_read,
               QuestionSources& found) {
  const DocumentRecord& first = documents.front();
  if (is_read && n_read < first.n_chunks) {
    found.notes.push_back(note_for(
        question, &NoteTexts::gist_read,
        {{"n", std::to_string(n_read)}, {"all", std::to_string(first.n_chunks)}, {"document", called(first)}}));
  }
  std::string others;
  for (size_t i = 1; i < std::min(documents.size(), kMostNamed + 1); ++i) {
    others += (others.empty() ? "" : ", ") + documents[i].path;
  }
  if (!others.empty()) found.notes.push_back(note_for(question, &NoteTexts::also_called, {{"others", others}}));
}

}  // namespace

Status find_gist(Workspace& workspace, const Asked& asked, const engine::LanguageModel* model, QuestionSources& found) {
  const AskedGist gist = asked_gist(asked.question);
  MNEME_ASSIGN_OR_RETURN(const std::optional<ListedDocument> listed, listed_document(workspace, asked));
  const bool shows_listed = listed && listed->as_whole;
  if (!gist.is_asked && !shows_listed) return {};
  MNEME_ASSIGN_OR_RETURN(const std::vector<DocumentRecord> documents,
                         shows_listed            ? std::vector{listed->document}
                         : gist.document.empty() ? documents_at_hand(workspace, asked)
                                                 : documents_meant(workspace, asked, gist.document));
  if (documents.empty() && gist.document.empty() && model == nullptr) {
    found.of_whole = true;
    found.answerable = false;
    found.notes.push_back(note_for(asked.question, &NoteTexts::which_document));
  }
  if (documents.empty() || documents.front().n_chunks == 0) return {};
  const DocumentRecord& document = documents.front();
  const int64_t n = model == nullptr ? kQuotedFrom : std::max(1, asked.options.search.top_k);
  for (const int64_t ordinal : chosen_passages(document.n_chunks, n)) {
    if (model == nullptr && ordinal >= kQuotedFrom) break;
    const int at = static_cast<int>(ordinal);
    MNEME_ASSIGN_OR_RETURN(const auto chunks, workspace.catalogue().document_chunks(document.id, at, at));
    for (const storage::ChunkRecord& chunk : chunks) found.hits.push_back(hit_of(chunk, document));
  }
  found.of_whole = !found.hits.empty();
  if (shows_listed) found.standalone = called(document);
  found.retrieve_ms = asked.milliseconds();
  add_notes(documents, asked.question, static_cast<int64_t>(found.hits.size()), model != nullptr, found);
  return {};
}

}  // namespace mneme::rag

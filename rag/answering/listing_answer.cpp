#include "rag/answering/listing_answer.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rag/answering/listed_line.h"
#include "rag/answering/sources/asked_documents.h"
#include "rag/answering/sources/dated_documents.h"
#include "rag/answering/sources/listed_document.h"
#include "rag/answering/sources/spoken_matter.h"
#include "rag/retrieval/hit_list.h"
#include "rag/text/documents/asked_dated.h"
#include "rag/text/documents/asked_listing.h"
#include "rag/text/documents/document_names.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/notes.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

using storage::DocumentRecord;

constexpr int kSearched = 60;      // passages that are looked at
constexpr size_t kMostListed = 8;  // documents

// Whether a passage, or what stands above it, has every word, or another form of it.
bool speaks_of(const Hit& hit, const std::vector<std::string>& matter, Language language) {
  const std::string_view texts[] = {hit.text, hit.title, hit.heading_path};
  return speak_of(texts, matter, language);
}

Status list_about(Workspace& workspace, const Asked& asked, const std::string& text, Answer& answer) {
  const std::vector<std::string> matter = matter_of(text);
  if (matter.empty()) return {};
  SearchOptions search = asked.options.search;
  search.top_k = kSearched;
  MNEME_ASSIGN_OR_RETURN(SearchResult result, Retriever(workspace).search(text, search, asked.cancel));
  const Language language = language_of(asked.question);
  std::set<int64_t> documents;
  for (Hit& hit : result.hits) {
    if (!speaks_of(hit, matter, language) || !documents.insert(hit.document_id).second) continue;
    if (documents.size() <= kMostListed) add_listed_line(std::move(hit), {.matter = text}, answer);
  }
  if (documents.size() > kMostListed) {
    const bool more = result.hits.size() >= static_cast<size_t>(kSearched);
    answer.notes.push_back(
        note_for(asked.question, &NoteTexts::listed_about,
                 {{"n", std::to_string(kMostListed)}, {"all", std::to_string(documents.size()) + (more ? "+" : "")}}));
  }
  return {};
}

Status list_named(Workspace& workspace, const Asked& asked, const std::string& text, Answer& answer) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<DocumentRecord> documents, documents_called(workspace, asked, text));
  for (const DocumentRecord& document : documents) {
    if (answer.sources.size() >= kMostListed) break;
    MNEME_ASSIGN_OR_RETURN(const auto first, workspace.catalogue().document_chunks(document.id, 0, 0));
    if (!first.empty()) add_listed_line(hit_of(first.front(), document), {}, answer);
  }
  if (documents.size() > kMostListed) {
    answer.notes.push_back(note_for(asked.question, &NoteTexts::listed_dated,
                                    {{"n", std::to_string(kMostListed)}, {"all", std::to_string(documents.size())}}));
  }
  return {};
}

// "Minutes of the board (dated 2026-10-02) [n]"
Status list_dated(Workspace& workspace, const Asked& asked, const AskedDated& dated, Answer& answer) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<DatedDocument> documents, documents_dated(workspace, asked, dated));
  const size_t n = std::min(documents.size(), dated.only_one ? size_t{1} : kMostListed);
  bool by_file = false;
  for (size_t i = 0; i < n; ++i) {
    const auto& [document, date] = documents[i];
    by_file |= dated.by == AskedDated::By::kItsDate && date.from == DocumentDate::From::kChanged;
    MNEME_ASSIGN_OR_RETURN(const auto first, workspace.catalogue().document_chunks(document.id, 0, 0));
    const std::string when = " (" + note_for(asked.question, date_note(date.from), {{"date", date.text}}) + ")";
    if (!first.empty()) add_listed_line(hit_of(first.front(), document), {.when = when}, answer);
  }
  if (by_file) answer.notes.push_back(note_for(asked.question, &NoteTexts::by_file_date));
  if (!dated.only_one && n > 0 && (dated.counts || n < documents.size())) {
    answer.notes.push_back(note_for(
        asked.question, &NoteTexts::listed_dated,
        {{"n", std::to_string(n)}, {"all", number_for(asked.question, static_cast<int64_t>(documents.size()))}}));
  }
  return {};
}

// "/home/ann/papers, /home/ann/letters (+3)"
std::string folders_text(const std::vector<std::string>& roots) {
  std::string text;
  for (size_t i = 0; i < std::min(roots.size(), kMostListed); ++i) text += (i == 0 ? "" : ", ") + roots[i];
  if (roots.size() > kMostListed) text += " (+" + std::to_string(roots.size() - kMostListed) + ")";
  return text;
}

Status list_held(Workspace& workspace, const Asked& asked, Answer& answer) {
  const std::string& wanted = asked.options.search.collection;
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::CollectionStats> all, workspace.catalogue().stats());
  for (const storage::CollectionStats& one : all) {
    if (!wanted.empty() && one.collection.name != wanted) continue;
    MNEME_ASSIGN_OR_RETURN(const std::vector<std::string> roots, workspace.catalogue().roots(one.collection.id));
    answer.text +=
        (answer.text.empty() ? "" : "\n") + note_for(asked.question, &NoteTexts::held,
                                                     {{"collection", one.collection.name},
                                                      {"documents", number_for(asked.question, one.documents)},
                                                      {"passages", number_for(asked.question, one.chunks)},
                                                      {"folders", roots.empty() ? "-" : folders_text(roots)}});
  }
  return {};
}

}  // namespace

Result<bool> answer_by_listing(Workspace& workspace, const Asked& asked, Answer& answer) {
  const bool given = !asked.options.passages.empty() || !asked.options.context_files.empty();
  MNEME_ASSIGN_OR_RETURN(const std::optional<ListedDocument> listed, listed_document(workspace, asked));
  if (listed) return false;  // "show me the second document" of a list
  const AskedDated dated = given ? AskedDated() : asked_dated(asked.question, local_today());
  if (dated.is_asked) MNEME_RETURN_IF_ERROR(list_dated(workspace, asked, dated, answer));
  const AskedListing listing = given || !answer.text.empty() ? AskedListing() : asked_listing(asked.question);
  switch (listing.what) {
    case AskedListing::What::kNone: break;
    case AskedListing::What::kAbout: MNEME_RETURN_IF_ERROR(list_about(workspace, asked, listing.text, answer)); break;
    case AskedListing::What::kNamed: MNEME_RETURN_IF_ERROR(list_named(workspace, asked, listing.text, answer)); break;
    case AskedListing::What::kHeld: MNEME_RETURN_IF_ERROR(list_held(workspace, asked, answer)); break;
  }
  return !answer.text.empty();
}

}  // namespace mneme::rag

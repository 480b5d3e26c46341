#include "rag/answering/senders_answer.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rag/answering/listed_line.h"
#include "rag/answering/sources/asked_documents.h"
#include "rag/answering/sources/dated_documents.h"
#include "rag/answering/sources/letters.h"
#include "rag/answering/sources/matter_words.h"
#include "rag/retrieval/hit_list.h"
#include "rag/retrieval/retriever.h"
#include "rag/text/documents/asked_senders.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/notes.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

using storage::DocumentRecord;

constexpr int kSearched = 60;      // passages that are looked at
constexpr size_t kMostListed = 8;  // documents
constexpr std::array<std::string_view, 3> kMails = {"eml", "msg", "emlx"};

struct Sent {
  DocumentRecord document;
  std::string sender;
};
using AllSent = std::map<storage::DocumentId, Sent>;

bool is_mail(const DocumentRecord& document) {
  return std::find(kMails.begin(), kMails.end(), document.format) != kMails.end();
}

// "Ann Hale" of "Ann Hale <ann@hale.example>"; an address alone stays.
std::string name_of(std::string_view author) {
  const size_t address = author.find(" <");
  return std::string(address == std::string_view::npos || address == 0 ? author : author.substr(0, address));
}

Result<AllSent> all_sent(Workspace& workspace, const Asked& asked) {
  MNEME_ASSIGN_OR_RETURN(std::vector<DocumentRecord> documents, documents_of_question(workspace, asked));
  MNEME_ASSIGN_OR_RETURN(const std::vector<Letter> letters, letters_among(workspace, asked, documents));
  std::map<storage::DocumentId, std::string> senders;
  for (const Letter& letter : letters) senders[letter.document] = letter.sender;
  for (const DocumentRecord& document : documents) {
    if (is_mail(document)) senders[document.id] = name_of(document.author);
  }
  AllSent sent;
  for (DocumentRecord& document : documents) {
    const auto sender = senders.find(document.id);
    if (sender == senders.end() || sender->second.empty()) continue;
    const storage::DocumentId id = document.id;
    sent.emplace(id, Sent{std::move(document), sender->second});
  }
  return sent;
}

void add(Hit hit, const Sent& sent, std::string_view matter, const Asked& asked, Answer& answer) {
  const DocumentDate date = date_of(sent.document, AskedDated::By::kItsDate);
  const std::string when = " (" + note_for(asked.question, date_note(date.from), {{"date", date.text}}) + ")";
  const bool tells = date.from != DocumentDate::From::kChanged;
  add_listed_line(
      std::move(hit),
      {.sender = sent.sender, .when = tells ? std::string_view(when) : std::string_view(), .matter = matter}, answer);
}

Status list_about(Workspace& workspace, const Asked& asked, const std::string& matter, const AllSent& sent,
                  Answer& answer) {
  const MatterWords words(matter, language_of(asked.question));
  if (words.empty()) return {};
  SearchOptions search = asked.options.search;
  search.top_k = kSearched;
  MNEME_ASSIGN_OR_RETURN(SearchResult result, Retriever(workspace).search(matter, search, asked.cancel));
  std::set<storage::DocumentId> known;
  for (Hit& hit : result.hits) {
    const auto of = sent.find(storage::DocumentId{hit.document_id});
    if (of == sent.end() || answer.sources.size() >= kMostListed) continue;
    if (!words.are_in(hit.title + "\n" + hit.heading_path + "\n" + hit.text)) continue;
    if (known.insert(of->first).second) add(std::move(hit), of->second, matter, asked, answer);
  }
  return {};
}

Status list_newest(Workspace& workspace, const Asked& asked, const AllSent& sent, Answer& answer) {
  std::vector<const Sent*> newest;
  for (const auto& [id, one] : sent) newest.push_back(&one);
  const auto day = [](const Sent* one) { return date_of(one->document, AskedDated::By::kItsDate).day; };
  std::stable_sort(newest.begin(), newest.end(), [&](const Sent* a, const Sent* b) { return day(a) > day(b); });
  for (size_t i = 0; i < std::min(newest.size(), kMostListed); ++i) {
    MNEME_ASSIGN_OR_RETURN(const auto first, workspace.catalogue().document_chunks(newest[i]->document.id, 0, 0));
    if (!first.empty()) add(hit_of(first.front(), newest[i]->document), *newest[i], {}, asked, answer);
  }
  return {};
}

}  // namespace

Result<bool> answer_by_senders(Workspace& workspace, const Asked& asked, Answer& answer) {
  if (!asked.options.passages.empty() || !asked.options.context_files.empty()) return false;
  const AskedSenders wanted = asked_senders(asked.question);
  if (!wanted.is_asked) return false;
  MNEME_ASSIGN_OR_RETURN(const AllSent sent, all_sent(workspace, asked));
  MNEME_RETURN_IF_ERROR(wanted.matter.empty() ? list_newest(workspace, asked, sent, answer)
                                              : list_about(workspace, asked, wanted.matter, sent, answer));
  return !answer.text.empty();
}

}  // namespace mneme::rag

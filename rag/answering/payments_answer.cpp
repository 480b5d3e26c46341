#include "rag/answering/payments_answer.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rag/answering/bills_answer.h"
#include "rag/answering/payment_lines.h"
#include "rag/answering/sources/asked_documents.h"
#include "rag/answering/sources/dated_documents.h"
#include "rag/answering/sources/spoken_matter.h"
#include "rag/quoting/payment_tables.h"
#include "rag/retrieval/hit_list.h"
#include "rag/text/asked/payments.h"
#include "rag/text/documents/document_names.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/languages/notes.h"
#include "rag/text/words/words.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

constexpr std::array<std::string_view, 5> kTables = {"csv", "statement", "xlsx", "xls", "ods"};
constexpr size_t kMostPassages = 4000;  // some seconds; more are not half added up
constexpr size_t kMostShown = 8;        // rows

using What = AskedPayments::What;

bool compares(const AskedPayments& wanted) {
  return wanted.what == What::kMost || wanted.what == What::kLeast;
}

// A document's passages with what they say. Outlines borrow hits and contexts.
struct ReadDocument {
  std::vector<Hit> hits;
  std::vector<std::string> contexts;
  std::vector<PassageOutline> outlines;
};

struct FoundRow {
  const ReadDocument* document = nullptr;
  PaymentRow row;
  DecimalSign sign = DecimalSign::kPoint;
  int64_t hundredths = 0;  // as it is asked for: above zero

  const PassageOutline& outline() const { return document->outlines[row.outline]; }
  const Hit& hit() const { return document->hits[row.outline]; }
  auto day_and_sum() const { return std::tuple(row.day, row.currency, hundredths); }
};

struct FoundRows {
  std::vector<std::unique_ptr<ReadDocument>> documents;
  std::vector<FoundRow> rows;
  size_t n_counted_once = 0;
};

Result<std::vector<storage::DocumentRecord>> table_documents(Workspace& workspace, const Asked& asked) {
  MNEME_ASSIGN_OR_RETURN(std::vector<storage::DocumentRecord> all, documents_of_question(workspace, asked));
  std::erase_if(all, [](const storage::DocumentRecord& document) {
    return std::find(kTables.begin(), kTables.end(), document.format) == kTables.end();
  });
  return all;
}

Result<std::unique_ptr<ReadDocument>> read(Workspace& workspace, const storage::DocumentRecord& document) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ChunkRecord> chunks,
                         workspace.catalogue().document_chunks(document.id));
  auto read = std::make_unique<ReadDocument>();
  for (const storage::ChunkRecord& chunk : chunks) read->hits.push_back(hit_of(chunk, document));
  for (const Hit& hit : read->hits)
    read->contexts.push_back(called_by_path(hit.document, hit.names) + "\n" + hit.title + "\n" + hit.heading_path);
  for (size_t i = 0; i < read->hits.size(); ++i) {
    const Hit& hit = read->hits[i];
    read->outlines.emplace_back(hit.text, read->contexts[i], hit.title, hit.form, document.format == "csv");
  }
  return read;
}

// "Income 2031", where nothing in the rows tells.
bool is_called_received(const Hit& hit) {
  const std::vector<std::string> told = words_of(hit.title + " " + std::filesystem::path(hit.document).stem().string());
  const auto received = words_of_all([](const LanguageFacts& facts) { return facts.payments.received_columns; });
  return std::any_of(told.begin(), told.end(), [&](const std::string& word) { return received.contains(word); });
}

// A row as the question asks for it: nothing of what goes the other way.
int64_t as_asked(const PaymentRow& row, const PaymentTable& table, const Hit& hit, bool received) {
  if (table.tells_direction) return received ? row.hundredths : -row.hundredths;
  return is_called_received(hit) == received ? row.hundredths : 0;
}

// What is asked for, of one document.
class RowChoice {
 public:
  RowChoice(const AskedPayments& wanted, std::string_view question)
      : wanted_(wanted), matter_(matter_of(wanted.topic)), language_(language_of(question)) {}

  void choose(const ReadDocument& document, std::vector<FoundRow>& rows) const {
    for (PaymentTable& table : payment_tables(document.outlines)) {
      for (PaymentRow& row : table.rows) {
        const Hit& hit = document.hits[row.outline];
        const int64_t hundredths = as_asked(row, table, hit, wanted_.received);
        const bool then = !wanted_.period || wanted_.period->holds(row.day);
        if (hundredths > 0 && then && tells_of_matter(document.outlines[row.outline], row, hit))
          rows.push_back({&document, std::move(row), table.sign, hundredths});
      }
    }
  }

 private:
  bool tells_of_matter(const PassageOutline& outline, const PaymentRow& row, const Hit& hit) const {
    if (matter_.empty()) return true;
    const std::string file = std::filesystem::path(hit.document).stem().string();
    const std::string_view texts[] = {outline.parts()[row.part].raw, hit.title, hit.names, file};
    return speak_of(texts, matter_, language_);
  }

  const AskedPayments& wanted_;
  const std::vector<std::string> matter_;
  const Language language_;
};

// Statements of one account overlap: what several documents tell alike is one payment, as often as the one that tells
// it most often.
void count_once(FoundRows& found) {
  using Key = decltype(std::declval<FoundRow>().day_and_sum());
  std::map<Key, std::map<const ReadDocument*, size_t>> times;
  for (const FoundRow& row : found.rows) ++times[row.day_and_sum()][row.document];
  std::map<Key, const ReadDocument*> tells;
  for (const auto& [key, documents] : times) {
    tells[key] = std::max_element(documents.begin(), documents.end(), [](const auto& a, const auto& b) {
                   return a.second < b.second;
                 })->first;
  }
  found.n_counted_once =
      std::erase_if(found.rows, [&](const FoundRow& row) { return tells[row.day_and_sum()] != row.document; });
}

Result<FoundRows> find_rows(Workspace& workspace, const Asked& asked, const AskedPayments& wanted) {
  FoundRows found;
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::DocumentRecord> documents, table_documents(workspace, asked));
  int64_t n_passages = 0;
  for (const storage::DocumentRecord& document : documents) n_passages += document.n_chunks;
  if (n_passages > static_cast<int64_t>(kMostPassages)) return found;
  const RowChoice choice(wanted, asked.question);
  for (const storage::DocumentRecord& document : documents) {
    if (asked.cancel.cancelled()) return cancelled();
    MNEME_ASSIGN_OR_RETURN(std::unique_ptr<ReadDocument> one, read(workspace, document));
    const size_t n_before = found.rows.size();
    choice.choose(*one, found.rows);
    if (found.rows.size() > n_before) found.documents.push_back(std::move(one));
  }
  count_once(found);
  std::stable_sort(found.rows.begin(), found.rows.end(), [&](const FoundRow& a, const FoundRow& b) {
    if (wanted.what == What::kMost) return a.hundredths > b.hundredths;
    if (wanted.what == What::kLeast) return a.hundredths < b.hundredths;
    return a.row.day < b.row.day;
  });
  return found;
}

std::string reckoned_line(const std::vector<const FoundRow*>& rows, const AskedPayments& wanted) {
  std::vector<Payment> payments;
  payments.reserve(rows.size());
  for (const FoundRow* row : rows) payments.push_back({row->row.day, row->hundredths});
  const PaymentForm form{rows.front()->sign, rows.front()->row.currency};
  return wanted.what == What::kAverage ? average_line(payments, wanted.each, form) : sum_line(payments, form);
}

class PaymentsText {
 public:
  explicit PaymentsText(Answer& answer) : answer_(answer) {}

  void write(const FoundRows& found, const AskedPayments& wanted) {
    if (!compares(wanted)) write_reckoned(found, wanted);
    for (size_t i = 0; i < std::min(found.rows.size(), kMostShown); ++i) {
      const FoundRow& row = found.rows[i];
      add(row.outline().text_of(row.row.part) + " [" + std::to_string(source_of(row)) + "]");
    }
  }

 private:
  void write_reckoned(const FoundRows& found, const AskedPayments& wanted) {
    std::map<std::string, std::vector<const FoundRow*>> by_currency;
    for (const FoundRow& row : found.rows) by_currency[row.row.currency].push_back(&row);
    for (const auto& [currency, rows] : by_currency) {
      std::set<int> numbers;
      for (const FoundRow* row : rows) numbers.insert(source_of(*row));
      std::string line = reckoned_line(rows, wanted) + " ";
      for (const int n : numbers) line += "[" + std::to_string(n) + "]";
      add(line);
    }
  }

  void add(const std::string& line) { answer_.text += (answer_.text.empty() ? "" : "\n") + line; }

  // The number of its passage, which is a source from now on, with the row marked.
  int source_of(const FoundRow& row) {
    int& n = numbers_[&row.hit()];
    if (n == 0) {
      n = static_cast<int>(answer_.sources.size()) + 1;
      Hit hit = row.hit();
      hit.rank = n;
      answer_.sources.push_back({n, std::move(hit), true, true});
    }
    if (marked_.insert(&row).second) {
      const Sentence& span = row.outline().parts()[row.row.part].span;
      answer_.sources[static_cast<size_t>(n - 1)].quotes.push_back({span.byte_begin, span.byte_end});
    }
    return n;
  }

  Answer& answer_;
  std::map<const Hit*, int> numbers_;
  std::set<const FoundRow*> marked_;
};

}  // namespace

Result<bool> answer_by_payments(Workspace& workspace, const Asked& asked, Answer& answer) {
  if (!asked.options.passages.empty() || !asked.options.context_files.empty()) return false;
  const AskedPayments wanted = asked_payments(asked.question, local_today());
  if (!wanted.is_asked) return false;
  MNEME_ASSIGN_OR_RETURN(const FoundRows found, find_rows(workspace, asked, wanted));
  if (found.rows.empty()) return wanted.may_be_price ? false : answer_by_bills(workspace, asked, wanted, answer);
  PaymentsText(answer).write(found, wanted);
  const auto note = [&](Note text, size_t n) {
    answer.notes.push_back(
        note_for(asked.question, text, {{"n", number_for(asked.question, static_cast<int64_t>(n))}}));
  };
  note(compares(wanted)                ? &NoteTexts::payments_compared
       : wanted.what == What::kAverage ? &NoteTexts::payments_averaged
                                       : &NoteTexts::rows_added_up,
       found.rows.size());
  if (found.n_counted_once > 0) note(&NoteTexts::rows_counted_once, found.n_counted_once);
  return true;
}

}  // namespace mneme::rag

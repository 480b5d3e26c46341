#include "rag/answering/bills_answer.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "rag/answering/payment_lines.h"
#include "rag/answering/sources/asked_documents.h"
#include "rag/answering/sources/dated_documents.h"
#include "rag/answering/sources/matter_words.h"
#include "rag/quoting/bills.h"
#include "rag/retrieval/hit_list.h"
#include "rag/text/documents/document_kinds.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/notes.h"
#include "rag/text/words/words.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

using storage::DocumentRecord;

constexpr std::array<std::string_view, 8> kFormats = {"text", "markdown", "pdf", "docx", "odt", "doc", "rtf", "html"};
constexpr size_t kMostDocuments = 5000;
constexpr uint64_t kMostBytes = 24'000;  // of a bill
constexpr size_t kHeadLines = 4;         // who sends it, and what it is of
constexpr size_t kMostShown = 8;

struct FoundBill {
  Hit hit;
  BillLine line;
  DecimalSign sign = DecimalSign::kPoint;
  Payment payment;
  auto day_and_sum() const { return std::tuple(payment.day, payment.hundredths); }
};

bool may_be_bill(const DocumentRecord& document) {
  return document.text_bytes <= kMostBytes &&
         std::find(kFormats.begin(), kFormats.end(), document.format) != kFormats.end();
}

// Above the first line that tells a sum.
std::string_view head_of(std::string_view text, const Bill& bill) {
  if (bill.total.passage == 0) text = text.substr(0, bill.total.byte_begin);
  if (!bill.positions.empty() && bill.positions.front().passage == 0)
    text = text.substr(0, bill.positions.front().byte_begin);
  size_t end = 0;
  for (size_t n = 0; n < kHeadLines && end < text.size(); ++n)
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  return text.substr(0, end);
}

// "Kostenvoranschlag": nobody has paid that yet; a payslip tells what was received.
bool is_other_kind(std::string_view names) {
  const std::vector<std::string> words = words_of(names);
  for (const std::string_view kind : {"offer", "payslip"}) {
    for (const std::string_view alike : kinds_alike(kind)) {
      if (std::find(words.begin(), words.end(), alike) != words.end()) return true;
    }
  }
  return false;
}

std::string names_of(const DocumentRecord& document) {
  return std::filesystem::path(document.path).stem().string() + "\n" + document.title + "\n" + document.names;
}

// What of a bill is asked for: its total, or some of its positions.
std::vector<BillLine> lines_asked_for(Bill bill, std::string_view head, const MatterWords& matter) {
  if (matter.are_in(head)) return {std::move(bill.total)};
  std::vector<BillLine> lines;
  for (BillLine& line : bill.positions) {
    if (matter.are_in(line.label)) lines.push_back(std::move(line));
  }
  return lines;
}

class BillFinder {
 public:
  BillFinder(Workspace& workspace, const Asked& asked, const AskedPayments& wanted)
      : workspace_(workspace), asked_(asked), wanted_(wanted), matter_(wanted.topic, language_of(asked.question)) {}

  Result<std::vector<FoundBill>> find() {
    std::vector<FoundBill> found;
    MNEME_ASSIGN_OR_RETURN(const std::vector<DocumentRecord> documents, documents_of_question(workspace_, asked_));
    if (documents.size() > kMostDocuments || matter_.empty()) return found;
    for (const DocumentRecord& document : documents) {
      if (asked_.cancel.cancelled()) return cancelled();
      if (may_be_bill(document)) MNEME_RETURN_IF_ERROR(look_at(document, found));
    }
    std::set<std::tuple<std::chrono::sys_days, int64_t>> known;  // copies
    std::erase_if(found, [&](const FoundBill& bill) { return !known.insert(bill.day_and_sum()).second; });
    return found;
  }

 private:
  Status look_at(const DocumentRecord& document, std::vector<FoundBill>& found) {
    MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ChunkRecord> chunks,
                           workspace_.catalogue().document_chunks(document.id));
    std::vector<std::string_view> texts;
    texts.reserve(chunks.size());
    for (const storage::ChunkRecord& chunk : chunks) texts.emplace_back(chunk.text);
    std::optional<Bill> bill = bill_in(texts);
    if (!bill) return {};
    const std::string head = names_of(document) + "\n" + std::string(head_of(texts.front(), *bill));
    if (is_other_kind(head)) return {};
    const std::optional<std::chrono::sys_days> day = day_of(*bill, document);
    if (!day || (wanted_.period && !wanted_.period->holds(*day))) return {};
    const DecimalSign sign = bill->sign;
    const std::string currency = bill->total.currency;
    for (BillLine& line : lines_asked_for(*std::move(bill), head, matter_)) {
      if (line.currency.empty()) line.currency = currency;
      const Payment payment{*day, line.hundredths};
      Hit hit = hit_of(chunks[line.passage], document);
      found.push_back({std::move(hit), std::move(line), sign, payment});
    }
    return {};
  }

  // What it tells itself, or its file's name.
  static std::optional<std::chrono::sys_days> day_of(const Bill& bill, const DocumentRecord& document) {
    if (bill.day) return bill.day;
    const DocumentDate date = date_of(document, AskedDated::By::kItsDate);
    return date.from == DocumentDate::From::kChanged ? std::nullopt : std::optional(date.day);
  }

  Workspace& workspace_;
  const Asked& asked_;
  const AskedPayments& wanted_;
  const MatterWords matter_;
};

std::string called(const Hit& hit) {
  return hit.title.empty() ? std::filesystem::path(hit.document).filename().string() : hit.title;
}

// The number of the source that a bill becomes, with its line marked.
int add_source(const FoundBill& bill, Answer& answer) {
  for (Citation& known : answer.sources) {
    if (known.source.chunk_row != bill.hit.chunk_row) continue;
    known.quotes.push_back({bill.line.byte_begin, bill.line.byte_end});
    return known.n;
  }
  const int n = static_cast<int>(answer.sources.size()) + 1;
  Citation citation{n, bill.hit, true, true};
  citation.source.rank = n;
  citation.quotes.push_back({bill.line.byte_begin, bill.line.byte_end});
  answer.sources.push_back(std::move(citation));
  return n;
}

void add_text(const std::string& line, Answer& answer) {
  answer.text += (answer.text.empty() ? "" : "\n") + line;
}

void add_bill(const FoundBill& bill, Answer& answer) {
  const PaymentForm form{bill.sign, bill.line.currency};
  const Payment payment[] = {bill.payment};
  const int n = add_source(bill, answer);
  add_text(called(bill.hit) + ": " + bill.line.label + ": " + sum_line(payment, form) + " [" + std::to_string(n) + "]",
           answer);
}

// The sums or averages, one for each currency.
void add_reckoned(std::span<const FoundBill> bills, const AskedPayments& wanted, Answer& answer) {
  std::map<std::string, std::vector<const FoundBill*>> by_currency;
  for (const FoundBill& bill : bills) by_currency[folded_text(bill.line.currency)].push_back(&bill);
  for (const auto& [key, some] : by_currency) {
    std::vector<Payment> payments;
    payments.reserve(some.size());
    std::set<int> numbers;
    for (const FoundBill* bill : some) {
      payments.push_back(bill->payment);
      numbers.insert(add_source(*bill, answer));
    }
    const PaymentForm form{some.front()->sign, some.front()->line.currency};
    std::string line = wanted.what == AskedPayments::What::kAverage ? average_line(payments, wanted.each, form)
                                                                    : sum_line(payments, form);
    line += " ";
    for (const int n : numbers) line += "[" + std::to_string(n) + "]";
    add_text(line, answer);
  }
}

void order(std::vector<FoundBill>& bills, AskedPayments::What what) {
  std::stable_sort(bills.begin(), bills.end(), [&](const FoundBill& a, const FoundBill& b) {
    if (what == AskedPayments::What::kMost) return a.payment.hundredths > b.payment.hundredths;
    if (what == AskedPayments::What::kLeast) return a.payment.hundredths < b.payment.hundredths;
    return a.payment.day < b.payment.day;
  });
}

}  // namespace

Result<bool> answer_by_bills(Workspace& workspace, const Asked& asked, const AskedPayments& wanted, Answer& answer) {
  using What = AskedPayments::What;
  if (wanted.received || wanted.topic.empty()) return false;
  MNEME_ASSIGN_OR_RETURN(std::vector<FoundBill> bills, BillFinder(workspace, asked, wanted).find());
  if (bills.empty()) return false;
  order(bills, wanted.what);
  const bool compares = wanted.what == What::kMost || wanted.what == What::kLeast;
  const bool is_line = bills.size() == 1 && wanted.what == What::kSum;  // says all of it
  if (!compares && !is_line) add_reckoned(bills, wanted, answer);
  for (size_t i = 0; i < std::min(bills.size(), kMostShown); ++i) add_bill(bills[i], answer);
  const Note note = compares ? &NoteTexts::payments_compared : &NoteTexts::bills_added_up;
  answer.notes.push_back(
      note_for(asked.question, note, {{"n", number_for(asked.question, static_cast<int64_t>(bills.size()))}}));
  return true;
}

}  // namespace mneme::rag

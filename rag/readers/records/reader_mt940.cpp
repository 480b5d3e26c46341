// MT940, the statement of an account that banks send over SWIFT: fields between colons, each on lines of its own.
#include <string>
#include <utility>

#include "base/ascii.h"
#include "rag/readers/records/record_readers.h"
#include "rag/readers/records/statement_table.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

size_t digits_at(std::string_view text, size_t at) {
  size_t n = 0;
  while (at + n < text.size() && is_digit(text[at + n])) ++n;
  return n;
}

// "1200,00" to "1200.00".
std::string with_point(std::string_view amount) {
  std::string told(amount);
  for (char& c : told) c = c == ',' ? '.' : c;
  if (told.ends_with('.')) told += "00";
  return told;
}

class Mt940Reader {
 public:
  Mt940Reader(std::string_view text, StatementTable& table) : text_(text), table_(table) {}

  bool read() {
    LineCursor lines(text_);
    Line line;
    while (lines.next(line)) {
      constexpr size_t kLongestName = 4;  // with its colon
      const size_t colon = line.text.starts_with(':') ? line.text.find(':', 1) : line.text.npos;
      if (colon <= kLongestName) {
        finish_field();
        field_ = line.text.substr(1, colon - 1);
        value_ = line.text.substr(colon + 1);
        line_begin_ = line.number;
      } else if (line.text.starts_with('-') || line.text.starts_with('{')) {
        finish_field();
      } else if (!field_.empty()) {
        value_.append("\n").append(line.text);
      }
      line_end_ = line.number;
    }
    finish_field();
    finish_payment();
    return !table_.empty();
  }

 private:
  void finish_field() {
    if (field_ == "25") {
      finish_payment();
      table_.begin_account(value_);
    } else if (field_.starts_with("60")) {
      currency_ = value_.size() > 10 ? value_.substr(7, 3) : std::string();
    } else if (field_ == "61") {
      finish_payment();
      take_payment();
    } else if (field_ == "86" && payment_.line_begin > 0) {
      take_purpose();
      payment_.line_end = line_end_;
    } else if (field_.starts_with("62")) {
      finish_payment();
      if (value_.size() > 10)
        table_.add_balance(day_of(value_.substr(1)), with_point(value_.substr(10)) + " " + currency_);
    }
    field_.clear();
  }

  // Day (and day of booking), debit or credit, amount, kind, reference.
  void take_payment() {
    payment_ = {.day = day_of(value_), .line_begin = line_begin_, .line_end = line_end_};
    size_t at = 6;
    if (digits_at(value_, at) >= 4) at += 4;
    const bool reversed = at < value_.size() && value_[at] == 'R';
    at += reversed;
    const bool paid = at < value_.size() && (value_[at] == 'D') != reversed;
    ++at;
    if (at < value_.size() && !is_digit(value_[at])) ++at;  // the currency's last letter
    const size_t end = std::min(value_.find_first_not_of("0123456789,", at), value_.size());
    payment_.amount =
        (paid ? "-" : "") +
        with_point(std::string_view(value_).substr(std::min(at, value_.size()), end - std::min(at, end))) + " " +
        currency_;
  }

  // German banks part it by "?20" and the like: 20 to 29 and 60 to 63 the purpose, 32 and 33 the name.
  void take_purpose() {
    if (digits_at(value_, 0) != 3 || value_.size() < 5 || value_[3] != '?') {
      payment_.purpose = value_;
      return;
    }
    std::string joined;
    for (const char c : value_) {
      if (c != '\n' && c != '\r') joined += c;
    }
    for (size_t at = joined.find('?'); at != joined.npos && at + 3 <= joined.size();) {
      const size_t next = std::min(joined.find('?', at + 1), joined.size());
      const std::string_view kind = std::string_view(joined).substr(at + 1, 2);
      const std::string_view part = std::string_view(joined).substr(at + 3, next - at - 3);
      if (kind == "32" || kind == "33") payment_.payee += part;
      if (kind[0] == '2' || kind[0] == '6') payment_.purpose += part;
      at = next == joined.size() ? joined.npos : next;
    }
  }

  static std::string day_of(std::string_view value) { return day_of_digits("20" + std::string(value.substr(0, 6))); }

  void finish_payment() {
    if (payment_.line_begin > 0) table_.add(payment_);
    payment_ = {};
  }

  std::string_view text_;
  StatementTable& table_;
  Payment payment_;
  std::string field_;
  std::string value_;
  std::string currency_;
  int line_begin_ = 0;
  int line_end_ = 0;
};

}  // namespace

bool looks_like_mt940(std::string_view beginning) {
  const std::string_view head = beginning.substr(0, 2048);
  const bool begins = head.starts_with(":20:") || head.find("\n:20:") != head.npos;
  return begins && head.find("\n:25:") != head.npos && head.find("\n:60") != head.npos;
}

Status read_mt940(ReadContext& context, Input input) {
  auto decoded = decode_text(std::move(input.bytes));
  if (!decoded.ok()) return decoded.status().with_context(printable(input.name) + ": ");
  StatementTable table(context.limits().text_bytes);
  if (!Mt940Reader(decoded->text, table).read()) {
    return unsupported(printable(input.name) + " is a statement without payments.");
  }
  return context.emit(input.name, table.take());
}

}  // namespace mneme::readers

// QIF, what Quicken and programs after it export: a letter at the beginning of each line says what it is, "^" ends a
// payment.
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/records/record_readers.h"
#include "rag/readers/records/statement_table.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

// "3/12'26" and "12.03.2026": the order is told by the whole file, as a 13th month is none.
struct WrittenDay {
  int first = 0;
  int second = 0;
  int year = 0;
  bool with_points = false;  // as only those write who put the day first
};

std::vector<int> numbers_in(std::string_view text) {
  std::vector<int> numbers;
  for (size_t at = 0; at < text.size() && numbers.size() < 4;) {
    if (!is_digit(text[at])) {
      ++at;
      continue;
    }
    int number = 0;
    for (; at < text.size() && is_digit(text[at]) && number < 100'000; ++at) number = number * 10 + (text[at] - '0');
    numbers.push_back(number);
  }
  return numbers;
}

bool parse_day(std::string_view text, WrittenDay& day) {
  const std::vector<int> numbers = numbers_in(text);
  if (numbers.size() != 3) return false;
  day = {.first = numbers[0], .second = numbers[1], .year = numbers[2], .with_points = text.find('.') != text.npos};
  if (day.first > 31) day = {.first = numbers[1], .second = numbers[2], .year = numbers[0]};  // the year comes first
  if (day.year < 100) day.year += text.find('\'') != text.npos || day.year < 70 ? 2000 : 1900;
  return true;
}

class QifReader {
 public:
  QifReader(std::string_view text, StatementTable& table)
      : text_(text), table_(table), day_first_(is_day_first(text)) {}

  bool read() {
    LineCursor lines(text_);
    Line line;
    while (lines.next(line)) {
      if (!line.blank()) take(line);
    }
    finish();
    return !table_.empty();
  }

 private:
  static bool is_day_first(std::string_view text) {
    bool points = false;
    LineCursor lines(text);
    Line line;
    while (lines.next(line)) {
      WrittenDay day;
      if (!line.text.starts_with('D') || !parse_day(line.text.substr(1), day)) continue;
      points = points || day.with_points;
      if (day.first > 12) return true;
      if (day.second > 12) return false;
    }
    return points;
  }

  void take(const Line& line) {
    const std::string value(trim(line.text.substr(1)));
    if (line.text[0] == '!') return begin_section(value);
    if (in_list_ && line.text[0] != '^') {
      if (line.text[0] == 'N' && in_account_) table_.begin_account(value);
      return;
    }
    if (payment_.line_begin == 0) payment_.line_begin = line.number;
    payment_.line_end = line.number;
    switch (line.text[0]) {
      case 'D': payment_.day = told(value); break;
      case 'T':
      case 'U': payment_.amount = value; break;
      case 'P': payment_.payee = value; break;
      case 'M':
      case 'L':
      case 'Y':
      case 'N':
      case 'S':  // of a part of it
      case 'E': add_purpose(value); break;
      case '^': finish(); break;
      default: break;
    }
  }

  // Lists of accounts, categories and securities stand among the payments.
  void begin_section(const std::string& name) {
    const std::string lower = lower_ascii(name);
    in_account_ = lower.starts_with("account");
    in_list_ = in_account_ || lower.starts_with("type:cat") || lower.starts_with("type:class") ||
               lower.starts_with("type:memorized") || lower.starts_with("type:security") ||
               lower.starts_with("type:prices");
    payment_ = {};
  }

  void add_purpose(const std::string& value) {
    if (!value.empty()) payment_.purpose.append(payment_.purpose.empty() ? "" : ", ").append(value);
  }

  std::string told(const std::string& value) const {
    WrittenDay day;
    if (!parse_day(value, day)) return value;
    const int month = day_first_ ? day.second : day.first;
    const int of_month = day_first_ ? day.first : day.second;
    const auto two = [](int number) { return (number < 10 ? "0" : "") + std::to_string(number); };
    const std::string iso = iso_date(std::to_string(day.year) + "-" + two(month) + "-" + two(of_month));
    return iso.empty() ? value : iso;
  }

  void finish() {
    if (!in_list_) table_.add(payment_);
    payment_ = {};
  }

  std::string_view text_;
  StatementTable& table_;
  Payment payment_;
  const bool day_first_;
  bool in_list_ = false;
  bool in_account_ = false;
};

}  // namespace

bool looks_like_qif(std::string_view beginning) {
  const std::string head = lower_ascii(trim(beginning.substr(bom_length(beginning), 256)));
  return head.starts_with("!type:") || head.starts_with("!account") || head.starts_with("!option:");
}

Status read_qif(ReadContext& context, Input input) {
  auto decoded = decode_text(std::move(input.bytes));
  if (!decoded.ok()) return decoded.status().with_context(printable(input.name) + ": ");
  StatementTable table(context.limits().text_bytes);
  if (!QifReader(decoded->text, table).read()) {
    return unsupported(printable(input.name) + " is a statement without payments.");
  }
  return context.emit(input.name, table.take());
}

}  // namespace mneme::readers

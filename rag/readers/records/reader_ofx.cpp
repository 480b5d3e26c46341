// OFX and QFX, what banks give to programs for money. That of before 2000 is SGML whose values nobody closes; both are
// read by their tags, each with what stands behind it.
#include <string>
#include <utility>

#include "base/ascii.h"
#include "rag/readers/markup/html_text.h"
#include "rag/readers/pdf/xml_entities.h"
#include "rag/readers/records/record_readers.h"
#include "rag/readers/records/statement_table.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

class OfxReader {
 public:
  OfxReader(std::string_view text, StatementTable& table) : text_(text), table_(table) {}

  bool read() {
    size_t at = 0;
    for (size_t open = text_.find('<'); open != text_.npos; open = text_.find('<', at)) {
      const size_t close = text_.find('>', open);
      if (close == text_.npos) break;
      line_ += static_cast<int>(
          std::count(text_.begin() + static_cast<ptrdiff_t>(at), text_.begin() + static_cast<ptrdiff_t>(close), '\n'));
      at = close + 1;
      const std::string_view value = trim(text_.substr(at, std::min(text_.find('<', at), text_.size()) - at));
      take(upper(text_.substr(open + 1, close - open - 1)), decode_entities(value));
    }
    return !table_.empty();
  }

 private:
  static std::string upper(std::string_view tag) {
    std::string name(trim(tag));
    for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return name;
  }

  void take(const std::string& tag, const std::string& value) {
    if (tag == "CURDEF") currency_ = value;
    if (tag == "ACCTID") table_.begin_account(value);
    if (tag == "STMTTRN") payment_ = {.line_begin = line_};
    if (tag == "DTPOSTED") payment_.day = day_of_digits(value);
    if (tag == "NAME" || tag == "PAYEE") payment_.payee = value;
    if (tag == "MEMO" || tag == "CHECKNUM") add_purpose(value);
    if (tag == "TRNAMT") payment_.amount = with_currency(value);
    if (tag == "/STMTTRN") {
      payment_.line_end = line_;
      table_.add(std::exchange(payment_, {}));
    }
    if (tag == "BALAMT") balance_ = with_currency(value);
    if (tag == "DTASOF") table_.add_balance(day_of_digits(value), std::exchange(balance_, {}));
  }

  void add_purpose(const std::string& value) {
    if (value.empty() || value == payment_.payee) return;
    payment_.purpose.append(payment_.purpose.empty() ? "" : ", ").append(value);
  }

  std::string with_currency(const std::string& amount) const {
    return amount.empty() || currency_.empty() ? amount : amount + " " + currency_;
  }

  std::string_view text_;
  StatementTable& table_;
  Payment payment_;
  std::string currency_;
  std::string balance_;
  int line_ = 1;
};

}  // namespace

bool looks_like_ofx(std::string_view beginning) {
  const std::string head = lower_ascii(beginning.substr(0, 2048));
  return head.find("<ofx>") != head.npos &&
         (head.find("ofxheader") != head.npos || head.find("<signonmsgsrs") != head.npos);
}

Status read_ofx(ReadContext& context, Input input) {
  auto decoded = decode_text(std::move(input.bytes));
  if (!decoded.ok()) return decoded.status().with_context(printable(input.name) + ": ");
  StatementTable table(context.limits().text_bytes);
  if (!OfxReader(decoded->text, table).read()) {
    return unsupported(printable(input.name) + " is a statement without payments.");
  }
  return context.emit(input.name, table.take());
}

}  // namespace mneme::readers

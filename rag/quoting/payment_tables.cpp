#include "rag/quoting/payment_tables.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "rag/text/languages/language_facts.h"
#include "rag/text/quantities/cell_days.h"
#include "rag/text/quantities/money.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kMostColumns = 32;

struct RawRow {
  size_t outline = 0;
  size_t part = 0;
  std::vector<std::string> cells;
};

// Rows under the same names of columns.
struct RawTable {
  std::string head;
  std::vector<std::string> names;
  std::vector<RawRow> rows;
};

std::vector<RawTable> raw_tables(std::span<const PassageOutline> outlines) {
  std::vector<RawTable> tables;
  for (size_t i = 0; i < outlines.size(); ++i) {
    const std::vector<OutlinePart>& parts = outlines[i].parts();
    for (size_t p = 0; p < parts.size(); ++p) {
      if (parts[p].span.kind != SentenceKind::kRow) continue;
      const std::string_view head = outlines[i].head_of(parts[p]);
      if (tables.empty() || tables.back().head != head)
        tables.push_back({std::string(head), outlines[i].column_names_of(parts[p]), {}});
      tables.back().rows.push_back({i, p, outlines[i].cells_of(parts[p])});
    }
  }
  return tables;
}

bool names_column(std::string_view name, WordList PaymentWords::* list) {
  for (const LanguageFacts* facts : all_languages()) {
    bool found = false;
    for_each_part(facts->payments.*list, " ", [&](std::string_view word) {
      const std::string wanted = folded_text(word);
      for (const std::string& told : words_of(name)) found |= told == wanted;
      found |= written_without_spaces(word) && name.find(word) != std::string_view::npos;
    });
    if (found) return true;
  }
  return false;
}

// Columns of one table, read as days or as sums.
class Columns {
 public:
  explicit Columns(const RawTable& table) : table_(table) {
    for (const RawRow& row : table.rows) n_columns_ = std::max(n_columns_, row.cells.size());
    n_columns_ = std::min(n_columns_, kMostColumns);
    find_days();
    if (day_column_) find_amounts();
  }

  std::optional<PaymentTable> read() const {
    if (!day_column_ || amount_columns_.empty()) return std::nullopt;
    PaymentTable table;
    table.sign = sign_;
    for (size_t r = 0; r < table_.rows.size(); ++r) {
      if (!days_[r]) continue;
      if (std::optional<PaymentRow> row = payment(r)) table.rows.push_back(*std::move(row));
    }
    table.tells_direction =
        amount_columns_.size() > 1 ||
        std::any_of(table.rows.begin(), table.rows.end(), [](const PaymentRow& row) { return row.hundredths < 0; });
    return table.rows.empty() ? std::nullopt : std::optional(std::move(table));
  }

 private:
  std::string_view cell(size_t row, size_t column) const {
    const std::vector<std::string>& cells = table_.rows[row].cells;
    return column < cells.size() ? std::string_view(cells[column]) : std::string_view();
  }
  std::string_view name(size_t column) const {
    return column < table_.names.size() ? std::string_view(table_.names[column]) : std::string_view();
  }

  // The first column in which most rows tell a day.
  void find_days() {
    const size_t n_rows = table_.rows.size();
    for (size_t c = 0; c < n_columns_ && !day_column_; ++c) {
      std::vector<std::string_view> column;
      for (size_t r = 0; r < n_rows; ++r) column.push_back(cell(r, c));
      const DayOrder order = day_order_of(column);
      days_.clear();
      for (const std::string_view text : column) days_.push_back(day_in_cell(text, order));
      const auto told = std::count_if(days_.begin(), days_.end(), [](const auto& day) { return day.has_value(); });
      if (static_cast<size_t>(told) * 2 > n_rows) day_column_ = c;
    }
  }

  // Whether all cells of the rows that tell a day are sums, where they are anything, and some are.
  bool holds_amounts(size_t column) const {
    bool shows_money = names_column(name(column), &PaymentWords::amount_columns) ||
                       names_column(name(column), &PaymentWords::received_columns);
    bool any = false;
    for (size_t r = 0; r < table_.rows.size(); ++r) {
      const std::string_view text = cell(r, column);
      if (!days_[r] || text.empty()) continue;
      const std::optional<Amount> amount = amount_in_cell(text, sign_);
      if (!amount) return false;
      any = true;
      shows_money |= !amount->currency.empty() || decimal_sign_shown(text).has_value();
    }
    return any && shows_money;
  }

  void find_amounts() {
    find_sign();
    std::vector<size_t> found;
    for (size_t c = 0; c < n_columns_; ++c) {
      const bool may_be = c != *day_column_ && !names_column(name(c), &PaymentWords::balance_columns);
      if (may_be && holds_amounts(c)) found.push_back(c);
    }
    const auto named = [&](WordList PaymentWords::* list) {
      std::vector<size_t> some;
      for (const size_t c : found) {
        if (names_column(name(c), list)) some.push_back(c);
      }
      return some;
    };
    if (found.size() == 2 && takes_turns(found[0], found[1])) {
      const bool received_first = named(&PaymentWords::received_columns) == std::vector<size_t>{found[0]};
      amount_columns_ = received_first ? std::vector<size_t>{found[1], found[0]} : found;
    } else if (found.size() == 1) {
      amount_columns_ = found;
    } else if (const std::vector<size_t> sums = named(&PaymentWords::amount_columns); sums.size() == 1) {
      amount_columns_ = sums;
    }
  }

  // Of a table of a decimal sign all sums have the same.
  void find_sign() {
    for (size_t r = 0; r < table_.rows.size(); ++r) {
      for (size_t c = 0; c < n_columns_; ++c) {
        const std::string_view text = cell(r, c);
        const std::optional<DecimalSign> shown = c == *day_column_ ? std::nullopt : decimal_sign_shown(text);
        if (!shown || !amount_in_cell(text, *shown)) continue;
        sign_ = *shown;
        return;
      }
    }
  }

  int64_t in_cell(size_t row, size_t column) const {
    const std::optional<Amount> amount = amount_in_cell(cell(row, column), sign_);
    return amount ? amount->hundredths : 0;
  }

  // Paid and received in columns of their own: no row has both.
  bool takes_turns(size_t a, size_t b) const {
    bool has_a = false;
    bool has_b = false;
    for (size_t r = 0; r < table_.rows.size(); ++r) {
      if (!days_[r]) continue;
      const bool in_a = in_cell(r, a) != 0;
      const bool in_b = in_cell(r, b) != 0;
      if (in_a && in_b) return false;
      has_a |= in_a;
      has_b |= in_b;
    }
    return has_a && has_b;
  }

  std::optional<PaymentRow> payment(size_t r) const {
    const RawRow& raw = table_.rows[r];
    for (size_t i = 0; i < amount_columns_.size(); ++i) {
      const size_t column = amount_columns_[i];
      std::optional<Amount> amount = amount_in_cell(cell(r, column), sign_);
      if (!amount || (amount->hundredths == 0 && amount_columns_.size() > 1)) continue;
      const int64_t size = std::abs(amount->hundredths);
      const int64_t signed_sum = amount_columns_.size() == 1 ? amount->hundredths : i == 0 ? -size : size;
      std::string currency = amount->currency.empty() ? currency_of(r, column) : std::move(amount->currency);
      return PaymentRow{raw.outline, raw.part, *days_[r], signed_sum, std::move(currency)};
    }
    return std::nullopt;
  }

  // "Amount (EUR)", or a cell of its own beside the sum.
  std::string currency_of(size_t row, size_t column) const {
    for (const std::string& word : words_of(name(column))) {
      if (says_money(word)) return word;
    }
    for (const size_t beside : {column + 1, column - 1}) {
      const std::string_view text = beside < n_columns_ ? cell(row, beside) : std::string_view();
      if (!text.empty() && text.size() <= 4 && says_money(text)) return std::string(text);
    }
    return {};
  }

  const RawTable& table_;
  size_t n_columns_ = 0;
  std::optional<size_t> day_column_;
  std::vector<std::optional<std::chrono::sys_days>> days_;  // of each row
  std::vector<size_t> amount_columns_;                      // one, or what was paid and what was received
  DecimalSign sign_ = DecimalSign::kPoint;
};

}  // namespace

std::vector<PaymentTable> payment_tables(std::span<const PassageOutline> outlines) {
  std::vector<PaymentTable> tables;
  for (const RawTable& raw : raw_tables(outlines)) {
    if (std::optional<PaymentTable> table = Columns(raw).read()) tables.push_back(*std::move(table));
  }
  return tables;
}

}  // namespace mneme::rag

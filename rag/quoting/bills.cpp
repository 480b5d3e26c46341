#include "rag/quoting/bills.h"

#include <algorithm>
#include <utility>

#include "base/trim.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/quantities/cell_days.h"
#include "rag/text/quantities/money.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

using std::chrono::sys_days;
using Tokens = std::vector<std::string_view>;

constexpr size_t kLongestLine = 200;  // bytes
constexpr size_t kMostParts = 3;      // of a sum or a day: "1 234,50 Kč", "12 février 2026"
constexpr size_t kMostPositions = 200;
constexpr std::string_view kAround = "|*_:;,() \t\r";

Tokens tokens_of(std::string_view line) {
  Tokens tokens;
  for (size_t at = line.find_first_not_of(" \t|"); at != std::string_view::npos;) {
    const size_t end = std::min(line.find_first_of(" \t|", at), line.size());
    tokens.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(" \t|", end);
  }
  return tokens;
}

std::string_view stripped(std::string_view text) {
  const size_t begin = text.find_first_not_of(kAround);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kAround) + 1 - begin);
}

// From token `first` on, so many.
std::string_view joined(const Tokens& tokens, size_t first, size_t n) {
  const std::string_view last = tokens[first + n - 1];
  const char* const begin = tokens[first].data();
  const char* const end = last.data() + last.size();
  return {begin, static_cast<size_t>(end - begin)};
}

// The sum that a line ends with, and the number of tokens that tell it. One without cents has a currency.
std::optional<std::pair<Amount, size_t>> sum_at_end(const Tokens& tokens, DecimalSign sign) {
  std::optional<std::pair<Amount, size_t>> found;
  for (size_t n = 1; n <= std::min(kMostParts, tokens.size()); ++n) {
    std::string text(stripped(joined(tokens, tokens.size() - n, n)));
    std::replace(text.begin(), text.end(), '|', ' ');
    std::optional<Amount> amount = amount_in_cell(text, sign);
    if (!amount || (amount->currency.empty() && !decimal_sign_shown(text))) continue;
    found.emplace(*std::move(amount), n);
  }
  return found;
}

std::optional<sys_days> day_in(const Tokens& tokens) {
  for (size_t i = 0; i < tokens.size(); ++i) {
    for (size_t n = std::min(kMostParts, tokens.size() - i); n > 0; --n) {
      if (const auto day = day_in_cell(stripped(joined(tokens, i, n)), DayOrder::kDayFirst)) return day;
    }
  }
  return std::nullopt;
}

// "Total due", "Gesamtbetrag EUR"
bool is_total(std::string_view label) {
  static const FoldedPhrases kTotals{phrases_of_all(
      [](const LanguageFacts& facts) { return facts.papers == nullptr ? std::string_view() : facts.papers->totals; })};
  std::string told;
  for (const std::string& word : words_of(label)) {
    if (!says_money(word)) told += (told.empty() ? "" : " ") + word;
  }
  return !told.empty() && (kTotals.holds(told) || kTotals.holds(folded_text(label)));
}

std::string currency_in(std::string_view label) {
  for (const std::string_view token : tokens_of(label)) {
    if (says_money(stripped(token))) return std::string(stripped(token));
  }
  return {};
}

template <typename Visit>
void for_each_line(std::string_view text, const Visit& visit) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (end - at <= kLongestLine) visit(text.substr(at, end - at), at);
    at = end + 1;
  }
}

// Of all sums of a bill the decimals stand behind the same sign.
DecimalSign sign_of(std::span<const std::string_view> passages) {
  std::optional<DecimalSign> sign;
  for (const std::string_view text : passages) {
    for_each_line(text, [&](std::string_view line, size_t) {
      const Tokens tokens = tokens_of(line);
      if (sign || tokens.empty()) return;
      for (size_t n = 1; n <= std::min<size_t>(2, tokens.size()) && !sign; ++n) {
        const std::string_view last = stripped(joined(tokens, tokens.size() - n, n));
        const std::optional<DecimalSign> shown = decimal_sign_shown(last);
        if (shown && amount_in_cell(last, *shown)) sign = shown;
      }
    });
  }
  return sign.value_or(DecimalSign::kPoint);
}

}  // namespace

std::optional<Bill> bill_in(std::span<const std::string_view> passages) {
  Bill bill;
  bill.sign = sign_of(passages);
  std::optional<BillLine> total;
  for (size_t p = 0; p < passages.size(); ++p) {
    for_each_line(passages[p], [&](std::string_view line, size_t begin) {
      const Tokens tokens = tokens_of(line);
      if (!bill.day) bill.day = day_in(tokens);
      const auto sum = sum_at_end(tokens, bill.sign);
      if (!sum || sum->second >= tokens.size() || sum->first.hundredths <= 0) return;
      const std::string_view label = stripped(joined(tokens, 0, tokens.size() - sum->second));
      BillLine read{p, begin, begin + line.size(), std::string(label), sum->first.hundredths, sum->first.currency};
      if (read.currency.empty()) read.currency = currency_in(label);
      const bool is_larger = !total || read.hundredths > total->hundredths;
      if (is_total(label) && is_larger) {
        total = std::move(read);
      } else if (!is_total(label) && bill.positions.size() < kMostPositions) {
        bill.positions.push_back(std::move(read));
      }
    });
  }
  if (!total) return std::nullopt;
  bill.total = *std::move(total);
  return bill;
}

}  // namespace mneme::rag

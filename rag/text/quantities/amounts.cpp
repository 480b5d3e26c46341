#include "rag/text/quantities/amounts.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/trim.h"
#include "rag/text/quantities/money.h"

namespace mneme::rag {

namespace {

constexpr size_t kMostDigits = 15;
constexpr size_t kLongestCell = 48;
constexpr std::string_view kMinus = "\u2212";
constexpr std::array<std::string_view, 3> kSpaces = {" ", "\u00a0", "\u202f"};  // between thousands

char sign_of(DecimalSign sign) {
  return sign == DecimalSign::kPoint ? '.' : ',';
}

// Signs and letters around the digits.
struct Taken {
  bool negative = false;
  std::string currency;
  std::string_view digits;  // and what stands between them
};

bool take_front(std::string_view& text, std::string_view front) {
  if (!text.starts_with(front)) return false;
  text.remove_prefix(front.size());
  text = trimmed(text);
  return true;
}

bool take_back(std::string_view& text, std::string_view back) {
  if (!text.ends_with(back)) return false;
  text.remove_suffix(back.size());
  text = trimmed(text);
  return true;
}

// A minus, once, wherever it stands.
bool take_minus(std::string_view& text, bool& negative) {
  const bool found =
      take_front(text, "-") || take_front(text, kMinus) || take_back(text, "-") || take_back(text, kMinus);
  if (found && negative) return false;
  negative |= found;
  return true;
}

bool begins_number(char c) {
  return is_digit(c) || c == '.' || c == ',';
}

// "EUR" before the digits or behind them; false where what stands there is no currency, or both do.
bool take_currency(std::string_view& text, std::string& currency) {
  const size_t first = static_cast<size_t>(std::find_if(text.begin(), text.end(), is_digit) - text.begin());
  if (first == text.size()) return false;
  const size_t last = text.find_last_of("0123456789");
  std::string_view before = text.substr(0, first);
  while (!before.empty() && (begins_number(before.back()) || before.back() == '-' || before.back() == '+'))
    before.remove_suffix(1);
  const std::string_view front = trimmed(before);
  const std::string_view back = trimmed(text.substr(last + 1));
  if (front.empty() && back.empty()) return true;
  const std::string_view unit = front.empty() ? back : front;
  if ((!front.empty() && !back.empty()) || unit.find(' ') != std::string_view::npos || !says_money(unit)) return false;
  currency = unit;
  text = trimmed(front.empty() ? text.substr(0, last + 1) : text.substr(before.size()));
  return true;
}

std::optional<Taken> taken_apart(std::string_view cell) {
  Taken taken;
  std::string_view text = trimmed(cell);
  if (text.size() > 2 && text.front() == '(' && text.back() == ')') {
    taken.negative = true;
    text = trimmed(text.substr(1, text.size() - 2));
  }
  if (!take_minus(text, taken.negative) || !take_currency(text, taken.currency) || !take_minus(text, taken.negative))
    return std::nullopt;
  take_front(text, "+");
  taken.digits = text;
  return taken;
}

// The whole part: digits, in groups of three where something parts them, and that the same each time.
bool take_whole(std::string_view text, char decimal, std::string& digits) {
  std::string_view between;
  size_t in_group = 0;
  for (size_t at = 0; at < text.size();) {
    if (is_digit(text[at])) {
      digits += text[at++];
      ++in_group;
      continue;
    }
    std::string_view sign = text.substr(at, 1);
    for (const std::string_view space : kSpaces) {
      if (text.substr(at).starts_with(space)) sign = space;
    }
    const bool groups = sign[0] == '\'' || sign.size() > 1 || sign[0] == ' ' || sign[0] == (decimal == '.' ? ',' : '.');
    const bool first = between.empty();
    if (!groups || (!first && sign != between) || in_group == 0 || in_group > 3 || (!first && in_group != 3))
      return false;
    between = sign;
    in_group = 0;
    at += sign.size();
  }
  return between.empty() ? in_group > 0 : in_group == 3;
}

}  // namespace

std::optional<DecimalSign> decimal_sign_shown(std::string_view cell) {
  const size_t point = cell.find_last_of('.');
  const size_t comma = cell.find_last_of(',');
  if (point == std::string_view::npos && comma == std::string_view::npos) return std::nullopt;
  const bool both = point != std::string_view::npos && comma != std::string_view::npos;
  const bool is_point = comma == std::string_view::npos || (both && point > comma);
  const size_t last = is_point ? point : comma;
  size_t n_behind = 0;
  while (last + 1 + n_behind < cell.size() && is_digit(cell[last + 1 + n_behind])) ++n_behind;
  const bool once = cell.find(cell[last]) == last;
  if (!once || n_behind == 0 || n_behind > 2) return std::nullopt;
  return is_point ? DecimalSign::kPoint : DecimalSign::kComma;
}

std::optional<Amount> amount_in_cell(std::string_view cell, DecimalSign sign) {
  if (cell.size() > kLongestCell) return std::nullopt;
  std::optional<Taken> taken = taken_apart(cell);
  if (!taken || taken->digits.empty()) return std::nullopt;
  const char decimal = sign_of(sign);
  const size_t at = std::min(taken->digits.find(decimal), taken->digits.size());
  const std::string_view decimals = at < taken->digits.size() ? taken->digits.substr(at + 1) : std::string_view();
  const bool only_digits = std::all_of(decimals.begin(), decimals.end(), is_digit);
  if (decimals.size() > 2 || !only_digits || (at < taken->digits.size() && decimals.empty())) return std::nullopt;
  std::string digits;
  if (!take_whole(taken->digits.substr(0, at), decimal, digits) || digits.size() > kMostDigits) return std::nullopt;
  int64_t hundredths = 0;
  for (const char c : digits + std::string(decimals) + std::string(2 - decimals.size(), '0'))
    hundredths = hundredths * 10 + (c - '0');
  return Amount{taken->negative ? -hundredths : hundredths, std::move(taken->currency)};
}

std::string amount_text(int64_t hundredths, DecimalSign sign) {
  const auto magnitude = static_cast<uint64_t>(hundredths < 0 ? -hundredths : hundredths);
  const std::string cents = std::to_string(magnitude % 100);
  return (hundredths < 0 ? "-" : "") + std::to_string(magnitude / 100) + sign_of(sign) + (cents.size() < 2 ? "0" : "") +
         cents;
}

}  // namespace mneme::rag

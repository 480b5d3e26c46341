#include "rag/readers/raised_text.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.h"
#include "base/utf8.h"
#include "rag/readers/document_builder.h"

namespace mneme::readers {
namespace {

constexpr size_t kLongest = 12;  // bytes; what is longer is text in small print
constexpr std::array<char32_t, 10> kRaisedDigits = {0x2070, 0xb9,   0xb2,   0xb3,   0x2074,
                                                    0x2075, 0x2076, 0x2077, 0x2078, 0x2079};
constexpr char32_t kLoweredZero = 0x2080;
constexpr char32_t kMinus = 0x2212;

char32_t last_character(std::string_view text) {
  if (text.empty()) return 0;
  size_t begin = utf8::floor_boundary(text, text.size() - 1);
  return utf8::next(text, begin);
}

bool is_ascii_digit(char32_t c) {
  return c < 0x80 && is_digit(static_cast<char>(c));
}

bool is_raised(char32_t c) {
  return c == 0xb9 || c == 0xb2 || c == 0xb3 || (c >= 0x2070 && c < 0x2080);
}

bool is_lowered(char32_t c) {
  return c >= 0x2080 && c < 0x2090;
}

// What a raised or lowered sign may belong to: letters, digits, closing brackets.
bool is_base(char32_t c) {
  if (c < 0x80) return is_letter(static_cast<char>(c)) || is_ascii_digit(c) || c == ')' || c == ']' || c == '}';
  return c >= 0xc0 && !(c >= 0x2000 && c < 0x2070) && !(c >= 0x3000 && c < 0x3040);
}

// Null: Unicode has none.
std::optional<char32_t> raised_form(char32_t c) {
  if (is_ascii_digit(c)) return kRaisedDigits[c - '0'];
  switch (c) {
    case '+': return 0x207a;
    case '-':
    case 0x2013:
    case kMinus: return 0x207b;
    case 'n': return 0x207f;
    case ',':
    case '/':
    case ' ': return c;
    default: return std::nullopt;
  }
}

std::optional<char32_t> lowered_form(char32_t c) {
  if (is_ascii_digit(c)) return kLoweredZero + (c - '0');
  if (c == '+') return 0x208a;
  if (c == '-' || c == 0x2013 || c == kMinus) return 0x208b;
  return std::nullopt;
}

std::optional<std::string> in_form(std::string_view text, std::optional<char32_t> (*form)(char32_t)) {
  std::string formed;
  for (size_t i = 0; i < text.size();) {
    const auto c = form(utf8::next(text, i));
    if (!c) return std::nullopt;
    utf8::append(formed, *c);
  }
  return formed;
}

// An exponent or a mark, which has a number, or one of the letters that stand for one.
bool counts(std::string_view raised) {
  if (raised.size() == 1 && std::string_view("nkmpqtxyzT").find(raised[0]) != std::string_view::npos) return true;
  return std::any_of(raised.begin(), raised.end(), is_digit);
}

}  // namespace

void append_raised(std::string& text, std::string_view raised) {
  const std::string clean = clean_text(raised);
  const char32_t before = last_character(text);
  const bool bracketed = clean.starts_with('[') || clean.starts_with('(');
  if (clean.empty() || clean.size() > kLongest || bracketed || !counts(clean) ||
      !(is_base(before) || is_raised(before))) {
    text += raised;
  } else if (const auto formed = in_form(clean, raised_form)) {
    text += *formed;
  } else {
    text.append(clean.size() > 1 ? "^(" : "^").append(clean).append(clean.size() > 1 ? ")" : "");
  }
}

void append_lowered(std::string& text, std::string_view lowered) {
  const std::string clean = clean_text(lowered);
  const char32_t before = last_character(text);
  const auto formed = in_form(clean, lowered_form);
  if (!clean.empty() && formed && (is_ascii_digit(before) || is_lowered(before))) {
    text += *formed;
  } else {
    text += lowered;
  }
}

void append_shifted(std::string& text, std::string_view shifted, Shift shift) {
  switch (shift) {
    case Shift::kNone: text += shifted; return;
    case Shift::kRaised: append_raised(text, shifted); return;
    case Shift::kLowered: append_lowered(text, shifted); return;
  }
}

}  // namespace mneme::readers

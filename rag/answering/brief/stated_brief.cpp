#include "rag/answering/brief/stated_brief.h"

#include <string>

#include "base/ascii.h"
#include "rag/answering/brief/brief_fit.h"

namespace mneme::rag {
namespace {

// From here on a short answer is right often enough to stand before the quotations.
constexpr double kLikelyEnough = 0.93;

bool is_of_word(char c) {
  return is_letter(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80;
}

// Whether a sign between two characters makes them one word or number: "2026-0417", "4.50", "pre-war".
bool joins(char before, char sign, char behind) {
  if (sign == '-' || sign == '/' || sign == '_') return is_of_word(before) && is_of_word(behind);
  return (sign == '.' || sign == ',' || sign == ':') && is_digit(before) && is_digit(behind);
}

bool is_cut(std::string_view text, size_t begin, size_t end) {
  const bool before = begin > 1 && joins(text[begin - 2], text[begin - 1], text[begin]);
  return before || (end + 1 < text.size() && joins(text[end - 1], text[end], text[end + 1]));
}

std::string with_single_spaces(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!is_space(c)) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  return out;
}

bool stands_whole_in(std::string_view quotation, std::string_view words) {
  const std::string text = with_single_spaces(quotation);
  for (size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) {
    if (!is_cut(text, at, at + words.size())) return true;
  }
  return false;
}

}  // namespace

bool is_worth_stating(const BriefAnswer& brief, std::string_view question, std::string_view best) {
  return brief.probability >= kLikelyEnough && !brief.text.empty() && stands_whole_in(best, brief.text) &&
         says_more_than(question, brief.text);
}

}  // namespace mneme::rag

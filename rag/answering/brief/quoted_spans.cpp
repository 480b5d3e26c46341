#include "rag/answering/brief/quoted_spans.h"

#include <algorithm>
#include <functional>

namespace mneme::rag {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

// Of a word as far as its limits go: characters beyond ASCII stand for themselves, since many scripts do not part
// words.
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool joins(char before, char after) {
  return is_letter(before) && is_letter(after);
}

bool is_within_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u;
}

std::string with_single_spaces(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (!is_space(c)) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  return out;
}

bool begins_word(const std::string& text, size_t at) {
  return !is_within_character(text[at]) && (at == 0 || !joins(text[at - 1], text[at]));
}

bool ends_word(const std::string& text, size_t end) {
  return end == text.size() || (!is_within_character(text[end]) && !joins(text[end - 1], text[end]));
}

// Whether `part` stands somewhere in `text` at the beginning of a word, and `suits` of where it ends there.
bool stands_in(const std::string& text, std::string_view part, const std::function<bool(size_t)>& suits) {
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    if (begins_word(text, at) && suits(at + part.size())) return true;
  }
  return false;
}

}  // namespace

QuotedSpans::QuotedSpans(std::span<const std::string_view> texts) {
  texts_.reserve(texts.size());
  for (const std::string_view text : texts) texts_.push_back(with_single_spaces(text));
}

bool QuotedSpans::empty() const {
  return std::ranges::all_of(texts_, [](const std::string& each) { return each.empty(); });
}

bool QuotedSpans::may_begin(std::string_view text) const {
  if (text.empty()) return true;
  if (is_space(text.front())) return false;
  return std::ranges::any_of(
      texts_, [text](const std::string& each) { return stands_in(each, text, [](size_t) { return true; }); });
}

int QuotedSpans::where(std::string_view text) const {
  if (text.empty() || is_space(text.front()) || is_space(text.back())) return -1;
  for (size_t i = 0; i < texts_.size(); ++i) {
    const std::string& each = texts_[i];
    if (stands_in(each, text, [&each](size_t end) { return ends_word(each, end); })) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace mneme::rag

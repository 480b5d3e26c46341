#include "rag/readers/office/rtf_lexer.h"

#include <algorithm>
#include <charconv>

namespace mneme::readers {
namespace {

constexpr size_t kLongestNumber = 12;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

RtfToken byte_token(char byte) {
  return {.kind = RtfToken::Kind::kByte, .byte = byte};
}

}  // namespace

RtfToken RtfLexer::next() {
  while (at_ < rtf_.size()) {
    const char c = rtf_[at_++];
    if (c == '{') return {.kind = RtfToken::Kind::kOpen};
    if (c == '}') return {.kind = RtfToken::Kind::kClose};
    if (c != '\\') {
      if (c != '\r' && c != '\n') return byte_token(c);
    } else if (const RtfToken token = take_control(); token.kind != RtfToken::Kind::kEnd) {
      return token;
    }
  }
  return {};
}

// Behind a backslash; kEnd for signs that say nothing, a hyphen where a word may be cut for one.
RtfToken RtfLexer::take_control() {
  if (at_ >= rtf_.size()) return {};
  const char c = rtf_[at_];
  if (is_letter(c)) return take_word();
  ++at_;
  switch (c) {
    case '*': return {.kind = RtfToken::Kind::kOptional, .word = letters_at(at_ + 1)};
    case '\'': {
      int byte = 0;
      const std::string_view digits = rtf_.substr(at_, 2);
      std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
      at_ += digits.size();
      return byte_token(static_cast<char>(byte));
    }
    case '~': return byte_token(' ');
    case '_': return byte_token('-');  // a hyphen that no line ends behind
    case '\n':
    case '\r': return {.kind = RtfToken::Kind::kWord, .word = "par"};  // as Apple's programs write it
    case '{':
    case '}':
    case '\\': return byte_token(c);
    default: return {};
  }
}

std::string_view RtfLexer::letters_at(size_t begin) const {
  size_t end = begin;
  while (end < rtf_.size() && is_letter(rtf_[end])) ++end;
  return rtf_.substr(std::min(begin, rtf_.size()), end - begin);
}

RtfToken RtfLexer::take_word() {
  RtfToken token{.kind = RtfToken::Kind::kWord, .word = letters_at(at_)};
  at_ += token.word.size();
  const std::string_view digits = rtf_.substr(at_, kLongestNumber);
  int number = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (parsed.ec == std::errc()) {
    token.number = number;
    at_ += static_cast<size_t>(parsed.ptr - digits.data());
  }
  if (at_ < rtf_.size() && rtf_[at_] == ' ') ++at_;
  return token;
}

void RtfLexer::skip_bytes(int count) {
  at_ += std::min(static_cast<size_t>(std::max(count, 0)), rtf_.size() - at_);
}

void RtfLexer::skip_stand_in(int count) {
  for (int i = 0; i < count && at_ < rtf_.size(); ++i) {
    if (rtf_[at_] == '\\' && at_ + 3 < rtf_.size() && rtf_[at_ + 1] == '\'') {
      at_ += 4;
    } else if (rtf_[at_] != '\\' && rtf_[at_] != '{' && rtf_[at_] != '}') {
      ++at_;
    }
  }
}

}  // namespace mneme::readers

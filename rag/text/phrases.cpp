#include "rag/text/phrases.h"

#include <algorithm>

namespace mneme::rag {

namespace {

bool says(std::string_view folded, std::string_view phrase) {
  const bool wide = static_cast<unsigned char>(phrase.front()) >= 0xE0;
  for (size_t at = folded.find(phrase); at != std::string_view::npos; at = folded.find(phrase, at + 1)) {
    const std::string_view behind = folded.substr(at + phrase.size());
    if (wide || (at > 0 && folded[at - 1] == ' ' && behind.starts_with(' '))) return true;
  }
  return false;
}

}  // namespace

bool says_any(std::string_view folded, std::span<const std::string_view> phrases) {
  return std::any_of(phrases.begin(), phrases.end(), [&](std::string_view phrase) { return says(folded, phrase); });
}

}  // namespace mneme::rag

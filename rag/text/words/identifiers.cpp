#include "rag/text/words/identifiers.h"

#include "base/ascii.h"

namespace mneme::rag {
namespace {

bool is_part(char c) {
  return is_letter(c) || is_digit(c) || c == '_';
}

bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}

bool looks_written_for_machines(std::string_view word) {
  for (size_t i = 1; i + 1 < word.size(); ++i) {
    if (word[i] == '_' && word[i - 1] != '_' && word[i + 1] != '_') return true;
    if (is_capital(word[i]) && is_letter(word[i - 1]) && !is_capital(word[i - 1])) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string_view> identifiers_in(std::string_view text) {
  std::vector<std::string_view> found;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && is_part(text[end])) ++end;
    if (looks_written_for_machines(text.substr(at, end - at))) found.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return found;
}

}  // namespace mneme::rag

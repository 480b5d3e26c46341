#include "rag/text/symbols.h"

#include <algorithm>

#include "storage/catalogue/lexical_signs.h"

namespace mneme::rag {

namespace {

// Calls `visit` for every run of bytes between spaces, and whether it is the last.
template <typename Visit>
void for_each_token(std::string_view text, const Visit& visit) {
  constexpr std::string_view kSpaces = " \t\r\n";
  size_t at = std::min(text.find_first_not_of(kSpaces), text.size());
  while (at < text.size()) {
    const size_t end = std::min(text.find_first_of(kSpaces, at), text.size());
    const size_t next = std::min(text.find_first_not_of(kSpaces, end), text.size());
    visit(text.substr(at, end - at), next == text.size());
    at = next;
  }
}

}  // namespace

std::vector<std::string> lone_symbols(std::string_view text) {
  std::vector<std::string> symbols;
  for_each_token(text, [&](std::string_view token, bool last) {
    std::string sign = storage::lone_sign(token, {.question = true, .text_end = last});
    if (!sign.empty()) symbols.push_back(std::move(sign));
  });
  return symbols;
}

bool has_lone_symbol(std::string_view text, std::string_view symbol) {
  bool found = false;
  for_each_token(
      text, [&](std::string_view token, bool) { found |= storage::lone_sign(token, {.question = true}) == symbol; });
  return found;
}

}  // namespace mneme::rag

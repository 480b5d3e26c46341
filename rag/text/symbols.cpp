#include "rag/text/symbols.h"

#include <algorithm>

namespace mneme::rag {

namespace {

constexpr size_t kMaxSymbol = 3;

bool is_plain_punctuation(std::string_view symbol) {
  constexpr std::string_view kPlain[] = {"-", "--", "---", "&", ",", ".", "...", ":",
                                         ";", "/",  "\"",  "'", "(", ")", "!"};
  return std::find(std::begin(kPlain), std::end(kPlain), symbol) != std::end(kPlain);
}

std::string_view trimmed(std::string_view token) {
  constexpr std::string_view kAround = "`'\"";
  const size_t begin = std::min(token.find_first_not_of(kAround), token.size());
  token.remove_prefix(begin);
  return token.substr(0, token.find_last_not_of(kAround) + 1);
}

// Calls `visit` for every run of bytes between spaces.
template <typename Visit>
void for_each_token(std::string_view text, const Visit& visit) {
  for (size_t at = 0; at < text.size();) {
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
    const size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    if (end > at) visit(text.substr(at, end - at));
    at = end;
  }
}

}  // namespace

std::vector<std::string> lone_symbols(std::string_view text) {
  std::vector<std::string> symbols;
  std::string_view last;
  for_each_token(text, [&](std::string_view token) {
    last = token;
    const std::string_view symbol = trimmed(token);
    const bool signs =
        !symbol.empty() && symbol.size() <= kMaxSymbol && std::all_of(symbol.begin(), symbol.end(), [](char c) {
          const auto byte = static_cast<unsigned char>(c);
          return byte > ' ' && byte < 0x7F && !(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'Z') &&
                 !(c >= 'a' && c <= 'z');
        });
    if (signs && !is_plain_punctuation(symbol)) symbols.emplace_back(symbol);
  });
  // A mark after a space at the end is punctuation in the French way.
  if (!symbols.empty() && last == symbols.back() && (last == "?" || last == "!")) symbols.pop_back();
  return symbols;
}

bool has_lone_symbol(std::string_view text, std::string_view symbol) {
  bool found = false;
  for_each_token(text, [&](std::string_view token) {
    while (!token.empty() && (token.back() == ',' || token.back() == '.' || token.back() == ';'))
      token.remove_suffix(1);
    found |= trimmed(token) == symbol;
  });
  return found;
}

}  // namespace mneme::rag

#include "rag/text/words/symbols.h"

#include <algorithm>
#include <utility>

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

bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

bool is_name_char(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
}

// Without the quotation marks, brackets and stops around it: "(`&str`)," is "&str".
std::string_view bare_name(std::string_view token) {
  while (!token.empty() && std::string_view("`'\"([").find(token.front()) != std::string_view::npos &&
         !token.starts_with("'a")) {
    token.remove_prefix(1);
  }
  while (!token.empty() && std::string_view("`'\")],.;:?").find(token.back()) != std::string_view::npos) {
    token.remove_suffix(1);
  }
  return token;
}

// Signs that only names of code have. Hyphens, slashes, dots and colons join ordinary words too.
bool is_written_with_signs(std::string_view name) {
  const auto letters = std::count_if(name.begin(), name.end(), is_letter);
  if (letters == 0 || static_cast<unsigned char>(name.front()) >= 0x80) return false;
  const bool leads = name.starts_with('-') || name.starts_with('.');
  return leads || name.find_first_of("&*#$@%!<>+=~^\\_") != std::string_view::npos ||
         name.find("::") != std::string_view::npos;
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

std::vector<std::string> names_with_signs(std::string_view text) {
  std::vector<std::string> names;
  for_each_token(text, [&](std::string_view token, bool last) {
    std::string_view name = bare_name(token);
    if (last && name.ends_with('!')) name.remove_suffix(1);
    if (is_written_with_signs(name)) names.emplace_back(name);
  });
  return names;
}

bool begins_with_option(std::string_view line) {
  const size_t dashes = line.find_first_not_of('-');
  return (dashes == 1 || dashes == 2) && is_letter(line[dashes]);
}

std::vector<std::string> asked_spellings(std::string_view question) {
  std::vector<std::string> spellings = lone_symbols(question);
  for (std::string& name : names_with_signs(question)) spellings.push_back(std::move(name));
  return spellings;
}

bool has_spelling(std::string_view text, std::string_view spelling) {
  if (std::none_of(spelling.begin(), spelling.end(), is_letter)) return has_lone_symbol(text, spelling);
  for (size_t at = text.find(spelling); at != std::string_view::npos; at = text.find(spelling, at + 1)) {
    const size_t end = at + spelling.size();
    const bool begins = at == 0 || !is_name_char(text[at - 1]) || !is_name_char(spelling.front());
    const bool ends = end == text.size() || !is_name_char(text[end]) || !is_name_char(spelling.back());
    // "-x" is no part of "--x", nor "--all" of "--all-files".
    const bool goes_on =
        (at > 0 && text[at - 1] == '-') || (spelling.front() == '-' && end < text.size() && text[end] == '-');
    if (begins && ends && !goes_on) return true;
  }
  return false;
}

}  // namespace mneme::rag

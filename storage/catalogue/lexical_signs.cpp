#include "storage/catalogue/lexical_signs.h"

#include <algorithm>
#include <array>
#include <utility>

namespace mneme::storage {
namespace {

constexpr size_t kMaxTokenBytes = 16;  // a sign with whatever stands around it

bool is_sign(char c) {
  const auto byte = static_cast<unsigned char>(c);
  const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  return byte > ' ' && byte < 0x7F && !letter && !(c >= '0' && c <= '9');
}

// Never asked about, quoted or not: what parts words and sentences.
bool is_punctuation(std::string_view sign) {
  constexpr std::array<std::string_view, 18> kPlain = {"-", "--", "---", "&", ",", ".",  "...", ":",  ";",
                                                       "/", "\"", "'",   "(", ")", "()", "!?",  "?!", "??"};
  return std::find(kPlain.begin(), kPlain.end(), sign) != kPlain.end();
}

// Bare in a document these are markup or the small change of code.
bool is_common_bare(std::string_view sign) {
  constexpr std::array<std::string_view, 19> kCommon = {"|",  "||",  "#", "##", "###", "*",  "**", "***", "+", "=",
                                                        "==", "===", "<", ">",  "//",  "/*", "*/", "?",   "!"};
  return sign.find_first_of("(){}[],;") != std::string_view::npos ||
         std::find(kCommon.begin(), kCommon.end(), sign) != kCommon.end();
}

std::string_view without_stop(std::string_view token) {
  while (token.size() > 1 && (token.back() == ',' || token.back() == '.' || token.back() == ';' || token.back() == ':'))
    token.remove_suffix(1);
  return token;
}

}  // namespace

std::string lone_sign(std::string_view token, SignPlace place) {
  if (token.empty() || token.size() > kMaxTokenBytes || !is_sign(token.front())) return {};
  constexpr std::string_view kAround = "`'\"";
  // "`?`," and "(`?`)" are the sign; ":" may be one itself.
  std::string_view inner = token;
  const bool bracketed = inner.size() > 2 && inner.front() == '(' && inner.back() == ')';
  if (bracketed) inner = inner.substr(1, inner.size() - 2);
  if (kAround.find(inner.front()) != std::string_view::npos) inner = without_stop(inner);
  const size_t begin = std::min(inner.find_first_not_of(kAround), inner.size());
  const bool quoted = begin > 0 && kAround.find(inner.back()) != std::string_view::npos;
  if (quoted) inner = inner.substr(begin, inner.find_last_not_of(kAround) + 1 - begin);
  std::string sign;
  for (const char c : inner) {
    if (!is_sign(c)) return {};
    if (c != '\\') sign.push_back(c);  // "\|" in the cell of a table
  }
  if (sign.empty() || sign.size() > kMaxSignBytes || is_punctuation(sign)) return {};
  if (quoted) return sign;
  if (place.text_end && (sign == "?" || sign == "!")) return {};
  if (place.question) return sign;
  return place.line_start || bracketed || is_common_bare(sign) ? std::string() : sign;
}

BoxSign box_sign(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kBoxes = {{{"[ ]", kEmptyBox},
                                                                                    {"[x]", kTickedBox},
                                                                                    {"[X]", kTickedBox},
                                                                                    {"\u2610", kEmptyBox},
                                                                                    {"\u2611", kTickedBox},
                                                                                    {"\u2612", kTickedBox}}};
  for (const auto& [written, term] : kBoxes) {
    if (!text.starts_with(written)) continue;
    const bool ends = text.size() == written.size() || text.find_first_of(" \t\r\n", written.size()) == written.size();
    if (ends) return {term, written.size()};
  }
  return {};
}

}  // namespace mneme::storage

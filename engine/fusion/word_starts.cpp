#include "engine/fusion/word_starts.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace mneme::engine {
namespace {

// Names and codes of small vocabularies have up to ten.
constexpr int kMostWordTokens = 12;

bool begins_with_space(const std::string& bytes) {
  return !bytes.empty() && std::string_view(" \n\t\r").find(bytes.front()) != std::string_view::npos;
}

bool is_mark(const std::string& bytes) {
  constexpr std::string_view kMarks = ".,;:!?)]}\"'";
  return !bytes.empty() &&
         std::all_of(bytes.begin(), bytes.end(), [&](char c) { return kMarks.find(c) != std::string_view::npos; });
}

}  // namespace

std::vector<uint8_t> word_starts(const Tokenizer& tokenizer, std::span<const TokenId> ids) {
  std::vector<std::string> tokens;
  tokens.reserve(ids.size());
  for (const TokenId id : ids) tokens.push_back(tokenizer.token_bytes(id));
  return word_starts(tokens);
}

std::vector<uint8_t> word_starts(std::span<const std::string> tokens) {
  std::vector<uint8_t> starts(tokens.size());
  std::vector<uint8_t> marks(tokens.size());
  for (size_t t = 0; t < tokens.size(); ++t) {
    starts[t] = t == 0 || begins_with_space(tokens[t]) ? 1 : 0;
    marks[t] = is_mark(tokens[t]) ? 1 : 0;
  }
  // From the end, so that of several marks in a row each stands alone.
  for (size_t t = tokens.size(); t-- > 0;) {
    const bool ends_word = t + 1 == tokens.size() || starts[t + 1] != 0;
    if (marks[t] != 0 && ends_word) starts[t] = 1;
  }
  int length = 0;
  for (uint8_t& start : starts) {
    length = start != 0 ? 1 : length + 1;
    if (length <= kMostWordTokens) continue;
    start = 1;
    length = 1;
  }
  return starts;
}

}  // namespace mneme::engine

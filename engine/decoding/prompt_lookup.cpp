#include "engine/decoding/prompt_lookup.h"

#include <algorithm>
#include <utility>

namespace mneme::engine {

namespace {

constexpr int kNowhere = -1;

uint64_t pair_key(TokenId first, TokenId second) {
  return static_cast<uint64_t>(static_cast<uint32_t>(first)) << 32 | static_cast<uint32_t>(second);
}

}  // namespace

PromptLookup::PromptLookup(std::span<const TokenId> text) {
  text_.reserve(text.size() + 512);
  earlier_.reserve(text.size() + 512);
  latest_.reserve(text.size());
  for (const TokenId token : text) add(token);
}

// The pair that ended the text so far is entered now that something stands behind it: the end never finds itself.
void PromptLookup::add(TokenId token) {
  const size_t n = text_.size();
  if (n >= kMinMatch) {
    const auto place = static_cast<int>(n) - 1;
    const auto [entry, is_new] = latest_.try_emplace(pair_key(text_[n - 2], text_[n - 1]), place);
    if (!is_new) earlier_[n - 1] = std::exchange(entry->second, place);
  }
  text_.push_back(token);
  earlier_.push_back(kNowhere);
}

PromptLookup::Guess PromptLookup::guess() const {
  const size_t n = text_.size();
  if (n < kMinMatch) return {};
  const auto found = latest_.find(pair_key(text_[n - 2], text_[n - 1]));
  if (found == latest_.end()) return {};
  Guess best;
  int place = found->second;
  for (int tries = 0; place != kNowhere && tries < kMaxPlaces && best.match < kMaxMatch; ++tries) {
    const auto end = static_cast<size_t>(place) + 1;
    if (const int match = match_before(end); match > best.match) best = {match, std::span(text_).subspan(end)};
    place = earlier_[static_cast<size_t>(place)];
  }
  return best;
}

// How many tokens before `end` equal those at the text's end.
int PromptLookup::match_before(size_t end) const {
  const size_t most = std::min<size_t>(end, kMaxMatch);
  size_t match = 0;
  while (match < most && text_[end - 1 - match] == text_[text_.size() - 1 - match]) ++match;
  return static_cast<int>(match);
}

}  // namespace mneme::engine

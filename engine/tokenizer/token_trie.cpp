#include "engine/tokenizer/token_trie.h"

#include <algorithm>

namespace mneme::engine {

void TokenTrie::add(std::string_view text, TokenId id) {
  if (text.empty() || text.size() > kMaxLength) return;
  starts_[static_cast<unsigned char>(text[0])] = true;
  uint32_t node = 0;
  for (const char c : text) {
    const uint64_t edge = uint64_t{node} << 8 | static_cast<unsigned char>(c);
    const auto [it, inserted] = edges_.try_emplace(edge, static_cast<uint32_t>(ids_.size()));
    if (inserted) ids_.push_back(kNoToken);
    node = it->second;
  }
  if (ids_[node] == kNoToken) ids_[node] = id;
}

size_t TokenTrie::longest_match(std::string_view rest, TokenId& id) const {
  if (rest.empty() || !starts_[static_cast<unsigned char>(rest[0])]) return 0;
  size_t best = 0;
  uint32_t node = 0;
  for (size_t i = 0; i < std::min(rest.size(), kMaxLength); ++i) {
    const auto it = edges_.find(uint64_t{node} << 8 | static_cast<unsigned char>(rest[i]));
    if (it == edges_.end()) break;
    node = it->second;
    if (ids_[node] != kNoToken) {
      best = i + 1;
      id = ids_[node];
    }
  }
  return best;
}

}  // namespace mneme::engine

#include "engine/tokenizer/merge_table.h"

#include <algorithm>
#include <bit>
#include <queue>

namespace mneme::engine {

namespace {
constexpr size_t kShortWord = 48;  // below this, rescanning an array beats a heap
}

MergeTable::MergeTable(size_t n_merges) : slots_(std::bit_ceil(n_merges * 2 + 2)), mask_(slots_.size() - 1) {}

size_t MergeTable::slot_of(uint64_t key) const {
  size_t slot = (key * 0x9e3779b97f4a7c15ull >> 20) & mask_;
  while (slots_[slot].key != key && slots_[slot].key != UINT64_MAX) slot = (slot + 1) & mask_;
  return slot;
}

void MergeTable::add(TokenId left, TokenId right, Merge merge) {
  const uint64_t key = uint64_t{static_cast<uint32_t>(left)} << 32 | static_cast<uint32_t>(right);
  Slot& slot = slots_[slot_of(key)];
  if (slot.key == UINT64_MAX) slot = {key, merge};
}

MergeTable::Merge MergeTable::find(TokenId left, TokenId right) const {
  return slots_[slot_of(uint64_t{static_cast<uint32_t>(left)} << 32 | static_cast<uint32_t>(right))].merge;
}

void MergeTable::merge_word(std::vector<TokenId>& symbols) const {
  if (symbols.size() < 2) return;
  if (symbols.size() <= kShortWord) {
    merge_short(symbols);
  } else {
    merge_long(symbols);
  }
}

void MergeTable::merge_short(std::vector<TokenId>& symbols) const {
  Merge pairs[kShortWord];  // pairs[i]: symbols i and i + 1
  size_t n = symbols.size();
  for (size_t i = 0; i + 1 < n; ++i) pairs[i] = find(symbols[i], symbols[i + 1]);
  while (n > 1) {
    size_t best = 0;
    for (size_t i = 1; i + 1 < n; ++i) {
      if (pairs[i].rank < pairs[best].rank) best = i;
    }
    if (pairs[best].rank == kNone) break;
    symbols[best] = pairs[best].merged;
    std::copy(symbols.begin() + best + 2, symbols.begin() + n, symbols.begin() + best + 1);
    std::copy(pairs + best + 1, pairs + n - 1, pairs + best);
    --n;
    if (best > 0) pairs[best - 1] = find(symbols[best - 1], symbols[best]);
    if (best + 1 < n) pairs[best] = find(symbols[best], symbols[best + 1]);
  }
  symbols.resize(n);
}

void MergeTable::merge_long(std::vector<TokenId>& symbols) const {
  struct Candidate {
    int32_t rank;
    uint32_t left, right;
    TokenId left_id, right_id, merged;
    bool operator>(const Candidate& other) const { return rank != other.rank ? rank > other.rank : left > other.left; }
  };
  const auto n = static_cast<uint32_t>(symbols.size());
  constexpr uint32_t kEnd = UINT32_MAX;
  std::vector<uint32_t> next(n), previous(n);
  for (uint32_t i = 0; i < n; ++i) {
    next[i] = i + 1 < n ? i + 1 : kEnd;
    previous[i] = i > 0 ? i - 1 : kEnd;
  }
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  const auto offer = [&](uint32_t left, uint32_t right) {
    if (left == kEnd || right == kEnd) return;
    const Merge merge = find(symbols[left], symbols[right]);
    if (merge.rank != kNone) queue.push({merge.rank, left, right, symbols[left], symbols[right], merge.merged});
  };
  for (uint32_t i = 0; i + 1 < n; ++i) offer(i, i + 1);
  while (!queue.empty()) {
    const Candidate c = queue.top();
    queue.pop();
    // Stale when either side has merged since; a removed symbol is kNoToken.
    if (symbols[c.left] != c.left_id || symbols[c.right] != c.right_id || next[c.left] != c.right) continue;
    symbols[c.left] = c.merged;
    symbols[c.right] = kNoToken;
    next[c.left] = next[c.right];
    if (next[c.left] != kEnd) previous[next[c.left]] = c.left;
    offer(previous[c.left], c.left);
    offer(c.left, next[c.left]);
  }
  std::erase(symbols, kNoToken);
}

}  // namespace mneme::engine

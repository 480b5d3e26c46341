#include "engine/pq/block_cache.h"

#include <algorithm>

namespace mneme::engine {

BlockCache::BlockCache(int capacity_tokens, BlockEviction eviction, int offered)
    : eviction_(eviction),
      offered_(offered),
      slots_(static_cast<size_t>(std::max(0, capacity_tokens) / kCacheBlockTokens)) {}

BlockCache::Slot* BlockCache::find(int block) {
  const auto slot = std::find_if(slots_.begin(), slots_.end(), [&](const Slot& s) { return s.block == block; });
  return slot == slots_.end() ? nullptr : &*slot;
}

bool BlockCache::resident(int block) const {
  return const_cast<BlockCache*>(this)->find(block) != nullptr;
}

// An empty slot, else the one used longest ago (or least) that this step has not touched.
BlockCache::Slot* BlockCache::victim() {
  Slot* worst = nullptr;
  for (Slot& slot : slots_) {
    if (slot.block < 0) return &slot;
    if (slot.last_step == step_) continue;
    const auto rank = [&](const Slot& s) {
      return eviction_ == BlockEviction::kLru ? std::pair(s.last_step, s.uses) : std::pair(s.uses, s.last_step);
    };
    if (worst == nullptr || rank(slot) < rank(*worst)) worst = &slot;
  }
  return worst;
}

std::span<const int> BlockCache::step(std::span<const TokenPos> positions) {
  ++step_;
  filled_.clear();
  counts_.clear();
  for (const TokenPos position : positions) {
    const int block = position / kCacheBlockTokens;
    if (counts_.empty() || counts_.back().second != block) counts_.emplace_back(0, block);
    ++counts_.back().first;
  }
  requests_ += static_cast<int64_t>(positions.size());
  for (const auto& [tokens, block] : counts_) {
    if (Slot* slot = find(block)) {
      hits_ += tokens;
      slot->uses += static_cast<uint64_t>(tokens);
      slot->last_step = step_;
    }
  }
  const auto n_offered = std::min<size_t>(counts_.size(), static_cast<size_t>(offered_));
  std::partial_sort(
      counts_.begin(), counts_.begin() + static_cast<std::ptrdiff_t>(n_offered), counts_.end(),
      [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  for (size_t i = 0; i < n_offered; ++i) {
    const auto [tokens, block] = counts_[i];
    if (find(block) != nullptr) continue;
    Slot* slot = victim();
    if (slot == nullptr) break;
    *slot = {block, step_, static_cast<uint64_t>(tokens)};
    filled_.push_back(block);
  }
  return filled_;
}

void BlockCache::forget(int n_tokens) {
  for (Slot& slot : slots_)
    if ((slot.block + 1) * kCacheBlockTokens > n_tokens) slot = Slot{};
}

}  // namespace mneme::engine

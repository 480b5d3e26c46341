#include "engine/backend/cpu/rope_table.h"

#include <algorithm>
#include <cmath>

namespace mneme::engine::cpu {

bool RopeTable::serves(const RopeConfig& config) const {
  return config.layout == config_.layout && config.n_rot == config_.n_rot &&
         config.attention_factor == config_.attention_factor &&
         config.inverse_frequencies == config_.inverse_frequencies;
}

void RopeTable::fill(int block) {
  auto values = std::make_unique<float[]>(static_cast<size_t>(2) * kBlock * n_pairs());
  float* cosines = values.get();
  float* sines = cosines + static_cast<size_t>(kBlock) * n_pairs();
  for (int i = 0; i < kBlock; ++i) {
    const double position = static_cast<double>(block) * kBlock + i;
    for (int pair = 0; pair < n_pairs(); ++pair) {
      const double angle = position * static_cast<double>(config_.inverse_frequencies[pair]);
      cosines[i * n_pairs() + pair] = static_cast<float>(std::cos(angle) * config_.attention_factor);
      sines[i * n_pairs() + pair] = static_cast<float>(std::sin(angle) * config_.attention_factor);
    }
  }
  blocks_[block] = std::move(values);
}

void RopeTable::prepare(TokenPos last) {
  const int block = last / kBlock;
  if (static_cast<int>(blocks_.size()) <= block) blocks_.resize(block + 1);
  for (int b = 0; b <= block; ++b)
    if (!blocks_[b]) fill(b);
}

void RopeTable::rotate(const Kernels& kernels, TokenPos position, float* head) const {
  const float* cosines = blocks_[position / kBlock].get() + static_cast<size_t>(position % kBlock) * n_pairs();
  const float* sines = cosines + static_cast<size_t>(kBlock) * n_pairs();
  const bool neighbours = config_.layout == RopeLayout::kInterleaved;
  (neighbours ? kernels.rotate_neighbours : kernels.rotate_halves)(cosines, sines, n_pairs(), head);
}

const RopeTable& RopeTables::get(const RopeConfig& config, TokenPos last) {
  MutexLock lock(mutex_);
  auto found = std::find_if(tables_.begin(), tables_.end(), [&](const auto& table) { return table->serves(config); });
  if (found == tables_.end()) found = tables_.insert(tables_.end(), std::make_unique<RopeTable>(config));
  (*found)->prepare(last);
  return **found;
}

}  // namespace mneme::engine::cpu

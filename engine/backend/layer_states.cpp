#include "engine/backend/layer_states.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

namespace mneme::engine {

LayerStates::LayerStates(const KvCacheOptions& options, StateAllocator allocate)
    : state_(options.state),
      allocate_(std::move(allocate)),
      stride_((state_.value_length + 15) / 16 * 16),
      recent_floats_((int64_t{state_.conv_width - 1} * state_.channels() + 15) / 16 * 16),
      layer_floats_(recent_floats_ + int64_t{state_.n_value_heads} * state_.key_length * stride_) {
  int n = 0;
  for (const bool keeps : options.state_layers) slots_.push_back(keeps ? n++ : -1);
  layer_tokens_.assign(static_cast<size_t>(n), 0);
}

Status LayerStates::allocate() {
  if (memory_ != nullptr) return {};
  memory_ = allocate_(n_floats());
  if (memory_ != nullptr) return {};
  return resource_error("no memory for the " + std::to_string(n_floats() * sizeof(float) >> 20) +
                        " MiB of a sequence's state; close programs or use a smaller model");
}

void LayerStates::move_on(int layer, TokenPos first, int n_rows) {
  int& tokens = layer_tokens_[static_cast<size_t>(slots_[static_cast<size_t>(layer)])];
  assert(first == 0 || first == tokens);
  tokens = first + n_rows;
}

int LayerStates::n_tokens() const {
  const int n = layer_tokens_.front();
  const bool together = std::all_of(layer_tokens_.begin(), layer_tokens_.end(), [n](int one) { return one == n; });
  return together ? n : -1;
}

// Where there is no room for one more, it takes the last one's: what begins a prompt is come back to most. Without
// memory none is kept, and the tokens are read again.
void LayerStates::keep() {
  const int n = n_tokens();
  if (n <= 0) return;
  while (!kept_.empty() && kept_.back().n_tokens >= n) {
    if (kept_.back().n_tokens == n) return;
    kept_.pop_back();
  }
  Copy copy{n, nullptr};
  if (kept_.size() == kMostKept) {
    copy.memory = std::move(kept_.back().memory);
    kept_.pop_back();
  } else {
    copy.memory = allocate_(n_floats());
  }
  if (copy.memory == nullptr) return;
  copy.memory->copy_from(*memory_);
  kept_.push_back(std::move(copy));
}

int LayerStates::kept(int n_tokens) const {
  int found = 0;
  for (const Copy& copy : kept_) {
    if (copy.n_tokens <= n_tokens) found = copy.n_tokens;
  }
  return found;
}

int LayerStates::restore(int n_tokens) {
  const int found = kept(n_tokens);
  const auto copy = std::find_if(kept_.begin(), kept_.end(), [&](const Copy& one) { return one.n_tokens == found; });
  if (copy != kept_.end()) memory_->copy_from(*copy->memory);
  std::fill(layer_tokens_.begin(), layer_tokens_.end(), found);
  return found;
}

void LayerStates::forget(int n_tokens) {
  while (!kept_.empty() && kept_.back().n_tokens > n_tokens) kept_.pop_back();
}

}  // namespace mneme::engine

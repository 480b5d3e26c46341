// What a sequence's layers that keep a state hold of it: the rows before it that a convolution still sees,
// (conv_width - 1, channels), the oldest first, and the matrices of its value heads, (n_value_heads, key_length,
// stride() of values), in f32. And copies of all of that, to come back to. Nothing is touched before it is used.
// Threads: recent_rows() and matrix() from any thread; the rest by one owner.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/status.h"
#include "engine/backend/backend.h"

namespace mneme::engine {

// Memory of a device for f32 numbers.
class StateMemory {
 public:
  virtual ~StateMemory() = default;
  virtual float* data() = 0;
  virtual void copy_from(StateMemory& other) = 0;  // which is as large
};
// n_floats of it, contents are anything; null: there is none.
using StateAllocator = std::function<std::unique_ptr<StateMemory>(size_t n_floats)>;

class LayerStates {
 public:
  // Copies kept at the same time: of a prompt's beginning, of its parts, of its end.
  static constexpr size_t kMostKept = 4;

  LayerStates(const KvCacheOptions& options, StateAllocator allocate);

  // The memory, once. kResource: there is none.
  Status allocate();

  int stride() const { return stride_; }
  float* data() { return memory_ != nullptr ? memory_->data() : nullptr; }
  // Where a layer's numbers lie in data(), and its matrices behind that.
  int64_t place(int layer) const { return slots_[static_cast<size_t>(layer)] * layer_floats_; }
  int64_t recent_floats() const { return recent_floats_; }
  float* recent_rows(int layer) { return data() + place(layer); }
  float* matrix(int layer, int value_head) {
    return recent_rows(layer) + recent_floats_ + int64_t{value_head} * state_.key_length * stride_;
  }

  // A layer's state goes on from first to first + n_rows tokens: it must be behind `first`, or first is 0.
  void move_on(int layer, TokenPos first, int n_rows);

  // As of KvCache.
  int n_tokens() const;
  void keep();
  int kept(int n_tokens) const;
  int restore(int n_tokens);
  void forget(int n_tokens);

 private:
  struct Copy {
    int n_tokens;
    std::unique_ptr<StateMemory> memory;
  };
  size_t n_floats() const { return layer_tokens_.size() * static_cast<size_t>(layer_floats_); }

  const StateConfig state_;
  const StateAllocator allocate_;
  const int stride_;
  const int64_t recent_floats_;
  const int64_t layer_floats_;
  std::vector<int> slots_;         // [layer]; -1: keeps no state
  std::vector<int> layer_tokens_;  // [slot]: how many tokens the layer's state is behind
  std::unique_ptr<StateMemory> memory_;
  std::vector<Copy> kept_;  // by ascending n_tokens
};

}  // namespace mneme::engine

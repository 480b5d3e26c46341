// What a sequence's layers that keep a state hold of it: the rows before it that a convolution still sees,
// (conv_width - 1, channels), the oldest first, and the matrices of its value heads, (n_value_heads, head_dim of keys,
// stride() of values), in f32. And copies of all of that, to come back to. Nothing is touched before it is used.
// Threads: of different key heads of a layer from any thread; the rest by one owner.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "engine/backend/backend.h"
#include "engine/backend/cpu/aligned_buffer.h"

namespace mneme::engine::cpu {

class LayerStates {
 public:
  // Copies kept at the same time: of a prompt's beginning, of its parts, of its end.
  static constexpr size_t kMostKept = 4;

  explicit LayerStates(const KvCacheOptions& options);

  // The memory, once. kResource: there is none.
  Status allocate();
  int64_t bytes() const;  // of the state alone

  int stride() const { return stride_; }
  float* recent_rows(int layer) { return numbers(layer); }
  float* matrix(int layer, int value_head) {
    return numbers(layer) + recent_floats_ + int64_t{value_head} * delta_.head_dim * stride_;
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
    AlignedBuffer<float> numbers;
  };
  float* numbers(int layer) { return numbers_.data() + slots_[static_cast<size_t>(layer)] * layer_floats_; }

  const DeltaConfig delta_;
  const int stride_;
  const int64_t recent_floats_;
  const int64_t layer_floats_;
  std::vector<int> slots_;         // [layer]; -1: keeps no state
  std::vector<int> layer_tokens_;  // [slot]: how many tokens the layer's state is behind
  AlignedBuffer<float> numbers_;   // [slot]
  std::vector<Copy> kept_;         // by ascending n_tokens
};

}  // namespace mneme::engine::cpu

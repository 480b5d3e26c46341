// What random models of Qwen3.5's layout (random_model.h) have beside those of llama's: layers that keep a state, and
// norms and gates of heads. Threads: pure.
#pragma once

#include <cstdint>
#include <string>

#include "engine/gguf/gguf_writer.h"
#include "engine/gguf/tensor_type.h"

namespace mneme::engine {

// As many key heads as value heads, which is what the small ones have.
struct RandomStates {
  uint32_t attention_head_dim;
  uint32_t n_rot;
  uint32_t head_dim;
  uint32_t n_heads;

  static constexpr uint32_t kInterval = 4;  // of so many layers the last attends
  static bool keeps_state(uint32_t layer) { return (layer + 1) % kInterval != 0; }

  // family: "qwen35."
  void add_metadata(gguf::GgufWriter& writer, const std::string& family) const;
  // Room for the tensors of such a layer, and of the heads of one that attends. prefix: "blk.0."
  void add_layer(gguf::GgufWriter& writer, const std::string& prefix, gguf::TensorType type, uint64_t dim) const;
  void add_head_norms(gguf::GgufWriter& writer, const std::string& prefix) const;
};

}  // namespace mneme::engine

#include "engine/model/random_states.h"

#include "engine/gguf/dequantize.h"

namespace mneme::engine {

namespace {

using gguf::TensorType;

constexpr uint32_t kConvWidth = 4;

void add_vector(gguf::GgufWriter& writer, const std::string& name, uint64_t n) {
  writer.add_tensor_space(name, {n}, TensorType::kF32, n * sizeof(float));
}

}  // namespace

void RandomStates::add_metadata(gguf::GgufWriter& writer, const std::string& family) const {
  writer.add_u32(family + "attention.key_length", attention_head_dim);
  writer.add_u32(family + "attention.value_length", attention_head_dim);
  const auto part = static_cast<int32_t>(n_rot / 6);
  writer.add_i32s(family + "rope.dimension_sections", {static_cast<int32_t>(n_rot / 2) - 2 * part, part, part, 0});
  writer.add_u32(family + "full_attention_interval", kInterval);
  writer.add_u32(family + "ssm.conv_kernel", kConvWidth);
  writer.add_u32(family + "ssm.state_size", head_dim);
  writer.add_u32(family + "ssm.group_count", n_heads);
  writer.add_u32(family + "ssm.time_step_rank", n_heads);
  writer.add_u32(family + "ssm.inner_size", n_heads * head_dim);
}

void RandomStates::add_layer(gguf::GgufWriter& writer, const std::string& prefix, TensorType type, uint64_t dim) const {
  const auto matrix = [&](const std::string& name, uint64_t n_out, uint64_t n_in) {
    const auto row_bytes = static_cast<uint64_t>(gguf::row_bytes(type, static_cast<int64_t>(n_in)));
    writer.add_tensor_space(prefix + name, {n_in, n_out}, type, row_bytes * n_out);
  };
  const uint64_t inner = uint64_t{n_heads} * head_dim;
  matrix("attn_qkv.weight", 3 * inner, dim);
  matrix("attn_gate.weight", inner, dim);
  matrix("ssm_beta.weight", n_heads, dim);
  matrix("ssm_alpha.weight", n_heads, dim);
  matrix("ssm_out.weight", dim, inner);
  writer.add_tensor_space(prefix + "ssm_conv1d.weight", {kConvWidth, 3 * inner}, TensorType::kF32,
                          kConvWidth * 3 * inner * sizeof(float));
  add_vector(writer, prefix + "ssm_a", n_heads);
  add_vector(writer, prefix + "ssm_dt.bias", n_heads);
  add_vector(writer, prefix + "ssm_norm.weight", head_dim);
}

void RandomStates::add_head_norms(gguf::GgufWriter& writer, const std::string& prefix) const {
  add_vector(writer, prefix + "attn_q_norm.weight", attention_head_dim);
  add_vector(writer, prefix + "attn_k_norm.weight", attention_head_dim);
}

}  // namespace mneme::engine

#include "engine/model/random_model.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <thread>

#include "base/f16.h"
#include "base/random.h"
#include "base/thread_pool.h"
#include "engine/gguf/dequantize.h"
#include "engine/gguf/gguf_file.h"
#include "engine/gguf/gguf_writer.h"
#include "engine/model/random_states.h"

namespace mneme::engine {

namespace {

using gguf::TensorType;

struct Shape {
  std::string_view name;
  uint32_t dim, n_layers, n_heads, n_kv_heads, ffn_dim, vocab_size, context;
  const RandomStates* states = nullptr;  // of Qwen3.5's layout; null: llama's
  uint32_t head_dim() const { return states != nullptr ? states->attention_head_dim : dim / n_heads; }
  std::string_view architecture() const { return states != nullptr ? "qwen35" : "llama"; }
};

constexpr RandomStates kQwen35Small = {.attention_head_dim = 256, .n_rot = 64, .head_dim = 128, .n_heads = 16};
constexpr RandomStates kTinyStates = {.attention_head_dim = 64, .n_rot = 16, .head_dim = 64, .n_heads = 4};

constexpr Shape kShapes[] = {
    {"bench-336m", 1024, 24, 16, 4, 2816, 32000, 131072},  // the shape all speeds are stated for
    {"bench-tiny", 256, 4, 4, 2, 768, 512, 8192},          // for smoke tests
    // Sizes that GPUs are measured with, all in the llama layout.
    {"llama-3-8b", 4096, 32, 32, 8, 14336, 128256, 131072},
    {"mistral-7b", 4096, 32, 32, 8, 14336, 32768, 32768},
    {"qwen2.5-1.5b", 1536, 28, 12, 2, 8960, 151936, 32768},
    // Three layers of four keep a state.
    {"qwen3.5-0.8b", 1024, 24, 8, 2, 3584, 248320, 262144, &kQwen35Small},
    {"qwen3.5-tiny", 256, 4, 4, 2, 768, 512, 8192, &kTinyStates},
};

// Where a block keeps its f16 scale and (for types with one) its f16 minimum, and the minimum's ratio to the scale that
// centres the weights.
struct ScaleField {
  size_t scale;
  int minimum = -1;
  float minimum_ratio = 0;
};

ScaleField scale_field(TensorType type) {
  switch (type) {
    case TensorType::kQ4_1: return {0, 2, -7.5f};
    case TensorType::kQ5_1: return {0, 2, -15.5f};
    case TensorType::kQ2_K: return {80, 82, 1.5f};
    case TensorType::kQ3_K: return {108};
    case TensorType::kQ4_K: return {0, 2, 7.5f};
    case TensorType::kQ5_K: return {0, 2, 15.5f};
    case TensorType::kQ6_K: return {208};
    default: return {0};  // Q4_0, Q5_0, Q8_0, IQ4_NL, IQ4_XS
  }
}

void put_scales(std::span<std::byte> blocks, size_t block_bytes, const ScaleField& field, float scale) {
  const f16 stored = to_f16(scale);
  const f16 minimum = to_f16(scale * field.minimum_ratio);
  for (size_t at = 0; at < blocks.size(); at += block_bytes) {
    std::memcpy(blocks.data() + at + field.scale, &stored, sizeof stored);
    if (field.minimum >= 0)
      std::memcpy(blocks.data() + at + static_cast<size_t>(field.minimum), &minimum, sizeof minimum);
  }
}

// Where numbers come from, until nobody wants them any more.
struct Source {
  Random random;
  const CancelToken& cancel;

  // Asked at every byte's place, looked up at one in a MiB.
  bool ends_at(size_t at) const { return at % (size_t{1} << 20) == 0 && cancel.cancelled(); }
};

void fill_bits(std::span<std::byte> bytes, Source& source) {
  Random& random = source.random;
  size_t at = 0;
  for (; at + sizeof(uint64_t) <= bytes.size(); at += sizeof(uint64_t)) {
    if (source.ends_at(at)) return;
    const uint64_t bits = random.next();
    std::memcpy(bytes.data() + at, &bits, sizeof bits);
  }
  const uint64_t bits = random.next();
  std::memcpy(bytes.data() + at, &bits, bytes.size() - at);
}

// Root mean square of what the blocks stand for.
float measured_deviation(TensorType type, std::span<const std::byte> blocks, size_t n_elements) {
  std::vector<float> values(n_elements);
  gguf::dequantize_row(type, blocks.data(), static_cast<int64_t>(n_elements), values.data());
  double sum = 0;
  for (const float value : values) sum += static_cast<double>(value) * value;
  return static_cast<float>(std::sqrt(sum / static_cast<double>(n_elements)));
}

// Its scales are powers of two: the deviation is met to within a factor of the root of two.
void fill_mxfp4(std::span<std::byte> bytes, float deviation, Source& source) {
  constexpr float kOfLevels = 5.85f;  // root mean square of the sixteen
  const auto exponent = static_cast<int>(std::lround(std::log2(deviation / kOfLevels))) + 128;
  fill_bits(bytes, source);
  const auto block_bytes = static_cast<size_t>(gguf::tensor_type_info(TensorType::kMXFP4)->block_bytes);
  for (size_t at = 0; at < bytes.size(); at += block_bytes) bytes[at] = static_cast<std::byte>(exponent);
}

void fill_quantised(TensorType type, std::span<std::byte> bytes, float deviation, Source& source) {
  if (type == TensorType::kMXFP4) return fill_mxfp4(bytes, deviation, source);
  const gguf::TensorTypeInfo info = *gguf::tensor_type_info(type);
  const auto block_bytes = static_cast<size_t>(info.block_bytes);
  const ScaleField field = scale_field(type);
  fill_bits(bytes, source);
  if (source.cancel.cancelled()) return;  // of nothing but zeros there is no scale
  const size_t n_sample = std::min<size_t>(bytes.size() / block_bytes, 256);
  const std::span<std::byte> sample = bytes.first(n_sample * block_bytes);
  constexpr float kTrialScale = 0.0625f;  // no f16 overflow or underflow with any type
  put_scales(sample, block_bytes, field, kTrialScale);
  const float trial = measured_deviation(type, sample, n_sample * static_cast<size_t>(info.block_elements));
  put_scales(bytes, block_bytes, field, kTrialScale * deviation / trial);
}

// Uniform values of the deviation: as good as Gaussian ones for measuring, and much faster to make.
template <typename T, typename Convert>
void fill_plain(std::span<std::byte> bytes, float deviation, Source& source, Convert convert) {
  const float reach = deviation * std::sqrt(3.0f);
  for (size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    if (source.ends_at(at)) return;
    const auto bits = static_cast<int32_t>(static_cast<uint32_t>(source.random.next()));
    const T value = convert(static_cast<float>(bits) * 0x1p-31f * reach);
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }
}

void fill_matrix(TensorType type, std::span<std::byte> bytes, float deviation, Source& source) {
  switch (type) {
    case TensorType::kF32: return fill_plain<float>(bytes, deviation, source, [](float x) { return x; });
    case TensorType::kF16: return fill_plain<f16>(bytes, deviation, source, [](float x) { return to_f16(x); });
    case TensorType::kBF16: return fill_plain<bf16>(bytes, deviation, source, [](float x) { return to_bf16(x); });
    default: return fill_quantised(type, bytes, deviation, source);
  }
}

void add_metadata(gguf::GgufWriter& writer, const Shape& shape) {
  const std::string family = std::string(shape.architecture()) + ".";
  writer.add_text("general.architecture", shape.architecture());
  writer.add_text("general.name", shape.name);
  writer.add_u32(family + "block_count", shape.n_layers);
  writer.add_u32(family + "context_length", shape.context);
  writer.add_u32(family + "embedding_length", shape.dim);
  writer.add_u32(family + "feed_forward_length", shape.ffn_dim);
  writer.add_u32(family + "attention.head_count", shape.n_heads);
  writer.add_u32(family + "attention.head_count_kv", shape.n_kv_heads);
  writer.add_f32(family + "attention.layer_norm_rms_epsilon", 1e-5f);
  writer.add_u32(family + "rope.dimension_count", shape.states != nullptr ? shape.states->n_rot : shape.head_dim());
  writer.add_f32(family + "rope.freq_base", 10000.0f);
  writer.add_u32(family + "vocab_size", shape.vocab_size);
  if (shape.states != nullptr) shape.states->add_metadata(writer, family);
  writer.add_text("tokenizer.ggml.model", "none");
}

void add_tensors(gguf::GgufWriter& writer, const Shape& shape, TensorType type) {
  const auto matrix = [&](const std::string& name, uint64_t n_out, uint64_t n_in) {
    const int64_t bytes = gguf::row_bytes(type, static_cast<int64_t>(n_in));
    writer.add_tensor_space(name, {n_in, n_out}, type, static_cast<uint64_t>(bytes) * n_out);
  };
  const auto norm = [&](const std::string& name) {
    writer.add_tensor_space(name, {shape.dim}, TensorType::kF32, uint64_t{shape.dim} * sizeof(float));
  };
  const uint64_t q_dim = uint64_t{shape.head_dim()} * shape.n_heads;
  const uint64_t kv_dim = uint64_t{shape.head_dim()} * shape.n_kv_heads;
  matrix("token_embd.weight", shape.vocab_size, shape.dim);
  norm("output_norm.weight");
  if (shape.states == nullptr) matrix("output.weight", shape.vocab_size, shape.dim);
  for (uint32_t layer = 0; layer < shape.n_layers; ++layer) {
    const std::string prefix = "blk." + std::to_string(layer) + ".";
    norm(prefix + "attn_norm.weight");
    if (shape.states != nullptr && RandomStates::keeps_state(layer)) {
      shape.states->add_layer(writer, prefix, type, shape.dim);
    } else {
      matrix(prefix + "attn_q.weight", shape.states != nullptr ? 2 * q_dim : q_dim, shape.dim);
      matrix(prefix + "attn_k.weight", kv_dim, shape.dim);
      matrix(prefix + "attn_v.weight", kv_dim, shape.dim);
      matrix(prefix + "attn_output.weight", shape.dim, q_dim);
      if (shape.states != nullptr) shape.states->add_head_norms(writer, prefix);
    }
    norm(prefix + (shape.states != nullptr ? "post_attention_norm.weight" : "ffn_norm.weight"));
    matrix(prefix + "ffn_gate.weight", shape.ffn_dim, shape.dim);
    matrix(prefix + "ffn_up.weight", shape.ffn_dim, shape.dim);
    matrix(prefix + "ffn_down.weight", shape.dim, shape.ffn_dim);
  }
}

Result<const Shape*> find_shape(std::string_view name) {
  const auto* shape =
      std::find_if(std::begin(kShapes), std::end(kShapes), [&](const Shape& s) { return s.name == name; });
  if (shape == std::end(kShapes))
    return not_found("there is no shape '" + std::string(name) + "' (known: " + random_shapes() + ")");
  return shape;
}

}  // namespace

std::string random_shapes() {
  std::string names;
  for (const Shape& shape : kShapes) names += (names.empty() ? "" : ", ") + std::string(shape.name);
  return names;
}

Result<RandomKvHeads> random_kv_heads(std::string_view shape_name) {
  MNEME_ASSIGN_OR_RETURN(const Shape* const shape, find_shape(shape_name));
  return RandomKvHeads{static_cast<int>(shape->n_kv_heads), static_cast<int>(shape->head_dim())};
}

Result<std::vector<std::byte>> make_random_gguf(std::string_view shape_name, TensorType type, uint64_t seed,
                                                const CancelToken& cancel) {
  MNEME_ASSIGN_OR_RETURN(const Shape* const shape, find_shape(shape_name));
  if (gguf::row_bytes(type, shape->dim) == 0 || gguf::row_bytes(type, shape->ffn_dim) == 0)
    return usage_error("rows of " + std::to_string(shape->dim) + " and " + std::to_string(shape->ffn_dim) +
                       " cannot be stored in the blocks of this type");
  gguf::GgufWriter writer;
  add_metadata(writer, *shape);
  add_tensors(writer, *shape, type);
  std::vector<std::byte> bytes = writer.finish();
  MNEME_ASSIGN_OR_RETURN(const gguf::GgufFile file, gguf::GgufFile::parse(bytes, std::string(shape_name)));
  // Every tensor has numbers of its own, so that it does not matter who makes them.
  const auto fill = [&](size_t index) {
    const gguf::TensorInfo& tensor = file.tensors()[index];
    Source source{Random((seed + index + 1) * 0x9e3779b97f4a7c15u), cancel};
    const std::span<std::byte> target(bytes.data() + (tensor.bytes.data() - bytes.data()), tensor.bytes.size());
    // Decays are by negative numbers.
    if (tensor.name.ends_with(".ssm_a"))
      return fill_plain<float>(target, 0.1f, source, [](float x) { return x - 1.0f; });
    if (tensor.dims.size() == 1) return fill_plain<float>(target, 0.1f, source, [](float x) { return 1.0f + x; });
    fill_matrix(tensor.type, target, 1.0f / std::sqrt(static_cast<float>(tensor.dims[0])), source);
  };
  ThreadPool pool(static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
  pool.parallel_for(file.tensors().size(), 1, [&](int, size_t begin, size_t end) {
    for (size_t index = begin; index < end; ++index) fill(index);
  });
  if (cancel.cancelled()) return cancelled();
  return bytes;
}

}  // namespace mneme::engine

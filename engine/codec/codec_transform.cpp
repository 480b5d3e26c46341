// The codec of the lossy levels: a basis per layer, part and group of channels concentrates the KV in few components
// (in the manner of KVTC, 2511.01815), which are quantised with one step and coded with model-wide tables. Layout of
// the bytes: kv_payload_format.md.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include "engine/codec/codec_kernels.h"
#include "engine/codec/codec_list.h"
#include "engine/codec/cpu_paths.h"
#include "engine/codec/kv_transform.h"
#include "engine/codec/rans.h"

namespace mneme::engine {

namespace {

constexpr uint32_t kTransformId = 0x100;        // + level
constexpr size_t kSymbolsPerStream = 1u << 18;  // a stream is what one warp or one call decodes
constexpr int kBlockTokens = 24;                // decoded at a time: stays in the first-level caches
constexpr size_t kExceptionBytes = 6;
constexpr uint32_t kExceptionCost = 48 * 256;  // in 1/256 bits
constexpr double kBudgetSlack = 1.01;

// A chunk that would take more than its share is coded with a coarser step: 2^(n / 4) times as large, stored as n.
constexpr int kScales = 32;
float step_scale(int n) {
  constexpr float kQuarters[] = {1.0f, 1.18920712f, 1.41421356f, 1.68179283f};
  return kQuarters[n % 4] * static_cast<float>(1u << n / 4);
}

// The components of one group that are coded, and where they stand in a token's row of symbols.
struct CodedGroup {
  int part = 0;
  int first_channel = 0;
  int offset = 0;                // in the row
  int count = 0;                 // components
  std::vector<float> synthesis;  // (count, group_dim): component to channels
};

// Everything one layer needs.
struct LayerPlan {
  int row = 0;  // symbols per token, a multiple of kRansLanes
  std::vector<CodedGroup> groups;
  RansPattern pattern;                     // (row)
  std::vector<float> reach, step, shrink;  // (row)
};

// Cuts tokens into streams of similar length.
int stream_count(int n_tokens, int row) {
  const size_t symbols = static_cast<size_t>(n_tokens) * row;
  return static_cast<int>(std::clamp<size_t>((symbols + kSymbolsPerStream - 1) / kSymbolsPerStream, 1,
                                             static_cast<size_t>(std::max(n_tokens, 1))));
}
int stream_begin(int n_tokens, int n_streams, int stream) {
  return static_cast<int>(static_cast<int64_t>(n_tokens) * stream / n_streams);
}

template <typename T>
void put(std::vector<std::byte>& out, T value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

class TransformCodec final : public KvCodec {
 public:
  TransformCodec(std::shared_ptr<const KvProfile> profile, KvLevel level)
      : profile_(std::move(profile)), level_(level), kernels_(codec_kernels(best_codec_path())) {}

  Status prepare();

  std::string_view name() const override { return "transform"; }
  KvLevel level() const override { return level_; }
  uint32_t id() const override { return kTransformId + static_cast<uint32_t>(level_); }
  const KvShape& shape() const override { return profile_->shape; }

  Status encode_layer(int layer, int n_tokens, std::span<const f16> keys, std::span<const f16> values,
                      std::vector<std::byte>& out) const override;
  Status decode_layer(int layer, int n_tokens, ByteSpan payload, std::span<f16> keys,
                      std::span<f16> values) const override;

 private:
  struct Exception {
    uint32_t index;
    int16_t value;
  };

  const KvLevelProfile& coding() const { return profile_->levels[static_cast<int>(level_) - 1]; }
  void plan_layer(int layer);
  void add_component(LayerPlan& plan, int layer, int part, int component) const;
  Status read_exceptions(ByteReader& reader, size_t n_symbols, std::vector<Exception>& exceptions) const;
  using PartComponents = std::array<std::vector<float>, 2>;
  // Calls take(place in the row, integer) for every coded component of a token.
  template <typename Take>
  void for_each_integer(const LayerPlan& plan, int token, const std::vector<float>& inverse,
                        const PartComponents& components, const Take& take) const;
  int choose_scale(int layer, int n_tokens, const PartComponents& components) const;
  void quantise(const LayerPlan& plan, int n_tokens, int scale, const PartComponents& components,
                std::vector<uint8_t>& symbols, std::vector<Exception>& exceptions) const;
  void synthesise(const LayerPlan& plan, int layer, int n_tokens, int scale, const uint8_t* symbols,
                  std::span<const Exception> exceptions, std::span<f16> keys, std::span<f16> values) const;

  std::shared_ptr<const KvProfile> profile_;
  KvLevel level_;
  const CodecKernels& kernels_;
  RansTables tables_;
  uint32_t padding_table_ = 0;
  std::vector<uint32_t> costs_;  // 256 per table, in 1/256 bits
  std::vector<LayerPlan> plans_;
  std::vector<std::array<KvForwardTransform, 2>> forward_;
};

Status TransformCodec::prepare() {
  for (const KvCodingClass& coding_class : coding().classes) {
    auto table = tables_.add(coding_class.frequencies);
    if (!table.ok()) return table.status();
    for (const uint16_t frequency : coding_class.frequencies)
      costs_.push_back(frequency > 0 ? rans_cost(frequency) : 0);
  }
  RansFrequencies only_zero(256, 0);
  only_zero[0] = kRansTotal;  // costs no bits
  MNEME_ASSIGN_OR_RETURN(const int padding, tables_.add(only_zero));
  padding_table_ = static_cast<uint32_t>(padding);
  for (int layer = 0; layer < shape().n_layers; ++layer) {
    plan_layer(layer);
    const auto& bases = profile_->bases[layer];
    forward_.push_back({KvForwardTransform(bases[0], shape().kv_dim(), profile_->group_dim),
                        KvForwardTransform(bases[1], shape().kv_dim(), profile_->group_dim)});
  }
  return {};
}

void TransformCodec::add_component(LayerPlan& plan, int layer, int part, int component) const {
  const KvPartLevel& level = coding().layers[layer][part];
  const uint8_t number = level.classes[component];
  const KvCodingClass& coding_class = coding().classes[number];
  plan.pattern.push_back(number);
  plan.reach.push_back(coding_class.reach);
  plan.step.push_back(level.step);
  plan.shrink.push_back(level.step * coding_class.shrink);
}

void TransformCodec::plan_layer(int layer) {
  LayerPlan plan;
  const int group_dim = profile_->group_dim;
  for (int part = 0; part < 2; ++part) {
    const KvBasis& basis = profile_->bases[layer][part];
    const std::vector<uint8_t>& classes = coding().layers[layer][part].classes;
    for (int g = 0; g < profile_->n_groups(); ++g) {
      CodedGroup group;
      group.part = part;
      group.first_channel = g * group_dim;
      group.offset = static_cast<int>(plan.pattern.size());
      while (group.count < group_dim && classes[g * group_dim + group.count] != KvPartLevel::kDropped) {
        const int component = g * group_dim + group.count++;
        add_component(plan, layer, part, component);
        for (int channel = 0; channel < group_dim; ++channel) {
          const size_t at = static_cast<size_t>(component) * group_dim + channel;
          group.synthesis.push_back(to_f32(basis.vectors[at]) / basis.weight[group.first_channel + channel]);
        }
      }
      plan.groups.push_back(std::move(group));
    }
  }
  while (plan.pattern.empty() || plan.pattern.size() % kRansLanes != 0) {
    plan.pattern.push_back(padding_table_);
    plan.reach.push_back(0);
    plan.step.push_back(0);
    plan.shrink.push_back(0);
  }
  plan.row = static_cast<int>(plan.pattern.size());
  plans_.push_back(std::move(plan));
}

Status check_arguments(const KvShape& shape, int layer, int n_tokens, size_t keys, size_t values) {
  const size_t expected = static_cast<size_t>(std::max(n_tokens, 0)) * shape.kv_dim();
  if (layer < 0 || layer >= shape.n_layers || n_tokens < 0 || keys != expected || values != expected) {
    return usage_error("KV of layer " + std::to_string(layer) + " with " + std::to_string(n_tokens) +
                       " tokens does not fit the codec's shape.");
  }
  return {};
}

std::vector<float> inverse_steps(const LayerPlan& plan, int scale) {
  std::vector<float> inverse(plan.row);
  for (int i = 0; i < plan.row; ++i) inverse[i] = plan.step[i] > 0 ? 1.0f / (plan.step[i] * step_scale(scale)) : 0.0f;
  return inverse;
}

template <typename Take>
void TransformCodec::for_each_integer(const LayerPlan& plan, int token, const std::vector<float>& inverse,
                                      const PartComponents& components, const Take& take) const {
  for (const CodedGroup& group : plan.groups) {
    const float* values =
        components[group.part].data() + static_cast<size_t>(token) * shape().kv_dim() + group.first_channel;
    for (int i = 0; i < group.count; ++i) {
      take(group.offset + i, quantise_component(values[i], inverse[group.offset + i]));
    }
  }
}

// The finest step at which the layer keeps to its share of bits, judged by some of the tokens.
int TransformCodec::choose_scale(int layer, int n_tokens, const PartComponents& components) const {
  const LayerPlan& plan = plans_[layer];
  constexpr int kJudged = 64;
  const int stride = std::max(1, n_tokens / kJudged);
  const int n_judged = (n_tokens + stride - 1) / stride;
  const auto budget =
      static_cast<uint64_t>(256 * kBudgetSlack * coding().layer_bits[layer] * 2 * shape().kv_dim() * n_judged);
  for (int scale = 0; scale < kScales - 1; ++scale) {
    const std::vector<float> inverse = inverse_steps(plan, scale);
    uint64_t cost = 0;
    for (int token = 0; token < n_tokens && cost <= budget; token += stride) {
      for_each_integer(plan, token, inverse, components, [&](int place, int integer) {
        const int reach = static_cast<int>(plan.reach[place]);
        const int inside = std::clamp(integer, -reach, reach);
        cost += costs_[plan.pattern[place] * 256 + static_cast<size_t>(inside + reach)];
        if (inside != integer) cost += kExceptionCost;
      });
    }
    if (cost <= budget) return scale;
  }
  return kScales - 1;
}

void TransformCodec::quantise(const LayerPlan& plan, int n_tokens, int scale, const PartComponents& components,
                              std::vector<uint8_t>& symbols, std::vector<Exception>& exceptions) const {
  const std::vector<float> inverse = inverse_steps(plan, scale);
  std::fill(symbols.begin(), symbols.end(), uint8_t{0});  // padding
  for (int token = 0; token < n_tokens; ++token) {
    const size_t base = static_cast<size_t>(token) * plan.row;
    for_each_integer(plan, token, inverse, components, [&](int place, int integer) {
      const int reach = static_cast<int>(plan.reach[place]);
      const int inside = std::clamp(integer, -reach, reach);
      symbols[base + place] = static_cast<uint8_t>(inside + reach);
      if (inside != integer) {
        exceptions.push_back({static_cast<uint32_t>(base + place), static_cast<int16_t>(integer)});
      }
    });
  }
}

Status TransformCodec::encode_layer(int layer, int n_tokens, std::span<const f16> keys, std::span<const f16> values,
                                    std::vector<std::byte>& out) const {
  MNEME_RETURN_IF_ERROR(check_arguments(shape(), layer, n_tokens, keys.size(), values.size()));
  if (n_tokens == 0) return {};
  const LayerPlan& plan = plans_[layer];
  thread_local PartComponents components;
  forward_[layer][0].apply(kernels_, n_tokens, keys, components[0]);
  forward_[layer][1].apply(kernels_, n_tokens, values, components[1]);

  thread_local std::vector<uint8_t> symbols;
  symbols.resize(static_cast<size_t>(n_tokens) * plan.row);
  std::vector<Exception> exceptions;
  const int scale = choose_scale(layer, n_tokens, components);
  quantise(plan, n_tokens, scale, components, symbols, exceptions);

  const int n_streams = stream_count(n_tokens, plan.row);
  put(out, static_cast<uint8_t>(scale));
  put(out, static_cast<uint32_t>(exceptions.size()));
  const size_t lengths = out.size();
  out.resize(out.size() + sizeof(uint32_t) * n_streams);
  for (const Exception& exception : exceptions) {
    put(out, exception.index);
    put(out, exception.value);
  }
  for (int s = 0; s < n_streams; ++s) {
    const size_t begin = static_cast<size_t>(stream_begin(n_tokens, n_streams, s)) * plan.row;
    const size_t end = static_cast<size_t>(stream_begin(n_tokens, n_streams, s + 1)) * plan.row;
    const size_t before = out.size();
    rans_encode(tables_, plan.pattern, std::span(symbols).subspan(begin, end - begin), out);
    const auto length = static_cast<uint32_t>(out.size() - before);
    std::memcpy(out.data() + lengths + s * sizeof(uint32_t), &length, sizeof(length));
  }
  return {};
}

Status TransformCodec::read_exceptions(ByteReader& reader, size_t n_symbols, std::vector<Exception>& exceptions) const {
  for (Exception& exception : exceptions) {
    exception.index = reader.read<uint32_t>();
    exception.value = reader.read<int16_t>();
  }
  // Ascending places inside the layer; the first block looks for its own from the front.
  for (size_t i = 0; i < exceptions.size(); ++i) {
    if (exceptions[i].index >= n_symbols || (i > 0 && exceptions[i].index <= exceptions[i - 1].index)) {
      return corruption("an encoded KV layer names a number that is not in it");
    }
  }
  return {};
}

Status TransformCodec::decode_layer(int layer, int n_tokens, ByteSpan payload, std::span<f16> keys,
                                    std::span<f16> values) const {
  MNEME_RETURN_IF_ERROR(check_arguments(shape(), layer, n_tokens, keys.size(), values.size()));
  if (n_tokens == 0) return payload.empty() ? Status() : corruption("an empty KV layer holds bytes");
  const LayerPlan& plan = plans_[layer];
  const size_t n_symbols = static_cast<size_t>(n_tokens) * plan.row;
  const int n_streams = stream_count(n_tokens, plan.row);
  ByteReader reader(payload);
  const auto scale = reader.read<uint8_t>();
  const auto n_exceptions = reader.read<uint32_t>();
  if (!reader.ok() || scale >= kScales || n_exceptions > reader.left() / kExceptionBytes ||
      static_cast<size_t>(n_streams) > reader.left() / sizeof(uint32_t)) {
    return corruption("an encoded KV layer is too short for what it says it holds");
  }
  std::vector<uint32_t> lengths(n_streams);
  for (uint32_t& length : lengths) length = reader.read<uint32_t>();
  std::vector<Exception> exceptions(n_exceptions);
  MNEME_RETURN_IF_ERROR(read_exceptions(reader, n_symbols, exceptions));
  thread_local std::vector<uint8_t> symbols;
  symbols.resize(n_symbols);
  for (int s = 0; s < n_streams; ++s) {
    const size_t begin = static_cast<size_t>(stream_begin(n_tokens, n_streams, s)) * plan.row;
    const size_t end = static_cast<size_t>(stream_begin(n_tokens, n_streams, s + 1)) * plan.row;
    const ByteSpan stream = reader.read_bytes(lengths[s]);
    if (!reader.ok() || !rans_decode(tables_, plan.pattern, stream, std::span(symbols).subspan(begin, end - begin))) {
      return corruption("an encoded KV layer is damaged");
    }
  }
  if (reader.left() != 0) return corruption("an encoded KV layer is longer than it should be");
  synthesise(plan, layer, n_tokens, scale, symbols.data(), exceptions, keys, values);
  return {};
}

void TransformCodec::synthesise(const LayerPlan& plan, int layer, int n_tokens, int scale, const uint8_t* symbols,
                                std::span<const Exception> exceptions, std::span<f16> keys,
                                std::span<f16> values) const {
  const int kv_dim = shape().kv_dim();
  thread_local std::vector<float> components, channels;
  components.resize(static_cast<size_t>(kBlockTokens) * plan.row);
  channels.resize(static_cast<size_t>(2) * kBlockTokens * kv_dim);
  std::vector<float> step(plan.step), shrink(plan.shrink);
  for (float& value : step) value *= step_scale(scale);
  for (float& value : shrink) value *= step_scale(scale);
  size_t next = 0;
  for (int first = 0; first < n_tokens; first += kBlockTokens) {
    const int n = std::min(kBlockTokens, n_tokens - first);
    const size_t base = static_cast<size_t>(first) * plan.row;
    for (int t = 0; t < n; ++t) {
      kernels_.dequantise(symbols + base + static_cast<size_t>(t) * plan.row, plan.row, plan.reach.data(), step.data(),
                          shrink.data(), components.data() + static_cast<size_t>(t) * plan.row);
    }
    for (; next < exceptions.size() && exceptions[next].index < base + static_cast<size_t>(n) * plan.row; ++next) {
      const size_t place = exceptions[next].index % plan.row;
      const float value = exceptions[next].value;
      components[exceptions[next].index - base] = value * step[place] - (value > 0 ? shrink[place] : -shrink[place]);
    }
    for (const CodedGroup& group : plan.groups) {
      const KvBasis& basis = profile_->bases[layer][group.part];
      kernels_.multiply(
          components.data() + group.offset, plan.row, n, group.count, group.synthesis.data(), profile_->group_dim,
          basis.mean.data() + group.first_channel,
          channels.data() + (static_cast<size_t>(group.part) * kBlockTokens) * kv_dim + group.first_channel, kv_dim);
    }
    kernels_.to_half(channels.data(), n * kv_dim, keys.data() + static_cast<size_t>(first) * kv_dim);
    kernels_.to_half(channels.data() + static_cast<size_t>(kBlockTokens) * kv_dim, n * kv_dim,
                     values.data() + static_cast<size_t>(first) * kv_dim);
  }
}

}  // namespace

Result<std::unique_ptr<KvCodec>> make_transform_codec(std::shared_ptr<const KvProfile> profile, KvLevel level) {
  if (profile == nullptr || level == KvLevel::kExact) {
    return usage_error("this KV level needs the model's calibration profile; calibrate the model first.");
  }
  auto codec = std::make_unique<TransformCodec>(std::move(profile), level);
  MNEME_RETURN_IF_ERROR(codec->prepare());
  return std::unique_ptr<KvCodec>(std::move(codec));
}

}  // namespace mneme::engine

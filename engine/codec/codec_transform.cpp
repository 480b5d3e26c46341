// The codec of the lossy levels: a basis per layer, part and group of channels concentrates the KV in few components
// (in the manner of KVTC, 2511.01815), which are quantised with one step and coded with model-wide tables. Components
// are put back together in integers. Layout of the bytes: kv_payload_format.md.
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>
#include <numeric>

#include "engine/codec/codec_kernels.h"
#include "engine/codec/codec_list.h"
#include "engine/codec/cpu_paths.h"
#include "engine/codec/kv_transform.h"
#include "engine/codec/rans.h"
#include "engine/codec/transform_plan.h"

namespace mneme::engine {

namespace {

constexpr uint32_t kTransformId = 0x110;        // + level
constexpr size_t kSymbolsPerStream = 1u << 18;  // a stream is what one warp or one call decodes
constexpr size_t kExceptionBytes = 6;
constexpr uint32_t kExceptionCost = 48 * 256;  // in 1/256 bits
constexpr double kBudgetSlack = 1.01;

// A chunk that would take more than its share is coded with a coarser step: 2^(n / 4) times as large, stored as n.
constexpr int kScales = 32;
float step_scale(int n) {
  constexpr float kQuarters[] = {1.0f, 1.18920712f, 1.41421356f, 1.68179283f};
  return kQuarters[n % 4] * static_cast<float>(1u << n / 4);
}

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

Status check_arguments(const KvShape& shape, int layer, int n_tokens, size_t keys, size_t values) {
  const size_t expected = static_cast<size_t>(std::max(n_tokens, 0)) * shape.kv_dim();
  if (layer < 0 || layer >= shape.n_layers || n_tokens < 0 || keys != expected || values != expected) {
    return usage_error("KV of layer " + std::to_string(layer) + " with " + std::to_string(n_tokens) +
                       " tokens does not fit the codec's shape.");
  }
  return {};
}

constexpr int kMaxGroup = 128;  // channels, see kv_group_dim()

// What the kernels quantise a group's components with at a scale; zeros for those that are not coded.
struct GroupScale {
  std::vector<float> factor, reach;  // (group_dim)
  int padded;                        // components, up to whole vectors

  GroupScale(const TransformPlan& plan, const CodedGroup& group, int group_dim, int scale)
      : factor(group_dim), reach(group_dim), padded((group.count + 15) / 16 * 16) {
    for (int j = 0; j < group.count; ++j) {
      factor[j] = 1.0f / (plan.step[group.first + j] * step_scale(scale));
      reach[j] = plan.reach[group.first + j];
    }
  }
};

class TransformCodec final : public KvCodec {
 public:
  TransformCodec(std::shared_ptr<const KvProfile> profile, KvLevel level)
      : profile_(std::move(profile)), level_(level), kernels_(codec_kernels(best_codec_path())) {}

  Status prepare();

  std::string_view name() const override { return "transform"; }
  KvLevel level() const override { return level_; }
  uint32_t id() const override { return kTransformId + static_cast<uint32_t>(level_); }
  const KvShape& shape() const override { return profile_->shape; }
  double decode_operations() const override;

  Status encode_layer(int layer, int n_tokens, std::span<const f16> keys, std::span<const f16> values,
                      std::vector<std::byte>& out) const override;
  Status decode_layer(int layer, int n_tokens, ByteSpan payload, std::span<f16> keys,
                      std::span<f16> values) const override;

 private:
  // An integer beyond the reach of its component, by its place among the layer's symbols.
  struct Exception {
    uint32_t index;
    int16_t value;
  };
  // The tokens of one stream; their symbols stand component by component: symbol (j, t) at j * n_tokens + t.
  struct Stream {
    int first_token = 0;
    int n_tokens = 0;
    size_t first_symbol = 0;  // among the layer's, without padding
  };
  // The same by what it changes.
  struct Repair {
    int token;      // in the stream
    int component;  // in the group
    int value;
  };
  // The exceptions of a stream by block of tokens and group: those of bucket b are items begin[b] .. begin[b + 1].
  struct Repairs {
    std::vector<uint32_t> begin;
    std::vector<Repair> items;
  };
  using PartComponents = std::array<std::vector<float>, 2>;

  const KvLevelProfile& coding() const { return profile_->levels[static_cast<int>(level_) - 1]; }
  int choose_scale(int layer, int n_tokens, const PartComponents& components) const;
  uint64_t row_cost(const TransformPlan& plan, const CodedGroup& group, const GroupScale& quantiser,
                    const float* components) const;
  void quantise(const TransformPlan& plan, const Stream& stream, int scale, const PartComponents& components,
                std::vector<uint8_t>& symbols, std::vector<Exception>& exceptions) const;
  // Those of one token of a stream in a group; components: of that token and group.
  void add_exceptions(const TransformPlan& plan, const CodedGroup& group, const GroupScale& quantiser,
                      const Stream& stream, size_t token, const float* components,
                      std::vector<Exception>& exceptions) const;
  Status read_exceptions(ByteReader& reader, size_t n_symbols, std::vector<Exception>& exceptions) const;
  Repairs sort_by_block(const TransformPlan& plan, const Stream& stream, std::span<const Exception> exceptions) const;
  void synthesise(int layer, const Stream& stream, const std::vector<std::vector<float>>& scales,
                  const Repairs& repairs, const uint8_t* symbols, std::span<f16> keys, std::span<f16> values) const;
  void synthesise_wide_row(int layer, const CodedGroup& group, const std::vector<float>& scale, const Stream& stream,
                           std::span<const Repair> repairs, int token, const uint8_t* symbols, f16* out) const;

  std::shared_ptr<const KvProfile> profile_;
  KvLevel level_;
  const CodecKernels& kernels_;
  RansTables tables_;
  uint32_t padding_table_ = 0;
  std::vector<uint32_t> costs_;  // 256 per table, in 1/256 bits
  std::vector<TransformPlan> plans_;
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
    plans_.push_back(make_transform_plan(*profile_, coding(), layer));
    const auto& bases = profile_->bases[layer];
    std::array<std::vector<int>, 2> counts;
    for (const CodedGroup& group : plans_.back().groups) counts[static_cast<size_t>(group.part)].push_back(group.count);
    forward_.push_back({KvForwardTransform(bases[0], shape().kv_dim(), profile_->group_dim, counts[0]),
                        KvForwardTransform(bases[1], shape().kv_dim(), profile_->group_dim, counts[1])});
  }
  return {};
}

// ---- encoding

// The finest step at which the layer keeps to its share of bits, judged by some of the tokens.
int TransformCodec::choose_scale(int layer, int n_tokens, const PartComponents& components) const {
  const TransformPlan& plan = plans_[layer];
  constexpr int kJudged = 64;
  const int stride = std::max(1, n_tokens / kJudged);
  const int n_judged = (n_tokens + stride - 1) / stride;
  const auto budget =
      static_cast<uint64_t>(256 * kBudgetSlack * coding().layer_bits[layer] * 2 * shape().kv_dim() * n_judged);
  for (int scale = 0; scale < kScales - 1; ++scale) {
    uint64_t cost = 0;
    for (const CodedGroup& group : plan.groups) {
      const GroupScale quantiser(plan, group, profile_->group_dim, scale);
      const float* own = components[group.part].data() + group.first_channel;
      for (int token = 0; token < n_tokens && cost <= budget; token += stride) {
        cost += row_cost(plan, group, quantiser, own + static_cast<size_t>(token) * shape().kv_dim());
      }
    }
    if (cost <= budget) return scale;
  }
  return kScales - 1;
}

// What the components of one token in one group cost, in 1/256 bits.
uint64_t TransformCodec::row_cost(const TransformPlan& plan, const CodedGroup& group, const GroupScale& quantiser,
                                  const float* components) const {
  alignas(64) uint8_t symbols[kMaxGroup];
  const bool outside =
      kernels_.quantise(components, quantiser.factor.data(), quantiser.reach.data(), quantiser.padded, symbols);
  uint64_t cost = 0;
  for (int j = 0; j < group.count; ++j) cost += costs_[plan.table[group.first + j] * 256 + symbols[j]];
  if (!outside) return cost;
  for (int j = 0; j < group.count; ++j) {
    const int integer = quantise_component(components[j], quantiser.factor[j]);
    if (std::abs(integer) > plan.reach[group.first + j]) cost += kExceptionCost;
  }
  return cost;
}

void TransformCodec::quantise(const TransformPlan& plan, const Stream& stream, int scale,
                              const PartComponents& components, std::vector<uint8_t>& symbols,
                              std::vector<Exception>& exceptions) const {
  symbols.assign(plan.symbols(stream.n_tokens), 0);
  const auto kv_dim = static_cast<size_t>(shape().kv_dim());
  const auto group_dim = static_cast<size_t>(profile_->group_dim);
  const auto n = static_cast<size_t>(stream.n_tokens);
  std::vector<uint8_t> tile(kKernelTokens * group_dim);
  for (const CodedGroup& group : plan.groups) {
    const GroupScale quantiser(plan, group, profile_->group_dim, scale);
    const float* own = components[group.part].data() + static_cast<size_t>(stream.first_token) * kv_dim +
                       static_cast<size_t>(group.first_channel);
    uint8_t* out = symbols.data() + static_cast<size_t>(group.first) * n;
    // Tokens come in rows, symbols go out in columns: by tiles, so that both stay near.
    for (size_t first = 0; first < n; first += kKernelTokens) {
      const size_t n_rows = std::min<size_t>(kKernelTokens, n - first);
      for (size_t t = 0; t < n_rows; ++t) {
        const float* row = own + (first + t) * kv_dim;
        const bool outside = kernels_.quantise(row, quantiser.factor.data(), quantiser.reach.data(), quantiser.padded,
                                               tile.data() + t * group_dim);
        if (outside) add_exceptions(plan, group, quantiser, stream, first + t, row, exceptions);
      }
      kernels_.transpose(tile.data(), static_cast<int64_t>(group_dim), static_cast<int>(n_rows), group.count,
                         out + first, static_cast<int64_t>(n));
    }
  }
  std::sort(exceptions.begin(), exceptions.end(),
            [](const Exception& a, const Exception& b) { return a.index < b.index; });
}

void TransformCodec::add_exceptions(const TransformPlan& plan, const CodedGroup& group, const GroupScale& quantiser,
                                    const Stream& stream, size_t token, const float* components,
                                    std::vector<Exception>& exceptions) const {
  for (int j = 0; j < group.count; ++j) {
    const int place = group.first + j;
    const int integer = quantise_component(components[j], quantiser.factor[j]);
    if (std::abs(integer) <= plan.reach[place]) continue;
    const size_t index = stream.first_symbol + static_cast<size_t>(place) * stream.n_tokens + token;
    exceptions.push_back({static_cast<uint32_t>(index), static_cast<int16_t>(integer)});
  }
}

Status TransformCodec::encode_layer(int layer, int n_tokens, std::span<const f16> keys, std::span<const f16> values,
                                    std::vector<std::byte>& out) const {
  MNEME_RETURN_IF_ERROR(check_arguments(shape(), layer, n_tokens, keys.size(), values.size()));
  if (n_tokens == 0) return {};
  const TransformPlan& plan = plans_[layer];
  thread_local PartComponents components;
  forward_[layer][0].apply(kernels_, n_tokens, keys, components[0]);
  forward_[layer][1].apply(kernels_, n_tokens, values, components[1]);

  const int scale = choose_scale(layer, n_tokens, components);
  std::vector<Exception> exceptions;
  thread_local std::vector<uint8_t> symbols;
  thread_local std::vector<std::byte> streams;
  streams.clear();
  const int n_streams = stream_count(n_tokens, plan.row);
  std::vector<uint32_t> lengths;
  for (int s = 0; s < n_streams; ++s) {
    const int first = stream_begin(n_tokens, n_streams, s);
    const Stream stream{first, stream_begin(n_tokens, n_streams, s + 1) - first, static_cast<size_t>(first) * plan.row};
    quantise(plan, stream, scale, components, symbols, exceptions);
    const size_t before = streams.size();
    rans_encode(tables_, plan.runs(stream.n_tokens, padding_table_), symbols, streams);
    lengths.push_back(static_cast<uint32_t>(streams.size() - before));
  }
  put(out, static_cast<uint8_t>(scale));
  put(out, static_cast<uint32_t>(exceptions.size()));
  for (const uint32_t length : lengths) put(out, length);
  for (const Exception& exception : exceptions) {
    put(out, exception.index);
    put(out, exception.value);
  }
  out.insert(out.end(), streams.begin(), streams.end());
  return {};
}

// ---- decoding

double TransformCodec::decode_operations() const {
  double components = 0;
  for (const TransformPlan& plan : plans_) components += plan.row;
  // Every component of a group goes to all of its channels.
  return components * profile_->group_dim / (2.0 * shape().kv_dim() * static_cast<double>(plans_.size()));
}

Status TransformCodec::read_exceptions(ByteReader& reader, size_t n_symbols, std::vector<Exception>& exceptions) const {
  for (Exception& exception : exceptions) {
    exception.index = reader.read<uint32_t>();
    exception.value = reader.read<int16_t>();
  }
  // Ascending places inside the layer: every stream finds its own at the front of what is left.
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
  const TransformPlan& plan = plans_[layer];
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
  MNEME_RETURN_IF_ERROR(read_exceptions(reader, static_cast<size_t>(n_tokens) * plan.row, exceptions));
  std::vector<std::vector<float>> scales;
  for (const CodedGroup& group : plan.groups) {
    scales.push_back(group.scale);
    for (float& value : scales.back()) value *= step_scale(scale);
  }
  thread_local std::vector<uint8_t> symbols;
  size_t next = 0;
  for (int s = 0; s < n_streams; ++s) {
    const int first = stream_begin(n_tokens, n_streams, s);
    const Stream stream{first, stream_begin(n_tokens, n_streams, s + 1) - first, static_cast<size_t>(first) * plan.row};
    const size_t n_symbols = plan.symbols(stream.n_tokens);
    symbols.resize(n_symbols + kKernelTokens);  // whole blocks are unpacked, whatever the number of tokens
    const ByteSpan bytes = reader.read_bytes(lengths[s]);
    if (!reader.ok() ||
        !rans_decode(tables_, plan.runs(stream.n_tokens, padding_table_), bytes, std::span(symbols).first(n_symbols))) {
      return corruption("an encoded KV layer is damaged");
    }
    const size_t begin = next;
    const size_t end_symbol = stream.first_symbol + static_cast<size_t>(stream.n_tokens) * plan.row;
    while (next < exceptions.size() && exceptions[next].index < end_symbol) ++next;
    const Repairs repairs = sort_by_block(plan, stream, std::span(exceptions).subspan(begin, next - begin));
    synthesise(layer, stream, scales, repairs, symbols.data(), keys, values);
  }
  if (reader.left() != 0) return corruption("an encoded KV layer is longer than it should be");
  return {};
}

TransformCodec::Repairs TransformCodec::sort_by_block(const TransformPlan& plan, const Stream& stream,
                                                      std::span<const Exception> exceptions) const {
  const auto n_groups = plan.groups.size();
  const auto n_blocks = static_cast<size_t>((stream.n_tokens + kKernelTokens - 1) / kKernelTokens);
  Repairs repairs{std::vector<uint32_t>(n_blocks * n_groups + 1), std::vector<Repair>(exceptions.size())};
  if (exceptions.empty()) return repairs;
  const auto n_tokens = static_cast<uint32_t>(stream.n_tokens);
  // Exceptions come component by component, so the group only ever moves on.
  const auto visit = [&](const auto& take) {
    size_t g = 0;
    for (const Exception& exception : exceptions) {
      const auto local = static_cast<uint32_t>(exception.index - stream.first_symbol);
      const auto place = static_cast<int>(local / n_tokens);
      while (place >= plan.groups[g].first + plan.groups[g].count) ++g;
      const auto token = static_cast<int>(local % n_tokens);
      take(static_cast<size_t>(token / kKernelTokens) * n_groups + g,
           Repair{token, place - plan.groups[g].first, exception.value});
    }
  };
  visit([&](size_t bucket, const Repair&) { ++repairs.begin[bucket + 1]; });
  std::partial_sum(repairs.begin.begin(), repairs.begin.end(), repairs.begin.begin());
  std::vector<uint32_t> next(repairs.begin);
  visit([&](size_t bucket, const Repair& repair) { repairs.items[next[bucket]++] = repair; });
  return repairs;
}

int16_t component_value(int integer, int shrink) {
  return static_cast<int16_t>(integer * kComponentUnit - (integer > 0 ? shrink : integer < 0 ? -shrink : 0));
}

void TransformCodec::synthesise(int layer, const Stream& stream, const std::vector<std::vector<float>>& scales,
                                const Repairs& repairs, const uint8_t* symbols, std::span<f16> keys,
                                std::span<f16> values) const {
  // A row's sum stays within 31 bits with this many components of 16 bits among those of 11.
  constexpr int kMaxWide = 16;
  constexpr int kWideLimit = 32767 / kComponentUnit - 1;
  const TransformPlan& plan = plans_[layer];
  const int kv_dim = shape().kv_dim();
  alignas(64) int16_t pairs[static_cast<size_t>(kKernelTokens) * 2 * 64];
  std::vector<int> too_wide;
  for (int first = 0; first < stream.n_tokens; first += kKernelTokens) {
    const int n = std::min(kKernelTokens, stream.n_tokens - first);
    for (size_t g = 0; g < plan.groups.size(); ++g) {
      const CodedGroup& group = plan.groups[g];
      assert(group.n_pairs() <= 64);
      kernels_.unpack(symbols + static_cast<size_t>(group.first) * stream.n_tokens + first, stream.n_tokens,
                      group.count, plan.reach.data() + group.first, plan.shrink.data() + group.first, pairs);
      const size_t bucket = static_cast<size_t>(first / kKernelTokens) * plan.groups.size() + g;
      const std::span<const Repair> own =
          std::span(repairs.items).subspan(repairs.begin[bucket], repairs.begin[bucket + 1] - repairs.begin[bucket]);
      too_wide.clear();
      std::array<int, kKernelTokens> n_wide{};
      for (const Repair& repair : own) {
        const int t = repair.token - first;
        if (std::abs(repair.value) > kWideLimit || ++n_wide[static_cast<size_t>(t)] > kMaxWide) {
          too_wide.push_back(repair.token);
          continue;
        }
        const int shrink = plan.shrink[group.first + repair.component];
        pairs[(repair.component / 2 * kKernelTokens + t) * 2 + repair.component % 2] =
            component_value(repair.value, shrink);
      }
      f16* out = (group.part == 0 ? keys : values).data() + static_cast<size_t>(stream.first_token + first) * kv_dim +
                 group.first_channel;
      kernels_.synthesise(pairs, n, group.n_pairs(), group.basis.data(), profile_->group_dim, scales[g].data(),
                          profile_->bases[layer][group.part].mean.data() + group.first_channel, out, kv_dim);
      for (const int token : too_wide) {
        synthesise_wide_row(layer, group, scales[g], stream, own, token, symbols,
                            out + static_cast<size_t>(token - first) * kv_dim);
      }
    }
  }
}

// The same sum in 64 bits, for a token whose components do not fit the kernels' integers.
void TransformCodec::synthesise_wide_row(int layer, const CodedGroup& group, const std::vector<float>& scale,
                                         const Stream& stream, std::span<const Repair> repairs, int token,
                                         const uint8_t* symbols, f16* out) const {
  const TransformPlan& plan = plans_[layer];
  std::vector<int64_t> row(group.count);
  for (int j = 0; j < group.count; ++j) {
    const int place = group.first + j;
    row[j] = symbols[static_cast<size_t>(place) * stream.n_tokens + token] - plan.reach[place];
  }
  for (const Repair& repair : repairs) {
    if (repair.token == token) row[repair.component] = repair.value;
  }
  for (int j = 0; j < group.count; ++j) {
    const int64_t sign = row[j] > 0 ? 1 : row[j] < 0 ? -1 : 0;
    row[j] = row[j] * kComponentUnit - sign * plan.shrink[group.first + j];
  }
  const KvBasis& basis = profile_->bases[layer][group.part];
  for (int c = 0; c < profile_->group_dim; ++c) {
    int64_t sum = 0;
    for (int j = 0; j < group.count; ++j) {
      sum += row[j] * group.basis[(static_cast<size_t>(j / 2) * profile_->group_dim + c) * 2 + j % 2];
    }
    out[c] = to_f16(std::fma(static_cast<float>(sum), scale[c], basis.mean[group.first_channel + c]));
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

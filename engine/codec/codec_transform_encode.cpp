#include <algorithm>
#include <cstdlib>

#include "engine/codec/codec_transform.h"

namespace mneme::engine {
namespace {

constexpr double kBudgetSlack = 1.01;
// Of a token in a group, what components that are not coded may hold: a hundred times what is ordinary in it, squared.
constexpr float kMostLeftOut = 1e4f;
constexpr int kMaxGroup = 128;  // channels, see kv_group_dim()

// Every stride-th row, the first one included.
std::vector<f16> some_rows(std::span<const f16> rows, size_t width, int stride) {
  std::vector<f16> some;
  for (size_t at = 0; at < rows.size(); at += width * static_cast<size_t>(stride)) {
    const std::span<const f16> row = rows.subspan(at, width);
    some.insert(some.end(), row.begin(), row.end());
  }
  return some;
}

}  // namespace

// What the kernels quantise a group's components with at a scale; zeros for those that are not coded.
struct TransformCodec::GroupScale {
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

TransformCodec::Judging TransformCodec::judging(int layer, int n_tokens) const {
  constexpr int kJudged = 64;
  const int stride = std::max(1, n_tokens / kJudged);
  const int n_judged = (n_tokens + stride - 1) / stride;
  const auto budget =
      static_cast<uint64_t>(256 * kBudgetSlack * coding().layer_bits[layer] * 2 * shape().kv_dim() * n_judged);
  return {stride, n_judged, budget};
}

void TransformCodec::analyse(int layer, std::span<const f16> keys, std::span<const f16> values,
                             PartComponents& components) const {
  const auto n_tokens = static_cast<int>(keys.size() / static_cast<size_t>(shape().kv_dim()));
  forward_[layer][0].apply(kernels_, n_tokens, keys, components[0]);
  forward_[layer][1].apply(kernels_, n_tokens, values, components[1]);
}

// The finest step at which the layer keeps to its share of bits, judged by some of the tokens.
int TransformCodec::choose_scale(int layer, int stride, uint64_t budget, const PartComponents& components) const {
  const TransformPlan& plan = plans_[layer];
  const auto n_tokens = static_cast<int>(components[0].size() / static_cast<size_t>(shape().kv_dim()));
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
    if (std::abs(integer) > plan.reach[group.first + j]) cost += kTransformExceptionCost;
  }
  return cost;
}

void TransformCodec::quantise(const TransformPlan& plan, const Stream& stream, int scale,
                              const PartComponents& components, std::vector<uint8_t>& symbols,
                              std::vector<Exception>& exceptions) const {
  const auto first_own = static_cast<std::ptrdiff_t>(exceptions.size());  // those of the streams before are in order
  symbols.assign(plan.symbols(stream.n_tokens), 0);
  const auto kv_dim = static_cast<size_t>(shape().kv_dim());
  const auto group_dim = static_cast<size_t>(profile_->group_dim);
  const auto n = static_cast<size_t>(stream.n_tokens);
  std::vector<uint8_t> tile(kKernelTokens * group_dim);
  for (const CodedGroup& group : plan.groups) {
    const GroupScale quantiser(plan, group, profile_->group_dim, scale);
    const float* own = components[group.part].data() + static_cast<size_t>(group.first_channel);
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
  std::sort(exceptions.begin() + first_own, exceptions.end(),
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
  MNEME_RETURN_IF_ERROR(check_arguments(layer, n_tokens, keys.size(), values.size()));
  if (n_tokens == 0) return {};
  const TransformPlan& plan = plans_[layer];
  const int n_streams = transform_stream_count(n_tokens, plan.row);
  const auto width = static_cast<size_t>(shape().kv_dim());
  const Judging by = judging(layer, n_tokens);
  // A thread keeps this memory, so that it is never of all of a long text.
  thread_local PartComponents components;
  if (n_streams == 1) {
    analyse(layer, keys, values, components);
  } else {
    analyse(layer, some_rows(keys, width, by.stride), some_rows(values, width, by.stride), components);
  }
  const int scale = choose_scale(layer, n_streams == 1 ? by.stride : 1, by.budget, components);
  std::vector<Exception> exceptions;
  thread_local std::vector<uint8_t> symbols;
  thread_local std::vector<std::byte> bytes;
  bytes.clear();
  std::vector<size_t> ends;
  for (int s = 0; s < n_streams; ++s) {
    const Stream stream = transform_stream_at(n_tokens, n_streams, s, plan.row);
    const size_t first = static_cast<size_t>(stream.first_token) * width;
    const size_t n_numbers = static_cast<size_t>(stream.n_tokens) * width;
    const std::span<const f16> parts[] = {keys.subspan(first, n_numbers), values.subspan(first, n_numbers)};
    if (n_streams > 1) analyse(layer, parts[0], parts[1], components);
    for (const int part : {0, 1})
      if (!(forward_[layer][part].most_left_out(kernels_, stream.n_tokens, parts[part], components[part]) <=
            kMostLeftOut))
        return out_of_range();
    quantise(plan, stream, scale, components, symbols, exceptions);
    rans_encode(tables_, plan.runs(stream.n_tokens, padding_table_), symbols, bytes);
    ends.push_back(bytes.size());
  }
  if (!are_within_range(exceptions)) return out_of_range();
  std::vector<ByteSpan> streams;
  size_t begin = 0;
  for (const size_t end : ends) {
    streams.push_back(ByteSpan(bytes).subspan(begin, end - begin));
    begin = end;
  }
  write_transform_payload(scale, exceptions, streams, out);
  return {};
}

}  // namespace mneme::engine

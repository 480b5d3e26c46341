#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "engine/codec/codec_transform.h"

namespace mneme::engine {
namespace {

int16_t component_value(int integer, int shrink) {
  return static_cast<int16_t>(integer * kComponentUnit - (integer > 0 ? shrink : integer < 0 ? -shrink : 0));
}

}  // namespace

Status TransformCodec::decode_layer(int layer, int n_tokens, ByteSpan payload, std::span<f16> keys,
                                    std::span<f16> values) const {
  MNEME_RETURN_IF_ERROR(check_arguments(layer, n_tokens, keys.size(), values.size()));
  if (n_tokens == 0) return payload.empty() ? Status() : corruption("an empty KV layer holds bytes");
  const TransformPlan& plan = plans_[layer];
  MNEME_ASSIGN_OR_RETURN(const TransformPayload parsed, parse_transform_payload(payload, n_tokens, plan.row));
  const auto n_streams = static_cast<int>(parsed.streams.size());
  const std::span<const Exception> exceptions(parsed.exceptions);
  std::vector<std::vector<float>> scales;
  for (const CodedGroup& group : plan.groups) {
    scales.push_back(group.scale);
    for (float& value : scales.back()) value *= parsed.step_scale;
  }
  thread_local std::vector<uint8_t> symbols;
  size_t next = 0;
  for (int s = 0; s < n_streams; ++s) {
    const Stream stream = transform_stream_at(n_tokens, n_streams, s, plan.row);
    const size_t n_symbols = plan.symbols(stream.n_tokens);
    symbols.resize(n_symbols + kKernelTokens);  // whole blocks are unpacked, whatever the number of tokens
    if (!rans_decode(tables_, plan.runs(stream.n_tokens, padding_table_), parsed.streams[s],
                     std::span(symbols).first(n_symbols))) {
      return corruption("an encoded KV layer is damaged");
    }
    const size_t begin = next;
    const size_t end_symbol = stream.first_symbol + static_cast<size_t>(stream.n_tokens) * plan.row;
    while (next < exceptions.size() && exceptions[next].index < end_symbol) ++next;
    const Repairs repairs = sort_by_block(plan, stream, exceptions.subspan(begin, next - begin));
    synthesise(layer, stream, scales, repairs, symbols.data(), keys, values);
  }
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
      kernels_.synthesise({.pairs = pairs,
                           .n_tokens = n,
                           .n_pairs = group.n_pairs(),
                           .basis = group.basis.data(),
                           .n_channels = profile_->group_dim,
                           .scale = scales[g].data(),
                           .mean = profile_->bases[layer][group.part].mean.data() + group.first_channel,
                           .out = out,
                           .out_stride = kv_dim});
      const GroupBlock block{layer, group, scales[g], stream, own, symbols};
      for (const int token : too_wide)
        synthesise_wide_row(block, token, out + static_cast<size_t>(token - first) * kv_dim);
    }
  }
}

// The same sum in 64 bits, for a token whose components do not fit the kernels' integers.
void TransformCodec::synthesise_wide_row(const GroupBlock& block, int token, f16* out) const {
  const CodedGroup& group = block.group;
  const TransformPlan& plan = plans_[block.layer];
  std::vector<int64_t> row(group.count);
  for (int j = 0; j < group.count; ++j) {
    const int place = group.first + j;
    row[j] = block.symbols[static_cast<size_t>(place) * block.stream.n_tokens + token] - plan.reach[place];
  }
  for (const Repair& repair : block.repairs) {
    if (repair.token == token) row[repair.component] = repair.value;
  }
  for (int j = 0; j < group.count; ++j) {
    const int64_t sign = row[j] > 0 ? 1 : row[j] < 0 ? -1 : 0;
    row[j] = row[j] * kComponentUnit - sign * plan.shrink[group.first + j];
  }
  const KvBasis& basis = profile_->bases[block.layer][group.part];
  for (int c = 0; c < profile_->group_dim; ++c) {
    int64_t sum = 0;
    for (int j = 0; j < group.count; ++j) {
      sum += row[j] * group.basis[(static_cast<size_t>(j / 2) * profile_->group_dim + c) * 2 + j % 2];
    }
    out[c] = to_f16(std::fma(static_cast<float>(sum), block.scale[c], basis.mean[group.first_channel + c]));
  }
}

}  // namespace mneme::engine

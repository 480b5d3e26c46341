// CacheGen's codec (cachegen.h). Layout of the bytes: kv_payload_format.md.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

#include "engine/codec/cachegen.h"
#include "engine/codec/codec_kernels.h"
#include "engine/codec/cpu_paths.h"
#include "engine/codec/rans.h"

namespace mneme::engine {

namespace {

constexpr uint32_t kCachegenId = 0x300;  // + level + 16 for each idea switched off: 1, 2, 4
constexpr size_t kExceptionBytes = 6;
constexpr int kAnchorReach = 127;
constexpr int kTransposeTokens = 64;  // rows of symbols brought in order at a time

struct Exception {
  uint32_t index;  // among the differences' symbols
  int16_t value;
};

template <typename T>
void put(std::vector<std::byte>& out, T value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

size_t padded(size_t count) {
  return (count + kRansLanes - 1) / kRansLanes * kRansLanes;
}

class CachegenCodec final : public KvCodec {
 public:
  explicit CachegenCodec(std::shared_ptr<const CachegenProfile> profile)
      : profile_(std::move(profile)),
        kernels_(codec_kernels(best_codec_path())),
        tables_(std::make_unique<LayerTables[]>(profile_->layers.size())) {}

  std::string_view name() const override { return cachegen_name(profile_->options); }
  KvLevel level() const override { return profile_->level; }
  uint32_t id() const override {
    const CachegenOptions& options = profile_->options;
    const uint32_t off =
        (options.differences ? 0 : 1) + (options.layer_bins ? 0 : 2) + (options.channel_tables ? 0 : 4);
    return kCachegenId + static_cast<uint32_t>(profile_->level) + 16 * off;
  }
  const KvShape& shape() const override { return profile_->shape; }
  double decode_operations() const override { return 1; }

  Status encode_layer(int layer, int n_tokens, std::span<const f16> keys, std::span<const f16> values,
                      std::vector<std::byte>& out) const override;
  Status decode_layer(int layer, int n_tokens, ByteSpan payload, std::span<f16> keys,
                      std::span<f16> values) const override;

 private:
  // Made when a layer is first used: 8 KiB per channel of each part.
  struct LayerTables {
    std::once_flag made;
    RansTables anchors, differences;
    int anchor_padding = 0, difference_padding = 0;  // table of the symbols that fill the last step
  };
  // Rows that are anchors and rows that are coded as differences; symbols stand channel by channel.
  struct Rows {
    int n_anchors = 0;
    int n_differences = 0;
  };

  Rows rows(int n_tokens) const {
    const int anchors = profile_->options.differences ? (n_tokens + kCachegenGroup - 1) / kCachegenGroup : 0;
    return {anchors, n_tokens - anchors};
  }
  bool is_anchor(int token) const { return profile_->options.differences && token % kCachegenGroup == 0; }
  // What a layer is coded as: of its anchors a scale each, keys' first, then values'.
  struct Symbols {
    std::vector<f16> scales;
    std::vector<uint8_t> anchors, differences;
    std::vector<Exception> exceptions;
  };
  Status check(int layer, int n_tokens, size_t keys, size_t values) const;
  const LayerTables& tables(int layer) const;
  RansRuns runs(const RansTables& tables, int padding_table, int n_rows) const;
  void encode_part(int layer, int part, int n_tokens, std::span<const f16> in, Symbols& out) const;
  Status read_symbols(ByteReader& reader, int layer, int n_tokens, Symbols& symbols) const;
  void decode_part(int layer, int part, int n_tokens, const Symbols& symbols, std::span<f16> out) const;

  std::shared_ptr<const CachegenProfile> profile_;
  const CodecKernels& kernels_;
  std::unique_ptr<LayerTables[]> tables_;
};

Status CachegenCodec::check(int layer, int n_tokens, size_t keys, size_t values) const {
  const size_t expected = static_cast<size_t>(std::max(n_tokens, 0)) * shape().kv_dim();
  if (layer < 0 || layer >= shape().n_layers || n_tokens < 0 || keys != expected || values != expected) {
    return usage_error("KV of layer " + std::to_string(layer) + " with " + std::to_string(n_tokens) +
                       " tokens does not fit the codec's shape.");
  }
  return {};
}

const CachegenCodec::LayerTables& CachegenCodec::tables(int layer) const {
  LayerTables& own = tables_[layer];
  std::call_once(own.made, [&] {
    const CachegenLayer& from = profile_->layers[layer];
    RansFrequencies only_zero(256, 0);
    only_zero[0] = kRansTotal;  // costs no bits
    const auto fill = [&](const std::vector<RansFrequencies>& frequencies, RansTables& into, int& padding) {
      for (const RansFrequencies& own_frequencies : frequencies) (void)into.add(own_frequencies).ok();
      padding = into.size();
      (void)into.add(only_zero).ok();
    };
    fill(from.anchor_tables, own.anchors, own.anchor_padding);
    fill(from.difference_tables, own.differences, own.difference_padding);
  });
  return own;
}

// All rows of a channel, then the next channel; keys, then values.
RansRuns CachegenCodec::runs(const RansTables& tables, int padding_table, int n_rows) const {
  const bool one_table = tables.size() == 2;
  const auto n_channels = static_cast<uint32_t>(2 * shape().kv_dim());
  const size_t count = static_cast<size_t>(n_rows) * n_channels;
  RansRuns runs;
  if (one_table) {
    runs.push_back({0, count});
  } else {
    for (uint32_t c = 0; c < n_channels; ++c) runs.push_back({c, static_cast<size_t>(n_rows)});
  }
  runs.push_back({static_cast<uint32_t>(padding_table), padded(count) - count});
  return runs;
}

void CachegenCodec::encode_part(int layer, int part, int n_tokens, std::span<const f16> in, Symbols& out) const {
  const CachegenLayer& own = profile_->layers[layer];
  const auto kv_dim = static_cast<size_t>(shape().kv_dim());
  const Rows count = rows(n_tokens);
  const auto n_anchors = static_cast<size_t>(count.n_anchors);
  const auto n_differences = static_cast<size_t>(count.n_differences);
  const size_t first_channel = static_cast<size_t>(part) * kv_dim;
  const int reach = own.reach[part];
  std::vector<float> base(own.mean[part]);
  size_t anchor = 0, difference = 0;
  for (int token = 0; token < n_tokens; ++token) {
    const std::span<const f16> row = in.subspan(static_cast<size_t>(token) * kv_dim, kv_dim);
    if (is_anchor(token)) {
      const f16 scale = cachegen_detail::anchor_scale(row);
      out.scales.push_back(scale);
      for (size_t c = 0; c < kv_dim; ++c) {
        const int integer = cachegen_detail::anchor_integer(row[c], scale);
        out.anchors[(first_channel + c) * n_anchors + anchor] = static_cast<uint8_t>(integer + kAnchorReach);
        base[c] = static_cast<float>(integer) * cachegen_detail::anchor_unit(scale);
      }
      ++anchor;
      continue;
    }
    for (size_t c = 0; c < kv_dim; ++c) {
      const int integer = cachegen_detail::difference_integer(row[c], base[c], own.bin[part][c]);
      const int inside = std::clamp(integer, -reach, reach);
      const size_t at = (first_channel + c) * n_differences + difference;
      out.differences[at] = static_cast<uint8_t>(inside + reach);
      if (inside != integer) out.exceptions.push_back({static_cast<uint32_t>(at), static_cast<int16_t>(integer)});
    }
    ++difference;
  }
}

Status CachegenCodec::encode_layer(int layer, int n_tokens, std::span<const f16> keys, std::span<const f16> values,
                                   std::vector<std::byte>& out) const {
  MNEME_RETURN_IF_ERROR(check(layer, n_tokens, keys.size(), values.size()));
  if (n_tokens == 0) return {};
  const Rows count = rows(n_tokens);
  const auto n_channels = 2 * static_cast<size_t>(shape().kv_dim());
  Symbols symbols;
  symbols.anchors.resize(padded(static_cast<size_t>(count.n_anchors) * n_channels));
  symbols.differences.resize(padded(static_cast<size_t>(count.n_differences) * n_channels));
  encode_part(layer, 0, n_tokens, keys, symbols);
  encode_part(layer, 1, n_tokens, values, symbols);
  std::sort(symbols.exceptions.begin(), symbols.exceptions.end(),
            [](const Exception& a, const Exception& b) { return a.index < b.index; });
  const bool is_within_range = std::none_of(
      symbols.exceptions.begin(), symbols.exceptions.end(),
      [](const Exception& exception) { return std::abs(int{exception.value}) >= cachegen_detail::kMostDifference; });
  if (!is_within_range) return out_of_range();
  const LayerTables& own = tables(layer);
  std::vector<std::byte> anchor_stream, difference_stream;
  rans_encode(own.anchors, runs(own.anchors, own.anchor_padding, count.n_anchors), symbols.anchors, anchor_stream);
  rans_encode(own.differences, runs(own.differences, own.difference_padding, count.n_differences), symbols.differences,
              difference_stream);
  put(out, static_cast<uint32_t>(symbols.exceptions.size()));
  put(out, static_cast<uint32_t>(anchor_stream.size()));
  for (const Exception& exception : symbols.exceptions) {
    put(out, exception.index);
    put(out, exception.value);
  }
  for (const f16 scale : symbols.scales) put(out, scale);
  out.insert(out.end(), anchor_stream.begin(), anchor_stream.end());
  out.insert(out.end(), difference_stream.begin(), difference_stream.end());
  return {};
}

// Symbols of `n` rows from `first` on: from channel by channel to row by row.
void transpose(const uint8_t* symbols, size_t stride, size_t first, size_t n, size_t n_channels, uint8_t* out) {
  for (size_t c = 0; c < n_channels; ++c) {
    const uint8_t* own = symbols + c * stride + first;
    for (size_t t = 0; t < n; ++t) out[t * n_channels + c] = own[t];
  }
}

// Those of one part, by the row they are in; n_rows: of differences.
std::vector<Exception> exceptions_of(int part, size_t width, size_t n_rows, std::span<const Exception> exceptions) {
  std::vector<Exception> own;
  for (const Exception& exception : exceptions) {
    if (exception.index / n_rows / width == static_cast<size_t>(part)) own.push_back(exception);
  }
  std::stable_sort(own.begin(), own.end(),
                   [&](const Exception& a, const Exception& b) { return a.index % n_rows < b.index % n_rows; });
  return own;
}

void CachegenCodec::decode_part(int layer, int part, int n_tokens, const Symbols& symbols, std::span<f16> out) const {
  const CachegenLayer& own = profile_->layers[layer];
  const Rows count = rows(n_tokens);
  const int kv_dim = shape().kv_dim();
  const auto width = static_cast<size_t>(kv_dim);
  const size_t first_channel = static_cast<size_t>(part) * width;
  const auto n_anchors = static_cast<size_t>(count.n_anchors);
  const auto n_differences = static_cast<size_t>(count.n_differences);
  const f16* const scales = symbols.scales.data() + static_cast<size_t>(part) * n_anchors;
  std::vector<uint8_t> anchor_rows(n_anchors * width);
  std::vector<uint8_t> rows_block(kTransposeTokens * width);
  transpose(symbols.anchors.data() + first_channel * n_anchors, n_anchors, 0, n_anchors, width, anchor_rows.data());
  const std::vector<Exception> by_row = exceptions_of(part, width, n_differences, symbols.exceptions);
  std::vector<float> base(own.mean[part]), unit(width), zero(width, 0.0f);
  size_t anchor = 0, difference = 0, next = 0, block_end = 0;
  for (int token = 0; token < n_tokens; ++token) {
    f16* row = out.data() + static_cast<size_t>(token) * width;
    if (is_anchor(token)) {
      std::fill(unit.begin(), unit.end(), cachegen_detail::anchor_unit(scales[anchor]));
      const uint8_t* anchors = anchor_rows.data() + anchor++ * width;
      kernels_.add_differences(anchors, kAnchorReach, unit.data(), zero.data(), kv_dim, nullptr, base.data());
      kernels_.add_differences(anchors, kAnchorReach, unit.data(), zero.data(), kv_dim, row, nullptr);
      continue;
    }
    if (difference == block_end) {
      const size_t n = std::min<size_t>(kTransposeTokens, n_differences - difference);
      transpose(symbols.differences.data() + first_channel * n_differences, n_differences, difference, n, width,
                rows_block.data());
      block_end = difference + n;
    }
    const size_t in_block = difference % kTransposeTokens;
    kernels_.add_differences(rows_block.data() + in_block * width, own.reach[part], own.bin[part].data(), base.data(),
                             kv_dim, row, nullptr);
    for (; next < by_row.size() && by_row[next].index % n_differences == difference; ++next) {
      const size_t c = by_row[next].index / n_differences - first_channel;
      row[c] = to_f16(std::fma(static_cast<float>(by_row[next].value), own.bin[part][c], base[c]));
    }
    ++difference;
  }
}

// All that a layer's bytes hold, checked.
Status CachegenCodec::read_symbols(ByteReader& reader, int layer, int n_tokens, Symbols& symbols) const {
  const Rows count = rows(n_tokens);
  const auto n_channels = 2 * static_cast<size_t>(shape().kv_dim());
  const size_t n_anchors = static_cast<size_t>(count.n_anchors) * n_channels;
  const size_t n_differences = static_cast<size_t>(count.n_differences) * n_channels;
  const auto n_exceptions = reader.read<uint32_t>();
  const auto anchor_bytes = reader.read<uint32_t>();
  if (!reader.ok() || n_exceptions > reader.left() / kExceptionBytes) {
    return corruption("an encoded KV layer is too short for what it says it holds");
  }
  symbols.exceptions.resize(n_exceptions);
  for (Exception& exception : symbols.exceptions) {
    exception.index = reader.read<uint32_t>();
    exception.value = reader.read<int16_t>();
    if (exception.index >= n_differences) return corruption("an encoded KV layer names a number that is not in it");
  }
  symbols.scales.resize(2 * static_cast<size_t>(count.n_anchors));
  const ByteSpan scale_bytes = reader.read_bytes(symbols.scales.size() * sizeof(f16));
  const ByteSpan anchor_stream = reader.read_bytes(anchor_bytes);
  if (!reader.ok()) return corruption("an encoded KV layer is too short for what it says it holds");
  const ByteSpan difference_stream = reader.read_bytes(reader.left());
  if (!scale_bytes.empty()) std::memcpy(symbols.scales.data(), scale_bytes.data(), scale_bytes.size());
  symbols.anchors.resize(padded(n_anchors));
  symbols.differences.resize(padded(n_differences));
  const LayerTables& own = tables(layer);
  if (!rans_decode(own.anchors, runs(own.anchors, own.anchor_padding, count.n_anchors), anchor_stream,
                   symbols.anchors) ||
      !rans_decode(own.differences, runs(own.differences, own.difference_padding, count.n_differences),
                   difference_stream, symbols.differences)) {
    return corruption("an encoded KV layer is damaged");
  }
  return {};
}

Status CachegenCodec::decode_layer(int layer, int n_tokens, ByteSpan payload, std::span<f16> keys,
                                   std::span<f16> values) const {
  MNEME_RETURN_IF_ERROR(check(layer, n_tokens, keys.size(), values.size()));
  if (n_tokens == 0) return payload.empty() ? Status() : corruption("an empty KV layer holds bytes");
  thread_local Symbols symbols;  // memory to be used again
  ByteReader reader(payload);
  MNEME_RETURN_IF_ERROR(read_symbols(reader, layer, n_tokens, symbols));
  decode_part(layer, 0, n_tokens, symbols, keys);
  decode_part(layer, 1, n_tokens, symbols, values);
  return {};
}

}  // namespace

Result<std::unique_ptr<KvCodec>> make_cachegen_codec(std::shared_ptr<const CachegenProfile> profile) {
  if (profile == nullptr) return usage_error("the cachegen codec needs a calibration; calibrate the model first.");
  if (profile->shape.kv_dim() % 16 != 0) {
    return unsupported("the cachegen codec needs KV of a multiple of 16 channels; use --kv-level exact.");
  }
  return std::unique_ptr<KvCodec>(std::make_unique<CachegenCodec>(std::move(profile)));
}

}  // namespace mneme::engine

// Lossless: the high bytes of the numbers (sign, exponent, two bits of the mantissa) have low entropy and are coded,
// the low bytes are nearly noise and stored. Channels are sorted into classes of like size, each with its own table,
// and signs are taken relative to the channel's usual one. Numbers in bf16 are turned by a bit first, so that the high
// byte is the exponent. Needs no profile. Layout of the bytes: kv_payload_format.md.
#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "engine/codec/codec_list.h"
#include "engine/codec/rans.h"

namespace mneme::engine {

namespace {

constexpr uint32_t kExactId = 0x10;  // + NumberFormat
constexpr int kMaxClasses = 8;
constexpr size_t kTokensPerClass = 32;  // short chunks cannot pay for many tables

// One part's analysis: what the encoder decides and the decoder is told.
struct PartHeader {
  int n_classes = 1;
  std::vector<uint8_t> channel;  // (kv_dim): class, and 0x80 where negative numbers are usual
  std::array<RansFrequencies, kMaxClasses> frequencies;
};

// The 16 bits with the low-entropy ones on top: bf16's sign moves to the bottom.
template <NumberFormat kFormat>
uint16_t planes_of(f16 value) {
  return kFormat == NumberFormat::kF16 ? value.bits : static_cast<uint16_t>(value.bits << 1 | value.bits >> 15);
}
template <NumberFormat kFormat>
uint16_t number_of(uint32_t planes) {
  return static_cast<uint16_t>(kFormat == NumberFormat::kF16 ? planes : planes >> 1 | planes << 15);
}

template <NumberFormat kFormat>
PartHeader analyse(std::span<const f16> in, int n_tokens, int kv_dim) {
  PartHeader header;
  header.n_classes = static_cast<int>(std::clamp<size_t>(n_tokens / kTokensPerClass, 1, kMaxClasses));
  std::vector<uint64_t> size(kv_dim);
  std::vector<int> negative(kv_dim);
  for (size_t row = 0; row < in.size(); row += kv_dim) {
    for (int c = 0; c < kv_dim; ++c) {
      size[c] += in[row + c].bits & 0x7fff;  // grows with the logarithm of the magnitude
      negative[c] += in[row + c].bits >> 15;
    }
  }
  std::vector<int> order(kv_dim);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return size[a] < size[b]; });
  header.channel.resize(kv_dim);
  for (int i = 0; i < kv_dim; ++i) {
    const auto own = static_cast<uint8_t>(static_cast<int64_t>(i) * header.n_classes / kv_dim);
    const bool turned = kFormat == NumberFormat::kF16 && 2 * negative[order[i]] > n_tokens;
    header.channel[order[i]] = static_cast<uint8_t>(own | (turned ? 0x80 : 0));
  }
  std::array<std::array<uint64_t, 256>, kMaxClasses> counts{};
  for (size_t row = 0; row < in.size(); row += kv_dim) {
    for (int c = 0; c < kv_dim; ++c) {
      const uint8_t channel = header.channel[c];
      ++counts[channel & 0x7f][(planes_of<kFormat>(in[row + c]) >> 8) ^ (channel & 0x80)];
    }
  }
  for (int c = 0; c < header.n_classes; ++c) header.frequencies[c] = make_rans_frequencies(counts[c]);
  return header;
}

template <typename T>
void put(std::vector<std::byte>& out, T value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

// Frequencies: a set of 256 bits says which symbols there are, then a u16 for each.
void put_header(const PartHeader& header, std::vector<std::byte>& out) {
  put(out, static_cast<uint8_t>(header.n_classes));
  for (const uint8_t channel : header.channel) put(out, channel);
  for (int c = 0; c < header.n_classes; ++c) {
    std::array<uint8_t, 32> present{};
    for (int s = 0; s < 256; ++s) {
      if (header.frequencies[c][s] > 0) present[s / 8] = static_cast<uint8_t>(present[s / 8] | 1 << s % 8);
    }
    put(out, present);
    for (const uint16_t frequency : header.frequencies[c]) {
      if (frequency > 0) put(out, frequency);
    }
  }
}

bool read_header(ByteReader& reader, int kv_dim, PartHeader& header) {
  header.n_classes = reader.read<uint8_t>();
  if (!reader.ok() || header.n_classes < 1 || header.n_classes > kMaxClasses) return false;
  const ByteSpan channels = reader.read_bytes(kv_dim);
  if (!reader.ok()) return false;
  header.channel.resize(kv_dim);
  std::memcpy(header.channel.data(), channels.data(), channels.size());
  for (const uint8_t channel : header.channel) {
    if ((channel & 0x7f) >= header.n_classes) return false;
  }
  for (int c = 0; c < header.n_classes; ++c) {
    const auto present = reader.read<std::array<uint8_t, 32>>();
    header.frequencies[c].assign(256, 0);
    for (int s = 0; s < 256; ++s) {
      if (present[s / 8] >> s % 8 & 1) header.frequencies[c][s] = reader.read<uint16_t>();
    }
  }
  return reader.ok();
}

// The table of each symbol of a repeating stretch: whole rows of channels, a multiple of the lanes.
RansPattern pattern_of(const PartHeader& header) {
  RansPattern pattern;
  do {
    for (const uint8_t channel : header.channel) pattern.push_back(channel & 0x7f);
  } while (pattern.size() % kRansLanes != 0);
  return pattern;
}

size_t padded(size_t count) {
  return (count + kRansLanes - 1) / kRansLanes * kRansLanes;
}

template <NumberFormat kFormat>
class ExactCodec final : public KvCodec {
 public:
  explicit ExactCodec(const KvShape& shape) : shape_(shape) {}

  std::string_view name() const override { return kFormat == NumberFormat::kF16 ? "exact" : "exact-bf16"; }
  KvLevel level() const override { return KvLevel::kExact; }
  uint32_t id() const override { return kExactId + static_cast<uint32_t>(kFormat); }
  const KvShape& shape() const override { return shape_; }

  Status encode_layer(int, int n_tokens, std::span<const f16> keys, std::span<const f16> values,
                      std::vector<std::byte>& out) const override {
    const size_t expected = static_cast<size_t>(std::max(n_tokens, 0)) * shape_.kv_dim();
    if (keys.size() != expected || values.size() != expected) return usage_error("KV does not fit the codec's shape.");
    if (n_tokens == 0) return {};
    encode_part(keys, n_tokens, out);
    encode_part(values, n_tokens, out);
    return {};
  }

  Status decode_layer(int, int n_tokens, ByteSpan payload, std::span<f16> keys, std::span<f16> values) const override {
    const size_t expected = static_cast<size_t>(std::max(n_tokens, 0)) * shape_.kv_dim();
    if (keys.size() != expected || values.size() != expected) return usage_error("KV does not fit the codec's shape.");
    if (n_tokens == 0) return payload.empty() ? Status() : corruption("an empty KV layer holds bytes");
    ByteReader reader(payload);
    if (!decode_part(reader, keys) || !decode_part(reader, values) || reader.left() != 0) {
      return corruption("an encoded KV layer is damaged");
    }
    return {};
  }

 private:
  void encode_part(std::span<const f16> in, int n_tokens, std::vector<std::byte>& out) const {
    const PartHeader header = analyse<kFormat>(in, n_tokens, shape_.kv_dim());
    put_header(header, out);
    RansTables tables;
    for (int c = 0; c < header.n_classes; ++c) (void)tables.add(header.frequencies[c]).ok();
    const RansPattern pattern = pattern_of(header);
    std::vector<uint8_t> high(padded(in.size()));
    std::vector<uint8_t> low(in.size());
    for (size_t row = 0; row < in.size(); row += header.channel.size()) {
      for (size_t c = 0; c < header.channel.size(); ++c) {
        const uint32_t planes = planes_of<kFormat>(in[row + c]);
        high[row + c] = static_cast<uint8_t>(planes >> 8 ^ (header.channel[c] & 0x80u));
        low[row + c] = static_cast<uint8_t>(planes);
      }
    }
    // The last step is filled with symbols its tables have.
    for (size_t i = in.size(); i < high.size(); ++i) high[i] = filler(header, pattern[i % pattern.size()]);
    const size_t length_at = out.size();
    put(out, uint32_t{0});
    rans_encode(tables, pattern, high, out);
    const auto length = static_cast<uint32_t>(out.size() - length_at - sizeof(uint32_t));
    std::memcpy(out.data() + length_at, &length, sizeof(length));
    const auto low_bytes = std::as_bytes(std::span(low));
    out.insert(out.end(), low_bytes.begin(), low_bytes.end());
  }

  static uint8_t filler(const PartHeader& header, uint32_t table) {
    const RansFrequencies& frequencies = header.frequencies[table];
    return static_cast<uint8_t>(std::max_element(frequencies.begin(), frequencies.end()) - frequencies.begin());
  }

  bool decode_part(ByteReader& reader, std::span<f16> out) const {
    PartHeader header;
    if (!read_header(reader, shape_.kv_dim(), header)) return false;
    RansTables tables;
    for (int c = 0; c < header.n_classes; ++c) {
      if (!tables.add(header.frequencies[c]).ok()) return false;
    }
    const ByteSpan stream = reader.read_bytes(reader.read<uint32_t>());
    const ByteSpan low = reader.read_bytes(out.size());
    if (!reader.ok()) return false;
    thread_local std::vector<uint8_t> high;
    high.resize(padded(out.size()));
    if (!rans_decode(tables, pattern_of(header), stream, high)) return false;
    const size_t kv_dim = header.channel.size();
    const auto* low_bytes = reinterpret_cast<const uint8_t*>(low.data());
    for (size_t row = 0; row < out.size(); row += kv_dim) {
      for (size_t c = 0; c < kv_dim; ++c) {
        const uint32_t sign = header.channel[c] & 0x80u;
        out[row + c].bits = number_of<kFormat>((high[row + c] ^ sign) << 8 | low_bytes[row + c]);
      }
    }
    return true;
  }

  KvShape shape_;
};

}  // namespace

std::unique_ptr<KvCodec> make_exact_codec(const KvShape& shape, NumberFormat format) {
  if (format == NumberFormat::kBf16) return std::make_unique<ExactCodec<NumberFormat::kBf16>>(shape);
  return std::make_unique<ExactCodec<NumberFormat::kF16>>(shape);
}

}  // namespace mneme::engine

#include "engine/codec/transform_payload.h"

#include <algorithm>

namespace mneme::engine {
namespace {

constexpr size_t kSymbolsPerStream = 1u << 18;  // a stream is what one warp or one call decodes

Status read_exceptions(ByteReader& reader, size_t n_symbols, std::vector<TransformException>& exceptions) {
  for (TransformException& exception : exceptions) {
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

template <typename T>
void put(std::vector<std::byte>& out, T value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

}  // namespace

int transform_stream_count(int n_tokens, int row) {
  const size_t symbols = static_cast<size_t>(n_tokens) * row;
  return static_cast<int>(std::clamp<size_t>((symbols + kSymbolsPerStream - 1) / kSymbolsPerStream, 1,
                                             static_cast<size_t>(std::max(n_tokens, 1))));
}

TransformStream transform_stream_at(int n_tokens, int n_streams, int index, int row) {
  const auto begin = [&](int stream) { return static_cast<int>(static_cast<int64_t>(n_tokens) * stream / n_streams); };
  const int first = begin(index);
  return {first, begin(index + 1) - first, static_cast<size_t>(first) * row};
}

float transform_step_scale(int n) {
  constexpr float kQuarters[] = {1.0f, 1.18920712f, 1.41421356f, 1.68179283f};
  return kQuarters[n % 4] * static_cast<float>(1u << n / 4);
}

Result<TransformPayload> parse_transform_payload(ByteSpan payload, int n_tokens, int row) {
  const int n_streams = transform_stream_count(n_tokens, row);
  ByteReader reader(payload);
  const auto scale = reader.read<uint8_t>();
  const auto n_exceptions = reader.read<uint32_t>();
  if (!reader.ok() || scale >= kTransformScales || n_exceptions > reader.left() / kTransformExceptionBytes ||
      static_cast<size_t>(n_streams) > reader.left() / sizeof(uint32_t)) {
    return corruption("an encoded KV layer is too short for what it says it holds");
  }
  TransformPayload parsed;
  parsed.step_scale = transform_step_scale(scale);
  std::vector<uint32_t> lengths(n_streams);
  for (uint32_t& length : lengths) length = reader.read<uint32_t>();
  parsed.exceptions.resize(n_exceptions);
  MNEME_RETURN_IF_ERROR(read_exceptions(reader, static_cast<size_t>(n_tokens) * row, parsed.exceptions));
  for (const uint32_t length : lengths) parsed.streams.push_back(reader.read_bytes(length));
  if (!reader.ok()) return corruption("an encoded KV layer is damaged");
  if (reader.left() != 0) return corruption("an encoded KV layer is longer than it should be");
  return parsed;
}

void write_transform_payload(int scale, std::span<const TransformException> exceptions,
                             std::span<const ByteSpan> streams, std::vector<std::byte>& out) {
  put(out, static_cast<uint8_t>(scale));
  put(out, static_cast<uint32_t>(exceptions.size()));
  for (const ByteSpan stream : streams) put(out, static_cast<uint32_t>(stream.size()));
  for (const TransformException& exception : exceptions) {
    put(out, exception.index);
    put(out, exception.value);
  }
  for (const ByteSpan stream : streams) out.insert(out.end(), stream.begin(), stream.end());
}

}  // namespace mneme::engine

#include "engine/codec/transform_payload.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace mneme::engine {
namespace {

constexpr size_t kSymbolsPerStream = 1u << 18;  // a stream is what one warp or one call decodes

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

bool are_within_range(std::span<const TransformException> exceptions) {
  return std::none_of(exceptions.begin(), exceptions.end(), [](const TransformException& exception) {
    return std::abs(int{exception.value}) >= kMostTransformInteger;
  });
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

Result<TransformFrame> frame_transform_payload(ByteSpan payload, int n_tokens, int row) {
  const int n_streams = transform_stream_count(n_tokens, row);
  ByteReader reader(payload);
  const auto scale = reader.read<uint8_t>();
  const auto n_exceptions = reader.read<uint32_t>();
  if (!reader.ok() || scale >= kTransformScales || n_exceptions > reader.left() / kTransformExceptionBytes ||
      static_cast<size_t>(n_streams) > reader.left() / sizeof(uint32_t)) {
    return corruption("an encoded KV layer is too short for what it says it holds");
  }
  TransformFrame frame;
  frame.step_scale = transform_step_scale(scale);
  ByteReader lengths(reader.read_bytes(static_cast<size_t>(n_streams) * sizeof(uint32_t)));
  frame.exceptions = reader.read_bytes(size_t{n_exceptions} * kTransformExceptionBytes);
  frame.streams.reserve(static_cast<size_t>(n_streams));
  for (int s = 0; s < n_streams; ++s) frame.streams.push_back(reader.read_bytes(lengths.read<uint32_t>()));
  if (!reader.ok()) return corruption("an encoded KV layer is damaged");
  if (reader.left() != 0) return corruption("an encoded KV layer is longer than it should be");
  return frame;
}

Status exceptions_out_of_place() {
  return corruption("an encoded KV layer names a number that is not in it");
}

Result<TransformPayload> parse_transform_payload(ByteSpan payload, int n_tokens, int row) {
  MNEME_ASSIGN_OR_RETURN(TransformFrame frame, frame_transform_payload(payload, n_tokens, row));
  const size_t n_symbols = static_cast<size_t>(n_tokens) * static_cast<size_t>(row);
  TransformPayload parsed{frame.step_scale, {}, std::move(frame.streams)};
  parsed.exceptions.reserve(frame.n_exceptions());
  for (size_t i = 0; i < frame.n_exceptions(); ++i) {
    const TransformException exception = transform_exception_at(frame.exceptions, i);
    // Ascending places inside the layer: every stream finds its own at the front of what is left.
    if (exception.index >= n_symbols || (i > 0 && exception.index <= parsed.exceptions.back().index))
      return exceptions_out_of_place();
    parsed.exceptions.push_back(exception);
  }
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

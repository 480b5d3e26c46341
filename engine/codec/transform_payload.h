// A layer of the transform codec taken apart, and put together: what its decoders, of the processor and of a GPU, begin
// with, and its encoders end with. Layout of the bytes: kv_payload_format.md. Ownership: borrows the payload. Threads:
// values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/status.h"

namespace mneme::engine {

inline constexpr size_t kTransformExceptionBytes = 6;

// An integer beyond the reach of its component, by its place among the layer's symbols.
struct TransformException {
  uint32_t index = 0;
  int16_t value = 0;
};

// The largest integer, which stands for all beyond it as well (quantise_component()): a number of which it is the best
// that can be said would come back as another one, so a layer with such an exception is not stored.
inline constexpr int kMostTransformInteger = 32767;
bool are_within_range(std::span<const TransformException> exceptions);

// The tokens of one stream; their symbols stand component by component: symbol (j, t) at j * n_tokens + t.
struct TransformStream {
  int first_token = 0;
  int n_tokens = 0;
  size_t first_symbol = 0;  // among the layer's, without padding
};

// The tokens of a layer, cut into streams of similar length. row: coded components of a token.
int transform_stream_count(int n_tokens, int row);
TransformStream transform_stream_at(int n_tokens, int n_streams, int index, int row);

// A chunk that would take more than its share is coded with a coarser step: 2^(n / 4) times as large, stored as n.
inline constexpr int kTransformScales = 32;
float transform_step_scale(int n);
// What an exception counts for when a scale is chosen, in 1/256 bits.
inline constexpr uint32_t kTransformExceptionCost = 8 * kTransformExceptionBytes * 256;

// A layer by its lengths alone, which takes no longer for more exceptions: those are still bytes.
struct TransformFrame {
  float step_scale = 1.0f;
  ByteSpan exceptions;            // n_exceptions() of kTransformExceptionBytes, of any values
  std::vector<ByteSpan> streams;  // transform_stream_at() says of which tokens
  size_t n_exceptions() const { return exceptions.size() / kTransformExceptionBytes; }
};

// kCorruption for lengths that do not come out even; n_tokens > 0.
Result<TransformFrame> frame_transform_payload(ByteSpan payload, int n_tokens, int row);

// Exception i of a frame.
inline TransformException transform_exception_at(ByteSpan exceptions, size_t i) {
  const std::byte* const at = exceptions.data() + i * kTransformExceptionBytes;
  TransformException exception;
  std::memcpy(&exception.index, at, sizeof(exception.index));
  std::memcpy(&exception.value, at + sizeof(exception.index), sizeof(exception.value));
  return exception;
}
Status exceptions_out_of_place();  // kCorruption: they do not ascend, or one is not in the layer

struct TransformPayload {
  float step_scale = 1.0f;
  std::vector<TransformException> exceptions;  // ascending
  std::vector<ByteSpan> streams;               // transform_stream_at() says of which tokens
};

// kCorruption for lengths that do not come out even and for exceptions that are not in the layer; n_tokens > 0. What is
// in the streams is for the decoder to check.
Result<TransformPayload> parse_transform_payload(ByteSpan payload, int n_tokens, int row);

// Appends a layer put together: its step scale's number, exceptions in ascending order, and streams.
void write_transform_payload(int scale, std::span<const TransformException> exceptions,
                             std::span<const ByteSpan> streams, std::vector<std::byte>& out);

}  // namespace mneme::engine

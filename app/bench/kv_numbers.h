// What a codec is judged by: the numbers of a chunk's keys and values before and after. Threads: pure functions.
#pragma once

#include <vector>

#include "base/f16.h"
#include "engine/kv/chunk_kv.h"

namespace mneme::app {

// Keys and values of all layers.
size_t fp16_bytes(const engine::ChunkKv& kv);

// bf16 numbers in the same 16 bits, as a bf16 model's cache would hold them.
std::vector<engine::ChunkKv> as_bf16(const std::vector<engine::ChunkKv>& chunks);

// Bits per number that coding each channel's high byte by its own distribution, and the low byte by the layer's, would
// take: what the exact codec can come near to. The bits of bf16 numbers are turned by one, so that the exponent fills
// the high byte.
double entropy_bound(const engine::ChunkKv& kv, int kv_dim, bool bf16);

// Root mean square error over the deviation from each channel's mean. Both (n_tokens, kv_dim), row-major.
double relative_error(const std::vector<f16>& from, const std::vector<f16>& back, int kv_dim);

}  // namespace mneme::app

#include "engine/backend/cuda/placing_vectors.h"

#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/placing_vectors.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kThreads = 128;

// A thread takes two vectors of a head of a token. Keys and values are blockIdx.y 0 and 1.
__global__ void __launch_bounds__(kThreads)
    place_vectors_kernel(KvView kv, KvRange range, const f16* keys, const f16* values, RotationRef rotation) {
  after_earlier_kernels();
  const unsigned n_parts = static_cast<unsigned>(kv.head_dim / kPlacedPart);
  const unsigned own = blockIdx.x * kThreads + threadIdx.x;
  const auto part = static_cast<int>(own % n_parts);
  const auto head = static_cast<int>(own / n_parts % static_cast<unsigned>(kv.n_kv_heads));
  const auto token = static_cast<int>(own / n_parts / static_cast<unsigned>(kv.n_kv_heads));
  if (token >= range.n) return;
  const bool is_value = blockIdx.y != 0;
  const f16* const from = (is_value ? values : keys) + (int64_t{token} * kv.n_kv_heads + head) * kv.head_dim;
  const int position = range.positions == nullptr ? range.first + token : range.positions[token];
  place_part(kv, {range.layer, position, head, token, is_value}, part, from, rotation);
}

}  // namespace

bool places_vectors(const KvView& kv, const RotationRef& rotation) {
  return !kv.is_q8 && kv.head_dim % kPlacedPart == 0 &&
         (rotation.angles == nullptr || rotation.n_rot % kPlacedPart == 0);
}

cudaError_t place_kv_vectors(cudaStream_t stream, const KvView& kv, const KvRange& range, const f16* keys,
                             const f16* values, const RotationRef& rotation) {
  const int64_t n_threads = int64_t{range.n} * kv.n_kv_heads * (kv.head_dim / kPlacedPart);
  return launch(stream, dim3(static_cast<unsigned>((n_threads + kThreads - 1) / kThreads), 2), kThreads, 0,
                place_vectors_kernel, kv, range, keys, values, rotation);
}

}  // namespace mneme::engine::cuda

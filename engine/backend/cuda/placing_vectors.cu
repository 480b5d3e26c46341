#include "engine/backend/cuda/placing_vectors.h"

#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/kv_access.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kThreads = 128;
constexpr int kVector = 8;         // halves
constexpr int kOwn = 2 * kVector;  // of a thread: two vectors, which a rotation of halves mixes

struct Vector {
  f16 at[kVector];
};

__device__ __forceinline__ Vector load(const f16* from) {
  const uint4 four = *reinterpret_cast<const uint4*>(from);
  const uint32_t words[] = {four.x, four.y, four.z, four.w};
  Vector vector;
#pragma unroll
  for (int k = 0; k < kVector; ++k) vector.at[k].bits = static_cast<uint16_t>(words[k / 2] >> (16 * (k % 2)));
  return vector;
}
__device__ __forceinline__ uint32_t word_of(f16 low, f16 high) {
  return low.bits | static_cast<uint32_t>(high.bits) << 16;
}
__device__ __forceinline__ void store(const Vector& vector, f16* to) {
  const f16(&at)[kVector] = vector.at;
  *reinterpret_cast<uint4*>(to) = {word_of(at[0], at[1]), word_of(at[2], at[3]), word_of(at[4], at[5]),
                                   word_of(at[6], at[7])};
}

__device__ __forceinline__ void rotate(const float2& angle, f16& first, f16& second) {
  const float a = half_to_float(first);
  const float b = half_to_float(second);
  first = float_to_half(a * angle.x - b * angle.y);
  second = float_to_half(a * angle.y + b * angle.x);
}

// angles: those of the pairs of these vectors' elements, two and two beside each other in memory.
__device__ __forceinline__ void rotate_halves(const float2* angles, Vector& low, Vector& high) {
#pragma unroll
  for (int k = 0; k < kVector; k += 2) {
    const float4 two = *reinterpret_cast<const float4*>(angles + k);
    rotate({two.x, two.y}, low.at[k], high.at[k]);
    rotate({two.z, two.w}, low.at[k + 1], high.at[k + 1]);
  }
}
__device__ __forceinline__ void rotate_neighbours(const float2* angles, Vector& vector) {
#pragma unroll
  for (int k = 0; k < kVector; k += 4) {
    const float4 two = *reinterpret_cast<const float4*>(angles + k / 2);
    rotate({two.x, two.y}, vector.at[k], vector.at[k + 1]);
    rotate({two.z, two.w}, vector.at[k + 2], vector.at[k + 3]);
  }
}

// Elements first .. and second .. of a head; rotated ones come before the others.
struct Elements {
  int first;
  int second;
  bool rotates;
};
__device__ __forceinline__ Elements elements_of(int part, int n_rot, int head_dim) {
  const bool rotates = part < n_rot / kOwn;
  const int begin = rotates ? 0 : n_rot;
  const int first = begin + (part - begin / kOwn) * kVector;
  return {first, first + ((rotates ? n_rot : head_dim) - begin) / 2, rotates};
}

// A thread takes two vectors of a head of a token. Keys and values are blockIdx.y 0 and 1.
__global__ void __launch_bounds__(kThreads)
    place_vectors_kernel(KvView kv, KvRange range, const f16* keys, const f16* values, RotationRef rotation) {
  after_earlier_kernels();
  const unsigned n_parts = static_cast<unsigned>(kv.head_dim / kOwn);
  const unsigned own = blockIdx.x * kThreads + threadIdx.x;
  const auto part = static_cast<int>(own % n_parts);
  const auto head = static_cast<int>(own / n_parts % static_cast<unsigned>(kv.n_kv_heads));
  const auto token = static_cast<int>(own / n_parts / static_cast<unsigned>(kv.n_kv_heads));
  if (token >= range.n) return;
  const bool is_value = blockIdx.y != 0;
  const int n_rot = is_value || rotation.angles == nullptr ? 0 : rotation.n_rot;
  const Elements at = elements_of(part, n_rot, kv.head_dim);
  const f16* const from = (is_value ? values : keys) + (int64_t{token} * kv.n_kv_heads + head) * kv.head_dim;
  Vector low = load(from + at.first);
  Vector high = load(from + at.second);
  const int position = range.positions == nullptr ? range.first + token : range.positions[token];
  if (!is_value && kv.keeps_unrotated) {
    f16* const unrotated = unrotated_key(kv, range.layer, position, head);
    store(low, unrotated + at.first);
    store(high, unrotated + at.second);
  }
  if (at.rotates) {
    const float2* const angles = rotation.angles + int64_t{token} * (n_rot / 2);
    if (rotation.layout == RopeLayout::kInterleaved) {
      rotate_neighbours(angles + at.first / 2, low);
      rotate_neighbours(angles + at.second / 2, high);
    } else {
      rotate_halves(angles + at.first, low, high);
    }
  }
  const KvHead page = kv_head_at(kv, range.layer, position, head);
  f16* const to = (is_value ? page.values() : page.keys()) + position % kPageTokens * kv.head_dim;
  store(low, to + at.first);
  store(high, to + at.second);
}

}  // namespace

bool places_vectors(const KvView& kv, const RotationRef& rotation) {
  return !kv.is_q8 && kv.head_dim % kOwn == 0 && (rotation.angles == nullptr || rotation.n_rot % kOwn == 0);
}

cudaError_t place_kv_vectors(cudaStream_t stream, const KvView& kv, const KvRange& range, const f16* keys,
                             const f16* values, const RotationRef& rotation) {
  const int64_t n_threads = int64_t{range.n} * kv.n_kv_heads * (kv.head_dim / kOwn);
  return launch(stream, dim3(static_cast<unsigned>((n_threads + kThreads - 1) / kThreads), 2), kThreads, 0,
                place_vectors_kernel, kv, range, keys, values, rotation);
}

}  // namespace mneme::engine::cuda

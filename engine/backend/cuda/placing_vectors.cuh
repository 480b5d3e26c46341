// A token's keys or values of one head to their place, sixteen bytes at a time: what a thread of any kernel does of it.
// For places_vectors() of placing_vectors.h.
#pragma once

#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/head_kernels.h"
#include "engine/backend/cuda/kv_access.cuh"

namespace mneme::engine::cuda {

inline constexpr int kPlacedVector = 8;                // halves
inline constexpr int kPlacedPart = 2 * kPlacedVector;  // of a thread: two vectors, which a rotation of halves mixes

// A head of a token, and which row of the angles is the token's.
struct PlacedHead {
  int layer;
  int position;
  int head;
  int row;
  bool is_value;
};

namespace placing {

struct Vector {
  f16 at[kPlacedVector];
};

__device__ __forceinline__ Vector load(const f16* from) {
  const uint4 four = *reinterpret_cast<const uint4*>(from);
  const uint32_t words[] = {four.x, four.y, four.z, four.w};
  Vector vector;
#pragma unroll
  for (int k = 0; k < kPlacedVector; ++k) vector.at[k].bits = static_cast<uint16_t>(words[k / 2] >> (16 * (k % 2)));
  return vector;
}
__device__ __forceinline__ uint32_t word_of(f16 low, f16 high) {
  return low.bits | static_cast<uint32_t>(high.bits) << 16;
}
__device__ __forceinline__ void store(const Vector& vector, f16* to) {
  const f16(&at)[kPlacedVector] = vector.at;
  *reinterpret_cast<uint4*>(to) = {word_of(at[0], at[1]), word_of(at[2], at[3]), word_of(at[4], at[5]),
                                   word_of(at[6], at[7])};
}

// Products and sums rounded apart, so that all kernels that place give the same bits.
__device__ __forceinline__ void rotate(const float2& angle, f16& first, f16& second) {
  const float a = half_to_float(first);
  const float b = half_to_float(second);
  first = float_to_half(__fsub_rn(__fmul_rn(a, angle.x), __fmul_rn(b, angle.y)));
  second = float_to_half(__fadd_rn(__fmul_rn(a, angle.y), __fmul_rn(b, angle.x)));
}

// angles: those of the pairs of these vectors' elements, two and two beside each other in memory.
__device__ __forceinline__ void rotate_halves(const float2* angles, Vector& low, Vector& high) {
#pragma unroll
  for (int k = 0; k < kPlacedVector; k += 2) {
    const float4 two = *reinterpret_cast<const float4*>(angles + k);
    rotate({two.x, two.y}, low.at[k], high.at[k]);
    rotate({two.z, two.w}, low.at[k + 1], high.at[k + 1]);
  }
}
__device__ __forceinline__ void rotate_neighbours(const float2* angles, Vector& vector) {
#pragma unroll
  for (int k = 0; k < kPlacedVector; k += 4) {
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
  const bool rotates = part < n_rot / kPlacedPart;
  const int begin = rotates ? 0 : n_rot;
  const int first = begin + (part - begin / kPlacedPart) * kPlacedVector;
  return {first, first + ((rotates ? n_rot : head_dim) - begin) / 2, rotates};
}

}  // namespace placing

// Part `part` of head_dim / kPlacedPart of a head whose numbers begin at `from`, a multiple of sixteen bytes.
__device__ __forceinline__ void place_part(const KvView& kv, const PlacedHead& head, int part, const f16* from,
                                           const RotationRef& rotation) {
  const int n_rot = head.is_value || rotation.angles == nullptr ? 0 : rotation.n_rot;
  const placing::Elements at = placing::elements_of(part, n_rot, kv.head_dim);
  placing::Vector low = placing::load(from + at.first);
  placing::Vector high = placing::load(from + at.second);
  if (!head.is_value && kv.keeps_unrotated) {
    f16* const unrotated = unrotated_key(kv, head.layer, head.position, head.head);
    placing::store(low, unrotated + at.first);
    placing::store(high, unrotated + at.second);
  }
  if (at.rotates) {
    const float2* const angles = rotation.angles + int64_t{head.row} * (n_rot / 2);
    if (rotation.layout == RopeLayout::kInterleaved) {
      placing::rotate_neighbours(angles + at.first / 2, low);
      placing::rotate_neighbours(angles + at.second / 2, high);
    } else {
      placing::rotate_halves(angles + at.first, low, high);
    }
  }
  const KvHead page = kv_head_at(kv, head.layer, head.position, head.head);
  f16* const to = (head.is_value ? page.values() : page.keys()) + head.position % kPageTokens * kv.head_dim;
  placing::store(low, to + at.first);
  placing::store(high, to + at.second);
}

}  // namespace mneme::engine::cuda

// The instructions of compute capability 8.0 and newer that attention uses: products of fragments, loads of fragments;
// on the pretended device the same by definition (PTX ISA, "Matrix Fragments for mma.m16n8k16", "ldmatrix"). All lanes
// of a warp call those of fragments. With g = lane / 4 and t = lane % 4, fragments hold, two halves to a word, lower
// index in the lower half:
//   a (16 x 16)  a[0]: row g, columns 2t, 2t+1;  a[1]: row g+8;  a[2]: row g, columns 2t+8, 2t+9;  a[3]: row g+8, those
//   b (16 x 8)   b[0]: rows 2t, 2t+1 of column g;  b[1]: rows 2t+8, 2t+9
//   c (16 x 8)   c[0], c[1]: row g, columns 2t, 2t+1;  c[2], c[3]: row g+8, f32
#pragma once

#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/shared_copies.cuh"

namespace mneme::engine::cuda {

#ifdef MNEME_SIMT_ON_HOST

inline uint32_t pack_halves(float low, float high) {
  return float_to_half(low).bits | static_cast<uint32_t>(float_to_half(high).bits) << 16;
}
inline float exp2_of(float value) {
  return std::exp2(value);
}
inline float reciprocal_of(float value) {
  return 1.0f / value;
}

inline float low_half(uint32_t word) {
  return half_to_float({static_cast<uint16_t>(word)});
}
inline float high_half(uint32_t word) {
  return half_to_float({static_cast<uint16_t>(word >> 16)});
}
// c += a b: every lane asks the lanes that hold its rows of a and its columns of b.
inline void multiply_add(float (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
  const int g = simt::lane() / 4;
  const int t = simt::lane() % 4;
  for (int k = 0; k < 4; ++k) {  // the lane of a group of four that holds columns 2k, 2k+1 (and + 8)
    for (int half = 0; half < 2; ++half) {
      const uint32_t a_low = __shfl_sync(kAllLanes, a[2 * half], 4 * g + k);
      const uint32_t a_high = __shfl_sync(kAllLanes, a[2 * half + 1], 4 * g + k);
      for (int column = 0; column < 2; ++column) {
        const uint32_t b_word = __shfl_sync(kAllLanes, b[half], 4 * (2 * t + column) + k);
        c[column] += low_half(a_low) * low_half(b_word) + high_half(a_low) * high_half(b_word);
        c[2 + column] += low_half(a_high) * low_half(b_word) + high_half(a_high) * high_half(b_word);
      }
    }
  }
}

// Four 8 x 8 matrices of halves from shared memory; lane l names row l % 8 of matrix l / 8.
inline void load_matrices(uint32_t (&out)[4], const f16* row) {
  const int g = simt::lane() / 4;
  const int t = simt::lane() % 4;
  for (int i = 0; i < 4; ++i) {
    const f16* from = __shfl_sync(kAllLanes, row, 8 * i + g);
    out[i] = from[2 * t].bits | static_cast<uint32_t>(from[2 * t + 1].bits) << 16;
  }
}
// Transposed on the way: a lane gets rows 2t, 2t+1 of column g.
inline void load_matrices_transposed(uint32_t (&out)[4], const f16* row) {
  const int g = simt::lane() / 4;
  const int t = simt::lane() % 4;
  for (int i = 0; i < 4; ++i) {
    const f16* even = __shfl_sync(kAllLanes, row, 8 * i + 2 * t);
    const f16* odd = __shfl_sync(kAllLanes, row, 8 * i + 2 * t + 1);
    out[i] = even[g].bits | static_cast<uint32_t>(odd[g].bits) << 16;
  }
}

#else

__device__ __forceinline__ uint32_t pack_halves(float low, float high) {
  const __half2 pair = __floats2half2_rn(low, high);
  return *reinterpret_cast<const uint32_t*>(&pair);
}
// Within two units of the last place; results below f32's normal numbers are zero.
__device__ __forceinline__ float exp2_of(float value) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(value));
  return result;
}
// Within one unit of the last place.
__device__ __forceinline__ float reciprocal_of(float value) {
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(value));
  return result;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

__device__ __forceinline__ void multiply_add(float (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ __forceinline__ void load_matrices(uint32_t (&out)[4], const f16* row) {
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
               : "r"(address)
               : "memory");
}
__device__ __forceinline__ void load_matrices_transposed(uint32_t (&out)[4], const f16* row) {
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
               : "r"(address)
               : "memory");
}

#else

// Older devices have no such instructions; the planner never sends them here.
__device__ __forceinline__ void multiply_add(float (&)[4], const uint32_t (&)[4], const uint32_t (&)[2]) {
  __trap();
}
__device__ __forceinline__ void load_matrices(uint32_t (&)[4], const f16*) {
  __trap();
}
__device__ __forceinline__ void load_matrices_transposed(uint32_t (&)[4], const f16*) {
  __trap();
}

#endif
#endif

}  // namespace mneme::engine::cuda

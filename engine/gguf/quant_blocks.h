// The blocks of GGUF's quantised types, byte for byte as in the file. Names follow the format: d and dmin are f16
// scales, qs the low bits, qh the high bits, scales the packed sub-block scales. Elements are in the order of the row.
//
//   32 elements:  Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, IQ4_NL   w = d * q            (_1: + m)
//   32 elements:  MXFP4                                  w = 2^(e - 128) * q
//   256 elements: Q2_K .. Q6_K, IQ4_XS                   w = d * scale * q    (Q2_K, Q4_K, Q5_K: - dmin * min)
#pragma once

#include <cstdint>

#include "base/f16.h"

namespace mneme::gguf {

inline constexpr int kSmallBlock = 32;
inline constexpr int kSuperBlock = 256;

struct BlockQ4_0 {
  f16 d;
  uint8_t qs[16];  // low nibbles: elements 0..15, high nibbles: 16..31
};
struct BlockQ4_1 {
  f16 d, m;
  uint8_t qs[16];
};
struct BlockQ5_0 {
  f16 d;
  uint8_t qh[4];  // bit j: fifth bit of element j
  uint8_t qs[16];
};
struct BlockQ5_1 {
  f16 d, m;
  uint8_t qh[4];
  uint8_t qs[16];
};
struct BlockQ8_0 {
  f16 d;
  int8_t qs[32];
};
struct BlockQ2_K {
  uint8_t scales[16];  // per 16 elements: low nibble scale, high nibble min
  uint8_t qs[64];
  f16 d, dmin;
};
struct BlockQ3_K {
  uint8_t hmask[32];
  uint8_t qs[64];
  uint8_t scales[12];  // 16 six-bit scales per 16 elements
  f16 d;
};
struct BlockQ4_K {
  f16 d, dmin;
  uint8_t scales[12];  // 8 six-bit scales and 8 six-bit mins per 32 elements
  uint8_t qs[128];
};
struct BlockQ5_K {
  f16 d, dmin;
  uint8_t scales[12];
  uint8_t qh[32];
  uint8_t qs[128];
};
struct BlockQ6_K {
  uint8_t ql[128];
  uint8_t qh[64];
  int8_t scales[16];  // per 16 elements
  f16 d;
};
struct BlockIQ4_NL {
  f16 d;
  uint8_t qs[16];  // indices into kIq4Values
};
struct BlockIQ4_XS {
  f16 d;
  uint16_t scales_h;
  uint8_t scales_l[4];
  uint8_t qs[128];
};
struct BlockMXFP4 {
  uint8_t e;       // exponent of the scale [OCP microscaling formats 1.0], which is halved as the levels are doubled
  uint8_t qs[16];  // indices into kMxfp4Values
};
static_assert(sizeof(BlockMXFP4) == 17);
static_assert(sizeof(BlockQ4_0) == 18 && sizeof(BlockQ4_1) == 20 && sizeof(BlockQ5_0) == 22 && sizeof(BlockQ5_1) == 24);
static_assert(sizeof(BlockQ8_0) == 34 && sizeof(BlockQ2_K) == 84 && sizeof(BlockQ3_K) == 110);
static_assert(sizeof(BlockQ4_K) == 144 && sizeof(BlockQ5_K) == 176 && sizeof(BlockQ6_K) == 210);
static_assert(sizeof(BlockIQ4_NL) == 18 && sizeof(BlockIQ4_XS) == 136);

// The sixteen levels of the IQ4 types, part of the format.
inline constexpr int8_t kIq4Values[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};

// Twice the values of a float of four bits (E2M1).
inline constexpr int8_t kMxfp4Values[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};
// Scales beyond are refused: kernels keep them as f16.
inline constexpr int kMxfp4HighestExponent = 128 + 15;

}  // namespace mneme::gguf

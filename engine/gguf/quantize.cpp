#include "engine/gguf/quantize.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>

#include "base/f16.h"
#include "engine/gguf/dequantize.h"
#include "engine/gguf/quant_blocks.h"

namespace mneme::gguf {
namespace {

float largest_magnitude(const float* x, int n) {
  float largest = 0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, std::fabs(x[i]));
  return largest;
}

// The element of largest magnitude, with its sign.
float signed_extreme(const float* x, int n) {
  float extreme = 0;
  for (int i = 0; i < n; ++i)
    if (std::fabs(x[i]) > std::fabs(extreme)) extreme = x[i];
  return extreme;
}

float inverse(float x) {
  return x == 0 ? 0.0f : 1.0f / x;
}

int round_clamped(float x, int low, int high) {
  return std::clamp(static_cast<int>(std::lround(x)), low, high);
}

uint8_t low_and_high(int low, int high) {
  return static_cast<uint8_t>(low | (high << 4));
}

// Scale and codes of a symmetric type with codes in [0, 2 * zero): the extreme takes code 0.
f16 symmetric_codes(const float* x, int n, int zero, int* code) {
  const f16 d = to_f16(signed_extreme(x, n) / static_cast<float>(-zero));
  const float scale = inverse(to_f32(d));
  for (int i = 0; i < n; ++i) code[i] = round_clamped(x[i] * scale, -zero, zero - 1) + zero;
  return d;
}

struct ScaleAndMin {
  f16 d, m;
};

ScaleAndMin offset_codes(const float* x, int n, int top, int* code) {
  const auto [low, high] = std::minmax_element(x, x + n);
  const ScaleAndMin result{to_f16((*high - *low) / static_cast<float>(top)), to_f16(*low)};
  const float scale = inverse(to_f32(result.d));
  for (int i = 0; i < n; ++i) code[i] = round_clamped((x[i] - to_f32(result.m)) * scale, 0, top);
  return result;
}

void pack_nibbles(const int* code, uint8_t* qs) {
  for (int j = 0; j < 16; ++j) qs[j] = low_and_high(code[j] & 15, code[j + 16] & 15);
}

void pack_fifth_bits(const int* code, uint8_t* qh) {
  uint32_t bits = 0;
  for (int j = 0; j < 32; ++j) bits |= static_cast<uint32_t>((code[j] >> 4) & 1) << j;
  std::memcpy(qh, &bits, 4);
}

BlockQ4_0 make_q4_0(const float* x) {
  BlockQ4_0 block;
  int code[32];
  block.d = symmetric_codes(x, 32, 8, code);
  pack_nibbles(code, block.qs);
  return block;
}

BlockQ4_1 make_q4_1(const float* x) {
  BlockQ4_1 block;
  int code[32];
  const ScaleAndMin s = offset_codes(x, 32, 15, code);
  block.d = s.d;
  block.m = s.m;
  pack_nibbles(code, block.qs);
  return block;
}

BlockQ5_0 make_q5_0(const float* x) {
  BlockQ5_0 block;
  int code[32];
  block.d = symmetric_codes(x, 32, 16, code);
  pack_nibbles(code, block.qs);
  pack_fifth_bits(code, block.qh);
  return block;
}

BlockQ5_1 make_q5_1(const float* x) {
  BlockQ5_1 block;
  int code[32];
  const ScaleAndMin s = offset_codes(x, 32, 31, code);
  block.d = s.d;
  block.m = s.m;
  pack_nibbles(code, block.qs);
  pack_fifth_bits(code, block.qh);
  return block;
}

BlockQ8_0 make_q8_0(const float* x) {
  BlockQ8_0 block;
  block.d = to_f16(largest_magnitude(x, 32) / 127.0f);
  const float scale = inverse(to_f32(block.d));
  for (int j = 0; j < 32; ++j) block.qs[j] = static_cast<int8_t>(round_clamped(x[j] * scale, -127, 127));
  return block;
}

int nearest_iq4(float x) {
  int best = 0;
  for (int j = 1; j < 16; ++j)
    if (std::fabs(x - kIq4Values[j]) < std::fabs(x - kIq4Values[best])) best = j;
  return best;
}

BlockIQ4_NL make_iq4_nl(const float* x) {
  BlockIQ4_NL block;
  block.d = to_f16(signed_extreme(x, 32) / kIq4Values[0]);
  const float scale = inverse(to_f32(block.d));
  int code[32];
  for (int j = 0; j < 32; ++j) code[j] = nearest_iq4(x[j] * scale);
  pack_nibbles(code, block.qs);
  return block;
}

BlockMXFP4 make_mxfp4(const float* x) {
  BlockMXFP4 block{};
  const float largest = std::fabs(signed_extreme(x, 32));
  // The least power of two of which the largest is no more than 12.
  int exponent = largest > 0 ? std::ilogb(largest) - 3 : -128;
  if (std::ldexp(largest, -exponent) > 12.0f) ++exponent;
  block.e = static_cast<uint8_t>(std::clamp(exponent + 128, 0, kMxfp4HighestExponent));
  const float step = std::ldexp(1.0f, 128 - block.e);
  int code[32];
  for (int j = 0; j < 32; ++j) {
    code[j] = 0;
    for (int level = 1; level < 16; ++level) {
      const auto off = [&](int index) { return std::fabs(x[j] * step - static_cast<float>(kMxfp4Values[index])); };
      if (off(level) < off(code[j])) code[j] = level;
    }
  }
  pack_nibbles(code, block.qs);
  return block;
}

// Codes of a 256-element block whose groups have integer scales (and minimums) of their own.
struct SuperCodes {
  f16 d{0}, dmin{0};
  int scales[16] = {};
  int mins[16] = {};
  int code[256] = {};
};

// w = d * scale * code - dmin * min, codes in [0, top], scales and mins in [0, scale_top].
SuperCodes super_offset_codes(const float* x, int group, int top, int scale_top) {
  SuperCodes s;
  const int n_groups = kSuperBlock / group;
  std::array<float, 16> scale{};
  std::array<float, 16> minimum{};
  for (int g = 0; g < n_groups; ++g) {
    const auto [low, high] = std::minmax_element(x + g * group, x + (g + 1) * group);
    minimum[g] = std::max(0.0f, -*low);
    scale[g] = (std::max(0.0f, *high) + minimum[g]) / static_cast<float>(top);
  }
  s.d = to_f16(largest_magnitude(scale.data(), 16) / static_cast<float>(scale_top));
  s.dmin = to_f16(largest_magnitude(minimum.data(), 16) / static_cast<float>(scale_top));
  for (int g = 0; g < n_groups; ++g) {
    s.scales[g] = round_clamped(scale[g] * inverse(to_f32(s.d)), 0, scale_top);
    s.mins[g] = round_clamped(minimum[g] * inverse(to_f32(s.dmin)), 0, scale_top);
    const float step = to_f32(s.d) * static_cast<float>(s.scales[g]);
    const float offset = to_f32(s.dmin) * static_cast<float>(s.mins[g]);
    for (int i = g * group; i < (g + 1) * group; ++i)
      s.code[i] = round_clamped((x[i] + offset) * inverse(step), 0, top);
  }
  return s;
}

// w = d * scale * (code - zero), scales in [-scale_top, scale_top).
SuperCodes super_symmetric_codes(const float* x, int group, int zero, int scale_top) {
  SuperCodes s;
  const int n_groups = kSuperBlock / group;
  std::array<float, 16> scale{};
  for (int g = 0; g < n_groups; ++g) scale[g] = signed_extreme(x + g * group, group) / static_cast<float>(-zero);
  s.d = to_f16(signed_extreme(scale.data(), 16) / static_cast<float>(-scale_top));
  for (int g = 0; g < n_groups; ++g) {
    s.scales[g] = round_clamped(scale[g] * inverse(to_f32(s.d)), -scale_top, scale_top - 1);
    const float step = to_f32(s.d) * static_cast<float>(s.scales[g]);
    for (int i = g * group; i < (g + 1) * group; ++i)
      s.code[i] = round_clamped(x[i] * inverse(step), -zero, zero - 1) + zero;
  }
  return s;
}

void pack_scale_min_k4(const SuperCodes& s, uint8_t* packed) {
  for (int j = 0; j < 4; ++j) {
    packed[j] = static_cast<uint8_t>(s.scales[j] | ((s.scales[j + 4] >> 4) << 6));
    packed[j + 4] = static_cast<uint8_t>(s.mins[j] | ((s.mins[j + 4] >> 4) << 6));
    packed[j + 8] = low_and_high(s.scales[j + 4] & 15, s.mins[j + 4] & 15);
  }
}

void pack_k4_nibbles(const int* code, uint8_t* qs) {
  for (int quarter = 0; quarter < 4; ++quarter)
    for (int l = 0; l < 32; ++l)
      qs[quarter * 32 + l] = low_and_high(code[quarter * 64 + l] & 15, code[quarter * 64 + 32 + l] & 15);
}

BlockQ2_K make_q2_k(const float* x) {
  const SuperCodes s = super_offset_codes(x, 16, 3, 15);
  BlockQ2_K block{};
  block.d = s.d;
  block.dmin = s.dmin;
  for (int j = 0; j < 16; ++j) block.scales[j] = low_and_high(s.scales[j], s.mins[j]);
  for (int i = 0; i < 256; ++i) {
    uint8_t& target = block.qs[i / 128 * 32 + i % 32];
    target = static_cast<uint8_t>(target | (s.code[i] << (2 * (i % 128 / 32))));
  }
  return block;
}

BlockQ3_K make_q3_k(const float* x) {
  const SuperCodes s = super_symmetric_codes(x, 16, 4, 32);
  BlockQ3_K block{};
  block.d = s.d;
  for (int j = 0; j < 16; ++j) {
    const int scale = s.scales[j] + 32;
    uint8_t& low = block.scales[j % 8];
    low = static_cast<uint8_t>(low | ((scale & 15) << (j < 8 ? 0 : 4)));
    uint8_t& high = block.scales[8 + j % 4];
    high = static_cast<uint8_t>(high | ((scale >> 4) << (2 * (j / 4))));
  }
  for (int i = 0; i < 256; ++i) {
    uint8_t& low = block.qs[i / 128 * 32 + i % 32];
    low = static_cast<uint8_t>(low | ((s.code[i] & 3) << (2 * (i % 128 / 32))));
    uint8_t& high = block.hmask[i % 32];
    high = static_cast<uint8_t>(high | ((s.code[i] >> 2) << (i / 32)));
  }
  return block;
}

BlockQ4_K make_q4_k(const float* x) {
  const SuperCodes s = super_offset_codes(x, 32, 15, 63);
  BlockQ4_K block{};
  block.d = s.d;
  block.dmin = s.dmin;
  pack_scale_min_k4(s, block.scales);
  pack_k4_nibbles(s.code, block.qs);
  return block;
}

BlockQ5_K make_q5_k(const float* x) {
  const SuperCodes s = super_offset_codes(x, 32, 31, 63);
  BlockQ5_K block{};
  block.d = s.d;
  block.dmin = s.dmin;
  pack_scale_min_k4(s, block.scales);
  pack_k4_nibbles(s.code, block.qs);
  for (int i = 0; i < 256; ++i) {
    uint8_t& high = block.qh[i % 32];
    high = static_cast<uint8_t>(high | ((s.code[i] >> 4) << (i / 32)));
  }
  return block;
}

BlockQ6_K make_q6_k(const float* x) {
  const SuperCodes s = super_symmetric_codes(x, 16, 32, 128);
  BlockQ6_K block{};
  block.d = s.d;
  for (int j = 0; j < 16; ++j) block.scales[j] = static_cast<int8_t>(s.scales[j]);
  for (int half = 0; half < 2; ++half)
    for (int l = 0; l < 32; ++l) {
      const int* code = s.code + half * 128 + l;
      block.ql[half * 64 + l] = low_and_high(code[0] & 15, code[64] & 15);
      block.ql[half * 64 + 32 + l] = low_and_high(code[32] & 15, code[96] & 15);
      block.qh[half * 32 + l] = static_cast<uint8_t>((code[0] >> 4) | ((code[32] >> 4) << 2) | ((code[64] >> 4) << 4) |
                                                     ((code[96] >> 4) << 6));
    }
  return block;
}

BlockIQ4_XS make_iq4_xs(const float* x) {
  BlockIQ4_XS block{};
  std::array<float, 8> scale{};
  for (int g = 0; g < 8; ++g) scale[g] = signed_extreme(x + 32 * g, 32) / kIq4Values[0];
  block.d = to_f16(signed_extreme(scale.data(), 8) / -32.0f);
  for (int g = 0; g < 8; ++g) {
    const int s = round_clamped(scale[g] * inverse(to_f32(block.d)), -32, 31);
    const int stored = s + 32;
    block.scales_l[g / 2] = static_cast<uint8_t>(block.scales_l[g / 2] | ((stored & 15) << (4 * (g % 2))));
    block.scales_h = static_cast<uint16_t>(block.scales_h | ((stored >> 4) << (2 * g)));
    const float step = inverse(to_f32(block.d) * static_cast<float>(s));
    int code[32];
    for (int j = 0; j < 32; ++j) code[j] = nearest_iq4(x[32 * g + j] * step);
    pack_nibbles(code, block.qs + 16 * g);
  }
  return block;
}

template <typename Block>
void quantize_blocks(const float* source, int64_t n, int block_elements, Block (*make)(const float*),
                     std::byte* target) {
  for (int64_t i = 0; i < n; i += block_elements, target += sizeof(Block)) {
    const Block block = make(source + i);
    std::memcpy(target, &block, sizeof(Block));
  }
}

}  // namespace

void quantize_row(TensorType type, const float* x, int64_t n, std::byte* out) {
  assert(row_bytes(type, n) > 0 || n == 0);
  switch (type) {
    case TensorType::kF32: std::memcpy(out, x, static_cast<size_t>(n) * sizeof(float)); break;
    case TensorType::kF16: quantize_blocks<f16>(x, n, 1, [](const float* v) { return to_f16(*v); }, out); break;
    case TensorType::kBF16: quantize_blocks<bf16>(x, n, 1, [](const float* v) { return to_bf16(*v); }, out); break;
    case TensorType::kQ4_0: quantize_blocks(x, n, 32, make_q4_0, out); break;
    case TensorType::kQ4_1: quantize_blocks(x, n, 32, make_q4_1, out); break;
    case TensorType::kQ5_0: quantize_blocks(x, n, 32, make_q5_0, out); break;
    case TensorType::kQ5_1: quantize_blocks(x, n, 32, make_q5_1, out); break;
    case TensorType::kQ8_0: quantize_blocks(x, n, 32, make_q8_0, out); break;
    case TensorType::kQ2_K: quantize_blocks(x, n, 256, make_q2_k, out); break;
    case TensorType::kQ3_K: quantize_blocks(x, n, 256, make_q3_k, out); break;
    case TensorType::kQ4_K: quantize_blocks(x, n, 256, make_q4_k, out); break;
    case TensorType::kQ5_K: quantize_blocks(x, n, 256, make_q5_k, out); break;
    case TensorType::kQ6_K: quantize_blocks(x, n, 256, make_q6_k, out); break;
    case TensorType::kMXFP4: quantize_blocks(x, n, 32, make_mxfp4, out); break;
    case TensorType::kIQ4_NL: quantize_blocks(x, n, 32, make_iq4_nl, out); break;
    case TensorType::kIQ4_XS: quantize_blocks(x, n, 256, make_iq4_xs, out); break;
  }
}

std::vector<std::byte> quantize(TensorType type, const float* source, int64_t n_rows, int64_t row_elements) {
  const int64_t stride = row_bytes(type, row_elements);
  std::vector<std::byte> bytes(static_cast<size_t>(n_rows * stride));
  for (int64_t row = 0; row < n_rows; ++row)
    quantize_row(type, source + row * row_elements, row_elements, bytes.data() + row * stride);
  return bytes;
}

}  // namespace mneme::gguf

#include "engine/gguf/dequantize.h"

#include <cassert>
#include <cmath>
#include <cstring>

#include "base/f16.h"
#include "engine/gguf/quant_blocks.h"

namespace mneme::gguf {
namespace {

template <typename Block>
Block load(const std::byte* source) {
  Block block;
  std::memcpy(&block, source, sizeof(Block));
  return block;
}

// Sub-block scale and minimum j of Q4_K and Q5_K: twelve bytes hold eight of each, six bits wide.
void scale_min_k4(const uint8_t* packed, int j, int16_t& scale, int16_t& minimum) {
  if (j < 4) {
    scale = packed[j] & 63;
    minimum = packed[j + 4] & 63;
  } else {
    scale = static_cast<int16_t>((packed[j + 4] & 15) | ((packed[j - 4] >> 6) << 4));
    minimum = static_cast<int16_t>((packed[j + 4] >> 4) | ((packed[j] >> 6) << 4));
  }
}

void set_nibbles(const uint8_t* qs, uint8_t* code) {
  for (int j = 0; j < 16; ++j) {
    code[j] = qs[j] & 15;
    code[j + 16] = qs[j] >> 4;
  }
}

void set_fifth_bits(const uint8_t* qh, uint8_t* code) {
  uint32_t bits = 0;
  std::memcpy(&bits, qh, 4);
  for (int j = 0; j < 32; ++j) code[j] = static_cast<uint8_t>(code[j] | (((bits >> j) & 1u) << 4));
}

void read_q8_0(const BlockQ8_0& in, IntegerBlock& out) {
  out.d = to_f32(in.d);
  out.zero = 128;
  for (int j = 0; j < 32; ++j) out.code[j] = static_cast<uint8_t>(in.qs[j] + 128);
}

void read_q2_k(const BlockQ2_K& in, IntegerBlock& out) {
  out.group = 16;
  out.d = to_f32(in.d);
  out.dmin = to_f32(in.dmin);
  for (int j = 0; j < 16; ++j) {
    out.scales[j] = in.scales[j] & 15;
    out.mins[j] = in.scales[j] >> 4;
  }
  for (int half = 0; half < 2; ++half)
    for (int plane = 0; plane < 4; ++plane)
      for (int l = 0; l < 32; ++l) out.code[half * 128 + plane * 32 + l] = (in.qs[half * 32 + l] >> (2 * plane)) & 3;
}

void read_q3_k(const BlockQ3_K& in, IntegerBlock& out) {
  out.group = 16;
  out.d = to_f32(in.d);
  out.zero = 4;
  for (int j = 0; j < 16; ++j) {
    const int low = j < 8 ? in.scales[j] & 15 : in.scales[j - 8] >> 4;
    const int high = (in.scales[8 + j % 4] >> (2 * (j / 4))) & 3;
    out.scales[j] = static_cast<int16_t>((low | (high << 4)) - 32);
  }
  for (int half = 0; half < 2; ++half)
    for (int plane = 0; plane < 4; ++plane)
      for (int l = 0; l < 32; ++l) {
        const int low = (in.qs[half * 32 + l] >> (2 * plane)) & 3;
        const int high = (in.hmask[l] >> (half * 4 + plane)) & 1;
        out.code[half * 128 + plane * 32 + l] = static_cast<uint8_t>(low + 4 * high);
      }
}

void read_k4_scales(const uint8_t* scales, f16 d, f16 dmin, IntegerBlock& out) {
  out.group = 32;
  out.d = to_f32(d);
  out.dmin = to_f32(dmin);
  for (int j = 0; j < 8; ++j) scale_min_k4(scales, j, out.scales[j], out.mins[j]);
}

void set_k4_nibbles(const uint8_t* qs, uint8_t* code) {
  for (int quarter = 0; quarter < 4; ++quarter)
    for (int l = 0; l < 32; ++l) {
      code[quarter * 64 + l] = qs[quarter * 32 + l] & 15;
      code[quarter * 64 + 32 + l] = qs[quarter * 32 + l] >> 4;
    }
}

void read_q5_k(const BlockQ5_K& in, IntegerBlock& out) {
  read_k4_scales(in.scales, in.d, in.dmin, out);
  set_k4_nibbles(in.qs, out.code);
  for (int part = 0; part < 8; ++part)
    for (int l = 0; l < 32; ++l)
      out.code[part * 32 + l] = static_cast<uint8_t>(out.code[part * 32 + l] | (((in.qh[l] >> part) & 1) << 4));
}

void read_q6_k(const BlockQ6_K& in, IntegerBlock& out) {
  out.group = 16;
  out.d = to_f32(in.d);
  out.zero = 32;
  for (int j = 0; j < 16; ++j) out.scales[j] = int16_t{in.scales[j]};
  for (int half = 0; half < 2; ++half)
    for (int l = 0; l < 32; ++l) {
      const uint8_t* ql = in.ql + half * 64;
      const uint8_t high = in.qh[half * 32 + l];
      uint8_t* code = out.code + half * 128 + l;
      code[0] = static_cast<uint8_t>((ql[l] & 15) | ((high & 3) << 4));
      code[32] = static_cast<uint8_t>((ql[l + 32] & 15) | (((high >> 2) & 3) << 4));
      code[64] = static_cast<uint8_t>((ql[l] >> 4) | (((high >> 4) & 3) << 4));
      code[96] = static_cast<uint8_t>((ql[l + 32] >> 4) | ((high >> 6) << 4));
    }
}

// IQ4 levels as unsigned codes: level + 128.
void set_iq4_levels(const uint8_t* qs, uint8_t* code) {
  for (int j = 0; j < 16; ++j) {
    code[j] = static_cast<uint8_t>(kIq4Values[qs[j] & 15] + 128);
    code[j + 16] = static_cast<uint8_t>(kIq4Values[qs[j] >> 4] + 128);
  }
}

void read_mxfp4(const BlockMXFP4& in, IntegerBlock& out) {
  out.d = std::ldexp(1.0f, in.e - 128);
  out.zero = 16;
  for (int j = 0; j < 16; ++j) {
    out.code[j] = static_cast<uint8_t>(kMxfp4Values[in.qs[j] & 15] + 16);
    out.code[j + 16] = static_cast<uint8_t>(kMxfp4Values[in.qs[j] >> 4] + 16);
  }
}

void read_iq4_xs(const BlockIQ4_XS& in, IntegerBlock& out) {
  out.group = 32;
  out.zero = 128;
  out.d = to_f32(in.d);
  for (int j = 0; j < 8; ++j) {
    const int low = (in.scales_l[j / 2] >> (4 * (j % 2))) & 15;
    const int high = (in.scales_h >> (2 * j)) & 3;
    out.scales[j] = static_cast<int16_t>((low | (high << 4)) - 32);
    set_iq4_levels(in.qs + 16 * j, out.code + 32 * j);
  }
}

// Types with a minimum added in full: w = d * code + m, kept as -(-m).
template <typename Block>
void read_offset_block(const Block& in, IntegerBlock& out) {
  out.d = to_f32(in.d);
  out.dmin = -to_f32(in.m);
  out.mins[0] = 1;
  set_nibbles(in.qs, out.code);
}

void read_small_block(TensorType type, const std::byte* source, IntegerBlock& out) {
  out.n_elements = kSmallBlock;
  out.group = kSmallBlock;
  out.scales[0] = 1;
  if (type == TensorType::kQ4_0) {
    const auto in = load<BlockQ4_0>(source);
    out.d = to_f32(in.d);
    out.zero = 8;
    set_nibbles(in.qs, out.code);
  } else if (type == TensorType::kQ4_1) {
    read_offset_block(load<BlockQ4_1>(source), out);
  } else if (type == TensorType::kQ5_0) {
    const auto in = load<BlockQ5_0>(source);
    out.d = to_f32(in.d);
    out.zero = 16;
    set_nibbles(in.qs, out.code);
    set_fifth_bits(in.qh, out.code);
  } else if (type == TensorType::kQ5_1) {
    const auto in = load<BlockQ5_1>(source);
    read_offset_block(in, out);
    set_fifth_bits(in.qh, out.code);
  } else if (type == TensorType::kQ8_0) {
    read_q8_0(load<BlockQ8_0>(source), out);
  } else if (type == TensorType::kIQ4_NL) {
    const auto in = load<BlockIQ4_NL>(source);
    out.d = to_f32(in.d);
    out.zero = 128;
    set_iq4_levels(in.qs, out.code);
  } else if (type == TensorType::kMXFP4) {
    read_mxfp4(load<BlockMXFP4>(source), out);
  } else {
    assert(false && "not a quantised type");
  }
}

// Straight from the row: the type of embedders' tables, of which a row is read for every word of every text.
void dequantize_q8_0(const std::byte* source, int64_t n_elements, float* target) {
  for (int64_t begin = 0; begin < n_elements; begin += kSmallBlock, source += sizeof(BlockQ8_0)) {
    const auto in = load<BlockQ8_0>(source);
    const float scale = to_f32(in.d);
    for (int i = 0; i < kSmallBlock; ++i) target[begin + i] = scale * static_cast<float>(in.qs[i]);
  }
}

template <typename Half>
void convert_halves(const std::byte* source, int64_t n_elements, float* target) {
  for (int64_t i = 0; i < n_elements; ++i) target[i] = to_f32(load<Half>(source + 2 * i));
}

}  // namespace

int64_t row_bytes(TensorType type, int64_t n_elements) {
  const auto info = tensor_type_info(type);
  if (!info || n_elements < 0 || n_elements % info->block_elements != 0) return 0;
  return n_elements / info->block_elements * info->block_bytes;
}

bool scales_fit_f16(TensorType type, std::span<const std::byte> blocks) {
  if (type != TensorType::kMXFP4) return true;
  for (size_t at = 0; at + sizeof(BlockMXFP4) <= blocks.size(); at += sizeof(BlockMXFP4))
    if (std::to_integer<int>(blocks[at]) > kMxfp4HighestExponent) return false;
  return true;
}

void read_block(TensorType type, const std::byte* source, IntegerBlock& block) {
  block.n_elements = kSuperBlock;
  block.zero = 0;
  block.dmin = 0;
  switch (type) {
    case TensorType::kQ2_K: read_q2_k(load<BlockQ2_K>(source), block); break;
    case TensorType::kQ3_K: read_q3_k(load<BlockQ3_K>(source), block); break;
    case TensorType::kQ4_K: {
      const auto in = load<BlockQ4_K>(source);
      read_k4_scales(in.scales, in.d, in.dmin, block);
      set_k4_nibbles(in.qs, block.code);
      break;
    }
    case TensorType::kQ5_K: read_q5_k(load<BlockQ5_K>(source), block); break;
    case TensorType::kQ6_K: read_q6_k(load<BlockQ6_K>(source), block); break;
    case TensorType::kIQ4_XS: read_iq4_xs(load<BlockIQ4_XS>(source), block); break;
    default: read_small_block(type, source, block); break;
  }
}

void dequantize_row(TensorType type, const std::byte* source, int64_t n_elements, float* target) {
  if (type == TensorType::kF32) {
    std::memcpy(target, source, static_cast<size_t>(n_elements) * sizeof(float));
    return;
  }
  if (type == TensorType::kF16) return convert_halves<f16>(source, n_elements, target);
  if (type == TensorType::kBF16) return convert_halves<bf16>(source, n_elements, target);
  const auto info = tensor_type_info(type);
  assert(info && n_elements % info->block_elements == 0);
  if (type == TensorType::kQ8_0) return dequantize_q8_0(source, n_elements, target);
  IntegerBlock block;
  for (int64_t begin = 0; begin < n_elements; begin += info->block_elements, source += info->block_bytes) {
    read_block(type, source, block);
    // Group by group: without a division for each element the compiler makes vectors of it.
    for (int g = 0; g * block.group < block.n_elements; ++g) {
      const float scale = block.d * static_cast<float>(block.scales[g]);
      const float minimum = block.dmin * static_cast<float>(block.mins[g]);
      const uint8_t* const code = block.code + g * block.group;
      float* const out = target + begin + g * block.group;
      for (int i = 0; i < block.group; ++i) {
        const float scaled = scale * static_cast<float>(code[i] - block.zero);
        out[i] = block.dmin == 0 ? scaled : scaled - minimum;
      }
    }
  }
}

}  // namespace mneme::gguf

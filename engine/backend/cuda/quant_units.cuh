// The quantised types of GGUF, sixteen elements at a time: as int8 codes with a scale and a minimum, which is all that
// the three users need (products in int8, tiles in f32 or f16, rows of embeddings). Rows lie as matrix_layout.h says;
// the result is bit for bit that of gguf::dequantize_row.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/matrix_layout.h"
#include "engine/backend/cuda/matrix_ref.h"
#include "engine/gguf/quant_blocks.h"

namespace mneme::engine::cuda {

using gguf::TensorType;

inline constexpr int kUnit = 16;

// Elements 16 u .. 16 u + 15 of a row: w[i] = scale * code[i] - minimum.
struct Unit {
  int codes[4];  // code 4 j + i: byte i of codes[j], signed
  float scale;
  float minimum;
};

// Blocks of most types start at even addresses only, so words are put together from halves.
__device__ __forceinline__ uint32_t load_word(const uint8_t* bytes) {
  const auto* halves = reinterpret_cast<const uint16_t*>(bytes);
  return halves[0] | static_cast<uint32_t>(halves[1]) << 16;
}

// Every byte minus zero, for bytes and zero below 128; signed.
__device__ __forceinline__ int minus(uint32_t bytes, uint32_t zero) {
  return static_cast<int>(((bytes | 0x80808080u) - zero * 0x01010101u) ^ 0x80808080u);
}

// The low four bits of `bits` to the lowest bit of a byte each.
__device__ __forceinline__ uint32_t spread(uint32_t bits) {
  return ((bits & 15u) * 0x00204081u) & 0x01010101u;
}

// Sixteen levels that codes of four bits stand for, in words of four, so that no table in memory is looked up in.
struct Levels {
  uint32_t words[4];
};
constexpr Levels levels_of(const int8_t (&values)[16]) {
  Levels levels{};
  for (int i = 0; i < 16; ++i)
    levels.words[i / 4] |= static_cast<uint32_t>(static_cast<uint8_t>(values[i])) << (8 * (i % 4));
  return levels;
}

// The levels of the low and of the high four bits of each byte.
struct NibbleLevels {
  uint32_t low;
  uint32_t high;
};
__device__ __forceinline__ NibbleLevels look_up(const Levels& levels, uint32_t nibbles) {
  // Four nibbles at a time: three bits of each choose among eight levels, the fourth chooses which eight.
  const uint32_t which = 0x32103210u | (nibbles & 0x88888888u) >> 1;
  uint32_t four[2];
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const uint32_t own = nibbles >> (16 * half);
    const uint32_t first = __byte_perm(levels.words[0], levels.words[1], own);
    const uint32_t last = __byte_perm(levels.words[2], levels.words[3], own);
    four[half] = __byte_perm(first, last, which >> (16 * half));
  }
  return {__byte_perm(four[0], four[1], 0x6420), __byte_perm(four[0], four[1], 0x7531)};
}
// Those of one unit: the low nibbles of even ones, the high ones of odd ones.
__device__ __forceinline__ int levels_of_unit(const Levels& levels, uint32_t nibbles, int unit) {
  const NibbleLevels both = look_up(levels, nibbles);
  return static_cast<int>((unit & 1) == 0 ? both.low : both.high);
}

// 2^(exponent - 128), of which the lowest two are no normal numbers.
__device__ __forceinline__ float mxfp4_scale(uint32_t exponent) {
  return __uint_as_float(exponent < 2 ? 0x00200000u << exponent : (exponent - 1) << 23);
}

__device__ __forceinline__ float half_at(const f16& value) {
  return half_to_float(value);
}

// Sub-block scale and minimum j of Q4_K and Q5_K.
__device__ __forceinline__ void scale_min_k4(const uint8_t* packed, int j, int& scale, int& minimum) {
  if (j < 4) {
    scale = packed[j] & 63;
    minimum = packed[j + 4] & 63;
  } else {
    scale = (packed[j + 4] & 15) | ((packed[j - 4] >> 6) << 4);
    minimum = (packed[j + 4] >> 4) | ((packed[j] >> 6) << 4);
  }
}

template <TensorType kType>
struct UnitReader;

// Types of 32 elements: unit 0 of a block in the low nibbles, unit 1 in the high ones.
template <typename Block>
__device__ __forceinline__ const Block& small_block(const uint8_t* row, int unit) {
  return reinterpret_cast<const Block*>(row)[unit / 2];
}
template <typename Block>
__device__ __forceinline__ uint32_t small_nibbles(const Block& block, int unit, int j) {
  return (load_word(block.qs + 4 * j) >> (4 * (unit & 1))) & 0x0f0f0f0fu;
}
template <typename Block>
__device__ __forceinline__ uint32_t small_fifth_bits(const Block& block, int unit, int j) {
  return spread(load_word(block.qh) >> (kUnit * (unit & 1) + 4 * j)) << 4;
}

template <>
struct UnitReader<TensorType::kQ4_0> {
  static constexpr bool kHasMinimum = false;
  static __device__ __forceinline__ void read(const uint8_t* row, int unit, Unit& out) {
    const auto& block = small_block<gguf::BlockQ4_0>(row, unit);
    for (int j = 0; j < 4; ++j) out.codes[j] = minus(small_nibbles(block, unit, j), 8);
    out.scale = half_at(block.d);
    out.minimum = 0.0f;
  }
};
template <>
struct UnitReader<TensorType::kQ4_1> {
  static constexpr bool kHasMinimum = true;
  static __device__ __forceinline__ void read(const uint8_t* row, int unit, Unit& out) {
    const auto& block = small_block<gguf::BlockQ4_1>(row, unit);
    for (int j = 0; j < 4; ++j) out.codes[j] = static_cast<int>(small_nibbles(block, unit, j));
    out.scale = half_at(block.d);
    out.minimum = -half_at(block.m);
  }
};
template <>
struct UnitReader<TensorType::kQ5_0> {
  static constexpr bool kHasMinimum = false;
  static __device__ __forceinline__ void read(const uint8_t* row, int unit, Unit& out) {
    const auto& block = small_block<gguf::BlockQ5_0>(row, unit);
    for (int j = 0; j < 4; ++j)
      out.codes[j] = minus(small_nibbles(block, unit, j) | small_fifth_bits(block, unit, j), 16);
    out.scale = half_at(block.d);
    out.minimum = 0.0f;
  }
};
template <>
struct UnitReader<TensorType::kQ5_1> {
  static constexpr bool kHasMinimum = true;
  static __device__ __forceinline__ void read(const uint8_t* row, int unit, Unit& out) {
    const auto& block = small_block<gguf::BlockQ5_1>(row, unit);
    for (int j = 0; j < 4; ++j)
      out.codes[j] = static_cast<int>(small_nibbles(block, unit, j) | small_fifth_bits(block, unit, j));
    out.scale = half_at(block.d);
    out.minimum = -half_at(block.m);
  }
};
template <>
struct UnitReader<TensorType::kQ8_0> {
  static constexpr bool kHasMinimum = false;
  static __device__ __forceinline__ void read(const uint8_t* row, int unit, Unit& out) {
    constexpr int kUnits = kQ8Group / kUnit;
    const uint8_t* group = row + unit / kUnits * kQ8GroupBytes;
    const int4 codes = *reinterpret_cast<const int4*>(group + kGroupScaleBytes + unit % kUnits * kUnit);
    out.codes[0] = codes.x;
    out.codes[1] = codes.y;
    out.codes[2] = codes.z;
    out.codes[3] = codes.w;
    out.scale = half_at(reinterpret_cast<const f16*>(group)[unit % kUnits / 2]);
    out.minimum = 0.0f;
  }
};
template <>
struct UnitReader<TensorType::kIQ4_NL> {
  static constexpr bool kHasMinimum = false;
  static __device__ __forceinline__ void read(const uint8_t* row, int unit, Unit& out) {
    const auto& block = small_block<gguf::BlockIQ4_NL>(row, unit);
    constexpr Levels kLevels = levels_of(gguf::kIq4Values);
    for (int j = 0; j < 4; ++j) out.codes[j] = levels_of_unit(kLevels, load_word(block.qs + 4 * j), unit);
    out.scale = half_at(block.d);
    out.minimum = 0.0f;
  }
};
template <>
struct UnitReader<TensorType::kMXFP4> {
  static constexpr bool kHasMinimum = false;
  static __device__ __forceinline__ void read(const uint8_t* row, int unit, Unit& out) {
    constexpr int kBlocks = kMxfp4Group / gguf::kSmallBlock;
    constexpr Levels kLevels = levels_of(gguf::kMxfp4Values);
    const int block = unit / 2;
    const uint8_t* group = row + block / kBlocks * kMxfp4GroupBytes;
    const auto* words = reinterpret_cast<const uint32_t*>(group + kGroupScaleBytes) + block % kBlocks * 4;
    for (int j = 0; j < 4; ++j) out.codes[j] = levels_of_unit(kLevels, words[j], unit);
    out.scale = mxfp4_scale(group[block % kBlocks]);
    out.minimum = 0.0f;
  }
};

// Types of 256 elements: where unit u of a block (0 to 15) lies among its bit planes.
struct UnitPlace {
  int index;  // u
  int half;   // of 128 elements
  int part;   // of 32 within the half
  int first;  // element within the part: 0 or 16
};
__device__ __forceinline__ UnitPlace place_of(int unit) {
  const int u = unit & 15;
  return {u, u >> 3, (u >> 1) & 3, kUnit * (u & 1)};
}
template <typename Block>
__device__ __forceinline__ const Block& super_block(const uint8_t* row, int unit) {
  return reinterpret_cast<const Block*>(row)[unit / 16];
}

template <>
struct UnitReader<TensorType::kQ2_K> {
  static constexpr bool kHasMinimum = true;
  static __device__ __forceinline__ void read(const uint8_t* row, int unit, Unit& out) {
    const auto& block = super_block<gguf::BlockQ2_K>(row, unit);
    const UnitPlace at = place_of(unit);
    const uint8_t* qs = block.qs + 32 * at.half + at.first;
    for (int j = 0; j < 4; ++j) out.codes[j] = static_cast<int>((load_word(qs + 4 * j) >> (2 * at.part)) & 0x03030303u);
    out.scale = half_at(block.d) * static_cast<float>(block.scales[at.index] & 15);
    out.minimum = half_at(block.dmin) * static_cast<float>(block.scales[at.index] >> 4);
  }
};
template <>
struct UnitReader<TensorType::kQ3_K> {
  static constexpr bool kHasMinimum = false;
  static __device__ __forceinline__ void read(const uint8_t* row, int unit, Unit& out) {
    const auto& block = super_block<gguf::BlockQ3_K>(row, unit);
    const UnitPlace at = place_of(unit);
    const uint8_t* qs = block.qs + 32 * at.half + at.first;
    const uint8_t* high = block.hmask + at.first;
    for (int j = 0; j < 4; ++j) {
      const uint32_t low = (load_word(qs + 4 * j) >> (2 * at.part)) & 0x03030303u;
      const uint32_t third = (load_word(high + 4 * j) >> (4 * at.half + at.part)) & 0x01010101u;
      out.codes[j] = minus(low | third << 2, 4);
    }
    const int u = at.index;
    const int low = u < 8 ? block.scales[u] & 15 : block.scales[u - 8] >> 4;
    const int upper = (block.scales[8 + u % 4] >> (2 * (u / 4))) & 3;
    out.scale = half_at(block.d) * static_cast<float>((low | (upper << 4)) - 32);
    out.minimum = 0.0f;
  }
};
template <>
struct UnitReader<TensorType::kQ4_K> {
  static constexpr bool kHasMinimum = true;
  static __device__ __forceinline__ void read(const uint8_t* row, int unit, Unit& out) {
    const auto& block = super_block<gguf::BlockQ4_K>(row, unit);
    const UnitPlace at = place_of(unit);
    const int group = at.index / 2;
    const auto* qs = reinterpret_cast<const uint32_t*>(block.qs + 32 * (group / 2) + at.first);
    for (int j = 0; j < 4; ++j) out.codes[j] = static_cast<int>((qs[j] >> (4 * (group & 1))) & 0x0f0f0f0fu);
    int scale = 0;
    int minimum = 0;
    scale_min_k4(block.scales, group, scale, minimum);
    out.scale = half_at(block.d) * static_cast<float>(scale);
    out.minimum = half_at(block.dmin) * static_cast<float>(minimum);
  }
};
template <>
struct UnitReader<TensorType::kQ5_K> {
  static constexpr bool kHasMinimum = true;
  static __device__ __forceinline__ void read(const uint8_t* row, int unit, Unit& out) {
    const auto& block = super_block<gguf::BlockQ5_K>(row, unit);
    const UnitPlace at = place_of(unit);
    const int group = at.index / 2;
    const auto* qs = reinterpret_cast<const uint32_t*>(block.qs + 32 * (group / 2) + at.first);
    const auto* high = reinterpret_cast<const uint32_t*>(block.qh + at.first);
    for (int j = 0; j < 4; ++j) {
      const uint32_t low = (qs[j] >> (4 * (group & 1))) & 0x0f0f0f0fu;
      out.codes[j] = static_cast<int>(low | ((high[j] >> group) & 0x01010101u) << 4);
    }
    int scale = 0;
    int minimum = 0;
    scale_min_k4(block.scales, group, scale, minimum);
    out.scale = half_at(block.d) * static_cast<float>(scale);
    out.minimum = half_at(block.dmin) * static_cast<float>(minimum);
  }
};
template <>
struct UnitReader<TensorType::kQ6_K> {
  static constexpr bool kHasMinimum = false;
  static __device__ __forceinline__ void read(const uint8_t* row, int unit, Unit& out) {
    const auto& block = super_block<gguf::BlockQ6_K>(row, unit);
    const UnitPlace at = place_of(unit);
    const uint8_t* low = block.ql + 64 * at.half + 32 * (at.part & 1) + at.first;
    const uint8_t* high = block.qh + 32 * at.half + at.first;
    for (int j = 0; j < 4; ++j) {
      const uint32_t nibbles = (load_word(low + 4 * j) >> (4 * (at.part >> 1))) & 0x0f0f0f0fu;
      const uint32_t upper = (load_word(high + 4 * j) >> (2 * at.part)) & 0x03030303u;
      out.codes[j] = minus(nibbles | upper << 4, 32);
    }
    out.scale = half_at(block.d) * static_cast<float>(block.scales[at.index]);
    out.minimum = 0.0f;
  }
};
template <>
struct UnitReader<TensorType::kIQ4_XS> {
  static constexpr bool kHasMinimum = false;
  static __device__ __forceinline__ void read(const uint8_t* row, int unit, Unit& out) {
    const auto& block = super_block<gguf::BlockIQ4_XS>(row, unit);
    const int group = place_of(unit).index / 2;
    constexpr Levels kLevels = levels_of(gguf::kIq4Values);
    for (int j = 0; j < 4; ++j) out.codes[j] = levels_of_unit(kLevels, load_word(block.qs + 16 * group + 4 * j), unit);
    const int low = (block.scales_l[group / 2] >> (4 * (group % 2))) & 15;
    const int upper = (block.scales_h >> (2 * group)) & 3;
    out.scale = half_at(block.d) * static_cast<float>((low | (upper << 4)) - 32);
    out.minimum = 0.0f;
  }
};

// What a lane of a product reads at once: one unit, or more where the units share their bytes. load() reads a piece as
// it lies, unpack() takes it apart: a lane may begin to read what it takes apart later.
template <typename Reader>
struct PieceReader {
  static constexpr int kUnits = 1;
  static constexpr bool kHasMinimum = Reader::kHasMinimum;
  static constexpr int kAtOnce = 1;  // pieces whose reading a lane begins before it uses the first
  using Raw = Unit;
  // Number of unit j of a piece in its row.
  static __device__ __forceinline__ int unit_of(int piece, int) { return piece; }
  static __device__ __forceinline__ void load(const uint8_t* row, int piece, Raw& raw) {
    Reader::read(row, piece, raw);
  }
  static __device__ __forceinline__ void unpack(const Raw& raw, int, Unit (&out)[kUnits]) { out[0] = raw; }
};

template <>
struct PieceReader<UnitReader<TensorType::kQ8_0>> {
  static constexpr int kUnits = 1;
  static constexpr bool kHasMinimum = false;
  static constexpr int kAtOnce = 4;
  static constexpr int kPieces = kQ8Group / kUnit;
  struct Raw {
    int4 codes;
    f16 scale;
  };
  static __device__ __forceinline__ int unit_of(int piece, int) { return piece; }
  static __device__ __forceinline__ void load(const uint8_t* row, int piece, Raw& raw) {
    const uint8_t* group = row + piece / kPieces * kQ8GroupBytes;
    raw.codes = *reinterpret_cast<const int4*>(group + kGroupScaleBytes + piece % kPieces * kUnit);
    raw.scale = reinterpret_cast<const f16*>(group)[piece % kPieces / 2];
  }
  static __device__ __forceinline__ void unpack(const Raw& raw, int, Unit (&out)[kUnits]) {
    out[0] = {{raw.codes.x, raw.codes.y, raw.codes.z, raw.codes.w}, half_at(raw.scale), 0.0f};
  }
};

// A piece is a block: a unit in the low nibbles, the next one in the high ones.
template <>
struct PieceReader<UnitReader<TensorType::kMXFP4>> {
  static constexpr int kUnits = 2;
  static constexpr bool kHasMinimum = false;
  static constexpr int kAtOnce = 4;
  static constexpr int kPieces = kMxfp4Group / gguf::kSmallBlock;
  struct Raw {
    uint4 nibbles;
    uint8_t exponent;
  };
  static __device__ __forceinline__ int unit_of(int piece, int j) { return kUnits * piece + j; }
  static __device__ __forceinline__ void load(const uint8_t* row, int piece, Raw& raw) {
    const uint8_t* group = row + piece / kPieces * kMxfp4GroupBytes;
    raw.nibbles = reinterpret_cast<const uint4*>(group + kGroupScaleBytes)[piece % kPieces];
    raw.exponent = group[piece % kPieces];
  }
  static __device__ __forceinline__ void unpack(const Raw& raw, int, Unit (&out)[kUnits]) {
    constexpr Levels kLevels = levels_of(gguf::kMxfp4Values);
    const uint32_t words[4] = {raw.nibbles.x, raw.nibbles.y, raw.nibbles.z, raw.nibbles.w};
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const NibbleLevels levels = look_up(kLevels, words[j]);
      out[0].codes[j] = static_cast<int>(levels.low);
      out[1].codes[j] = static_cast<int>(levels.high);
    }
    out[0].scale = out[1].scale = mxfp4_scale(raw.exponent);
    out[0].minimum = out[1].minimum = 0.0f;
  }
};

// Sixteen bytes of nibbles are a unit in the low ones and, two units further, one in the high ones; the head of the
// block (d, dmin, packed scales) is sixteen bytes as well, and blocks of 144 bytes keep both aligned.
template <>
struct PieceReader<UnitReader<TensorType::kQ4_K>> {
  static constexpr int kUnits = 2;
  static constexpr bool kHasMinimum = true;
  static constexpr int kAtOnce = 4;
  static constexpr int kPieces = gguf::kSuperBlock / (kUnits * kUnit);
  struct Raw {
    uint4 head;
    uint4 nibbles;
  };
  static __device__ __forceinline__ int unit_of(int piece, int j) {
    return piece / kPieces * (gguf::kSuperBlock / kUnit) + piece % kPieces / 2 * 4 + piece % 2 + 2 * j;
  }
  static __device__ __forceinline__ void load(const uint8_t* row, int piece, Raw& raw) {
    const auto* block = reinterpret_cast<const uint4*>(row + piece / kPieces * sizeof(gguf::BlockQ4_K));
    raw.head = block[0];
    raw.nibbles = block[1 + piece % kPieces];
  }
  static __device__ __forceinline__ void unpack(const Raw& raw, int piece, Unit (&out)[kUnits]) {
    const uint4& head = raw.head;
    const uint32_t words[4] = {raw.nibbles.x, raw.nibbles.y, raw.nibbles.z, raw.nibbles.w};
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      out[0].codes[j] = static_cast<int>(words[j] & 0x0f0f0f0fu);
      out[1].codes[j] = static_cast<int>((words[j] >> 4) & 0x0f0f0f0fu);
    }
    // Scales and minima of the sub-blocks 2 s and 2 s + 1, one in each byte (scale_min_k4, two at a time).
    const int section = piece % kPieces / 2;
    const int shift = 16 * (section % 2);
    const uint32_t first = head.y >> shift;
    const uint32_t second = head.z >> shift;
    const uint32_t third = head.w >> shift;
    const bool whole = section < 2;
    const uint32_t scales = whole ? first & 0x3f3fu : (third & 0x0f0fu) | ((first >> 2) & 0x3030u);
    const uint32_t minima = whole ? second & 0x3f3fu : ((third >> 4) & 0x0f0fu) | ((second >> 2) & 0x3030u);
    const float d = half_to_float({static_cast<uint16_t>(head.x)});
    const float dmin = half_to_float({static_cast<uint16_t>(head.x >> 16)});
#pragma unroll
    for (int j = 0; j < kUnits; ++j) {
      out[j].scale = d * static_cast<float>((scales >> (8 * j)) & 63u);
      out[j].minimum = dmin * static_cast<float>((minima >> (8 * j)) & 63u);
    }
  }
};

// Calls body(UnitReader<type>{}) for a quantised type: one branch that the whole block takes alike.
template <typename Body>
__host__ __device__ __forceinline__ void with_unit_reader(TensorType type, Body body) {
  switch (type) {
    case TensorType::kQ4_0: return body(UnitReader<TensorType::kQ4_0>{});
    case TensorType::kQ4_1: return body(UnitReader<TensorType::kQ4_1>{});
    case TensorType::kQ5_0: return body(UnitReader<TensorType::kQ5_0>{});
    case TensorType::kQ5_1: return body(UnitReader<TensorType::kQ5_1>{});
    case TensorType::kQ8_0: return body(UnitReader<TensorType::kQ8_0>{});
    case TensorType::kIQ4_NL: return body(UnitReader<TensorType::kIQ4_NL>{});
    case TensorType::kQ2_K: return body(UnitReader<TensorType::kQ2_K>{});
    case TensorType::kQ3_K: return body(UnitReader<TensorType::kQ3_K>{});
    case TensorType::kQ4_K: return body(UnitReader<TensorType::kQ4_K>{});
    case TensorType::kQ5_K: return body(UnitReader<TensorType::kQ5_K>{});
    case TensorType::kQ6_K: return body(UnitReader<TensorType::kQ6_K>{});
    case TensorType::kIQ4_XS: return body(UnitReader<TensorType::kIQ4_XS>{});
    case TensorType::kMXFP4: return body(UnitReader<TensorType::kMXFP4>{});
    default: return;
  }
}

// Elements 16 unit .. 16 unit + 15 of a row of any type as f32; those from n_in on are zero.
__device__ __forceinline__ void read_weights(TensorType type, const uint8_t* row, int unit, int n_in,
                                             float (&out)[kUnit]) {
  const int first = kUnit * unit;
  if (type == TensorType::kF32) {
    const auto* values = reinterpret_cast<const float*>(row);
    for (int i = 0; i < kUnit; ++i) out[i] = first + i < n_in ? values[first + i] : 0.0f;
  } else if (type == TensorType::kF16) {
    const auto* values = reinterpret_cast<const f16*>(row);
    for (int i = 0; i < kUnit; ++i) out[i] = first + i < n_in ? half_to_float(values[first + i]) : 0.0f;
  } else if (type == TensorType::kBF16) {
    const auto* values = reinterpret_cast<const uint16_t*>(row);
    for (int i = 0; i < kUnit; ++i) out[i] = first + i < n_in ? bf16_to_float(values[first + i]) : 0.0f;
  } else if (first >= n_in) {
    for (int i = 0; i < kUnit; ++i) out[i] = 0.0f;
  } else {
    Unit quantised{};
    with_unit_reader(type, [&](auto reader) { reader.read(row, unit, quantised); });
    for (int i = 0; i < kUnit; ++i) {
      const auto code = static_cast<int8_t>(quantised.codes[i / 4] >> (8 * (i % 4)));
      out[i] = quantised.scale * static_cast<float>(code) - quantised.minimum;
    }
  }
}

}  // namespace mneme::engine::cuda

#include "engine/backend/cpu/packed_matrix.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "base/file_pages.h"
#include "engine/gguf/dequantize.h"
#include "engine/gguf/quant_blocks.h"

namespace mneme::engine::cpu {
namespace {

using gguf::TensorType;

// IQ4's levels + 128, MXFP4's + 16, ascending.
constexpr uint8_t kIq4Codes[16] = {1, 24, 45, 63, 79, 93, 106, 118, 129, 141, 153, 166, 181, 197, 217, 241};
constexpr uint8_t kMxfp4Codes[16] = {4, 8, 10, 12, 13, 14, 15, 16, 16, 17, 18, 19, 20, 22, 24, 28};

// code, zero point and groups are those of gguf::read_block.
PackedMatrix::Format format_of(TensorType type) {
  switch (type) {
    case TensorType::kQ4_0: return {.nibbles = true, .zero_shift = 3};
    case TensorType::kQ4_1: return {.nibbles = true, .minimums = true};
    case TensorType::kQ5_0: return {.nibbles = true, .high_bits = 1, .zero_shift = 4};
    case TensorType::kQ5_1: return {.nibbles = true, .high_bits = 1, .minimums = true};
    case TensorType::kQ2_K: return {.nibbles = true, .group = 16, .super = true, .minimums = true};
    case TensorType::kQ3_K: return {.nibbles = true, .zero_shift = 2, .group = 16, .super = true};
    case TensorType::kQ4_K: return {.nibbles = true, .super = true, .minimums = true, .six_bits = true};
    case TensorType::kQ5_K: return {.nibbles = true, .high_bits = 1, .super = true, .minimums = true, .six_bits = true};
    case TensorType::kQ6_K: return {.nibbles = true, .high_bits = 2, .zero_shift = 5, .group = 16, .super = true};
    case TensorType::kIQ4_NL: return {.nibbles = true, .levels = kIq4Codes, .zero_shift = 7};
    case TensorType::kIQ4_XS: return {.nibbles = true, .levels = kIq4Codes, .zero_shift = 7, .super = true};
    case TensorType::kMXFP4: return {.nibbles = true, .levels = kMxfp4Codes, .zero_shift = 4};
    default: return {.zero_shift = 7};  // Q8_0
  }
}

uint8_t index_of(const uint8_t* levels, uint8_t code) {
  return static_cast<uint8_t>(std::lower_bound(levels, levels + 16, code) - levels);
}

constexpr uint32_t kLowNibbles = 0x0f0f0f0f;

// As they lie, in either byte order: only operations within bytes are applied to them.
uint32_t four_codes(const void* source) {
  uint32_t codes;
  std::memcpy(&codes, source, sizeof(codes));
  return codes;
}

}  // namespace

bool PackedMatrix::packs(TensorType type) {
  return type != TensorType::kF32 && type != TensorType::kF16 && type != TensorType::kBF16;
}

int64_t PackedMatrix::scale_bytes() const {
  const int64_t per_group = int64_t{n_groups()} * kPanelRows;
  const int sets = format_.minimums ? 2 : 1;
  if (!format_.super) return per_group * sets * int64_t{sizeof(f16)};
  const int64_t factor_bytes = format_.six_bits ? n_supers() * int64_t{sizeof(SixBitFactors)} : per_group * sets;
  return int64_t{n_supers()} * 2 * kPanelRows * int64_t{sizeof(f16)} + factor_bytes;
}

int64_t PackedMatrix::bytes_of_panel() const {
  if (in_chunks_) return (int64_t{n_in_} + kChunkInputs - 1) / kChunkInputs * kChunkBytes;
  return (code_bytes() + scale_bytes() + 63) / 64 * 64;
}

Status PackedMatrix::pack(const TensorView& tensor, ThreadPool& pool, WeightArena& arena, ScalePlace scale_place) {
  if (!gguf::scales_fit_f16(tensor.type, tensor.bytes))
    return unsupported("tensor " + std::string(tensor.name) + " has scales above 32768, which are not supported");
  format_ = format_of(tensor.type);
  n_out_ = tensor.n_out;
  n_in_ = static_cast<int>(tensor.n_in);
  n_groups_ = n_in_ / format_.group;
  in_chunks_ = scale_place == ScalePlace::kBetweenCodes && !format_.nibbles;
  panel_bytes_ = bytes_of_panel();
  for (int i = 0; i < 16; ++i) levels_[i] = static_cast<uint8_t>(format_.levels != nullptr ? format_.levels[i] : i);
  MNEME_ASSIGN_OR_RETURN(data_, arena.allocate(static_cast<size_t>(memory_bytes())));
  const int64_t row_bytes = gguf::row_bytes(tensor.type, tensor.n_in);
  pool.parallel_for(static_cast<size_t>(n_panels()), 8, [&](int, size_t begin, size_t end) {
    for (size_t panel = begin; panel < end; ++panel) pack_panel(tensor, static_cast<int64_t>(panel));
    if (tensor.file_mapped) {
      const int64_t first = static_cast<int64_t>(begin) * kPanelRows * row_bytes;
      const int64_t last = std::min<int64_t>(static_cast<int64_t>(end) * kPanelRows, n_out_) * row_bytes;
      forget_pages(tensor.bytes.subspan(static_cast<size_t>(first), static_cast<size_t>(last - first)));
    }
  });
  return {};
}

// Writes a block's nibbles at input k0 of one row of a panel, four at a time. High bits are added to zeroed memory.
void PackedMatrix::scatter_codes(gguf::IntegerBlock& block, int row, int k0, int64_t panel) {
  uint8_t* target = codes(panel);
  if (format_.levels != nullptr)
    for (int k = 0; k < block.n_elements; ++k) block.code[k] = index_of(format_.levels, block.code[k]);
  for (int k = 0; k < block.n_elements; k += 8) {
    const uint32_t pairs = (four_codes(block.code + k) & kLowNibbles) | (four_codes(block.code + k + 4) & kLowNibbles)
                                                                            << 4;
    std::memcpy(target + int64_t{k0 + k} / 8 * 64 + row * 4, &pairs, 4);
  }
  if (format_.high_bits > 0) scatter_high_bits(block, row, k0, high_codes(panel));
}

void PackedMatrix::scatter_high_bits(const gguf::IntegerBlock& block, int row, int k0, uint8_t* target) const {
  const int per_byte = 8 / format_.high_bits;
  for (int k = 0; k < block.n_elements; ++k) {
    const int vector = (k0 + k) / 4;
    uint8_t& bits = target[vector / per_byte * 64 + row * 4 + k % 4];
    bits = static_cast<uint8_t>(bits | ((block.code[k] >> 4) << (vector % per_byte * format_.high_bits)));
  }
}

int PackedMatrix::code_at(int64_t panel, int row, int k) const {
  const int vector = k / 4;
  const int at = row * 4 + k % 4;
  const uint8_t pair = codes(panel)[vector / 2 * 64 + at];
  const int code = levels_[vector % 2 ? pair >> 4 : pair & 15];
  if (format_.high_bits == 0) return code;
  const int per_byte = 8 / format_.high_bits;
  const int bits = high_codes(panel)[vector / per_byte * 64 + at] >> (vector % per_byte * format_.high_bits);
  return code | ((bits & ((1 << format_.high_bits) - 1)) << 4);
}

// The largest files are of this type, and loading them is mostly this loop; a code here is the file's with its sign bit
// turned (gguf::read_block adds 128).
void PackedMatrix::pack_q8_panel(const TensorView& tensor, int64_t panel, int n_rows) {
  const int64_t row_bytes = gguf::row_bytes(tensor.type, n_in_);
  for (int row = 0; row < n_rows; ++row) {
    const std::byte* source = tensor.bytes.data() + (panel * kPanelRows + row) * row_bytes;
    for (int group = 0; group < n_groups(); ++group, source += sizeof(gguf::BlockQ8_0)) {
      uint8_t* target = byte_codes(panel, group * gguf::kSmallBlock) + row * 4;
      std::memcpy(group_scales(panel, group) + row, source + offsetof(gguf::BlockQ8_0, d), sizeof(f16));
      for (int k = 0; k < gguf::kSmallBlock; k += 4, target += 64) {
        const uint32_t four = four_codes(source + offsetof(gguf::BlockQ8_0, qs) + k) ^ 0x80808080;
        std::memcpy(target, &four, sizeof(four));
      }
    }
  }
}

// New memory is zero, so rows beyond the last have scale 0.
void PackedMatrix::pack_panel(const TensorView& tensor, int64_t panel) {
  const int n_rows = static_cast<int>(std::min<int64_t>(kPanelRows, n_out_ - panel * kPanelRows));
  if (tensor.type == TensorType::kQ8_0) return pack_q8_panel(tensor, panel, n_rows);
  const int64_t row_bytes = gguf::row_bytes(tensor.type, n_in_);
  const int block_bytes = gguf::tensor_type_info(tensor.type)->block_bytes;
  gguf::IntegerBlock block;
  for (int row = 0; row < n_rows; ++row) {
    const std::byte* source = tensor.bytes.data() + (panel * kPanelRows + row) * row_bytes;
    for (int k = 0; k < n_in_; k += block.n_elements, source += block_bytes) {
      gguf::read_block(tensor.type, source, block);
      scatter_codes(block, row, k, panel);
      const int first_group = k / format_.group;
      if (!format_.super) {
        plain_scales(panel)[first_group * kPanelRows + row] = to_f16(block.d);
        if (format_.minimums) plain_minimums(panel)[first_group * kPanelRows + row] = to_f16(block.dmin);
        continue;
      }
      super_scales(panel, k / 256)[row] = to_f16(block.d);
      super_scales(panel, k / 256)[kPanelRows + row] = to_f16(block.dmin);
      for (int g = 0; g < 256 / format_.group; ++g) {
        if (format_.six_bits) {
          six_bit_factors(panel)[k / 256].put(g, row, block.scales[g], block.mins[g]);
          continue;
        }
        factors(panel)[(first_group + g) * kPanelRows + row] = static_cast<int8_t>(block.scales[g]);
        if (format_.minimums)
          minimum_factors(panel)[(first_group + g) * kPanelRows + row] = static_cast<uint8_t>(block.mins[g]);
      }
    }
  }
}

void PackedMatrix::expand_scales(const Kernels& kernels, int64_t panel, float* scales, float* minimums) const {
  if (in_chunks_) {
    for (int group = 0; group < n_groups(); group += 2)
      kernels.to_float(group_scales(panel, group), std::min(2, n_groups() - group) * kPanelRows,
                       scales + group * kPanelRows);
    return;
  }
  if (!format_.super) {
    kernels.to_float(plain_scales(panel), n_groups() * kPanelRows, scales);
    if (format_.minimums) kernels.to_float(plain_minimums(panel), n_groups() * kPanelRows, minimums);
    return;
  }
  const int groups = 256 / format_.group;
  const f16* d = super_scales(panel, 0);
  if (format_.six_bits) {
    for (int super = 0; super < n_supers(); ++super, d += 2 * kPanelRows) {
      PlainFactors plain;
      six_bit_factors(panel)[super].unpack(plain);
      kernels.scale_unsigned(d, plain.scales, 1, groups, scales);
      kernels.scale_unsigned(d + kPanelRows, plain.minimums, 1, groups, minimums);
      scales += groups * kPanelRows;
      minimums += groups * kPanelRows;
    }
    return;
  }
  kernels.scale_signed(d, factors(panel), n_supers(), groups, scales);
  if (format_.minimums) kernels.scale_unsigned(d + kPanelRows, minimum_factors(panel), n_supers(), groups, minimums);
}

PackedScales PackedMatrix::packed_scales(int64_t panel) const {
  PackedScales packed;
  packed.d = group_scales(panel, 0);
  if (format_.super && !format_.six_bits) packed.factors = factors(panel);
  if (format_.six_bits) packed.six_bits = six_bit_factors(panel);
  if (!format_.minimums) return packed;
  packed.dmin = format_.super ? super_scales(panel, 0) + kPanelRows : plain_minimums(panel);
  if (format_.super && !format_.six_bits) packed.minimum_factors = minimum_factors(panel);
  return packed;
}

size_t PackedMatrix::scratch_bytes() const {
  const size_t scales = static_cast<size_t>(n_groups()) * kPanelRows * sizeof(float) * (format_.minimums ? 2 : 1);
  const size_t unpacked = format_.nibbles ? static_cast<size_t>(n_in_) * kPanelRows : 0;
  return 2 * (scales + unpacked);
}

void PackedMatrix::describe_format(PanelProduct& product) const {
  product.high_bits = format_.high_bits;
  product.nibbles = format_.nibbles;
  product.levels = format_.levels != nullptr ? levels_ : nullptr;
  product.zero_shift = format_.zero_shift;
  product.group = format_.group;
  product.minimum = format_.minimums;
  product.in_chunks = in_chunks_;
  product.n_in = n_in_;
}

void PackedMatrix::describe_run(int64_t panel, int64_t n_panels, PanelProduct& product) const {
  describe_format(product);
  product.n_columns = static_cast<int>(std::min<int64_t>(n_panels * kPanelRows, n_out_ - panel * kPanelRows));
  product.codes[0] = codes(panel);
  product.high[0] = high_codes(panel);
  product.packed_scales[0] = packed_scales(panel);
  product.panel_bytes = panel_bytes();
  product.end = codes(panel + n_panels);
}

void PackedMatrix::describe(const Kernels& kernels, int64_t panel, int n_rows, uint8_t* scratch,
                            PanelProduct& product) const {
  describe_format(product);
  product.nibbles = format_.nibbles && n_rows <= kernels.max_nibble_rows;
  product.n_columns = static_cast<int>(std::min<int64_t>(2 * kPanelRows, n_out_ - panel * kPanelRows));
  for (int i = 0; i < 2; ++i) {
    // A lone last panel stands in for its missing neighbour; the second result is not written.
    const int64_t index = std::min(panel + i, n_panels() - 1);
    product.codes[i] = codes(index);
    product.high[i] = high_codes(index);
    product.packed_scales[i] = packed_scales(index);
  }
  if (n_rows <= kernels.max_packed_scale_rows) return;  // few rows: codes are as they lie as well
  auto* floats = reinterpret_cast<float*>(scratch);
  const int64_t n_scales = int64_t{n_groups()} * kPanelRows;
  uint8_t* unpacked = scratch + static_cast<size_t>(n_scales) * sizeof(float) * (format_.minimums ? 4 : 2);
  for (int i = 0; i < 2; ++i) {
    const int64_t index = std::min(panel + i, n_panels() - 1);
    product.packed_scales[i] = {};
    product.scales[i] = floats + i * n_scales;
    product.minimums[i] = format_.minimums ? floats + (2 + i) * n_scales : nullptr;
    expand_scales(kernels, index, floats + i * n_scales, floats + (2 + i) * n_scales);
    if (format_.nibbles && !product.nibbles) {
      uint8_t* target = unpacked + static_cast<size_t>(i) * n_in_ * kPanelRows;
      kernels.unpack_codes(codes(index), high_codes(index), format_.high_bits, levels_, n_in_, target);
      product.codes[i] = target;
    }
  }
}

PackedMatrix::GroupScale PackedMatrix::scale_of(int64_t panel, int lane, int group) const {
  const int at = group * kPanelRows + lane;
  if (!format_.super) {
    return {to_f32(group_scales(panel, group)[lane]), format_.minimums ? to_f32(plain_minimums(panel)[at]) : 0.0f};
  }
  const int super = group * format_.group / 256;
  const f16* d = super_scales(panel, super);
  if (format_.six_bits) {
    const auto [scale, minimum] = six_bit_factors(panel)[super].at(group % SixBitFactors::kGroups, lane);
    return {to_f32(d[lane]) * static_cast<float>(scale), to_f32(d[kPanelRows + lane]) * static_cast<float>(minimum)};
  }
  const float minimum =
      format_.minimums ? to_f32(d[kPanelRows + lane]) * static_cast<float>(minimum_factors(panel)[at]) : 0.0f;
  return {to_f32(d[lane]) * static_cast<float>(factors(panel)[at]), minimum};
}

void PackedMatrix::read_row(int64_t row, float* out) const {
  const int64_t panel = row / kPanelRows;
  const int lane = static_cast<int>(row % kPanelRows);
  const int zero = format_.zero_shift >= 0 ? 1 << format_.zero_shift : 0;
  for (int group = 0; group < n_groups(); ++group) {
    const GroupScale own = scale_of(panel, lane, group);
    for (int k = group * format_.group; k < (group + 1) * format_.group; ++k) {
      const int code = format_.nibbles ? code_at(panel, lane, k) : byte_codes(panel, k & ~3)[lane * 4 + k % 4];
      out[k] = own.scale * static_cast<float>(code - zero) - own.minimum;
    }
  }
}

}  // namespace mneme::engine::cpu

// Quantised weights repacked for integer dot products.
//
// Sixteen output rows form a panel; the last one is filled with zeros. Within a panel the codes of 4 consecutive inputs
// of all 16 rows lie together, row by row:
//   bytes    code(row, k) at k / 4 * 64 + row * 4 + k % 4
//   nibbles  the same with two vectors of 64 codes in one: even k / 4 in the low, odd in the high nibbles
// Five- and six-bit types have nibbles and, after those of the whole panel, their high bits: eight or four vectors of
// 64 codes in one, the first in the lowest bits. The panel's scales follow its codes:
//   plain    f16 scale[n_in / 32][16], then minimums likewise where the type has them
//   chunks   instead of plain, for bytes and where asked for: f16 scale[2][16] after the codes of every 64 inputs. Then
//            a panel is one run of memory, which the prefetchers of some processors want
//   super    per 256 inputs: f16 d[16], dmin[16]; int8 factors[n_in / group][16]; uint8 minimum factors likewise
//   six bits instead of both factors, where the type's have no more (Q4_K, Q5_K): per 256 inputs SixBitFactors
//            (six_bit_factors.h)
// So a product reads memory in order. Panels begin at multiples of 64 bytes. The bytes are about those of the file.
// Values are exactly those of dequantize.h.
//
// Threads: immutable after packing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "base/thread_pool.h"
#include "engine/backend/backend.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/six_bit_factors.h"
#include "engine/backend/cpu/weight_arena.h"
#include "engine/gguf/dequantize.h"

namespace mneme::engine::cpu {

class PackedMatrix {
 public:
  // How a type is packed; fixed per type.
  struct Format {
    bool nibbles = false;
    int high_bits = 0;                // beside the nibbles
    const uint8_t* levels = nullptr;  // ascending codes that the nibbles are indices of; null: they are the codes
    int zero_shift = -1;
    int group = 32;
    bool super = false;  // 256-element blocks with integer factors
    bool minimums = false;
    bool six_bits = false;  // with super and minimums: how wide factors are
  };
  // Where scales in f16 lie. kBetweenCodes: in chunks, where the type's codes are bytes; only kernels that take panels
  // in order can multiply with them.
  enum class ScalePlace { kBehindCodes, kBetweenCodes };
  // False for F32, F16, BF16.
  static bool packs(gguf::TensorType type);

  // Repacks on the pool into the arena, which must outlive this. tensor: checked shape. kResource: no memory.
  Status pack(const TensorView& tensor, ThreadPool& pool, WeightArena& arena,
              ScalePlace scale_place = ScalePlace::kBehindCodes);

  // The panels from `panel` on (two, or one at the end) as a product's weights, for n_rows of activations in all. With
  // many, codes are unpacked; with more than the fewest, scales are widened to f32.
  // scratch: scratch_bytes(), 64-byte aligned, kept until the product is done.
  void describe(const Kernels& kernels, int64_t panel, int n_rows, uint8_t* scratch, PanelProduct& product) const;
  size_t scratch_bytes() const;
  // n_panels panels from `panel` on for Kernels::multiply_run.
  void describe_run(int64_t panel, int64_t n_panels, PanelProduct& product) const;
  // Memory of the two panels from `panel` on.
  std::span<const uint8_t> pair_memory(int64_t panel) const {
    return {codes(panel), static_cast<size_t>(pair_size(panel) * panel_bytes())};
  }

  void read_row(int64_t row, float* out) const;

  int64_t n_pairs() const { return (n_panels() + 1) / 2; }
  int64_t n_panels() const { return (n_out_ + kPanelRows - 1) / kPanelRows; }
  int64_t memory_bytes() const { return n_panels() * panel_bytes(); }
  const Format& format() const { return format_; }

 private:
  int64_t pair_size(int64_t panel) const { return std::min<int64_t>(n_panels() - panel, 2); }
  int n_groups() const { return n_groups_; }
  int n_supers() const { return n_in_ / 256; }
  int code_bits() const { return format_.nibbles ? 4 + format_.high_bits : 8; }
  int64_t code_bytes() const { return int64_t{n_in_} * kPanelRows * code_bits() / 8; }  // of a panel
  int64_t scale_bytes() const;                                                          // of a panel
  int64_t bytes_of_panel() const;
  int64_t panel_bytes() const { return panel_bytes_; }
  uint8_t* codes(int64_t panel) const { return data_ + panel * panel_bytes(); }
  uint8_t* high_codes(int64_t panel) const { return codes(panel) + int64_t{n_in_} * kPanelRows / 2; }
  uint8_t* scales(int64_t panel) const { return codes(panel) + code_bytes(); }
  // Parts of a panel's scales.
  f16* plain_scales(int64_t panel) const { return reinterpret_cast<f16*>(scales(panel)); }
  // Of codes in bytes: the four of input k (a multiple of 4) of the panel's first row; the scales of a group.
  uint8_t* byte_codes(int64_t panel, int k) const {
    return codes(panel) + int64_t{k} * kPanelRows + (in_chunks_ ? k / kChunkInputs * kChunkScaleBytes : 0);
  }
  f16* group_scales(int64_t panel, int group) const {
    if (!in_chunks_) return plain_scales(panel) + group * kPanelRows;
    return reinterpret_cast<f16*>(codes(panel) + int64_t{group} / 2 * kChunkBytes + kChunkInputs * kPanelRows) +
           group % 2 * kPanelRows;
  }
  f16* plain_minimums(int64_t panel) const { return plain_scales(panel) + n_groups() * kPanelRows; }
  f16* super_scales(int64_t panel, int super) const { return plain_scales(panel) + super * 2 * kPanelRows; }
  int8_t* factors(int64_t panel) const { return reinterpret_cast<int8_t*>(super_scales(panel, n_supers())); }
  uint8_t* minimum_factors(int64_t panel) const {
    return reinterpret_cast<uint8_t*>(factors(panel)) + n_groups() * kPanelRows;
  }
  SixBitFactors* six_bit_factors(int64_t panel) const {
    return reinterpret_cast<SixBitFactors*>(super_scales(panel, n_supers()));
  }

  void describe_format(PanelProduct& product) const;
  void scatter_codes(gguf::IntegerBlock& block, int row, int k0, int64_t panel);
  void scatter_high_bits(const gguf::IntegerBlock& block, int row, int k0, uint8_t* target) const;
  int code_at(int64_t panel, int row, int k) const;
  struct GroupScale {
    float scale;
    float minimum;
  };
  GroupScale scale_of(int64_t panel, int lane, int group) const;  // of one row's group of inputs
  void pack_q8_panel(const TensorView& tensor, int64_t panel, int n_rows);
  void pack_panel(const TensorView& tensor, int64_t panel);
  void expand_scales(const Kernels& kernels, int64_t panel, float* scales, float* minimums) const;
  PackedScales packed_scales(int64_t panel) const;

  Format format_;
  int64_t n_out_ = 0;
  int n_in_ = 0;
  // Kept, as both are asked for with every panel that is read.
  int n_groups_ = 0;
  int64_t panel_bytes_ = 0;
  bool in_chunks_ = false;
  uint8_t levels_[16] = {};
  uint8_t* data_ = nullptr;
};

}  // namespace mneme::engine::cpu

// Fills the table of one instruction set from the templates. Include only from kernels_*.cpp.
#pragma once

#include "engine/backend/cpu/attention_kernels.h"
#include "engine/backend/cpu/float_kernels.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/row_attention_kernels.h"
#include "engine/backend/cpu/state_kernels.h"

namespace mneme::engine::cpu {

template <class V>
struct KernelTable {
  using Float = FloatKernels<V>;
  static constexpr Kernels float_part() {
    Kernels table{};
    table.name = V::kName;
    table.multiply_floats = Float::multiply_floats;
    table.rms_norm = Float::rms_norm;
    table.layer_norm = Float::layer_norm;
    table.add = Float::add;
    table.add_scaled = Float::add_scaled;
    table.silu = Float::template gated<Float::Math::silu>;
    table.gelu = Float::template gated<Float::Math::gelu>;
    table.gelu_tanh = Float::template gated<Float::Math::gelu_tanh>;
    table.sigmoid = Float::template gated<Float::Math::sigmoid>;
    table.softcap = Float::softcap;
    table.to_half = Float::to_half;
    table.to_float = Float::to_float;
    table.rotate_halves = Float::rotate_halves;
    table.rotate_neighbours = Float::rotate_neighbours;
    table.quantize_row = Float::quantize_row;
    table.scale_signed = Float::template scale_factors<int8_t>;
    table.scale_unsigned = Float::template scale_factors<uint8_t>;
    table.min_wide_rows = __INT_MAX__;
    table.queries_per_block = 64;
    table.attend_page = AttentionKernels<V>::attend_page;
    table.attend_rows = RowAttentionKernels<V>::attend_rows;
    table.score_rows = RowAttentionKernels<V>::score_rows;
    table.run_delta = StateKernels<V>::template run<true>;
    table.run_state_sums = StateKernels<V>::template run<false>;
    table.convolve = StateKernels<V>::convolve;
    return table;
  }
};

}  // namespace mneme::engine::cpu

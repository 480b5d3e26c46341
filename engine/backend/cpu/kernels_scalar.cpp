#include "engine/backend/cpu/kernel_table.h"
#include "engine/simd/scalar_vector.h"

namespace mneme::engine::cpu {
namespace {

// A vector of 64 codes is 16 rows of 4 inputs. The layout of the parts: packed_matrix.h.
void unpack_codes(const uint8_t* nibbles, const uint8_t* high, int high_bits, const uint8_t* levels, int n_in,
                  uint8_t* out) {
  const int per_byte = high_bits > 0 ? 8 / high_bits : 1;
  for (int vector = 0; vector < n_in / 4; ++vector)
    for (int i = 0; i < 64; ++i) {
      const uint8_t pair = nibbles[vector / 2 * 64 + i];
      int code = levels[vector % 2 ? pair >> 4 : pair & 15];
      if (high_bits > 0) {
        const int bits = high[vector / per_byte * 64 + i] >> (vector % per_byte * high_bits);
        code |= (bits & ((1 << high_bits) - 1)) << 4;
      }
      out[vector * 64 + i] = static_cast<uint8_t>(code);
    }
}

int code_of(const PanelProduct& p, int panel, int k, int row) {
  const int vector = k / 4;
  const int lane = row * 4 + k % 4;
  if (!p.nibbles) return p.codes[panel][vector * 64 + lane];
  const uint8_t pair = p.codes[panel][vector / 2 * 64 + lane];
  const int nibble = vector % 2 ? pair >> 4 : pair & 15;
  const int code = p.levels ? p.levels[nibble] : nibble;
  if (p.high_bits == 0) return code;
  const int per_byte = 8 / p.high_bits;
  const int bits = p.high[panel][vector / per_byte * 64 + lane] >> (vector % per_byte * p.high_bits);
  return code | ((bits & ((1 << p.high_bits) - 1)) << 4);
}

float dot(const PanelProduct& p, int panel, int row, int m) {
  const int n_groups = p.n_in / p.group;
  float total = 0;
  for (int g = 0; g < n_groups; ++g) {
    int32_t sum = p.zero_shift >= 0 ? p.x_minus_sums[int64_t{m} * n_groups + g] * (1 << p.zero_shift) : 0;
    for (int k = g * p.group; k < (g + 1) * p.group; ++k)
      sum += code_of(p, panel, k, row) * p.x[int64_t{m} * p.n_in + k];
    const float x_scale = p.x_scales[int64_t{m} * (p.n_in / kRowBlock) + g * p.group / kRowBlock];
    total += static_cast<float>(sum) * (p.scales[panel][g * kPanelRows + row] * x_scale);
    if (p.minimums[panel])
      total -= p.minimums[panel][g * kPanelRows + row] * p.x_scaled_sums[int64_t{m} * n_groups + g];
  }
  return total;
}

void multiply_panels(const PanelProduct& p) {
  for (int m = 0; m < p.n_rows; ++m)
    for (int j = 0; j < p.n_columns; ++j)
      p.y[m * p.y_stride + j] = dot(p, j / kPanelRows, j % kPanelRows, m) + (p.bias ? p.bias[j] : 0.0f);
}

constexpr Kernels make_table() {
  Kernels table = KernelTable<simd::ScalarVector>::float_part();
  table.unpack_codes = unpack_codes;
  table.max_nibble_rows = 1 << 30;
  table.multiply_panels = multiply_panels;
  return table;
}

}  // namespace

const Kernels& scalar_kernels() {
  static constexpr Kernels table = make_table();
  return table;
}

}  // namespace mneme::engine::cpu

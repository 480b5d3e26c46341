#include "engine/backend/cpu/kernel_table.h"
#include "engine/backend/cpu/simd_avx2.h"

namespace mneme::engine::cpu {
namespace {

__m256i load_32(const uint8_t* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}

// Eight vectors of 64 codes (32 inputs) at a time, as halves of 32 bytes.
template <int kHighBits>
void unpack_part(const uint8_t* nibbles, const uint8_t* high, __m256i table, uint8_t* out) {
  const __m256i low_bits = _mm256_set1_epi8(15);
  const __m256i high_mask = _mm256_set1_epi8(kHighBits == 2 ? 0x30 : 0x10);
  for (int v = 0; v < 8; ++v) {
    __m256i code = load_32(nibbles + v / 2 * 64);
    if (v % 2) code = _mm256_srli_epi16(code, 4);
    code = _mm256_shuffle_epi8(table, _mm256_and_si256(code, low_bits));
    if constexpr (kHighBits > 0) {
      constexpr int kPerByte = 8 / kHighBits;
      const int shift = v % kPerByte * kHighBits;
      const __m256i bits = load_32(high + v / kPerByte * 64);
      const __m256i moved = shift <= 4 ? _mm256_slli_epi16(bits, 4 - shift) : _mm256_srli_epi16(bits, shift - 4);
      code = _mm256_or_si256(code, _mm256_and_si256(moved, high_mask));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + v * 64), code);
  }
}

template <int kHighBits>
void unpack_all(const uint8_t* nibbles, const uint8_t* high, const uint8_t* levels, int n_in, uint8_t* out) {
  const __m256i table = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(levels)));
  for (int k = 0; k < n_in; k += 32)
    for (int half = 0; half < 64; half += 32)
      unpack_part<kHighBits>(nibbles + int64_t{k} * 8 + half, high + int64_t{k} * 2 * kHighBits + half, table,
                             out + int64_t{k} * 16 + half);
}

void unpack_codes(const uint8_t* nibbles, const uint8_t* high, int high_bits, const uint8_t* levels, int n_in,
                  uint8_t* out) {
  if (high_bits == 0) return unpack_all<0>(nibbles, high, levels, n_in, out);
  high_bits == 1 ? unpack_all<1>(nibbles, high, levels, n_in, out) : unpack_all<2>(nibbles, high, levels, n_in, out);
}

// kM activation rows by one panel. Without VNNI, products of unsigned codes and signed activations are added in pairs
// to 16 bits: exact while codes are below 128. Codes centred on 128 take their signs over to the activations instead,
// so that 128 * 127 * 2 is the largest sum; they need no correction for the zero point then.
template <int kM, bool kCentred>
class PanelTile {
 public:
  static void run(const PanelProduct& p, int panel, const uint8_t* codes, int m0) {
    __m256 total[kM][2];
    for (int i = 0; i < kM; ++i) total[i][0] = total[i][1] = _mm256_setzero_ps();
    const int n_groups = p.n_in / p.group;
    for (int g = 0; g < n_groups; ++g) {
      __m256i sum[kM][2];
      for (int i = 0; i < kM; ++i) {
        const int64_t at = int64_t{m0 + i} * n_groups + g;
        const int start = kCentred || p.zero_shift < 0 ? 0 : p.x_minus_sums[at] * (1 << p.zero_shift);
        sum[i][0] = sum[i][1] = _mm256_set1_epi32(start);
      }
      for (int k = g * p.group; k < (g + 1) * p.group; k += 4)
        for (int half = 0; half < 2; ++half) {
          const __m256i weights = load_32(codes + int64_t{k} * kPanelRows + 32 * half);
          for (int i = 0; i < kM; ++i)
            sum[i][half] = _mm256_add_epi32(sum[i][half], dot4(weights, p.x + int64_t{m0 + i} * p.n_in + k));
        }
      finish_group(p, panel, m0, g, n_groups, sum, total);
    }
    store(p, panel, m0, total);
  }

 private:
  static __m256i dot4(__m256i codes, const int8_t* x) {
    int32_t four;
    __builtin_memcpy(&four, x, 4);
    __m256i activations = _mm256_set1_epi32(four);
    if constexpr (kCentred) {
      const __m256i weights = _mm256_xor_si256(codes, _mm256_set1_epi8(-128));
      activations = _mm256_sign_epi8(activations, weights);
      codes = _mm256_abs_epi8(weights);
    }
    return _mm256_madd_epi16(_mm256_maddubs_epi16(codes, activations), _mm256_set1_epi16(1));
  }

  static void finish_group(const PanelProduct& p, int panel, int m0, int g, int n_groups, const __m256i (&sum)[kM][2],
                           __m256 (&total)[kM][2]) {
    for (int half = 0; half < 2; ++half) {
      const __m256 scale = _mm256_loadu_ps(p.scales[panel] + g * kPanelRows + 8 * half);
      for (int i = 0; i < kM; ++i) {
        const float x_scale = p.x_scales[int64_t{m0 + i} * (p.n_in / kRowBlock) + g * p.group / kRowBlock];
        total[i][half] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sum[i][half]),
                                         _mm256_mul_ps(scale, _mm256_set1_ps(x_scale)), total[i][half]);
      }
      if (!p.minimums[panel]) continue;
      const __m256 minimum = _mm256_loadu_ps(p.minimums[panel] + g * kPanelRows + 8 * half);
      for (int i = 0; i < kM; ++i)
        total[i][half] =
            _mm256_fnmadd_ps(minimum, _mm256_set1_ps(p.x_scaled_sums[int64_t{m0 + i} * n_groups + g]), total[i][half]);
    }
  }

  static void store(const PanelProduct& p, int panel, int m0, const __m256 (&total)[kM][2]) {
    const int first = panel * kPanelRows;
    const int count = p.n_columns - first < kPanelRows ? p.n_columns - first : kPanelRows;
    for (int i = 0; i < kM; ++i) {
      float row[kPanelRows];
      _mm256_storeu_ps(row, total[i][0]);
      _mm256_storeu_ps(row + 8, total[i][1]);
      float* y = p.y + (m0 + i) * p.y_stride + first;
      for (int j = 0; j < count; ++j) y[j] = row[j] + (p.bias ? p.bias[first + j] : 0.0f);
    }
  }
};

template <bool kCentred>
void multiply_rows(const PanelProduct& p, int panel, const uint8_t* codes) {
  int m = 0;
  for (; m + 3 <= p.n_rows; m += 3) PanelTile<3, kCentred>::run(p, panel, codes, m);
  for (; m < p.n_rows; ++m) PanelTile<1, kCentred>::run(p, panel, codes, m);
}

void multiply_panels(const PanelProduct& p) {
  for (int panel = 0; panel * kPanelRows < p.n_columns; ++panel)
    p.zero_shift == 7 ? multiply_rows<true>(p, panel, p.codes[panel]) : multiply_rows<false>(p, panel, p.codes[panel]);
}

constexpr Kernels make_table() {
  Kernels table = KernelTable<Avx2Vector>::float_part();
  table.unpack_codes = unpack_codes;
  table.max_nibble_rows = 0;
  table.multiply_panels = multiply_panels;
  return table;
}

}  // namespace

const Kernels& avx2_kernels() {
  static constexpr Kernels table = make_table();
  return table;
}

}  // namespace mneme::engine::cpu

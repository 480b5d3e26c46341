// Products with packed panels in vectors of 32 bytes, for AVX2 and AVX-VNNI. Include from one file per instruction set:
// everything has internal linkage, so that each keeps what was compiled for it.
#pragma once

#include "base/fetch_ahead.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/simd/avx2_vector.h"

namespace mneme::engine::cpu {
namespace {

__m256i load_32(const uint8_t* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}

// Dot::add adds four products of unsigned codes and signed activations to each of eight sums. Dot::kCentre: codes
// centred on 128 are to be below 128 in magnitude; they then give their signs over to the activations and need no
// correction for the zero point.
// kM activation rows by one panel.
template <int kM, bool kCentred, class Dot>
class PanelTile {
 public:
  // lines_per_group: to be asked for of `ahead`.
  static void run(const PanelProduct& p, int panel, const uint8_t* codes, int m0, FetchAhead& ahead,
                  int64_t lines_per_group) {
    __m256 total[kM][2];
    for (int i = 0; i < kM; ++i) total[i][0] = total[i][1] = _mm256_setzero_ps();
    const int n_groups = p.n_in / p.group;
    for (int g = 0; g < n_groups; ++g) {
      ahead.fetch(lines_per_group);
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
            sum[i][half] = add_four(sum[i][half], weights, p.x + int64_t{m0 + i} * p.n_in + k);
        }
      finish_group(p, panel, m0, g, n_groups, sum, total);
    }
    store(p, panel, m0, total);
  }

 private:
  static __m256i add_four(__m256i sum, __m256i codes, const int8_t* x) {
    int32_t four;
    __builtin_memcpy(&four, x, 4);
    __m256i activations = _mm256_set1_epi32(four);
    if constexpr (kCentred) {
      const __m256i weights = _mm256_xor_si256(codes, _mm256_set1_epi8(-128));
      activations = _mm256_sign_epi8(activations, weights);
      codes = _mm256_abs_epi8(weights);
    }
    return Dot::add(sum, codes, activations);
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

template <bool kCentred, class Dot>
void multiply_rows(const PanelProduct& p, int panel, const uint8_t* codes, FetchAhead& ahead, int64_t lines_per_group) {
  int m = 0;
  for (; m + 3 <= p.n_rows; m += 3) PanelTile<3, kCentred, Dot>::run(p, panel, codes, m, ahead, lines_per_group);
  for (; m < p.n_rows; ++m) PanelTile<1, kCentred, Dot>::run(p, panel, codes, m, ahead, lines_per_group);
}

template <class Dot>
void multiply_panels(const PanelProduct& p) {
  FetchAhead ahead = p.ahead;
  const int n_panels = p.n_columns > kPanelRows ? 2 : 1;
  const int64_t lines_per_group = ahead.lines_per_step(int64_t{p.n_in} / p.group * n_panels);
  for (int panel = 0; panel * kPanelRows < p.n_columns; ++panel)
    Dot::kCentre&& p.zero_shift == 7 ? multiply_rows<true, Dot>(p, panel, p.codes[panel], ahead, lines_per_group)
                                     : multiply_rows<false, Dot>(p, panel, p.codes[panel], ahead, lines_per_group);
}

}  // namespace
}  // namespace mneme::engine::cpu

#include "muon.h"

#include <algorithm>
#include <cmath>

#include "tiles.h"

namespace mneme_train {

namespace {

constexpr int kRounds = 5;
// Coefficients of the quintic iteration of Muon's authors: steep at 0, so that small singular values grow fast.
constexpr float kA = 3.4445F, kB = -4.7750F, kC = 2.0315F;
constexpr float kAdamSize = 0.2F;  // root mean square of a usual AdamW update over its rate

// x (r x c, r <= c) with singular values in (0, 1] -> about 1.
void even_out(int r, int c, MuonWork& w) {
  bf16 *x = w.x.data(), *product = sized(w.product, static_cast<size_t>(r) * r);
  bf16* packed = sized(w.packed, static_cast<size_t>(r) * c);
  float* square = sized(w.square, 2 * static_cast<size_t>(r) * r);
  float *gram = square + static_cast<size_t>(r) * r, *wide = sized(w.wide, static_cast<size_t>(r) * c);
  const size_t n = static_cast<size_t>(r) * r;
  for (int round = 0; round < kRounds; ++round) {
    pack_right_transposed(x, c, r, c, packed);
    multiply_to(row_major(x, c), right_tiles(packed, c), r, r, c, gram, r);
    for (size_t i = 0; i < n; i += 16) store_bf16(product + i, _mm512_loadu_ps(gram + i));
    pack_right(product, r, r, r, packed);
    multiply_to(row_major(product, r), right_tiles(packed, r), r, r, r, square, r);
    for (size_t i = 0; i < n; i += 16) {
      const __m512 cubic = _mm512_mul_ps(_mm512_loadu_ps(gram + i), _mm512_set1_ps(kB));
      store_bf16(product + i, _mm512_fmadd_ps(_mm512_loadu_ps(square + i), _mm512_set1_ps(kC), cubic));
    }
    pack_right(x, c, r, c, packed);
    multiply_to(row_major(product, r), right_tiles(packed, r), r, c, r, wide, c);
    for (size_t i = 0; i < static_cast<size_t>(r) * c; i += 16) {
      store_bf16(x + i, _mm512_fmadd_ps(load_bf16(x + i), _mm512_set1_ps(kA), _mm512_loadu_ps(wide + i)));
    }
  }
}

}  // namespace

void muon_step(const float* grad, int rows, int cols, float rate, float keep, float beta, float* momentum,
               float* weight, MuonWork& w) {
  const size_t n = static_cast<size_t>(rows) * cols;
  const bool turned = rows > cols;
  const int r = std::min(rows, cols), c = std::max(rows, cols);
  bf16* x = sized(w.x, n);
  float* update = sized(w.wide, n);
  __m512 squares = _mm512_setzero_ps();
  for (size_t i = 0; i < n; i += 16) {
    const __m512 g = _mm512_mul_ps(_mm512_loadu_ps(grad + i), _mm512_set1_ps(1 - beta));
    const __m512 old = _mm512_fmadd_ps(_mm512_loadu_ps(momentum + i), _mm512_set1_ps(beta), g);
    const __m512 ahead = _mm512_fmadd_ps(old, _mm512_set1_ps(beta), g);  // Nesterov's look
    _mm512_storeu_ps(momentum + i, old);
    _mm512_storeu_ps(update + i, ahead);
    squares = _mm512_fmadd_ps(ahead, ahead, squares);
  }
  const float sum = _mm512_reduce_add_ps(squares);
  const float by = 1.0F / (std::sqrt(sum) + 1e-20F);
  alignas(64) float row[16];
  for (int i = 0; i < r; ++i) {
    for (int j = 0; j < c; j += 16) {
      for (int t = 0; t < 16; ++t)
        row[t] = by * update[turned ? static_cast<size_t>(j + t) * cols + i : static_cast<size_t>(i) * cols + j + t];
      store_bf16(x + static_cast<size_t>(i) * c + j, _mm512_load_ps(row));
    }
  }
  even_out(r, c, w);
  const float scale = rate * kAdamSize * std::sqrt(static_cast<float>(c));
  for (int i = 0; i < r; ++i) {
    for (int j = 0; j < c; j += 16) {
      _mm512_store_ps(row, load_bf16(x + static_cast<size_t>(i) * c + j));
      for (int t = 0; t < 16; ++t) {
        float& at = weight[turned ? static_cast<size_t>(j + t) * cols + i : static_cast<size_t>(i) * cols + j + t];
        at = at * keep - scale * row[t];
      }
    }
  }
}

}  // namespace mneme_train

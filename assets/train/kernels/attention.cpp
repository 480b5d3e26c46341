#include "attention.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tiles.h"

namespace mneme_train {

namespace {

constexpr float kHidden = -1e30F;
constexpr float kScale = 0.125F;  // 1 / sqrt(64)
constexpr int kKeys = 64;         // keys per block of the backward pass
constexpr int kQueries = 512;     // queries it takes at a time: what lies between stays in the second cache

// Which columns a block of 32 queries reads: [0, head) and [tail, end), laid side by side.
struct Columns {
  int head, tail, end;
  int count() const { return head + end - tail; }
};

Columns columns_of(const Segment& s, int i0) {
  Columns c{std::min((s.context_end + 31) / 32 * 32, i0 + 32), i0 + 32, i0 + 32};
  int first = i0 + 32;
  for (int i = std::max(i0, s.context_end); i < i0 + 32; ++i) first = std::min(first, s.branch_start[i]);
  c.tail = std::max(c.head, first / 32 * 32);
  return c;
}

__m512i lanes_from(int first) {
  return _mm512_add_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                          _mm512_set1_epi32(first));
}

// Which of the 16 keys from j on query i sees.
__mmask16 seen_keys(const Segment& s, int j, int i) {
  const __m512i query = _mm512_set1_epi32(i);
  __mmask16 seen = _mm512_cmpgt_epi32_mask(_mm512_loadu_si512(s.see_end + j), query);
  if (s.see_again) seen |= _mm512_cmple_epi32_mask(_mm512_loadu_si512(s.see_again + j), query);
  return seen & _mm512_cmple_epi32_mask(lanes_from(j), query);
}

// Scales, hides what row i does not see, and turns scores into exp(score - max) in bf16. Returns max and sum.
std::pair<float, float> soften(const Segment& s, const Columns& c, int i, float* scores, bf16* p) {
  const int n = c.count();
  __m512 top = _mm512_set1_ps(kHidden);
  for (int j = 0; j < n; j += 16) {  // head and tail begin at multiples of 32: a block lies in one of them
    const __mmask16 seen = seen_keys(s, j < c.head ? j : c.tail + j - c.head, i);
    const __m512 score = _mm512_mask_mov_ps(_mm512_set1_ps(kHidden), seen, _mm512_loadu_ps(scores + j));
    _mm512_storeu_ps(scores + j, score);
    top = _mm512_max_ps(top, score);
  }
  const float max = _mm512_reduce_max_ps(top) * kScale;
  __m512 sum = _mm512_setzero_ps();
  for (int j = 0; j < n; j += 16) {
    const __m512 e = exp16(_mm512_fmsub_ps(_mm512_loadu_ps(scores + j), _mm512_set1_ps(kScale), _mm512_set1_ps(max)));
    sum = _mm512_add_ps(sum, e);
    store_bf16(p + j, e);
  }
  return {max, _mm512_reduce_add_ps(sum)};
}

void attend_block(const Segment& s, Heads heads, const bf16* q, const bf16* keys, const bf16* values, int i0, bf16* out,
                  float* log_sum, AttentionWork& w) {
  const Columns c = columns_of(s, i0);
  const int n = c.count();
  float* scores = sized(w.scores[0], static_cast<size_t>(32) * n);
  bf16* p = sized(w.weights[0], static_cast<size_t>(32) * n);
  const Left rows = row_major(q + static_cast<long>(i0) * heads.width(), heads.width());
  const long key_step = kHeadDim / 32 * kTile;
  multiply_to(rows, {keys, key_step}, 32, c.head, kHeadDim, scores, n);
  multiply_to(rows, {keys + c.tail / 16 * key_step, key_step}, 32, c.end - c.tail, kHeadDim, scores + c.head, n);
  float inverse[32];
  for (int r = 0; r < 32; ++r) {
    const auto [max, sum] = soften(s, c, i0 + r, scores + r * n, p + r * n);
    inverse[r] = 1.0F / sum;
    log_sum[i0 + r] = max + std::log(sum);
  }
  alignas(64) float mixed[32 * kHeadDim] = {};
  const long value_step = s.n / 32 * kTile;
  multiply_add(row_major(p, n), {values, value_step}, 32, kHeadDim, c.head, mixed, kHeadDim);
  multiply_add(row_major(p + c.head, n), {values + c.tail / 32 * kTile, value_step}, 32, kHeadDim, c.end - c.tail,
               mixed, kHeadDim);
  for (int r = 0; r < 32; ++r) {
    bf16* to = out + static_cast<long>(i0 + r) * heads.query * kHeadDim;
    for (int d = 0; d < kHeadDim; d += 16) {
      store_bf16(to + d, _mm512_mul_ps(_mm512_load_ps(mixed + r * kHeadDim + d), _mm512_set1_ps(inverse[r])));
    }
  }
}

// What one query head needs in the backward pass.
struct HeadTiles {
  const bf16 *q, *q_transposed, *dout, *dout_transposed;
  const float *log_sum, *delta;
};

// From scores and d(weights), both transposed (keys by queries): softmax weights and d(scores), 0 where hidden.
void weights_and_gradient(const Segment& s, const HeadTiles& h, int j0, int keys, int i0, int n, const float* scores,
                          const float* dweights, bf16* p, bf16* ds) {
  for (int r = 0; r < keys; ++r) {
    const int j = j0 + r, first = j - i0, end = std::min(s.see_end[j] - i0, n);
    const int again = s.see_again ? std::min(s.see_again[j] - i0, n) : n;
    bf16 *p_row = p + static_cast<long>(r) * n, *ds_row = ds + static_cast<long>(r) * n;
    std::memset(p_row, 0, sizeof(bf16) * n);
    std::memset(ds_row, 0, sizeof(bf16) * n);
    for (int i = std::max(first, 0) / 16 * 16; i < n; i += 16) {
      if (i >= end && i + 16 <= again) {  // on to where the key is seen again, if anywhere
        i = std::max(again / 16 * 16, i + 16) - 16;
        continue;
      }
      const __m512i at = lanes_from(i);
      const __mmask16 seen = (_mm512_cmpge_epi32_mask(at, _mm512_set1_epi32(first)) &
                              _mm512_cmplt_epi32_mask(at, _mm512_set1_epi32(end))) |
                             _mm512_cmpge_epi32_mask(at, _mm512_set1_epi32(again));
      const __m512 score = _mm512_loadu_ps(scores + static_cast<long>(r) * n + i);
      const __m512 weight = _mm512_maskz_mov_ps(
          seen, exp16(_mm512_fmsub_ps(score, _mm512_set1_ps(kScale), _mm512_loadu_ps(h.log_sum + i0 + i))));
      const __m512 back =
          _mm512_sub_ps(_mm512_loadu_ps(dweights + static_cast<long>(r) * n + i), _mm512_loadu_ps(h.delta + i0 + i));
      store_bf16(p_row + i, weight);
      store_bf16(ds_row + i, _mm512_mul_ps(_mm512_mul_ps(weight, back), _mm512_set1_ps(kScale)));
    }
  }
}

int last_query(const Segment& s, int j0, int keys) {
  int end = 0;
  for (int j = j0; j < j0 + keys; ++j) end = std::max(end, s.see_again && s.see_again[j] < s.n ? s.n : s.see_end[j]);
  return std::min(s.n, (end + 31) / 32 * 32);
}

// Adds what `n` queries from i0 on have to do with one block of keys to dk, dv (n x 64) and to dq, which is transposed
// (64 x n).
void backward_block(const Segment& s, Heads heads, const HeadTiles& h, const bf16* k, const bf16* v, int j0, int keys,
                    int i0, int n, AttentionWork& w) {
  const size_t size = static_cast<size_t>(keys) * n;
  float *scores = sized(w.scores[0], size), *dweights = sized(w.scores[1], size);
  bf16 *p = sized(w.weights[0], size), *ds = sized(w.weights[1], size), *ds_tiles = sized(w.pairs, size);
  const long step = kHeadDim / 32 * kTile, width = heads.width();
  multiply_to(row_major(k + j0 * width, width), {h.q_transposed + i0 / 16 * step, step}, keys, n, kHeadDim, scores, n);
  multiply_to(row_major(v + j0 * width, width), {h.dout_transposed + i0 / 16 * step, step}, keys, n, kHeadDim, dweights,
              n);
  weights_and_gradient(s, h, j0, keys, i0, n, scores, dweights, p, ds);
  const long value_step = s.n / 32 * kTile, skip = i0 / 32 * kTile;
  multiply_add(row_major(p, n), {h.dout + skip, value_step}, keys, kHeadDim, n, w.dv.data() + j0 * kHeadDim, kHeadDim);
  multiply_add(row_major(ds, n), {h.q + skip, value_step}, keys, kHeadDim, n, w.dk.data() + j0 * kHeadDim, kHeadDim);
  bf16 key_tiles[kKeys * kHeadDim];
  pack_left_transposed(k + j0 * width, width, keys, kHeadDim, key_tiles);
  pack_right(ds, n, keys, n, ds_tiles);
  multiply_add(left_tiles(key_tiles, keys), right_tiles(ds_tiles, keys), kHeadDim, n, keys, w.dq.data() + i0, s.n);
}

void dot_rows(const bf16* a, const bf16* b, long width, int n, float* out) {
  for (int i = 0; i < n; ++i) {
    __m512 sum = _mm512_setzero_ps();
    for (int d = 0; d < kHeadDim; d += 16) {
      sum = _mm512_fmadd_ps(load_bf16(a + i * width + d), load_bf16(b + i * width + d), sum);
    }
    out[i] = _mm512_reduce_add_ps(sum);
  }
}

}  // namespace

void attend(const Segment& s, Heads heads, const bf16* qkv, bf16* out, float* log_sum, AttentionWork& w) {
  const size_t size = static_cast<size_t>(s.n) * kHeadDim;
  bf16 *keys = sized(w.packed[0], size), *values = sized(w.packed[1], size);
  for (int g = 0; g < heads.kv; ++g) {
    pack_right_transposed(qkv + heads.k_at(g), heads.width(), s.n, kHeadDim, keys);
    pack_right(qkv + heads.v_at(g), heads.width(), s.n, kHeadDim, values);
    for (int h = g * heads.group(); h < (g + 1) * heads.group(); ++h) {
      for (int i0 = 0; i0 < s.n; i0 += 32) {
        attend_block(s, heads, qkv + h * kHeadDim, keys, values, i0, out + h * kHeadDim,
                     log_sum + static_cast<long>(h) * s.n, w);
      }
    }
  }
}

void attend_backward(const Segment& s, Heads heads, const bf16* qkv, const bf16* out, const float* log_sum,
                     const bf16* dout, float* dqkv, AttentionWork& w) {
  const size_t size = static_cast<size_t>(s.n) * kHeadDim;
  bf16* packed[4];
  for (int t = 0; t < 4; ++t) packed[t] = sized(w.packed[t], size);
  const long width = heads.width(), out_width = static_cast<long>(heads.query) * kHeadDim;
  sized(w.delta, s.n);
  for (int g = 0; g < heads.kv; ++g) {
    w.dk.assign(size, 0.0F);
    w.dv.assign(size, 0.0F);
    for (int h = g * heads.group(); h < (g + 1) * heads.group(); ++h) {
      w.dq.assign(size, 0.0F);
      pack_right(qkv + h * kHeadDim, width, s.n, kHeadDim, packed[0]);
      pack_right_transposed(qkv + h * kHeadDim, width, s.n, kHeadDim, packed[1]);
      pack_right(dout + h * kHeadDim, out_width, s.n, kHeadDim, packed[2]);
      pack_right_transposed(dout + h * kHeadDim, out_width, s.n, kHeadDim, packed[3]);
      dot_rows(out + h * kHeadDim, dout + h * kHeadDim, out_width, s.n, w.delta.data());
      const HeadTiles tiles{packed[0],     packed[1], packed[2], packed[3], log_sum + static_cast<long>(h) * s.n,
                            w.delta.data()};
      for (int j0 = 0; j0 < s.n; j0 += kKeys) {
        const int keys = std::min(kKeys, s.n - j0), end = last_query(s, j0, keys);
        for (int i0 = j0; i0 < end; i0 += kQueries) {
          backward_block(s, heads, tiles, qkv + heads.k_at(g), qkv + heads.v_at(g), j0, keys, i0,
                         std::min(kQueries, end - i0), w);
        }
      }
      for (int i = 0; i < s.n; ++i) {
        for (int d = 0; d < kHeadDim; ++d) dqkv[i * width + h * kHeadDim + d] = w.dq[static_cast<size_t>(d) * s.n + i];
      }
    }
    for (int i = 0; i < s.n; ++i) {
      std::memcpy(dqkv + i * width + heads.k_at(g), w.dk.data() + static_cast<long>(i) * kHeadDim,
                  sizeof(float) * kHeadDim);
      std::memcpy(dqkv + i * width + heads.v_at(g), w.dv.data() + static_cast<long>(i) * kHeadDim,
                  sizeof(float) * kHeadDim);
    }
  }
}

}  // namespace mneme_train

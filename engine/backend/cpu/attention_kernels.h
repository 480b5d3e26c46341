// Streaming-softmax attention over one page of keys and values, written once over a vector type V.
// Method: online softmax with a running maximum and sum [Milakov and Gimelshein 1805.02867; FlashAttention 2205.14135].
//
// Both products are C(m, n) += A(m, k) B(k, n) with B's rows contiguous: scores take B = keys transposed (head_dim,
// tokens), outputs take B = values (tokens, head_dim). For many queries B is first widened to f32; for few it is
// widened while it streams from memory.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/fetch_ahead.h"
#include "engine/backend/cpu/float_kernels.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/simd/vector_math.h"

namespace mneme::engine::cpu {

template <class V>
struct AttentionKernels {
  using Float = FloatKernels<V>;
  using Math = simd::VectorMath<V>;
  using F = typename V::F;
  static constexpr int kW = V::kWidth;
  static constexpr float kMinusInfinity = -__builtin_inff();
  // Weights this small become zero: times a value they would be denormal, which slows a multiply-add a hundredfold.
  // To those above 1e-22 it makes no difference in f32.
  static constexpr float kNegligible = 1e-30f;
  static constexpr int kFewQueries = 8;  // up to here the pages are read once and widened on the way

  // Rows between two requests for memory: asking after each costs a page in the cache some hundredths of its time.
  static constexpr int kRowsPerFetch = 4;
  // The softmax of one query takes about as long as so many times as many rows.
  static constexpr int kFetchesPerSoftening = 3;

  // The page that comes after, asked for while this one is read, some lines with every kRowsPerFetch rows of it. Where
  // they are one run, they are asked for into the first-level cache and in fewer instructions: .95 of plain reading
  // instead of .91 on a Zen 5 core.
  class Ahead {
   public:
    // n_steps: how often fetch() will be called, its `times` counted.
    Ahead(const FetchAhead& next, int64_t n_steps)
        : next_(next), n_lines_(next.lines_per_step(n_steps)), line_(next.next_line()) {
      if (next.is_one_run()) n_left_ = next.n_lines_allowed();
    }
    [[gnu::always_inline]] void fetch(int64_t times = 1) {
      int64_t n_lines = times * n_lines_;
      if (n_left_ < 0) return next_.fetch(n_lines);
      n_lines = n_lines < n_left_ ? n_lines : n_left_;
      n_left_ -= n_lines;
      for (int64_t i = 0; i < n_lines; ++i) __builtin_prefetch(line_ + i * FetchAhead::kLine, 0, 3);
      line_ += n_lines * FetchAhead::kLine;
    }

   private:
    FetchAhead next_;
    int64_t n_lines_;
    const char* line_;
    int64_t n_left_ = -1;  // not one run
  };

  // C (+)= A B: (n_rows, depth) times (depth, columns), the columns being the caller's business.
  template <typename T>
  struct Operands {
    const float* a;
    int64_t a_stride;
    const T* b;
    int64_t b_stride;
    float* c;
    int64_t c_stride;
    int n_rows;
    int depth;
    bool accumulate;
  };

  // The first kM rows of C, kN vectors wide.
  template <int kM, int kN, typename T>
  static void tile(const Operands<T>& p, Ahead* ahead) {
    const float* const a = p.a;
    const T* const b = p.b;
    const int64_t a_stride = p.a_stride, b_stride = p.b_stride;
    const int depth = p.depth;
    F acc[kM][kN];
    for (int i = 0; i < kM; ++i)
      for (int j = 0; j < kN; ++j) acc[i][j] = p.accumulate ? V::load(p.c + i * p.c_stride + j * kW) : V::zero();
    const auto add_row = [&](int64_t k) __attribute__((always_inline)) {
      F row[kN];
      for (int j = 0; j < kN; ++j) row[j] = V::load(b + k * b_stride + j * kW);
      for (int i = 0; i < kM; ++i) {
        const F x = V::set(a[i * a_stride + k]);
        for (int j = 0; j < kN; ++j) acc[i][j] = V::fma(x, row[j], acc[i][j]);
      }
    };
    for (int k = 0; k < depth; k += kRowsPerFetch) {
      const int n_rows = depth - k < kRowsPerFetch ? depth - k : kRowsPerFetch;
      if (ahead) ahead->fetch();
      if (n_rows == kRowsPerFetch) {
        for (int i = 0; i < kRowsPerFetch; ++i) add_row(k + i);
      } else {
        for (int i = 0; i < n_rows; ++i) add_row(k + i);
      }
    }
    for (int i = 0; i < kM; ++i)
      for (int j = 0; j < kN; ++j) V::store(p.c + i * p.c_stride + j * kW, acc[i][j]);
  }

  // kN vectors of columns of all rows.
  template <int kN, typename T>
  static void columns(Operands<T> p, Ahead* ahead) {
    constexpr int kRows = kW >= 16 ? 6 : 3;
    const auto rows = [&]<int kM>(std::integral_constant<int, kM>) {
      for (; p.n_rows >= kM; p.n_rows -= kM) {
        tile<kM, kN>(p, ahead);
        p.a += kM * p.a_stride;
        p.c += kM * p.c_stride;
        ahead = nullptr;  // asked for once
      }
    };
    rows(std::integral_constant<int, kRows>{});
    if constexpr (kRows > 4) rows(std::integral_constant<int, 4>{});
    rows(std::integral_constant<int, 2>{});
    rows(std::integral_constant<int, 1>{});
  }

  // n_columns is a multiple of 16. ahead: null where nothing is asked for.
  template <typename T>
  static void product(const Operands<T>& p, int n_columns, Ahead* ahead) {
    constexpr int kN = kW >= 16 ? 4 : 2;
    const auto from = [&](int j) {
      Operands<T> part = p;
      part.b += j;
      part.c += j;
      return part;
    };
    int j = 0;
    for (; j + kN * kW <= n_columns; j += kN * kW) columns<kN>(from(j), ahead);
    for (; j < n_columns; j += kW) columns<1>(from(j), ahead);
  }

  // Of a page's scores, by `depth` dimensions of queries and keys from d on; of its outputs from d on.
  template <typename T>
  static Operands<T> score_operands(const AttentionPage& page, int d, int depth, const T* keys, float* scores) {
    return {page.queries + d, page.head_dim, keys, kPageTokens, scores, kPageTokens, page.n_queries, depth, false};
  }
  template <typename T>
  static Operands<T> output_operands(const AttentionPage& page, int d, const float* weights, const T* values) {
    return {weights,        kPageTokens, values + d, page.value_stride, page.out + d, page.value_stride,
            page.n_queries, page.n_keys, true};
  }

  // Scores of one query become weights; running maximum and sum move on, the output so far is scaled to match.
  // Keys [first, last) of the n are seen.
  template <class State>
  static void soften(const State& page, int m, int first, int last, int n, float* scores) {
    if (page.softcap > 0) Float::softcap(page.softcap, n, scores);
    const int end = last < n ? last : n;
    for (int i = 0; i < first && i < n; ++i) scores[i] = kMinusInfinity;
    for (int i = end < 0 ? 0 : end; i < n; ++i) scores[i] = kMinusInfinity;
    F largest = V::set(kMinusInfinity);
    for (int i = 0; i < n; i += kW) largest = V::max(largest, V::load(scores + i));
    const float page_maximum = V::largest(largest);
    const float old_maximum = page.maximum[m];
    if (first >= end || page_maximum == kMinusInfinity) {
      for (int i = 0; i < n; ++i) scores[i] = 0.0f;
      return;
    }
    const float maximum = page_maximum > old_maximum ? page_maximum : old_maximum;
    const F shift = V::set(maximum);
    F total = V::zero();
    // What is not seen becomes 0 by the clamping of exp.
    for (int i = 0; i < n; i += kW) {
      const F e = V::max(V::sub(Math::exp(V::sub(V::load(scores + i), shift)), V::set(kNegligible)), V::zero());
      V::store(scores + i, e);
      total = V::add(total, e);
    }
    float correction = 1.0f;
    if (maximum > old_maximum) {
      float lanes[kW];
      V::store(lanes, Math::exp(V::set(old_maximum - maximum)));
      correction = old_maximum == kMinusInfinity ? 0.0f : lanes[0];
      float* out = page.out + int64_t{m} * page.value_stride;
      const F factor = V::set(correction);
      for (int i = 0; i < page.value_stride; i += kW) V::store(out + i, V::mul(V::load(out + i), factor));
    }
    page.maximum[m] = maximum;
    page.sum[m] = page.sum[m] * correction + V::sum(total);
  }

  // out[i] (+)= x[i] * scale[i] over n, a multiple of 16.
  static void scale(const float* x, const f16* scales, int n, bool accumulate, float* out) {
    for (int i = 0; i < n; i += kW) {
      const F product = V::mul(V::load(x + i), V::load(scales + i));
      V::store(out + i, accumulate ? V::add(V::load(out + i), product) : product);
    }
  }

  // Few queries, Q8_0: the codes are multiplied as they are. A key's scale belongs to its score, a value's to its
  // weight.
  static void score_codes(const AttentionPage& page, Ahead* ahead, int n, float* scores, float* partial) {
    for (int d = 0; d < page.head_dim; d += kKvBlock) {
      const int8_t* const codes = page.kv.key_codes + int64_t{d} * kPageTokens;
      product(score_operands(page, d, kKvBlock, codes, partial), n, ahead);
      const f16* scales = page.kv.key_scales + int64_t{d / kKvBlock} * kPageTokens;
      for (int i = 0; i < page.n_queries; ++i)
        scale(partial + int64_t{i} * kPageTokens, scales, n, d > 0, scores + int64_t{i} * kPageTokens);
    }
  }
  static void add_value_codes(const AttentionPage& page, Ahead* ahead, int n, const float* scores, float* weights) {
    for (int d = 0; d < page.head_dim; d += kKvBlock) {
      const f16* scales = page.kv.value_scales + int64_t{d / kKvBlock} * kPageTokens;
      for (int i = 0; i < page.n_queries; ++i)
        scale(scores + int64_t{i} * kPageTokens, scales, n, false, weights + int64_t{i} * kPageTokens);
      product(output_operands(page, d, weights, page.kv.value_codes), kKvBlock, ahead);
    }
  }

  // Many queries: the page's keys (head_dim, kPageTokens) or values (kPageTokens, value_stride) as f32.
  static void widen_keys(const AttentionPage& page, int n, float* wide) {
    if (page.kv.by_token) return transpose_keys(page, wide);
    for (int d = 0; d < page.head_dim; ++d) {
      const int64_t row = int64_t{d} * kPageTokens;
      if (page.kv.keys) {
        Float::to_float(page.kv.keys + row, n, wide + row);
        continue;
      }
      const f16* scales = page.kv.key_scales + int64_t{d / kKvBlock} * kPageTokens;
      for (int i = 0; i < n; i += kW)
        V::store(wide + row + i, V::mul(V::load(page.kv.key_codes + row + i), V::load(scales + i)));
    }
  }
  // Of one token's key or value: `count` elements from d on, as many as a vector has or fewer.
  template <bool kCodes>
  static F element(const void* row, const f16* scales, int d, int count) {
    if constexpr (kCodes) {
      return V::mul(V::load(static_cast<const int8_t*>(row) + d), V::set(scales[int64_t{d / kKvBlock} * kPageTokens]));
    } else {
      const f16* halves = static_cast<const f16*>(row) + d;
      return count == kW ? V::load(halves) : V::load_part(halves, count);
    }
  }

  static void transpose_keys(const AttentionPage& page, float* wide) {
    float key[kWidestHead];
    for (int token = 0; token < page.n_keys; ++token) {
      const int64_t row = token * page.kv.token_stride;
      if (page.kv.keys) {
        Float::to_float(page.kv.keys + row, page.head_dim, key);
      } else {
        for (int d = 0; d < page.head_dim; d += kW)
          V::store(key + d, element<true>(page.kv.key_codes + row, page.kv.key_scales + token, d, kW));
      }
      for (int d = 0; d < page.head_dim; ++d) wide[int64_t{d} * kPageTokens + token] = key[d];
    }
  }
  static void widen_values(const AttentionPage& page, float* wide) {
    const bool apart = page.kv.by_token;
    if (page.kv.values && !apart) return Float::to_float(page.kv.values, page.n_keys * page.value_stride, wide);
    for (int token = 0; token < page.n_keys; ++token) {
      const int64_t row = int64_t{token} * page.value_stride;
      const int64_t from = apart ? token * page.kv.token_stride : row;
      if (page.kv.values) {
        Float::to_float(page.kv.values + from, page.value_stride, wide + row);
        continue;
      }
      for (int d = 0; d < page.head_dim; d += kW) {
        const F factor = V::set(to_f32(page.kv.value_scales[int64_t{d / kKvBlock} * kPageTokens + token]));
        V::store(wide + row + d, V::mul(V::load(page.kv.value_codes + from + d), factor));
      }
    }
  }

  // Distances of the n keys of a page from query m make their scores lower.
  static void lower_by_distance(const AttentionPage& page, int m, int n, float* scores) {
    for (int i = 0; i < n; ++i) scores[i] -= page.slopes[m] * static_cast<float>(__builtin_abs(i - page.places[m]));
  }

  static void attend_page(const AttentionPage& page) {
    const int n = (page.n_keys + 15) / 16 * 16;
    const int m = page.n_queries;
    float* scores = page.scratch;
    float* wide = scores + int64_t{kPageTokens} * m;
    const bool few = m <= kFewQueries && !page.kv.by_token;
    const bool codes = page.kv.key_codes != nullptr;
    // At least so many rows of keys and values will be passed: all lines are asked for by then.
    const int n_rows = page.head_dim * (n >= 4 * kW ? n / (4 * kW) : 1) + page.n_keys;
    Ahead ahead(few ? page.ahead : FetchAhead(), n_rows / kRowsPerFetch + m * kFetchesPerSoftening);
    if (few && codes) {
      score_codes(page, &ahead, n, scores, wide);
    } else if (few) {
      product(score_operands(page, 0, page.head_dim, page.kv.keys, scores), n, &ahead);
    } else {
      widen_keys(page, n, wide);
      product(score_operands(page, 0, page.head_dim, wide, scores), n, nullptr);
    }
    for (int i = 0; i < m; ++i) {
      ahead.fetch(kFetchesPerSoftening);
      if (page.slopes) lower_by_distance(page, i, n, scores + int64_t{i} * kPageTokens);
      soften(page, i, page.first[i], page.end[i], n, scores + int64_t{i} * kPageTokens);
    }
    if (few && codes) {
      add_value_codes(page, &ahead, n, scores, wide);
    } else if (few) {
      product(output_operands(page, 0, scores, page.kv.values), page.value_stride, &ahead);
    } else {
      widen_values(page, wide);
      product(output_operands(page, 0, scores, wide), page.value_stride, nullptr);
    }
  }
};

}  // namespace mneme::engine::cpu

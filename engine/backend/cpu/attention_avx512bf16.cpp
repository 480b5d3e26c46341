// Attention of many queries by an instruction that multiplies pairs of bf16 and adds both products to an f32, for pages
// that say that bf16 will do (AttentionPage::coarse). Others are multiplied in f32: each number would have to be a sum
// of two, as on the tile unit, and three products for one are slower than f32 where bf16 is only twice as fast.
//
// A lane of 32 bits holds two neighbours along the depth of a product: dimensions of queries and keys, tokens of
// weights and values. A page's keys and values are packed once for all queries, in blocks of columns that stay in the
// first-level cache; queries are taken kGroupRows at a time, whose scores stay there until they are outputs.
#include "engine/backend/cpu/attention_avx512bf16.h"

#include <type_traits>

#include "engine/simd/avx512_vector.h"  // before others: it silences false warnings from the intrinsics

#include "engine/backend/cpu/softmax_avx512.h"

namespace mneme::engine::cpu {
namespace {

// A type of its own, so that its templates are not taken for those of files compiled with other flags.
struct Bf16Vector : simd::Avx512Vector {};
using V = Bf16Vector;
using F = V::F;

constexpr int kW = V::kWidth;
constexpr int kFewestQueries = 16;  // with fewer, packing the page costs more than it saves
constexpr int kMostHeadDim = 256;   // whose lanes fit into a query's part of the scratch
constexpr int kGroupRows = 24;
constexpr int kTileRows = 6;           // with 4 vectors of columns: 24 sums in registers
constexpr int kBlockColumns = 4 * kW;  // of a packed block
constexpr int kBlockDepth = 64;        // lanes: 16 KiB of a block are multiplied with all rows of a group

// --- Lanes ---

int lanes_of(int depth) {
  return (depth + 1) / 2;
}

// Two neighbours a lane, from sixteen first ones and the sixteen that follow them.
F pack_columns(F first, F second) {
  alignas(64) static constexpr uint16_t kInterleave[32] = {0,  16, 1,  17, 2,  18, 3,  19, 4,  20, 5,
                                                           21, 6,  22, 7,  23, 8,  24, 9,  25, 10, 26,
                                                           11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
  const __m512i both = reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(second, first));
  return _mm512_castsi512_ps(_mm512_permutexvar_epi16(_mm512_load_si512(kInterleave), both));
}

// The same of 32 that lie one behind the other.
F pack_row(F low, F high) {
  return _mm512_castsi512_ps(reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(high, low)));
}

// Packs a matrix of `depth` rows, whose numbers load(row, column) gives: blocks of kBlockColumns, one after the other,
// each (lanes_of(depth), its columns). The last block has the columns that are left.
template <class Load>
void pack_matrix(Load load, int depth, int n_columns, float* out) {
  for (int begin = 0; begin < n_columns; begin += kBlockColumns) {
    const int end = n_columns - begin < kBlockColumns ? n_columns : begin + kBlockColumns;
    for (int row = 0; row < depth; row += 2)
      for (int column = begin; column < end; column += kW, out += kW)
        V::store(out, pack_columns(load(row, column), row + 1 < depth ? load(row + 1, column) : V::zero()));
  }
}

void pack_keys(const AttentionPage& page, int n_columns, float* out) {
  const KvPage& kv = page.kv;
  if (kv.keys) {
    const auto load = [&kv](int d, int i) { return V::load(kv.keys + int64_t{d} * kPageTokens + i); };
    return pack_matrix(load, page.head_dim, n_columns, out);
  }
  const auto load = [&kv](int d, int i) {
    return V::mul(V::load(kv.key_codes + int64_t{d} * kPageTokens + i),
                  V::load(kv.key_scales + int64_t{d / kKvBlock} * kPageTokens + i));
  };
  pack_matrix(load, page.head_dim, n_columns, out);
}

void pack_values(const AttentionPage& page, float* out) {
  const KvPage& kv = page.kv;
  const int64_t stride = page.value_stride;
  if (kv.values) {
    const auto load = [&kv, stride](int i, int d) { return V::load(kv.values + i * stride + d); };
    return pack_matrix(load, page.n_keys, page.value_stride, out);
  }
  const auto load = [&kv, stride](int i, int d) {
    return V::mul(V::load(kv.value_codes + i * stride + d),
                  V::set(kv.value_scales[int64_t{d / kKvBlock} * kPageTokens + i]));
  };
  pack_matrix(load, page.n_keys, page.value_stride, out);
}

// (n_queries, query_lanes): whole vectors, beyond head_dim zeros.
int query_lanes(const AttentionPage& page) {
  return (page.head_dim + 2 * kW - 1) / (2 * kW) * kW;
}

void pack_queries(const AttentionPage& page, float* out) {
  const auto part = [&page](const float* query, int d) {
    const int count = page.head_dim - d;
    if (count >= kW) return V::load(query + d);
    return count > 0 ? V::load_part(query + d, count) : V::zero();
  };
  for (int i = 0; i < page.n_queries; ++i) {
    const float* const query = page.queries + int64_t{i} * page.head_dim;
    for (int d = 0; d < page.head_dim; d += 2 * kW, out += kW)
      V::store(out, pack_row(part(query, d), part(query, d + kW)));
  }
}

// --- Products ---

// C (+)= A B: A (n_rows, depth) and B lanes, C (n_rows, columns) of f32.
struct Product {
  const float* a;
  int64_t a_stride;
  const float* b;  // packed
  float* c;
  int64_t c_stride;
  int n_rows;
  int depth;  // lanes
  bool accumulate;
};

// kM rows by kN vectors of columns, all columns of a block of B. Loops that begin otherwise are functions of their own:
// chosen within, sums would go through memory.
template <int kM, int kN, bool kAccumulate>
void multiply_tile(const Product& p) {
  const float* const a = p.a;
  const float* b = p.b;
  const int64_t a_stride = p.a_stride;
  F sums[kM][kN];
  for (int i = 0; i < kM; ++i)
    for (int j = 0; j < kN; ++j) sums[i][j] = kAccumulate ? V::load(p.c + i * p.c_stride + j * kW) : V::zero();
  for (int k = 0; k < p.depth; ++k, b += kN * kW) {
    F row[kN];
    for (int j = 0; j < kN; ++j) row[j] = V::load(b + j * kW);
    for (int i = 0; i < kM; ++i) {
      const F x = V::set(a[i * a_stride + k]);
      for (int j = 0; j < kN; ++j)
        sums[i][j] = _mm512_dpbf16_ps(sums[i][j], reinterpret_cast<__m512bh>(x), reinterpret_cast<__m512bh>(row[j]));
    }
  }
  for (int i = 0; i < kM; ++i)
    for (int j = 0; j < kN; ++j) V::store(p.c + i * p.c_stride + j * kW, sums[i][j]);
}

template <int kN>
void multiply_rows(Product p) {
  const auto take = [&p]<int kM>(std::integral_constant<int, kM>) {
    for (; p.n_rows >= kM; p.n_rows -= kM) {
      p.accumulate ? multiply_tile<kM, kN, true>(p) : multiply_tile<kM, kN, false>(p);
      p.a += kM * p.a_stride;
      p.c += kM * p.c_stride;
    }
  };
  take(std::integral_constant<int, kTileRows>{});
  take(std::integral_constant<int, 4>{});
  take(std::integral_constant<int, 2>{});
  take(std::integral_constant<int, 1>{});
}

// The first n_columns of a packed matrix of packed_columns, whose blocks are packed_depth lanes deep. Whole blocks are
// multiplied.
void multiply(const Product& p, int n_columns, int packed_columns, int packed_depth) {
  for (int column = 0; column < n_columns; column += kBlockColumns) {
    const int width = packed_columns - column < kBlockColumns ? packed_columns - column : kBlockColumns;
    for (int k = 0; k < p.depth; k += kBlockDepth) {
      Product part = p;
      part.a += k;
      part.b += int64_t{column} * packed_depth + int64_t{k} * width;
      part.c += column;
      part.depth = p.depth - k < kBlockDepth ? p.depth - k : kBlockDepth;
      part.accumulate = p.accumulate || k > 0;
      switch (width / kW) {
        case 1: multiply_rows<1>(part); break;
        case 2: multiply_rows<2>(part); break;
        case 3: multiply_rows<3>(part); break;
        default: multiply_rows<4>(part);
      }
    }
  }
}

// --- One page ---

struct PackedPage {
  const float* keys;
  const float* values;
  const float* queries;
  int n_columns;  // of keys: the page's, whole vectors
};

// Queries [begin, begin + n_rows): scores, weights in their place, outputs.
void attend_group(const AttentionPage& page, const PackedPage& packed, int begin, int n_rows) {
  alignas(64) float scores[kGroupRows * kPageTokens];
  const int n_keys = MaskedSoftmax<V>::end_of_seen(page, begin, begin + n_rows);
  if (n_keys == 0) return;
  const int stride = query_lanes(page);
  multiply({packed.queries + int64_t{begin} * stride, stride, packed.keys, scores, kPageTokens, n_rows,
            lanes_of(page.head_dim), false},
           n_keys, packed.n_columns, lanes_of(page.head_dim));
  // Those beyond the packed columns are never seen, but read.
  const int n_softened = (n_keys + 2 * kW - 1) / (2 * kW) * (2 * kW);
  for (int i = 0; i < n_rows; ++i) {
    float* const row = scores + i * kPageTokens;
    for (int column = packed.n_columns; column < n_softened; column += kW) V::store(row + column, V::zero());
    MaskedSoftmax<V>::soften(page, begin + i, n_softened, row,
                             [row](int key, F low, F high) { V::store(row + key / 2, pack_row(low, high)); });
  }
  multiply({scores, kPageTokens, packed.values, page.out + int64_t{begin} * page.value_stride, page.value_stride,
            n_rows, lanes_of(n_keys), true},
           page.value_stride, page.value_stride, lanes_of(page.n_keys));
}

bool takes(const AttentionPage& page) {
  return page.coarse && !page.equal_alone && page.slopes == nullptr && page.n_queries >= kFewestQueries &&
         !page.kv.by_token && page.head_dim <= kMostHeadDim;
}

}  // namespace

// Scratch: lanes of queries, up to kPageTokens each, then keys, then values.
void attend_page_avx512bf16(const AttentionPage& page) {
  if (!takes(page)) return avx512_kernels().attend_page(page);
  float* const queries = page.scratch;
  float* const keys = queries + int64_t{kPageTokens} * page.n_queries;
  float* const values = keys + int64_t{kPageTokens} * page.head_dim;
  const PackedPage packed{keys, values, queries, (page.n_keys + kW - 1) / kW * kW};
  pack_queries(page, queries);
  pack_keys(page, packed.n_columns, keys);
  pack_values(page, values);
  for (int begin = 0; begin < page.n_queries; begin += kGroupRows)
    attend_group(page, packed, begin, page.n_queries - begin < kGroupRows ? page.n_queries - begin : kGroupRows);
}

}  // namespace mneme::engine::cpu

// Attention of many queries on the tile unit, which multiplies bf16 and adds in f32.
//
// bf16 alone is too coarse for scores, so every number is a sum of two of them: f16 keys and values exactly (11 bits of
// significand into 8 and 3), queries and weights to 17 bits. Of the four products the one of both lower parts is below
// 2^-18 of the whole and left out; the other three are still six times faster than f32 multiply-adds. A page's keys and
// values are split once for all queries; queries and weights 32 rows at a time, which stay in the first-level cache
// from scores to outputs.
//
// Where the page says that bf16 will do (AttentionPage::coarse), the upper halves alone are made and multiplied.
#include "engine/backend/cpu/attention_amx.h"

#include "engine/simd/avx512_vector.h"  // before others: it silences false warnings from the intrinsics

#include "engine/backend/cpu/amx_tiles.h"
#include "engine/backend/cpu/softmax_avx512.h"

namespace mneme::engine::cpu {
namespace {

// A type of its own, so that its templates are not taken for those of files compiled with other flags.
struct AmxVector : simd::Avx512Vector {};

constexpr int kFewestQueries = 16;  // with fewer, splitting the page costs more than it saves
constexpr int kMostHeadDim = 256;

// A number as a sum: `high` has 8 bits of significand, in the upper half of the f32.
struct Split {
  __m512 high, low;
  explicit Split(__m512 x) {
    const __m512i rounded = _mm512_add_epi32(_mm512_castps_si512(x), _mm512_set1_epi32(0x8000));
    high = _mm512_castsi512_ps(_mm512_and_si512(rounded, _mm512_set1_epi32(static_cast<int>(0xffff0000u))));
    low = _mm512_sub_ps(x, high);
  }
};

// Both parts of a matrix as tiles of bf16.
struct SplitTiles {
  uint16_t* high;
  uint16_t* low;
  int64_t stride;  // elements between tiles of neighbouring rows (of the left matrix) or columns (of the right)

  const uint16_t* high_of(int tile) const { return high + tile * stride; }
  const uint16_t* low_of(int tile) const { return low + tile * stride; }
};

// --- Right matrices: keys (head_dim, tokens) and values (tokens, head_dim) ---

struct HalfMatrix {
  const f16* data;
  int64_t row_stride;
  int n_rows;     // a multiple of kTileDepth; the depth of the product
  int n_valid;    // rows from here on are taken for zero
  int n_columns;  // a multiple of kTileRows
};

// Two neighbouring rows side by side, as the unit wants them: what is in the upper halves of the f32.
__m512i pairs(__m512 first, __m512 second) {
  const __m512i upper = _mm512_set1_epi32(static_cast<int>(0xffff0000u));
  return _mm512_or_si512(_mm512_srli_epi32(_mm512_castps_si512(first), 16),
                         _mm512_and_si512(_mm512_castps_si512(second), upper));
}

// Tile (column block c, depth block k) goes to c * stride + k * kTileElements.
template <bool kCoarse>
void split_right(const HalfMatrix& m, const SplitTiles& out) {
  for (int row = 0; row < m.n_rows; row += 2) {
    const int64_t at = int64_t{row / kTileDepth} * kTileElements + row % kTileDepth / 2 * kTileDepth;
    const f16* first = m.data + row * m.row_stride;
    for (int column = 0; column < m.n_columns; column += kTileRows) {
      const Split a(row < m.n_valid ? simd::Avx512Vector::load(first + column) : simd::Avx512Vector::zero());
      const Split b(row + 1 < m.n_valid ? simd::Avx512Vector::load(first + m.row_stride + column)
                                        : simd::Avx512Vector::zero());
      const int64_t to = column / kTileRows * out.stride + at;
      _mm512_store_si512(out.high + to, pairs(a.high, b.high));
      if constexpr (!kCoarse) _mm512_store_si512(out.low + to, pairs(a.low, b.low));
    }
  }
}

// --- Left matrices: queries (rows, head_dim) and weights (rows, tokens) ---

template <bool kCoarse>
void store_split(__m512 first, __m512 second, const SplitTiles& out, int64_t to) {
  if constexpr (kCoarse) {
    _mm512_store_si512(out.high + to, reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(second, first)));
    return;
  }
  const Split a(first);
  const Split b(second);
  _mm512_store_si512(out.high + to, reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(b.high, a.high)));
  _mm512_store_si512(out.low + to, reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(b.low, a.low)));
}

// Where the first depth block of a row goes.
int64_t left_place(int row, const SplitTiles& out) {
  return row / kTileRows * out.stride + row % kTileRows * kTileDepth;
}

// Tile (row block r, depth block k) goes to r * stride + k * kTileElements. depth: a multiple of kTileDepth.
template <bool kCoarse>
void split_left(const float* data, int64_t row_stride, int n_rows, int depth, const SplitTiles& out) {
  for (int row = 0; row < n_rows; ++row) {
    int64_t to = left_place(row, out);
    for (int k = 0; k < depth; k += kTileDepth, to += kTileElements)
      store_split<kCoarse>(_mm512_loadu_ps(data + row * row_stride + k),
                           _mm512_loadu_ps(data + row * row_stride + k + 16), out, to);
  }
}

// --- Softmax ---

// The scores of one query over n_tokens become weights, in tiles at `to` of the left matrix.
template <bool kCoarse>
void soften_row(const AttentionPage& page, int query, float* scores, int n_tokens, const SplitTiles& weights,
                int64_t to) {
  MaskedSoftmax<AmxVector>::soften(page, query, n_tokens, scores, [&weights, to](int i, __m512 low, __m512 high) {
    store_split<kCoarse>(low, high, weights, to + int64_t{i / kTileDepth} * kTileElements);
  });
}

// --- Products ---

struct TileProduct {
  const SplitTiles& left;
  const SplitTiles& right;
  int n_depth_blocks;
  float* out;  // (up to 32 rows, out_stride)
  int64_t out_stride;
  bool accumulate;
};

// Column blocks `column` and `column` + 1 of the product. The tiles are shaped for the rows.
template <bool kSecondRows, bool kCoarse>
void multiply_columns(const TileProduct& p, int column) {
  const auto stride = static_cast<int>(p.out_stride * int64_t{sizeof(float)});
  float* const first = p.out + column * kTileRows;
  float* const second = first + kTileRows * p.out_stride;
  if (p.accumulate) {
    _tile_loadd(0, first, stride);
    _tile_loadd(1, first + kTileRows, stride);
    if constexpr (kSecondRows) {
      _tile_loadd(2, second, stride);
      _tile_loadd(3, second + kTileRows, stride);
    }
  } else {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  }
  const auto add_products = [] {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    if constexpr (kSecondRows) {
      _tile_dpbf16ps(2, 5, 6);
      _tile_dpbf16ps(3, 5, 7);
    }
  };
  for (int k = 0; k < p.n_depth_blocks; ++k) {
    const int64_t at = int64_t{k} * kTileElements;
    // Low rows, then high rows with high columns, then high rows with low columns; coarsely, what is high alone.
    _tile_loadd(6, p.right.high_of(column) + at, 64);
    _tile_loadd(7, p.right.high_of(column + 1) + at, 64);
    if constexpr (!kCoarse) {
      _tile_loadd(4, p.left.low_of(0) + at, 64);
      if constexpr (kSecondRows) _tile_loadd(5, p.left.low_of(1) + at, 64);
      add_products();
    }
    _tile_loadd(4, p.left.high_of(0) + at, 64);
    if constexpr (kSecondRows) _tile_loadd(5, p.left.high_of(1) + at, 64);
    add_products();
    if constexpr (kCoarse) continue;
    _tile_loadd(6, p.right.low_of(column) + at, 64);
    _tile_loadd(7, p.right.low_of(column + 1) + at, 64);
    add_products();
  }
  _tile_stored(0, first, stride);
  _tile_stored(1, first + kTileRows, stride);
  if constexpr (kSecondRows) {
    _tile_stored(2, second, stride);
    _tile_stored(3, second + kTileRows, stride);
  }
}

// n_column_blocks is even.
template <bool kCoarse>
void multiply(const TileProduct& p, int n_rows, int n_column_blocks) {
  amx::settle_memory();
  for (int column = 0; column < n_column_blocks; column += 2)
    n_rows > kTileRows ? multiply_columns<true, kCoarse>(p, column) : multiply_columns<false, kCoarse>(p, column);
  amx::settle_memory();
}

// --- One page ---

// Up to 32 queries from `begin` on: scores, weights, outputs.
template <bool kCoarse>
void attend_block(const AttentionPage& page, int begin, const SplitTiles& keys, const SplitTiles& values) {
  constexpr int kMostDepth = kMostHeadDim > kPageTokens ? kMostHeadDim : kPageTokens;
  alignas(64) uint16_t split[2][kRowsAtOnce * kMostDepth];
  alignas(64) float scores[kRowsAtOnce * kPageTokens];
  const int n_rows = page.n_queries - begin < kRowsAtOnce ? page.n_queries - begin : kRowsAtOnce;
  const int n_keys = MaskedSoftmax<AmxVector>::end_of_seen(page, begin, begin + n_rows);
  if (n_keys == 0) return;
  const int n_tokens = (n_keys + kTileDepth - 1) / kTileDepth * kTileDepth;
  const SplitTiles queries{split[0], split[1], int64_t{kTileRows} * page.head_dim};
  split_left<kCoarse>(page.queries + int64_t{begin} * page.head_dim, page.head_dim, n_rows, page.head_dim, queries);
  amx::shape_tiles(n_rows);
  multiply<kCoarse>({queries, keys, page.head_dim / kTileDepth, scores, kPageTokens, false}, n_rows,
                    n_tokens / kTileRows);
  const SplitTiles weights{split[0], split[1], int64_t{kTileRows} * n_tokens};
  for (int i = 0; i < n_rows; ++i)
    soften_row<kCoarse>(page, begin + i, scores + i * kPageTokens, n_tokens, weights, left_place(i, weights));
  multiply<kCoarse>(
      {weights, values, n_tokens / kTileDepth, page.out + int64_t{begin} * page.value_stride, page.value_stride, true},
      n_rows, page.head_dim / kTileRows);
}

bool takes(const AttentionPage& page) {
  return !page.equal_alone && page.slopes == nullptr && page.n_queries >= kFewestQueries && page.kv.keys != nullptr &&
         !page.kv.by_token && page.head_dim % kTileDepth == 0 && page.head_dim <= kMostHeadDim;
}

template <bool kCoarse>
void attend(const AttentionPage& page) {
  const int n_tokens = (page.n_keys + kTileDepth - 1) / kTileDepth * kTileDepth;
  auto* const memory = reinterpret_cast<uint16_t*>(page.scratch);
  const int64_t n_elements = int64_t{n_tokens} * page.head_dim;
  const SplitTiles keys{memory, memory + n_elements, int64_t{kTileRows} * page.head_dim};
  const SplitTiles values{memory + 2 * n_elements, memory + 3 * n_elements, int64_t{kTileRows} * n_tokens};
  // Columns of keys beyond the last are anything; their scores are discarded.
  split_right<kCoarse>({page.kv.keys, kPageTokens, page.head_dim, page.head_dim, n_tokens}, keys);
  split_right<kCoarse>({page.kv.values, page.value_stride, n_tokens, page.n_keys, page.head_dim}, values);
  for (int begin = 0; begin < page.n_queries; begin += kRowsAtOnce) attend_block<kCoarse>(page, begin, keys, values);
  _tile_release();  // so that the system has no tiles to save when it changes threads
}

}  // namespace

void attend_page_amx(const AttentionPage& page) {
  if (!takes(page)) return avx512_kernels().attend_page(page);
  page.coarse ? attend<true>(page) : attend<false>(page);
}

}  // namespace mneme::engine::cpu

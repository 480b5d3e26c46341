// Sixty-four table entries of 16 bits are two registers: vpermi2w looks up 32 codes at once.
#include "engine/pq/pq_kernels_impl.h"
#include "engine/simd/avx512_vector.h"

namespace mneme::engine {
namespace {

struct Lanes : simd::Avx512Vector {
  static int first_equal(F a, float b) {
    const __mmask16 equal = _mm512_cmp_ps_mask(a, _mm512_set1_ps(b), _CMP_EQ_OQ);
    return equal ? __builtin_ctz(equal) : -1;
  }
  static void store_upper(int16_t* p, F x) {
    const __m512i upper = _mm512_srli_epi32(_mm512_castps_si512(x), 16);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtepi32_epi16(upper));
  }
  static __m512i load_scores(const int16_t* p) {
    return _mm512_cvtepi16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  }
  static F add_reaching(F sum, F n, __m512i scores, int16_t threshold) {
    return _mm512_mask_add_ps(sum, _mm512_cmpge_epi32_mask(scores, _mm512_set1_epi32(threshold)), sum, n);
  }
  // Which of kTableEntries scores are first to first + kNearScores - 1.
  static uint64_t near_scores(const int16_t* scores, int16_t first) {
    const auto half = [&](const int16_t* p) -> uint64_t {
      const __m512i above = _mm512_sub_epi16(_mm512_loadu_si512(p), _mm512_set1_epi16(first));
      return _mm512_cmplt_epu16_mask(above, _mm512_set1_epi16(kNearScores));
    };
    return half(scores) | half(scores + 32) << 32;
  }
  static F keep_below(F n, __m512i scores, int16_t threshold) {
    return _mm512_maskz_mov_ps(_mm512_cmplt_epi32_mask(scores, _mm512_set1_epi32(threshold)), n);
  }
};
using Loops = PqLoops<Lanes>;

__m512i load(const void* p) {
  return _mm512_loadu_si512(p);
}

__m512i widen(const uint8_t* codes) {
  return _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes)));
}

// Weights of the even and the odd scores of a block.
struct Weights {
  __m512 even, odd;
  explicit Weights(__m512i scores)
      : even(_mm512_castsi512_ps(_mm512_slli_epi32(scores, 16))),
        odd(_mm512_castsi512_ps(_mm512_and_si512(scores, _mm512_set1_epi32(static_cast<int>(0xffff0000u))))) {}
};

// Weights of 32 scores, added to the lanes they belong to: even words first, odd words second.
struct LaneSums {
  __m512 even, odd;

  void load_from(const float* sums) {
    const __m512 low = _mm512_loadu_ps(sums);
    const __m512 high = _mm512_loadu_ps(sums + 16);
    even = _mm512_permutex2var_ps(low, even_index(), high);
    odd = _mm512_permutex2var_ps(low, odd_index(), high);
  }
  void add(__m512i scores) {
    const Weights weights(scores);
    even = _mm512_add_ps(even, weights.even);
    odd = _mm512_add_ps(odd, weights.odd);
  }
  void store(float* sums) const {
    const __m512i low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(8));
    _mm512_storeu_ps(sums, _mm512_permutex2var_ps(even, low, odd));
    _mm512_storeu_ps(sums + 16, _mm512_permutex2var_ps(even, high, odd));
  }

 private:
  static __m512i even_index() { return _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30); }
  static __m512i odd_index() { return _mm512_add_epi32(even_index(), _mm512_set1_epi32(1)); }
};

// One part's table of one head; the first part's carries the bias.
struct RegisterTable {
  __m512i low, high;
  void load_from(const int16_t* entries, int bias) {
    low = _mm512_add_epi16(load(entries), _mm512_set1_epi16(static_cast<int16_t>(bias)));
    high = _mm512_add_epi16(load(entries + 32), _mm512_set1_epi16(static_cast<int16_t>(bias)));
  }
  __m512i operator[](__m512i codes) const { return _mm512_permutex2var_epi16(low, codes, high); }
};

// kHeads heads over all whole blocks: codes are widened once for all of them, tables stay in registers where there are
// few. kParts: 0 for any number.
template <int kParts, int kHeads>
void scan_heads(const ScanRun& run, int head, int end) {
  constexpr int kMost = kParts > 0 ? kParts : kMaxKeyParts;
  const int parts = kParts > 0 ? kParts : run.n_parts;
  RegisterTable tables[kHeads][kMost];
  LaneSums sums[kHeads];
  for (int h = 0; h < kHeads; ++h) {
    for (int p = 0; p < parts; ++p)
      tables[h][p].load_from(run.tables + (int64_t{head + h} * parts + p) * kTableEntries, p == 0 ? kScoreBias : 0);
    sums[h].load_from(run.sums + (head + h) * kScanBlock);
  }
  int16_t* scores = run.scores + head * run.score_stride;
  for (int i = 0; i < end; i += kScanBlock) {
    __m512i codes[kMost];
    for (int p = 0; p < parts; ++p) codes[p] = widen(run.codes[p] + i);
    for (int h = 0; h < kHeads; ++h) {
      __m512i sum = tables[h][0][codes[0]];
      for (int p = 1; p < parts; ++p) sum = _mm512_add_epi16(sum, tables[h][p][codes[p]]);
      _mm512_storeu_si512(scores + h * run.score_stride + i, sum);
      sums[h].add(sum);
    }
  }
  for (int h = 0; h < kHeads; ++h) sums[h].store(run.sums + (head + h) * kScanBlock);
}

template <int kParts, int kHeads>
void scan_all_heads(const ScanRun& run, int end) {
  int h = 0;
  for (; h + kHeads <= run.n_heads; h += kHeads) scan_heads<kParts, kHeads>(run, h, end);
  for (; h < run.n_heads; ++h) scan_heads<kParts, 1>(run, h, end);
}

void scan(const ScanRun& run) {
  const int end = run.n_entries == kTableEntries ? run.n_keys / kScanBlock * kScanBlock : 0;
  if (end > 0 && run.n_parts == 2) scan_all_heads<2, 4>(run, end);
  if (end > 0 && run.n_parts == 4) scan_all_heads<4, 2>(run, end);
  if (end > 0 && run.n_parts != 2 && run.n_parts != 4) scan_all_heads<0, 1>(run, end);
  Loops::scan_keys(run, end, run.n_keys);
}

template <bool kMaximum>
__m512 add(__m512 total, __m512 weight, __m512 factor) {
  return kMaximum ? _mm512_max_ps(total, _mm512_mul_ps(weight, factor)) : _mm512_fmadd_ps(weight, factor, total);
}

template <bool kMaximum>
void combine_blocks(const CombineRun& run, int end) {
  const __m512i upper = _mm512_set1_epi32(static_cast<int>(0xffff0000u));
  for (int i = 0; i < end; i += kScanBlock) {
    const Weights first(load(run.scores + i));
    __m512 even = _mm512_mul_ps(first.even, _mm512_set1_ps(run.factors[0]));
    __m512 odd = _mm512_mul_ps(first.odd, _mm512_set1_ps(run.factors[0]));
    for (int h = 1; h < run.n_heads; ++h) {
      const Weights one(load(run.scores + h * run.score_stride + i));
      const __m512 factor = _mm512_set1_ps(run.factors[h]);
      even = add<kMaximum>(even, one.even, factor);
      odd = add<kMaximum>(odd, one.odd, factor);
    }
    const __m512i low = _mm512_srli_epi32(_mm512_castps_si512(even), 16);
    _mm512_storeu_si512(run.out + i, _mm512_or_si512(low, _mm512_and_si512(_mm512_castps_si512(odd), upper)));
  }
}

void combine(const CombineRun& run) {
  const int end = run.n_keys / kScanBlock * kScanBlock;
  run.maximum ? combine_blocks<true>(run, end) : combine_blocks<false>(run, end);
  Loops::combine_keys(run, end, run.n_keys);
}

int collect(const int16_t* scores, int n, int16_t threshold, int32_t first_index, int32_t* out) {
  const __m512i limit = _mm512_set1_epi16(threshold);
  const __m512i iota = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const int end = n / kScanBlock * kScanBlock;
  int count = 0;
  for (int i = 0; i < end; i += kScanBlock) {
    const __mmask32 mask = _mm512_cmpge_epi16_mask(load(scores + i), limit);
    if (mask == 0) continue;
    const __m512i index = _mm512_add_epi32(iota, _mm512_set1_epi32(first_index + i));
    const auto low = static_cast<__mmask16>(mask & 0xffff);
    const auto high = static_cast<__mmask16>(mask >> 16);
    // Compressed in a register and stored whole: the memory form of the instruction is slow on some processors.
    _mm512_storeu_si512(out + count, _mm512_maskz_compress_epi32(low, index));
    count += __builtin_popcount(low);
    _mm512_storeu_si512(out + count, _mm512_maskz_compress_epi32(high, _mm512_add_epi32(index, _mm512_set1_epi32(16))));
    count += __builtin_popcount(high);
  }
  return count + Loops::collect_keys(scores, end, n, threshold, first_index, out + count);
}

void count(const int16_t* scores, int n, const int16_t (&thresholds)[kThresholds], int (&counts)[kThresholds]) {
  const int end = n / kScanBlock * kScanBlock;
  // A lane counts as many as there are blocks: in turns that 16 bits can count.
  constexpr int kTurn = kScanBlock * 32767;
  for (int& one : counts) one = 0;
  for (int begin = 0; begin < end; begin += kTurn) {
    __m512i limits[kThresholds];
    __m512i lanes[kThresholds];
    for (int t = 0; t < kThresholds; ++t) {
      limits[t] = _mm512_set1_epi16(thresholds[t]);
      lanes[t] = _mm512_setzero_si512();
    }
    const int last = end - begin < kTurn ? end : begin + kTurn;
    for (int i = begin; i < last; i += kScanBlock) {
      const __m512i block = load(scores + i);
      for (int t = 0; t < kThresholds; ++t)
        lanes[t] =
            _mm512_mask_add_epi16(lanes[t], _mm512_cmpge_epi16_mask(block, limits[t]), lanes[t], _mm512_set1_epi16(1));
    }
    for (int t = 0; t < kThresholds; ++t)
      counts[t] += _mm512_reduce_add_epi32(_mm512_madd_epi16(lanes[t], _mm512_set1_epi16(1)));
  }
  Loops::count_keys(scores, end, n, thresholds, counts);
}

// A bit per cell, 512 bytes: eight registers, in pairs that vpermi2b reads by seven bits of index.
class CellBits {
 public:
  explicit CellBits(const uint64_t* rows) {
    for (int i = 0; i < 8; ++i) bytes_[i] = load(rows + 8 * i);
  }

  // Which of 64 keys are in a taken cell. The byte of cell (a, b) is a * 8 + b / 8: its lower seven bits, of which
  // three come from b, pick within a pair, the upper two of a the pair.
  __mmask64 taken(__m512i a, __m512i b) const {
    const __m512i from_a = _mm512_slli_epi16(a, 3);
    const __m512i from_b = _mm512_srli_epi16(b, 3);
    constexpr int kSelect = 0xca;  // first ? second : third, bit by bit
    const __m512i byte = _mm512_ternarylogic_epi32(_mm512_set1_epi8(static_cast<char>(0xf8)), from_a, from_b, kSelect);
    const __mmask64 bit4 = _mm512_movepi8_mask(byte);
    const __mmask64 bit5 = _mm512_test_epi8_mask(a, _mm512_set1_epi8(32));
    const __m512i low = _mm512_mask_blend_epi8(bit4, pair(0, byte), pair(1, byte));
    const __m512i high = _mm512_mask_blend_epi8(bit4, pair(2, byte), pair(3, byte));
    return _mm512_test_epi8_mask(_mm512_mask_blend_epi8(bit5, low, high), _mm512_shuffle_epi8(powers(), b));
  }

 private:
  __m512i pair(int i, __m512i byte) const { return _mm512_permutex2var_epi8(bytes_[2 * i], byte, bytes_[2 * i + 1]); }
  // 1 << b % 8: a shuffle takes the lower four bits of b.
  static __m512i powers() { return _mm512_set1_epi64(static_cast<int64_t>(0x8040201008040201u)); }

  __m512i bytes_[8];
};

// The indices of the bits set, first + 0 to 63; writes 16 at least. As bytes they are compressed at once, and few more
// than 16 of 64 keys are seldom taken.
[[gnu::always_inline]] inline void store_indices(__mmask64 set, int32_t first, int32_t* out) {
  alignas(64) static constexpr uint8_t kIota[64] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                                    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                                    32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                                    48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
  const __m512i indices = _mm512_maskz_compress_epi8(set, load(kIota));
  const __m512i base = _mm512_set1_epi32(first);
  const auto store = [&](int part, __m128i bytes) {
    _mm512_storeu_si512(out + 16 * part, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(bytes)));
  };
  store(0, _mm512_castsi512_si128(indices));
  if (__builtin_popcountll(set) <= 16) return;
  store(1, _mm512_extracti32x4_epi32(indices, 1));
  store(2, _mm512_extracti32x4_epi32(indices, 2));
  store(3, _mm512_extracti32x4_epi32(indices, 3));
}

// Asks for the line of codes that is read some blocks later: the processor's own prefetchers stop at the end of every
// page, and 131072 keys have 64 of them.
[[gnu::always_inline]] inline void fetch_codes(const uint8_t* codes) {
  constexpr int kBytesAhead = 2048;
  __builtin_prefetch(codes + kBytesAhead, 0, 3);
}

int collect_cells(const CellCollectRun& run) {
  uint64_t rows[kTableEntries];
  const __m512i limit = _mm512_set1_epi16(run.threshold);
  for (int a = 0; a < kTableEntries; ++a) {
    const int16_t* scores = run.scores + a * kTableEntries;
    const uint64_t low = _mm512_cmpge_epi16_mask(load(scores), limit);
    rows[a] = low | uint64_t{_mm512_cmpge_epi16_mask(load(scores + 32), limit)} << 32;
  }
  const CellBits bits(rows);
  constexpr int kKeys = 64;
  const int end = run.n_keys / kKeys * kKeys;
  int n = 0;
  for (int i = 0; i < end; i += kKeys) {
    fetch_codes(run.codes[0] + i);
    fetch_codes(run.codes[1] + i);
    const __mmask64 taken = bits.taken(load(run.codes[0] + i), load(run.codes[1] + i));
    store_indices(taken, run.first_index + i, run.out + n);
    n += __builtin_popcountll(taken);
  }
  return Loops::collect_marked(run, rows, end, n);
}

int last_of_cell(const CellSearch& run) {
  const __m512i a = _mm512_set1_epi8(static_cast<char>(run.cell[0]));
  const __m512i b = _mm512_set1_epi8(static_cast<char>(run.cell[1]));
  constexpr int kKeys = 64;
  int i = run.n_keys;
  int n = 0;
  while (i >= kKeys && n < run.n_wanted) {
    i -= kKeys;
    const __mmask64 first = _mm512_cmpeq_epi8_mask(load(run.codes[0] + i), a);
    uint64_t found = _mm512_mask_cmpeq_epi8_mask(first, load(run.codes[1] + i), b);
    for (; found != 0 && n < run.n_wanted; ++n) {
      const int last = 63 - __builtin_clzll(found);
      run.out[n] = run.first_index + i + last;
      found &= ~(uint64_t{1} << last);
    }
  }
  return Loops::last_of_keys(run, i, n);
}

}  // namespace

const PqKernels& pq_kernels_avx512() {
  static constexpr PqKernels table = [] {
    PqKernels kernels = Loops::shared_part("avx512");
    kernels.scan = scan;
    kernels.combine = combine;
    kernels.collect = collect;
    kernels.count = count;
    kernels.collect_cells = collect_cells;
    kernels.last_of_cell = last_of_cell;
    return kernels;
  }();
  return table;
}

}  // namespace mneme::engine

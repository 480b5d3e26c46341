// Sixty-four table entries of 16 bits are two registers: vpermi2w looks up 32 codes at once.
#include "engine/backend/cpu/simd_avx512.h"
#include "engine/pq/pq_kernels_impl.h"

namespace mneme::engine {
namespace {

struct Lanes : cpu::Avx512Vector {
  static int first_equal(F a, float b) {
    const __mmask16 equal = _mm512_cmp_ps_mask(a, _mm512_set1_ps(b), _CMP_EQ_OQ);
    return equal ? __builtin_ctz(equal) : -1;
  }
};
using Loops = PqLoops<Lanes>;

__m512i load(const void* p) {
  return _mm512_loadu_si512(p);
}

__m512i widen(const uint8_t* codes) {
  return _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes)));
}

// Weights of 32 scores, added to the lanes they belong to: even words first, odd words second.
struct LaneSums {
  __m512 even, odd;

  explicit LaneSums(const float* sums) {
    const __m512 low = _mm512_loadu_ps(sums);
    const __m512 high = _mm512_loadu_ps(sums + 16);
    even = _mm512_permutex2var_ps(low, even_index(), high);
    odd = _mm512_permutex2var_ps(low, odd_index(), high);
  }
  void add(__m512i scores) {
    const __m512i biased = _mm512_add_epi16(_mm512_max_epi16(scores, _mm512_set1_epi16(-127 * kScoreUnit)),
                                            _mm512_set1_epi16(127 * kScoreUnit));
    even = _mm512_add_ps(even, _mm512_castsi512_ps(_mm512_slli_epi32(biased, 16)));
    odd = _mm512_add_ps(
        odd, _mm512_castsi512_ps(_mm512_and_si512(biased, _mm512_set1_epi32(static_cast<int>(0xffff0000u)))));
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

template <int kParts>
__m512i lookup(const __m512i (&codes)[kMaxKeyParts], const int16_t* tables, int n_parts) {
  const int parts = kParts > 0 ? kParts : n_parts;
  __m512i sum = _mm512_permutex2var_epi16(load(tables), codes[0], load(tables + 32));
  for (int p = 1; p < parts; ++p) {
    const int16_t* table = tables + p * kTableEntries;
    sum = _mm512_add_epi16(sum, _mm512_permutex2var_epi16(load(table), codes[p], load(table + 32)));
  }
  return sum;
}

// One head over all whole blocks: its tables stay in registers for few parts.
template <int kParts>
void scan_head(const ScanRun& run, int head, int end) {
  const int16_t* tables = run.tables + int64_t{head} * run.n_parts * kTableEntries;
  const int parts = kParts > 0 ? kParts : run.n_parts;
  int16_t* scores = run.scores + head * run.score_stride;
  float* lanes = run.sums + head * kScanBlock;
  LaneSums sums(lanes);
  for (int i = 0; i < end; i += kScanBlock) {
    __m512i codes[kMaxKeyParts];
    for (int p = 0; p < parts; ++p) codes[p] = widen(run.codes[p] + i);
    const __m512i sum = lookup<kParts>(codes, tables, run.n_parts);
    _mm512_storeu_si512(scores + i, sum);
    sums.add(sum);
  }
  sums.store(lanes);
}

void scan(const ScanRun& run) {
  const int end = run.n_entries == kTableEntries ? run.n_keys / kScanBlock * kScanBlock : 0;
  for (int h = 0; end > 0 && h < run.n_heads; ++h) {
    if (run.n_parts == 2) {
      scan_head<2>(run, h, end);
    } else if (run.n_parts == 4) {
      scan_head<4>(run, h, end);
    } else {
      scan_head<0>(run, h, end);
    }
  }
  Loops::scan_keys(run, end, run.n_keys);
}

__m512i add_weights(__m512i a, __m512i b, __m512i table) {
  const __m512i high = _mm512_max_epi16(a, b);
  const __m512i difference = _mm512_subs_epi16(high, _mm512_min_epi16(a, b));
  const __m512i index = _mm512_min_epi16(_mm512_srli_epi16(difference, kSumShift), _mm512_set1_epi16(kSumEntries - 1));
  return _mm512_adds_epi16(high, _mm512_permutexvar_epi16(index, table));
}

template <bool kMaximum>
void combine_blocks(const CombineRun& run, int end) {
  const __m512i table = widen(sum_table().entries);
  for (int i = 0; i < end; i += kScanBlock) {
    __m512i total = _mm512_subs_epi16(load(run.scores + i), _mm512_set1_epi16(run.offsets[0]));
    for (int h = 1; h < run.n_heads; ++h) {
      const __m512i one =
          _mm512_subs_epi16(load(run.scores + h * run.score_stride + i), _mm512_set1_epi16(run.offsets[h]));
      total = kMaximum ? _mm512_max_epi16(total, one) : add_weights(total, one, table);
    }
    _mm512_storeu_si512(run.out + i, total);
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

}  // namespace

const PqKernels& pq_kernels_avx512() {
  static constexpr PqKernels table = {"avx512", scan, combine, collect, Loops::nearest, Loops::products};
  return table;
}

}  // namespace mneme::engine

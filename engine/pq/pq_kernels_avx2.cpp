// Tables of 64 entries of 16 bits as four registers of low bytes and four of high bytes: four shuffles and three blends
// look up 32 codes in either.
#include "engine/pq/pq_kernels_impl.h"
#include "engine/simd/avx2_vector.h"

namespace mneme::engine {
namespace {

struct Lanes : simd::Avx2Vector {
  static int first_equal(F a, float b) {
    const int equal = _mm256_movemask_ps(_mm256_cmp_ps(a, _mm256_set1_ps(b), _CMP_EQ_OQ));
    return equal ? __builtin_ctz(static_cast<unsigned>(equal)) : -1;
  }
  static void store_upper(int16_t* p, F x) {
    const __m256i upper = _mm256_srli_epi32(_mm256_castps_si256(x), 16);  // of positive numbers: no saturation
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(upper, upper), 0x08);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_castsi256_si128(packed));
  }
  static __m256i load_scores(const int16_t* p) {
    return _mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  }
  static F add_reaching(F sum, F n, __m256i scores, int16_t threshold) {
    const __m256i above = _mm256_cmpgt_epi32(scores, _mm256_set1_epi32(threshold - 1));
    return _mm256_add_ps(sum, _mm256_and_ps(n, _mm256_castsi256_ps(above)));
  }
  // Which of kTableEntries scores are first to first + kNearScores - 1.
  static uint64_t near_scores(const int16_t* scores, int16_t first) {
    const auto near = [&](const int16_t* p) {
      const __m256i some = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
      const __m256i above = _mm256_sub_epi16(some, _mm256_set1_epi16(first));
      return _mm256_cmpeq_epi16(above, _mm256_min_epu16(above, _mm256_set1_epi16(kNearScores - 1)));
    };
    const auto half = [&](const int16_t* p) -> uint64_t {
      const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(near(p), near(p + 16)), 0xd8);
      return static_cast<uint32_t>(_mm256_movemask_epi8(bytes));
    };
    return half(scores) | half(scores + 32) << 32;
  }
  static F keep_below(F n, __m256i scores, int16_t threshold) {
    const __m256i below = _mm256_cmpgt_epi32(_mm256_set1_epi32(threshold), scores);
    return _mm256_and_ps(n, _mm256_castsi256_ps(below));
  }
};
using Loops = PqLoops<Lanes>;

__m256i load(const void* p) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(p));
}
void store(void* p, __m256i x) {
  _mm256_storeu_si256(static_cast<__m256i*>(p), x);
}

// One part's table: bytes (4, 16) of low halves, then of high halves.
struct ByteTable {
  alignas(32) uint8_t bytes[2 * kTableEntries];

  void fill(const int16_t* table, int bias) {
    for (int i = 0; i < kTableEntries; ++i) {
      const auto bits = static_cast<uint16_t>(table[i] + bias);
      bytes[i] = static_cast<uint8_t>(bits & 255);
      bytes[kTableEntries + i] = static_cast<uint8_t>(bits >> 8);
    }
  }
};

__m256i lookup_bytes(const uint8_t* table, __m256i codes) {
  const auto quarter = [&](int i) {
    const __m256i entries =
        _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table + i * 16)));
    return _mm256_shuffle_epi8(entries, codes);  // by the code's lower four bits
  };
  const __m256i bit4 = _mm256_slli_epi16(codes, 3);  // to the sign of each byte, which is all a blend looks at
  const __m256i bit5 = _mm256_slli_epi16(codes, 2);
  const __m256i low = _mm256_blendv_epi8(quarter(0), quarter(1), bit4);
  const __m256i high = _mm256_blendv_epi8(quarter(2), quarter(3), bit4);
  return _mm256_blendv_epi8(low, high, bit5);
}

// Words of keys 0-7 and 16-23 in `first`, of 8-15 and 24-31 in `second`, as unpacking leaves them.
struct Words {
  __m256i first, second;
};

Words lookup(const ByteTable& table, __m256i codes) {
  const __m256i low = lookup_bytes(table.bytes, codes);
  const __m256i high = lookup_bytes(table.bytes + kTableEntries, codes);
  return {_mm256_unpacklo_epi8(low, high), _mm256_unpackhi_epi8(low, high)};
}

// Sixteen keys in order, added to their lanes of sums.
void add_weights_to(float* sums, __m256i scores) {
  for (int half = 0; half < 2; ++half) {
    const __m128i words = half ? _mm256_extracti128_si256(scores, 1) : _mm256_castsi256_si128(scores);
    const __m256 weights = _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(words), 16));
    _mm256_storeu_ps(sums + half * 8, _mm256_add_ps(_mm256_loadu_ps(sums + half * 8), weights));
  }
}

void scan_head(const ScanRun& run, int head, int end) {
  ByteTable tables[kMaxKeyParts];
  for (int p = 0; p < run.n_parts; ++p)
    tables[p].fill(run.tables + (int64_t{head} * run.n_parts + p) * kTableEntries, p == 0 ? kScoreBias : 0);
  int16_t* scores = run.scores + head * run.score_stride;
  float* sums = run.sums + head * kScanBlock;
  for (int i = 0; i < end; i += kScanBlock) {
    Words total = lookup(tables[0], load(run.codes[0] + i));
    for (int p = 1; p < run.n_parts; ++p) {
      const Words one = lookup(tables[p], load(run.codes[p] + i));
      total.first = _mm256_add_epi16(total.first, one.first);
      total.second = _mm256_add_epi16(total.second, one.second);
    }
    const __m256i front = _mm256_permute2x128_si256(total.first, total.second, 0x20);
    const __m256i back = _mm256_permute2x128_si256(total.first, total.second, 0x31);
    store(scores + i, front);
    store(scores + i + 16, back);
    add_weights_to(sums, front);
    add_weights_to(sums + 16, back);
  }
}

void scan(const ScanRun& run) {
  const int end = run.n_entries == kTableEntries ? run.n_keys / kScanBlock * kScanBlock : 0;
  for (int h = 0; end > 0 && h < run.n_heads; ++h) scan_head(run, h, end);
  Loops::scan_keys(run, end, run.n_keys);
}

template <bool kMaximum>
__m256 add(__m256 total, __m256 weight, __m256 factor) {
  return kMaximum ? _mm256_max_ps(total, _mm256_mul_ps(weight, factor)) : _mm256_fmadd_ps(weight, factor, total);
}

template <bool kMaximum>
void combine_blocks(const CombineRun& run, int end) {
  const __m256i upper = _mm256_set1_epi32(static_cast<int>(0xffff0000u));
  const auto even_of = [](__m256i scores) { return _mm256_castsi256_ps(_mm256_slli_epi32(scores, 16)); };
  const auto odd_of = [&](__m256i scores) { return _mm256_castsi256_ps(_mm256_and_si256(scores, upper)); };
  for (int i = 0; i < end; i += 16) {
    const __m256i first = load(run.scores + i);
    __m256 even = _mm256_mul_ps(even_of(first), _mm256_set1_ps(run.factors[0]));
    __m256 odd = _mm256_mul_ps(odd_of(first), _mm256_set1_ps(run.factors[0]));
    for (int h = 1; h < run.n_heads; ++h) {
      const __m256i one = load(run.scores + h * run.score_stride + i);
      const __m256 factor = _mm256_set1_ps(run.factors[h]);
      even = add<kMaximum>(even, even_of(one), factor);
      odd = add<kMaximum>(odd, odd_of(one), factor);
    }
    const __m256i low = _mm256_srli_epi32(_mm256_castps_si256(even), 16);
    store(run.out + i, _mm256_or_si256(low, _mm256_and_si256(_mm256_castps_si256(odd), upper)));
  }
}

void combine(const CombineRun& run) {
  const int end = run.n_keys / kScanBlock * kScanBlock;
  run.maximum ? combine_blocks<true>(run, end) : combine_blocks<false>(run, end);
  Loops::combine_keys(run, end, run.n_keys);
}

void count(const int16_t* scores, int n, const int16_t (&thresholds)[kThresholds], int (&counts)[kThresholds]) {
  const int end = n / 16 * 16;
  // A lane counts as many as there are blocks: in turns that 16 bits can count.
  constexpr int kTurn = 16 * 32767;
  for (int& one : counts) one = 0;
  for (int begin = 0; begin < end; begin += kTurn) {
    __m256i limits[kThresholds];
    __m256i below[kThresholds];
    for (int t = 0; t < kThresholds; ++t) {
      limits[t] = _mm256_set1_epi16(thresholds[t]);
      below[t] = _mm256_setzero_si256();
    }
    const int last = end - begin < kTurn ? end : begin + kTurn;
    for (int i = begin; i < last; i += 16) {
      const __m256i block = load(scores + i);
      for (int t = 0; t < kThresholds; ++t) below[t] = _mm256_sub_epi16(below[t], _mm256_cmpgt_epi16(limits[t], block));
    }
    for (int t = 0; t < kThresholds; ++t) {
      const __m256i pairs = _mm256_madd_epi16(below[t], _mm256_set1_epi16(1));
      alignas(32) int32_t sums[8];
      store(sums, pairs);
      counts[t] += last - begin;
      for (const int32_t sum : sums) counts[t] -= sum;
    }
  }
  Loops::count_keys(scores, end, n, thresholds, counts);
}

int collect(const int16_t* scores, int n, int16_t threshold, int32_t first_index, int32_t* out) {
  // >= threshold is > threshold - 1, but for the smallest, which all scores reach.
  if (threshold == INT16_MIN) return Loops::collect_keys(scores, 0, n, threshold, first_index, out);
  const __m256i limit = _mm256_set1_epi16(static_cast<int16_t>(threshold - 1));
  const int end = n / 16 * 16;
  int count = 0;
  for (int i = 0; i < end; i += 16) {
    const __m256i above = _mm256_cmpgt_epi16(load(scores + i), limit);
    const __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(above), _mm256_extracti128_si256(above, 1));
    for (auto mask = static_cast<unsigned>(_mm_movemask_epi8(bytes)); mask != 0; mask &= mask - 1)
      out[count++] = first_index + i + __builtin_ctz(mask);
  }
  return count + Loops::collect_keys(scores, end, n, threshold, first_index, out + count);
}

int collect_cells(const CellCollectRun& run) {
  uint64_t rows[kTableEntries];
  const __m256i limit = _mm256_set1_epi16(static_cast<int16_t>(run.threshold - 1));  // scores are positive
  for (int a = 0; a < kTableEntries; ++a) {
    uint64_t row = 0;
    for (int b = 0; b < kTableEntries; b += 32) {
      const int16_t* scores = run.scores + a * kTableEntries + b;
      const __m256i taken =
          _mm256_packs_epi16(_mm256_cmpgt_epi16(load(scores), limit), _mm256_cmpgt_epi16(load(scores + 16), limit));
      const __m256i in_order = _mm256_permute4x64_epi64(taken, 0xd8);
      row |= uint64_t{static_cast<uint32_t>(_mm256_movemask_epi8(in_order))} << b;
    }
    rows[a] = row;
  }
  return Loops::collect_marked(run, rows, 0, 0);
}

}  // namespace

const PqKernels& pq_kernels_avx2() {
  static constexpr PqKernels table = [] {
    PqKernels kernels = Loops::shared_part("avx2");
    kernels.scan = scan;
    kernels.combine = combine;
    kernels.collect = collect;
    kernels.count = count;
    kernels.collect_cells = collect_cells;
    return kernels;
  }();
  return table;
}

}  // namespace mneme::engine

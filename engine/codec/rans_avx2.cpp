// rANS decoding with the 32 lanes in four 256-bit registers.
#include "engine/codec/rans.h"

#if defined(__AVX2__)

#include <immintrin.h>

#include <array>

namespace mneme::engine::rans_detail {

namespace {

// For each set of lanes that need a word: which of the next words each lane gets.
constexpr std::array<std::array<uint32_t, 8>, 256> make_spread() {
  std::array<std::array<uint32_t, 8>, 256> table{};
  for (uint32_t set = 0; set < 256; ++set) {
    uint32_t next = 0;
    for (uint32_t lane = 0; lane < 8; ++lane) {
      table[set][lane] = next;
      next += set >> lane & 1;
    }
  }
  return table;
}
alignas(32) constexpr std::array<std::array<uint32_t, 8>, 256> kSpread = make_spread();

inline __m256i decode_step(__m256i x, const uint32_t* entries, const uint32_t* offsets, const uint8_t*& words,
                           __m256i& symbols) {
  const __m256i slot = _mm256_and_si256(x, _mm256_set1_epi32(kRansTotal - 1));
  const __m256i index = _mm256_add_epi32(slot, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(offsets)));
  const __m256i entry = _mm256_i32gather_epi32(reinterpret_cast<const int*>(entries), index, 4);
  symbols = _mm256_srli_epi32(entry, 24);
  const __m256i low12 = _mm256_set1_epi32(0xfff);
  const __m256i frequency = _mm256_and_si256(_mm256_srli_epi32(entry, 12), low12);
  x = _mm256_mullo_epi32(frequency, _mm256_srli_epi32(x, kRansBits));
  x = _mm256_add_epi32(x, _mm256_and_si256(entry, low12));
  // x < 65536: nothing above the low half.
  const __m256i needs = _mm256_cmpeq_epi32(_mm256_srli_epi32(x, 16), _mm256_setzero_si256());
  const auto set = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(needs)));
  const __m256i next = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(words)));
  const __m256i spread =
      _mm256_permutevar8x32_epi32(next, _mm256_load_si256(reinterpret_cast<const __m256i*>(kSpread[set].data())));
  words += 2 * static_cast<unsigned>(__builtin_popcount(set));
  return _mm256_blendv_epi8(x, _mm256_or_si256(_mm256_slli_epi32(x, 16), spread), needs);
}

}  // namespace

void decode_avx2(DecodeState& state) {
  __m256i x[4];
  for (int i = 0; i < 4; ++i) x[i] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(state.states + 8 * i));
  const uint8_t* words = state.words;
  size_t place = state.step % state.pattern_steps;
  while (state.step < state.n_steps && state.words_end - words >= 2 * kRansLanes) {
    const uint32_t* offsets = state.offsets + place * kRansLanes;
    __m256i s[4];
    for (int i = 0; i < 4; ++i) x[i] = decode_step(x[i], state.entries, offsets + 8 * i, words, s[i]);
    // 4 x 8 numbers below 256 to 32 bytes in order: packing works within halves, so the quarters are put right at last.
    const __m256i packed = _mm256_packus_epi16(_mm256_packus_epi32(s[0], s[1]), _mm256_packus_epi32(s[2], s[3]));
    const __m256i ordered = _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(state.symbols + state.step * kRansLanes), ordered);
    if (++place == state.pattern_steps) place = 0;
    ++state.step;
  }
  state.words = words;
  for (int i = 0; i < 4; ++i) _mm256_storeu_si256(reinterpret_cast<__m256i*>(state.states + 8 * i), x[i]);
}

}  // namespace mneme::engine::rans_detail

#else

namespace mneme::engine::rans_detail {
void decode_avx2(DecodeState&) {}
}  // namespace mneme::engine::rans_detail

#endif

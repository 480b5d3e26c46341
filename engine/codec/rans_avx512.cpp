// rANS decoding with the 32 lanes in two 512-bit registers.
#include "engine/codec/rans.h"

#if defined(__AVX512F__)

#include <immintrin.h>

namespace mneme::engine::rans_detail {

namespace {

// One step of 16 lanes: 16 symbols out, states renewed, words taken.
inline __m512i decode_step(__m512i x, const uint32_t* entries, const uint32_t* offsets, const uint8_t*& words,
                           uint8_t* symbols) {
  const __m512i slot = _mm512_and_si512(x, _mm512_set1_epi32(kRansTotal - 1));
  const __m512i index = _mm512_add_epi32(slot, _mm512_loadu_si512(offsets));
  const __m512i entry = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), 0xffff, index, entries, 4);
  const __m128i bytes = _mm512_maskz_cvtepi32_epi8(0xffff, _mm512_maskz_srli_epi32(0xffff, entry, 24));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(symbols), bytes);
  const __m512i low12 = _mm512_set1_epi32(0xfff);
  const __m512i frequency = _mm512_and_si512(_mm512_maskz_srli_epi32(0xffff, entry, 12), low12);
  x = _mm512_mullo_epi32(frequency, _mm512_maskz_srli_epi32(0xffff, x, kRansBits));
  x = _mm512_add_epi32(x, _mm512_and_si512(entry, low12));
  const __mmask16 needs = _mm512_cmplt_epu32_mask(x, _mm512_set1_epi32(1 << 16));
  const __m256i next = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words));
  const __m512i spread = _mm512_maskz_expand_epi32(needs, _mm512_maskz_cvtepu16_epi32(0xffff, next));
  words += 2 * static_cast<unsigned>(__builtin_popcount(needs));
  return _mm512_mask_or_epi32(x, needs, _mm512_maskz_slli_epi32(0xffff, x, 16), spread);
}

}  // namespace

void decode_avx512(DecodeState& state) {
  __m512i low = _mm512_loadu_si512(state.states);
  __m512i high = _mm512_loadu_si512(state.states + 16);
  const uint8_t* words = state.words;
  size_t place = state.step % state.pattern_steps;
  // Both halves may load 32 bytes beyond what they take.
  while (state.step < state.n_steps && state.words_end - words >= 2 * kRansLanes) {
    const uint32_t* offsets = state.offsets + place * kRansLanes;
    uint8_t* symbols = state.symbols + state.step * kRansLanes;
    low = decode_step(low, state.entries, offsets, words, symbols);
    high = decode_step(high, state.entries, offsets + 16, words, symbols + 16);
    if (++place == state.pattern_steps) place = 0;
    ++state.step;
  }
  state.words = words;
  _mm512_storeu_si512(state.states, low);
  _mm512_storeu_si512(state.states + 16, high);
}

}  // namespace mneme::engine::rans_detail

#else

namespace mneme::engine::rans_detail {
void decode_avx512(DecodeState&) {}
}  // namespace mneme::engine::rans_detail

#endif

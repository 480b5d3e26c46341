#include "engine/backend/cpu/kernel_table.h"
#include "engine/backend/cpu/panels_avx2.h"
#include "engine/simd/avx2_vector.h"

namespace mneme::engine::cpu {
namespace {

// Eight vectors of 64 codes (32 inputs) at a time, as halves of 32 bytes.
template <int kHighBits>
void unpack_part(const uint8_t* nibbles, const uint8_t* high, __m256i table, uint8_t* out) {
  const __m256i low_bits = _mm256_set1_epi8(15);
  const __m256i high_mask = _mm256_set1_epi8(kHighBits == 2 ? 0x30 : 0x10);
  for (int v = 0; v < 8; ++v) {
    __m256i code = load_32(nibbles + v / 2 * 64);
    if (v % 2) code = _mm256_srli_epi16(code, 4);
    code = _mm256_shuffle_epi8(table, _mm256_and_si256(code, low_bits));
    if constexpr (kHighBits > 0) {
      constexpr int kPerByte = 8 / kHighBits;
      const int shift = v % kPerByte * kHighBits;
      const __m256i bits = load_32(high + v / kPerByte * 64);
      const __m256i moved = shift <= 4 ? _mm256_slli_epi16(bits, 4 - shift) : _mm256_srli_epi16(bits, shift - 4);
      code = _mm256_or_si256(code, _mm256_and_si256(moved, high_mask));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + v * 64), code);
  }
}

template <int kHighBits>
void unpack_all(const uint8_t* nibbles, const uint8_t* high, const uint8_t* levels, int n_in, uint8_t* out) {
  const __m256i table = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(levels)));
  for (int k = 0; k < n_in; k += 32)
    for (int half = 0; half < 64; half += 32)
      unpack_part<kHighBits>(nibbles + int64_t{k} * 8 + half, high + int64_t{k} * 2 * kHighBits + half, table,
                             out + int64_t{k} * 16 + half);
}

void unpack_codes(const uint8_t* nibbles, const uint8_t* high, int high_bits, const uint8_t* levels, int n_in,
                  uint8_t* out) {
  if (high_bits == 0) return unpack_all<0>(nibbles, high, levels, n_in, out);
  high_bits == 1 ? unpack_all<1>(nibbles, high, levels, n_in, out) : unpack_all<2>(nibbles, high, levels, n_in, out);
}

// Without VNNI products are added in pairs to 16 bits first, which is exact while codes are at most 128
// (128 * 127 * 2 fits).
struct PairDot {
  static constexpr bool kCentre = true;
  static __m256i add(__m256i sum, __m256i codes, __m256i activations) {
    const __m256i pairs = _mm256_maddubs_epi16(codes, activations);
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
  }
};

constexpr Kernels make_table() {
  Kernels table = KernelTable<simd::Avx2Vector>::float_part();
  table.unpack_codes = unpack_codes;
  table.max_nibble_rows = 0;
  table.multiply_panels = multiply_panels<PairDot>;
  return table;
}

}  // namespace

const Kernels& avx2_kernels() {
  static constexpr Kernels table = make_table();
  return table;
}

}  // namespace mneme::engine::cpu

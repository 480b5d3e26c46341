#include "engine/backend/cpu/panels_avx2.h"

namespace mneme::engine::cpu {
namespace {

// One instruction, sums in 32 bits: no saturation, so codes need no centring.
struct VnniDot {
  static constexpr bool kCentre = false;
  static __m256i add(__m256i sum, __m256i codes, __m256i activations) {
    return _mm256_dpbusd_avx_epi32(sum, codes, activations);
  }
};

}  // namespace

// All but the products are those of AVX2, compiled there.
const Kernels& avxvnni_kernels() {
  static const Kernels table = [] {
    Kernels copy = avx2_kernels();
    copy.name = "avxvnni";
    copy.multiply_panels = multiply_panels<VnniDot>;
    return copy;
  }();
  return table;
}

}  // namespace mneme::engine::cpu

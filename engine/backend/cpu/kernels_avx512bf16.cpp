// AVX-512 with products of bf16: attention that may be as coarse as that takes them (attention_avx512bf16.h).
#include "engine/backend/cpu/attention_avx512bf16.h"
#include "engine/backend/cpu/kernels.h"

namespace mneme::engine::cpu {
namespace {

constexpr int kQueriesPerBlock = 128;  // that a page is packed for

}  // namespace

const Kernels& avx512bf16_kernels() {
  static const Kernels table = [] {
    Kernels copy = avx512_kernels();
    copy.name = "avx512bf16";
    copy.attend_page = attend_page_avx512bf16;
    copy.queries_per_block = kQueriesPerBlock;
    return copy;
  }();
  return table;
}

}  // namespace mneme::engine::cpu

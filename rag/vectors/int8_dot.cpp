#include "rag/vectors/int8_dot.h"

namespace mneme::rag {

namespace int8_dot_detail {

int32_t dot_int8_portable(const int8_t* a, const int8_t* b, size_t n) {
  int32_t sum = 0;
  for (size_t i = 0; i < n; ++i) sum += int32_t{a[i]} * b[i];
  return sum;
}

int32_t dot_int16_int8_portable(const int16_t* a, const int8_t* b, size_t n) {
  int32_t sum = 0;
  for (size_t i = 0; i < n; ++i) sum += int32_t{a[i]} * b[i];
  return sum;
}

void dot_int16_rows_portable(const int16_t* a, const int8_t* rows, size_t n_rows, size_t n, int32_t* dots) {
  for (size_t r = 0; r < n_rows; ++r) dots[r] = dot_int16_int8_portable(a, rows + r * n, n);
}

#if defined(__x86_64__)
bool has_avx2() {
  return __builtin_cpu_supports("avx2");
}
bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}
#else
bool has_avx2() {
  return false;
}
bool has_avx512() {
  return false;
}
#endif

}  // namespace int8_dot_detail

namespace {

using namespace int8_dot_detail;

struct Kernels {
  int32_t (*int8)(const int8_t*, const int8_t*, size_t) = dot_int8_portable;
  int32_t (*int16_int8)(const int16_t*, const int8_t*, size_t) = dot_int16_int8_portable;
  void (*int16_rows)(const int16_t*, const int8_t*, size_t, size_t, int32_t*) = dot_int16_rows_portable;

  Kernels() {
    if (has_avx512()) {
      int8 = dot_int8_avx512;
      int16_int8 = dot_int16_int8_avx512;
      int16_rows = dot_int16_rows_avx512;
    } else if (has_avx2()) {
      int8 = dot_int8_avx2;
      int16_int8 = dot_int16_int8_avx2;
      int16_rows = dot_int16_rows_avx2;
    }
  }
};

const Kernels& kernels() {
  static const Kernels chosen;
  return chosen;
}

}  // namespace

int32_t dot_int8(const int8_t* a, const int8_t* b, size_t n) {
  return kernels().int8(a, b, n);
}

int32_t dot_int16_int8(const int16_t* a, const int8_t* b, size_t n) {
  return kernels().int16_int8(a, b, n);
}

void dot_int16_rows(const int16_t* a, const int8_t* rows, size_t n_rows, size_t n, int32_t* dots) {
  kernels().int16_rows(a, rows, n_rows, n, dots);
}

}  // namespace mneme::rag

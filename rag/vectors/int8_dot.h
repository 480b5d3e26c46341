// Dot products over quantised vectors; the widest instruction set of this machine is chosen at first use. All variants
// give the same integer. Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mneme::rag {

// Sum of a[i] * b[i], n <= 65536: |a| <= 127 in the first, |a| <= 8191 and n <= 2048 in the second, so that the sum
// fits in 32 bits.
int32_t dot_int8(const int8_t* a, const int8_t* b, size_t n);
int32_t dot_int16_int8(const int16_t* a, const int8_t* b, size_t n);

// dots[r] = sum of a[i] * rows[r * n + i], as dot_int16_int8; four rows at a time share what is read of `a`, and the
// rows behind them are fetched meanwhile. Memory behind the last row may be fetched too, but is not read.
void dot_int16_rows(const int16_t* a, const int8_t* rows, size_t n_rows, size_t n, int32_t* dots);

namespace int8_dot_detail {
// One per instruction set; n is any number, the tail is handled inside.
int32_t dot_int8_portable(const int8_t* a, const int8_t* b, size_t n);
int32_t dot_int16_int8_portable(const int16_t* a, const int8_t* b, size_t n);
void dot_int16_rows_portable(const int16_t* a, const int8_t* rows, size_t n_rows, size_t n, int32_t* dots);
int32_t dot_int8_avx2(const int8_t* a, const int8_t* b, size_t n);
int32_t dot_int16_int8_avx2(const int16_t* a, const int8_t* b, size_t n);
void dot_int16_rows_avx2(const int16_t* a, const int8_t* rows, size_t n_rows, size_t n, int32_t* dots);
int32_t dot_int8_avx512(const int8_t* a, const int8_t* b, size_t n);
int32_t dot_int16_int8_avx512(const int16_t* a, const int8_t* b, size_t n);
void dot_int16_rows_avx512(const int16_t* a, const int8_t* rows, size_t n_rows, size_t n, int32_t* dots);
bool has_avx2();
bool has_avx512();
}  // namespace int8_dot_detail

}  // namespace mneme::rag

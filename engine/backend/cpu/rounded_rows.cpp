#include "engine/backend/cpu/rounded_rows.h"

#include <algorithm>
#include <cassert>

namespace mneme::engine::cpu {
namespace {

constexpr int kTileRows = 16;  // of bf16
constexpr int kGroups[] = {32, 16};
constexpr int kColumnsPerRead =
    256;  // elements whose rounding takes about as long as some lines of memory need to come

}  // namespace

void RoundedRows::reshape(int n_rows, int n) {
  assert(n % kRowBlock == 0);
  n_rows_ = n_rows;
  n_ = n;
  const auto row_size = static_cast<size_t>(n);
  if (is_wide()) {
    wide_.reserve(static_cast<size_t>((n_rows + kTileRows - 1) / kTileRows * kTileRows) * row_size);
    return;
  }
  const size_t size = static_cast<size_t>(n_rows) * row_size;
  codes_.reserve(size);
  scales_.reserve(size / kRowBlock);
  for (int i = 0; i < 2; ++i) {
    minus_sums_[i].reserve(size / static_cast<size_t>(kGroups[i]));
    scaled_sums_[i].reserve(size / static_cast<size_t>(kGroups[i]));
  }
}

QuantizedRow RoundedRows::int8_at(int row, int first) {
  const int64_t at = int64_t{row} * n_ + first;
  QuantizedRow out;
  out.codes = codes_.data() + at;
  out.scales = scales_.data() + at / kRowBlock;
  for (int i = 0; i < 2; ++i) {
    out.minus_sums[i] = minus_sums_[i].data() + at / kGroups[i];
    out.scaled_sums[i] = scaled_sums_[i].data() + at / kGroups[i];
  }
  return out;
}

void RoundedRows::round(const float* x, int64_t stride, ThreadPool& pool) {
  pool.parallel_for(static_cast<size_t>(n_rows_), kTileRows, [&](int, size_t begin, size_t end) {
    for (int row = static_cast<int>(begin); row < static_cast<int>(end); ++row) round_row(x + row * stride, row);
  });
}

void RoundedRows::round_row(const float* x, int row) {
  is_wide() ? kernels_->widen_row(x, row, n_, wide_.data()) : round_narrow(x, row);
}

// Of a single row this is done between loops by one thread, while memory should not stand idle.
void RoundedRows::round_narrow(const float* x, int row) {
  for (int first = 0; first < n_; first += kColumnsPerRead) {
    kernels_->quantize_row(x + first, std::min(kColumnsPerRead, n_ - first), int8_at(row, first));
    ThreadPool::read_some();
  }
}

void RoundedRows::round_block(const float* x, int row, int first) {
  if (!is_wide()) return kernels_->quantize_row(x, kRowBlock, int8_at(row, first));
  // The block's tile: as of a matrix that has no other columns.
  bf16* rows = wide_.data() + int64_t{row / kTileRows} * kTileRows * n_;
  kernels_->widen_row(x, row % kTileRows, kRowBlock, rows + int64_t{first} * kTileRows);
}

void RoundedRows::describe(int first_row, PanelProduct& product) const {
  const int64_t at = int64_t{first_row} * n_;
  if (is_wide()) {
    product.x_wide = wide_.data() + at;
    return;
  }
  const int i = product.group == kGroups[1] ? 1 : 0;
  product.x = codes_.data() + at;
  product.x_scales = scales_.data() + at / kRowBlock;
  product.x_minus_sums = minus_sums_[i].data() + at / kGroups[i];
  product.x_scaled_sums = scaled_sums_[i].data() + at / kGroups[i];
}

}  // namespace mneme::engine::cpu

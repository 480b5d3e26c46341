// Activation rows as products with packed weights take them: int8 with a scale per 32, or bf16 in tiles for many rows
// where the processor has a tile unit. Threads: one owner; round_row() and round_block() of different rows or columns
// from any thread.
#pragma once

#include <cstdint>

#include "base/thread_pool.h"
#include "engine/backend/cpu/aligned_buffer.h"
#include "engine/backend/cpu/kernels.h"

namespace mneme::engine::cpu {

class RoundedRows {
 public:
  explicit RoundedRows(const Kernels& kernels) : kernels_(&kernels) {}

  // Makes room for (n_rows, n), n a multiple of 32. What is in there is lost.
  void reshape(int n_rows, int n);
  // Rounds x, (n_rows, n) of the shape, `stride` elements from row to row.
  void round(const float* x, int64_t stride, ThreadPool& pool);
  // Rounds one row.
  void round_row(const float* x, int row);
  // Rounds 32 elements of one row, from column `first` on, a multiple of 32.
  void round_block(const float* x, int row, int first);

  // Fills in the rows from `first_row` on. With bf16, first_row is a multiple of 32.
  void describe(int first_row, PanelProduct& product) const;

  // Whether rows are in bf16.
  bool is_wide() const { return n_rows_ >= kernels_->min_wide_rows; }

 private:
  void round_narrow(const float* x, int row);
  QuantizedRow int8_at(int row, int first);

  const Kernels* kernels_;
  int n_rows_ = 0;
  int n_ = 0;
  AlignedBuffer<int8_t> codes_;
  AlignedBuffer<float> scales_;
  AlignedBuffer<int32_t> minus_sums_[2];  // per 32, per 16
  AlignedBuffer<float> scaled_sums_[2];
  AlignedBuffer<bf16> wide_;
};

}  // namespace mneme::engine::cpu

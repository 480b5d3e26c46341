// Activations and weights on the CPU. F32, F16 and BF16 matrices are used where they lie, quantised ones are repacked
// at load (packed_matrix.h). Threads: matrices are immutable after pack(); activations have one writer.
#pragma once

#include <memory>

#include "base/thread_pool.h"
#include "engine/backend/backend.h"
#include "engine/backend/cpu/aligned_buffer.h"
#include "engine/backend/cpu/packed_matrix.h"

namespace mneme::engine::cpu {

class CpuActivations final : public Activations {
 public:
  CpuActivations(int max_rows_in, int width_in) : buffer_(static_cast<size_t>(max_rows_in) * width_in) {
    max_rows = max_rows_in;
    width = width_in;
  }
  float* row(int64_t i) { return buffer_.data() + i * width; }
  const float* row(int64_t i) const { return buffer_.data() + i * width; }

 private:
  AlignedBuffer<float> buffer_;
};

class CpuMatrix final : public Matrix {
 public:
  explicit CpuMatrix(const TensorView& view) : view_(view) {
    n_out = view.n_out;
    n_in = view.n_in;
  }
  // Repacks quantised weights that will be multiplied with; otherwise they are used where they lie. The arena must
  // outlive the matrix.
  Status pack(ThreadPool& pool, WeightArena& arena,
              PackedMatrix::ScalePlace scale_place = PackedMatrix::ScalePlace::kBehindCodes);
  const TensorView& view() const { return view_; }
  const PackedMatrix* packed() const { return packed_.get(); }
  // One row as f32, (n_in).
  void read_row(int64_t row, float* out) const;

 private:
  TensorView view_;
  std::unique_ptr<PackedMatrix> packed_;
};

}  // namespace mneme::engine::cpu

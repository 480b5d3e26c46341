// Weights on the CPU and products with them.
//
// F32, F16 and BF16 matrices are used where they lie. Quantised ones are repacked at load (packed_matrix.h).
// Threads: multiply() runs on the backend's pool, one call at a time.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "engine/backend/backend.h"
#include "engine/backend/cpu/aligned_buffer.h"
#include "engine/backend/cpu/kernels.h"
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
  Status pack(ThreadPool& pool, WeightArena& arena);
  const TensorView& view() const { return view_; }
  const PackedMatrix* packed() const { return packed_.get(); }
  // One row as f32, (n_in).
  void read_row(int64_t row, float* out) const;

 private:
  TensorView view_;
  std::unique_ptr<PackedMatrix> packed_;
};

// Rows that are about to be multiplied: (n_rows, n_in) f32, stride elements apart.
struct InputRows {
  const float* data = nullptr;
  int64_t stride = 0;
  int n_rows = 0;
  int n_in = 0;
};

// out[row][j] = sum_k w[j][k] * input[row][k] + bias[j]; bias may be null.
struct Product {
  const CpuMatrix* w = nullptr;
  const float* bias = nullptr;
  float* out = nullptr;
};

class Multiplier {
 public:
  Multiplier(const Kernels& kernels, ThreadPool& pool);

  // Announces the rows of the next products; they must not change until the next begin().
  void begin(const InputRows& input) {
    input_ = input;
    quantized_ = false;
  }
  // Products with the announced rows, all at once; outputs are out_stride elements from row to row.
  void multiply(std::span<const Product> products, int64_t out_stride);
  void multiply(const CpuMatrix& w, const float* bias, float* out, int64_t out_stride) {
    const Product product{&w, bias, out};
    multiply({&product, 1}, out_stride);
  }

 private:
  void multiply_packed(std::span<const Product> products, int64_t out_stride);
  // Some rows of the input by two panels of a matrix; `more`: the next two follow.
  struct PairTask {
    int64_t panel;
    int first_row;
    int n_rows;
    bool more;
  };
  void multiply_pair(const Product& product, const PairTask& task, int64_t out_stride, int worker);
  void multiply_float(const Product& product, FloatType type, int64_t out_stride);
  void multiply_in_place(const Product& product, int64_t out_stride);
  void quantize_input();

  const Kernels& kernels_;
  ThreadPool& pool_;
  InputRows input_;
  // The input in int8, made when the first quantised matrix asks for it.
  bool quantized_ = false;
  AlignedBuffer<int8_t> x_codes_;
  AlignedBuffer<float> x_scales_;
  AlignedBuffer<int32_t> x_minus_sums_[2];
  AlignedBuffer<float> x_scaled_sums_[2];
  std::vector<AlignedBuffer<uint8_t>> scratch_;  // per thread
};

}  // namespace mneme::engine::cpu

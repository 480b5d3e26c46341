// Weights on the CPU and products with them.
//
// F32, F16 and BF16 matrices are used where they lie. Quantised ones are repacked at load (packed_matrix.h).
// Threads: multiply() runs on the backend's pool, one call at a time.
#pragma once

#include <memory>
#include <span>
#include <unordered_map>
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
    widened_ = false;
  }
  // Products with the announced rows, all at once; outputs are out_stride elements from row to row.
  void multiply(std::span<const Product> products, int64_t out_stride);
  void multiply(const CpuMatrix& w, const float* bias, float* out, int64_t out_stride) {
    const Product product{&w, bias, out};
    multiply({&product, 1}, out_stride);
  }

 private:
  // Memory of a pair of panels.
  struct PairMemory {
    std::span<const uint8_t> scales;
    std::span<const uint8_t> codes;
  };
  // Some rows of the input by two panels of a matrix, and what the thread will read after them.
  struct PairTask {
    int64_t panel = 0;
    int first_row = 0;
    int n_rows = 0;
    PairMemory next;
  };

  void multiply_packed(std::span<const Product> products, int64_t out_stride);
  void multiply_many(std::span<const Product> products, size_t n_pairs, int64_t out_stride);
  void multiply_few(std::span<const Product> products, size_t n_pairs, int64_t out_stride);
  void multiply_pair(const Product& product, const PairTask& task, int64_t out_stride, int worker);
  static PairMemory memory_of(std::span<const Product> products, size_t pair);
  void learn_order(std::span<const Product> products, size_t n_pairs);
  void multiply_float(const Product& product, FloatType type, int64_t out_stride);
  void multiply_in_place(const Product& product, int64_t out_stride);
  bool is_wide() const { return input_.n_rows >= kernels_.min_wide_rows; }
  void quantize_input();
  void widen_input();

  const Kernels& kernels_;
  ThreadPool& pool_;
  InputRows input_;
  // The input in int8, made when the first quantised matrix asks for it.
  bool quantized_ = false;
  AlignedBuffer<int8_t> x_codes_;
  AlignedBuffer<float> x_scales_;
  AlignedBuffer<int32_t> x_minus_sums_[2];
  AlignedBuffer<float> x_scaled_sums_[2];
  // Or in bf16, for many rows on a tile unit.
  bool widened_ = false;
  AlignedBuffer<bf16> x_wide_;
  std::vector<AlignedBuffer<uint8_t>> scratch_;  // per thread

  // Products follow each other in the same order for every token. By the first matrix of a group of products: what each
  // thread read first in the group that came after it the last time. Only ever fetched, so being wrong costs nothing;
  // the memory is the arena's and outlives the matrices.
  std::unordered_map<const PackedMatrix*, std::vector<PairMemory>> came_next_;
  const PackedMatrix* last_group_ = nullptr;
};

}  // namespace mneme::engine::cpu

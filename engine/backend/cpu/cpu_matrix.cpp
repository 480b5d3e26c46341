#include "engine/backend/cpu/cpu_matrix.h"

#include <algorithm>
#include <cassert>

#include "engine/gguf/dequantize.h"

namespace mneme::engine::cpu {
namespace {

constexpr int kRowsPerTask = 64;  // weight rows a thread claims at a time
constexpr int kRowsAtOnce = 4;    // weight rows unpacked to f32 together

}  // namespace

void CpuMatrix::read_row(int64_t row, float* out) const {
  const int64_t stride = gguf::row_bytes(view_.type, n_in);
  gguf::dequantize_row(view_.type, view_.bytes.data() + row * stride, n_in, out);
}

Multiplier::Multiplier(const Kernels& kernels, ThreadPool& pool)
    : kernels_(kernels), pool_(pool), row_scratch_(pool.n_threads()) {}

void Multiplier::multiply(const CpuMatrix& w, const float* bias, float* out, int64_t out_stride) {
  assert(w.n_in == input_.n_in);
  switch (w.view().type) {
    case gguf::TensorType::kF32: return multiply_float(w, FloatType::kF32, bias, out, out_stride);
    case gguf::TensorType::kF16: return multiply_float(w, FloatType::kF16, bias, out, out_stride);
    case gguf::TensorType::kBF16: return multiply_float(w, FloatType::kBF16, bias, out, out_stride);
    default: return multiply_unpacked(w, bias, out, out_stride);
  }
}

void Multiplier::multiply_float(const CpuMatrix& w, FloatType type, const float* bias, float* out,
                                int64_t out_stride) {
  const int64_t row_bytes = gguf::row_bytes(w.view().type, w.n_in);
  pool_.parallel_for(static_cast<size_t>(w.n_out), kRowsPerTask, [&](int, size_t begin, size_t end) {
    kernels_.gemm_float(type, w.view().bytes.data() + static_cast<int64_t>(begin) * row_bytes, w.n_in,
                        static_cast<int>(end - begin), input_.data, input_.stride, input_.n_rows, w.n_in,
                        bias ? bias + begin : nullptr, out + begin, out_stride);
  });
}

void Multiplier::multiply_unpacked(const CpuMatrix& w, const float* bias, float* out, int64_t out_stride) {
  pool_.parallel_for(static_cast<size_t>(w.n_out), kRowsPerTask, [&](int worker, size_t begin, size_t end) {
    AlignedBuffer<float>& rows = row_scratch_[worker];
    rows.reserve(static_cast<size_t>(kRowsAtOnce * w.n_in));
    for (size_t j = begin; j < end; j += kRowsAtOnce) {
      const int n = static_cast<int>(std::min<size_t>(kRowsAtOnce, end - j));
      for (int i = 0; i < n; ++i) w.read_row(static_cast<int64_t>(j) + i, rows.data() + i * w.n_in);
      kernels_.gemm_float(FloatType::kF32, rows.data(), w.n_in, n, input_.data, input_.stride, input_.n_rows, w.n_in,
                          bias ? bias + j : nullptr, out + j, out_stride);
    }
  });
}

}  // namespace mneme::engine::cpu

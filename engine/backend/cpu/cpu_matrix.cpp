#include "engine/backend/cpu/cpu_matrix.h"

#include <algorithm>
#include <cassert>

#include "engine/gguf/dequantize.h"

namespace mneme::engine::cpu {
namespace {

constexpr int kRowsPerTask = 64;   // weight rows a thread claims at a time
constexpr int kRowsAtOnce = 4;     // weight rows unpacked to f32 together
constexpr int kPanelsPerTask = 4;  // panels a thread claims at a time
// Bytes of int8 activations that stay in the second-level cache while all weights pass by.
constexpr int kRowBlockBytes = 512 << 10;

}  // namespace

Status CpuMatrix::pack(ThreadPool& pool) {
  if (view_.use == MatrixUse::kLookup || !PackedMatrix::packs(view_.type)) return {};
  auto packed = std::make_unique<PackedMatrix>();
  MNEME_RETURN_IF_ERROR(packed->pack(view_, pool));
  packed_ = std::move(packed);
  return {};
}

void CpuMatrix::read_row(int64_t row, float* out) const {
  if (packed_) return packed_->read_row(row, out);
  const int64_t stride = gguf::row_bytes(view_.type, n_in);
  gguf::dequantize_row(view_.type, view_.bytes.data() + row * stride, n_in, out);
}

Multiplier::Multiplier(const Kernels& kernels, ThreadPool& pool)
    : kernels_(kernels), pool_(pool), scratch_(pool.n_threads()) {}

void Multiplier::multiply(const CpuMatrix& w, const float* bias, float* out, int64_t out_stride) {
  assert(w.n_in == input_.n_in);
  switch (w.view().type) {
    case gguf::TensorType::kF32: return multiply_float(w, FloatType::kF32, bias, out, out_stride);
    case gguf::TensorType::kF16: return multiply_float(w, FloatType::kF16, bias, out, out_stride);
    case gguf::TensorType::kBF16: return multiply_float(w, FloatType::kBF16, bias, out, out_stride);
    default: break;
  }
  w.packed() ? multiply_packed(*w.packed(), bias, out, out_stride) : multiply_in_place(w, bias, out, out_stride);
}

void Multiplier::quantize_input() {
  if (quantized_) return;
  const auto n_rows = static_cast<size_t>(input_.n_rows);
  const auto n_in = static_cast<size_t>(input_.n_in);
  x_codes_.reserve(n_rows * n_in);
  x_scales_.reserve(n_rows * n_in / 32);
  for (int i = 0; i < 2; ++i) {
    x_minus_sums_[i].reserve(n_rows * n_in / (i ? 16 : 32));
    x_scaled_sums_[i].reserve(n_rows * n_in / (i ? 16 : 32));
  }
  pool_.parallel_for(n_rows, 8, [&](int, size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      QuantizedRow out;
      out.codes = x_codes_.data() + row * n_in;
      out.scales = x_scales_.data() + row * n_in / 32;
      for (int i = 0; i < 2; ++i) {
        out.minus_sums[i] = x_minus_sums_[i].data() + row * n_in / (i ? 16 : 32);
        out.scaled_sums[i] = x_scaled_sums_[i].data() + row * n_in / (i ? 16 : 32);
      }
      kernels_.quantize_row(input_.data + static_cast<int64_t>(row) * input_.stride, input_.n_in, out);
    }
  });
  quantized_ = true;
}

// For each block of activation rows that fits in cache, all panels of a task pass by.
void Multiplier::multiply_packed(const PackedMatrix& w, const float* bias, float* out, int64_t out_stride) {
  quantize_input();
  const int n_in = input_.n_in;
  const int n_groups = n_in / w.format().group;
  const int sums = w.format().group == 16 ? 1 : 0;
  const int rows_per_block = std::max(24, kRowBlockBytes / n_in / 6 * 6);
  const auto n_panels = static_cast<size_t>(w.n_panels());
  pool_.parallel_for(n_panels, kPanelsPerTask, [&](int worker, size_t begin, size_t end) {
    AlignedBuffer<uint8_t>& scratch = scratch_[worker];
    scratch.reserve(w.scratch_bytes());
    for (int m0 = 0; m0 < input_.n_rows; m0 += rows_per_block) {
      PanelProduct product;
      product.n_rows = std::min(rows_per_block, input_.n_rows - m0);
      product.x = x_codes_.data() + int64_t{m0} * n_in;
      product.x_scales = x_scales_.data() + int64_t{m0} * n_in / kRowBlock;
      product.x_minus_sums = x_minus_sums_[sums].data() + int64_t{m0} * n_groups;
      product.x_scaled_sums = x_scaled_sums_[sums].data() + int64_t{m0} * n_groups;
      product.y_stride = out_stride;
      for (size_t panel = begin; panel < end; panel += 2) {
        const int64_t column = static_cast<int64_t>(panel) * kPanelRows;
        w.describe(kernels_, static_cast<int64_t>(panel), product.n_rows, scratch.data(), product);
        product.bias = bias ? bias + column : nullptr;
        product.y = out + m0 * out_stride + column;
        kernels_.multiply_panels(product);
      }
    }
  });
}

void Multiplier::multiply_float(const CpuMatrix& w, FloatType type, const float* bias, float* out, int64_t out_stride) {
  const int64_t row_bytes = gguf::row_bytes(w.view().type, w.n_in);
  pool_.parallel_for(static_cast<size_t>(w.n_out), kRowsPerTask, [&](int, size_t begin, size_t end) {
    kernels_.gemm_float(type, w.view().bytes.data() + static_cast<int64_t>(begin) * row_bytes, w.n_in,
                        static_cast<int>(end - begin), input_.data, input_.stride, input_.n_rows, w.n_in,
                        bias ? bias + begin : nullptr, out + begin, out_stride);
  });
}

// Quantised weights that were not repacked: unpacked to f32 a few rows at a time.
void Multiplier::multiply_in_place(const CpuMatrix& w, const float* bias, float* out, int64_t out_stride) {
  pool_.parallel_for(static_cast<size_t>(w.n_out), kRowsPerTask, [&](int worker, size_t begin, size_t end) {
    AlignedBuffer<uint8_t>& scratch = scratch_[worker];
    scratch.reserve(static_cast<size_t>(kRowsAtOnce * w.n_in) * sizeof(float));
    auto* rows = reinterpret_cast<float*>(scratch.data());
    for (size_t j = begin; j < end; j += kRowsAtOnce) {
      const int n = static_cast<int>(std::min<size_t>(kRowsAtOnce, end - j));
      for (int i = 0; i < n; ++i) w.read_row(static_cast<int64_t>(j) + i, rows + i * w.n_in);
      kernels_.gemm_float(FloatType::kF32, rows, w.n_in, n, input_.data, input_.stride, input_.n_rows, w.n_in,
                          bias ? bias + j : nullptr, out + j, out_stride);
    }
  });
}

}  // namespace mneme::engine::cpu

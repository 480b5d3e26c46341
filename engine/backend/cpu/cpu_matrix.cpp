#include "engine/backend/cpu/cpu_matrix.h"

#include <algorithm>
#include <cassert>

#include "engine/gguf/dequantize.h"

namespace mneme::engine::cpu {
namespace {

constexpr int kRowsPerTask = 64;  // weight rows a thread claims at a time
constexpr int kRowsAtOnce = 4;    // weight rows unpacked to f32 together
constexpr int kFewRows = 8;       // of the input: products are then bound by reading weights
constexpr size_t kPairsPerTaskOfFewRows = 4;
constexpr size_t kPairsPerTask = 2;  // pairs of panels a thread claims at a time
// Bytes of int8 activations that stay in the second-level cache while all weights pass by.
constexpr int kRowBlockBytes = 512 << 10;

}  // namespace

Status CpuMatrix::pack(ThreadPool& pool, WeightArena& arena) {
  if (view_.use == MatrixUse::kLookup || !PackedMatrix::packs(view_.type)) return {};
  auto packed = std::make_unique<PackedMatrix>();
  MNEME_RETURN_IF_ERROR(packed->pack(view_, pool, arena));
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

void Multiplier::multiply(std::span<const Product> products, int64_t out_stride) {
  const auto is_packed = [](const Product& product) { return product.w->packed() != nullptr; };
  if (std::all_of(products.begin(), products.end(), is_packed)) return multiply_packed(products, out_stride);
  for (const Product& product : products) {
    assert(product.w->n_in == input_.n_in);
    switch (product.w->view().type) {
      case gguf::TensorType::kF32: multiply_float(product, FloatType::kF32, out_stride); break;
      case gguf::TensorType::kF16: multiply_float(product, FloatType::kF16, out_stride); break;
      case gguf::TensorType::kBF16: multiply_float(product, FloatType::kBF16, out_stride); break;
      default: is_packed(product) ? multiply_packed({&product, 1}, out_stride) : multiply_in_place(product, out_stride);
    }
  }
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

// Pairs of panels of all the matrices are dealt out together. For each block of activation rows that fits in cache, all
// pairs of a task pass by.
void Multiplier::multiply_packed(std::span<const Product> products, int64_t out_stride) {
  quantize_input();
  size_t n_pairs = 0;
  for (const Product& product : products) n_pairs += static_cast<size_t>(product.w->packed()->n_panels() + 1) / 2;
  const int rows_per_block = std::max(24, kRowBlockBytes / input_.n_in / 6 * 6);
  // With few rows the weights come from memory: longer tasks, so that the next pair can be fetched during the last.
  const size_t pairs_per_task = input_.n_rows > kFewRows ? kPairsPerTask : kPairsPerTaskOfFewRows;
  pool_.parallel_for(n_pairs, pairs_per_task, [&](int worker, size_t begin, size_t end) {
    for (int row = 0; row < input_.n_rows; row += rows_per_block) {
      const int n_rows = std::min(rows_per_block, input_.n_rows - row);
      size_t first_pair = 0;
      for (const Product& product : products) {
        const size_t end_pair = first_pair + static_cast<size_t>(product.w->packed()->n_panels() + 1) / 2;
        const size_t end_here = std::min(end, end_pair);
        for (size_t pair = std::max(begin, first_pair); pair < end_here; ++pair)
          multiply_pair(product, {static_cast<int64_t>(pair - first_pair) * 2, row, n_rows, pair + 1 < end_here},
                        out_stride, worker);
        first_pair = end_pair;
      }
    }
  });
}

void Multiplier::multiply_pair(const Product& product, const PairTask& task, int64_t out_stride, int worker) {
  const PackedMatrix& w = *product.w->packed();
  assert(product.w->n_in == input_.n_in);
  const int64_t n_in = input_.n_in;
  const int64_t n_groups = n_in / w.format().group;
  const int sums = w.format().group == 16 ? 1 : 0;
  AlignedBuffer<uint8_t>& scratch = scratch_[worker];
  scratch.reserve(w.scratch_bytes());
  PanelProduct panels;
  w.describe(kernels_, task.panel, task.n_rows, scratch.data(), panels);
  if (task.more && task.n_rows <= kFewRows) {
    w.fetch_scales(task.panel + 2);
    const auto next = w.pair_codes(task.panel + 2);
    panels.next = next.data();
    panels.n_next_bytes = static_cast<int64_t>(next.size());
  }
  panels.n_rows = task.n_rows;
  panels.x = x_codes_.data() + task.first_row * n_in;
  panels.x_scales = x_scales_.data() + task.first_row * n_in / kRowBlock;
  panels.x_minus_sums = x_minus_sums_[sums].data() + task.first_row * n_groups;
  panels.x_scaled_sums = x_scaled_sums_[sums].data() + task.first_row * n_groups;
  panels.bias = product.bias ? product.bias + task.panel * kPanelRows : nullptr;
  panels.y = product.out + task.first_row * out_stride + task.panel * kPanelRows;
  panels.y_stride = out_stride;
  kernels_.multiply_panels(panels);
}

void Multiplier::multiply_float(const Product& product, FloatType type, int64_t out_stride) {
  const CpuMatrix& w = *product.w;
  const int64_t row_bytes = gguf::row_bytes(w.view().type, w.n_in);
  pool_.parallel_for(static_cast<size_t>(w.n_out), kRowsPerTask, [&](int, size_t begin, size_t end) {
    kernels_.gemm_float(type, w.view().bytes.data() + static_cast<int64_t>(begin) * row_bytes, w.n_in,
                        static_cast<int>(end - begin), input_.data, input_.stride, input_.n_rows, w.n_in,
                        product.bias ? product.bias + begin : nullptr, product.out + begin, out_stride);
  });
}

// Quantised weights that were not repacked: unpacked to f32 a few rows at a time.
void Multiplier::multiply_in_place(const Product& product, int64_t out_stride) {
  const CpuMatrix& w = *product.w;
  pool_.parallel_for(static_cast<size_t>(w.n_out), kRowsPerTask, [&](int worker, size_t begin, size_t end) {
    AlignedBuffer<uint8_t>& scratch = scratch_[worker];
    scratch.reserve(static_cast<size_t>(kRowsAtOnce * w.n_in) * sizeof(float));
    auto* rows = reinterpret_cast<float*>(scratch.data());
    for (size_t j = begin; j < end; j += kRowsAtOnce) {
      const int n = static_cast<int>(std::min<size_t>(kRowsAtOnce, end - j));
      for (int i = 0; i < n; ++i) w.read_row(static_cast<int64_t>(j) + i, rows + i * w.n_in);
      kernels_.gemm_float(FloatType::kF32, rows, w.n_in, n, input_.data, input_.stride, input_.n_rows, w.n_in,
                          product.bias ? product.bias + j : nullptr, product.out + j, out_stride);
    }
  });
}

}  // namespace mneme::engine::cpu

#include "engine/backend/cpu/cpu_matrix.h"

#include <algorithm>
#include <cassert>

#include "engine/gguf/dequantize.h"

namespace mneme::engine::cpu {
namespace {

constexpr int kRowsPerTask = 64;  // weight rows a thread claims at a time
constexpr int kRowsAtOnce = 4;    // weight rows unpacked to f32 together
constexpr int kFewRows = 8;       // of the input: products are then bound by reading weights
// Bytes of activations that stay in the second-level cache while weights pass by: int8; bf16 on processors with a tile
// unit, whose caches are larger.
constexpr int64_t kRowBlockBytes = 512 << 10;
constexpr int64_t kWideRowBlockBytes = 1536 << 10;
constexpr size_t kWideRows = 16;  // rows of a tile of bf16 activations
constexpr int kRowStep = 32;      // blocks are multiples of what the widest kernel takes at once

// The n-th pair of panels of several matrices, counted through.
struct PairOfProducts {
  const Product* product;
  int64_t panel;
};
PairOfProducts find_pair(std::span<const Product> products, size_t pair) {
  auto left = static_cast<int64_t>(pair);
  const Product* product = products.data();
  while (left >= product->w->packed()->n_pairs()) left -= (product++)->w->packed()->n_pairs();
  return {product, left * 2};
}

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

void Multiplier::widen_input() {
  if (widened_) return;
  const auto n_in = static_cast<size_t>(input_.n_in);
  x_wide_.reserve((static_cast<size_t>(input_.n_rows) + kWideRows - 1) / kWideRows * kWideRows * n_in);
  pool_.parallel_for(static_cast<size_t>(input_.n_rows), kWideRows, [&](int, size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row)
      kernels_.widen_row(input_.data + static_cast<int64_t>(row) * input_.stride, static_cast<int>(row), input_.n_in,
                         x_wide_.data());
  });
  widened_ = true;
}

Multiplier::PairMemory Multiplier::memory_of(std::span<const Product> products, size_t pair) {
  const auto [product, panel] = find_pair(products, pair);
  const PackedMatrix& w = *product->w->packed();
  return {w.pair_scales(panel), w.pair_codes(panel)};
}

void Multiplier::multiply_packed(std::span<const Product> products, int64_t out_stride) {
  is_wide() ? widen_input() : quantize_input();
  size_t n_pairs = 0;
  for (const Product& product : products) n_pairs += static_cast<size_t>(product.w->packed()->n_pairs());
  input_.n_rows > kFewRows ? multiply_many(products, n_pairs, out_stride) : multiply_few(products, n_pairs, out_stride);
}

// Pairs of panels of all the matrices are dealt out together, for one block of activation rows after the other: a
// thread's part is a run of pairs with the same rows, which stay in its cache.
void Multiplier::multiply_many(std::span<const Product> products, size_t n_pairs, int64_t out_stride) {
  last_group_ = nullptr;
  const int64_t row_bytes = is_wide() ? int64_t{input_.n_in} * 2 : input_.n_in;
  const int64_t most_rows = (is_wide() ? kWideRowBlockBytes : kRowBlockBytes) / row_bytes;
  const int n_blocks = static_cast<int>((input_.n_rows + most_rows - 1) / std::max<int64_t>(most_rows, 1));
  const int block_rows = ((input_.n_rows + n_blocks - 1) / n_blocks + kRowStep - 1) / kRowStep * kRowStep;
  const size_t n_tasks = n_pairs * static_cast<size_t>((input_.n_rows + block_rows - 1) / block_rows);
  pool_.parallel_for_parts(n_tasks, 1, [&](int worker, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const int first_row = static_cast<int>(i / n_pairs) * block_rows;
      const PairOfProducts found = find_pair(products, i % n_pairs);
      PairTask task{.panel = found.panel,
                    .first_row = first_row,
                    .n_rows = std::min(block_rows, input_.n_rows - first_row),
                    .next = memory_of(products, (i + 1) % n_pairs)};
      multiply_pair(*found.product, task, out_stride, worker);
    }
  });
}

// Weights come from memory: every thread goes through its own run of pairs and fetches the next during each.
void Multiplier::multiply_few(std::span<const Product> products, size_t n_pairs, int64_t out_stride) {
  learn_order(products, n_pairs);
  const auto after = came_next_.find(last_group_);
  const std::vector<PairMemory>* after_all = after == came_next_.end() ? nullptr : &after->second;
  pool_.parallel_for_parts(n_pairs, 1, [&](int worker, size_t begin, size_t end) {
    const size_t end_of_part = pool_.part_begin(n_pairs, worker + 1);
    for (size_t pair = begin; pair < end; ++pair) {
      const PairOfProducts found = find_pair(products, pair);
      PairTask task{.panel = found.panel, .n_rows = input_.n_rows, .next = {}};
      if (pair + 1 < end_of_part) {
        task.next = memory_of(products, pair + 1);
      } else if (after_all) {
        task.next = (*after_all)[static_cast<size_t>(worker)];
      }
      multiply_pair(*found.product, task, out_stride, worker);
    }
  });
}

void Multiplier::learn_order(std::span<const Product> products, size_t n_pairs) {
  if (last_group_) {
    std::vector<PairMemory>& next = came_next_[last_group_];
    next.resize(static_cast<size_t>(pool_.n_threads()));
    for (int worker = 0; worker < pool_.n_threads(); ++worker) {
      const size_t first = pool_.part_begin(n_pairs, worker);
      next[static_cast<size_t>(worker)] = first < n_pairs ? memory_of(products, first) : PairMemory{};
    }
  }
  last_group_ = products[0].w->packed();
}

void Multiplier::multiply_pair(const Product& product, const PairTask& task, int64_t out_stride, int worker) {
  const PackedMatrix& w = *product.w->packed();
  assert(product.w->n_in == input_.n_in);
  const int64_t n_in = input_.n_in;
  const int64_t n_groups = n_in / w.format().group;
  const int sums = w.format().group == 16 ? 1 : 0;
  AlignedBuffer<uint8_t>& scratch = scratch_[worker];
  const auto sum_floats = static_cast<size_t>(task.n_rows + kRowStep) * 2 * kPanelRows;
  scratch.reserve(w.scratch_bytes() + (is_wide() ? sum_floats * sizeof(float) : 0));
  PanelProduct panels;
  w.describe(kernels_, task.panel, input_.n_rows, scratch.data(), panels);
  for (size_t i = 0; i < task.next.scales.size(); i += 64) __builtin_prefetch(&task.next.scales[i], 0, 2);
  panels.next = task.next.codes.data();
  panels.n_next_bytes = static_cast<int64_t>(task.next.codes.size());
  panels.n_rows = task.n_rows;
  panels.y = product.out + task.first_row * out_stride + task.panel * kPanelRows;
  panels.y_stride = out_stride;
  panels.bias = product.bias ? product.bias + task.panel * kPanelRows : nullptr;
  if (is_wide()) {
    panels.x_wide = x_wide_.data() + task.first_row * n_in;
    panels.sums = reinterpret_cast<float*>(scratch.data() + w.scratch_bytes());
    return kernels_.multiply_panels(panels);
  }
  panels.x = x_codes_.data() + task.first_row * n_in;
  panels.x_scales = x_scales_.data() + task.first_row * n_in / kRowBlock;
  panels.x_minus_sums = x_minus_sums_[sums].data() + task.first_row * n_groups;
  panels.x_scaled_sums = x_scaled_sums_[sums].data() + task.first_row * n_groups;
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

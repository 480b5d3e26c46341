#include "engine/backend/cpu/multiplier.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "engine/gguf/dequantize.h"

namespace mneme::engine::cpu {
namespace {

constexpr int kPairRows = 2 * kPanelRows;  // weight rows of a pair of panels
constexpr int kRowsPerTask = 64;           // weight rows a thread claims at a time
constexpr int kRowsAtOnce = 4;             // weight rows unpacked to f32 together
// Bytes of activations that stay in the second-level cache while weights pass by: int8; bf16 on processors with a tile
// unit, whose caches are larger.
constexpr int64_t kRowBlockBytes = 512 << 10;
constexpr int64_t kWideRowBlockBytes = 1536 << 10;
constexpr int kRowStep = 32;  // blocks are multiples of what the widest kernel takes at once

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

Multiplier::Multiplier(const Kernels& kernels, ThreadPool& pool)
    : kernels_(kernels),
      pool_(pool),
      rounded_(kernels),
      next_rounded_(kernels),
      scratch_(pool.n_threads()),
      gated_(pool.n_threads()) {}

void Multiplier::multiply(std::span<const Product> products, int64_t out_stride) {
  const auto is_packed = [](const Product& product) { return product.w->packed() != nullptr; };
  if (std::all_of(products.begin(), products.end(), is_packed)) return multiply_packed(products, out_stride);
  assert(input_.data);
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

void Multiplier::round_input() {
  if (is_rounded_) return;
  rounded_.reshape(input_.n_rows, input_.n_in);
  rounded_.round(input_.data, input_.stride, pool_);
  is_rounded_ = true;
}

Multiplier::RowBlocks Multiplier::row_blocks() const {
  const int64_t row_bytes = rounded_.is_wide() ? int64_t{input_.n_in} * 2 : input_.n_in;
  const int64_t most_bytes = rounded_.is_wide() ? kWideRowBlockBytes : kRowBlockBytes;
  const auto most_rows = static_cast<int>(std::max<int64_t>(most_bytes / row_bytes, 1));
  const int n_blocks = (input_.n_rows + most_rows - 1) / most_rows;
  const int n_rows = ((input_.n_rows + n_blocks - 1) / n_blocks + kRowStep - 1) / kRowStep * kRowStep;
  return {(input_.n_rows + n_rows - 1) / n_rows, n_rows};
}

uint8_t* Multiplier::scratch(int worker, size_t n_bytes) {
  AlignedBuffer<uint8_t>& buffer = scratch_[static_cast<size_t>(worker)];
  buffer.reserve(n_bytes);
  return buffer.data();
}

Multiplier::PairMemory Multiplier::memory_of(const PackedMatrix& w, int64_t panel) {
  return {w.pair_scales(panel), w.pair_codes(panel)};
}

Multiplier::PairMemory Multiplier::memory_of(std::span<const Product> products, size_t pair) {
  const auto [product, panel] = find_pair(products, pair);
  return memory_of(*product->w->packed(), panel);
}

const std::vector<Multiplier::PairMemory>* Multiplier::follow(const PackedMatrix* group,
                                                              std::vector<PairMemory> first) {
  if (last_group_) came_next_[last_group_] = std::move(first);
  last_group_ = group;
  const auto found = came_next_.find(group);
  return found == came_next_.end() ? nullptr : &found->second;
}

// One block of activation rows after the other: a thread's part is a run of pairs with the same rows, which stay in its
// cache while the weights pass by.
void Multiplier::multiply_packed(std::span<const Product> products, int64_t out_stride) {
  round_input();
  size_t n_pairs = 0;
  for (const Product& product : products) n_pairs += static_cast<size_t>(product.w->packed()->n_pairs());
  const RowBlocks blocks = row_blocks();
  const size_t n_tasks = n_pairs * static_cast<size_t>(blocks.n_blocks);
  std::vector<PairMemory> first(static_cast<size_t>(pool_.n_threads()));
  for (int worker = 0; worker < pool_.n_threads(); ++worker)
    first[static_cast<size_t>(worker)] = memory_of(products, pool_.part_begin(n_tasks, worker) % n_pairs);
  const std::vector<PairMemory>* after = follow(products[0].w->packed(), std::move(first));
  pool_.parallel_for_parts(n_tasks, 1, [&](int worker, size_t begin, size_t end) {
    const size_t end_of_part = pool_.part_begin(n_tasks, worker + 1);
    for (size_t i = begin; i < end; ++i) {
      const auto [product, panel] = find_pair(products, i % n_pairs);
      const int first_row = static_cast<int>(i / n_pairs) * blocks.n_rows;
      PairTask task{.w = product->w,
                    .panel = panel,
                    .first_row = first_row,
                    .n_rows = std::min(blocks.n_rows, input_.n_rows - first_row),
                    .next = {},
                    .bias = product->bias ? product->bias + panel * kPanelRows : nullptr,
                    .out = product->out + first_row * out_stride + panel * kPanelRows,
                    .out_stride = out_stride};
      if (i + 1 < end_of_part) {
        task.next = memory_of(products, (i + 1) % n_pairs);
      } else if (after) {
        task.next = (*after)[static_cast<size_t>(worker)];
      }
      multiply_pair(task, worker);
    }
  });
}

void Multiplier::multiply_pair(const PairTask& task, int worker) {
  const PackedMatrix& w = *task.w->packed();
  assert(task.w->n_in == input_.n_in);
  const size_t sum_bytes = static_cast<size_t>(task.n_rows + kRowStep) * kPairRows * sizeof(float);
  uint8_t* memory = scratch(worker, w.scratch_bytes() + (rounded_.is_wide() ? sum_bytes : 0));
  PanelProduct panels;
  w.describe(kernels_, task.panel, input_.n_rows, memory, panels);
  rounded_.describe(task.first_row, panels);
  if (rounded_.is_wide()) panels.sums = reinterpret_cast<float*>(memory + w.scratch_bytes());
  for (size_t i = 0; i < task.next.scales.size(); i += 64) __builtin_prefetch(&task.next.scales[i], 0, 2);
  panels.next = task.next.codes.data();
  panels.n_next_bytes = static_cast<int64_t>(task.next.codes.size());
  panels.n_rows = task.n_rows;
  panels.bias = task.bias;
  panels.y = task.out;
  panels.y_stride = task.out_stride;
  kernels_.multiply_panels(panels);
}

bool Multiplier::can_gate(const GatedProducts& products, const CpuMatrix& next) {
  const auto holds = [&](const CpuMatrix& w, int64_t first) { return w.packed() && first + products.width <= w.n_out; };
  return products.width % kPairRows == 0 && products.first_up_row % kPairRows == 0 && next.packed() &&
         next.n_in == products.width && holds(*products.gate, 0) && holds(*products.up, products.first_up_row);
}

void Multiplier::multiply_gated(const GatedProducts& products) {
  round_input();
  next_rounded_.reshape(input_.n_rows, products.width);
  const auto n_pairs = static_cast<size_t>(products.width / kPairRows);
  const PackedMatrix& gate = *products.gate->packed();
  const auto memory_of_gate = [&](size_t i) { return memory_of(gate, static_cast<int64_t>(i % n_pairs) * 2); };
  const RowBlocks blocks = row_blocks();
  const size_t n_tasks = n_pairs * static_cast<size_t>(blocks.n_blocks);
  std::vector<PairMemory> first(static_cast<size_t>(pool_.n_threads()));
  for (int worker = 0; worker < pool_.n_threads(); ++worker)
    first[static_cast<size_t>(worker)] = memory_of_gate(pool_.part_begin(n_tasks, worker));
  const std::vector<PairMemory>* after = follow(&gate, std::move(first));
  pool_.parallel_for_parts(n_tasks, 1, [&](int worker, size_t begin, size_t end) {
    const size_t end_of_part = pool_.part_begin(n_tasks, worker + 1);
    for (size_t i = begin; i < end; ++i) {
      PairTask task;
      task.first_row = static_cast<int>(i / n_pairs) * blocks.n_rows;
      task.n_rows = std::min(blocks.n_rows, input_.n_rows - task.first_row);
      PairMemory next;
      if (i + 1 < end_of_part) {
        next = memory_of_gate(i + 1);
      } else if (after) {
        next = (*after)[static_cast<size_t>(worker)];
      }
      gate_pair(products, static_cast<int>(i % n_pairs), task, next, worker);
    }
  });
  std::swap(rounded_, next_rounded_);
  input_ = {nullptr, 0, input_.n_rows, products.width};
}

// One pair of panels of both matrices, and what becomes of their products: 32 elements of each row.
void Multiplier::gate_pair(const GatedProducts& products, int pair, PairTask task, const PairMemory& next, int worker) {
  AlignedBuffer<float>& results = gated_[static_cast<size_t>(worker)];
  const auto n_floats = static_cast<size_t>(task.n_rows) * kPairRows;
  results.reserve(2 * n_floats);
  float* gate = results.data();
  float* up = gate + n_floats;
  const int64_t up_panel = products.first_up_row / kPanelRows + int64_t{pair} * 2;
  task.out_stride = kPairRows;
  task.w = products.gate;
  task.panel = int64_t{pair} * 2;
  task.next = memory_of(*products.up->packed(), up_panel);
  task.out = gate;
  multiply_pair(task, worker);
  task.w = products.up;
  task.panel = up_panel;
  task.next = next;
  task.out = up;
  task.bias = products.up_bias ? products.up_bias + pair * kPairRows : nullptr;
  multiply_pair(task, worker);
  products.activation(gate, up, static_cast<int>(n_floats), gate);
  for (int m = 0; m < task.n_rows; ++m)
    next_rounded_.round_block(gate + m * kPairRows, task.first_row + m, pair * kPairRows);
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
    auto* rows = reinterpret_cast<float*>(scratch(worker, static_cast<size_t>(kRowsAtOnce * w.n_in) * sizeof(float)));
    for (size_t j = begin; j < end; j += kRowsAtOnce) {
      const int n = static_cast<int>(std::min<size_t>(kRowsAtOnce, end - j));
      for (int i = 0; i < n; ++i) w.read_row(static_cast<int64_t>(j) + i, rows + i * w.n_in);
      kernels_.gemm_float(FloatType::kF32, rows, w.n_in, n, input_.data, input_.stride, input_.n_rows, w.n_in,
                          product.bias ? product.bias + j : nullptr, product.out + j, out_stride);
    }
  });
}

}  // namespace mneme::engine::cpu

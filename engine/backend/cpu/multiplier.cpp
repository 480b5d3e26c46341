#include "engine/backend/cpu/multiplier.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "engine/backend/cpu/panel_reads.h"
#include "engine/gguf/dequantize.h"

namespace mneme::engine::cpu {
namespace {

constexpr int kRowsPerTask = 64;   // weight rows a thread claims at a time
constexpr size_t kRowsAtOnce = 4;  // weight rows unpacked to f32 together
constexpr int kRowsPerMake = 4;    // activation rows a thread makes at a time
// Bytes of activations that stay in the second-level cache while weights pass by: int8; bf16 on processors with a tile
// unit, whose caches are larger.
constexpr int64_t kRowBlockBytes = 512 << 10;
constexpr int64_t kWideRowBlockBytes = 1536 << 10;
constexpr int kFewRows = 8;   // up to so many products wait for the weights
constexpr int kRowStep = 32;  // blocks are multiples of what the widest kernel takes at once

}  // namespace

Multiplier::Multiplier(const Kernels& kernels, ThreadPool& pool, ReadChain& chain)
    : kernels_(kernels),
      pool_(pool),
      chain_(chain),
      rounded_(kernels),
      next_rounded_(kernels),
      workers_(static_cast<size_t>(pool.n_threads())) {}

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

void Multiplier::begin_made(int n_rows, int n_in, const MakeRow& make) {
  input_ = {nullptr, 0, n_rows, n_in};
  rounded_.reshape(n_rows, n_in);
  is_rounded_ = true;
  pool_.parallel_for(static_cast<size_t>(n_rows), kRowsPerMake, [&](int worker, size_t begin, size_t end) {
    AlignedBuffer<float>& made = workers_[static_cast<size_t>(worker)].made;
    made.reserve(static_cast<size_t>(n_in));
    for (auto row = static_cast<int>(begin); row < static_cast<int>(end); ++row) {
      make(row, made.data());
      rounded_.round_row(made.data(), row);
    }
  });
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

void Multiplier::begin_loop(const ReadChain::Loop& loop) {
  chain_.begin(loop, input_.n_rows <= kFewRows);
  for (Worker& worker : workers_)
    for (Described& pair : worker.pairs) pair.read = kNoRead;  // another loop's
}

size_t Multiplier::run_end(size_t i, size_t n_tasks, int worker) const {
  const size_t end = pool_.part_begin(n_tasks, worker + 1);
  return i >= pool_.part_begin(n_tasks, worker) && i < end ? end : i + 1;
}

// One block of activation rows after the other: a thread's part is a run of pairs with the same rows, which stay in its
// cache while the weights pass by.
void Multiplier::multiply_packed(std::span<const Product> products, int64_t out_stride) {
  round_input();
  size_t n_pairs = 0;
  for (const Product& product : products) n_pairs += static_cast<size_t>(product.w->packed()->n_pairs());
  if (takes_runs()) return multiply_runs(products, n_pairs, out_stride);
  const RowBlocks blocks = row_blocks();
  const size_t n_tasks = n_pairs * static_cast<size_t>(blocks.n_blocks);
  const ProductReads reads(products, n_pairs, n_tasks);
  begin_loop(reads);
  pool_.parallel_for_parts(n_tasks, 1, [&](int worker, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const auto [product, panel] = reads.find(i);
      const int first_row = static_cast<int>(i / n_pairs) * blocks.n_rows;
      multiply_pair({.reads = &reads,
                     .read = i,
                     .next = i + 1 < run_end(i, n_tasks, worker) ? i + 1 : kNoRead,
                     .first_row = first_row,
                     .n_rows = std::min(blocks.n_rows, input_.n_rows - first_row),
                     .ahead = chain_.ask(worker, i, i),
                     .bias = product->bias ? product->bias + panel * kPanelRows : nullptr,
                     .out = product->out + first_row * out_stride + panel * kPanelRows,
                     .out_stride = out_stride},
                    worker);
    }
  });
}

PanelProduct& Multiplier::describe(const PairTask& task, size_t read, Described& pair) const {
  const auto [w, panel] = task.reads->pair_at(read);
  assert(w->n_in == input_.n_in);
  pair.scratch.reserve(w->packed()->scratch_bytes());
  pair.read = read;
  pair.product = {};
  w->packed()->describe(kernels_, panel, input_.n_rows, pair.scratch.data(), pair.product);
  return pair.product;
}

void Multiplier::multiply_pair(const PairTask& task, int worker) {
  Worker& own = workers_[static_cast<size_t>(worker)];
  Described& pair = own.pairs[own.current];
  const bool is_begun = pair.read == task.read;
  PanelProduct& product = is_begun ? pair.product : describe(task, task.read, pair);
  product.is_begun = is_begun;
  pair.read = kNoRead;  // it will not be asked for again
  rounded_.describe(task.first_row, product);
  if (rounded_.is_wide()) describe_wide(task, own, product);
  product.ahead = task.ahead;
  product.n_rows = task.n_rows;
  product.bias = task.bias;
  product.y = task.out;
  product.y_stride = task.out_stride;
  kernels_.multiply_panels(product);
}

// Scratch, and the pair that is made ready meanwhile.
void Multiplier::describe_wide(const PairTask& task, Worker& own, PanelProduct& product) {
  own.sums.reserve(static_cast<size_t>(task.n_rows + kRowStep) * kPairRows);
  for (int i = 0; i < 2; ++i) {
    own.slices[i].reserve(kWideSliceElements);
    own.wide.slices[i] = own.slices[i].data();
  }
  product.sums = own.sums.data();
  product.wide = &own.wide;
  if (task.next == kNoRead) return;
  own.current = 1 - own.current;
  product.next = &describe(task, task.next, own.pairs[own.current]);
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
  if (takes_runs()) return multiply_gated_runs(products, n_pairs);
  const RowBlocks blocks = row_blocks();
  const size_t n_tasks = n_pairs * static_cast<size_t>(blocks.n_blocks);
  const GatedReads reads(products, n_pairs, n_tasks);
  begin_loop(reads);
  pool_.parallel_for_parts(n_tasks, 1, [&](int worker, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      PairTask task;
      task.reads = &reads;
      task.read = 2 * i;
      task.next = i + 1 < run_end(i, n_tasks, worker) ? 2 * (i + 1) : kNoRead;
      task.first_row = static_cast<int>(i / n_pairs) * blocks.n_rows;
      task.n_rows = std::min(blocks.n_rows, input_.n_rows - task.first_row);
      gate_pair(products, i, task, worker);
    }
  });
  take_gated(products);
}

// What was made of the announced rows takes their place.
void Multiplier::take_gated(const GatedProducts& products) {
  std::swap(rounded_, next_rounded_);
  input_ = {nullptr, 0, input_.n_rows, products.width};
}

// One pair of panels of both matrices, and what becomes of their products: 32 elements of each row. The task's `next`
// is the next pair's.
void Multiplier::gate_pair(const GatedProducts& products, size_t index, PairTask task, int worker) {
  const auto pair = static_cast<int>(index % static_cast<size_t>(products.width / kPairRows));
  AlignedBuffer<float>& results = workers_[static_cast<size_t>(worker)].gated;
  const auto n_floats = static_cast<size_t>(task.n_rows) * kPairRows;
  results.reserve(2 * n_floats);
  float* gate = results.data();
  float* up = gate + n_floats;
  const size_t next = std::exchange(task.next, task.read + 1);
  task.out_stride = kPairRows;
  task.ahead = chain_.ask(worker, index, task.read);
  task.out = gate;
  multiply_pair(task, worker);
  ++task.read;
  task.next = next;
  task.ahead = chain_.ask(worker, index, task.read);
  task.out = up;
  task.bias = products.up_bias ? products.up_bias + pair * kPairRows : nullptr;
  multiply_pair(task, worker);
  products.activation(gate, up, static_cast<int>(n_floats), gate);
  for (int m = 0; m < task.n_rows; ++m)
    next_rounded_.round_block(gate + m * kPairRows, task.first_row + m, pair * kPairRows);
}

// The announced rows by `count` rows of the product's weights from `first` on; the caller says where those lie.
FloatProduct Multiplier::float_product(const Product& product, size_t first, size_t count, int64_t out_stride) const {
  FloatProduct part;
  part.w_stride = product.w->n_in;
  part.x = input_.data;
  part.x_stride = input_.stride;
  part.bias = product.bias ? product.bias + first : nullptr;
  part.y = product.out + first;
  part.y_stride = out_stride;
  part.n_rows = input_.n_rows;
  part.n_columns = static_cast<int>(count);
  part.n_in = product.w->n_in;
  return part;
}

void Multiplier::multiply_float(const Product& product, FloatType type, int64_t out_stride) {
  const TensorView& w = product.w->view();
  const int64_t row_bytes = gguf::row_bytes(w.type, product.w->n_in);
  pool_.parallel_for(static_cast<size_t>(product.w->n_out), kRowsPerTask, [&](int, size_t begin, size_t end) {
    FloatProduct part = float_product(product, begin, end - begin, out_stride);
    part.type = type;
    part.w = w.bytes.data() + static_cast<int64_t>(begin) * row_bytes;
    kernels_.multiply_floats(part);
  });
}

// Quantised weights that were not repacked: unpacked to f32 a few rows at a time.
void Multiplier::multiply_in_place(const Product& product, int64_t out_stride) {
  const CpuMatrix& w = *product.w;
  pool_.parallel_for(static_cast<size_t>(w.n_out), kRowsPerTask, [&](int worker, size_t begin, size_t end) {
    AlignedBuffer<float>& rows = workers_[static_cast<size_t>(worker)].float_rows;
    rows.reserve(kRowsAtOnce * static_cast<size_t>(w.n_in));
    for (size_t j = begin; j < end; j += kRowsAtOnce) {
      const size_t n = std::min(kRowsAtOnce, end - j);
      for (size_t i = 0; i < n; ++i)
        w.read_row(static_cast<int64_t>(j + i), rows.data() + i * static_cast<size_t>(w.n_in));
      FloatProduct part = float_product(product, j, n, out_stride);
      part.w = rows.data();
      kernels_.multiply_floats(part);
    }
  });
}

}  // namespace mneme::engine::cpu

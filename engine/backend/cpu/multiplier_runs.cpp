// Products of so few rows that they wait for the memory: many pairs of panels at once, read from their beginning to
// their end, where kernels take panels in that order.
#include <algorithm>

#include "engine/backend/cpu/multiplier.h"
#include "engine/backend/cpu/panel_reads.h"

namespace mneme::engine::cpu {
namespace {

// Pairs of panels multiplied at once. Of one matrix's, describing every pair took a fifth of the time.
constexpr size_t kMostPairsOfRun = 8;

}  // namespace

bool Multiplier::takes_runs() const {
  return kernels_.panels_in_order && kernels_.multiply_run && !rounded_.is_wide() &&
         input_.n_rows <= kernels_.max_run_rows;
}

void Multiplier::multiply_run(const Run& run, float* out, int64_t out_stride) const {
  PanelProduct product;
  const auto n_panels = std::min(static_cast<int64_t>(2 * run.n_pairs), run.w->n_panels() - run.panel);
  run.w->describe_run(run.panel, n_panels, product);
  rounded_.describe(0, product);
  product.n_rows = input_.n_rows;
  product.then = run.then;
  product.bias = run.bias;
  product.y = out;
  product.y_stride = out_stride;
  kernels_.multiply_run(product);
}

void Multiplier::multiply_runs(std::span<const Product> products, size_t n_pairs, int64_t out_stride) {
  const ProductReads reads(products, n_pairs, n_pairs);
  begin_loop(reads);
  const auto work = [&](int worker, size_t begin, size_t end) {
    while (begin < end) {
      const auto [product, panel] = reads.find(begin);
      const PackedMatrix* const w = product->w->packed();
      const size_t count = std::min(end - begin, static_cast<size_t>(w->n_pairs() - panel / 2));
      multiply_run({.w = w,
                    .panel = panel,
                    .n_pairs = count,
                    .bias = product->bias ? product->bias + panel * kPanelRows : nullptr,
                    .then = chain_.after(worker, begin + count - 1).data()},
                   product->out + panel * kPanelRows, out_stride);
      begin += count;
    }
  };
  pool_.parallel_for_parts(n_pairs, 1, work, kMostPairsOfRun);
}

void Multiplier::multiply_gated_runs(const GatedProducts& products, size_t n_pairs) {
  const GatedReads reads(products, n_pairs, n_pairs);
  begin_loop(reads);
  pool_.parallel_for_parts(
      n_pairs, 1, [&](int worker, size_t begin, size_t end) { gate_run(products, reads, begin, end, worker); },
      kMostPairsOfRun);
  take_gated(products);
}

// Pairs [begin, end) of panels of both matrices, one matrix after the other.
void Multiplier::gate_run(const GatedProducts& products, const GatedReads& reads, size_t begin, size_t end,
                          int worker) {
  const size_t n_pairs = end - begin;
  const auto width = static_cast<int>(n_pairs) * kPairRows;
  AlignedBuffer<float>& results = workers_[static_cast<size_t>(worker)].gated;
  const auto n_floats = static_cast<size_t>(input_.n_rows) * static_cast<size_t>(width);
  results.reserve(2 * n_floats);
  float* const gate = results.data();
  float* const up = gate + n_floats;
  const PanelPair gate_pair = reads.pair_at(2 * begin);
  const PanelPair up_pair = reads.pair_at(2 * begin + 1);
  const uint8_t* const after = chain_.after(worker, 2 * end - 1).data();
  multiply_run({.w = gate_pair.w->packed(),
                .panel = gate_pair.panel,
                .n_pairs = n_pairs,
                .bias = nullptr,
                .then = reads.read_at(2 * begin + 1).data()},
               gate, width);
  multiply_run({.w = up_pair.w->packed(),
                .panel = up_pair.panel,
                .n_pairs = n_pairs,
                .bias = products.up_bias ? products.up_bias + begin * kPairRows : nullptr,
                .then = after},
               up, width);
  products.activation(gate, up, static_cast<int>(n_floats), gate);
  for (int row = 0; row < input_.n_rows; ++row)
    for (size_t pair = 0; pair < n_pairs; ++pair)
      next_rounded_.round_block(gate + static_cast<size_t>(row) * static_cast<size_t>(width) + pair * kPairRows, row,
                                static_cast<int>(begin + pair) * kPairRows);
}

}  // namespace mneme::engine::cpu

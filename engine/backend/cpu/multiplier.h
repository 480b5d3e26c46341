// Products of activation rows with matrices, on the backend's threads.
//
// Rows are announced once and multiplied with several matrices. For packed matrices they are rounded first
// (rounded_rows.h); pairs of panels of all the matrices are dealt out together, and every thread has a run of them of
// its own, so that it can ask for the next pair's memory while it works on one, and, with bf16, have the next pair's
// weights widened meanwhile. Few rows are multiplied with many pairs at once where kernels can do that
// (multiplier_runs.cpp).
// Threads: one call at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "engine/backend/cpu/aligned_buffer.h"
#include "engine/backend/cpu/cpu_matrix.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/read_chain.h"
#include "engine/backend/cpu/rounded_rows.h"

namespace mneme::engine::cpu {

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

// The first half of a gated feed-forward: activation(gate x) * (up x + up_bias), with `width` elements.
struct GatedProducts {
  const CpuMatrix* gate = nullptr;
  const CpuMatrix* up = nullptr;
  int64_t first_up_row = 0;  // in `up`: `width` where one matrix holds gate and then up
  int width = 0;
  const float* up_bias = nullptr;
  void (*activation)(const float* gate, const float* up, int n, float* out) = nullptr;  // Kernels::silu and the like
};

class PairReads;
class GatedReads;

class Multiplier {
 public:
  // chain: of the step that the products belong to.
  Multiplier(const Kernels& kernels, ThreadPool& pool, ReadChain& chain);

  // Announces the rows of the next products; they must not change until the next begin().
  void begin(const InputRows& input) {
    input_ = input;
    is_rounded_ = false;
  }
  // Announces rows that are made one by one, on any thread, and rounded while they are near: they are written out
  // nowhere, and only packed matrices can be multiplied with them. make: writes the row's n_in elements.
  using MakeRow = std::function<void(int row, float* out)>;
  void begin_made(int n_rows, int n_in, const MakeRow& make);
  // Products with the announced rows, all at once; outputs are out_stride elements from row to row.
  void multiply(std::span<const Product> products, int64_t out_stride);
  void multiply(const CpuMatrix& w, const float* bias, float* out, int64_t out_stride) {
    const Product product{&w, bias, out};
    multiply({&product, 1}, out_stride);
  }

  // Whether multiply_gated() can do this; its result can then be multiplied with packed matrices only.
  static bool can_gate(const GatedProducts& products, const CpuMatrix& next);
  // Products, activation and rounding in one: the result is not written out but takes the place of the announced rows.
  void multiply_gated(const GatedProducts& products);

 private:
  static constexpr size_t kNoRead = SIZE_MAX;
  // Some rows of the input by two panels of a matrix, and what the thread will read after them.
  struct PairTask {
    const PairReads* reads = nullptr;
    size_t read = 0;        // of the two panels
    size_t next = kNoRead;  // what the thread will most likely multiply after them
    int first_row = 0;
    int n_rows = 0;
    FetchAhead ahead;
    const float* bias = nullptr;  // of the first of the columns, or null
    float* out = nullptr;
    int64_t out_stride = 0;
  };
  // A pair's weights as a product takes them, and the memory of what was unpacked of them.
  struct Described {
    size_t read = kNoRead;
    PanelProduct product;
    AlignedBuffer<uint8_t> scratch;
  };
  // What a thread keeps from one pair to the next.
  struct Worker {
    // The one it multiplies and, with bf16, the one that is made ready meanwhile.
    Described pairs[2];
    int current = 0;
    WideSlices wide;
    AlignedBuffer<bf16> slices[2];
    AlignedBuffer<float> sums;
    AlignedBuffer<float> gated;       // what some panels of gate and up give
    AlignedBuffer<float> float_rows;  // weights unpacked to f32
    AlignedBuffer<float> made;        // of begin_made()
  };
  // How the rows are cut for the caches.
  struct RowBlocks {
    int n_blocks;
    int n_rows;  // of a block
  };

  void multiply_packed(std::span<const Product> products, int64_t out_stride);
  void begin_loop(const ReadChain::Loop& loop);
  // Where the thread's own part ends that task i is in; what it does of another's it takes from the end.
  size_t run_end(size_t i, size_t n_tasks, int worker) const;
  void multiply_pair(const PairTask& task, int worker);
  // For so few rows that products wait for the memory: runs of pairs at once, where kernels take panels in order.
  bool takes_runs() const;
  struct Run {
    const PackedMatrix* w;
    int64_t panel;
    size_t n_pairs;
    const float* bias;    // of the first of the columns, or null
    const uint8_t* then;  // where the thread reads on
  };
  void multiply_run(const Run& run, float* out, int64_t out_stride) const;
  void multiply_runs(std::span<const Product> products, size_t n_pairs, int64_t out_stride);
  void multiply_gated_runs(const GatedProducts& products, size_t n_pairs);
  void gate_run(const GatedProducts& products, const GatedReads& reads, size_t begin, size_t end, int worker);
  PanelProduct& describe(const PairTask& task, size_t read, Described& pair) const;
  void describe_wide(const PairTask& task, Worker& own, PanelProduct& product);
  void take_gated(const GatedProducts& products);
  // Task `index` of multiply_gated(): a pair of panels of both matrices.
  void gate_pair(const GatedProducts& products, size_t index, PairTask task, int worker);
  void round_input();
  RowBlocks row_blocks() const;

  FloatProduct float_product(const Product& product, size_t first, size_t count, int64_t out_stride) const;
  void multiply_float(const Product& product, FloatType type, int64_t out_stride);
  void multiply_in_place(const Product& product, int64_t out_stride);

  const Kernels& kernels_;
  ThreadPool& pool_;
  ReadChain& chain_;
  InputRows input_;  // data null: only rounded_ has them
  bool is_rounded_ = false;
  RoundedRows rounded_;       // the input, when the first packed matrix asks for it
  RoundedRows next_rounded_;  // what multiply_gated() makes of it
  std::vector<Worker> workers_;
};

}  // namespace mneme::engine::cpu

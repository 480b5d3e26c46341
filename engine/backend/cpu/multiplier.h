// Products of activation rows with matrices, on the backend's threads.
//
// Rows are announced once and multiplied with several matrices. For packed matrices they are rounded first
// (rounded_rows.h); pairs of panels of all the matrices are dealt out together, and every thread has a run of them of
// its own, so that it can ask for the next pair's memory while it works on one.
// Threads: one call at a time.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/thread_pool.h"
#include "engine/backend/cpu/aligned_buffer.h"
#include "engine/backend/cpu/cpu_matrix.h"
#include "engine/backend/cpu/kernels.h"
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

class Multiplier {
 public:
  Multiplier(const Kernels& kernels, ThreadPool& pool);

  // Announces the rows of the next products; they must not change until the next begin().
  void begin(const InputRows& input) {
    input_ = input;
    is_rounded_ = false;
  }
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
  using PairMemory = std::span<const uint8_t>;  // of a pair of panels
  // What a thread reads first of some products, in order.
  struct FirstReads {
    std::array<PairMemory, ThreadPool::kMostWaitingReads + 1> pairs;
    size_t n_pairs = 0;
  };
  // The order in which a loop reads.
  struct Order {
    size_t n_tasks;
    size_t reads_per_task;  // pairs of panels
    std::function<PairMemory(size_t)> read_at;
    // What each thread reads first in the products that came after these the last time; null when that is not known.
    const std::vector<FirstReads>* after = nullptr;
  };
  // Some rows of the input by two panels of a matrix, and what the thread will read after them.
  struct PairTask {
    const CpuMatrix* w = nullptr;
    int64_t panel = 0;
    int first_row = 0;
    int n_rows = 0;
    PairMemory next;
    const float* bias = nullptr;  // of the first of the columns, or null
    float* out = nullptr;
    int64_t out_stride = 0;
  };
  // How the rows are cut for the caches.
  struct RowBlocks {
    int n_blocks;
    int n_rows;  // of a block
  };

  void multiply_packed(std::span<const Product> products, int64_t out_stride);
  void multiply_pair(const PairTask& task, int worker);
  void gate_pair(const GatedProducts& products, int pair, PairTask task, const PairMemory& next, int worker);
  void round_input();
  RowBlocks row_blocks() const;
  uint8_t* scratch(int worker, size_t n_bytes);

  // Completes `order`, and notes it for the products before. `group` identifies the products.
  void follow(const PackedMatrix* group, Order& order);
  FirstReads first_reads(const Order& order, int worker) const;
  // What the thread will read after task i. At its first task it also says what to fetch when it waits after its last.
  PairMemory next_read(const Order& order, int worker, size_t i) const;

  void multiply_float(const Product& product, FloatType type, int64_t out_stride);
  void multiply_in_place(const Product& product, int64_t out_stride);

  const Kernels& kernels_;
  ThreadPool& pool_;
  InputRows input_;  // data null: only rounded_ has them
  bool is_rounded_ = false;
  RoundedRows rounded_;                          // the input, when the first packed matrix asks for it
  RoundedRows next_rounded_;                     // what multiply_gated() makes of it
  std::vector<AlignedBuffer<uint8_t>> scratch_;  // per thread
  std::vector<AlignedBuffer<float>> gated_;      // per thread: what a pair of panels of gate and up gives

  // Products follow each other in the same order for every token: by the first matrix of a group of products, what each
  // thread read first in the group that came after it. Only ever fetched, so being wrong costs nothing; the memory is
  // the arena's and outlives the matrices.
  std::unordered_map<const PackedMatrix*, std::vector<FirstReads>> came_next_;
  const PackedMatrix* last_group_ = nullptr;
};

}  // namespace mneme::engine::cpu

// Vectors of one collection in memory, quantised to 8 bits with a scale per vector: a quarter of f32, and a scan runs
// at memory speed. Rows are appended and never move, so that a graph built over them stays valid.
// Threads: append() and erase() by one thread while nobody reads; readers of rows below a size() they have seen may run
// beside append().
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace mneme::rag {

// A query vector as the kernels want it.
struct QuantisedQuery {
  std::vector<int16_t> values;
  float scale = 0.0f;
};
QuantisedQuery quantise_query(std::span<const float> query);

class VectorStore {
 public:
  static constexpr uint32_t kRowsPerBlock = 4096;
  static constexpr uint32_t kScanned = 64;  // rows at a time; a block holds them without remainder
  static constexpr uint32_t kMaxRows = kRowsPerBlock * 16384u;

  explicit VectorStore(int dim);
  ~VectorStore();
  VectorStore(const VectorStore&) = delete;
  VectorStore& operator=(const VectorStore&) = delete;

  int dim() const { return dim_; }
  uint32_t size() const { return size_.load(std::memory_order_acquire); }
  uint32_t n_erased() const { return n_erased_; }

  // False when full.
  bool append(int64_t key, std::span<const float> vector);
  bool append_quantised(int64_t key, std::span<const int8_t> values, float scale);
  void erase(uint32_t row);

  int64_t key(uint32_t row) const { return block(row).keys[row % kRowsPerBlock]; }
  float scale(uint32_t row) const { return block(row).scales[row % kRowsPerBlock]; }
  bool erased(uint32_t row) const { return block(row).erased[row % kRowsPerBlock] != 0; }
  std::span<const int8_t> values(uint32_t row) const {
    return {block(row).values.get() + size_t{row % kRowsPerBlock} * dim_, static_cast<size_t>(dim_)};
  }

  float similarity(const QuantisedQuery& query, uint32_t row) const;
  // Of the rows [first, first + out.size()), which lie in one block; the same numbers.
  void similarities(const QuantisedQuery& query, uint32_t first, std::span<float> out) const;
  float similarity(uint32_t a, uint32_t b) const;

  // Bytes held.
  uint64_t memory_bytes() const;

 private:
  struct Block {
    std::unique_ptr<int8_t[]> values;
    std::array<float, kRowsPerBlock> scales;
    std::array<int64_t, kRowsPerBlock> keys;
    std::array<uint8_t, kRowsPerBlock> erased;
  };
  const Block& block(uint32_t row) const { return *blocks_[row / kRowsPerBlock]; }

  int dim_;
  std::atomic<uint32_t> size_{0};
  uint32_t n_erased_ = 0;
  std::unique_ptr<std::unique_ptr<Block>[]> blocks_;  // a fixed table, so that readers never see it move
};

}  // namespace mneme::rag

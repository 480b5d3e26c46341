#include "rag/vectors/vector_store.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include "rag/vectors/int8_dot.h"

namespace mneme::rag {

namespace {

constexpr float kQueryPeak = 8191.0f;  // with 2048 dimensions of 127 the 32-bit sum still fits

float largest(std::span<const float> vector) {
  float peak = 0.0f;
  for (const float x : vector) {
    if (std::isfinite(x)) peak = std::max(peak, std::fabs(x));
  }
  return peak;
}

template <typename T>
void quantise(std::span<const float> vector, float scale, T* out) {
  const float inverse = scale > 0.0f ? 1.0f / scale : 0.0f;
  for (size_t i = 0; i < vector.size(); ++i) {
    out[i] = std::isfinite(vector[i]) ? static_cast<T>(std::lrintf(vector[i] * inverse)) : T{0};
  }
}

}  // namespace

QuantisedQuery quantise_query(std::span<const float> query) {
  QuantisedQuery quantised;
  quantised.values.resize(query.size());
  quantised.scale = largest(query) / kQueryPeak;
  quantise(query, quantised.scale, quantised.values.data());
  return quantised;
}

VectorStore::VectorStore(int dim)
    : dim_(dim), blocks_(std::make_unique<std::unique_ptr<Block>[]>(kMaxRows / kRowsPerBlock)) {
  assert(dim > 0 && dim <= 2048);
}

VectorStore::~VectorStore() = default;

bool VectorStore::append(int64_t key, std::span<const float> vector) {
  assert(vector.size() == static_cast<size_t>(dim_));
  std::array<int8_t, 2048> values;
  const float scale = largest(vector) / 127.0f;
  quantise(vector, scale, values.data());
  return append_quantised(key, {values.data(), vector.size()}, scale);
}

bool VectorStore::append_quantised(int64_t key, std::span<const int8_t> values, float scale) {
  const uint32_t row = size_.load(std::memory_order_relaxed);
  if (row >= kMaxRows) return false;
  std::unique_ptr<Block>& slot = blocks_[row / kRowsPerBlock];
  if (slot == nullptr) {
    slot = std::make_unique<Block>();
    slot->values = std::make_unique_for_overwrite<int8_t[]>(size_t{kRowsPerBlock} * dim_);
  }
  const uint32_t i = row % kRowsPerBlock;
  std::memcpy(slot->values.get() + size_t{i} * dim_, values.data(), values.size());
  slot->scales[i] = scale;
  slot->keys[i] = key;
  slot->erased[i] = 0;
  size_.store(row + 1, std::memory_order_release);
  return true;
}

void VectorStore::erase(uint32_t row) {
  assert(row < size());
  uint8_t& mark = blocks_[row / kRowsPerBlock]->erased[row % kRowsPerBlock];
  n_erased_ += mark == 0 ? 1 : 0;
  mark = 1;
}

float VectorStore::similarity(const QuantisedQuery& query, uint32_t row) const {
  const int32_t dot = dot_int16_int8(query.values.data(), values(row).data(), query.values.size());
  return static_cast<float>(dot) * query.scale * scale(row);
}

void VectorStore::similarities(const QuantisedQuery& query, uint32_t first, std::span<float> out) const {
  assert(out.size() <= kScanned && first % kRowsPerBlock + out.size() <= kRowsPerBlock);
  std::array<int32_t, kScanned> dots;
  dot_int16_rows(query.values.data(), values(first).data(), out.size(), query.values.size(), dots.data());
  const float* const scales = block(first).scales.data() + first % kRowsPerBlock;
  for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(dots[i]) * query.scale * scales[i];
}

float VectorStore::similarity(uint32_t a, uint32_t b) const {
  const int32_t dot = dot_int8(values(a).data(), values(b).data(), static_cast<size_t>(dim_));
  return static_cast<float>(dot) * scale(a) * scale(b);
}

uint64_t VectorStore::memory_bytes() const {
  const uint64_t n_blocks = (uint64_t{size()} + kRowsPerBlock - 1) / kRowsPerBlock;
  return n_blocks * (sizeof(Block) + uint64_t{kRowsPerBlock} * dim_);
}

}  // namespace mneme::rag

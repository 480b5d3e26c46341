// Single rows for tests of the products that take them.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "engine/backend/cuda/product_ring.h"
#include "engine/backend/cuda/row_kernels.h"
#include "engine/gguf/tensor_type.h"

namespace mneme::engine::cuda {

inline std::vector<uint32_t> bits_of(const std::vector<float>& values) {
  std::vector<uint32_t> bits;
  for (const float value : values) bits.push_back(std::bit_cast<uint32_t>(value));
  return bits;
}

// A row as it lies on the device, at an address that vectors are read from.
struct TestRow {
  std::vector<float4> x, weight;
  RowToNorm ref;
  TestRow(int width, Random& random, float size = 1.0f) : x(static_cast<size_t>(width) / 4), weight(x.size()) {
    for (float4& four : x)
      four = {size * random.gaussian(), size * random.gaussian(), size * random.gaussian(), size * random.gaussian()};
    const auto near_one = [&] { return 1.0f + 0.3f * random.gaussian(); };
    for (float4& four : weight) four = {near_one(), near_one(), near_one(), near_one()};
    ref = {&x[0].x, width, {&weight[0].x, 1e-5f}};
  }
};

// A row in int8.
struct Codes {
  std::vector<int8_t> codes;
  std::vector<float> scales, sums;
  RoundedRows view;
  RoundedRow row() const { return {codes.data(), scales.data(), sums.data(), view.width}; }
  explicit Codes(int width)
      : codes(static_cast<size_t>(width)),
        scales(codes.size() / kRoundBlock, NAN),
        sums(codes.size() / kSumBlock, NAN) {
    view.width = width;
    view.codes = codes.data();
    view.scales = scales.data();
    view.sums = sums.data();
  }
};

inline Codes normed_before(const RowToNorm& row) {
  Codes codes(row.width);
  const NormRef norm{row.norm.weight, nullptr, NormKind::kRms, row.norm.epsilon};
  EXPECT_EQ(norm_rows(nullptr, row.x, nullptr, 1, norm, codes.view), cudaSuccess);
  return codes;
}

inline bool suits(gguf::TensorType type, int width) {
  return width % gguf::tensor_type_info(type)->block_elements == 0;
}

}  // namespace mneme::engine::cuda

// Stored KV on its way to its positions against plain loops over the halves, bit for bit: by vectors where heads, their
// rotation and the cache allow it, else number by number.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "engine/backend/cuda/head_kernels.h"
#include "engine/backend/cuda/launch_overlap.h"
#include "engine/backend/cuda/placing_vectors.h"
#include "tests/support/simt/simt.h"

namespace mneme::engine::cuda {
namespace {

struct Shape {
  int head_dim;
  int n_kv_heads;
  int n_rot;  // 0: no rotation
  bool keeps_unrotated = false;
};

struct alignas(256) Piece {
  std::byte bytes[256];
};
using Memory = std::vector<Piece>;  // as aligned as a device's

Memory memory_of(size_t n_bytes) {
  return Memory(n_bytes / sizeof(Piece) + 1);
}

std::vector<f16> some_halves(size_t n, uint64_t seed) {
  Random random(seed);
  std::vector<f16> halves(n);
  for (f16& half : halves) half = to_f16(random.gaussian());
  return halves;
}

// One sequence's pages of two layers, what is placed in the second of them, and where.
class Placing {
 public:
  Placing(const Shape& shape, RopeLayout layout, std::vector<int> positions)
      : shape_(shape), layout_(layout), positions_(std::move(positions)) {
    const size_t row = static_cast<size_t>(shape.n_kv_heads) * static_cast<size_t>(shape.head_dim);
    keys_ = some_halves(positions_.size() * row, 1);
    values_ = some_halves(positions_.size() * row, 2);
    Random random(3);
    angles_.resize(positions_.size() * static_cast<size_t>(shape.n_rot / 2));
    for (float2& angle : angles_) angle = {random.gaussian(), random.gaussian()};
    view_ = {.head_bytes = int64_t{4} * kPageTokens * shape.head_dim,
             .n_kv_heads = shape.n_kv_heads,
             .head_dim = shape.head_dim,
             .keeps_unrotated = shape.keeps_unrotated};
    view_.layer_bytes = view_.head_bytes * shape.n_kv_heads;
    if (shape.keeps_unrotated) view_.layer_bytes += view_.layer_bytes / 2;
    view_.layer_bytes = (view_.layer_bytes + 255) / 256 * 256;
  }

  bool by_vectors() const { return places_vectors(view_, rotation(nullptr)); }

  // All pages as the kernel leaves them; by_range: positions are first, first + 1, ...
  std::vector<std::byte> placed(bool by_range) const {
    Memory keys = copied(keys_);
    Memory values = copied(values_);
    Memory angles = copied(angles_);
    Memory memory = memory_of(n_page_bytes());
    std::vector<std::byte*> pages = pages_of(memory);
    KvView view = view_;
    view.pages = pages.data();
    const KvRange range{.layer = 1,
                        .first = by_range ? positions_.front() : -1000,
                        .n = static_cast<int>(positions_.size()),
                        .positions = by_range ? nullptr : positions_.data()};
    EXPECT_EQ(place_kv(nullptr, view, range, reinterpret_cast<const f16*>(keys.front().bytes),
                       reinterpret_cast<const f16*>(values.front().bytes),
                       rotation(reinterpret_cast<const float2*>(angles.front().bytes))),
              cudaSuccess);
    return bytes_of(memory);
  }

  std::vector<std::byte> expected() const {
    Memory memory = memory_of(n_page_bytes());
    const std::vector<std::byte*> pages = pages_of(memory);
    for (size_t i = 0; i < positions_.size(); ++i) {
      std::byte* const layer = pages[static_cast<size_t>(positions_[i] / kPageTokens)] + view_.layer_bytes;
      const int token = positions_[i] % kPageTokens;
      for (int h = 0; h < shape_.n_kv_heads; ++h) {
        const size_t from = (i * static_cast<size_t>(shape_.n_kv_heads) + static_cast<size_t>(h)) * dim();
        auto* const own = reinterpret_cast<f16*>(layer + h * view_.head_bytes) + static_cast<size_t>(token) * dim();
        std::copy_n(&keys_[from], dim(), own);
        rotate(i, own);
        std::copy_n(&values_[from], dim(), own + kPageTokens * dim());
        if (!shape_.keeps_unrotated) continue;
        auto* const unrotated = reinterpret_cast<f16*>(layer + shape_.n_kv_heads * view_.head_bytes);
        std::copy_n(&keys_[from], dim(), unrotated + static_cast<size_t>(token * shape_.n_kv_heads + h) * dim());
      }
    }
    return bytes_of(memory);
  }

 private:
  size_t dim() const { return static_cast<size_t>(shape_.head_dim); }
  size_t n_pages() const {
    return static_cast<size_t>(*std::max_element(positions_.begin(), positions_.end()) / kPageTokens) + 1;
  }
  size_t n_page_bytes() const { return n_pages() * 2 * static_cast<size_t>(view_.layer_bytes); }
  // The last one first.
  std::vector<std::byte*> pages_of(Memory& memory) const {
    std::vector<std::byte*> pages;
    for (size_t p = n_pages(); p-- > 0;)
      pages.push_back(memory.front().bytes + p * 2 * static_cast<size_t>(view_.layer_bytes));
    return pages;
  }
  static std::vector<std::byte> bytes_of(const Memory& memory) {
    return {memory.front().bytes, memory.front().bytes + memory.size() * sizeof(Piece)};
  }
  template <typename T>
  static Memory copied(const std::vector<T>& from) {
    Memory memory = memory_of(from.size() * sizeof(T));
    std::copy_n(from.data(), from.size(), reinterpret_cast<T*>(memory.front().bytes));
    return memory;
  }
  RotationRef rotation(const float2* angles) const {
    if (shape_.n_rot == 0) return {};
    return {angles != nullptr ? angles : angles_.data(), shape_.n_rot, layout_};
  }
  void rotate(size_t row, f16* head) const {
    const int n_pairs = shape_.n_rot / 2;
    for (int pair = 0; pair < n_pairs; ++pair) {
      const float2 angle = angles_[row * static_cast<size_t>(n_pairs) + static_cast<size_t>(pair)];
      const bool neighbours = layout_ == RopeLayout::kInterleaved;
      f16& first = head[neighbours ? 2 * pair : pair];
      f16& second = head[neighbours ? 2 * pair + 1 : pair + n_pairs];
      const float a = to_f32(first);
      const float b = to_f32(second);
      first = to_f16(a * angle.x - b * angle.y);
      second = to_f16(a * angle.y + b * angle.x);
    }
  }

  const Shape shape_;
  const RopeLayout layout_;
  const std::vector<int> positions_;
  KvView view_;
  std::vector<f16> keys_, values_;
  std::vector<float2> angles_;
};

class PlacingTest : public ::testing::Test {
 protected:
  void TearDown() override { simt::machine() = {}; }
  static std::vector<int> range_of(int first, int n) {
    std::vector<int> positions(static_cast<size_t>(n));
    std::iota(positions.begin(), positions.end(), first);
    return positions;
  }
};

TEST_F(PlacingTest, GivesTheBitsOfPlainLoops) {
  int n_by_vectors = 0;
  const std::vector<Shape> shapes = {{128, 2, 128}, {128, 3, 64, true}, {64, 8, 64},      {64, 2, 0, true},
                                     {80, 1, 32},   {96, 3, 96, true},  {16, 1, 16},      {256, 1, 256},
                                     {48, 2, 24},   {40, 2, 40},        {24, 3, 8, true}, {10, 5, 10}};
  const std::vector<std::vector<int>> runs = {range_of(0, 1), range_of(120, 17), {300, 5, 4, 127, 128}};
  for (const Shape& shape : shapes) {
    for (const RopeLayout layout : {RopeLayout::kInterleaved, RopeLayout::kSplitHalf}) {
      for (const std::vector<int>& positions : runs) {
        const Placing placing(shape, layout, positions);
        n_by_vectors += placing.by_vectors() ? 1 : 0;
        const bool is_range = positions.back() - positions.front() + 1 == static_cast<int>(positions.size());
        const std::vector<std::byte> expected = placing.expected();
        EXPECT_EQ(placing.placed(false), expected) << shape.head_dim << ", " << shape.n_rot;
        if (!is_range) continue;
        EXPECT_EQ(placing.placed(true), expected) << shape.head_dim << ", " << shape.n_rot;
      }
    }
  }
  EXPECT_EQ(n_by_vectors, 8 * 2 * 3) << "the other four have heads or rotations that are not whole vectors";
}

// The stand-in ends the program where a kernel begins before the one ahead of it has ended, and does not wait.
TEST_F(PlacingTest, WaitsForTheKernelsAheadInAnyOrderOfThreads) {
  const Placing placing({128, 2, 128, true}, RopeLayout::kSplitHalf, range_of(100, 40));
  const std::vector<std::byte> expected = placing.expected();
  simt::machine().major = 9;
  launches_overlap = true;
  for (const auto order : {simt::ThreadOrder::kAscending, simt::ThreadOrder::kDescending}) {
    simt::machine().order = order;
    EXPECT_EQ(placing.placed(true), expected);
  }
  launches_overlap = false;
}

TEST_F(PlacingTest, CachesOfCodesAreNotForVectors) {
  EXPECT_FALSE(places_vectors({.n_kv_heads = 2, .head_dim = 128, .is_q8 = true}, {}));
  EXPECT_TRUE(places_vectors({.n_kv_heads = 2, .head_dim = 128}, {}));
}

}  // namespace
}  // namespace mneme::engine::cuda

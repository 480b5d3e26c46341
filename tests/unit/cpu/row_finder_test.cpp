// Where single tokens lie in a KV cache, whichever way its pages are laid out.
#include "engine/backend/cpu/row_finder.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "base/random.h"
#include "base/thread_pool.h"
#include "engine/backend/cpu/cpu_kv_cache.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/page_pool.h"

namespace mneme::engine::cpu {
namespace {

constexpr int kLayers = 2;
constexpr int kHeads = 3;
constexpr int kTokens = 400;  // three pages and some

struct Place {
  KvType type;
  int head_dim;
  int n_turned;  // pages by token
};

class RowFinderTest : public testing::TestWithParam<Place> {};
INSTANTIATE_TEST_SUITE_P(Places, RowFinderTest,
                         testing::Values(Place{KvType::kF16, 64, 4}, Place{KvType::kF16, 40, 4},
                                         Place{KvType::kF16, 64, 2}, Place{KvType::kF16, 64, 0},
                                         Place{KvType::kQ8_0, 64, 4}, Place{KvType::kQ8_0, 64, 1}));

// What a row holds, as f16 or codes with their scales, is what was placed there.
TEST_P(RowFinderTest, RowsHoldTheirTokens) {
  const Place place = GetParam();
  ThreadPool pool(2);
  RopeTables ropes;
  KvCacheOptions options{.n_layers = kLayers, .n_kv_heads = kHeads, .head_dim = place.head_dim, .max_tokens = kTokens};
  options.type = place.type;
  CpuKvCache cache(options, best_kernels(), pool, ropes, std::make_shared<PagePool>(0));
  ASSERT_TRUE(cache.reserve(kTokens).ok());
  const auto n = static_cast<size_t>(kTokens * kHeads * place.head_dim);
  std::vector<f16> keys(n), values(n), read_keys(n), read_values(n);
  Random random(11);
  for (size_t i = 0; i < n; ++i) {
    keys[i] = to_f16(random.gaussian());
    values[i] = to_f16(random.gaussian());
  }
  for (int layer = 0; layer < kLayers; ++layer) cache.place(layer, 0, kTokens, keys, values, nullptr);
  cache.make_by_token(1, place.n_turned, pool, 1);
  ASSERT_TRUE(cache.read(1, 0, kTokens, false, read_keys, read_values).ok());
  const std::vector<std::vector<TokenPos>> choices = {
      {}, {0}, {399}, {0, 1, 127, 128, 255, 256, 383, 384, 399}, {3, 4, 130}, {200, 390}};
  for (const std::vector<TokenPos>& positions : choices) {
    for (int head = 0; head < kHeads; ++head) {
      std::vector<KvRow> rows(positions.size());
      std::vector<std::byte> copies;
      const RowFinder finder(cache, 1, head);
      finder.find(positions, rows.data());
      finder.copy_keys(positions, rows, copies);
      for (size_t i = 0; i < positions.size(); ++i) {
        const auto element = [&](const void* row, const f16* scales, int d) {
          if (scales == nullptr) return to_f32(static_cast<const f16*>(row)[d]);
          return to_f32(to_f16(static_cast<float>(static_cast<const int8_t*>(row)[d]) *
                               to_f32(scales[d / kKvBlock * kPageTokens])));
        };
        for (int d = 0; d < place.head_dim; ++d) {
          const auto at = static_cast<size_t>((positions[i] * kHeads + head) * place.head_dim + d);
          ASSERT_EQ(element(rows[i].key, rows[i].key_scales, d), to_f32(read_keys[at])) << positions[i] << " " << d;
          ASSERT_EQ(element(rows[i].value, rows[i].value_scales, d), to_f32(read_values[at]))
              << positions[i] << " " << d;
        }
      }
    }
  }
}

}  // namespace
}  // namespace mneme::engine::cpu

// KV loaded between two operations: every layer of every chunk placed once, in time, and no further than what is there.
#include "engine/fusion/layer_placer.h"

#include <atomic>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/mutex.h"
#include "tests/unit/fusion/numbered_source.h"

namespace mneme::engine {
namespace {

constexpr int kLayers = kNumberedShape.n_layers;

class LayerPlacerTest : public testing::TestWithParam<int> {
 protected:
  LayerPlacer placer(int first_layer) {
    return LayerPlacer(source_, codecs_, kLayers, first_layer, pool_,
                       [this](int layer, int chunk, std::span<const f16> keys, std::span<const f16> values) {
                         const int bits = 100 * chunk + layer;
                         const size_t n = static_cast<size_t>(source_.chunk(chunk).n_tokens) * 8;
                         MutexLock lock(mutex_);
                         ++n_placed_[{layer, chunk}];
                         intact_ &= keys.size() == n && values.size() == n && keys.back().bits == bits &&
                                    values.front().bits == bits;
                       });
  }
  int placed(int layer, int chunk) {
    MutexLock lock(mutex_);
    return n_placed_[{layer, chunk}];
  }
  bool intact() {
    MutexLock lock(mutex_);
    return intact_;
  }

  NumberedSource source_;
  const std::unique_ptr<KvCodec> codec_ = make_raw_codec(kNumberedShape);
  const std::vector<const KvCodec*> codecs_{codec_.get(), codec_.get(), codec_.get()};
  ThreadPool pool_{GetParam()};
  Mutex mutex_;
  std::map<std::pair<int, int>, int> n_placed_ MNEME_GUARDED_BY(mutex_);
  bool intact_ MNEME_GUARDED_BY(mutex_) = true;
};

TEST_P(LayerPlacerTest, PlacesEveryLayerOfEveryChunkOnceBeforeItIsWanted) {
  for (const int unready : {0, 3, kLayers}) {
    source_.first_unready_layer = unready;
    for (const int first : {0, 1}) {
      {
        MutexLock lock(mutex_);
        n_placed_.clear();
      }
      LayerPlacer loader = placer(first);
      for (int layer = first; layer < kLayers; ++layer) {
        const std::span<const Status> statuses = loader.place(layer, never_cancelled());
        ASSERT_EQ(statuses.size(), 3u);
        for (int chunk = 0; chunk < 3; ++chunk) {
          EXPECT_TRUE(statuses[static_cast<size_t>(chunk)].ok());
          EXPECT_EQ(placed(layer, chunk), 1);
        }
      }
      EXPECT_EQ(placed(0, 0), first == 0 ? 1 : 0);
      EXPECT_EQ(loader.stats().bytes_read, int64_t{9} * 8 * 2 * 2 * (kLayers - first));
      EXPECT_GT(loader.stats().wait_ms, 0.0);
    }
  }
  EXPECT_TRUE(intact());
}

TEST_P(LayerPlacerTest, TakesAlongWhatIsThereAndWaitsForNothingElse) {
  source_.first_unready_layer = 3;
  LayerPlacer loader = placer(0);
  EXPECT_EQ(source_.highest_layer.load(), -1) << "nothing is read before it is asked for";
  loader.place(0, never_cancelled());
  EXPECT_EQ(source_.highest_layer.load(), 2);
  loader.place(2, never_cancelled());
  EXPECT_EQ(source_.highest_layer.load(), 2);
  loader.place(3, never_cancelled());
  EXPECT_EQ(source_.highest_layer.load(), 3) << "the one that is wanted is waited for";
}

TEST_P(LayerPlacerTest, AFailedChunkIsNamedAndTheOthersArrive) {
  source_.fail_chunk = 1;
  source_.fail_layer = 2;
  for (const int unready : {0, kLayers}) {
    source_.first_unready_layer = unready;
    LayerPlacer loader = placer(0);
    for (int layer = 0; layer <= 2; ++layer) {
      const std::span<const Status> statuses = loader.place(layer, never_cancelled());
      EXPECT_TRUE(statuses[0].ok());
      EXPECT_TRUE(statuses[2].ok());
      if (layer == 2) {
        EXPECT_EQ(statuses[1].code(), StatusCode::kCorruption);
      }
    }
  }
}

TEST_P(LayerPlacerTest, StopsWhenCancelled) {
  CancelToken cancel;
  cancel.cancel();
  LayerPlacer loader = placer(0);
  EXPECT_TRUE(loader.place(0, cancel).empty());
  EXPECT_EQ(source_.highest_layer.load(), -1);
}

INSTANTIATE_TEST_SUITE_P(Threads, LayerPlacerTest, testing::Values(1, 2, 5), testing::PrintToStringParamName());

}  // namespace
}  // namespace mneme::engine

// Fusion over KV that the device decodes: the same numbers, to the bit, as over KV that codecs decode on the host,
// whatever the level, the order of chunks and the share that is repaired; and what happens to damaged bytes.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <vector>

#include "base/random.h"
#include "engine/codec/transform_payload.h"
#include "tests/unit/cuda/encoded_kv_bed.h"

namespace mneme::engine {
namespace {

class StoredKvOnDevice : public EncodedKvBed, public ::testing::Test {
 protected:
  void SetUp() override {
    open("llama", 4);
    calibrate();
    use(KvLevel::kMedium);
  }
  Result<FusedKv> on_device(const PromptPlan& plan, const FuseOptions& options) {
    return fuse_encoded(plan, all(*level_codec_), options);
  }
  Result<FusedKv> on_host(const PromptPlan& plan, const FuseOptions& options) {
    return fuse_encoded(plan, all(*host_codec_), options);
  }
  // A prompt with the chunk computed instead of loaded.
  static PromptPlan without(PromptPlan plan, int chunk) {
    for (PromptSegment& segment : plan.segments) {
      if (segment.chunk == chunk) segment.chunk = -1;
    }
    return plan;
  }
  // One exception more than there are, behind them, in a payload of one stream.
  static void add_exception(uint32_t index, std::vector<std::byte>& payload) {
    constexpr size_t kCount = 1;               // where it stands
    constexpr size_t kExceptions = 1 + 4 + 4;  // behind the scale, their number and the stream's length
    uint32_t n = 0;
    std::memcpy(&n, &payload[kCount], sizeof(n));
    std::byte added[kTransformExceptionBytes] = {};
    std::memcpy(added, &index, sizeof(index));
    payload.insert(payload.begin() + static_cast<std::ptrdiff_t>(kExceptions + n * sizeof(added)), std::begin(added),
                   std::end(added));
    ++n;
    std::memcpy(&payload[kCount], &n, sizeof(n));
  }
  // Damages chunk 2 on one layer; what becomes of the answer.
  void expect_computed_instead(int damaged_layer, const std::function<void(std::vector<std::byte>&)>& damage) {
    const PromptPlan prompt = plan({2, 3, 2});
    encoded_->on_fetch = [&](int chunk, int layer, std::vector<std::byte>& payload) {
      if (chunk == 2 && layer == damaged_layer) damage(payload);
    };
    const auto got = on_device(prompt, {.ratio = 0.2});
    encoded_->on_fetch = {};
    ASSERT_TRUE(got.ok()) << got.status().message();
    EXPECT_EQ(got->report.failed_chunks, std::vector<int>{2});
    EXPECT_EQ(got->report.failures.front().code(), StatusCode::kCorruption);
    if (computed_instead_.empty()) {
      const auto expected = on_device(without(prompt, 2), {.ratio = 0.2});
      ASSERT_TRUE(expected.ok());
      computed_instead_ = expected->logits;
    }
    EXPECT_EQ(got->logits, computed_instead_);
  }

 private:
  std::vector<float> computed_instead_;
};

TEST_F(StoredKvOnDevice, IsDecodedToTheHostsBitsAtEveryLevelOrderAndShare) {
  const std::vector<std::vector<int>> orders = {{3, 2, 1, 0}, {1, 3, 1}};
  for (const KvLevel level : kLevels) {
    use(level);
    for (const std::vector<int>& order : orders) {
      for (const double ratio : {0.0, 0.15, 1.0}) {
        // What follows decoding is the same for all.
        if (ratio != 0.15 && (level != KvLevel::kMedium || order != orders.back())) continue;
        if (level != KvLevel::kMedium && order != orders.back()) continue;
        const auto got = on_device(plan(order), {.ratio = ratio});
        const auto expected = on_host(plan(order), {.ratio = ratio});
        ASSERT_TRUE(got.ok() && expected.ok());
        expect_same(*got, *expected);
        EXPECT_GT(got->report.bytes_decoded, 0);
        EXPECT_EQ(got->report.bytes_decoded_on_device, got->report.bytes_decoded);
        EXPECT_EQ(expected->report.bytes_decoded_on_device, 0);
      }
    }
  }
}

TEST_F(StoredKvOnDevice, SelectorsThatCompareStoredWithFreshSeeTheSame) {
  for (const char* name : {"hkvd", "boundary+query"}) {
    const FuseOptions options{.selector = *selector_by_name(name), .ratio = 0.2};
    const auto got = on_device(plan({2, 0}), options);
    const auto expected = on_host(plan({2, 0}), options);
    ASSERT_TRUE(got.ok() && expected.ok());
    expect_same(*got, *expected);
  }
}

// The first layers are computed meanwhile, and the others come to the same bits.
TEST_F(StoredKvOnDevice, ComesBehindFirstLayersInFull) {
  for (const int n_full : {1, 2}) {
    const FuseOptions options{.ratio = 0.2, .n_full_layers = n_full};
    const auto got = on_device(plan({2, 0, 2}), options);
    const auto expected = on_host(plan({2, 0, 2}), options);
    ASSERT_TRUE(got.ok() && expected.ok());
    expect_same(*got, *expected);
    EXPECT_EQ(got->report.full_layers, n_full);
    EXPECT_GT(got->report.bytes_decoded, 0);
    EXPECT_EQ(got->report.bytes_decoded_on_device, got->report.bytes_decoded);
  }
}

// What the device does not know is decoded by its codec, chunk by chunk, and the report tells.
TEST_F(StoredKvOnDevice, OtherCodecsAreDecodedOnTheHostBesideIt) {
  std::vector<const KvCodec*> mixed = all(*level_codec_);
  mixed[0] = host_codec_.get();
  const auto got = fuse_encoded(plan({0, 2, 3}), mixed, {.ratio = 0.15});
  const auto expected = on_host(plan({0, 2, 3}), {.ratio = 0.15});
  ASSERT_TRUE(got.ok() && expected.ok());
  expect_same(*got, *expected);
  const double on_device_share =
      static_cast<double>(got->report.bytes_decoded_on_device) / static_cast<double>(got->report.bytes_decoded);
  EXPECT_NEAR(on_device_share, (65.0 + 17.0) / (40.0 + 65.0 + 17.0), 1e-9);
}

TEST_F(StoredKvOnDevice, DamagedLengthsAreFoundBeforeAnythingIsDecoded) {
  expect_computed_instead(0, [](std::vector<std::byte>& payload) { payload.resize(payload.size() / 2); });
  expect_computed_instead(3, [](std::vector<std::byte>& payload) { payload.push_back(std::byte{1}); });
  expect_computed_instead(1, [](std::vector<std::byte>& payload) { payload.clear(); });
}

// Exceptions that are not in their places are found while a batch is written, and the others of it are placed all the
// same: of chunk 1, the first and the last.
TEST_F(StoredKvOnDevice, ExceptionsOutOfPlaceAreFoundAndTheBatchGoesOnWithoutThem) {
  const auto expected = on_device(without(plan({1, 2, 1}), 2), {.ratio = 0.0});
  ASSERT_TRUE(expected.ok());
  for (const uint32_t index : {0xffffffffu, 1000000u}) {
    encoded_->on_fetch = [index](int chunk, int layer, std::vector<std::byte>& payload) {
      if (chunk != 2 || layer != 2) return;
      add_exception(index, payload);
    };
    const auto got = on_device(plan({1, 2, 1}), {.ratio = 0.0});
    encoded_->on_fetch = {};
    ASSERT_TRUE(got.ok()) << got.status().message();
    EXPECT_EQ(got->report.failed_chunks, std::vector<int>{2});
    EXPECT_EQ(got->report.failures.front().message(), "an encoded KV layer names a number that is not in it");
    EXPECT_EQ(got->logits, expected->logits);
  }
}

// Streams that say nothing of their damage before they are decoded, with checksums that hold.
TEST_F(StoredKvOnDevice, DamagedStreamsAreFoundByTheDevice) {
  expect_computed_instead(0, [](std::vector<std::byte>& payload) { payload.back() ^= std::byte{0x40}; });
  expect_computed_instead(3, [](std::vector<std::byte>& payload) { payload[payload.size() - 130] ^= std::byte{0xff}; });
}

// Any bytes: each is refused, found damaged, or decoded to what the host makes of it.
TEST_F(StoredKvOnDevice, AnyBytesGiveWhatTheHostGives) {
  Random random(5);
  const PromptPlan prompt = plan({2});
  for (int round = 0; round < 12; ++round) {
    const uint64_t seed = random.below(1u << 30);
    encoded_->on_fetch = [seed](int chunk, int layer, std::vector<std::byte>& payload) {
      if (chunk != 2 || layer != 1) return;
      Random bytes(seed);
      const uint64_t n = 1 + bytes.below(3);
      for (uint64_t i = 0; i < n; ++i) {
        // The header more often than the rest.
        const uint64_t at = bytes.below(2) == 0 ? bytes.below(16) : bytes.below(payload.size());
        payload[static_cast<size_t>(at)] = static_cast<std::byte>(bytes.below(256));
      }
    };
    const auto got = on_device(prompt, {.ratio = 0.0});
    const auto expected = on_host(prompt, {.ratio = 0.0});
    ASSERT_TRUE(got.ok() && expected.ok());
    EXPECT_EQ(got->report.failed_chunks, expected->report.failed_chunks) << "round " << round;
    EXPECT_EQ(got->logits, expected->logits) << "round " << round;
  }
}

TEST_F(StoredKvOnDevice, CancellingLeavesTheDeviceFreeForTheNext) {
  const PromptPlan prompt = plan({3, 2});
  const auto expected = on_device(prompt, {.ratio = 0.2});
  ASSERT_TRUE(expected.ok());
  for (const int layer : {0, 2, 3}) {
    CancelToken cancel;
    encoded_->on_fetch = [&](int chunk, int at, std::vector<std::byte>&) {
      if (chunk == 2 && at == layer) cancel.cancel();
    };
    EXPECT_EQ(fuse_encoded(prompt, all(*level_codec_), {.ratio = 0.2}, cancel).status().code(), StatusCode::kCancelled);
    encoded_->on_fetch = {};
    const auto got = on_device(prompt, {.ratio = 0.2});
    ASSERT_TRUE(got.ok());
    expect_same(*got, *expected);
  }
}

}  // namespace
}  // namespace mneme::engine

// Streams that do nothing before somebody waits for them: what is missing a wait shows. And a model shared with the
// processor, whose layers are decoded where they run.
#include <utility>
#include <vector>

#include "base/random.h"
#include "engine/backend/cuda/cuda_encoded_placer.h"
#include "engine/backend/cuda/cuda_kv_cache.h"
#include "tests/support/simt/simt.h"
#include "tests/unit/cuda/encoded_kv_bed.h"

namespace mneme::engine {
namespace {

class LateStreams : public EncodedKvBed, public ::testing::Test {
 protected:
  void TearDown() override { simt::machine() = {}; }
};

TEST_F(LateStreams, DecodingAndPlacingWaitForAllTheyNeed) {
  simt::make_late(~0u);
  open("llama", 6);
  calibrate();
  use(KvLevel::kMedium);
  for (const double ratio : {0.0, 0.15}) {
    const FuseOptions options{.ratio = ratio};
    const auto late = fuse_encoded(plan({0, 2, 3, 2}), all(*level_codec_), options);
    ASSERT_TRUE(late.ok()) << late.status().message();
    simt::make_late(0);
    const auto expected = fuse_encoded(plan({0, 2, 3, 2}), all(*host_codec_), options);
    ASSERT_TRUE(expected.ok());
    expect_same(*late, *expected);
    simt::make_late(~0u);
  }
}

// Beside decoding on the host, whose layers go up through other memory of the same stream.
TEST_F(LateStreams, BothWaysUpDoNotGetIntoEachOthersWay) {
  simt::make_late(~0u);
  open("llama", 4);
  calibrate();
  use(KvLevel::kHigh);
  std::vector<const KvCodec*> mixed = all(*level_codec_);
  mixed[3] = host_codec_.get();
  const auto late = fuse_encoded(plan({3, 2, 0, 3}), mixed, {.ratio = 0.15});
  simt::make_late(0);
  const auto expected = fuse_encoded(plan({3, 2, 0, 3}), all(*host_codec_), {.ratio = 0.15});
  ASSERT_TRUE(late.ok() && expected.ok());
  expect_same(*late, *expected);
}

// Which streams are late, and whether decoding goes its old ways.
class BatchesOfLateStreams : public LateStreams, public ::testing::WithParamInterface<std::pair<unsigned, bool>> {};

// A layer of more batches than are under way at once, so that their memory is used over and over.
TEST_P(BatchesOfLateStreams, TakeTurnsWithTheirMemory) {
  open("llama", 2);
  calibrate();
  use(KvLevel::kMedium);
  const auto [late, is_old] = GetParam();
  simt::make_late(late);
  auto device = *cuda::Device::open(0);
  cuda::RopeAngles ropes(*device);
  cuda::LayerStaging staging(*device);
  cuda::KvDecoder decoder(*device, {.resident_tables = !is_old, .places_within = !is_old});
  cuda::KvEncoder encoder(*device);
  const cuda::SharedByCaches shared{*device, ropes, staging, decoder, encoder};
  const KvShape shape = kv_shape();
  const KvCacheOptions options{
      .n_layers = 2, .n_kv_heads = shape.n_kv_heads, .head_dim = shape.head_dim, .max_tokens = 1100};
  auto cache = *cuda::CudaKvCache::make(options, cuda::KvHome::kWhereItFits, shared);
  auto expected = *cuda::CudaKvCache::make(options, cuda::KvHome::kWhereItFits, shared);
  ASSERT_TRUE(cache->reserve(1100).ok() && expected->reserve(1100).ok());
  const RopeConfig& rope = model_->config().ropes[0];
  cuda::CudaEncodedPlacer placer(
      *device, ropes, decoder,
      {.view = cache->view(), .shape = shape, .max_tokens = 1100, .batch_bytes = int64_t{4} * shape.kv_dim() * 70});
  ASSERT_TRUE(placer.takes(0, *level_codec_) && placer.takes(1, *level_codec_) && !placer.takes(2, *level_codec_));
  // More than once, as memory that grows waits for everything.
  for (const int layer : {0, 1, 0, 1, 0, 1}) {
    std::vector<EncodedChunk> chunks;
    std::vector<std::vector<std::byte>> payloads(12);
    int first = 3;
    for (int i = 0; i < 12; ++i) {
      const int chunk = i % 4;
      const ChunkKv& kv = source_.chunks[static_cast<size_t>(chunk)];
      const auto n_elements = static_cast<size_t>(kv.n_tokens) * static_cast<size_t>(shape.kv_dim());
      std::vector<f16> keys(n_elements), values(n_elements);
      ASSERT_TRUE(encoded_->fetch_layer(chunk, layer, payloads[static_cast<size_t>(i)]).ok());
      ASSERT_TRUE(level_codec_->decode_layer(layer, kv.n_tokens, payloads[static_cast<size_t>(i)], keys, values).ok());
      expected->place(layer, first, kv.n_tokens, keys, values, &rope);
      chunks.push_back({{level_codec_.get(), payloads[static_cast<size_t>(i)]}, first, kv.n_tokens});
      first += kv.n_tokens + 5;
    }
    for (const Status& status : placer.place(layer, chunks, &rope)) ASSERT_TRUE(status.ok());
  }
  const auto decoding = placer.finish();
  ASSERT_TRUE(decoding.ok()) << decoding.status().message();
  EXPECT_TRUE(decoding->damaged.empty());
  EXPECT_EQ(decoding->bytes_decoded, int64_t{6} * 3 * 123 * 4 * shape.kv_dim());
  for (int layer = 0; layer < 2; ++layer) {
    int first = 3;
    for (int i = 0; i < 12; ++i) {
      const int n_tokens = source_.chunks[static_cast<size_t>(i % 4)].n_tokens;
      const auto n_elements = static_cast<size_t>(n_tokens) * static_cast<size_t>(shape.kv_dim());
      std::vector<f16> got_keys(n_elements), got_values(n_elements), keys(n_elements), values(n_elements);
      ASSERT_TRUE(cache->read(layer, first, n_tokens, false, got_keys, got_values).ok());
      ASSERT_TRUE(expected->read(layer, first, n_tokens, false, keys, values).ok());
      for (size_t at = 0; at < n_elements; ++at) {
        ASSERT_EQ(got_keys[at].bits, keys[at].bits) << "chunk " << i << " of layer " << layer;
        ASSERT_EQ(got_values[at].bits, values[at].bits) << "chunk " << i << " of layer " << layer;
      }
      first += n_tokens + 5;
    }
  }
}

// All; that of the computation; that of copies; those that decode, two by two.
INSTANTIATE_TEST_SUITE_P(Late, BatchesOfLateStreams,
                         ::testing::Values(std::pair(~0u, false), std::pair(~0u, true), std::pair(1u, false),
                                           std::pair(2u, true), std::pair(0b010100u, false),
                                           std::pair(0b101000u, true)));

TEST_F(LateStreams, AModelSharedWithTheProcessorDecodesWhereItsLayersRun) {
  ModelOptions options = model_options();
  options.device.gpu_layers = 3;
  open("llama", 5, options);
  calibrate();
  use(KvLevel::kMedium);
  const auto got = fuse_encoded(plan({0, 2, 1}), all(*level_codec_), {.ratio = 0.15});
  const auto expected = fuse_encoded(plan({0, 2, 1}), all(*host_codec_), {.ratio = 0.15});
  ASSERT_TRUE(got.ok() && expected.ok());
  expect_same(*got, *expected);
  EXPECT_EQ(got->report.bytes_decoded_on_device * 5, got->report.bytes_decoded * 3);
}

}  // namespace
}  // namespace mneme::engine

// KV that the device encodes where it lies: byte for byte what the codec on the processor makes of it.
#include "engine/backend/cuda/kv_encoder.h"

#include <algorithm>
#include <utility>

#include "engine/backend/cuda/cuda_kv_cache.h"
#ifndef MNEME_ON_GPU
#include "tests/support/simt/simt.h"
#endif
#include "tests/unit/cuda/codec_bed.h"
#include "tests/unit/cuda/encoded_kv_bed.h"

namespace mneme::engine {
namespace {

constexpr KvLevel kLevels[] = {KvLevel::kHigh, KvLevel::kMedium, KvLevel::kLow};

using Layers = std::vector<std::vector<std::byte>>;

// A cache with the same KV on every layer but for the last, whose tokens come in the opposite order.
class KvEncoderBed {
 public:
  explicit KvEncoderBed(const KvShape& shape, KvType type = KvType::kF16,
                        cuda::KvHome home = cuda::KvHome::kWhereItFits,
                        size_t most_scratch_bytes = cuda::KvEncoder::kMostScratch)
      : shape_(shape), encoder_(*device_, most_scratch_bytes) {
    const KvCacheOptions options{.n_layers = shape.n_layers,
                                 .n_kv_heads = shape.n_kv_heads,
                                 .head_dim = shape.head_dim,
                                 .max_tokens = 1500,
                                 .keep_unrotated_keys = true,
                                 .type = type};
    cache_ = *cuda::CudaKvCache::make(options, home, {*device_, ropes_, staging_, decoder_, encoder_});
  }

  // first: where the chunk stands, which is nobody's business.
  void place(int first, int n_tokens, const std::vector<f16>& keys, const std::vector<f16>& values) {
    first_ = first;
    n_tokens_ = n_tokens;
    ASSERT_TRUE(cache_->reserve(first + n_tokens).ok());
    for (int layer = 0; layer < shape_.n_layers; ++layer) {
      const bool last = layer + 1 == shape_.n_layers;
      cache_->place(layer, first, n_tokens, last ? backwards(keys) : keys, last ? backwards(values) : values, nullptr);
    }
  }
  Result<EncodedLayers> encode(const KvCodec& codec) { return cache_->encode(first_, n_tokens_, codec); }

  // What the processor makes of what is in the cache.
  Layers expected(const KvCodec& codec) const {
    const auto n = static_cast<size_t>(n_tokens_) * static_cast<size_t>(shape_.kv_dim());
    Layers layers(static_cast<size_t>(shape_.n_layers));
    for (int layer = 0; layer < shape_.n_layers; ++layer) {
      std::vector<f16> keys(n), values(n);
      EXPECT_TRUE(cache_->read(layer, first_, n_tokens_, true, keys, values).ok());
      EXPECT_TRUE(codec.encode_layer(layer, n_tokens_, keys, values, layers[static_cast<size_t>(layer)]).ok());
    }
    return layers;
  }

 private:
  std::vector<f16> backwards(std::vector<f16> rows) const {
    const auto width = static_cast<std::ptrdiff_t>(shape_.kv_dim());
    std::reverse(rows.begin(), rows.end());
    for (auto row = rows.begin(); row != rows.end(); row += width) std::reverse(row, row + width);
    return rows;
  }

  const KvShape shape_;
  std::unique_ptr<cuda::Device> device_ = *cuda::Device::open(0);
  cuda::RopeAngles ropes_{*device_};
  cuda::LayerStaging staging_{*device_};
  cuda::KvDecoder decoder_{*device_, {}};
  cuda::KvEncoder encoder_;
  std::unique_ptr<cuda::CudaKvCache> cache_;
  int first_ = 0;
  int n_tokens_ = 0;
};

void expect_bytes(const EncodedLayers& got, const Layers& expected) {
  ASSERT_EQ(got.layers.size(), expected.size());
  for (size_t layer = 0; layer < expected.size(); ++layer) EXPECT_EQ(got.layers[layer], expected[layer]) << layer;
}

TEST(KvEncoder, MakesTheProcessorsBytes) {
  for (const KvShape& shape : {KvShape{2, 2, 64}, KvShape{2, 2, 48}, KvShape{1, 1, 16}}) {
    KvEncoderBed bed(shape);
    for (const KvLevel level : kLevels) {
      const auto codec = cuda::make_codec(shape, level);
      for (const auto& [first, n_tokens] : {std::pair(0, 1), {7, 5}, {100, 63}, {3, 65}, {130, 200}}) {
        bed.place(first, n_tokens, cuda::make_kv(30, n_tokens, shape.kv_dim(), 1.0f, false),
                  cuda::make_kv(31, n_tokens, shape.kv_dim(), 1.0f, false));
        const auto got = bed.encode(*codec);
        ASSERT_TRUE(got.ok()) << got.status().message();
        EXPECT_TRUE(got->is_finite);
        expect_bytes(*got, bed.expected(*codec));
      }
    }
  }
}

// More symbols than one stream takes, and KV so much stronger than calibrated that a coarser step is chosen.
TEST(KvEncoder, CutsLongChunksAndCoarsensStrongOnesAsTheProcessorDoes) {
  const KvShape shape{1, 2, 128};
  KvEncoderBed bed(shape);
  const auto codec = cuda::make_codec(shape, KvLevel::kHigh);
  bed.place(0, 1400, cuda::make_kv(40, 1400, shape.kv_dim(), 1.0f, false),
            cuda::make_kv(41, 1400, shape.kv_dim(), 1.0f, false));
  const auto& transform = dynamic_cast<const TransformCodec&>(*codec);
  EXPECT_GT(transform_stream_count(1400, transform.plan(0).row), 1);
  expect_bytes(*bed.encode(*codec), bed.expected(*codec));
  bed.place(0, 90, cuda::make_kv(42, 90, shape.kv_dim(), 40.0f, false),
            cuda::make_kv(43, 90, shape.kv_dim(), 40.0f, false));
  const Layers expected = bed.expected(*codec);
  EXPECT_GT(std::to_integer<int>(expected[0][0]), 0) << "a coarser step";
  expect_bytes(*bed.encode(*codec), expected);
}

// Numbers far out are exceptions, as many as there is room for; where there are more, the processor encodes.
TEST(KvEncoder, ExceptionsComeInOrderAndTooManyAreLeftToTheProcessor) {
  const KvShape shape{1, 2, 64};
  KvEncoderBed bed(shape);
  const auto codec = cuda::make_codec(shape, KvLevel::kMedium);
  std::vector<f16> keys = cuda::make_kv(50, 120, shape.kv_dim(), 1.0f, false);
  const std::vector<f16> values = cuda::make_kv(51, 120, shape.kv_dim(), 1.0f, false);
  // Along what the calibration knows, and far beyond it.
  const std::vector<f16> far = cuda::make_kv(54, 1, shape.kv_dim(), 100.0f, false);
  std::copy(far.begin(), far.end(), keys.begin() + 77 * 128);
  bed.place(0, 120, keys, values);
  const Layers expected = bed.expected(*codec);
  const auto& transform = dynamic_cast<const TransformCodec&>(*codec);
  const auto parsed = parse_transform_payload(expected[0], 120, transform.plan(0).row);
  ASSERT_TRUE(parsed.ok());
  EXPECT_GT(parsed->exceptions.size(), 1u);
  expect_bytes(*bed.encode(*codec), expected);

  bed.place(0, 120, cuda::make_kv(52, 120, shape.kv_dim(), 9000.0f), cuda::make_kv(53, 120, shape.kv_dim(), 9000.0f));
  const auto too_many = bed.encode(*codec);
  ASSERT_TRUE(too_many.ok());
  EXPECT_TRUE(too_many->layers.empty());
}

TEST(KvEncoder, SaysWhereNumbersAreNotFiniteAndEncodesAsTheProcessor) {
  const KvShape shape{2, 2, 64};
  KvEncoderBed bed(shape);
  const auto codec = cuda::make_codec(shape, KvLevel::kHigh);
  for (const uint16_t bits : {0x7c00, 0xfc00, 0x7e01}) {
    std::vector<f16> keys = cuda::make_kv(60, 40, shape.kv_dim(), 1.0f, false);
    std::vector<f16> values = keys;
    (bits == 0x7c00 ? keys : values)[39 * 128 + 5].bits = bits;
    bed.place(20, 40, keys, values);
    const auto got = bed.encode(*codec);
    ASSERT_TRUE(got.ok());
    EXPECT_FALSE(got->is_finite);
    expect_bytes(*got, bed.expected(*codec));
  }
}

TEST(KvEncoder, LayersInSeveralBatchesAreTheSame) {
  const KvShape shape{5, 2, 64};
  const auto codec = cuda::make_codec(shape, KvLevel::kMedium);
  for (const size_t most_scratch_bytes : {size_t{1}, size_t{150'000}}) {
    KvEncoderBed bed(shape, KvType::kF16, cuda::KvHome::kWhereItFits, most_scratch_bytes);
    bed.place(9, 100, cuda::make_kv(70, 100, shape.kv_dim(), 1.0f, false),
              cuda::make_kv(71, 100, shape.kv_dim(), 1.0f, false));
    expect_bytes(*bed.encode(*codec), bed.expected(*codec));
  }
}

// Wherever KV lies and however values are held: what is encoded is what would be read.
TEST(KvEncoder, EncodesFromTheHostsMemoryAndRoundedValues) {
  const KvShape shape{3, 2, 64};
  const auto codec = cuda::make_codec(shape, KvLevel::kMedium);
  for (const KvType type : {KvType::kF16, KvType::kQ8_0}) {
    for (const cuda::KvHome home : {cuda::KvHome::kWhereItFits, cuda::KvHome::kHost}) {
      KvEncoderBed bed(shape, type, home);
      bed.place(60, 150, cuda::make_kv(80, 150, shape.kv_dim(), 1.0f, false),
                cuda::make_kv(81, 150, shape.kv_dim(), 1.0f, false));
      expect_bytes(*bed.encode(*codec), bed.expected(*codec));
    }
  }
}

TEST(KvEncoder, LeavesOtherCodecsToTheProcessor) {
  const KvShape shape{2, 2, 64};
  KvEncoderBed bed(shape);
  bed.place(0, 10, cuda::make_kv(90, 10, shape.kv_dim(), 1.0f, false),
            cuda::make_kv(91, 10, shape.kv_dim(), 1.0f, false));
  EXPECT_TRUE(bed.encode(*make_raw_codec(shape))->layers.empty());
  EXPECT_TRUE(bed.encode(HostOnlyCodec(*cuda::make_codec(shape, KvLevel::kLow)))->layers.empty());
}

#ifndef MNEME_ON_GPU
TEST(KvEncoder, NeverDependsOnTheOrderInWhichThreadsRun) {
  const KvShape shape{2, 2, 64};
  KvEncoderBed bed(shape);
  const auto codec = cuda::make_codec(shape, KvLevel::kHigh);
  bed.place(7, 90, cuda::make_kv(30, 90, shape.kv_dim(), 1.0f, false),
            cuda::make_kv(31, 90, shape.kv_dim(), 1.0f, false));
  simt::machine().order = simt::ThreadOrder::kDescending;
  const auto got = bed.encode(*codec);
  simt::machine() = {};
  ASSERT_TRUE(got.ok()) << got.status().message();
  expect_bytes(*got, bed.expected(*codec));
}
#endif

class EncodedChunksOfAModel : public EncodedKvBed, public ::testing::Test {};

// What is stored of a chunk that was computed on the device.
TEST_F(EncodedChunksOfAModel, AreWhatTheProcessorMakesOfTheSameKv) {
  open("llama", 3);
  calibrate();
  auto calculator = ChunkKvCalculator::make(*model_, prefix_, 200);
  ASSERT_TRUE(calculator.ok());
  for (const KvLevel level : kLevels) {
    use(level);
    EXPECT_TRUE((*calculator)->encode(*level_codec_)->layers.empty() || level != KvLevel::kHigh) << "nothing computed";
    for (const std::vector<TokenId>& ids : chunk_ids_) {
      ASSERT_TRUE((*calculator)->compute(ids).ok());
      const auto got = (*calculator)->encode(*level_codec_);
      ASSERT_TRUE(got.ok()) << got.status().message();
      const auto kv = (*calculator)->read();
      ASSERT_TRUE(kv.ok());
      expect_bytes(*got, encode_kv(*kv, *level_codec_)->layers);
    }
  }
}

}  // namespace
}  // namespace mneme::engine

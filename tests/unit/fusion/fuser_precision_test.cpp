// How exactly a fusion multiplies: as coarsely as what it reads was stored, and never where everything is computed.
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/fusion/fuser_bed.h"

namespace mneme::engine {
namespace {

// fp16 numbers that say of themselves that they are of another level.
class RawOfLevel final : public KvCodec {
 public:
  RawOfLevel(const KvShape& shape, KvLevel level) : raw_(make_raw_codec(shape)), level_(level) {}
  std::string_view name() const override { return raw_->name(); }
  KvLevel level() const override { return level_; }
  uint32_t id() const override { return raw_->id(); }
  const KvShape& shape() const override { return raw_->shape(); }
  Status encode_layer(int layer, int n_tokens, std::span<const f16> keys, std::span<const f16> values,
                      std::vector<std::byte>& out) const override {
    return raw_->encode_layer(layer, n_tokens, keys, values, out);
  }
  Status decode_layer(int layer, int n_tokens, ByteSpan payload, std::span<f16> keys,
                      std::span<f16> values) const override {
    return raw_->decode_layer(layer, n_tokens, payload, keys, values);
  }

 private:
  const std::unique_ptr<KvCodec> raw_;
  const KvLevel level_;
};

// Heads of 64: the tile unit takes those of multiples of 32.
class FuserPrecision : public FuserBed, public ::testing::Test {
 protected:
  void SetUp() override { open("qwen2-long", 4); }

  // Of chunks 0, 2 and 3, each at a level.
  std::vector<float> logits(const std::vector<KvLevel>& levels, double ratio, int n_full_layers = 0) {
    std::vector<std::unique_ptr<KvCodec>> owned;
    std::vector<const KvCodec*> chosen = codecs();
    const std::vector<int> order = {0, 2, 3};
    for (size_t i = 0; i < order.size(); ++i) {
      owned.push_back(std::make_unique<RawOfLevel>(codec_->shape(), levels[i]));
      chosen[static_cast<size_t>(order[i])] = owned.back().get();
    }
    auto sequence = sequence_with_prefix();
    // By position: which rows are taken must not depend on rounding.
    const FuseOptions options{
        .selector = *selector_by_name("boundary"), .ratio = ratio, .n_full_layers = n_full_layers};
    EXPECT_TRUE(fuse(*model_, *sequence, plan(order), source_, chosen, options).ok());
    return {sequence->logits().begin(), sequence->logits().end()};
  }
};

TEST_F(FuserPrecision, LossyCachesMoveTheAnswerByTheRoundingOfBf16AtMost) {
  using enum KvLevel;
  const std::vector<float> exact = logits({kExact, kExact, kExact}, 0.3);
  EXPECT_LT(difference(logits({kMedium, kLow, kMedium}, 0.3), exact), 0.1);
  EXPECT_LT(difference(logits({kLow, kLow, kLow}, 0.0), logits({kExact, kExact, kExact}, 0.0)), 0.1);
}

TEST_F(FuserPrecision, FinerCachesAmongThemKeepItExact) {
  using enum KvLevel;
  const std::vector<float> exact = logits({kExact, kExact, kExact}, 0.3);
  EXPECT_EQ(logits({kMedium, kExact, kLow}, 0.3), exact);
  EXPECT_EQ(logits({kMedium, kMedium, kHigh}, 0.3), exact);
}

TEST_F(FuserPrecision, AShareOfOneIsExactWhateverIsStored) {
  using enum KvLevel;
  EXPECT_EQ(logits({kLow, kLow, kLow}, 1.0), logits({kExact, kExact, kExact}, 1.0));
}

TEST_F(FuserPrecision, FirstLayersInFullAreExactWhateverIsStored) {
  using enum KvLevel;
  const int all = model_->config().n_layers;
  EXPECT_EQ(logits({kLow, kLow, kLow}, 0.3, all), logits({kExact, kExact, kExact}, 0.3, all));
  EXPECT_LT(difference(logits({kLow, kLow, kLow}, 0.3, 2), logits({kExact, kExact, kExact}, 0.3, 2)), 0.1);
}

}  // namespace
}  // namespace mneme::engine

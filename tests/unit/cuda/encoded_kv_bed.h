// Fusion with the levels' codecs on a device that decodes them: the bed of the tests of it.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/codec/codec_list.h"
#include "engine/codec/kv_calibration.h"
#include "engine/kv/memory_source.h"
#include "tests/unit/fusion/fuser_bed.h"

namespace mneme::engine {

// Another codec's payloads, which no device knows it by: what fusion does where codecs decode on the host.
class HostOnlyCodec final : public KvCodec {
 public:
  explicit HostOnlyCodec(const KvCodec& codec) : codec_(codec) {}
  std::string_view name() const override { return codec_.name(); }
  KvLevel level() const override { return codec_.level(); }
  uint32_t id() const override { return codec_.id(); }
  const KvShape& shape() const override { return codec_.shape(); }
  Status encode_layer(int layer, int n_tokens, std::span<const f16> keys, std::span<const f16> values,
                      std::vector<std::byte>& out) const override {
    return codec_.encode_layer(layer, n_tokens, keys, values, out);
  }
  Status decode_layer(int layer, int n_tokens, ByteSpan payload, std::span<f16> keys,
                      std::span<f16> values) const override {
    return codec_.decode_layer(layer, n_tokens, payload, keys, values);
  }

 private:
  const KvCodec& codec_;
};

// Chunks as a level's codec stores them; a test may change what is fetched.
class EncodedChunks final : public KvSource {
 public:
  int n_chunks() const override { return static_cast<int>(chunks_.size()); }
  ChunkKvInfo chunk(int chunk) const override {
    const EncodedKv& kv = chunks_[static_cast<size_t>(chunk)];
    return {kv.n_tokens, static_cast<int>(kv.layers.size()), kv.codec->id(), 0};
  }
  Status fetch_layer(int chunk, int layer, std::vector<std::byte>& out) override {
    out = chunks_[static_cast<size_t>(chunk)].layers[static_cast<size_t>(layer)];
    if (on_fetch) on_fetch(chunk, layer, out);
    return {};
  }
  void add(EncodedKv kv) { chunks_.push_back(std::move(kv)); }

  std::function<void(int chunk, int layer, std::vector<std::byte>& payload)> on_fetch;

 private:
  std::vector<EncodedKv> chunks_;
};

struct FusedKv {
  std::vector<float> logits;
  std::vector<f16> kv;  // keys and values of all layers
  FuseReport report;
};

class EncodedKvBed : public FuserBed {
 protected:
  static constexpr KvLevel kLevels[] = {KvLevel::kHigh, KvLevel::kMedium, KvLevel::kLow};

  KvShape kv_shape() const {
    const ModelConfig& config = model_->config();
    return {config.n_layers, config.n_kv_heads, config.head_dim};
  }

  // Learns from the chunks themselves: there must be some text, and what it says of others is not asked here.
  void calibrate() {
    KvCalibrator calibrator(kv_shape());
    for (int round = 0; round < 3; ++round) {
      for (const ChunkKv& kv : source_.chunks) {
        for (size_t layer = 0; layer < kv.keys.size(); ++layer)
          calibrator.add(static_cast<int>(layer), kv.n_tokens, kv.keys[layer], kv.values[layer]);
      }
    }
    auto profile = calibrator.finish({});
    ASSERT_TRUE(profile.ok()) << profile.status().message();
    profile_ = std::make_shared<const KvProfile>(*std::move(profile));
  }

  void use(KvLevel level) {
    level_codec_ = *make_kv_codec(kv_shape(), level, profile_);
    host_codec_ = std::make_unique<HostOnlyCodec>(*level_codec_);
    encoded_ = std::make_unique<EncodedChunks>();
    for (const ChunkKv& kv : source_.chunks) encoded_->add(*encode_kv(kv, *level_codec_));
  }

  std::vector<const KvCodec*> all(const KvCodec& codec) const {
    return std::vector<const KvCodec*>(source_.chunks.size(), &codec);
  }

  Result<FusedKv> fuse_encoded(const PromptPlan& plan, const std::vector<const KvCodec*>& codecs,
                               const FuseOptions& options, const CancelToken& cancel = never_cancelled()) {
    auto sequence = sequence_with_prefix();
    FusedKv fused;
    MNEME_ASSIGN_OR_RETURN(fused.report, fuse(*model_, *sequence, plan, *encoded_, codecs, options, cancel));
    fused.logits.assign(sequence->logits().begin(), sequence->logits().end());
    const size_t n = static_cast<size_t>(sequence->n_tokens()) * static_cast<size_t>(model_->config().kv_dim());
    for (int layer = 0; layer < model_->config().n_layers; ++layer) {
      std::vector<f16> keys(n), values(n);
      MNEME_RETURN_IF_ERROR(sequence->kv().read(layer, 0, sequence->n_tokens(), false, keys, values));
      fused.kv.insert(fused.kv.end(), keys.begin(), keys.end());
      fused.kv.insert(fused.kv.end(), values.begin(), values.end());
    }
    return fused;
  }

  static void expect_same(const FusedKv& got, const FusedKv& expected) {
    EXPECT_EQ(got.logits, expected.logits);
    ASSERT_EQ(got.kv.size(), expected.kv.size());
    for (size_t i = 0; i < got.kv.size(); ++i) ASSERT_EQ(got.kv[i].bits, expected.kv[i].bits) << "number " << i;
    EXPECT_EQ(got.report.layers_computed, expected.report.layers_computed);
    EXPECT_EQ(got.report.bytes_decoded, expected.report.bytes_decoded);
    EXPECT_EQ(got.report.bytes_read, expected.report.bytes_read);
  }

  std::shared_ptr<const KvProfile> profile_;
  std::unique_ptr<KvCodec> level_codec_, host_codec_;
  std::unique_ptr<EncodedChunks> encoded_;
};

}  // namespace mneme::engine

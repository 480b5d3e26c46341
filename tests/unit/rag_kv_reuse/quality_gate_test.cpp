#include "rag/kv_reuse/quality_gate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/codec/codec_list.h"
#include "engine/codec/kv_profile.h"
#include "engine/fusion/selection_fingerprint.h"
#include "rag/answering/writing/mode_choice.h"
#include "rag/workspace.h"
#include "storage/env/sealed_file.h"
#include "tests/unit/rag_kv_reuse/kv_bed.h"

namespace mneme::rag {
namespace {

// Gives back what was never stored.
class LyingCodec final : public engine::KvCodec {
 public:
  explicit LyingCodec(const engine::KvShape& shape) : shape_(shape) {}
  std::string_view name() const override { return "lying"; }
  engine::KvLevel level() const override { return engine::KvLevel::kMedium; }
  uint32_t id() const override { return 99; }
  const engine::KvShape& shape() const override { return shape_; }
  Status encode_layer(int, int, std::span<const f16>, std::span<const f16>,
                      std::vector<std::byte>& out) const override {
    out.push_back(std::byte{1});
    return {};
  }
  Status decode_layer(int layer, int, ByteSpan, std::span<f16> keys, std::span<f16> values) const override {
    Random random(static_cast<uint64_t>(layer));
    for (f16& key : keys) key = to_f16(4 * random.gaussian());
    for (f16& value : values) value = to_f16(4 * random.gaussian());
    return {};
  }

 private:
  engine::KvShape shape_;
};

engine::KvShape shape_of(engine::LanguageModel& model) {
  return {model.config().n_layers, model.config().n_kv_heads, model.config().head_dim};
}

TEST(QualityGate, RejectsCachesThatLie) {
  KvBed bed;
  const auto exact = engine::make_exact_codec(shape_of(*bed.model));
  const LyingCodec lying(shape_of(*bed.model));
  const auto honest = measure_gate(*bed.model, *exact, engine::default_selector());
  const auto planted = measure_gate(*bed.model, lying, engine::default_selector());
  ASSERT_TRUE(honest.ok()) << honest.status().message();
  ASSERT_TRUE(planted.ok()) << planted.status().message();
  EXPECT_GT(planted->trials.back().kl, 4 * honest->trials.front().kl);
  EXPECT_FALSE(planted->passed());
  EXPECT_EQ(planted->trials.size(), 3u) << "every ratio was tried";
  EXPECT_GT(honest->trials.front().greedy_match, 2 * planted->trials.back().greedy_match);
  EXPECT_LE(honest->trials.front().greedy_match, 1.0);
  // Each trial is over the same tokens: several of every answer.
  EXPECT_EQ(planted->positions, honest->positions);
  EXPECT_GE(honest->positions, 4 * static_cast<int>(gate_probes().size()));
  for (const GateTrial& trial : planted->trials) EXPECT_GT(trial.kl, 2 * honest->trials.front().kl) << trial.ratio;
  EXPECT_NE(planted->refusal().find("--recompute"), std::string::npos);
}

TEST(QualityGate, PassesAtTheFirstRatioThatMeetsTheBar) {
  KvBed bed;
  const auto exact = engine::make_exact_codec(shape_of(*bed.model));
  const auto generous = measure_gate(*bed.model, *exact, engine::default_selector(), {.kl = 1e9, .greedy_match = 0.0});
  ASSERT_TRUE(generous.ok()) << generous.status().message();
  EXPECT_TRUE(generous->passed());
  EXPECT_EQ(generous->trials.size(), 1u);
  EXPECT_EQ(generous->least_ratio(), 0.15);
  EXPECT_GT(generous->positions, 0);
}

// As deep as the loading controller may go.
TEST(QualityGate, JudgesFirstLayersInFullAsWell) {
  KvBed bed;
  const auto exact = engine::make_exact_codec(shape_of(*bed.model));
  const auto generous = measure_gate(*bed.model, *exact, engine::default_selector(), {.kl = 1e9, .greedy_match = 0.0});
  ASSERT_TRUE(generous.ok()) << generous.status().message();
  ASSERT_TRUE(generous->full_layers.has_value());
  EXPECT_TRUE(generous->passed_full_layers());
  EXPECT_EQ(generous->full_layers->ratio, generous->least_ratio());
  EXPECT_LT(generous->full_layers->kl, 1.5 * generous->trials.back().kl) << "computing more is hardly ever worse";
  EXPECT_NE(generous->full_layers->kl, generous->trials.back().kl) << "and hardly ever the same";
  EXPECT_TRUE(generous->is_whole(bed.model->config().n_layers));
  const auto refused = measure_gate(*bed.model, *exact, engine::default_selector(), {.kl = -1.0, .greedy_match = 0.0});
  ASSERT_TRUE(refused.ok());
  EXPECT_FALSE(refused->full_layers.has_value()) << "nothing is blended, so nothing of it is measured";
  EXPECT_TRUE(refused->is_whole(bed.model->config().n_layers));
}

// Verdicts of an earlier version stay good for what they say.
TEST(QualityGate, AVerdictWithoutFirstLayersIsNotWhole) {
  GateReport report;
  report.trials.push_back({.ratio = 0.15, .kl = 0.01, .greedy_match = 1.0, .passed = true});
  EXPECT_FALSE(report.is_whole(8));
  EXPECT_TRUE(report.is_whole(1)) << "such a model has none to choose";
  report.full_layers = {.ratio = 0.15, .kl = 0.02, .greedy_match = 1.0, .passed = true};
  const auto parsed = GateReport::parse(report.to_json());
  ASSERT_TRUE(parsed.ok()) << parsed.status().message();
  EXPECT_TRUE(parsed->is_whole(8));
  EXPECT_TRUE(parsed->passed_full_layers());
  EXPECT_FALSE(GateReport::parse(R"({"format":1,"trials":[{"ratio":0.5}],"full_layers":{"ratio":7}})").ok());
}

TEST(QualityGate, ComesBackFromJson) {
  GateReport report;
  report.positions = 31;
  report.trials.push_back({.ratio = 0.15, .kl = NAN, .greedy_match = 0.5, .passed = false});
  report.trials.push_back({.ratio = 0.3, .kl = 0.01, .greedy_match = 1.0, .passed = true});
  const auto parsed = GateReport::parse(report.to_json());
  ASSERT_TRUE(parsed.ok()) << parsed.status().message();
  EXPECT_TRUE(parsed->passed());
  EXPECT_EQ(parsed->least_ratio(), 0.3);
  EXPECT_TRUE(std::isnan(parsed->trials.front().kl));
  for (const char* rubbish :
       {"", "{}", "{\"format\":1,\"trials\":[]}", "{\"format\":2,\"trials\":[{}]}", "[]",
        "{\"format\":\"1\",\"trials\":[{\"ratio\":0.5}]}", "{\"format\":1,\"trials\":[{\"ratio\":1e300}]}",
        "{\"format\":1,\"trials\":[{\"ratio\":\"half\"}]}"}) {
    EXPECT_FALSE(GateReport::parse(rubbish).ok()) << rubbish;
  }
  const auto vast = GateReport::parse("{\"format\":1,\"positions\":1e300,\"trials\":[{\"ratio\":0.5}]}");
  ASSERT_TRUE(vast.ok()) << vast.status().message();
  EXPECT_EQ(vast->positions, 0);
}

// A calibration file that parses but is of no use: everything decodes to nearly nothing.
void plant_bad_calibration(KvBed& bed) {
  ASSERT_TRUE(bed.library->codec(engine::KvLevel::kMedium).ok());
  const std::string path = bed.home.models_folder() + "/" + bed.model->identity().hex() + ".kvprofile";
  storage::FileEnv& env = storage::FileEnv::posix();
  const auto bytes = storage::read_sealed(env, path, 1u << 28);
  ASSERT_TRUE(bytes.ok());
  auto profile = engine::KvProfile::parse(*bytes);
  ASSERT_TRUE(profile.ok());
  for (auto& layer : profile->bases) {
    for (engine::KvBasis& basis : layer) {
      for (float& mean : basis.mean) mean = 3.0f - mean;
      for (f16& number : basis.vectors) number = to_f16(-2.0f * to_f32(number));
    }
  }
  ASSERT_TRUE(storage::write_sealed(env, path, profile->serialise()).ok());
  bed.open_library();
}

TEST(QualityGate, IsKeptWithTheModelAndItsCalibration) {
  KvBed bed;
  EXPECT_FALSE(bed.library->saved_gate(engine::KvLevel::kMedium));
  const auto measured = bed.library->gate(engine::KvLevel::kMedium);
  ASSERT_TRUE(measured.ok()) << measured.status().message();
  bed.open_library();
  const auto saved = bed.library->saved_gate(engine::KvLevel::kMedium);
  ASSERT_TRUE(saved);
  EXPECT_EQ(saved->to_json(), measured->to_json());
  plant_bad_calibration(bed);
  EXPECT_FALSE(bed.library->saved_gate(engine::KvLevel::kMedium)) << "another calibration is measured anew";
  const auto planted = bed.library->gate(engine::KvLevel::kMedium);
  ASSERT_TRUE(planted.ok()) << planted.status().message();
  EXPECT_FALSE(planted->passed());
}

// A selector that takes other rows under its old name has another fingerprint.
TEST(QualityGate, IsKeptUnderTheRowsThatTheSelectorTakes) {
  KvBed bed;
  ASSERT_TRUE(bed.library->gate(engine::KvLevel::kExact).ok());
  const engine::Selector& selector = engine::default_selector();
  const std::string key = "model." + bed.model->identity().hex() + ".gate.exact." +
                          bed.library->calibration(engine::KvLevel::kExact).hex() + "." + std::string(selector.name) +
                          "." + engine::selection_fingerprint(selector);
  const auto saved = bed.catalogue->setting(key);
  ASSERT_TRUE(saved.ok()) << saved.status().message();
  EXPECT_TRUE(saved->has_value()) << key;
}

TEST(QualityGate, StopsWhenCancelled) {
  KvBed bed;
  CancelToken cancel;
  cancel.cancel();
  const auto exact = engine::make_exact_codec(shape_of(*bed.model));
  const auto report = measure_gate(*bed.model, *exact, engine::default_selector(), {}, cancel);
  EXPECT_EQ(report.status().code(), StatusCode::kCancelled);
}

}  // namespace
}  // namespace mneme::rag

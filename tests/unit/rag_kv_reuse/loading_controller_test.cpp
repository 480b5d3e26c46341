// The loading controller against a search over everything it may choose, and its habits at the edges.
#include "rag/kv_reuse/loading_controller.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace mneme::rag {
namespace {

using engine::KvLevel;

constexpr double kMegabyte = 1e6;

// A model of 24 layers that prefills some 1,500 tokens a second, and storage of the given speed.
SpeedProfile speed_of(double root_bytes_per_s, double decode_bytes_per_s = 800 * kMegabyte) {
  SpeedProfile speed{.step_ms = 5.0, .row_ms = 0.55, .key_ms = 4e-5};
  speed.decode_bytes_per_s.fill(decode_bytes_per_s);
  speed.root_bytes_per_s["kv"] = root_bytes_per_s;
  return speed;
}

LoadingQuestion question_of(int n_chunks) {
  LoadingQuestion question;
  question.prefix_tokens = 30;
  question.other_tokens = 80;
  question.fp16_bytes_per_token = 24576;
  question.n_layers = 24;
  question.n_cores = 2;
  for (int i = 0; i < n_chunks; ++i) {
    const int64_t bytes = 512 * question.fp16_bytes_per_token / 10;
    question.chunks.push_back({.n_tokens = 512, .stored = StoredForm{KvLevel::kMedium, "kv", bytes}});
  }
  return question;
}

TEST(LoadingController, FastStorageKeepsToTheLeastRatio) {
  const LoadingPlan plan = plan_loading(question_of(6), speed_of(5000 * kMegabyte));
  EXPECT_NEAR(plan.ratio, 0.15, 0.03);
  EXPECT_EQ(plan.n_computed(), 0);
  EXPECT_LT(plan.first_token_ms, 0.3 * plan.full_ms);
}

TEST(LoadingController, SlowStorageLeavesTimeToRepairMore) {
  // The last quarter, behind the look, takes longer to load than repairing 15 %: the share grows until it no longer
  // hides.
  const LoadingQuestion question = question_of(6);
  const SpeedProfile speed = speed_of(5 * kMegabyte);
  const LoadingPlan least = predict_loading(question, speed, std::vector<bool>(6, true), 0.15);
  const LoadingPlan plan = plan_loading(question, speed);
  EXPECT_GT(plan.ratio, 0.15);
  EXPECT_LE(plan.first_token_ms, 1.03 * least.first_token_ms);
}

TEST(LoadingController, TextIsSoonerThanVerySlowStorage) {
  const LoadingPlan plan = plan_loading(question_of(6), speed_of(0.5 * kMegabyte));
  EXPECT_EQ(plan.n_computed(), 6);
  EXPECT_NEAR(plan.first_token_ms, plan.full_ms, 0.05 * plan.full_ms);
}

TEST(LoadingController, WithinTheTenthOfTheBestOfAllChoices) {
  for (const double megabytes : std::array{0.5, 2.0, 5.0, 12.0, 50.0, 200.0, 1000.0, 6000.0}) {
    for (const int n_chunks : {1, 6, 24}) {
      const LoadingQuestion question = question_of(n_chunks);
      const SpeedProfile speed = speed_of(megabytes * kMegabyte);
      const LoadingPlan plan = plan_loading(question, speed);
      double best = INFINITY;
      for (int n_text = 0; n_text <= n_chunks; ++n_text) {
        std::vector<bool> load(static_cast<size_t>(n_chunks), true);
        for (int i = 0; i < n_text; ++i) load[static_cast<size_t>(i)] = false;
        for (int r = 15; r <= 100; ++r) {
          best = std::min(best, predict_loading(question, speed, load, r / 100.0).first_token_ms);
        }
      }
      EXPECT_LE(plan.first_token_ms, 1.1 * best) << megabytes << " MB/s, " << n_chunks << " chunks";
      EXPECT_GE(plan.ratio, 0.15);
    }
  }
}

// 15 % of a handful of tokens are fewer rows than a step takes at once.
TEST(LoadingController, TinyContextsAreRepairedByMoreThanTheLeastShare) {
  LoadingQuestion question = question_of(6);
  for (ChunkOffer& chunk : question.chunks) chunk.n_tokens = 13;
  EXPECT_NEAR(first_ratio(question), 32.0 / 78, 1e-9);
  question.least_ratio = 0.5;
  EXPECT_EQ(first_ratio(question), 0.5);
  question.ratio = 0.15;
  EXPECT_EQ(first_ratio(question), 0.15);
  question.ratio.reset();
  for (ChunkOffer& chunk : question.chunks) chunk.n_tokens = 2;
  EXPECT_EQ(first_ratio(question), 1.0);
  // What is not stored is computed anyway and repairs nothing.
  for (ChunkOffer& chunk : question.chunks) chunk.stored.reset();
  EXPECT_EQ(first_ratio(question), 0.5);
  EXPECT_EQ(first_ratio(question_of(6)), 0.15);
}

TEST(LoadingController, TheUsersRatioIsKept) {
  LoadingQuestion question = question_of(6);
  for (const double ratio : {0.0, 0.07, 1.0}) {
    question.ratio = ratio;
    const LoadingPlan plan = plan_loading(question, speed_of(0.5 * kMegabyte));
    EXPECT_EQ(plan.ratio, ratio);
    EXPECT_EQ(plan.n_computed(), 0) << "what the user fixed is not second-guessed";
  }
}

TEST(LoadingController, MissingChunksAreComputedAndNothingStoredIsRequired) {
  LoadingQuestion question = question_of(3);
  question.chunks[1].stored.reset();
  const LoadingPlan plan = plan_loading(question, speed_of(1000 * kMegabyte));
  EXPECT_EQ(plan.load, (std::vector<bool>{true, false, true}));
  question.chunks.clear();
  EXPECT_TRUE(plan_loading(question, speed_of(1000 * kMegabyte)).load.empty());
}

TEST(LoadingController, WithoutAProfileWhatIsThereIsLoadedAtTheLeastRatio) {
  const LoadingPlan plan = plan_loading(question_of(6), SpeedProfile{});
  EXPECT_EQ(plan.ratio, 0.15);
  EXPECT_EQ(plan.n_computed(), 0);
}

TEST(LoadingController, SelectorsThatLookFirstCostMore) {
  LoadingQuestion question = question_of(6);
  const SpeedProfile speed = speed_of(5000 * kMegabyte);
  const auto compute_ms = [&](const char* selector, double ratio) {
    question.selector = *engine::selector_by_name(selector);
    return predict_loading(question, speed, std::vector<bool>(6, true), ratio).compute_ms;
  };
  EXPECT_GT(compute_ms("hkvd", 0.15), compute_ms("boundary", 0.15));
  EXPECT_GT(compute_ms("focus", 0.15), compute_ms("boundary", 0.15));
  EXPECT_GT(compute_ms("query", 0.15), compute_ms("focus", 0.15));  // through all layers
  // Nothing to choose, nothing to look at.
  EXPECT_EQ(compute_ms("focus", 0.0), compute_ms("boundary", 0.0));
  EXPECT_EQ(compute_ms("focus", 1.0), compute_ms("boundary", 1.0));
}

// The first token of a prompt that waits for its disk comes sooner, though more is computed.
TEST(LoadingController, FirstLayersAreComputedWhileASlowDiskReadsTheOthers) {
  LoadingQuestion question = question_of(6);
  const SpeedProfile speed = speed_of(5 * kMegabyte);
  const LoadingPlan none = plan_loading(question, speed);
  EXPECT_EQ(none.full_layers, 0) << "nobody allows any";
  question.most_full_layers = most_full_layers(question.n_layers);
  const LoadingPlan plan = plan_loading(question, speed);
  EXPECT_GT(plan.full_layers, 0);
  EXPECT_LE(plan.full_layers, 12);
  EXPECT_EQ(plan.n_computed(), 0);
  EXPECT_LT(plan.first_token_ms, none.first_token_ms / 1.05);
  EXPECT_NEAR(plan.load_ms, none.load_ms * (24 - plan.full_layers) / 24, 1e-6);
  EXPECT_GT(plan.compute_ms, none.compute_ms);
  // The best of all that it may choose, at its share.
  for (int n = 0; n <= question.most_full_layers; ++n) {
    EXPECT_LE(plan.first_token_ms,
              1.03 * predict_loading(question, speed, plan.load, question.least_ratio, n).first_token_ms);
  }
}

TEST(LoadingController, FirstLayersAreLoadedWhereTheDiskIsNotTheLongest) {
  for (const double megabytes : std::array{100.0, 1000.0, 6000.0}) {
    LoadingQuestion question = question_of(6);
    question.most_full_layers = most_full_layers(question.n_layers);
    EXPECT_EQ(plan_loading(question, speed_of(megabytes * kMegabyte)).full_layers, 0) << megabytes << " MB/s";
    EXPECT_EQ(plan_loading(question, SpeedProfile{}).full_layers, 0) << "nothing is known";
    for (ChunkOffer& chunk : question.chunks) chunk.stored.reset();
    EXPECT_EQ(plan_loading(question, speed_of(megabytes * kMegabyte)).full_layers, 0) << "nothing is loaded";
  }
}

TEST(LoadingController, TheUsersFirstLayersAreKept) {
  LoadingQuestion question = question_of(6);
  question.most_full_layers = most_full_layers(question.n_layers);
  for (const double megabytes : std::array{5.0, 1000.0}) {
    for (const int n : {0, 3}) {
      question.full_layers = n;
      question.ratio = 0.2;
      EXPECT_EQ(plan_loading(question, speed_of(megabytes * kMegabyte)).full_layers, n);
      question.ratio.reset();
      const LoadingPlan plan = plan_loading(question, speed_of(megabytes * kMegabyte));
      EXPECT_EQ(plan.full_layers, plan.n_computed() == 6 ? 0 : n);
    }
  }
  question.full_layers.reset();
  question.ratio = 0.2;
  EXPECT_EQ(plan_loading(question, speed_of(5 * kMegabyte)).full_layers, 0) << "a share is not second-guessed";
}

// What fusion then runs: all rows through the first layers but the last, of which K and V are made.
TEST(LoadingController, FirstLayersCostAllRows) {
  const SpeedProfile rows_only{.step_ms = 0.0, .row_ms = 1.0, .key_ms = 0.0};
  LoadingQuestion question = question_of(6);
  question.selector = *engine::selector_by_name("boundary");
  const std::vector<bool> load(6, true);
  const double chunks = 6 * 512;
  const auto compute_ms = [&](int n) { return predict_loading(question, rows_only, load, 0.25, n).compute_ms; };
  EXPECT_NEAR(compute_ms(0), question.other_tokens + 0.25 * chunks, 1e-6);
  EXPECT_NEAR(compute_ms(6), question.other_tokens + chunks * (5 + 0.2 + 0.8 * 0.25 + 18 * 0.25) / 24, 1e-6);
  EXPECT_NEAR(compute_ms(24), question.other_tokens + chunks, 1e-6);
}

// As counted of a GPU in docs/cuda.md: 8,192 tokens of a model of 32 layers, 249 ms in full, 70 to read.
TEST(LoadingController, FiveFirstLayersOfAGpuWhoseDiskIsSlower) {
  LoadingQuestion question;
  question.prefix_tokens = 30;
  question.other_tokens = 160;
  question.fp16_bytes_per_token = 131072;
  question.n_layers = 32;
  question.n_cores = 16;
  question.least_ratio = 0.1;
  question.most_full_layers = most_full_layers(32);
  for (int i = 0; i < 16; ++i) {
    question.chunks.push_back({.n_tokens = 512, .stored = StoredForm{KvLevel::kMedium, "kv", 91'700'000 / 16}});
  }
  SpeedProfile speed{.step_ms = 0.5, .row_ms = 0.02, .key_ms = 2.4e-6};
  speed.decode_bytes_per_s.fill(1e11);
  speed.root_bytes_per_s["kv"] = 1.31e9;
  const LoadingPlan plan = plan_loading(question, speed);
  EXPECT_NEAR(plan.full_ms, 249.0, 5.0);
  EXPECT_GE(plan.full_layers, 4);
  EXPECT_LE(plan.full_layers, 6);
  EXPECT_EQ(plan.n_computed(), 0);
  question.most_full_layers = 0;
  EXPECT_LT(plan.first_token_ms, 0.9 * plan_loading(question, speed).first_token_ms);
}

// No row is repaired before all that is looked through is there.
TEST(LoadingController, ALookWaitsForTheLayersItLooksThrough) {
  LoadingQuestion question = question_of(6);
  const SpeedProfile speed = speed_of(5 * kMegabyte);
  const LoadingPlan looks = predict_loading(question, speed, std::vector<bool>(6, true), 0.15);
  EXPECT_GT(looks.first_token_ms, 0.75 * looks.load_ms + 0.15 * 3072 * speed.row_ms);
  question.selector = *engine::selector_by_name("boundary");
  const LoadingPlan plain = predict_loading(question, speed, std::vector<bool>(6, true), 0.15);
  EXPECT_NEAR(plain.first_token_ms, plain.load_ms, 1e-6) << "repaired as it comes";
}

// A look runs over all that is not loaded, so that what is missing is read nearly twice: with little to load, computing
// everything is sooner, and exact.
TEST(LoadingController, WhereMostIsMissingAllOfItIsComputed) {
  const SpeedProfile speed = speed_of(5000 * kMegabyte);
  for (int n_stored = 0; n_stored <= 6; ++n_stored) {
    LoadingQuestion question = question_of(6);
    for (size_t c = static_cast<size_t>(n_stored); c < 6; ++c) question.chunks[c].stored.reset();
    const LoadingPlan plan = plan_loading(question, speed);
    EXPECT_LE(plan.first_token_ms, 1.03 * plan.full_ms) << n_stored;
    if (n_stored != 3) {
      EXPECT_EQ(plan.n_computed(), n_stored < 3 ? 6 : 6 - n_stored) << n_stored;
    }
    // Selectors that do not look load what there is.
    question.selector = *engine::selector_by_name("boundary");
    EXPECT_EQ(plan_loading(question, speed).n_computed(), 6 - n_stored) << n_stored;
  }
}

// What a plan says is computed is what fusion then runs: rows times layers.
TEST(LoadingController, ComputedChunksCostTheirLook) {
  SpeedProfile rows_only{.step_ms = 0.0, .row_ms = 1.0, .key_ms = 0.0};
  LoadingQuestion question = question_of(6);
  for (size_t c = 1; c < 6; ++c) question.chunks[c].stored.reset();
  const std::vector<bool> load{true, false, false, false, false, false};
  const double rest = 5 * 512 + question.other_tokens;
  EXPECT_NEAR(predict_loading(question, rows_only, load, 0.15).compute_ms, rest * 1.75 + 0.15 * 512, 1e-6);
  EXPECT_NEAR(predict_loading(question, rows_only, std::vector<bool>(6, false), 0.15).compute_ms, rest + 512, 1e-6);
}

TEST(LoadingController, FoldersAreReadSideBySide) {
  LoadingQuestion question = question_of(2);
  SpeedProfile speed = speed_of(10 * kMegabyte);
  speed.root_bytes_per_s["other"] = 10 * kMegabyte;
  const double one = predict_loading(question, speed, {true, true}, 0.15).load_ms;
  question.chunks[1].stored->root = "other";
  EXPECT_NEAR(predict_loading(question, speed, {true, true}, 0.15).load_ms, one / 2, 1e-6);
}

TEST(CheapestRoot, TheLastThatHidesElseTheFastest) {
  const std::array rates{3000 * kMegabyte, 500 * kMegabyte, 100 * kMegabyte};
  EXPECT_EQ(cheapest_root_that_hides(rates, 10 * kMegabyte, 1000), 2u);
  EXPECT_EQ(cheapest_root_that_hides(rates, 10 * kMegabyte, 50), 1u);
  EXPECT_EQ(cheapest_root_that_hides(rates, 10 * kMegabyte, 5), 0u);
  EXPECT_EQ(cheapest_root_that_hides(rates, 10 * kMegabyte, 0.1), 0u);
  // What a chunk of 512 tokens hides is a fraction of its prefill.
  const SpeedProfile speed = speed_of(1 * kMegabyte);
  EXPECT_GT(hidden_load_ms(speed, 512, 0.15), 0.15 * 512 * speed.row_ms);
  EXPECT_LT(hidden_load_ms(speed, 512, 0.15), 0.5 * speed.compute_ms(512, 512.0 * 1536));
  const std::array unknown{0.0, 0.0};
  EXPECT_LT(cheapest_root_that_hides(unknown, 1.0, 1.0), 2u);
}

}  // namespace
}  // namespace mneme::rag

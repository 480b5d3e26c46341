#include "engine/pq/clustering_model.h"

#include <gtest/gtest.h>

#include <utility>

namespace mneme::engine {
namespace {

// A machine where clustering takes 20 ns per key and iteration and 100 ns per coded key, and a layer's prefill 1 us a
// row and 1 ns per row and key.
void run_on_machine(ClusteringModel& model, double speed = 1) {
  for (const double n : {1000.0, 4000.0, 16000.0}) {
    for (const double iterations : {2.0, 8.0})
      model.add_clustering(4096, iterations, n, (20e-9 * 4096 * iterations + 100e-9 * n) / speed);
    model.add_layer(512, n, 512 * (1e-6 + 1e-9 * (n + 256)) / speed);
  }
}

TEST(ClusteringModel, PredictsIterationsThatFit) {
  ClusteringModel model;
  EXPECT_EQ(model.iterations_for(8192, 4096, 0.03, 6), 6) << "nothing known yet";
  run_on_machine(model);
  // Prefill of 8192 tokens: 8.2 ms + 33.6 ms; 3 % of it are 1.25 ms, coding takes 0.82, an iteration 0.082.
  EXPECT_EQ(model.iterations_for(8192, 4096, 0.03, 6), 5);
  EXPECT_EQ(model.iterations_for(1000, 1000, 0.03, 6), ClusteringModel::kMinIterations);
  EXPECT_EQ(model.iterations_for(131072, 16384, 0.03, 6), ClusteringModel::kMaxIterations);
}

TEST(ClusteringModel, SurvivesBeingStored) {
  ClusteringModel model;
  run_on_machine(model);
  ClusteringModel other;
  ASSERT_TRUE(other.restore(model.to_text()).ok());
  EXPECT_EQ(other.iterations_for(8192, 4096, 0.03, 6), 5);
  EXPECT_EQ(other.to_text(), model.to_text());
}

TEST(ClusteringModel, DamagedTextIsRefusedAndChangesNothing) {
  ClusteringModel model;
  run_on_machine(model);
  const std::string before = model.to_text();
  for (const char* text : {"", "clustering ", "clustering 1 2 3\nlayer 1 2 3", "layer 1 1 1 1 1 1",
                           "clustering nan 1 1 1 1 1\nlayer 1 1 1 1 1 1", "clustering -1 1 1 1 1 1\nlayer 1 1 1 1 1 1"})
    EXPECT_EQ(model.restore(text).code(), StatusCode::kCorruption) << text;
  EXPECT_EQ(model.to_text(), before);
}

TEST(ClusteringModel, FollowsAMachineThatChanges) {
  ClusteringModel model;
  run_on_machine(model);
  // Prefill becomes ten times faster, clustering does not: fewer iterations fit.
  for (int i = 0; i < 200; ++i)
    for (const double n : {1000.0, 16000.0}) model.add_layer(512, n, 51.2 * (1e-6 + 1e-9 * (n + 256)));
  EXPECT_EQ(model.iterations_for(8192, 4096, 0.03, 6), ClusteringModel::kMinIterations);
}

TEST(TwoTermFit, TellsBothTermsOrTheOneThatIsThere) {
  TwoTermFit both;
  for (const auto& [x, y] : {std::pair{1.0, 1.0}, std::pair{5.0, 1.0}, std::pair{2.0, 9.0}})
    both.add(x, y, 3 * x + 0.5 * y);
  EXPECT_NEAR(both.predict(100, 10), 305, 1e-6);
  TwoTermFit first;
  TwoTermFit second;
  TwoTermFit together;  // nobody can tell them apart
  for (const double n : {1.0, 2.0, 5.0}) {
    first.add(n, 0, 3 * n);
    second.add(0, n, 0.5 * n);
    together.add(n, 2 * n, 4 * n);
  }
  EXPECT_NEAR(first.predict(100, 0), 300, 1e-9);
  EXPECT_NEAR(second.predict(0, 10), 5, 1e-9);
  EXPECT_NEAR(together.predict(10, 20), 40, 1e-9);
}

// An hour's run that took a little longer must not outweigh many short ones.
TEST(TwoTermFit, ErrorsCountByTheirShare) {
  TwoTermFit fit;
  for (int i = 0; i < 4; ++i) fit.add(1, 0, 1);
  fit.add(1000, 0, 2000);
  EXPECT_NEAR(fit.predict(1, 0), 1, 0.15);
}

TEST(TwoTermFit, NeverGivesNegativeTerms) {
  TwoTermFit fit;
  fit.add(1, 10, 1);
  fit.add(2, 9, 5);
  fit.add(3, 8, 9);
  EXPECT_GE(fit.predict(1, 0), 0);
  EXPECT_GE(fit.predict(0, 1), 0);
  fit.add(1, 1, -3);
  fit.add(1, 1, 0);
  EXPECT_EQ(fit.predict(0, 0), 0);
}

}  // namespace
}  // namespace mneme::engine

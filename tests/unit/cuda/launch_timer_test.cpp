// The table of kernels' times: what it counts, and that timing changes nothing of what is computed.
#include "engine/backend/cuda/launch_timer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/backend/cuda/cuda_backend.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"

namespace mneme::testing {
namespace {

using engine::TokenId;

void kernel() {}

TEST(LaunchTimer, CountsLaunchesByKernelGridAndRowsOfTheStep) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  {
    engine::cuda::LaunchTimer timer;
    timer.launched("before any step", stream);
    for (const int n_rows : {1, 1, 100}) {
      timer.begin_step(n_rows, stream);
      timer.launched(reinterpret_cast<const void*>(&kernel), dim3(7, 2), stream);
      timer.launched(reinterpret_cast<const void*>(&kernel), dim3(7, 2), stream);
      timer.launched("cuBLAS", stream);
    }
    const std::string report = timer.report();
    EXPECT_NE(report.find("2 steps of 1 row, "), std::string::npos) << report;
    EXPECT_NE(report.find("1 steps of more rows, "), std::string::npos) << report;
    EXPECT_NE(report.find("   2.0 launches,"), std::string::npos) << report;
    EXPECT_NE(report.find("kernel (7, 2, 1)\n"), std::string::npos) << report;
    EXPECT_NE(report.find("cuBLAS\n"), std::string::npos) << report;
    EXPECT_EQ(report.find("before any step"), std::string::npos) << report;
  }
  cudaStreamDestroy(stream);
}

TEST(LaunchTimer, ChangesNoResult) {
  const auto opener = test_device().open;
  std::vector<float> logits[2];
  for (const bool profile : {false, true}) {
    test_device().open = [=](int) { return engine::cuda::make_cuda_backend({.graphs = true, .profile = profile}); };
    auto model = load_model(random_gguf({.n_layers = 2}));
    ASSERT_NE(model, nullptr);
    const auto cache = model->new_cache(32);
    ASSERT_TRUE(cache->reserve(8).ok());
    for (engine::TokenPos position = 0; position < 8; ++position) {
      const TokenId id = 3 + position;
      const engine::RowGroup group{cache.get(), 0, 1};
      ASSERT_TRUE(model->pass->begin(engine::RowSet{{&position, 1}, {&group, 1}}, {&id, 1}).ok());
      for (int layer = 0; layer < model->config.n_layers; ++layer) model->pass->run_layer(layer);
      std::vector<float> row;
      const int wanted = 0;
      ASSERT_TRUE(model->pass->logits({&wanted, 1}, row).ok());
      logits[profile ? 1 : 0].insert(logits[profile ? 1 : 0].end(), row.begin(), row.end());
    }
  }
  EXPECT_EQ(logits[0], logits[1]);
  test_device().open = opener;
}

}  // namespace
}  // namespace mneme::testing

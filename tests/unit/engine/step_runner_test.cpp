// Steps of several sequences in one go: what becomes of one of them is its own business.
#include "engine/step_runner.h"

#include <gtest/gtest.h>

#include <new>
#include <thread>

#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"

namespace mneme::engine {
namespace {

// A cache for whose pages there is not even memory to say so.
class NoMemory final : public KvCache {
 public:
  NoMemory() : KvCache({}) {}
  Status reserve(int) override { throw std::bad_alloc(); }
  void place(int, TokenPos, int, std::span<const f16>, std::span<const f16>, const RopeConfig*) override {}
  Status read(int, TokenPos, int, bool, std::span<f16>, std::span<f16>) const override { return {}; }
  int64_t memory_bytes() const override { return 0; }
};

TEST(StepRunner, AStepThatIsThrownOutOfDoesNotTakeTheOthersAlong) {
  const auto model = mneme::testing::load_model(mneme::testing::random_gguf({.seed = 4}));
  ASSERT_NE(model, nullptr);
  StepRunner runner(model->config, *model->weights, *model->backend);
  NoMemory without;
  const auto cache = model->new_cache(16);
  const std::vector<TokenId> ids{3, 4};
  const auto step_on = [&](KvCache& on) {
    return Step{.cache = &on, .first_position = 0, .ids = ids, .cancel = &never_cancelled()};
  };
  std::vector<float> logits[3];
  Status statuses[2];
  std::vector<std::thread> threads;
  {
    const EngineQueue::Turn turn = runner.queue().enter(Priority::kInteractive);
    threads.emplace_back([&] { statuses[0] = runner.run(step_on(without), logits[0]); });
    threads.emplace_back([&] { statuses[1] = runner.run(step_on(*cache), logits[1]); });
    while (runner.queue().n_waiting(Priority::kInteractive) < 2) std::this_thread::yield();
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(statuses[0].code(), StatusCode::kResource);
  EXPECT_TRUE(statuses[1].ok()) << statuses[1].message();
  ASSERT_TRUE(runner.run(step_on(*cache), logits[2]).ok());
  EXPECT_EQ(logits[1], logits[2]);
}

}  // namespace
}  // namespace mneme::engine

// KV in the host's memory against KV in the device's: the same tokens are attended to, and come out as the same bits.
#include "engine/backend/cuda/host_kv.h"

#include <gtest/gtest.h>

#include "tests/unit/cuda/host_kv_bed.h"
#include "tests/unit/cuda/retrieval_bed.h"

namespace mneme::testing {
namespace {

std::vector<Conversation> conversations() {
  const RandomModel llama{.n_layers = 3, .seed = 11};
  const RandomModel windows{.architecture = "gemma2", .n_layers = 3, .head_dim = 32, .seed = 12, .window = 40};
  return {{.model = llama},
          {.model = llama, .block_cache_tokens = 0},
          {.model = llama, .retrieves = false},
          {.model = {.n_layers = 2, .head_dim = 32, .seed = 13}, .type = engine::KvType::kQ8_0},
          {.model = windows},
          {.model = llama, .sinks = true},
          {.model = windows, .type = engine::KvType::kQ8_0, .retrieves = false, .sinks = true}};
}

class HostKvConversations : public ::testing::TestWithParam<size_t> {};
INSTANTIATE_TEST_SUITE_P(Kinds, HostKvConversations, ::testing::Range(size_t{0}, conversations().size()));

TEST_P(HostKvConversations, ComeOutAsInTheDevicesMemory) {
  Conversation conversation = conversations()[GetParam()];
  const Conversed expected = Converser(conversation).run();
  conversation.options.kv_in_host_memory = true;
  const Conversed got = Converser(conversation).run();
  EXPECT_FALSE(expected.in_host_memory);
  EXPECT_TRUE(got.in_host_memory);
  EXPECT_EQ(got.logits, expected.logits);
  EXPECT_TRUE(same_halves(got.keys, expected.keys));
  EXPECT_TRUE(same_halves(got.values, expected.values));
  EXPECT_EQ(got.report.used, conversation.retrieves);
  EXPECT_EQ(got.report.budget_tokens, expected.report.budget_tokens);
  EXPECT_FALSE(expected.report.block_cache_hit_rate) << "nothing is copied, so nothing is counted";
  const bool caches = conversation.retrieves && conversation.block_cache_tokens > 0;
  EXPECT_EQ(got.report.block_cache_hit_rate.has_value(), caches);
  EXPECT_GT(got.report.block_cache_hit_rate.value_or(1), 0.2);
}

// More query heads to a KV head than a warp takes at once: those read over the bus are taken eight at a time.
TEST(HostKv, ManyQueryHeadsShareOneReading) {
  for (const Shape& s : {Shape{7, 1, 64, 500}, Shape{12, 1, 128, 460, engine::KvType::kQ8_0}, Shape{6, 1, 256, 420},
                         Shape{.n_heads = 7, .n_kv_heads = 1, .head_dim = 64, .n_tokens = 500, .logit = 8.0f}}) {
    std::vector<float> results[2];
    const auto q = gaussian(static_cast<size_t>(s.n_heads) * static_cast<size_t>(s.head_dim), 3);
    for (const bool in_host_memory : {false, true}) {
      Bed bed(s, *engine::cuda::make_cuda_backend({.kv_in_host_memory = in_host_memory}), s.n_tokens + 20);
      bed.place(0, s.n_tokens, 7);
      bed.set_query(q);
      engine::RetrievalOptions options = options_of(s);
      options.block_cache_tokens = 256;
      ASSERT_TRUE(bed.cache->set_retrieval(options, bed.config).ok());
      ASSERT_TRUE(bed.cache->prepare_retrieval(s.n_tokens - 1, nullptr, never_cancelled()).ok());
      const engine::TokenPos position = s.n_tokens - 1;
      for (int step = 0; step < 3; ++step) {
        bed.cuda().begin_rows(1, std::span(&position, 1));
        bed.attend(1, s.n_tokens, results[in_host_memory ? 1 : 0]);
      }
    }
    for (size_t i = 0; i < q.size(); ++i) ASSERT_NEAR(results[0][i], results[1][i], 1e-5) << i;
  }
}

}  // namespace
}  // namespace mneme::testing

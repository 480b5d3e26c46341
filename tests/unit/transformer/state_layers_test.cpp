// Models with layers that keep a state, instead of keys and values or beside them: against the fp64
// reference, which recurs row by row, and what holds of states: pieces, copies, several sequences, short steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/random.h"
#include "engine/transformer/forward_pass.h"
#include "tests/support/loaded_model.h"
#include "tests/support/parameter_names.h"
#include "tests/support/random_gguf.h"
#include "tests/support/reference_model.h"

namespace mneme::testing {
namespace {

using engine::RowGroup;
using engine::RowSet;
using engine::TokenId;
using engine::TokenPos;

RandomModel described(const std::string& architecture = "qwen35") {
  RandomModel model{
      .architecture = architecture, .n_layers = 5, .head_dim = 32, .n_rot = 8, .seed = 90, .attention_interval = 3};
  if (architecture == "qwen35moe" || architecture == "qwen3next") {
    model.n_experts = 8;
    model.n_experts_used = 3;
    model.shared_ffn_dim = 64;
  }
  if (architecture.starts_with("lfm2")) model.conv_width = 3;
  if (architecture == "lfm2moe" || architecture == "nemotron_h_moe") {
    model.n_experts = 8;
    model.n_experts_used = 3;
    model.expert_ffn_dim = 48;
    model.leading_dense = architecture == "lfm2moe" ? 2 : 0;
    model.gating = 2;
  }
  if (architecture == "nemotron_h_moe") {
    model.shared_ffn_dim = 64;
    model.normalise = true;
    model.expert_scale = 2.5f;
  }
  if (!architecture.starts_with("qwen")) {
    model.head_dim = 16;
    model.n_rot = 0;
  }
  return model;
}

// Of every kind of state, and of every place beside or between other parts of layers.
constexpr const char* kKinds[] = {"qwen35", "lfm2", "granitehybrid", "nemotron_h_moe", "falcon-h1"};

std::vector<int> drawn_ids(uint64_t seed, size_t n) {
  Random random(seed);
  std::vector<int> ids(n);
  for (int& id : ids) id = static_cast<int>(random.below(97));
  return ids;
}

std::vector<float> logits_of(LoadedModel& model, int n_rows) {
  std::vector<int> rows(static_cast<size_t>(n_rows));
  for (int i = 0; i < n_rows; ++i) rows[static_cast<size_t>(i)] = i;
  std::vector<float> logits;
  const Status status = model.pass->logits(rows, logits);
  EXPECT_TRUE(status.ok()) << status.message();
  return logits;
}

// Logits of all of the ids, which are of one sequence or, by the groups, of several.
std::vector<float> run_step(LoadedModel& model, const std::vector<TokenPos>& positions,
                            std::span<const RowGroup> groups, const std::vector<int>& ids) {
  EXPECT_TRUE(model.pass->begin(RowSet{positions, groups}, std::vector<TokenId>(ids.begin(), ids.end())).ok());
  for (int layer = 0; layer < model.config.n_layers; ++layer) model.pass->run_layer(layer);
  return logits_of(model, static_cast<int>(ids.size()));
}

std::vector<float> run_from(LoadedModel& model, engine::KvCache& cache, const std::vector<int>& ids, int first) {
  std::vector<TokenPos> positions;
  for (size_t i = 0; i < ids.size(); ++i) positions.push_back(first + static_cast<int>(i));
  const RowGroup group{&cache, 0, static_cast<int>(ids.size())};
  return run_step(model, positions, {&group, 1}, ids);
}

std::vector<int> slice(const std::vector<int>& ids, size_t first, size_t n) {
  const auto begin = ids.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(n)};
}

void expect_close(const std::vector<float>& got, const std::vector<Vector>& expected, size_t first_row) {
  const size_t width = expected.front().size();
  ASSERT_EQ(got.size() % width, 0u);
  for (size_t row = 0; row * width < got.size(); ++row)
    EXPECT_LE(relative_error(got.data() + row * width, expected[first_row + row]), test_device().pass_tolerance)
        << "row " << first_row + row;
}

class StateModels : public ::testing::TestWithParam<RandomModel> {};
TEST_P(StateModels, MatchReference) {
  auto model = load_model(random_gguf(GetParam()));
  ASSERT_NE(model, nullptr);
  for (const size_t length : {1, 3, 8, 9, 70, 200}) {
    SCOPED_TRACE(length);
    const auto ids = drawn_ids(length, length);
    const auto cache = model->new_cache(static_cast<int>(length));
    expect_close(run_from(*model, *cache, ids, 0), ReferenceModel(*model->file).all_logits(ids), 0);
  }
}
INSTANTIATE_TEST_SUITE_P(
    Families, StateModels,
    ::testing::Values(
        described("qwen35"), described("qwen35moe"), described("qwen3next"), described("lfm2"), described("lfm2moe"),
        described("granitehybrid"), described("nemotron_h"), described("nemotron_h_moe"), described("falcon-h1"),
        // Experts and a shared one; rotations, as Bamba's; values longer than keys, more heads than are worked on at
        // once.
        RandomModel{.architecture = "granitehybrid",
                    .n_layers = 3,
                    .n_experts = 6,
                    .n_experts_used = 2,
                    .shared_ffn_dim = 48,
                    .attention_interval = 3,
                    .state_dim = 20,
                    .state_value_dim = 36,
                    .conv_bias = false,
                    .rotates = true,
                    .state_key_heads = 1,
                    .state_value_heads = 6},
        RandomModel{.architecture = "falcon-h1",
                    .n_layers = 2,
                    .state_dim = 64,
                    .state_value_dim = 10,
                    .state_norm = false,
                    .state_key_heads = 2,
                    .state_value_heads = 10},

        // Channels that fill no vector and no thread's share; windows, which converters may name.
        RandomModel{
            .architecture = "lfm2", .n_layers = 4, .dim = 140, .window = 24, .attention_interval = 2, .conv_width = 2},
        RandomModel{.architecture = "qwen35", .n_layers = 4, .draft_layers = 1, .attention_interval = 4},
        // As many key heads as value heads, of a length that fills no vector; a longer convolution.
        RandomModel{.architecture = "qwen35",
                    .attention_interval = 2,
                    .state_dim = 10,
                    .state_key_heads = 3,
                    .state_value_heads = 3,
                    .conv_width = 6},
        RandomModel{.architecture = "qwen3next",
                    .n_experts = 4,
                    .n_experts_used = 2,
                    .shared_ffn_dim = 32,
                    .attention_interval = 2,
                    .state_dim = 64,
                    .state_key_heads = 1,
                    .state_value_heads = 3,
                    .conv_width = 2},
        // No layer that attends at all.
        RandomModel{.architecture = "qwen35", .attention_interval = 9}),
    mneme::testing::parameter_name<StateModels::ParamType>);

TEST(StateLayers, PiecesOfATextGiveWhatItGivesWhole) {
  for (const char* architecture : {"qwen35", "qwen3next", "lfm2", "granitehybrid", "nemotron_h", "falcon-h1"}) {
    auto model = load_model(random_gguf(described(architecture)));
    ASSERT_NE(model, nullptr);
    const auto ids = drawn_ids(5, 160);
    const auto expected = ReferenceModel(*model->file).all_logits(ids);
    const auto cache = model->new_cache(160);
    size_t at = 0;
    for (const size_t n : {1, 1, 2, 30, 8, 9, 1, 64, 16, 17, 1, 1, 9}) {
      expect_close(run_from(*model, *cache, slice(ids, at, n), static_cast<int>(at)), expected, at);
      at += n;
      EXPECT_EQ(cache->state_tokens(), static_cast<int>(at));
    }
    ASSERT_EQ(at, ids.size());
  }
}

class StatesOfKinds : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Kinds, StatesOfKinds, ::testing::ValuesIn(kKinds), parameter_name<const char*>);

TEST_P(StatesOfKinds, ShortStepsHaveTheNumbersOfSingleOnes) {
  auto model = load_model(random_gguf(described(GetParam())));
  ASSERT_NE(model, nullptr);
  const int most = model->backend->equal_step_rows();
  if (most < 2) GTEST_SKIP() << "this device does not promise it";
  const auto ids = drawn_ids(6, 40 + static_cast<size_t>(most));
  const auto together = model->new_cache(64);
  const auto alone = model->new_cache(64);
  run_from(*model, *together, slice(ids, 0, 40), 0);
  run_from(*model, *alone, slice(ids, 0, 40), 0);
  const auto all = run_from(*model, *together, slice(ids, 40, static_cast<size_t>(most)), 40);
  std::vector<float> singles;
  for (int i = 0; i < most; ++i) {
    const auto one = run_from(*model, *alone, slice(ids, 40 + static_cast<size_t>(i), 1), 40 + i);
    singles.insert(singles.end(), one.begin(), one.end());
  }
  EXPECT_EQ(all, singles);
}

// So a cache may be used for one text after the other.
TEST_P(StatesOfKinds, AStepAtTheBeginningBeginsAnew) {
  auto model = load_model(random_gguf(described(GetParam())));
  ASSERT_NE(model, nullptr);
  const auto ids = drawn_ids(7, 33);
  const auto fresh = model->new_cache(64);
  const auto used = model->new_cache(64);
  run_from(*model, *used, drawn_ids(8, 50), 0);
  EXPECT_EQ(run_from(*model, *used, ids, 0), run_from(*model, *fresh, ids, 0));
  EXPECT_EQ(run_from(*model, *used, {1}, 33), run_from(*model, *fresh, {1}, 33));
}

TEST_P(StatesOfKinds, KeptStatesAreComeBackTo) {
  auto model = load_model(random_gguf(described(GetParam())));
  ASSERT_NE(model, nullptr);
  const auto cache = model->new_cache(128);
  EXPECT_EQ(cache->kept_state(100), 0);
  run_from(*model, *cache, drawn_ids(9, 20), 0);
  cache->keep_state();
  run_from(*model, *cache, drawn_ids(10, 20), 20);
  cache->keep_state();
  const auto after = run_from(*model, *cache, drawn_ids(11, 30), 40);
  EXPECT_EQ(cache->kept_state(19), 0);
  EXPECT_EQ(cache->kept_state(39), 20);
  EXPECT_EQ(cache->kept_state(100), 40);
  EXPECT_EQ(cache->restore_state(70), 40);
  EXPECT_EQ(cache->state_tokens(), 40);
  EXPECT_EQ(run_from(*model, *cache, drawn_ids(11, 30), 40), after);
  EXPECT_EQ(cache->restore_state(25), 20);
  run_from(*model, *cache, drawn_ids(10, 20), 20);
  EXPECT_EQ(run_from(*model, *cache, drawn_ids(11, 30), 40), after);
  cache->forget(30);  // what was kept behind more is of another text now
  EXPECT_EQ(cache->kept_state(100), 20);
  EXPECT_EQ(cache->restore_state(10), 0);
  EXPECT_EQ(cache->state_tokens(), 0);
}

// However often places are kept, the memory stays the same, and the first ones stay.
TEST_P(StatesOfKinds, FewStatesAreKept) {
  auto model = load_model(random_gguf(described(GetParam())));
  ASSERT_NE(model, nullptr);
  const auto cache = model->new_cache(64);
  for (int i = 0; i < 30; ++i) {
    run_from(*model, *cache, {i}, i);
    cache->keep_state();
    cache->keep_state();  // the same again
  }
  EXPECT_EQ(cache->kept_state(1), 1);
  EXPECT_EQ(cache->kept_state(3), 3);
  EXPECT_EQ(cache->kept_state(29), 3);
  EXPECT_EQ(cache->kept_state(30), 30) << "the last one takes the place of the last but one";
}

TEST_P(StatesOfKinds, AStepThatEndsBetweenLayersLeavesNoState) {
  auto model = load_model(random_gguf(described(GetParam())));
  ASSERT_NE(model, nullptr);
  const auto cache = model->new_cache(64);
  run_from(*model, *cache, drawn_ids(12, 10), 0);
  cache->keep_state();
  const std::vector<TokenPos> positions = {10};
  const RowGroup group{cache.get(), 0, 1};
  ASSERT_TRUE(model->pass->begin(RowSet{positions, {&group, 1}}, std::vector<TokenId>{3}).ok());
  model->pass->run_layer(0);
  EXPECT_EQ(cache->state_tokens(), -1);
  cache->keep_state();
  EXPECT_EQ(cache->restore_state(64), 10);
}

TEST_P(StatesOfKinds, SequencesOfAStepDoNotMix) {
  auto model = load_model(random_gguf(described(GetParam())));
  ASSERT_NE(model, nullptr);
  const ReferenceModel reference(*model->file);
  const auto first = drawn_ids(13, 30);
  const auto second = drawn_ids(14, 12);
  const auto first_cache = model->new_cache(64);
  const auto second_cache = model->new_cache(64);
  run_from(*model, *second_cache, slice(second, 0, 10), 0);
  std::vector<TokenPos> positions;
  std::vector<int> ids = first;
  for (int i = 0; i < 30; ++i) positions.push_back(i);
  for (const int position : {10, 11})
    positions.push_back(position), ids.push_back(second[static_cast<size_t>(position)]);
  const RowGroup groups[] = {{first_cache.get(), 0, 30}, {second_cache.get(), 30, 2}};
  const auto logits = run_step(*model, positions, groups, ids);
  auto expected = reference.all_logits(first);
  const auto of_second = reference.all_logits(second);
  expected.insert(expected.end(), of_second.begin() + 10, of_second.end());
  expect_close(logits, expected, 0);
}

// On the last layer only rows whose logits are wanted go on; the state has all of them.
TEST_P(StatesOfKinds, RowsMayGoBehindTheState) {
  for (const uint32_t interval : {3u, 5u}) {  // a last layer with a state, one that attends with gates
    RandomModel description = described(GetParam());
    description.attention_interval = interval;
    auto model = load_model(random_gguf(description));
    ASSERT_NE(model, nullptr);
    const auto ids = drawn_ids(15, 25);
    const auto expected = ReferenceModel(*model->file).all_logits(ids);
    const auto cache = model->new_cache(64);
    std::vector<TokenPos> positions;
    for (int i = 0; i < 24; ++i) positions.push_back(i);
    const RowGroup group{cache.get(), 0, 24};
    ASSERT_TRUE(
        model->pass->begin(RowSet{positions, {&group, 1}}, std::vector<TokenId>(ids.begin(), ids.begin() + 24)).ok());
    for (int layer = 0; layer + 1 < model->config.n_layers; ++layer) model->pass->run_layer(layer);
    model->pass->project(model->config.n_layers - 1);
    model->pass->keep_rows(std::vector<int>{4, 23});
    model->pass->finish(model->config.n_layers - 1);
    expect_close(logits_of(*model, 2), {expected[4], expected[23]}, 0);
    expect_close(run_from(*model, *cache, {ids[24]}, 24), expected, 24);
  }
}

TEST_P(StatesOfKinds, ResultsDependOnNoNumberOfThreads) {
  const auto bytes = random_gguf(described(GetParam()));
  auto one = load_model(bytes, 1);
  auto three = load_model(bytes, 3);
  ASSERT_TRUE(one != nullptr && three != nullptr);
  const auto ids = drawn_ids(16, 100);
  const auto first = one->new_cache(128);
  const auto second = three->new_cache(128);
  EXPECT_EQ(run_from(*one, *first, ids, 0), run_from(*three, *second, ids, 0));
  EXPECT_EQ(run_from(*one, *first, {5}, 100), run_from(*three, *second, {5}, 100));
}

// Keys and values are of the layers that attend alone.
TEST(StateLayers, TakeNoPagesOfKeysAndValues) {
  auto model = load_model(random_gguf(described()));
  ASSERT_NE(model, nullptr);
  RandomModel attending = described();
  attending.architecture = "qwen3";
  attending.n_layers = 1;
  auto of_one_layer = load_model(random_gguf(attending));
  ASSERT_NE(of_one_layer, nullptr);
  EXPECT_EQ(model->new_cache(64)->memory_bytes(), of_one_layer->new_cache(64)->memory_bytes());
  EXPECT_EQ(model->config.kv_bytes_per_token(), of_one_layer->config.kv_bytes_per_token());
  EXPECT_EQ(model->config.n_state_layers(), 4);
  EXPECT_EQ(model->config.state_bytes(), 4 * (3 * (2 * 2 * 16 + 4 * 16) + 4 * 16 * 16) * 4);
}

}  // namespace
}  // namespace mneme::testing

#include "engine/encoder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "base/random.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"
#include "tests/support/reference_model.h"

namespace mneme::testing {
namespace {

using engine::Encoder;
using engine::TokenId;

std::unique_ptr<Encoder> open_encoder(const std::vector<std::byte>& bytes) {
  const std::string path = write_temporary(bytes, "encoder.gguf");
  auto encoder = Encoder::open(path, {.device = {.device = test_device().name, .n_threads = 2}});
  std::remove(path.c_str());
  EXPECT_TRUE(encoder.ok()) << encoder.status().message();
  return encoder.ok() ? std::move(*encoder) : nullptr;
}

// What the reference makes of one text: pooled, of length 1.
Vector reference_vector(const ReferenceModel& reference, const std::vector<TokenId>& ids, uint32_t pooling) {
  auto cache = reference.empty_cache();
  const auto rows = reference.prefill(ids, cache);
  Vector sum(rows[0].hidden.size());
  for (size_t row = 0; row < rows.size(); ++row) {
    const bool counts = pooling == 1 || (pooling == 2 && row == 0) || (pooling == 3 && row + 1 == rows.size());
    for (size_t i = 0; counts && i < sum.size(); ++i) sum[i] += rows[row].hidden[i];
  }
  double squares = 0;
  for (const double value : sum) squares += value * value;
  for (double& value : sum) value /= std::sqrt(squares);
  return sum;
}

class Encoders : public ::testing::TestWithParam<RandomModel> {};
TEST_P(Encoders, MatchReference) {
  const RandomModel& description = GetParam();
  const auto bytes = random_gguf(description);
  const auto encoder = open_encoder(bytes);
  ASSERT_NE(encoder, nullptr);
  const auto file = gguf::GgufFile::parse(bytes, "encoder.gguf");
  ASSERT_TRUE(file.ok());
  const ReferenceModel reference(*file);
  Random random(80);
  std::vector<std::vector<TokenId>> texts;
  for (const size_t length : {1, 5, 64, 65, 200, 3, 2, 130, 256}) {
    texts.emplace_back();
    for (size_t i = 0; i < length; ++i) texts.back().push_back(static_cast<int>(random.below(97)));
  }
  const auto vectors = encoder->embed_ids(texts);
  ASSERT_TRUE(vectors.ok()) << vectors.status().message();
  ASSERT_EQ(vectors->size(), texts.size() * 64);
  for (size_t i = 0; i < texts.size(); ++i) {
    EXPECT_LE(relative_error(vectors->data() + i * 64, reference_vector(reference, texts[i], description.pooling)),
              2e-3)
        << description.architecture << " text " << i;
  }
}
INSTANTIATE_TEST_SUITE_P(
    Encoder, Encoders,
    ::testing::Values(RandomModel{.architecture = "bert", .n_kv_heads = 4, .context = 256},
                      RandomModel{.architecture = "bert", .n_kv_heads = 4, .context = 256, .fused_qkv = false},
                      RandomModel{.architecture = "bert", .n_kv_heads = 4, .context = 256, .pooling = 2},
                      RandomModel{.architecture = "nomic-bert", .n_kv_heads = 4, .context = 512, .rope_base = 1000.0f},
                      RandomModel{.architecture = "nomic-bert", .n_kv_heads = 4, .context = 512, .pooling = 3}));

// A cross-encoder's score of a pair, by the reference.
double reference_score(const std::vector<std::byte>& bytes, const std::vector<TokenId>& ids, int second) {
  const auto file = gguf::GgufFile::parse(bytes, "ranker.gguf");
  const ReferenceModel reference(*file);
  auto cache = reference.empty_cache();
  std::vector<ReferenceModel::Row> rows;
  for (int i = 0; i < static_cast<int>(ids.size()); ++i) {
    rows.push_back(reference.begin(ids[static_cast<size_t>(i)], i, i >= second ? 1 : 0));
  }
  for (int layer = 0; layer < reference.n_layers(); ++layer) reference.run_layer(layer, rows, cache);
  const auto values = [&](const char* name) {
    const gguf::TensorInfo* tensor = file->find_tensor(name);
    const auto* first = reinterpret_cast<const float*>(tensor->bytes.data());
    return std::vector<double>(first, first + tensor->bytes.size() / sizeof(float));
  };
  const std::vector<double> dense = values("cls.weight");
  const std::vector<double> bias = values("cls.bias");
  const std::vector<double> output = values("cls.output.weight");
  double score = values("cls.output.bias")[0];
  for (size_t row = 0; row < bias.size(); ++row) {
    double sum = bias[row];
    for (size_t i = 0; i < bias.size(); ++i) sum += dense[row * bias.size() + i] * rows[0].hidden[i];
    score += output[row] * std::tanh(sum);
  }
  return score;
}

TEST(Encoder, RanksPairsAsTheReferenceDoes) {
  const auto bytes = random_gguf({.architecture = "bert", .n_kv_heads = 4, .context = 128, .pooling = 4});
  const auto encoder = open_encoder(bytes);
  ASSERT_NE(encoder, nullptr);
  EXPECT_TRUE(encoder->is_ranker());
  Random random(81);
  std::vector<std::vector<TokenId>> pairs;
  std::vector<int> second;
  for (const size_t length : {2, 9, 64, 128, 31}) {
    pairs.emplace_back();
    for (size_t i = 0; i < length; ++i) pairs.back().push_back(static_cast<int>(random.below(97)));
    second.push_back(static_cast<int>(length / 3));
  }
  const auto scores = encoder->rank_ids(pairs, second);
  ASSERT_TRUE(scores.ok()) << scores.status().message();
  for (size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_NEAR((*scores)[i], reference_score(bytes, pairs[i], second[i]), 5e-3) << i;
  }
}

TEST(Encoder, EmbeddersDoNotRankAndRankersNeedAHead) {
  const auto encoder = open_encoder(random_gguf({.architecture = "bert", .n_kv_heads = 4, .context = 32}));
  ASSERT_NE(encoder, nullptr);
  EXPECT_FALSE(encoder->is_ranker());
  const std::string_view text = "1 2";
  EXPECT_EQ(encoder->rank("3", {&text, 1}).status().code(), StatusCode::kUnsupported);
  RandomModel headless{.architecture = "bert", .n_kv_heads = 4, .context = 32, .pooling = 4};
  headless.without_tensor = "cls.output.weight";  // the dense layer alone has 64 classes
  const std::string path = write_temporary(random_gguf(headless), "headless.gguf");
  EXPECT_EQ(Encoder::open(path, {.device = {.device = "cpu"}}).status().code(), StatusCode::kUnsupported);
  std::remove(path.c_str());
}

TEST(Encoder, LongPassagesAreCutBeforeRanking) {
  const auto encoder =
      open_encoder(random_gguf({.architecture = "bert", .n_kv_heads = 4, .context = 32, .pooling = 4}));
  ASSERT_NE(encoder, nullptr);
  std::string longer;
  for (int i = 0; i < 200; ++i) longer += "5 ";
  const std::string_view texts[] = {longer, "", "7 8 9"};
  const auto scores = encoder->rank(longer, texts);
  ASSERT_TRUE(scores.ok()) << scores.status().message();
  EXPECT_EQ(scores->size(), 3u);
}

TEST(Encoder, TextsDoNotInfluenceEachOther) {
  const auto encoder = open_encoder(random_gguf({.architecture = "bert", .n_kv_heads = 4, .context = 64}));
  ASSERT_NE(encoder, nullptr);
  std::vector<std::string> texts;
  for (int i = 0; i < 40; ++i) texts.push_back(std::to_string(i) + " " + std::to_string((i * 7) % 97) + " 3");
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const auto together = encoder->embed(views);
  ASSERT_TRUE(together.ok());
  for (size_t i = 0; i < views.size(); ++i) {
    const auto alone = encoder->embed(std::span(views).subspan(i, 1));
    ASSERT_TRUE(alone.ok());
    for (size_t d = 0; d < 64; ++d) EXPECT_NEAR((*alone)[d], (*together)[i * 64 + d], 1e-4);
  }
}

TEST(Encoder, LongTextsAreCutAndEmptyOnesAreZero) {
  const auto encoder = open_encoder(random_gguf({.architecture = "bert", .n_kv_heads = 4, .context = 32}));
  ASSERT_NE(encoder, nullptr);
  std::string text;
  for (int i = 0; i < 100; ++i) text += "5 ";
  std::string cut;
  for (int i = 0; i < 32; ++i) cut += "5 ";
  const std::string_view views[] = {text, cut, ""};
  const auto vectors = encoder->embed(views);
  ASSERT_TRUE(vectors.ok()) << vectors.status().message();
  for (size_t d = 0; d < 64; ++d) {
    EXPECT_NEAR((*vectors)[d], (*vectors)[64 + d], 1e-5);
    EXPECT_EQ((*vectors)[128 + d], 0.0f);
  }
}

TEST(Encoder, CancelsAndRefusesLanguageModels) {
  const auto encoder = open_encoder(random_gguf({.architecture = "bert", .n_kv_heads = 4, .context = 32}));
  ASSERT_NE(encoder, nullptr);
  CancelToken cancel;
  cancel.cancel();
  const std::string_view text = "1 2 3";
  EXPECT_EQ(encoder->embed({&text, 1}, cancel).status().code(), StatusCode::kCancelled);
  const std::string path = write_temporary(random_gguf({}), "llama.gguf");
  EXPECT_EQ(Encoder::open(path, {.device = {.device = "cpu"}}).status().code(), StatusCode::kUnsupported);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace mneme::testing

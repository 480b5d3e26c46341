#include "engine/encoder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "base/random.h"
#include "tests/support/loaded_model.h"
#include "tests/support/parameter_names.h"
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
    const Vector output = reference.output(rows[row]);
    for (size_t i = 0; counts && i < sum.size(); ++i) sum[i] += output[i];
  }
  for (const char* name : {"dense_2.weight", "dense_3.weight"}) {
    if (reference.has(name)) sum = reference.multiply(name, sum);
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
    ::testing::Values(
        RandomModel{.architecture = "bert", .n_kv_heads = 4, .context = 256},
        RandomModel{.architecture = "bert", .n_kv_heads = 4, .context = 256, .fused_qkv = false},
        RandomModel{.architecture = "bert", .n_kv_heads = 4, .context = 256, .pooling = 2},
        RandomModel{.architecture = "nomic-bert", .n_kv_heads = 4, .context = 512, .rope_base = 1000.0f},
        RandomModel{.architecture = "qwen3", .context = 512, .pooling = 3},
        RandomModel{.architecture = "gemma-embedding", .n_layers = 7, .context = 512, .window = 16},
        RandomModel{.architecture = "gemma-embedding", .context = 512, .window = 130, .dense = 160},
        RandomModel{.architecture = "nomic-bert", .n_kv_heads = 4, .context = 512, .pooling = 3},
        RandomModel{.architecture = "nomic-bert-moe",
                    .n_layers = 4,
                    .n_kv_heads = 4,
                    .context = 512,
                    .n_experts = 8,
                    .n_experts_used = 2},
        RandomModel{.architecture = "modern-bert", .n_layers = 5, .n_kv_heads = 4, .context = 512, .window = 16},
        RandomModel{
            .architecture = "modern-bert", .n_layers = 4, .n_kv_heads = 4, .context = 512, .window = 130, .pooling = 2},
        RandomModel{.architecture = "jina-bert-v2", .n_kv_heads = 4, .context = 512},
        RandomModel{.architecture = "jina-bert-v2",
                    .n_heads = 6,
                    .n_kv_heads = 6,
                    .context = 512,
                    .fused_gate = true,
                    .pooling = 2}),
    mneme::testing::parameter_name<Encoders::ParamType>);

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

// ModernBERT's head: mean of all rows, dense, GELU, layer norm, dense.
double reference_mean_score(const std::vector<std::byte>& bytes, const std::vector<TokenId>& ids) {
  const auto file = gguf::GgufFile::parse(bytes, "ranker.gguf");
  const ReferenceModel reference(*file);
  auto cache = reference.empty_cache();
  Vector mean(64);
  for (const auto& row : reference.prefill(ids, cache)) {
    const Vector output = reference.output(row);
    for (size_t i = 0; i < mean.size(); ++i) mean[i] += output[i] / static_cast<double>(ids.size());
  }
  Vector inner = reference.multiply("cls.weight", mean);
  for (double& value : inner) value *= 0.5 * (1.0 + std::erf(value / std::sqrt(2.0)));
  const auto* bias = reinterpret_cast<const float*>(file->find_tensor("cls.output.bias")->bytes.data());
  return reference.multiply("cls.output.weight", reference.layer_norm("cls.norm", inner))[0] + *bias;
}

TEST(Encoder, RanksByTheMeanWhereTheFamilyDoes) {
  RandomModel model{
      .architecture = "modern-bert", .n_layers = 4, .n_kv_heads = 4, .context = 128, .window = 16, .pooling = 4};
  const auto bytes = random_gguf(model);
  const auto encoder = open_encoder(bytes);
  ASSERT_NE(encoder, nullptr);
  Random random(82);
  std::vector<std::vector<TokenId>> pairs;
  for (const size_t length : {2, 9, 64, 128}) {
    pairs.emplace_back();
    for (size_t i = 0; i < length; ++i) pairs.back().push_back(static_cast<int>(random.below(97)));
  }
  const auto scores = encoder->rank_ids(pairs, std::vector<int>(pairs.size(), 1));
  ASSERT_TRUE(scores.ok()) << scores.status().message();
  for (size_t i = 0; i < pairs.size(); ++i) EXPECT_NEAR((*scores)[i], reference_mean_score(bytes, pairs[i]), 5e-3) << i;
  for (const char* name : {"cls.norm.weight", "cls.weight"}) {
    model.without_tensor = name;
    const std::string path = write_temporary(random_gguf(model), "headless.gguf");
    EXPECT_EQ(Encoder::open(path, {.device = {.device = "cpu"}}).status().code(), StatusCode::kUnsupported) << name;
    std::remove(path.c_str());
  }
}

// By how much the reference finds the first label likelier than the second behind the last token.
double reference_yes(const std::vector<std::byte>& bytes, const std::vector<TokenId>& ids, const char* labels,
                     size_t yes, size_t no) {
  const auto file = gguf::GgufFile::parse(bytes, "ranker.gguf");
  const ReferenceModel reference(*file);
  auto cache = reference.empty_cache();
  const Vector scores = reference.multiply(labels, reference.output(reference.prefill(ids, cache).back()));
  return scores[yes] - scores[no];
}

TEST(Encoder, LanguageModelsThatRankAreAskedForYesOrNo) {
  RandomModel model{.architecture = "qwen3", .context = 64, .pooling = 4, .n_labels = 2};
  model.rank_template = "7 {query} 8 {document} 9";
  const auto bytes = random_gguf(model);
  const auto encoder = open_encoder(bytes);
  ASSERT_NE(encoder, nullptr);
  EXPECT_TRUE(encoder->is_ranker());
  std::string longer;
  for (int i = 0; i < 200; ++i) longer += "5 ";
  const std::string_view passages[] = {"3 4", longer};
  const auto scores = encoder->rank("1 2", passages);
  ASSERT_TRUE(scores.ok()) << scores.status().message();
  EXPECT_NEAR((*scores)[0], reference_yes(bytes, {7, 1, 2, 8, 3, 4, 9}, "cls.output.weight", 0, 1), 5e-3);
  // The template's end stays where the passage is cut: all fives but the frame.
  std::vector<TokenId> cut = {7, 1, 2, 8};
  for (int i = 0; i < 64 - 3 - 8 - 2; ++i) cut.push_back(5);
  cut.push_back(9);
  EXPECT_NEAR((*scores)[1], reference_yes(bytes, cut, "cls.output.weight", 0, 1), 5e-3);
}

TEST(Encoder, RerankersConvertedAsLanguageModelsAreKnownByName) {
  RandomModel model{.architecture = "qwen3", .name = "Qwen3 Reranker 0.6B", .context = 64};
  model.extra_text_lists["tokenizer.ggml.tokens"] = {"maybe", "no", "so", "yes"};
  const auto bytes = random_gguf(model);
  const auto encoder = open_encoder(bytes);
  ASSERT_NE(encoder, nullptr);
  const std::vector<TokenId> ids = {7, 1, 2, 8, 3, 4, 9};
  const int second = 0;
  const auto scores = encoder->rank_ids({&ids, 1}, {&second, 1});
  ASSERT_TRUE(scores.ok()) << scores.status().message();
  EXPECT_NEAR((*scores)[0], reference_yes(bytes, ids, "output.weight", 3, 1), 5e-3);
}

TEST(Encoder, HeadsThatDoNotFitAreRefused) {
  const auto open = [](const RandomModel& model) {
    const std::string path = write_temporary(random_gguf(model), "head.gguf");
    const Status status = Encoder::open(path, {.device = {.device = "cpu"}}).status();
    std::remove(path.c_str());
    return status;
  };
  EXPECT_EQ(open({.architecture = "qwen3", .context = 64, .pooling = 4, .n_labels = 3}).code(),
            StatusCode::kUnsupported);
  // Neither "yes" nor "no" in a vocabulary of numbers.
  EXPECT_EQ(open({.architecture = "qwen3", .name = "a Reranker", .context = 64}).code(), StatusCode::kUnsupported);
  RandomModel inner{.architecture = "gemma-embedding", .context = 64, .dense = 96};
  inner.without_tensor = "dense_2.weight";  // the second layer's rows are of 96 then
  EXPECT_EQ(open(inner).code(), StatusCode::kCorruption);
  RandomModel extra{.architecture = "qwen3", .context = 64, .pooling = 3};
  extra.extra_tensor = "dense_4.weight";
  EXPECT_EQ(open(extra).code(), StatusCode::kUnsupported);
}

TEST(Encoder, MarkersStandAroundTextsAsTheFileSays) {
  RandomModel model{.architecture = "bert", .n_kv_heads = 4, .vocab_size = 320, .context = 64};
  model.unigram = model.vocabulary = true;
  const auto embedder = open_encoder(random_gguf(model));
  ASSERT_NE(embedder, nullptr);
  const auto& tokenizer = embedder->tokenizer();
  const auto ids = tokenizer.encode("w40  w41");  // spaces are one
  EXPECT_EQ(ids, (std::vector<TokenId>{40, 41}));
  const std::string_view text = "w40 w41";
  const std::vector<TokenId> marked = {0, 40, 41, 2};
  EXPECT_EQ(*embedder->embed({&text, 1}), *embedder->embed_ids({&marked, 1}));
  model.pooling = 4;
  const auto ranker = open_encoder(random_gguf(model));
  ASSERT_NE(ranker, nullptr);
  const std::vector<TokenId> pair = {0, 40, 2, 2, 41, 2};  // <s> question </s></s> passage </s>
  const int second = 4;
  const std::string_view passage = "w41";
  EXPECT_EQ(*ranker->rank("w40", {&passage, 1}), *ranker->rank_ids({&pair, 1}, {&second, 1}));
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

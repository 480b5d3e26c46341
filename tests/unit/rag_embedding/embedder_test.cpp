#include "rag/embedding/embedder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "base/hash.h"
#include "base/random.h"
#include "engine/gguf/gguf_writer.h"
#include "rag/embedding/encoder_embedder.h"
#include "rag/embedding/hashed_embedder.h"
#include "rag/embedding/static_embedder.h"
#include "rag/embedding/static_tokenizer.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"

namespace mneme::rag {
namespace {

using ::testing::ElementsAre;

std::vector<float> embed(const Embedder& embedder, std::string_view text, EmbedKind kind = EmbedKind::kPassage) {
  std::vector<float> vector(static_cast<size_t>(embedder.dim()), 7.0f);  // what stood there before does not count
  EXPECT_TRUE(embedder.embed({&text, 1}, kind, vector).ok());
  return vector;
}

float dot(const std::vector<float>& a, const std::vector<float>& b) {
  float sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

TEST(HashedEmbedder, VectorsAreOfUnitLengthAndRepeatable) {
  const HashedEmbedder embedder;
  const auto v = embed(embedder, "The quick brown fox, 東京タワー and Straße.");
  EXPECT_NEAR(dot(v, v), 1.0f, 1e-5f);
  EXPECT_EQ(v, embed(embedder, "The quick brown fox, 東京タワー and Straße."));
  EXPECT_EQ(dot(embed(embedder, "... !"), v), 0.0f);
}

// Homes keep vectors under the embedder's identity: whoever changes what comes out gives it another version, and then
// these numbers.
TEST(HashedEmbedder, VectorsStayWhatTheyAreUnderTheirIdentity) {
  const HashedEmbedder embedder(128);
  EXPECT_EQ(embedder.identity(), "hashed-2-128");
  std::string many;  // more different words than a short text has
  for (int i = 0; i < 3000; ++i) many += "word" + std::to_string(i) + (i % 3 == 0 ? " the " : " ");
  const auto digest = [&](std::string_view text, EmbedKind kind) {
    std::vector<int16_t> rounded;
    for (const float x : embed(embedder, text, kind)) rounded.push_back(static_cast<int16_t>(std::lround(x * 1000)));
    return xxh3_128(std::as_bytes(std::span(rounded))).hex().substr(0, 8);
  };
  constexpr std::string_view kText =
      "The ferries of the harbour, the Hafenrundfahrten and Straßenbahnen: 東京タワー 2024, a ferry, ferries, no.";
  EXPECT_EQ(digest(kText, EmbedKind::kPassage), "0a56e575");
  EXPECT_EQ(digest(kText, EmbedKind::kQuery), "470bcf0e");
  EXPECT_EQ(digest(many, EmbedKind::kPassage), "5d2afb63");
}

TEST(PassageToEmbed, HasItsHeadingsBefore) {
  EXPECT_EQ(passage_to_embed("", "The text."), "The text.");
  EXPECT_EQ(passage_to_embed("Guide > Ferries", "The text."), "Guide > Ferries\nThe text.");
}

TEST(HashedEmbedder, SharedAndMisspeltWordsBringTextsNear) {
  const HashedEmbedder embedder;
  const auto question = embed(embedder, "How are lighthouses painted?", EmbedKind::kQuery);
  const auto near = embed(embedder, "The lighthouse was paintd white by the keeper.");
  const auto far = embed(embedder, "Compilers translate programs into machine code.");
  EXPECT_GT(dot(question, near), dot(question, far) + 0.1f);
  EXPECT_GT(dot(embed(embedder, "红烧肉的做法"), embed(embedder, "红烧肉怎么做")),
            dot(embed(embedder, "红烧肉的做法"), embed(embedder, "东京的天气")));
}

TEST(HashedEmbedder, AnyBytesAreSafe) {
  const HashedEmbedder embedder(64);
  Random random(9);
  for (int round = 0; round < 200; ++round) {
    std::string bytes(random.below(400), '\0');
    for (char& c : bytes) c = static_cast<char>(random.below(256));
    for (const float x : embed(embedder, bytes)) ASSERT_TRUE(std::isfinite(x));
  }
}

TEST(StaticTokenizer, CutsGreedilyAndFolds) {
  const std::vector<std::string> pieces = {"▁cat", "▁c", "at", "s", "東", "東京", "▁"};
  auto made = StaticTokenizer::make(pieces, 4, 16);
  ASSERT_TRUE(made.ok());
  const auto encode = [&](std::string_view text) {
    std::vector<int32_t> ids;
    made->encode(text, ids);
    return ids;
  };
  EXPECT_THAT(encode("CATS"), ElementsAre(4, 7));               // ▁cat + s
  EXPECT_THAT(encode("ｃａｔ! c\xCC\x81"), ElementsAre(4, 5));  // full width; a mark is dropped
  EXPECT_THAT(encode("東京東"), ElementsAre(10, 9, 8));         // ▁, then the longest
  EXPECT_THAT(encode("z"), ElementsAre(10, 'z' % 4));
  EXPECT_TRUE(encode(" .,!").empty());
  EXPECT_FALSE(StaticTokenizer::make(std::vector<std::string>{""}, 4, 16).ok());
  EXPECT_FALSE(StaticTokenizer::make(std::vector<std::string>{"abc"}, 4, 2).ok());
}

// Long pieces that share little have more edges than the table begins with.
TEST(StaticTokenizer, RefusesSizesThatCannotBe) {
  const std::vector<std::string> pieces = {"▁red"};
  const auto makes = [&](int n_buckets, int max_piece_length) {
    return StaticTokenizer::make(pieces, n_buckets, max_piece_length).ok();
  };
  EXPECT_TRUE(makes(1, 4));
  EXPECT_TRUE(makes(1, 256));
  EXPECT_FALSE(makes(0, 16));
  EXPECT_FALSE(makes(1, 0));
  EXPECT_FALSE(makes(1, 3)) << "a piece is longer";
  EXPECT_FALSE(makes(1, 257));
}

TEST(StaticTokenizer, FindsTheLongestPieceOfAnyVocabulary) {
  Random random(17);
  const auto word = [&](size_t most) {
    std::string letters(1 + random.below(most), 'a');
    for (char& c : letters) c = static_cast<char>('a' + random.below(3));
    return letters;
  };
  std::vector<std::string> pieces{"\u2581"};
  std::map<std::string, int32_t> ids{{"\u2581", 256}};
  while (pieces.size() < 500) {
    const std::string piece = word(30);
    if (ids.emplace(piece, 256 + static_cast<int32_t>(pieces.size())).second) pieces.push_back(piece);
  }
  const auto tokenizer = StaticTokenizer::make(pieces, 256, 30);
  ASSERT_TRUE(tokenizer.ok());
  for (int round = 0; round < 300; ++round) {
    const std::string text = word(80);
    std::vector<int32_t> expected{256};
    for (size_t at = 0; at < text.size();) {
      size_t length = std::min<size_t>(30, text.size() - at);
      while (length > 1 && !ids.contains(text.substr(at, length))) --length;
      const auto found = ids.find(text.substr(at, length));
      expected.push_back(found != ids.end() ? found->second : text[at] % 256);
      at += length;
    }
    std::vector<int32_t> got;
    tokenizer->encode(text, got);
    ASSERT_EQ(got, expected) << text;
  }
}

// A file of three pieces and two dimensions.
std::vector<std::byte> static_file(const std::vector<float>& table, uint32_t dim, uint32_t version = 1) {
  gguf::GgufWriter writer;
  writer.add_text("general.architecture", "mneme-static");
  writer.add_u32("mneme-static.version", version);
  writer.add_u32("mneme-static.embedding_length", dim);
  writer.add_u32("mneme-static.bucket_count", 1);
  writer.add_u32("mneme-static.max_piece_length", 16);
  writer.add_texts("tokenizer.ggml.tokens", {"<bucket_0>", "▁red", "▁kettle"});
  const auto bytes = std::as_bytes(std::span(table));
  writer.add_tensor("token_embd.weight", {2, table.size() / 2}, gguf::TensorType::kF32, bytes);
  return writer.finish();
}

Result<std::unique_ptr<Embedder>> open_static(const std::vector<std::byte>& bytes) {
  auto file = gguf::GgufFile::parse(bytes, "test.gguf");
  if (!file.ok()) return file.status();
  return StaticEmbedder::open(*std::move(file));
}

TEST(StaticEmbedder, SumsWeightedTokens) {
  const auto bytes = static_file({0, 0, 1, 0, 0, 1}, 2);
  auto embedder = open_static(bytes);
  ASSERT_TRUE(embedder.ok()) << embedder.status().message();
  const auto v = embed(**embedder, "Red kettle red");
  const float red = 1.0f + std::log(2.0f);
  const float norm = std::sqrt(red * red + 1.0f);
  EXPECT_NEAR(v[0], red / norm, 1e-6f);
  EXPECT_NEAR(v[1], 1.0f / norm, 1e-6f);
  EXPECT_EQ(embed(**embedder, "?"), (std::vector<float>{0, 0}));
  EXPECT_TRUE((*embedder)->identity().starts_with("static-"));
  EXPECT_NE((*embedder)->identity(), (*open_static(static_file({0, 0, 1, 0, 0, 2}, 2)))->identity());
}

TEST(StaticEmbedder, KnowsTheWordsOfItsVocabulary) {
  const auto embedder = open_static(static_file({0, 0, 1, 0, 0, 1}, 2));
  ASSERT_TRUE(embedder.ok());
  EXPECT_TRUE((*embedder)->knows_word("kettle"));
  for (const char* word : {"kettles", "k", "", "red kettle"}) EXPECT_FALSE((*embedder)->knows_word(word)) << word;
}

TEST(StaticEmbedder, RefusesWhatDoesNotFitTogether) {
  EXPECT_EQ(open_static(static_file({0, 0, 1, 0, 0, 1}, 3)).status().code(), StatusCode::kCorruption);
  EXPECT_EQ(open_static(static_file({0, 0, 1, 0}, 2)).status().code(), StatusCode::kCorruption);
  EXPECT_EQ(open_static(static_file({0, 0, 1, 0, 0, 1}, 2, 9)).status().code(), StatusCode::kUnsupported);
}

TEST(OpenEmbedder, NamesWhatIsMissing) {
  EXPECT_TRUE(open_embedder("", 1).ok());
  EXPECT_TRUE(open_embedder("hashed", 1).ok());
  EXPECT_EQ(open_embedder("/nowhere/e.gguf", 1).status().code(), StatusCode::kNotFound);
}

// A small encoder of random weights, as a file for the test's time.
std::string write_encoder(const testing::RandomModel& model) {
  return testing::write_temporary(testing::random_gguf(model), "encoder.gguf");
}

TEST(EncoderEmbedder, OpensByArchitectureAndGivesUnitVectors) {
  for (const char* architecture : {"bert", "nomic-bert"}) {
    const std::string path = write_encoder(
        {.architecture = architecture, .n_kv_heads = 4, .vocab_size = 400, .context = 64, .vocabulary = true});
    auto embedder = open_embedder(path, 1, "cpu");
    std::remove(path.c_str());
    ASSERT_TRUE(embedder.ok()) << embedder.status().message();
    EXPECT_EQ((*embedder)->dim(), 64);
    const auto v = embed(**embedder, "a red kettle");
    EXPECT_NEAR(dot(v, v), 1.0f, 1e-3f);
    EXPECT_EQ(v, embed(**embedder, "a red kettle"));
    EXPECT_GE((*embedder)->similarity_floor(), 0.0);
    EXPECT_LT((*embedder)->similarity_floor(), 1.0);
  }
}

// Models are trained with words before questions and before texts.
TEST(EncoderEmbedder, QuestionsAndPassagesHaveTheirPrefixes) {
  testing::RandomModel model{
      .architecture = "bert", .n_kv_heads = 4, .vocab_size = 400, .context = 64, .vocabulary = true};
  const auto open = [&](const char* name) {
    model.name = name;
    const std::string path = write_encoder(model);
    auto embedder = open_embedder(path, 1, "cpu");
    std::remove(path.c_str());
    EXPECT_TRUE(embedder.ok()) << embedder.status().message();
    return *std::move(embedder);
  };
  const auto plain = open("some encoder");
  const auto bge = open("bge small");
  EXPECT_NE(plain->identity(), bge->identity());
  const auto question = embed(*bge, "w300 w301", EmbedKind::kQuery);
  const auto passage = embed(*bge, "w300 w301", EmbedKind::kPassage);
  EXPECT_EQ(question, embed(*plain, "Represent this sentence for searching relevant passages: w300 w301"));
  EXPECT_EQ(passage, embed(*plain, "w300 w301"));
  EXPECT_EQ(embed(*plain, "w300 w301", EmbedKind::kQuery), embed(*plain, "w300 w301", EmbedKind::kPassage));
  EXPECT_NE(question, passage);
}

// What texts have in common that have nothing in common, by these weights.
TEST(EncoderEmbedder, TheFloorIsHowAlikeStrangersAre) {
  const std::string path =
      write_encoder({.architecture = "bert", .n_kv_heads = 4, .vocab_size = 400, .context = 64, .vocabulary = true});
  const auto embedder = open_embedder(path, 1, "cpu");
  std::remove(path.c_str());
  ASSERT_TRUE(embedder.ok());
  constexpr std::string_view kStrangers[] = {"A kettle boils water for the tea.", "Her uncle sails around the world.",
                                             "Prices of copper fell by a third.", "Owls hunt mice in silence."};
  double sum = 0;
  for (size_t a = 0; a < 4; ++a)
    for (size_t b = 0; b < a; ++b) sum += dot(embed(**embedder, kStrangers[a]), embed(**embedder, kStrangers[b]));
  EXPECT_NEAR((*embedder)->similarity_floor(), sum / 6, 0.1);
  EXPECT_GT((*embedder)->similarity_floor(), 0.0);
}

TEST(EncoderEmbedder, OtherWeightsHaveAnotherIdentity) {
  std::vector<std::string> identities;
  for (const uint64_t seed : {1u, 2u, 1u}) {
    const std::string path = write_encoder(
        {.architecture = "bert", .n_kv_heads = 4, .vocab_size = 400, .context = 64, .seed = seed, .vocabulary = true});
    auto embedder = open_embedder(path, 1, "cpu");
    std::remove(path.c_str());
    ASSERT_TRUE(embedder.ok()) << embedder.status().message();
    identities.push_back((*embedder)->identity());
  }
  EXPECT_NE(identities[0], identities[1]);
  EXPECT_EQ(identities[0], identities[2]);
}

// Qwen3-Embedding 4B and 8B give more than an index holds; the first elements are a vector by themselves.
TEST(EncoderEmbedder, VectorsOfNestedModelsAreCut) {
  EXPECT_EQ(kept_elements("Qwen3-Embedding-0.6B", 1024), 1024);
  EXPECT_EQ(kept_elements("Qwen3-Embedding-8B-Q4_K_M.gguf", 4096), 2048);
  EXPECT_EQ(kept_elements("some-large-embedder", 4096), 0);
  EXPECT_EQ(kept_elements("some-large-embedder", 2048), 2048);
  testing::RandomModel model{.architecture = "qwen3", .name = "Qwen3 Embedding 4B", .n_layers = 1, .dim = 2112};
  model.pooling = 3;
  const std::string path = write_encoder(model);
  auto embedder = open_embedder(path, 1, "cpu");
  std::remove(path.c_str());
  ASSERT_TRUE(embedder.ok()) << embedder.status().message();
  EXPECT_EQ((*embedder)->dim(), 2048);
  const auto v = embed(**embedder, "1 2 3");
  EXPECT_EQ(v.size(), 2048u);
  EXPECT_NEAR(dot(v, v), 1.0f, 1e-4f);
  model.name = "some large embedder";
  const std::string other = write_encoder(model);
  EXPECT_EQ(open_embedder(other, 1, "cpu").status().code(), StatusCode::kUnsupported);
  std::remove(other.c_str());
}

TEST(EncoderEmbedder, LanguageModelsAreNoEmbedders) {
  const std::string path = write_encoder({});
  const auto opened = open_embedder(path, 1, "cpu");
  std::remove(path.c_str());
  EXPECT_EQ(opened.status().code(), StatusCode::kUnsupported);
}

TEST(EncoderPrefixes, FollowTheFamily) {
  EXPECT_EQ(encoder_prefixes("nomic-embed-text-v1.5", "nomic-bert").query, "search_query: ");
  EXPECT_EQ(encoder_prefixes("text-v2", "nomic-bert-moe").passage, "search_document: ");
  EXPECT_EQ(encoder_prefixes("modernbert-embed-base", "modern-bert").query, "search_query: ");
  EXPECT_EQ(encoder_prefixes("gte-modernbert-base", "modern-bert").query, "");
  EXPECT_EQ(encoder_prefixes("multilingual-e5-small.gguf", "bert").passage, "passage: ");
  EXPECT_EQ(encoder_prefixes("bge-small-en-v1.5-q8_0.gguf", "bert").passage, "");
  EXPECT_NE(encoder_prefixes("bge-small-en-v1.5-q8_0.gguf", "bert").query, "");
  EXPECT_NE(encoder_prefixes("BGE Large ZH", "bert").query, encoder_prefixes("bge-small-en", "bert").query);
  EXPECT_EQ(encoder_prefixes("all-MiniLM-L6-v2", "bert").query, "");
  EXPECT_EQ(encoder_prefixes("bge-m3", "bert").query, "");
  EXPECT_EQ(encoder_prefixes("snowflake-arctic-embed-l-v2.0", "bert").query, "query: ");
  EXPECT_EQ(encoder_prefixes("embeddinggemma-300m", "gemma-embedding").passage, "title: none | text: ");
  EXPECT_TRUE(encoder_prefixes("multilingual-e5-large-instruct", "bert").query.ends_with("\nQuery: "));
  EXPECT_TRUE(encoder_prefixes("Qwen3-Embedding-0.6B-Q8_0", "qwen3").query.ends_with("\nQuery:"));
  EXPECT_EQ(encoder_prefixes("Qwen3-Embedding-0.6B-Q8_0", "qwen3").passage, "");
  EXPECT_EQ(encoder_prefixes("Qwen3-0.6B-Q8_0", "qwen3").query, "");
  EXPECT_TRUE(encoder_prefixes("mxbai-embed-large-v1", "bert").query.starts_with("Represent this sentence"));
}

}  // namespace
}  // namespace mneme::rag

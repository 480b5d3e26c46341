// Sequences of models with layers that keep a state: texts that are cut back, cancelled and gone on with, and what such
// models refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "base/random.h"
#include "engine/decoding/drafted_decoder.h"
#include "engine/fusion/fuser.h"
#include "engine/kv/chunk_kv.h"
#include "engine/kv/memory_source.h"
#include "engine/language_model.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"
#include "tests/support/reference_model.h"

namespace mneme::testing {
namespace {

using engine::LanguageModel;
using engine::Sequence;
using engine::TokenId;
using ::testing::HasSubstr;

constexpr double kTolerance = 1e-3;

RandomModel description() {
  return {.architecture = "qwen35", .n_layers = 4, .head_dim = 32, .n_rot = 8, .seed = 17, .attention_interval = 4};
}

std::unique_ptr<LanguageModel> open_model() {
  const std::string path = write_temporary(random_gguf(description()), "state.gguf");
  auto model = LanguageModel::open(path, {.device = {.device = "cpu", .n_threads = 2}});
  std::remove(path.c_str());
  EXPECT_TRUE(model.ok()) << model.status().message();
  return model.ok() ? std::move(*model) : nullptr;
}

std::unique_ptr<Sequence> new_sequence(LanguageModel& model) {
  auto sequence = model.new_sequence(2048);
  EXPECT_TRUE(sequence.ok()) << sequence.status().message();
  return std::move(*sequence);
}

std::vector<TokenId> draw(uint64_t seed, size_t n) {
  Random random(seed);
  std::vector<TokenId> ids(n);
  for (TokenId& id : ids) id = static_cast<TokenId>(random.below(97));
  return ids;
}

// What the sequence says next is what an fp64 pass over its tokens says.
void expect_exact(const Sequence& sequence) {
  const auto bytes = random_gguf(description());
  const auto file = gguf::GgufFile::parse(bytes, "x");
  const std::vector<int> ids(sequence.tokens().begin(), sequence.tokens().end());
  EXPECT_LE(relative_error(sequence.logits().data(), ReferenceModel(*file).all_logits(ids).back()), kTolerance);
}

TEST(StateSequences, ATextThatIsCutBackIsReadAgainAsFarAsNeeded) {
  const auto model = open_model();
  ASSERT_NE(model, nullptr);
  const auto sequence = new_sequence(*model);
  ASSERT_TRUE(sequence->append(draw(1, 40)).ok());
  sequence->keep_place();
  ASSERT_TRUE(sequence->append(draw(2, 60)).ok());
  EXPECT_EQ(sequence->kept_place(100), 100);
  EXPECT_EQ(sequence->kept_place(99), 40);
  EXPECT_EQ(sequence->kept_place(39), 0);
  for (const int cut : {100, 70, 40, 30, 0}) {
    SCOPED_TRACE(cut);
    sequence->truncate(cut);
    ASSERT_TRUE(sequence->append(draw(static_cast<uint64_t>(cut) + 3, 20)).ok());
    EXPECT_EQ(sequence->n_tokens(), cut + 20);
    expect_exact(*sequence);
  }
}

// What was come back to once is kept: coming back to it again and again reads it once.
TEST(StateSequences, PlacesThatAreComeBackToAreKept) {
  const auto model = open_model();
  ASSERT_NE(model, nullptr);
  const auto sequence = new_sequence(*model);
  ASSERT_TRUE(sequence->append(draw(4, 50)).ok());
  sequence->truncate(30);
  EXPECT_EQ(sequence->kept_place(30), 0);
  ASSERT_TRUE(sequence->append(draw(5, 5)).ok());
  sequence->truncate(30);
  EXPECT_EQ(sequence->kept_place(30), 30);
  ASSERT_TRUE(sequence->append(draw(6, 5)).ok());
  expect_exact(*sequence);
}

// The first step of the append has run when the second one fails.
TEST(StateSequences, AnAppendThatFailsLeavesTheSequenceAsItWas) {
  const auto model = open_model();
  ASSERT_NE(model, nullptr);
  const auto sequence = new_sequence(*model);
  ASSERT_TRUE(sequence->append(draw(7, 30)).ok());
  std::vector<TokenId> ids = draw(8, 600);
  ids.back() = 97;  // not in the vocabulary
  EXPECT_EQ(sequence->append(ids).code(), StatusCode::kUsage);
  EXPECT_EQ(sequence->n_tokens(), 30);
  EXPECT_NE(sequence->kv().state_tokens(), 30);
  ASSERT_TRUE(sequence->append(draw(9, 1)).ok());
  expect_exact(*sequence);
}

// Whenever it is: some of these are cancelled between two layers, some between two steps, some are done before.
TEST(StateSequences, CancelLeavesTheSequenceAsItWas) {
  const auto model = open_model();
  ASSERT_NE(model, nullptr);
  const auto sequence = new_sequence(*model);
  ASSERT_TRUE(sequence->append(draw(10, 30)).ok());
  for (int i = 0; i < 10; ++i) {
    sequence->truncate(30);
    CancelToken cancel;
    std::thread canceller([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(400 * i));
      cancel.cancel();
    });
    const Status status = sequence->append(draw(11, 700), cancel);
    canceller.join();
    EXPECT_EQ(sequence->n_tokens(), status.ok() ? 730 : 30);
    sequence->truncate(30);
    ASSERT_TRUE(sequence->append(draw(12, 2)).ok());
    expect_exact(*sequence);
  }
}

TEST(StateSequences, DraftNothing) {
  const auto model = open_model();
  ASSERT_NE(model, nullptr);
  const auto sequence = new_sequence(*model);
  std::vector<TokenId> ids;
  for (int i = 0; i < 60; ++i) ids.push_back(i % 6);  // what prompt lookup would guess on with
  ASSERT_TRUE(sequence->append(ids).ok());
  {
    engine::DraftedDecoder decoder(*model, *sequence, engine::DraftedDecoder::kMostDrafted);
    for (int i = 60; i < 70; ++i) ASSERT_TRUE(decoder.append(i % 6, never_cancelled()).ok());
    EXPECT_EQ(decoder.counts().drafted, 0);
    EXPECT_EQ(decoder.counts().steps, 10);
  }
  expect_exact(*sequence);
}

TEST(StateSequences, KvOfPartsAndRetrievalAreRefusedInASentence) {
  const auto model = open_model();
  ASSERT_NE(model, nullptr);
  const auto sequence = new_sequence(*model);
  const Status retrieval = sequence->set_retrieval({.kind = engine::AttentionKind::kPq});
  EXPECT_EQ(retrieval.code(), StatusCode::kUnsupported);
  EXPECT_THAT(retrieval.message(), HasSubstr("--attention full"));
  EXPECT_TRUE(sequence->set_retrieval({}).ok());
  const auto calculator = engine::ChunkKvCalculator::make(*model, draw(11, 5), 100);
  EXPECT_EQ(calculator.status().code(), StatusCode::kUnsupported);
  EXPECT_THAT(calculator.status().message(), HasSubstr("3 of its 4 layers keep a state"));
  engine::MemoryKvSource source;
  const engine::PromptPlan plan{{{draw(12, 4), -1, false}}};
  const auto fused = engine::fuse(*model, *sequence, plan, source, {}, {}, never_cancelled());
  EXPECT_EQ(fused.status().code(), StatusCode::kUnsupported);
  EXPECT_EQ(sequence->n_tokens(), 0);
}

}  // namespace
}  // namespace mneme::testing

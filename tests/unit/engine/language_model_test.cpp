#include "engine/language_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <thread>

#include "base/random.h"
#include "engine/engine_queue.h"
#include "engine/gguf/gguf_file.h"
#include "engine/transformer/sampler.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"
#include "tests/support/reference_model.h"

namespace mneme::testing {
namespace {

using engine::LanguageModel;
using engine::TokenId;
using ::testing::HasSubstr;

constexpr double kTolerance = 1e-3;
const engine::ModelOptions kOptions{.device = {.device = "cpu", .n_threads = 2}};

Result<std::unique_ptr<LanguageModel>> try_open(const std::vector<std::byte>& bytes) {
  const std::string path = write_temporary(bytes, "model.gguf");
  auto model = LanguageModel::open(path, kOptions);
  std::remove(path.c_str());
  return model;
}

std::unique_ptr<LanguageModel> open_model(const std::vector<std::byte>& bytes) {
  auto model = try_open(bytes);
  EXPECT_TRUE(model.ok()) << model.status().message();
  return model.ok() ? std::move(*model) : nullptr;
}

std::vector<TokenId> random_ids(uint64_t seed, size_t n) {
  Random random(seed);
  std::vector<TokenId> ids(n);
  for (TokenId& id : ids) id = static_cast<TokenId>(random.below(97));
  return ids;
}

std::unique_ptr<engine::Sequence> new_sequence(LanguageModel& model, int max_tokens = 2048) {
  auto sequence = model.new_sequence(max_tokens);
  EXPECT_TRUE(sequence.ok()) << sequence.status().message();
  return std::move(*sequence);
}

// A template that is not run as the file has it is never silent.
TEST(LanguageModel, SaysWhenItsOwnChatTemplateIsNotRun) {
  const auto note_of = [](const char* chat_template) {
    RandomModel model{.vocab_size = 320, .vocabulary = true};
    if (chat_template != nullptr) model.extra_texts["tokenizer.chat_template"] = chat_template;
    const auto opened = open_model(random_gguf(model));
    return opened == nullptr ? std::string("no model") : engine::chat_template_note(*opened);
  };
  EXPECT_EQ(note_of(nullptr), "");
  EXPECT_EQ(note_of("{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}"), "");
  EXPECT_THAT(note_of("{% import 'x' %}<|im_start|>"), HasSubstr("chatml"));
  EXPECT_THAT(note_of("{% for m in messages %}{{ m.content "), HasSubstr("without a chat template"));
}

TEST(LanguageModel, LongPromptsRunInBatchesAndMatchReference) {
  const auto bytes = random_gguf({.architecture = "qwen2", .seed = 5});
  const auto model = open_model(bytes);
  ASSERT_NE(model, nullptr);
  const auto file = gguf::GgufFile::parse(bytes, "x");
  const ReferenceModel reference(*file);
  const auto ids = random_ids(6, 1100);  // three batches
  const auto expected = reference.all_logits(ids);
  const auto sequence = new_sequence(*model);
  ASSERT_TRUE(sequence->append(ids).ok());
  EXPECT_EQ(sequence->n_tokens(), 1100);
  EXPECT_LE(relative_error(sequence->logits().data(), expected.back()), kTolerance);

  const auto other = new_sequence(*model);
  std::vector<float> all_logits;
  ASSERT_TRUE(other->append(std::span(ids).first(3)).ok());
  ASSERT_TRUE(other->append_with_logits(std::span(ids).subspan(3), all_logits).ok());
  ASSERT_EQ(all_logits.size(), 1097u * 97);
  for (const size_t row : {0, 500, 1096})
    EXPECT_LE(relative_error(all_logits.data() + row * 97, expected[row + 3]), kTolerance);
  EXPECT_LE(relative_error(other->logits().data(), expected.back()), kTolerance);
}

TEST(LanguageModel, TruncateForgets) {
  const auto model = open_model(random_gguf({.seed = 7}));
  ASSERT_NE(model, nullptr);
  const auto ids = random_ids(8, 60);
  const auto straight = new_sequence(*model);
  ASSERT_TRUE(straight->append(ids).ok());
  const auto sequence = new_sequence(*model);
  ASSERT_TRUE(sequence->append(std::span(ids).first(40)).ok());
  ASSERT_TRUE(sequence->append(random_ids(9, 100)).ok());
  sequence->truncate(40);
  EXPECT_EQ(sequence->n_tokens(), 40);
  ASSERT_TRUE(sequence->append(std::span(ids).subspan(40)).ok());
  EXPECT_THAT(sequence->tokens(), ::testing::ElementsAreArray(ids));
  const Vector expected(straight->logits().begin(), straight->logits().end());
  EXPECT_LE(relative_error(sequence->logits().data(), expected), kTolerance);
}

TEST(LanguageModel, CancelLeavesTheSequenceAsItWas) {
  const auto model = open_model(random_gguf({.seed = 10}));
  ASSERT_NE(model, nullptr);
  const auto sequence = new_sequence(*model);
  ASSERT_TRUE(sequence->append(random_ids(11, 5)).ok());
  const std::vector<float> before(sequence->logits().begin(), sequence->logits().end());
  CancelToken cancel;
  cancel.cancel();
  EXPECT_EQ(sequence->append(random_ids(12, 600), cancel).code(), StatusCode::kCancelled);
  EXPECT_EQ(sequence->n_tokens(), 5);
  EXPECT_THAT(sequence->logits(), ::testing::ElementsAreArray(before));
}

TEST(LanguageModel, WhatDoesNotFitIsRefusedAndChangesNothing) {
  const auto model = open_model(random_gguf({.seed = 13}));
  ASSERT_NE(model, nullptr);
  const auto sequence = new_sequence(*model, 10);
  ASSERT_TRUE(sequence->append(random_ids(14, 8)).ok());
  EXPECT_EQ(sequence->append(random_ids(15, 3)).code(), StatusCode::kResource);
  EXPECT_EQ(sequence->append(std::vector<TokenId>{500}).code(), StatusCode::kUsage);
  EXPECT_EQ(sequence->n_tokens(), 8);
  EXPECT_TRUE(sequence->append({}).ok());
  EXPECT_TRUE(sequence->append(random_ids(15, 2)).ok());
  EXPECT_EQ(model->new_sequence(0).status().code(), StatusCode::kUsage);
}

TEST(LanguageModel, EqualSeedsGiveEqualTexts) {
  const auto bytes = random_gguf({.seed = 16});
  std::vector<TokenId> first;
  for (int round = 0; round < 2; ++round) {
    const auto model = open_model(bytes);
    ASSERT_NE(model, nullptr);
    const auto sequence = new_sequence(*model);
    engine::Sampler sampler({.temperature = 0.9f, .top_p = 0.95f, .seed = 17});
    ASSERT_TRUE(sequence->append(random_ids(18, 20)).ok());
    for (int i = 0; i < 30; ++i)
      ASSERT_TRUE(sequence->append(std::vector<TokenId>{sampler.sample(sequence->logits())}).ok());
    if (round == 0) first.assign(sequence->tokens().begin(), sequence->tokens().end());
    EXPECT_THAT(sequence->tokens(), ::testing::ElementsAreArray(first));
  }
}

TEST(LanguageModel, IdentityBindsToWeightsAndSettingsOnly) {
  const RandomModel description{.seed = 20};
  const auto identity = [](const RandomModel& d) { return open_model(random_gguf(d))->identity().hex(); };
  const std::string original = identity(description);
  EXPECT_EQ(identity(description), original);
  RandomModel changed = description;
  changed.seed = 21;
  EXPECT_NE(identity(changed), original) << "weights";
  changed = description;
  changed.rope_base = 20000.0f;
  EXPECT_NE(identity(changed), original) << "rope";
  changed = description;
  changed.type = gguf::TensorType::kQ8_0;
  EXPECT_NE(identity(changed), original) << "quantisation";
}

TEST(LanguageModel, BackgroundWorkGivesWayBetweenLayers) {
  const auto model = open_model(random_gguf({.n_layers = 60, .seed = 22}));
  ASSERT_NE(model, nullptr);
  const auto ids = random_ids(23, 1500);
  const auto alone = new_sequence(*model);
  ASSERT_TRUE(alone->append(ids).ok());
  const Vector expected(alone->logits().begin(), alone->logits().end());

  // Interactive steps run while the long prefill is under way, and neither disturbs the other. A machine that has
  // other things to do may let this thread run only when the prefill is done.
  int steps_meanwhile = 0;
  for (int attempt = 0; attempt < 50 && steps_meanwhile == 0; ++attempt) {
    const auto background = new_sequence(*model);
    background->set_priority(engine::Priority::kBackground);
    std::atomic<bool> done{false};
    Status status;
    std::thread worker([&] {
      status = background->append(ids);
      done = true;
    });
    const auto chat = new_sequence(*model);
    for (int i = 0; i < 20; ++i) {
      EXPECT_TRUE(chat->append(std::vector<TokenId>{5}).ok());
      if (!done) ++steps_meanwhile;
    }
    worker.join();
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_LE(relative_error(background->logits().data(), expected), kTolerance);
  }
  EXPECT_GT(steps_meanwhile, 0);
}

TEST(LanguageModel, ConcurrentDecodesRunTogetherAndDoNotMix) {
  const auto bytes = random_gguf({.n_layers = 3, .seed = 27});
  const auto model = open_model(bytes);
  ASSERT_NE(model, nullptr);
  const auto file = gguf::GgufFile::parse(bytes, "x");
  const ReferenceModel reference(*file);
  constexpr int kSequences = 6;
  constexpr int kSteps = 25;
  std::vector<std::unique_ptr<engine::Sequence>> sequences;
  std::vector<std::vector<TokenId>> ids;
  for (int i = 0; i < kSequences; ++i) {
    sequences.push_back(new_sequence(*model));
    sequences.back()->set_priority(i == 5 ? engine::Priority::kBackground : engine::Priority::kInteractive);
    ids.push_back(random_ids(28 + static_cast<uint64_t>(i), 10 + kSteps));
  }
  std::vector<std::thread> threads;
  std::vector<Status> statuses(kSequences);
  for (size_t i = 0; i < kSequences; ++i) {
    threads.emplace_back([&, i] {
      statuses[i] = sequences[i]->append(std::span(ids[i]).first(10));
      for (size_t step = 10; step < ids[i].size() && statuses[i].ok(); ++step)
        statuses[i] = sequences[i]->append(std::span(ids[i]).subspan(step, 1));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < kSequences; ++i) {
    ASSERT_TRUE(statuses[i].ok()) << statuses[i].message();
    EXPECT_LE(relative_error(sequences[i]->logits().data(), reference.all_logits(ids[i]).back()), kTolerance);
  }
}

// A backend takes one thread at a time, also for the caches of sequences.
TEST(LanguageModel, SequencesComeAndGoInTurns) {
  const auto model = open_model(random_gguf({.seed = 35}));
  ASSERT_NE(model, nullptr);
  auto old = new_sequence(*model);
  std::unique_ptr<engine::Sequence> fresh;
  const std::function<void()> works[] = {[&] { old.reset(); }, [&] { fresh = new_sequence(*model); },
                                         [&] { EXPECT_TRUE(fresh->set_retrieval({}).ok()); }};
  for (const std::function<void()>& work : works) {
    std::atomic<bool> done = false;
    std::thread thread;
    {
      const auto turn = model->queue().enter(engine::Priority::kInteractive);
      thread = std::thread([&] {
        work();
        done = true;
      });
      while (!done && model->queue().n_waiting(engine::Priority::kInteractive) == 0) std::this_thread::yield();
      EXPECT_FALSE(done);
    }
    thread.join();
    EXPECT_TRUE(done);
  }
}

TEST(LanguageModel, StepsThatWaitTogetherRunAsOne) {
  const auto model = open_model(random_gguf({.seed = 34}));
  ASSERT_NE(model, nullptr);
  const auto first = new_sequence(*model);
  const auto second = new_sequence(*model);
  const auto full = new_sequence(*model, 1);
  ASSERT_TRUE(full->append(std::vector<TokenId>{3}).ok());
  std::array<std::thread, 3> threads;
  std::vector<Status> statuses(3);
  CancelToken cancel;
  {
    const auto turn = model->queue().enter(engine::Priority::kInteractive);
    threads[0] = std::thread([&] { statuses[0] = first->append(std::vector<TokenId>{1, 2}); });
    threads[1] = std::thread([&] { statuses[1] = second->append(std::vector<TokenId>{4}, cancel); });
    threads[2] = std::thread([&] { statuses[2] = full->append(std::vector<TokenId>{5}); });
    while (model->queue().n_waiting(engine::Priority::kInteractive) < 2) std::this_thread::yield();
    cancel.cancel();
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(statuses[0].ok()) << statuses[0].message();
  EXPECT_EQ(statuses[1].code(), StatusCode::kCancelled) << "only the one that was cancelled";
  EXPECT_EQ(second->n_tokens(), 0);
  EXPECT_EQ(statuses[2].code(), StatusCode::kResource);
  EXPECT_EQ(first->n_tokens(), 2);
}

TEST(LanguageModel, CancelledStepsDoNotWaitForTheirTurn) {
  const auto model = open_model(random_gguf({.seed = 35}));
  ASSERT_NE(model, nullptr);
  for (const size_t n_ids : {size_t{1}, size_t{30}}) {  // short steps may run with others, long ones run alone
    const auto sequence = new_sequence(*model);
    CancelToken cancel;
    Status status;
    const auto turn = model->queue().enter(engine::Priority::kInteractive);
    std::thread thread([&] { status = sequence->append(std::vector<TokenId>(n_ids, 1), cancel); });
    while (model->queue().n_waiting(engine::Priority::kInteractive) < 1) std::this_thread::yield();
    cancel.cancel();
    thread.join();  // ends although the turn is held
    EXPECT_EQ(status.code(), StatusCode::kCancelled);
    EXPECT_EQ(sequence->n_tokens(), 0);
  }
}

TEST(LanguageModel, TheTurnMayBeHeldAroundAppends) {
  const auto model = open_model(random_gguf({.seed = 24}));
  ASSERT_NE(model, nullptr);
  const auto sequence = new_sequence(*model);
  const auto turn = model->queue().enter(engine::Priority::kInteractive);
  EXPECT_TRUE(sequence->append(random_ids(25, 3)).ok());
}

TEST(LanguageModel, Q8KvStaysCloseToF16) {
  engine::ModelOptions options = kOptions;
  options.kv_type = engine::KvType::kQ8_0;
  auto exact = LanguageModel::make_random("bench-tiny", gguf::TensorType::kF16, kOptions, 1);
  auto rounded = LanguageModel::make_random("bench-tiny", gguf::TensorType::kF16, options, 1);
  ASSERT_TRUE(exact.ok() && rounded.ok());
  const auto one = new_sequence(**exact);
  const auto two = new_sequence(**rounded);
  const auto ids = random_ids(35, 300);
  ASSERT_TRUE(one->append(std::span(ids).first(280)).ok());
  ASSERT_TRUE(two->append(std::span(ids).first(280)).ok());
  for (size_t i = 280; i < ids.size(); ++i) {
    ASSERT_TRUE(one->append(std::span(ids).subspan(i, 1)).ok());
    ASSERT_TRUE(two->append(std::span(ids).subspan(i, 1)).ok());
    const Vector expected(one->logits().begin(), one->logits().end());
    const double error = relative_error(two->logits().data(), expected);
    EXPECT_LE(error, 0.05);
    EXPECT_GT(error, 0.0) << "the option has an effect";
  }
}

// Window layers with shorter heads, and layers that read the keys and values of others.
RandomModel layers_that_differ() {
  return {.architecture = "gemma4",
          .n_layers = 9,
          .n_kv_heads = 1,
          .head_dim = 64,
          .window = 16,
          .window_step = 3,
          .window_head_dim = 32,
          .shared_kv = 4,
          .shared_ffn = 128,
          .layer_input_dim = 24};
}

// Rows whose logits nobody wants end at the last layer with keys and values of its own; in several steps, too.
TEST(LanguageModel, LayersThatReadOthersKeysRunForWantedRowsAlone) {
  const auto bytes = random_gguf(layers_that_differ());
  const auto model = open_model(bytes);
  ASSERT_NE(model, nullptr);
  const auto file = gguf::GgufFile::parse(bytes, "model.gguf");
  ASSERT_TRUE(file.ok());
  const ReferenceModel reference(*file);
  const auto ids = random_ids(36, 150);
  const std::vector<Vector> expected = reference.all_logits({ids.begin(), ids.end()});
  const auto sequence = new_sequence(*model);
  size_t at = 0;
  for (const size_t n : {100, 1, 40, 1, 1, 7}) {
    ASSERT_TRUE(sequence->append(std::span(ids).subspan(at, n)).ok());
    at += n;
    EXPECT_LE(relative_error(sequence->logits().data(), expected[at - 1]), 3 * kTolerance) << at;
  }
  EXPECT_EQ(model->config().kv_bytes_per_token(), 4 * (4 * 32 + 64)) << "five layers of nine";
}

TEST(LanguageModel, Q8KvOfLayersThatDifferStaysCloseToF16) {
  const std::string path = write_temporary(random_gguf(layers_that_differ()), "model.gguf");
  engine::ModelOptions options = kOptions;
  options.kv_type = engine::KvType::kQ8_0;
  const auto exact = LanguageModel::open(path, kOptions);
  const auto rounded = LanguageModel::open(path, options);
  std::remove(path.c_str());
  ASSERT_TRUE(exact.ok() && rounded.ok());
  const auto one = new_sequence(**exact);
  const auto two = new_sequence(**rounded);
  const auto ids = random_ids(37, 160);
  ASSERT_TRUE(one->append(std::span(ids).first(150)).ok());
  ASSERT_TRUE(two->append(std::span(ids).first(150)).ok());
  for (size_t i = 150; i < ids.size(); ++i) {
    ASSERT_TRUE(one->append(std::span(ids).subspan(i, 1)).ok());
    ASSERT_TRUE(two->append(std::span(ids).subspan(i, 1)).ok());
    const double error = relative_error(two->logits().data(), Vector(one->logits().begin(), one->logits().end()));
    EXPECT_LE(error, 0.3) << "scores that no scale makes smaller tell roundings apart; another head's would give 1";
    EXPECT_GT(error, 0.0) << "the option has an effect";
  }
}

TEST(LanguageModel, RandomShapesOpenAtEveryType) {
  using enum gguf::TensorType;
  for (const gguf::TensorType type : {kF32, kF16, kBF16, kQ4_0, kQ4_1, kQ5_0, kQ5_1, kQ8_0, kQ2_K, kQ3_K, kQ4_K, kQ5_K,
                                      kQ6_K, kIQ4_NL, kIQ4_XS, kMXFP4}) {
    auto model = LanguageModel::make_random("bench-tiny", type, kOptions, 1);
    ASSERT_TRUE(model.ok()) << model.status().message();
    const auto sequence = new_sequence(**model, 64);
    ASSERT_TRUE(sequence->append(random_ids(26, 40)).ok());
    double squares = 0;
    for (const float logit : sequence->logits()) squares += static_cast<double>(logit) * logit;
    const double deviation = std::sqrt(squares / static_cast<double>(sequence->logits().size()));
    EXPECT_GT(deviation, 0.3) << static_cast<int>(type);
    EXPECT_LT(deviation, 3.0) << static_cast<int>(type);
  }
  EXPECT_EQ(LanguageModel::make_random("nothing", kF32, kOptions, 1).status().code(), StatusCode::kNotFound);
}

TEST(LanguageModel, MakingARandomShapeCanBeCancelled) {
  CancelToken cancel;
  cancel.cancel();
  const auto model = LanguageModel::make_random("bench-tiny", gguf::TensorType::kQ8_0, kOptions, 1, cancel);
  EXPECT_EQ(model.status().code(), StatusCode::kCancelled) << model.status().message();
}

TEST(LanguageModel, InTwoFilesItIsTheSame) {
  RandomModel model{.vocab_size = 97};
  const std::vector<std::byte> bytes = random_gguf(model);
  const auto whole = gguf::GgufFile::parse(bytes, "whole");
  const gguf::TensorInfo& last = whole->tensors().back();
  model.without_tensor = last.name;
  model.extra_numbers = {{"split.no", 0}, {"split.count", 2}};
  const std::string first = write_temporary(random_gguf(model), "m-00001-of-00002.gguf");
  gguf::GgufWriter writer;
  writer.add_u32("split.no", 1);
  writer.add_u32("split.count", 2);
  writer.add_tensor(last.name, last.dims, last.type, last.bytes);
  const std::string second = write_temporary(writer.finish(), "m-00002-of-00002.gguf");
  const auto parts = LanguageModel::open(first, kOptions);
  ASSERT_TRUE(parts.ok()) << parts.status().message();
  EXPECT_EQ((*parts)->files(), (std::vector<std::string>{first, second}));
  const auto one = open_model(bytes);
  EXPECT_EQ((*parts)->identity(), one->identity()) << "caches of the one serve the other";
  const auto from_parts = new_sequence(**parts, 64);
  const auto from_one = new_sequence(*one, 64);
  ASSERT_TRUE(from_parts->append(random_ids(5, 30)).ok());
  ASSERT_TRUE(from_one->append(random_ids(5, 30)).ok());
  EXPECT_TRUE(std::equal(from_one->logits().begin(), from_one->logits().end(), from_parts->logits().begin()));
}

TEST(LanguageModel, RefusesWithAReason) {
  EXPECT_EQ(LanguageModel::open("/nonexistent/model.gguf", kOptions).status().code(), StatusCode::kNotFound);
  auto encoder = try_open(random_gguf({.architecture = "bert", .n_kv_heads = 4}));
  EXPECT_EQ(encoder.status().code(), StatusCode::kUnsupported);
  EXPECT_THAT(encoder.status().message(), HasSubstr("--embedder"));
  auto unknown = try_open(random_gguf({.architecture = "mamba"}));
  EXPECT_EQ(unknown.status().code(), StatusCode::kUnsupported);
  EXPECT_THAT(unknown.status().message(), HasSubstr("'mamba'"));
  EXPECT_THAT(unknown.status().message(), HasSubstr("llama, qwen2"));
  const auto device = LanguageModel::make_random("bench-tiny", gguf::TensorType::kF32, {.device = {.device = "x"}}, 1);
  EXPECT_EQ(device.status().code(), StatusCode::kUsage);
}

}  // namespace
}  // namespace mneme::testing

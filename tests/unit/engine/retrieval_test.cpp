// Decoding with retrieval through a whole model: equal to full attention where nothing is left out, close where little
// is, and sound in every circumstance a sequence meets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <thread>

#include "base/random.h"
#include "engine/backend/kv_memory.h"
#include "engine/language_model.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"

namespace mneme::testing {
namespace {

using engine::AttentionKind;
using engine::LanguageModel;
using engine::RetrievalMethod;
using engine::RetrievalOptions;
using engine::Sequence;
using engine::TokenId;
using ::testing::HasSubstr;

constexpr int kVocabulary = 97;

std::unique_ptr<LanguageModel> open_model(const RandomModel& description,
                                          engine::KvType kv_type = engine::KvType::kF16) {
  const std::string path = write_temporary(random_gguf(description), "model.gguf");
  engine::ModelOptions options{.device = {.device = "cpu", .n_threads = 2}};
  options.kv_type = kv_type;
  auto model = LanguageModel::open(path, options);
  std::remove(path.c_str());
  EXPECT_TRUE(model.ok()) << model.status().message();
  return model.ok() ? std::move(*model) : nullptr;
}

RandomModel small_llama() {
  return {.n_layers = 2, .dim = 64, .n_heads = 4, .n_kv_heads = 2, .head_dim = 32, .context = 4096, .seed = 3};
}

std::vector<TokenId> random_ids(uint64_t seed, size_t n) {
  Random random(seed);
  std::vector<TokenId> ids(n);
  for (TokenId& id : ids) id = static_cast<TokenId>(random.below(kVocabulary));
  return ids;
}

std::unique_ptr<Sequence> sequence_of(LanguageModel& model, const std::vector<TokenId>& ids) {
  auto sequence = model.new_sequence(4096);
  EXPECT_TRUE(sequence.ok());
  EXPECT_TRUE((*sequence)->append(ids).ok());
  return std::move(*sequence);
}

RetrievalOptions retrieval(double share, RetrievalMethod method = RetrievalMethod::kPq) {
  RetrievalOptions options;
  options.kind = AttentionKind::kPq;
  options.method = method;
  options.budget.share = share;
  options.check = true;
  return options;
}

void decode(Sequence& sequence, const std::vector<TokenId>& ids) {
  for (const TokenId& id : ids) {
    const Status status = sequence.append(std::span(&id, 1));
    ASSERT_TRUE(status.ok()) << status.message();
  }
}

// Largest difference of logits over their standard deviation.
double distance(const Sequence& a, const Sequence& b) {
  const auto x = a.logits();
  const auto y = b.logits();
  const double mean = std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size());
  double variance = 0;
  double largest = 0;
  for (size_t i = 0; i < y.size(); ++i) {
    variance += (y[i] - mean) * (y[i] - mean) / static_cast<double>(y.size());
    largest = std::max(largest, std::fabs(double{x[i]} - y[i]));
  }
  return largest / std::sqrt(variance);
}

TEST(Retrieval, ABudgetOfOneIsFullAttention) {
  const auto model = open_model(small_llama());
  ASSERT_NE(model, nullptr);
  const auto prompt = random_ids(1, 700);
  const auto full = sequence_of(*model, prompt);
  const auto pq = sequence_of(*model, prompt);
  ASSERT_TRUE(pq->set_retrieval(retrieval(1)).ok());
  decode(*full, random_ids(2, 20));
  decode(*pq, random_ids(2, 20));
  EXPECT_TRUE(std::equal(full->logits().begin(), full->logits().end(), pq->logits().begin()));
  EXPECT_FALSE(pq->retrieval_report().used);
}

class KvTypes : public ::testing::TestWithParam<engine::KvType> {};
INSTANTIATE_TEST_SUITE_P(Retrieval, KvTypes, ::testing::Values(engine::KvType::kF16, engine::KvType::kQ8_0));

// All but a token or two: what differs from full attention is then rounding and those tokens' small weights. Shows that
// gathered rows, window and merging are right.
TEST_P(KvTypes, NearlyAllTokensNearlyFullAttention) {
  const auto model = open_model(small_llama(), GetParam());
  ASSERT_NE(model, nullptr);
  const auto prompt = random_ids(1, 1500);
  for (const RetrievalMethod method : {RetrievalMethod::kPq, RetrievalMethod::kExact}) {
    const auto full = sequence_of(*model, prompt);
    const auto few = sequence_of(*model, prompt);
    ASSERT_TRUE(few->set_retrieval(retrieval(0.999, method)).ok());
    decode(*full, random_ids(2, 40));
    decode(*few, random_ids(2, 40));
    EXPECT_LE(distance(*few, *full), 0.01);
    const auto report = few->retrieval_report();
    EXPECT_TRUE(report.used);
    EXPECT_EQ(report.steps, 40);
    EXPECT_NEAR(report.mean_attended, 0.999 * 1520, 3);
    EXPECT_GT(*report.mass, 0.995);
    EXPECT_GT(*report.recall, 0.99);
  }
}

// One key, the rotated part and the latent, for all heads.
TEST_P(KvTypes, KeysOfLatentAttentionAreRetrieved) {
  const auto model =
      open_model({.architecture = "deepseek2", .n_rot = 32, .context = 4096, .seed = 4, .q_rank = 40}, GetParam());
  ASSERT_NE(model, nullptr);
  const auto prompt = random_ids(1, 1200);
  const auto full = sequence_of(*model, prompt);
  const auto few = sequence_of(*model, prompt);
  ASSERT_TRUE(few->set_retrieval(retrieval(0.999)).ok());
  decode(*full, random_ids(2, 20));
  decode(*few, random_ids(2, 20));
  EXPECT_LE(distance(*few, *full), 0.01);
  EXPECT_TRUE(few->retrieval_report().used);
  EXPECT_GT(*few->retrieval_report().mass, 0.995);
}

// Sinks weigh as much beside what is retrieved as beside all keys.
TEST(Retrieval, SinksStayBesideWhatIsRetrieved) {
  RandomModel description = small_llama();
  description.architecture = "gpt-oss";
  description.n_experts = 4;
  description.n_experts_used = 2;
  description.window = 64;
  const auto model = open_model(description);
  ASSERT_NE(model, nullptr);
  const auto prompt = random_ids(1, 1500);
  const auto full = sequence_of(*model, prompt);
  const auto few = sequence_of(*model, prompt);
  ASSERT_TRUE(few->set_retrieval(retrieval(0.999, RetrievalMethod::kExact)).ok());
  decode(*full, random_ids(2, 40));
  decode(*few, random_ids(2, 40));
  EXPECT_LE(distance(*few, *full), 0.01);
  EXPECT_TRUE(few->retrieval_report().used);
}

TEST(Retrieval, TheOracleCoversMostAndPqNearlyAsMuch) {
  const auto model = open_model(small_llama());
  ASSERT_NE(model, nullptr);
  const auto prompt = random_ids(4, 2000);
  double mass[2] = {};
  for (const RetrievalMethod method : {RetrievalMethod::kPq, RetrievalMethod::kExact}) {
    const auto sequence = sequence_of(*model, prompt);
    ASSERT_TRUE(sequence->set_retrieval(retrieval(0.2, method)).ok());
    decode(*sequence, random_ids(5, 10));
    const auto report = sequence->retrieval_report();
    mass[method == RetrievalMethod::kExact] = *report.mass;
    EXPECT_NEAR(report.mean_attended, 0.2 * 2005, 20);
    EXPECT_EQ(report.lookups > 0, true);
    if (method == RetrievalMethod::kExact) {
      EXPECT_GT(*report.recall, 0.98);  // heads weigh by candidates there, by all tokens here
    }
  }
  EXPECT_LE(mass[0], mass[1] + 1e-6);
  EXPECT_GT(mass[0], 0.7 * mass[1]);  // random weights attend nearly evenly: the hardest case
}

// Candidates that exact keys choose among: all of them give what the oracle chooses, twice as many come closer to it.
// All are the default in contexts as short as this, whose keys are read in no time.
TEST(Retrieval, ExactKeysChooseAmongCandidates) {
  const auto model = open_model(small_llama());
  ASSERT_NE(model, nullptr);
  const auto prompt = random_ids(4, 2000);
  double recall[4] = {};
  double mass[4] = {};
  const double times[4] = {0, 2, 16, 1};
  for (int i = 0; i < 4; ++i) {
    const auto sequence = sequence_of(*model, prompt);
    RetrievalOptions options = retrieval(0.1);
    options.rerank = times[i];
    options.iterations = 4;  // not as many as this machine has time for: two of the runs must be the same
    ASSERT_TRUE(sequence->set_retrieval(options).ok());
    decode(*sequence, random_ids(5, 10));
    const auto report = sequence->retrieval_report();
    recall[i] = *report.recall;
    mass[i] = *report.mass;
    EXPECT_NEAR(report.mean_attended, 0.1 * 2005, 20);
  }
  EXPECT_GT(recall[1], recall[0] + 0.02);
  EXPECT_GT(mass[1], mass[0]);
  // Sixteen times what a head with a small part of the budget takes need not be all.
  EXPECT_GE(recall[3], recall[2] - 1e-3);
  EXPECT_GE(mass[3], mass[2] - 1e-4);
  EXPECT_GT(recall[2], 0.98);  // but for ties, as scores have 8 bits of mantissa
}

// In longer ones twice as many, where that is more.
TEST(Retrieval, ExactKeysChooseAmongTwiceAsManyByDefault) {
  const auto model = open_model(small_llama());
  ASSERT_NE(model, nullptr);
  const auto prompt = random_ids(4, 3800);
  double recall[2] = {};
  const double times[2] = {2, 1};
  for (int i = 0; i < 2; ++i) {
    const auto sequence = sequence_of(*model, prompt);
    RetrievalOptions options = retrieval(0.3);
    options.rerank = times[i];
    options.iterations = 4;
    ASSERT_TRUE(sequence->set_retrieval(options).ok());
    decode(*sequence, random_ids(5, 3));
    recall[i] = *sequence->retrieval_report().recall;
  }
  EXPECT_EQ(recall[1], recall[0]);
  EXPECT_LT(recall[0], 0.98);
}

TEST(Retrieval, EveryPolicyDecodes) {
  const auto model = open_model(small_llama());
  ASSERT_NE(model, nullptr);
  const auto prompt = random_ids(6, 900);
  for (const char* name : {"pq", "exact", "window", "h2o", "sparq", "quest", "infllm"}) {
    const auto sequence = sequence_of(*model, prompt);
    RetrievalOptions options = retrieval(0.3, *engine::parse_retrieval_method(name));
    options.block_cache_tokens = 512;
    ASSERT_TRUE(sequence->set_retrieval(options).ok());
    decode(*sequence, random_ids(7, 20));
    for (const float logit : sequence->logits()) ASSERT_TRUE(std::isfinite(logit)) << name;
    const auto report = sequence->retrieval_report();
    EXPECT_TRUE(report.used) << name;
    EXPECT_NEAR(report.mean_attended, 0.3 * 910, 16) << name;
    EXPECT_GT(*report.mass, 0.1) << name;
    if (std::string(name) != "window") {
      EXPECT_GT(report.block_cache_hit_rate.value_or(-1), 0.0) << name;
    }
  }
}

TEST(Retrieval, AutomaticByLength) {
  const auto model = open_model(small_llama());
  ASSERT_NE(model, nullptr);
  RetrievalOptions options = retrieval(0.2);
  options.kind = AttentionKind::kAuto;
  options.min_tokens = 800;
  const auto sequence = sequence_of(*model, random_ids(8, 790));
  ASSERT_TRUE(sequence->set_retrieval(options).ok());
  decode(*sequence, random_ids(9, 10));
  EXPECT_FALSE(sequence->retrieval_report().used);
  decode(*sequence, random_ids(10, 30));
  EXPECT_TRUE(sequence->retrieval_report().used);
  EXPECT_LE(sequence->retrieval_report().steps, 30);
}

TEST(Retrieval, ContextsShorterThanTheWindowAreFull) {
  const auto model = open_model(small_llama());
  ASSERT_NE(model, nullptr);
  const auto full = sequence_of(*model, random_ids(8, 3));
  const auto pq = sequence_of(*model, random_ids(8, 3));
  ASSERT_TRUE(pq->set_retrieval(retrieval(0.1)).ok());
  decode(*full, random_ids(9, 10));
  decode(*pq, random_ids(9, 10));
  EXPECT_TRUE(std::equal(full->logits().begin(), full->logits().end(), pq->logits().begin()));
}

TEST(Retrieval, SlidingWindowLayersStayAsTheyAre) {
  RandomModel description{.architecture = "gemma3", .n_layers = 8, .head_dim = 32, .window = 16, .rope_base = 1e6f};
  description.context = 4096;
  const auto model = open_model(description);
  ASSERT_NE(model, nullptr);
  const auto prompt = random_ids(11, 1200);
  const auto full = sequence_of(*model, prompt);
  const auto pq = sequence_of(*model, prompt);
  ASSERT_TRUE(pq->set_retrieval(retrieval(0.999)).ok());
  decode(*full, random_ids(12, 20));
  decode(*pq, random_ids(12, 20));
  EXPECT_LE(distance(*pq, *full), 0.02);
  EXPECT_TRUE(pq->retrieval_report().used);
}

// A second question after some decoding, with the sequence cut back in between: prefill over turned pages, keys
// rewritten in them, codes made anew.
TEST(Retrieval, SequencesGoOnAfterTruncationAndFurtherPrompts) {
  for (const engine::KvType type : {engine::KvType::kF16, engine::KvType::kQ8_0}) {
    const auto model = open_model(small_llama(), type);
    ASSERT_NE(model, nullptr);
    const auto first = random_ids(13, 1300);
    const auto second = random_ids(14, 300);
    const auto sequence = sequence_of(*model, first);
    ASSERT_TRUE(sequence->set_retrieval(retrieval(0.999)).ok());
    decode(*sequence, random_ids(15, 40));
    sequence->truncate(1000);
    ASSERT_TRUE(sequence->append(second).ok());
    decode(*sequence, random_ids(16, 30));

    std::vector<TokenId> straight(first.begin(), first.begin() + 1000);
    straight.insert(straight.end(), second.begin(), second.end());
    const auto expected = sequence_of(*model, straight);
    decode(*expected, random_ids(16, 30));
    EXPECT_LE(distance(*sequence, *expected), 0.01);

    // And back to full attention, over pages whose keys lie by token.
    ASSERT_TRUE(sequence->set_retrieval({}).ok());
    decode(*sequence, random_ids(17, 3));
    decode(*expected, random_ids(17, 3));
    EXPECT_LE(distance(*sequence, *expected), 0.01);
  }
}

TEST(Retrieval, KeysReadBackAsTheyWereWritten) {
  for (const engine::KvType type : {engine::KvType::kF16, engine::KvType::kQ8_0}) {
    const auto model = open_model(small_llama(), type);
    ASSERT_NE(model, nullptr);
    const auto prompt = random_ids(18, 700);
    const auto plain = sequence_of(*model, prompt);
    const auto turned = sequence_of(*model, prompt);
    ASSERT_TRUE(turned->set_retrieval(retrieval(0.5)).ok());
    decode(*turned, random_ids(19, 1));
    const size_t elements = size_t{700} * 2 * 32;
    std::vector<f16> keys[2] = {std::vector<f16>(elements), std::vector<f16>(elements)};
    std::vector<f16> values(elements);
    for (int layer = 0; layer < 2; ++layer) {
      ASSERT_TRUE(plain->kv().read(layer, 0, 700, false, keys[0], values).ok());
      ASSERT_TRUE(turned->kv().read(layer, 0, 700, false, keys[1], values).ok());
      for (size_t i = 0; i < elements; ++i) ASSERT_EQ(keys[0][i].bits, keys[1][i].bits);
    }
  }
}

TEST(Retrieval, DecodesTogetherWithFullSequences) {
  const auto model = open_model(small_llama());
  ASSERT_NE(model, nullptr);
  const auto prompt = random_ids(20, 900);
  const auto alone = sequence_of(*model, prompt);
  ASSERT_TRUE(alone->set_retrieval(retrieval(0.2)).ok());
  const auto again = sequence_of(*model, prompt);
  ASSERT_TRUE(again->set_retrieval(retrieval(0.2)).ok());
  decode(*alone, random_ids(21, 25));
  decode(*again, random_ids(21, 25));
  EXPECT_TRUE(std::equal(alone->logits().begin(), alone->logits().end(), again->logits().begin())) << "deterministic";
}

TEST(Retrieval, CancelWhileClustering) {
  const auto model = open_model(small_llama());
  ASSERT_NE(model, nullptr);
  const auto sequence = sequence_of(*model, random_ids(22, 1500));
  ASSERT_TRUE(sequence->set_retrieval(retrieval(0.2)).ok());
  CancelToken cancel;
  cancel.cancel();
  const TokenId id = 5;
  EXPECT_EQ(sequence->append(std::span(&id, 1), cancel).code(), StatusCode::kCancelled);
  EXPECT_EQ(sequence->n_tokens(), 1500);
  decode(*sequence, {5, 6});
  EXPECT_TRUE(sequence->retrieval_report().used);
}

// Random weights attend nearly evenly, so that most of the attention is left out: the estimate brings it back.
TEST_P(KvTypes, TheEstimateOfTheTailComesCloserToFullAttention) {
  const auto model = open_model(small_llama(), GetParam());
  ASSERT_NE(model, nullptr);
  const auto prompt = random_ids(30, 2000);
  const auto full = sequence_of(*model, prompt);
  decode(*full, random_ids(31, 20));
  double off[2] = {};
  for (const bool tail : {false, true}) {
    const auto few = sequence_of(*model, prompt);
    RetrievalOptions options = retrieval(0.1);
    options.tail = tail;
    ASSERT_TRUE(few->set_retrieval(options).ok());
    decode(*few, random_ids(31, 20));
    EXPECT_TRUE(few->retrieval_report().used);
    off[tail] = distance(*few, *full);
  }
  EXPECT_LT(off[1], 0.5 * off[0]);
}

// The heads of a layer split its budget, whatever the policy; together they attend to what the budget says.
TEST(Retrieval, HeadsSplitTheBudgetOfTheirLayer) {
  const auto model = open_model(small_llama());
  ASSERT_NE(model, nullptr);
  const auto sequence = sequence_of(*model, random_ids(1, 1500));
  for (const char* method : {"pq", "pq:4x6", "exact", "quest"}) {
    RetrievalOptions options = retrieval(0.1);
    ASSERT_TRUE(engine::parse_retrieval_variant(method, options).ok());
    ASSERT_TRUE(sequence->set_retrieval(options).ok());
    decode(*sequence, random_ids(2, 20));
    const engine::RetrievalReport report = sequence->retrieval_report();
    EXPECT_EQ(report.steps, 20);
    EXPECT_NEAR(report.mean_attended, 0.1 * 1510, 2.0) << method;
    sequence->truncate(1500);
  }
}

TEST(Retrieval, LayersShareWhatOneOfThemRetrieves) {
  RandomModel description = small_llama();
  description.n_layers = 5;  // not a multiple of those that share
  const auto model = open_model(description);
  ASSERT_NE(model, nullptr);
  const auto prompt = random_ids(32, 1200);
  double lookups[2] = {};
  for (const int shared : {1, 2}) {
    const auto sequence = sequence_of(*model, prompt);
    RetrievalOptions options = retrieval(0.2);
    options.shared_layers = shared;
    ASSERT_TRUE(sequence->set_retrieval(options).ok());
    decode(*sequence, random_ids(33, 12));
    for (const float logit : sequence->logits()) ASSERT_TRUE(std::isfinite(logit));
    // The same length once more, from where it was: nothing of the step before may be taken for this one's.
    sequence->truncate(1211);
    decode(*sequence, {7});
    const auto report = sequence->retrieval_report();
    EXPECT_NEAR(report.mean_attended, 0.2 * 1206, 20);
    lookups[shared - 1] = report.lookups;
  }
  EXPECT_NEAR(lookups[1] / lookups[0], 3.0 / 5, 0.01);
}

TEST(Retrieval, EqualKeysAndKeysThatAreNoNumbers) {
  const auto model = open_model(small_llama());
  ASSERT_NE(model, nullptr);
  const auto prompt = random_ids(34, 900);
  const size_t elements = size_t{600} * 2 * 32;
  const std::vector<f16> equal(elements, to_f16(0.5f));
  const auto sequence = sequence_of(*model, prompt);
  for (int layer = 0; layer < 2; ++layer) sequence->kv().place(layer, 100, 600, equal, equal, nullptr);
  ASSERT_TRUE(sequence->set_retrieval(retrieval(0.2)).ok());
  decode(*sequence, random_ids(35, 5));
  for (const float logit : sequence->logits()) ASSERT_TRUE(std::isfinite(logit));

  // Keys that are no numbers spoil what attends to them, as in full attention, and nothing else: codes and choice work.
  std::vector<f16> broken = equal;
  for (size_t i = 0; i < 64; ++i) broken[i] = to_f16(std::nanf(""));
  const auto other = sequence_of(*model, prompt);
  for (int layer = 0; layer < 2; ++layer) other->kv().place(layer, 100, 600, broken, equal, nullptr);
  ASSERT_TRUE(other->set_retrieval(retrieval(0.2)).ok());
  decode(*other, random_ids(35, 5));
  EXPECT_TRUE(other->retrieval_report().used);
}

TEST(Retrieval, CancelledInTheMiddleOfClusteringGoesOnLater) {
  const auto model = open_model(small_llama());
  ASSERT_NE(model, nullptr);
  const auto prompt = random_ids(36, 4000);
  const auto expected = sequence_of(*model, prompt);
  RetrievalOptions options = retrieval(0.2);
  options.iterations = 4;  // not as many as times measured in between allow
  ASSERT_TRUE(expected->set_retrieval(options).ok());
  const auto sequence = sequence_of(*model, prompt);
  ASSERT_TRUE(sequence->set_retrieval(options).ok());
  // Sooner and later, until it comes too late to stop anything.
  for (int microseconds = 50;; microseconds *= 2) {
    CancelToken cancel;
    std::jthread other([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
      cancel.cancel();
    });
    const TokenId id = 5;
    const Status status = sequence->append(std::span(&id, 1), cancel);
    if (status.ok()) break;
    ASSERT_EQ(status.code(), StatusCode::kCancelled);
    EXPECT_EQ(sequence->n_tokens(), 4000);
  }
  decode(*expected, {5});
  decode(*sequence, {6});
  decode(*expected, {6});
  EXPECT_TRUE(std::equal(sequence->logits().begin(), sequence->logits().end(), expected->logits().begin()));
  EXPECT_TRUE(sequence->retrieval_report().used);
}

// Full attention where the choice is left to the program.
TEST(Retrieval, ModelsWhoseLayersDifferAttendInFull) {
  const auto model = open_model({.architecture = "gemma4",
                                 .n_layers = 4,
                                 .head_dim = 32,
                                 .context = 4096,
                                 .window = 16,
                                 .window_step = 2,
                                 .window_head_dim = 16});
  ASSERT_NE(model, nullptr);
  const auto sequence = sequence_of(*model, random_ids(1, 300));
  const Status status = sequence->set_retrieval(retrieval(0.1));
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("--attention full"));
  RetrievalOptions automatic = retrieval(0.1);
  automatic.kind = AttentionKind::kAuto;
  automatic.min_tokens = 100;
  ASSERT_TRUE(sequence->set_retrieval(automatic).ok());
  decode(*sequence, random_ids(2, 3));
  EXPECT_FALSE(sequence->retrieval_report().used);
}

TEST(Retrieval, OptionsThatDoNotFitAreRefused) {
  const auto model = open_model(small_llama());
  ASSERT_NE(model, nullptr);
  const auto sequence = sequence_of(*model, random_ids(1, 10));
  RetrievalOptions options = retrieval(0.1);
  options.n_parts = 5;
  EXPECT_EQ(sequence->set_retrieval(options).code(), StatusCode::kUsage);
  EXPECT_THAT(sequence->set_retrieval(options).message(), HasSubstr("5 equal parts"));
  options = retrieval(0.1);
  options.shared_layers = 0;
  EXPECT_EQ(sequence->set_retrieval(options).code(), StatusCode::kUsage);
  for (const double share : {0.0, 1.5}) EXPECT_EQ(sequence->set_retrieval(retrieval(share)).code(), StatusCode::kUsage);
}

TEST(Retrieval, MemoryThatIsNotThereIsNoticedBeforeStarting) {
  const auto model = open_model(small_llama());
  ASSERT_NE(model, nullptr);
  const auto sequence = sequence_of(*model, random_ids(1, 10));
  const int64_t per_token = engine::kv_bytes_per_token(sequence->kv().options());
  EXPECT_EQ(per_token, 2 * 2 * 32 * 4);
  EXPECT_TRUE(engine::check_kv_memory(sequence->kv(), 4096, int64_t{1} << 40).ok());
  const Status status = engine::check_kv_memory(sequence->kv(), 1 << 20, per_token * 1000);
  EXPECT_EQ(status.code(), StatusCode::kResource);
  const int64_t would_fit = (sequence->kv().memory_bytes() + per_token * 1000) / per_token;
  EXPECT_THAT(status.message(), HasSubstr("about " + std::to_string(would_fit) + " tokens would fit"));
}

TEST(Retrieval, LearnsItsTimes) {
  const auto model = open_model(small_llama());
  ASSERT_NE(model, nullptr);
  const std::string before = model->clustering_model().to_text();
  const auto sequence = sequence_of(*model, random_ids(1, 1500));
  ASSERT_TRUE(sequence->set_retrieval(retrieval(0.1)).ok());
  decode(*sequence, {1});
  EXPECT_NE(model->clustering_model().to_text(), before);
  EXPECT_GT(sequence->retrieval_report().prepare_seconds, 0);
  EXPECT_GE(sequence->retrieval_report().iterations, 1);
}

}  // namespace
}  // namespace mneme::testing

// Decoding by retrieval in steps that run as graphs: the bits of steps that do not, while windows move, codes and
// budgets change, tokens are forgotten and sequences take turns.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/backend/cuda/cuda_backend.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"
#include "tests/support/simt/simt.h"
#include "tests/unit/cuda/graph_bed.h"
#include "tests/unit/cuda/retrieval_bed.h"

namespace mneme::testing {
namespace {

using engine::KvCache;
using engine::RetrievalMethod;
using engine::RetrievalOptions;
using engine::RowGroup;
using engine::RowSet;
using engine::TokenId;
using engine::TokenPos;
using engine::cuda::StepGraphReport;

using RetrievalGraph = GraphBed;

RetrievalOptions pq_options(double share) {
  RetrievalOptions options;
  options.kind = engine::AttentionKind::kPq;
  options.budget.share = share;
  options.n_sinks = 8;
  options.n_bits = 4;
  options.iterations = 2;
  options.rerank = 0;
  return options;
}

// A sequence that decodes by retrieval once it has been told to. Tokens follow from their positions.
class Sequence {
 public:
  Sequence(LoadedModel& model, int n_tokens) : model_(model), cache_(model.new_cache(600)) { append(n_tokens); }

  void retrieve(const RetrievalOptions& options) {
    const Status status = cache_->set_retrieval(options, model_.config);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  void forget(int n_tokens) {
    cache_->forget(n_tokens);
    n_tokens_ = n_tokens;
  }
  // The logits of n steps of one row.
  std::vector<float> decode(int n) {
    std::vector<float> all;
    for (int i = 0; i < n; ++i) step({this}, all);
    return all;
  }
  // One row of each.
  static void step(const std::vector<Sequence*>& of, std::vector<float>& all) {
    std::vector<TokenPos> positions;
    std::vector<RowGroup> groups;
    for (Sequence* sequence : of) {
      EXPECT_TRUE(sequence->cache_->prepare_retrieval(sequence->n_tokens_, nullptr, never_cancelled()).ok());
      groups.push_back({sequence->cache_.get(), static_cast<int>(positions.size()), 1});
      positions.push_back(sequence->n_tokens_++);
      EXPECT_TRUE(sequence->cache_->reserve(sequence->n_tokens_).ok());
    }
    EXPECT_TRUE(run(of.front()->model_, {positions, groups}, INT32_MAX, all).ok());
  }
  void append(int n) {
    std::vector<TokenPos> positions;
    for (int i = 0; i < n; ++i) positions.push_back(n_tokens_++);
    EXPECT_TRUE(cache_->reserve(n_tokens_).ok());
    const RowGroup group{cache_.get(), 0, n};
    std::vector<float> logits;
    EXPECT_TRUE(run(model_, {positions, {&group, 1}}, INT32_MAX, logits).ok());
  }
  // A step of one row whose position is written again by the next: it ends behind n_layers, or fails.
  Status try_step(int n_layers) {
    const TokenPos position = n_tokens_;
    EXPECT_TRUE(cache_->reserve(position + 1).ok());
    const RowGroup group{cache_.get(), 0, 1};
    std::vector<float> logits;
    return run(model_, {{&position, 1}, {&group, 1}}, n_layers, logits);
  }
  engine::RetrievalReport report() const { return cache_->retrieval_report(); }

 private:
  static Status run(LoadedModel& model, const RowSet& rows, int n_layers, std::vector<float>& all) {
    std::vector<TokenId> ids;
    std::vector<int> wanted;
    for (const TokenPos position : rows.positions) {
      ids.push_back(1 + (7 * position * position + 3 * position) % 90);
      wanted.push_back(static_cast<int>(wanted.size()));
    }
    MNEME_RETURN_IF_ERROR(model.pass->begin(rows, ids));
    const int n_run = std::min(n_layers, model.config.n_layers);
    for (int layer = 0; layer < n_run; ++layer) model.pass->run_layer(layer);
    if (n_run < model.config.n_layers) return {};
    std::vector<float> logits;
    const Status status = model.pass->logits(wanted, logits);
    all.insert(all.end(), logits.begin(), logits.end());
    return status;
  }

  LoadedModel& model_;
  std::unique_ptr<KvCache> cache_;
  int n_tokens_ = 0;
};

using Logits = std::vector<std::vector<float>>;
constexpr int kSteps = 26;
constexpr int kAsGraphs = 21;  // of these; the others show what a step does, and where memory is taken

// One sequence: windows move with every token, codes come by sixteens, what is retrieved grows by a token in five.
Logits decode(LoadedModel& model, const RetrievalOptions& options) {
  Sequence sequence(model, 180);
  sequence.retrieve(options);
  Logits all;
  for (int i = 0; i < kSteps; ++i) all.push_back(sequence.decode(1));
  EXPECT_TRUE(sequence.report().used);
  return all;
}

// What else may happen to it, and to others on the same device.
Logits change(LoadedModel& model) {
  Sequence first(model, 220);
  Sequence second(model, 180);
  Sequence unlike(model, 40);
  first.retrieve(pq_options(0.2));
  second.retrieve(pq_options(0.3));
  Logits all;
  all.push_back(first.decode(20));
  first.forget(222);  // codes that are counted are no more
  all.push_back(first.decode(20));
  first.append(12);
  all.push_back(first.decode(12));
  all.push_back(second.decode(12));
  all.push_back(first.decode(12));
  EXPECT_TRUE(first.try_step(1).ok());
  all.push_back(first.decode(8));
  first.retrieve(pq_options(0.4));  // over the same index
  all.push_back(first.decode(10));
  first.forget(100);  // less than half of what the codebook is of
  all.push_back(first.decode(20));
  all.emplace_back();
  for (int i = 0; i < 12; ++i) Sequence::step({&first, &second}, all.back());
  all.emplace_back();
  for (int i = 0; i < 12; ++i) Sequence::step({&unlike, &first}, all.back());
  return all;
}

void expect_same(const Logits& plain, const Logits& graphs) {
  ASSERT_EQ(plain.size(), graphs.size());
  for (size_t i = 0; i < plain.size(); ++i) ASSERT_EQ(plain[i], graphs[i]) << i;
}

std::vector<std::pair<RandomModel, RetrievalOptions>> kinds() {
  const RandomModel llama{.n_layers = 3, .seed = 11};
  RetrievalOptions shares = pq_options(0.2);
  shares.shared_layers = 2;
  RetrievalOptions window = pq_options(0.2);
  window.method = RetrievalMethod::kSinkWindow;
  return {{llama, pq_options(0.2)},
          {{.n_layers = 4, .n_heads = 6, .n_kv_heads = 3, .seed = 5}, pq_options(0.2)},
          {{.architecture = "gemma3", .n_layers = 6, .head_dim = 32, .window = 16}, pq_options(0.2)},
          {llama, shares},
          {llama, window}};
}

class RetrievalGraphs : public RetrievalGraph, public ::testing::WithParamInterface<size_t> {};
INSTANTIATE_TEST_SUITE_P(Kinds, RetrievalGraphs, ::testing::Range(size_t{0}, kinds().size()));

TEST_P(RetrievalGraphs, GiveTheBitsOfPlainLaunches) {
  const auto [family, options] = kinds()[GetParam()];
  auto plain_model = load(family, false);
  ASSERT_NE(plain_model, nullptr);
  const Logits plain = decode(*plain_model, options);
  auto model = load(family, true);
  ASSERT_NE(model, nullptr);
  expect_same(plain, decode(*model, options));
  const StepGraphReport report = engine::cuda::graph_report(*model->backend);
  EXPECT_GE(report.launched, kAsGraphs);
  EXPECT_LE(report.left, 1);
  EXPECT_FALSE(report.failed);
}

TEST_F(RetrievalGraph, MayHoldLaunchesThatOverlap) {
  simt::machine().major = 9;
  const auto [family, options] = kinds()[0];
  auto plain_model = load(family, false);
  const Logits plain = decode(*plain_model, options);
  auto model = load(family, true, true);
  expect_same(plain, decode(*model, options));
  EXPECT_GE(engine::cuda::graph_report(*model->backend).launched, kAsGraphs);
}

TEST_F(RetrievalGraph, GoesOnWhateverHappensToTheSequence) {
  const RandomModel family{.n_layers = 2, .seed = 11};
  auto plain_model = load(family, false);
  const Logits plain = change(*plain_model);
  auto model = load(family, true);
  expect_same(plain, change(*model));
  const StepGraphReport report = engine::cuda::graph_report(*model->backend);
  EXPECT_GE(report.launched, 96) << "of 138 steps";
  EXPECT_LE(report.left, 8);
}

// Whatever a step that failed has counted before it did, the next one counts right.
TEST_F(RetrievalGraph, AStepThatFailedIsDoneAgain) {
  const RandomModel family{.n_layers = 2, .seed = 11};
  std::optional<std::vector<float>> expected;
  for (const int launches : {0, 4, 9, 14, 24}) {
    auto model = load(family, launches > 0);
    Sequence sequence(*model, 180);
    sequence.retrieve(pq_options(0.2));
    sequence.decode(8);
    if (launches > 0) {
      simt::machine().launches_before_failure = launches;
      EXPECT_EQ(sequence.try_step(2).code(), StatusCode::kIo) << launches;
      simt::machine() = {};
    }
    const std::vector<float> logits = sequence.decode(4);
    if (!expected) expected = logits;
    EXPECT_EQ(logits, *expected) << launches;
  }
}

// Keys are listed by chunks: at 4,097 candidates there are two.
TEST_F(RetrievalGraph, GoesOnOverAnotherChunk) {
  const Shape shape{2, 1, 32, 4150};
  std::vector<float> results[2];
  for (const bool graphs : {false, true}) {
    Bed bed(shape, *engine::cuda::make_cuda_backend({.graphs = graphs}), 4200);
    bed.place(0, 4150, 7);
    ASSERT_TRUE(bed.cache->set_retrieval(options_of(shape), bed.config).ok());
    bed.set_query(gaussian(size_t{2} * 32, 3));
    for (int n_tokens = 4110; n_tokens < 4150; ++n_tokens) {
      ASSERT_TRUE(bed.cache->prepare_retrieval(n_tokens - 1, nullptr, never_cancelled()).ok());
      const TokenId id = 0;
      bed.backend->embed(*bed.table, {&id, 1}, 1.0f, *bed.q);
      std::vector<float> got;
      bed.attend(1, n_tokens, got);
      results[graphs ? 1 : 0].insert(results[graphs ? 1 : 0].end(), got.begin(), got.end());
    }
    EXPECT_EQ(bed.cuda().retrieval()->last_step().n_chunks, 2);
    if (graphs) {
      EXPECT_GE(engine::cuda::graph_report(*bed.backend).launched, 32);
    }
  }
  EXPECT_EQ(results[0], results[1]);
}

}  // namespace
}  // namespace mneme::testing

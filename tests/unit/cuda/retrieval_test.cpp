// Retrieval of keys on a device: codebooks and codes against those of engine/pq bit for bit, the choice against its
// ranking of cells and its split among heads for equal weights, estimates and attention against double arithmetic, and
// the whole against the processor's backend.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "engine/backend/cpu/cpu_backend.h"
#include "engine/pq/cell_ranking.h"
#include "engine/pq/codebook.h"
#include "engine/pq/head_budgets.h"
#include "engine/pq/key_parts.h"
#include "tests/unit/cuda/retrieval_bed.h"

namespace mneme::testing {
namespace {

using engine::cuda::HeadChoice;
using engine::cuda::kKeyCodes;

// A choice and the numbers of its step.
struct PqStep : engine::cuda::PqStep, engine::cuda::PqNumbers {};
PqStep last_step(const Bed& bed) {
  const engine::cuda::CudaRetrieval& retrieval = *bed.cuda().retrieval();
  return {retrieval.last_step(), retrieval.last_numbers()};
}

template <typename T>
std::vector<T> fetch(const T* from, int64_t n) {
  std::vector<T> out(static_cast<size_t>(n));
  EXPECT_EQ(cudaMemcpyAsync(out.data(), from, out.size() * sizeof(T), cudaMemcpyDeviceToHost, nullptr), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  return out;
}

// What one head's kernels made, on the host.
struct Head {
  std::vector<uint8_t> codes[2];
  std::vector<float> weights, factors, left_out;
  std::vector<int16_t> scores;
  std::vector<int> counts, positions;
  HeadChoice choice;

  Head(const PqStep& step, int head, int n_coded) {
    const engine::cuda::PqLayerView& index = step.index;
    for (int part = 0; part < 2; ++part)
      codes[part] = fetch(index.codes + (int64_t{head} * 2 + part) * index.code_stride, n_coded);
    const int64_t first = int64_t{head} * step.heads_per_kv;
    weights = fetch(step.choice.weights + first * 2 * kKeyCodes, int64_t{step.heads_per_kv} * 2 * kKeyCodes);
    factors = fetch(step.choice.factors + first, step.heads_per_kv);
    left_out = fetch(step.choice.left_out + first, step.heads_per_kv);
    scores = fetch(step.choice.scores + int64_t{head} * engine::kCells, engine::kCells);
    counts = fetch(index.cell_counts + int64_t{head} * engine::kCells, engine::kCells);
    choice = fetch(step.choice.heads + head, 1)[0];
    positions = fetch(step.choice.positions + head * step.choice.position_stride, choice.k);
  }
  engine::CodePair pair() const { return {codes[0].data(), codes[1].data()}; }
};

class Scores final : public engine::HeadScores {
 public:
  explicit Scores(const std::vector<Head>& heads) : heads_(heads) {}
  int n_heads() const override { return static_cast<int>(heads_.size()); }
  void count(int head, const int16_t (&thresholds)[engine::kThresholds],
             int (&counts)[engine::kThresholds]) const override {
    const Head& own = heads_[static_cast<size_t>(head)];
    for (int t = 0; t < engine::kThresholds; ++t) {
      counts[t] = 0;
      for (size_t cell = 0; cell < own.scores.size(); ++cell)
        counts[t] += own.scores[cell] >= thresholds[t] ? own.counts[cell] : 0;
    }
  }

 private:
  const std::vector<Head>& heads_;
};

// The codebook that the host trains on the same keys; what the device has must be it, and its codes.
void check_codes(const Bed& bed, const PqStep& step, int head, int n_trained, int n_coded) {
  const Shape& s = bed.shape;
  const auto options = options_of(s);
  const size_t width = static_cast<size_t>(s.n_kv_heads * s.head_dim);
  std::vector<f16> keys(static_cast<size_t>(n_coded) * width);
  ASSERT_TRUE(bed.cache->read(step.layer, 0, n_coded, false, keys, {}).ok());
  const auto rows = [&](int first, int last, int by) {
    std::vector<float> out;
    for (int i = first; i < last; i += by)
      for (int d = 0; d < s.head_dim; ++d)
        out.push_back(to_f32(keys[static_cast<size_t>(i) * width + static_cast<size_t>(head * s.head_dim + d)]));
    return out;
  };
  const int available = n_trained - s.n_sinks;
  const int by = std::max(1, (available + 399) / 400);
  const auto sample = rows(s.n_sinks, n_trained, by);
  const int n = static_cast<int>(sample.size()) / s.head_dim;
  const auto& kernels = engine::pq_kernels_scalar();
  const auto book = engine::Codebook::train(engine::make_key_parts(s.head_dim, 2, nullptr), sample, n,
                                            {s.n_bits, options.iterations, options.seed}, kernels);
  const auto bytes =
      fetch(step.index.centroids + int64_t{head} * s.head_dim * kKeyCodes, int64_t{s.head_dim} * kKeyCodes);
  const auto scales = fetch(step.index.scales + int64_t{head} * s.head_dim, s.head_dim);
  for (int part = 0; part < 2; ++part)
    for (int code = 0; code < (1 << s.n_bits); ++code) {
      const auto expected = book->centroid(part, code);
      for (size_t d = 0; d < expected.size(); ++d) {
        const size_t row = static_cast<size_t>(part) * expected.size() + d;
        ASSERT_EQ(scales[row] * static_cast<float>(bytes[row * kKeyCodes + static_cast<size_t>(code)]), expected[d])
            << part << " " << code << " " << d;
      }
    }
  std::vector<uint8_t> codes[2] = {std::vector<uint8_t>(static_cast<size_t>(n_coded)),
                                   std::vector<uint8_t>(static_cast<size_t>(n_coded))};
  uint8_t* const of_part[2] = {codes[0].data(), codes[1].data()};
  book->encode(rows(0, n_coded, 1), n_coded, kernels, of_part);
  for (int part = 0; part < 2; ++part)
    EXPECT_EQ(fetch(step.index.codes + (int64_t{head} * 2 + part) * step.index.code_stride, n_coded), codes[part]);
}

// The tokens that engine/pq chooses by the same weights, and what its ranking leaves out.
void check_choice(const PqStep& step, const std::vector<Head>& heads) {
  const auto split = engine::split_among_heads(Scores(heads), step.k);
  for (size_t i = 0; i < heads.size(); ++i) {
    const Head& head = heads[i];
    std::vector<float> counted(engine::kCells);
    engine::count_cells(head.pair(), step.begin, step.end, 1.0f, counted);
    for (size_t cell = 0; cell < counted.size(); ++cell)
      ASSERT_EQ(static_cast<float>(head.counts[cell]), counted[cell]) << cell;
    EXPECT_EQ(head.choice.k, step.split ? split.taken[i] : step.k);
    engine::CellRanking cells(engine::pq_kernels_scalar());
    cells.use_counts(step.heads_per_kv, counted);
    for (int h = 0; h < step.heads_per_kv; ++h)
      std::copy_n(head.weights.begin() + h * 2 * kKeyCodes, 2 * kKeyCodes, cells.weights(h).begin());
    cells.score(std::vector<float>(static_cast<size_t>(step.heads_per_kv), 1.0f), step.combine_max);
    std::vector<engine::TokenPos> expected;
    cells.take(head.pair(), step.begin, step.end, head.choice.k, {}, expected);
    EXPECT_EQ(head.positions, expected);
    if (!step.tail) continue;
    std::vector<float> first, second;
    cells.weigh_rest(head.factors, first, second);
    const auto sums = fetch(step.choice.tail_sums + static_cast<int64_t>(i) * step.heads_per_kv, step.heads_per_kv);
    for (size_t h = 0; h < sums.size(); ++h) {
      const float rest = std::accumulate(first.begin() + static_cast<std::ptrdiff_t>(h) * kKeyCodes,
                                         first.begin() + static_cast<std::ptrdiff_t>(h + 1) * kKeyCodes, 0.0f);
      EXPECT_NEAR(sums[h], rest, 1e-4f * (1.0f + rest));
    }
  }
}

// A query head's attention to the tokens chosen and to the estimate of the rest, in double.
std::vector<double> attended(const Bed& bed, const PqStep& step, const Head& head, int kv_head, int query, int n_tokens,
                             const std::vector<float>& q) {
  const Shape& s = bed.shape;
  const auto dim = static_cast<size_t>(s.head_dim);
  const size_t width = static_cast<size_t>(s.n_kv_heads) * dim;
  std::vector<f16> keys(static_cast<size_t>(n_tokens) * width), values(keys.size());
  EXPECT_TRUE(bed.cache->read(step.layer, 0, n_tokens, false, keys, values).ok());
  std::vector<int> positions(static_cast<size_t>(step.begin));
  std::iota(positions.begin(), positions.end(), 0);
  positions.insert(positions.end(), head.positions.begin(), head.positions.end());
  for (int i = step.end; i < n_tokens; ++i) positions.push_back(i);
  const size_t own = static_cast<size_t>(kv_head) * dim;
  const size_t of_query = static_cast<size_t>(kv_head * step.heads_per_kv + query);
  std::vector<double> out(dim);
  const double relative_to = head.left_out[static_cast<size_t>(query)];
  double sum = s.logit
                   ? std::exp(double{bed.config.layers[static_cast<size_t>(step.layer)].sinks[of_query]} - relative_to)
                   : 0.0;
  for (const int i : positions) {
    double score = 0;
    for (size_t d = 0; d < dim; ++d)
      score += double{q[of_query * dim + d]} * to_f32(keys[static_cast<size_t>(i) * width + own + d]);
    score *= bed.config.attention_scale;
    if (s.softcap > 0) score = s.softcap * std::tanh(score / s.softcap);
    const double weight = std::exp(score - relative_to);
    sum += weight;
    for (size_t d = 0; d < dim; ++d) out[d] += weight * to_f32(values[static_cast<size_t>(i) * width + own + d]);
  }
  if (step.tail) {
    const auto at = static_cast<int64_t>(of_query);
    sum += fetch(step.choice.tail_sums + at, 1)[0];
    const auto tail = fetch(step.choice.tail_values + at * s.head_dim, s.head_dim);
    for (size_t d = 0; d < dim; ++d) out[d] += tail[d];
  }
  for (double& x : out) x /= sum;
  return out;
}

class CudaRetrievalTest : public ::testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(
    Shapes, CudaRetrievalTest,
    ::testing::Values(Shape{8, 2, 64, 700}, Shape{4, 1, 128, 900, engine::KvType::kQ8_0},
                      Shape{3, 3, 32, 500, engine::KvType::kF16, false}, Shape{6, 1, 256, 420},
                      Shape{4, 2, 20, 600, engine::KvType::kF16, true, true, 4, 5},
                      Shape{5, 1, 80, 610, engine::KvType::kF16, false, false, 6, 0, 0.9},
                      Shape{8, 2, 64, 700, engine::KvType::kF16, true, false, 6, 32, 0.1, 20.0f},
                      Shape{8, 2, 64, 700, engine::KvType::kF16, true, false, 6, 32, 0.2, 0, 8.0f},
                      Shape{4, 1, 128, 600, engine::KvType::kQ8_0, true, false, 6, 32, 0.2, 0, 5.0f},
                      Shape{3, 3, 32, 500, engine::KvType::kF16, false, false, 6, 32, 0.2, 0, 1e30f}));

TEST_P(CudaRetrievalTest, ChoosesAndAttendsAsTheProcessorsParts) {
  const Shape s = GetParam();
  Bed bed(s, open_cuda(), s.n_tokens + 200);
  bed.place(0, s.n_tokens, 7);
  ASSERT_TRUE(bed.cache->set_retrieval(options_of(s), bed.config).ok());
  const auto q = gaussian(static_cast<size_t>(s.n_heads * s.head_dim), 3);
  bed.set_query(q);
  const int n_trained = (s.n_tokens - 1) / 16 * 16;
  // The first step, the next ones, whose counts go on from it, and one after new codes.
  for (const int n_tokens : {s.n_tokens, s.n_tokens + 1, s.n_tokens + 5, s.n_tokens + 40}) {
    if (n_tokens > s.n_tokens) bed.place(s.n_tokens, n_tokens - s.n_tokens, 70);
    ASSERT_TRUE(bed.cache->prepare_retrieval(n_tokens - 1, nullptr, never_cancelled()).ok());
    for (int layer = 0; layer < 2; ++layer) {
      std::vector<float> got;
      bed.attend(layer, n_tokens, got);
      const PqStep step = last_step(bed);
      std::vector<Head> heads;
      const int n_coded = step.scored_end;
      for (int h = 0; h < s.n_kv_heads; ++h) heads.emplace_back(step, h, n_coded);
      // Of Q8_0 only keys rounded to f16 can be read.
      if (s.type == engine::KvType::kF16 && (n_tokens == s.n_tokens || n_tokens == s.n_tokens + 40))
        check_codes(bed, step, s.n_kv_heads - 1, n_trained, n_coded);
      check_choice(step, heads);
      const int head = s.n_heads - 1;
      const auto expected = attended(bed, step, heads.back(), s.n_kv_heads - 1, head % step.heads_per_kv, n_tokens, q);
      for (size_t d = 0; d < expected.size(); ++d)
        ASSERT_NEAR(got[static_cast<size_t>(head * s.head_dim) + d], expected[d],
                    s.type == engine::KvType::kF16 ? 2e-4 : 5e-3)
            << d;
    }
  }
  EXPECT_TRUE(bed.cache->retrieval_report().used);
  EXPECT_EQ(bed.cache->retrieval_report().steps, 4);
}

// The same options and keys on both: estimates of values are rounded to bytes on one side, and keys of nearly equal
// weight may change places.
TEST_P(CudaRetrievalTest, ComesOutAsOnTheProcessor) {
  const Shape s = GetParam();
  Bed beds[2] = {Bed(s, engine::make_cpu_backend(1), s.n_tokens + 20), Bed(s, open_cuda(), s.n_tokens + 20)};
  const auto q = gaussian(static_cast<size_t>(s.n_heads * s.head_dim), 3);
  std::vector<float> results[2];
  for (int i = 0; i < 2; ++i) {
    Bed& bed = beds[i];
    bed.place(0, s.n_tokens, 7);
    bed.set_query(q);
    ASSERT_TRUE(bed.cache->set_retrieval(options_of(s), bed.config).ok());
    ASSERT_TRUE(bed.cache->prepare_retrieval(s.n_tokens - 1, nullptr, never_cancelled()).ok());
    bed.attend(1, s.n_tokens, results[i]);
    EXPECT_TRUE(bed.cache->retrieval_report().used);
  }
  EXPECT_EQ(beds[0].cache->retrieval_report().budget_tokens, beds[1].cache->retrieval_report().budget_tokens);
  for (size_t i = 0; i < q.size(); ++i) ASSERT_NEAR(results[0][i], results[1][i], 0.03) << i;
}

TEST(CudaRetrieval, ForgetsAndLearnsAnew) {
  const Shape s{4, 2, 64, 640};
  Bed bed(s, open_cuda(), 1000);
  bed.place(0, 640, 7);
  ASSERT_TRUE(bed.cache->set_retrieval(options_of(s), bed.config).ok());
  const auto q = gaussian(size_t{4} * 64, 3);
  bed.set_query(q);
  std::vector<float> got;
  const auto step_at = [&](int n_tokens) {
    ASSERT_TRUE(bed.cache->prepare_retrieval(n_tokens - 1, nullptr, never_cancelled()).ok());
    bed.attend(0, n_tokens, got);
    const PqStep step = last_step(bed);
    check_choice(step, {Head(step, 0, step.scored_end), Head(step, 1, step.scored_end)});
  };
  step_at(640);
  bed.cache->forget(500);
  bed.place(500, 120, 99);
  step_at(620);
  bed.cache->forget(200);  // less than half of what the codebook was made of
  bed.place(200, 300, 98);
  step_at(500);
}

// Kernels are laid out for a few more tokens than there are, so that graphs hold for a while.
TEST(CudaRetrieval, ChunksBehindTheLastCandidateChangeNothing) {
  const Shape s{4, 2, 64, 640};
  Bed bed(s, open_cuda(), 3 * engine::cuda::kChunkKeys);
  bed.place(0, 640, 7);
  ASSERT_TRUE(bed.cache->set_retrieval(options_of(s), bed.config).ok());
  ASSERT_TRUE(bed.cache->prepare_retrieval(639, nullptr, never_cancelled()).ok());
  bed.set_query(gaussian(size_t{4} * 64, 3));
  std::vector<float> got;
  bed.attend(0, 640, got);
  PqStep step = last_step(bed);
  ASSERT_EQ(step.n_chunks, 1);
  std::vector<std::vector<int>> expected;
  for (int head = 0; head < 2; ++head) expected.push_back(Head(step, head, step.scored_end).positions);
  step.n_chunks = 3;
  ASSERT_EQ(engine::cuda::collect(nullptr, step), cudaSuccess);
  for (int head = 0; head < 2; ++head)
    EXPECT_EQ(Head(step, head, step.scored_end).positions, expected[static_cast<size_t>(head)]);
}

TEST(CudaRetrieval, RefusesWhatItDoesNot) {
  const Shape s{4, 2, 64, 300};
  Bed bed(s, open_cuda(), 400);
  for (const char* variant : {"exact", "h2o", "sparq", "quest", "infllm", "pq:4x6", "pq:2x8", "pq+rerank2"}) {
    engine::RetrievalOptions options = options_of(s);
    ASSERT_TRUE(engine::parse_retrieval_variant(variant, options).ok()) << variant;
    EXPECT_EQ(bed.cache->set_retrieval(options, bed.config).code(), StatusCode::kUnsupported) << variant;
    options.kind = engine::AttentionKind::kAuto;
    EXPECT_TRUE(bed.cache->set_retrieval(options, bed.config).ok()) << variant;
    EXPECT_EQ(bed.cuda().retrieval(), nullptr);
  }
  engine::RetrievalOptions wrong = options_of(s);
  wrong.n_parts = 3;
  EXPECT_EQ(bed.cache->set_retrieval(wrong, bed.config).code(), StatusCode::kUsage);
}

TEST(CudaRetrieval, CancelsBetweenLayers) {
  const Shape s{4, 2, 64, 500};
  Bed bed(s, open_cuda(), 600);
  bed.place(0, 500, 7);
  ASSERT_TRUE(bed.cache->set_retrieval(options_of(s), bed.config).ok());
  CancelToken cancel;
  cancel.cancel();
  EXPECT_EQ(bed.cache->prepare_retrieval(499, nullptr, cancel).code(), StatusCode::kCancelled);
  std::vector<float> got;
  bed.attend(0, 500, got);
  EXPECT_FALSE(bed.cache->retrieval_report().used);
}

// Layers that share a choice, and a window alone, which needs no codes.
TEST(CudaRetrieval, SharesChoicesAndKeepsWindows) {
  const Shape s{4, 2, 64, 700};
  Bed bed(s, open_cuda(), 800);
  bed.place(0, 700, 7);
  const auto q = gaussian(size_t{4} * 64, 3);
  bed.set_query(q);
  std::vector<float> got;
  engine::RetrievalOptions options = options_of(s);
  options.shared_layers = 2;
  for (const auto method : {engine::RetrievalMethod::kPq, engine::RetrievalMethod::kSinkWindow}) {
    options.method = method;
    ASSERT_TRUE(bed.cache->set_retrieval(options, bed.config).ok());
    ASSERT_TRUE(bed.cache->prepare_retrieval(699, nullptr, never_cancelled()).ok());
    for (int layer = 0; layer < 2; ++layer) {
      bed.attend(layer, 700, got);
      for (const float x : got) ASSERT_TRUE(std::isfinite(x));
    }
    if (method == engine::RetrievalMethod::kPq) {
      EXPECT_EQ(bed.cuda().retrieval()->last_step().layer, 0);
    }
    EXPECT_EQ(bed.cache->retrieval_report().steps, 1);
    EXPECT_EQ(bed.cache->retrieval_report().mean_attended, 140);
  }
}

}  // namespace
}  // namespace mneme::testing

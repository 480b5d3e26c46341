// The retrieval policies on keys held in memory: what they find, against the exact weights.
#include "engine/pq/key_selector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.h"

namespace mneme::engine {
namespace {

constexpr int kHeadDim = 32;
constexpr int kHeads = 4;

// Keys of one head: clusters with a few strong directions, as keys of language models have.
class MemoryKeys final : public KeyReader {
 public:
  MemoryKeys(int n, uint64_t seed) : keys_(static_cast<size_t>(n * kHeadDim)), values_(keys_.size()) {
    Random random(seed);
    std::vector<float> centres(40 * kHeadDim);
    for (size_t i = 0; i < centres.size(); ++i) centres[i] = 2.5f * random.gaussian() / (1 + i % kHeadDim / 8);
    for (int i = 0; i < n; ++i) {
      const auto centre = random.below(40) * kHeadDim;
      for (int d = 0; d < kHeadDim; ++d) at(i)[d] = centres[centre + static_cast<size_t>(d)] + 0.7f * random.gaussian();
      // Values of tokens whose keys are alike are alike.
      for (int d = 0; d < kHeadDim; ++d)
        value(i)[d] = 0.5f * centres[(centre + static_cast<size_t>(7 * d)) % centres.size()] + 0.3f * random.gaussian();
    }
  }
  float* value(int i) { return values_.data() + static_cast<ptrdiff_t>(i) * kHeadDim; }
  const float* value(int i) const { return values_.data() + static_cast<ptrdiff_t>(i) * kHeadDim; }
  float* at(int i) { return keys_.data() + static_cast<ptrdiff_t>(i) * kHeadDim; }
  const float* at(int i) const { return keys_.data() + static_cast<ptrdiff_t>(i) * kHeadDim; }
  void read_keys(int /*layer*/, int /*kv_head*/, TokenPos first, int n, int step, std::span<const int> order,
                 float* out) const override {
    for (int i = 0; i < n; ++i)
      for (int d = 0; d < kHeadDim; ++d)
        out[i * kHeadDim + d] = keys_[static_cast<size_t>((first + i * step) * kHeadDim +
                                                          (order.empty() ? d : order[static_cast<size_t>(d)]))];
  }
  void read_values(int /*layer*/, int /*kv_head*/, TokenPos first, int n, float* out) const override {
    std::copy(value(first), value(first + n), out);
  }

 private:
  std::vector<float> keys_;
  std::vector<float> values_;
};

KeySelectorShape shape() {
  return {.n_layers = 1, .n_kv_heads = 1, .head_dim = kHeadDim, .ropes = {nullptr}};
}

std::unique_ptr<KeySelector> make(RetrievalOptions options) {
  return make_key_selector(options, shape(), best_pq_kernels());
}
std::unique_ptr<KeySelector> make(RetrievalMethod method) {
  RetrievalOptions options;
  options.method = method;
  return make(options);
}

struct Query {
  std::vector<float> values = std::vector<float>(kHeads * kHeadDim);
  explicit Query(uint64_t seed) {
    Random random(seed);
    for (float& x : values) x = random.gaussian();
  }
  KeyQuery of(int begin, int end, int k) const {
    KeyQuery query;
    query.queries = values;
    query.n_heads = kHeads;
    query.scale = 1 / std::sqrt(float{kHeadDim});
    query.begin = begin;
    query.end = end;
    query.k = k;
    return query;
  }
};

std::vector<TokenPos> select(KeySelector& selector, const KeyQuery& query, const KeyReader& keys) {
  SelectScratch scratch(best_pq_kernels());
  std::vector<TokenPos> out;
  selector.select(query, keys, scratch, out);
  return out;
}

double mass(const KeyQuery& query, const KeyReader& keys, const std::vector<TokenPos>& chosen) {
  std::vector<float> weights;
  exact_weights(query, kHeadDim, keys, weights);
  double sum = 0;
  for (const TokenPos p : chosen) sum += weights[static_cast<size_t>(p - query.begin)];
  return sum / kHeads;
}

double recall(const std::vector<TokenPos>& chosen, const std::vector<TokenPos>& best) {
  std::vector<TokenPos> common;
  std::set_intersection(chosen.begin(), chosen.end(), best.begin(), best.end(), std::back_inserter(common));
  return static_cast<double>(common.size()) / static_cast<double>(best.size());
}

constexpr RetrievalMethod kAll[] = {RetrievalMethod::kPq,    RetrievalMethod::kExact, RetrievalMethod::kH2o,
                                    RetrievalMethod::kSparq, RetrievalMethod::kQuest, RetrievalMethod::kInfLlm};

TEST(KeySelector, EveryPolicyChoosesKDistinctCandidatesInOrder) {
  const MemoryKeys keys(3000, 1);
  for (const RetrievalMethod method : kAll) {
    const auto selector = make(method);
    ASSERT_TRUE(selector->update(0, 0, 3000, keys, never_cancelled()).ok());
    const int end = std::min(2900, selector->n_indexed(0));
    for (const int k : {0, 1, 50, 300, end - 32}) {
      const auto chosen = select(*selector, Query(2).of(32, end, k), keys);
      ASSERT_EQ(static_cast<int>(chosen.size()), k) << retrieval_method_name(method);
      EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
      EXPECT_EQ(std::adjacent_find(chosen.begin(), chosen.end()), chosen.end());
      if (k > 0) {
        EXPECT_GE(chosen.front(), 32);
        EXPECT_LT(chosen.back(), end);
      }
      if (method == RetrievalMethod::kH2o) break;  // what it drops never comes back
    }
  }
}

TEST(KeySelector, PqComesCloseToTheOracle) {
  const MemoryKeys keys(6000, 3);
  const auto pq = make(RetrievalMethod::kPq);
  ASSERT_TRUE(pq->update(0, 0, 6000, keys, never_cancelled()).ok());
  double covered = 0;
  double best_covered = 0;
  double found = 0;
  constexpr int kQueries = 10;
  for (int i = 0; i < kQueries; ++i) {
    const Query made(static_cast<uint64_t>(100 + i));
    const KeyQuery query = made.of(32, 5888, 600);
    const auto chosen = select(*pq, query, keys);
    const auto best = select(*make(RetrievalMethod::kExact), query, keys);
    covered += mass(query, keys, chosen) / kQueries;
    best_covered += mass(query, keys, best) / kQueries;
    found += recall(chosen, best) / kQueries;
  }
  EXPECT_GT(covered, 0.75 * best_covered);
  EXPECT_GT(found, 0.5);
}

TEST(KeySelector, MoreBitsFindMore) {
  const MemoryKeys keys(5000, 4);
  double last = 0;
  for (const auto& [parts, bits] : {std::pair{2, 4}, {4, 6}, {8, 8}}) {
    RetrievalOptions options;
    options.n_parts = parts;
    options.n_bits = bits;
    const auto pq = make(options);
    ASSERT_TRUE(pq->update(0, 0, 5000, keys, never_cancelled()).ok());
    double found = 0;
    for (uint64_t seed = 0; seed < 5; ++seed) {
      const Query made(seed);
      const KeyQuery query = made.of(32, 4900, 490);
      found += recall(select(*pq, query, keys), select(*make(RetrievalMethod::kExact), query, keys)) / 5;
    }
    EXPECT_GT(found, last) << parts << "x" << bits;
    last = found;
  }
  EXPECT_GT(last, 0.8);
}

// Adding the heads' weights in fixed point stands in for the softmax over f32 scores.
TEST(KeySelector, CombiningHeadsByWeightBeatsTheirMaximumOrEquals) {
  const MemoryKeys keys(5000, 5);
  double by[2] = {};
  for (const bool maximum : {false, true}) {
    RetrievalOptions options;
    options.combine_max = maximum;
    options.n_parts = 8;
    const auto pq = make(options);
    ASSERT_TRUE(pq->update(0, 0, 5000, keys, never_cancelled()).ok());
    for (uint64_t seed = 0; seed < 10; ++seed) {
      const Query made(seed);
      const KeyQuery query = made.of(32, 4900, 490);
      by[maximum] += mass(query, keys, select(*pq, query, keys)) / 10;
    }
  }
  EXPECT_GE(by[false], by[true] - 0.002);
}

TEST(KeySelector, AKeyThatTheQueryPointsAtIsFound) {
  MemoryKeys keys(4000, 6);
  const Query query(7);
  // As strong as nothing else, for the second head alone.
  for (int d = 0; d < kHeadDim; ++d) keys.at(2345)[d] = 6 * query.values[static_cast<size_t>(kHeadDim + d)];
  for (const RetrievalMethod method : kAll) {
    const auto selector = make(method);
    ASSERT_TRUE(selector->update(0, 0, 4000, keys, never_cancelled()).ok());
    const auto chosen = select(*selector, query.of(32, std::min(3900, selector->n_indexed(0)), 200), keys);
    EXPECT_THAT(chosen, ::testing::Contains(2345)) << retrieval_method_name(method);
  }
}

// Where the query points one way, what lies on it counts: not how large keys are, nor those that point the other way.
TEST(KeySelector, PagesAreChosenByWhatTheirKeysCouldScore) {
  for (const float sign : {1.0f, -1.0f}) {
    MemoryKeys keys(2000, 20);
    std::fill(keys.at(0), keys.at(1999) + kHeadDim, 0.0f);
    keys.at(1000)[0] = sign;       // ten times what the next scores
    keys.at(1500)[1] = 5 * sign;   // larger
    keys.at(700)[0] = -50 * sign;  // the other way
    Query made(21);
    std::fill(made.values.begin(), made.values.end(), 0.0f);
    made.values[0] = 10 * sign;
    made.values[1] = 0.2f * sign;
    const auto quest = make(RetrievalMethod::kQuest);
    ASSERT_TRUE(quest->update(0, 0, 2000, keys, never_cancelled()).ok());
    EXPECT_THAT(select(*quest, made.of(32, 1984, 16), keys), ::testing::Contains(1000)) << sign;
  }
}

TEST(KeySelector, CodesDoNotDependOnHowTheyCame) {
  const MemoryKeys keys(4000, 8);
  const auto at_once = make(RetrievalMethod::kPq);
  const auto bit_by_bit = make(RetrievalMethod::kPq);
  ASSERT_TRUE(bit_by_bit->update(0, 0, 2000, keys, never_cancelled()).ok());
  for (int n = 2000; n <= 4000; n += 16) ASSERT_TRUE(bit_by_bit->update(0, 0, n, keys, never_cancelled()).ok());
  ASSERT_TRUE(at_once->update(0, 0, 2000, keys, never_cancelled()).ok());
  ASSERT_TRUE(at_once->update(0, 0, 4000, keys, never_cancelled()).ok());
  const Query made(9);
  const KeyQuery query = made.of(32, 3968, 300);
  EXPECT_EQ(select(*at_once, query, keys), select(*bit_by_bit, query, keys));
}

// Codebooks are trained anew when there is four times as much: of what came before nothing is left.
TEST(KeySelector, GrownFourfoldItIsAsIfMadeAtOnce) {
  const MemoryKeys keys(8000, 26);
  for (const int parts : {2, 4}) {
    RetrievalOptions options;
    options.n_parts = parts;
    const auto grown = make(options);
    const auto made_at_once = make(options);
    for (const int n : {2000, 7999, 8000}) ASSERT_TRUE(grown->update(0, 0, n, keys, never_cancelled()).ok());
    ASSERT_TRUE(made_at_once->update(0, 0, 8000, keys, never_cancelled()).ok());
    const Query made(27);
    KeyQuery query = made.of(32, 7872, 400);
    query.n_tokens = 8000;
    SelectScratch scratch[2] = {SelectScratch(best_pq_kernels()), SelectScratch(best_pq_kernels())};
    std::vector<TokenPos> chosen[2];
    grown->select(query, keys, scratch[0], chosen[0]);
    made_at_once->select(query, keys, scratch[1], chosen[1]);
    EXPECT_EQ(chosen[0], chosen[1]) << parts;
    EXPECT_EQ(scratch[0].tail.values, scratch[1].tail.values) << parts;
  }
}

TEST(KeySelector, ForgettingAndRewritingGivesTheNewKeys) {
  MemoryKeys keys(4000, 10);
  const Query query(11);
  for (const RetrievalMethod method : kAll) {
    const auto selector = make(method);
    ASSERT_TRUE(selector->update(0, 0, 4000, keys, never_cancelled()).ok());
    select(*selector, query.of(32, 3500, 100), keys);
    selector->forget(3000);
    EXPECT_TRUE(selector->n_indexed(0) <= 3000 || selector->n_indexed(0) == std::numeric_limits<int>::max());
    MemoryKeys rewritten = keys;
    for (int d = 0; d < kHeadDim; ++d) rewritten.at(3100)[d] = 8 * query.values[static_cast<size_t>(d)];
    ASSERT_TRUE(selector->update(0, 0, 4000, rewritten, never_cancelled()).ok());
    EXPECT_THAT(select(*selector, query.of(32, 3900 / 64 * 64, 100), rewritten), ::testing::Contains(3100))
        << retrieval_method_name(method);
  }
}

TEST(KeySelector, EqualKeysAndKeysThatAreNoNumbers) {
  MemoryKeys keys(2000, 12);
  for (int i = 0; i < 2000; ++i) std::fill(keys.at(i), keys.at(i) + kHeadDim, 0.25f);
  const auto equal = make(RetrievalMethod::kPq);
  ASSERT_TRUE(equal->update(0, 0, 2000, keys, never_cancelled()).ok());
  const auto chosen = select(*equal, Query(1).of(32, 1900, 100), keys);
  ASSERT_EQ(chosen.size(), 100u);
  EXPECT_EQ(chosen.front(), 32);  // ties go by position
  EXPECT_EQ(chosen.back(), 131);

  MemoryKeys broken(2000, 13);
  for (const int i : {40, 700, 701}) std::fill(broken.at(i), broken.at(i) + kHeadDim, std::nanf(""));
  broken.at(900)[3] = std::numeric_limits<float>::infinity();
  const auto selector = make(RetrievalMethod::kPq);
  ASSERT_TRUE(selector->update(0, 0, 2000, broken, never_cancelled()).ok());
  MemoryKeys mended = broken;
  for (const int i : {40, 700, 701}) std::fill(mended.at(i), mended.at(i) + kHeadDim, 0.0f);
  mended.at(900)[3] = 0.0f;
  const auto expected = make(RetrievalMethod::kPq);
  ASSERT_TRUE(expected->update(0, 0, 2000, mended, never_cancelled()).ok());
  const Query made(14);
  const KeyQuery query = made.of(32, 1900, 100);
  EXPECT_EQ(select(*selector, query, broken), select(*expected, query, mended));
}

TEST(KeySelector, CancelledUpdatesGoOnLater) {
  const MemoryKeys keys(3000, 15);
  for (const RetrievalMethod method : {RetrievalMethod::kPq, RetrievalMethod::kQuest, RetrievalMethod::kInfLlm}) {
    const auto selector = make(method);
    CancelToken cancel;
    cancel.cancel();
    EXPECT_EQ(selector->update(0, 0, 3000, keys, cancel).code(), StatusCode::kCancelled);
    EXPECT_EQ(selector->n_indexed(0), 0);
    EXPECT_TRUE(selector->update(0, 0, 3000, keys, never_cancelled()).ok());
    EXPECT_GE(selector->n_indexed(0), 2900);
  }
}

// Three of four heads look at a sink and nowhere else: what they would weigh among the rest must not count.
TEST(KeySelector, HeadsThatLookAtTheSinksHaveNoSay) {
  MemoryKeys keys(5000, 20);
  Query all(21);
  for (int h = 0; h < 3; ++h)
    for (int d = 0; d < kHeadDim; ++d) all.values[static_cast<size_t>(h * kHeadDim + d)] = d == 5 ? 6.0f : 0.1f;
  std::fill(keys.at(3), keys.at(3) + kHeadDim, 0.0f);
  keys.at(3)[5] = 30.0f;
  const auto pq = make(RetrievalMethod::kPq);
  ASSERT_TRUE(pq->update(0, 0, 5000, keys, never_cancelled()).ok());
  KeyQuery query = all.of(32, 4872, 400);
  query.n_tokens = 5000;
  KeyQuery fourth = query;
  fourth.queries = std::span<const float>(all.values).subspan(3 * kHeadDim);
  fourth.n_heads = 1;
  EXPECT_GT(recall(select(*pq, query, keys), select(*pq, fourth, keys)), 0.95);
  EXPECT_GT(
      recall(select(*make(RetrievalMethod::kExact), query, keys), select(*make(RetrievalMethod::kExact), fourth, keys)),
      0.95);
}

// Scores of the sinks that the caller has serve as those of the keys that are read.
TEST(KeySelector, SinksCountTheSameGivenOrRead) {
  const MemoryKeys keys(3000, 22);
  for (const int parts : {2, 4}) {
    RetrievalOptions options;
    options.n_parts = parts;
    const auto pq = make(options);
    ASSERT_TRUE(pq->update(0, 0, 3000, keys, never_cancelled()).ok());
    for (const int begin : {0, 1, 16, 31, 32}) {
      const Query made(23);
      KeyQuery query = made.of(begin, 2872, 200);
      query.n_tokens = 3000;
      const std::vector<TokenPos> read = select(*pq, query, keys);
      query.sink_stride = 48;
      std::vector<float> scores(kHeads * 48, 1e6f);  // what is beyond the sinks must not be looked at
      for (int h = 0; h < kHeads; ++h)
        for (int i = 0; i < begin; ++i)
          scores[static_cast<size_t>(h * 48 + i)] =
              query.scale *
              std::inner_product(keys.at(i), keys.at(i) + kHeadDim, made.values.data() + h * kHeadDim, 0.0f);
      query.sink_scores = scores;
      EXPECT_GT(recall(select(*pq, query, keys), read), 0.99) << parts << " parts, from " << begin;
    }
  }
}

TEST(KeySelector, MassDecidesHowManyAreTaken) {
  const MemoryKeys keys(4000, 16);
  const auto pq = make(RetrievalMethod::kPq);
  ASSERT_TRUE(pq->update(0, 0, 4000, keys, never_cancelled()).ok());
  size_t last = 0;
  for (const double wanted : {0.3, 0.6, 0.9}) {
    const Query made(17);
    KeyQuery query = made.of(32, 3900, 3800);
    query.mass = wanted;
    query.floor_k = 10;
    const auto chosen = select(*pq, query, keys);
    EXPECT_GT(chosen.size(), last);
    EXPECT_NEAR(mass(query, keys, chosen), wanted, 0.25);  // an estimate from codes
    last = chosen.size();
  }
  EXPECT_LT(last, 3800u);
}

// Counts that were kept, counts made for the step: the choice is the same.
TEST(KeySelector, KeptCountsChangeNothing) {
  constexpr int kTokens = 25000;  // more than it takes to keep counts
  const MemoryKeys keys(kTokens, 30);
  RetrievalOptions options;
  options.iterations = 2;
  const auto grown = make(options);
  ASSERT_TRUE(grown->update(0, 0, 9000, keys, never_cancelled()).ok());
  const auto cut = make(options);
  ASSERT_TRUE(cut->update(0, 0, 9000, keys, never_cancelled()).ok());
  ASSERT_TRUE(cut->update(0, 0, kTokens, keys, never_cancelled()).ok());  // keeps counts from now on
  for (const int n : {9600, 12800, 24576}) {
    cut->forget(9000);
    ASSERT_TRUE(grown->update(0, 0, n, keys, never_cancelled()).ok());
    ASSERT_TRUE(cut->update(0, 0, n, keys, never_cancelled()).ok());
    for (const int begin : {10, 32, 100}) {
      const Query made(31);
      KeyQuery query = made.of(begin, n - 128, n / 10);
      query.n_tokens = n;
      EXPECT_EQ(select(*grown, query, keys), select(*cut, query, keys)) << n << ", from " << begin;
    }
  }
}

// Attention to the chosen keys alone, and with the estimate of the others, against attention to all.
// One head's attention to single tokens: sums of weights and of weighted values, relative to the tail's maximum.
struct AttendedTo {
  std::vector<double> values = std::vector<double>(kHeadDim);
  double sum = 0;

  double add(const KeyQuery& query, int head, const MemoryKeys& keys, const SelectScratch& scratch, int token) {
    double score = 0;
    for (int d = 0; d < kHeadDim; ++d)
      score += double{query.queries[static_cast<size_t>(head * kHeadDim + d)]} * keys.at(token)[d] * query.scale;
    const double weight = std::exp(score - scratch.tail.maximum[static_cast<size_t>(head)]);
    for (int d = 0; d < kHeadDim; ++d) values[static_cast<size_t>(d)] += weight * keys.value(token)[d];
    sum += weight;
    return weight;
  }
};

// The squared distance between full attention and that to `chosen`, without and with the estimate of the rest.
std::pair<double, double> errors_of(const KeyQuery& query, const MemoryKeys& keys, const SelectScratch& scratch,
                                    const std::vector<TokenPos>& chosen) {
  std::pair<double, double> errors;
  for (int h = 0; h < kHeads; ++h) {
    AttendedTo full, few;
    for (int token = 0; token < query.n_tokens; ++token) full.add(query, h, keys, scratch, token);
    for (const TokenPos token : chosen) few.add(query, h, keys, scratch, token);
    const float* tail = scratch.tail.values.data() + h * scratch.tail.value_stride;
    const double with_tail = few.sum + scratch.tail.sum[static_cast<size_t>(h)];
    for (size_t d = 0; d < kHeadDim; ++d) {
      const double expected = full.values[d] / full.sum;
      errors.first += std::pow(few.values[d] / few.sum - expected, 2);
      errors.second += std::pow((few.values[d] + tail[d]) / with_tail - expected, 2);
    }
  }
  return errors;
}

// What select() chose, and the sinks and the window around it.
std::vector<TokenPos> attended(const KeyQuery& query, std::vector<TokenPos> chosen) {
  for (int p = 0; p < query.begin; ++p) chosen.push_back(p);
  for (int p = query.end; p < query.n_tokens; ++p) chosen.push_back(p);
  return chosen;
}

TEST(KeySelector, TheTailComesCloserToFullAttention) {
  const MemoryKeys keys(6000, 40);
  RetrievalOptions options;
  options.tail = true;
  const auto pq = make(options);
  ASSERT_TRUE(pq->update(0, 0, 6000, keys, never_cancelled()).ok());
  double without = 0;
  double with_tail = 0;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const Query made(50 + seed);
    KeyQuery query = made.of(32, 5872, 300);
    query.n_tokens = 6000;
    SelectScratch scratch(best_pq_kernels());
    std::vector<TokenPos> chosen;
    pq->select(query, keys, scratch, chosen);
    ASSERT_EQ(scratch.tail.value_stride, kHeadDim);
    const auto [cut, estimated] = errors_of(query, keys, scratch, attended(query, chosen));
    without += cut;
    with_tail += estimated;
  }
  EXPECT_LT(std::sqrt(with_tail), 0.5 * std::sqrt(without));
}

// As where exact keys say that some of what the codes chose is not worth reading.
TEST(KeySelector, WhatIsLeftOutAfterAllBelongsToTheTail) {
  const MemoryKeys keys(6000, 40);
  const auto pq = make(RetrievalOptions());
  ASSERT_TRUE(pq->update(0, 0, 6000, keys, never_cancelled()).ok());
  double forgotten = 0;
  double left_out = 0;
  for (uint64_t seed = 60; seed < 64; ++seed) {
    const Query made(seed);
    KeyQuery query = made.of(32, 5872, 600);
    query.n_tokens = 6000;
    SelectScratch scratch(best_pq_kernels());
    std::vector<TokenPos> chosen;
    pq->select(query, keys, scratch, chosen);
    std::vector<TokenPos> kept, dropped;
    for (size_t i = 0; i < chosen.size(); ++i) (i % 3 == 0 ? kept : dropped).push_back(chosen[i]);
    forgotten += errors_of(query, keys, scratch, attended(query, kept)).second;
    std::vector<float> weights;
    std::vector<double> sums(scratch.tail.sum.begin(), scratch.tail.sum.end());
    for (int h = 0; h < kHeads; ++h) {
      AttendedTo of_dropped;
      for (const TokenPos token : dropped)
        weights.push_back(static_cast<float>(of_dropped.add(query, h, keys, scratch, token)));
      sums[static_cast<size_t>(h)] += of_dropped.sum;
    }
    pq->leave_out(query, dropped, weights, scratch);
    for (size_t h = 0; h < kHeads; ++h) EXPECT_NEAR(scratch.tail.sum[h] / sums[h], 1, 1e-4) << h;
    left_out += errors_of(query, keys, scratch, attended(query, kept)).second;
  }
  // Values by code are a coarse estimate, but a better one than nothing.
  EXPECT_LT(left_out, 0.85 * forgotten);
}

// Weighing first and selecting then is selecting; counts say what would be taken.
TEST(KeySelector, WeighingIsTheFirstHalfOfSelecting) {
  const MemoryKeys keys(4000, 45);
  RetrievalOptions wide;
  wide.n_parts = 4;
  RetrievalOptions exact;
  exact.method = RetrievalMethod::kExact;
  for (const RetrievalOptions& options : {RetrievalOptions(), wide, exact}) {
    const auto selector = make(options);
    ASSERT_TRUE(selector->update(0, 0, 4000, keys, never_cancelled()).ok());
    const Query made(46);
    KeyQuery query = made.of(32, 3872, 400);
    query.n_tokens = 4000;
    const auto expected = select(*selector, query, keys);
    SelectScratch scratch(best_pq_kernels());
    ASSERT_TRUE(selector->weigh(query, keys, scratch));
    int low = 0;
    int high = kScoreEnd;
    while (high - low > 1) {  // the k-th score
      const auto middle = static_cast<int16_t>((low + high) / 2);
      const int16_t thresholds[kThresholds] = {0, middle, kScoreEnd, middle};
      int counts[kThresholds] = {-1, -1, -1, -1};
      scratch.count_reaching(thresholds, counts);
      EXPECT_EQ(counts[0], 3840);
      EXPECT_EQ(counts[2], 0);
      (counts[1] >= query.k ? low : high) = middle;
    }
    query.weighed = true;
    query.guess = static_cast<int16_t>(low);
    std::vector<TokenPos> chosen;
    selector->select(query, keys, scratch, chosen);
    EXPECT_EQ(chosen, expected);
  }
}

// Where all values are alike the tail has that value, however its tokens came to belong to it.
TEST(KeySelector, ATailOfEqualValuesHasTheirValue) {
  MemoryKeys keys(4000, 47);
  for (int i = 0; i < 4000; ++i)
    for (int d = 0; d < kHeadDim; ++d) keys.value(i)[d] = static_cast<float>(d - 7);
  const auto pq = make(RetrievalOptions());
  ASSERT_TRUE(pq->update(0, 0, 4000, keys, never_cancelled()).ok());
  const Query made(48);
  KeyQuery query = made.of(32, 3872, 400);
  query.n_tokens = 4000;
  SelectScratch scratch(best_pq_kernels());
  std::vector<TokenPos> chosen;
  pq->select(query, keys, scratch, chosen);
  const std::vector<float> first_sums = scratch.tail.sum;
  const auto expect_that_value = [&] {
    for (size_t i = 0; i < kHeads * kHeadDim; ++i) {
      const size_t h = i / kHeadDim;
      const float value = scratch.tail.values[h * static_cast<size_t>(scratch.tail.value_stride) + i % kHeadDim];
      EXPECT_NEAR(value / scratch.tail.sum[h], static_cast<float>(i % kHeadDim) - 7, 0.25f)
          << i << ", in steps of 24 / 127";
    }
  };
  expect_that_value();
  // As much again for the first head, twice as much for the second.
  std::vector<float> weights(kHeads * chosen.size());
  for (size_t h = 0; h < kHeads; ++h) {
    for (size_t i = 0; i < chosen.size(); ++i)
      weights[h * chosen.size() + i] = (1 + static_cast<float>(h)) * first_sums[h] / static_cast<float>(chosen.size());
  }
  pq->leave_out(query, chosen, weights, scratch);
  for (size_t h = 0; h < kHeads; ++h)
    EXPECT_NEAR(scratch.tail.sum[h] / first_sums[h], 2 + static_cast<float>(h), 1e-3f);
  expect_that_value();
}

TEST(KeySelector, TailsFollowWhatIsForgottenAndRewritten) {
  const MemoryKeys keys(4000, 41);
  RetrievalOptions options;
  options.tail = true;
  const auto once = make(options);
  const auto twice = make(options);
  for (const auto& pq : {once.get(), twice.get()}) ASSERT_TRUE(pq->update(0, 0, 2000, keys, never_cancelled()).ok());
  MemoryKeys other = keys;
  std::fill(other.value(3000), other.value(3999), 100.0f);
  ASSERT_TRUE(twice->update(0, 0, 4000, other, never_cancelled()).ok());
  twice->forget(2000);
  for (const auto& pq : {once.get(), twice.get()}) ASSERT_TRUE(pq->update(0, 0, 4000, keys, never_cancelled()).ok());
  const Query made(42);
  SelectScratch scratch[2] = {SelectScratch(best_pq_kernels()), SelectScratch(best_pq_kernels())};
  std::vector<TokenPos> chosen[2];
  once->select(made.of(32, 3872, 100), keys, scratch[0], chosen[0]);
  twice->select(made.of(32, 3872, 100), keys, scratch[1], chosen[1]);
  EXPECT_EQ(chosen[0], chosen[1]);
  // Means that are made in other portions are rounded elsewhere.
  for (size_t i = 0; i < scratch[0].tail.values.size(); ++i) {
    const float sum = scratch[0].tail.sum[i / kHeadDim];
    EXPECT_NEAR(scratch[0].tail.values[i] / sum, scratch[1].tail.values[i] / sum, 0.01f);
  }
}

TEST(KeySelector, QueriesThatAreNoNumbersChooseSomething) {
  const MemoryKeys keys(3000, 43);
  for (const auto& [parts, bits] : {std::pair{2, 6}, {4, 6}}) {
    RetrievalOptions options;
    options.n_parts = parts;
    options.n_bits = bits;
    const auto pq = make(options);
    ASSERT_TRUE(pq->update(0, 0, 3000, keys, never_cancelled()).ok());
    Query broken(44);
    broken.values[3] = std::nanf("");
    broken.values[kHeadDim] = std::numeric_limits<float>::infinity();
    EXPECT_EQ(select(*pq, broken.of(32, 2900, 100), keys).size(), 100u);
  }
}

// Two bytes per key and head, and one codebook: 1/64 of the fp16 KV from a few thousand tokens on.
TEST(KeySelector, CodesAndCentroidsAreSmall) {
  const MemoryKeys keys(16384, 18);
  RetrievalOptions options;
  options.iterations = 1;
  options.tail = false;
  const auto pq = make(options);
  ASSERT_TRUE(pq->update(0, 0, 16384, keys, never_cancelled()).ok());
  EXPECT_LE(pq->memory_bytes() * 32, int64_t{16384} * kHeadDim * 4);  // heads of 32: half of the usual KV per code
  // The mean values that the tail is estimated with are as many for every length.
  options.tail = true;
  const auto with_tail = make(options);
  ASSERT_TRUE(with_tail->update(0, 0, 16384, keys, never_cancelled()).ok());
  EXPECT_LE(with_tail->memory_bytes() - pq->memory_bytes(), int64_t{2} * kTableEntries * (kHeadDim + 8) + kHeadDim * 4);
}

// Heads of 64: codes, centroids, mean values and counts together, from the shortest context that retrieves by itself
// on.
TEST(KeySelector, TheWholeIndexIsASixtyFourthOfTheKv) {
  constexpr int kWide = 64;
  class Wide final : public KeyReader {
   public:
    void read_keys(int, int, TokenPos first, int n, int step, std::span<const int>, float* out) const override {
      for (int i = 0; i < n; ++i) fill(first + i * step, out + i * kWide);
    }
    void read_values(int, int, TokenPos first, int n, float* out) const override {
      for (int i = 0; i < n; ++i) fill(first + i, out + i * kWide);
    }

   private:
    static void fill(TokenPos position, float* out) {
      Random random(static_cast<uint64_t>(position));
      for (int d = 0; d < kWide; ++d) out[d] = static_cast<float>(random.uniform());
    }
  };
  const Wide keys;
  for (const int n : {8208, 20464, 20480, 32768}) {
    RetrievalOptions options;
    options.iterations = 1;
    const auto pq = make_key_selector(options, {.n_layers = 1, .n_kv_heads = 1, .head_dim = kWide, .ropes = {nullptr}},
                                      best_pq_kernels());
    ASSERT_TRUE(pq->update(0, 0, n, keys, never_cancelled()).ok());
    EXPECT_LE(pq->memory_bytes() * 64, int64_t{n} * kWide * 4) << n;
  }
}

}  // namespace
}  // namespace mneme::engine

// Attention of many queries to pages of keys and values, by every instruction set this machine has, against plain
// double arithmetic: shapes at random.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/backend/cpu/aligned_buffer.h"
#include "engine/backend/cpu/kernels.h"

namespace mneme::engine::cpu {
namespace {

constexpr int kSeeds = 30;

// Queries in groups of `heads_per_kv` that see the same keys, pages one after the other.
struct Problem {
  int n_queries = 0, head_dim = 0, value_stride = 0, n_keys = 0;
  float softcap = 0;
  std::vector<float> queries;                  // (n_queries, head_dim)
  std::vector<int> first, end;                 // of all keys
  std::vector<f16> keys, values;               // in pages, (head_dim, kPageTokens) and (kPageTokens, value_stride) each
  std::vector<int8_t> key_codes, value_codes;  // instead, where not empty
  std::vector<f16> key_scales, value_scales;

  int n_pages() const { return (n_keys + kPageTokens - 1) / kPageTokens; }
  size_t key_at(int token, int d) const {
    return (static_cast<size_t>(token / kPageTokens) * head_dim + d) * kPageTokens + token % kPageTokens;
  }
  size_t value_at(int token, int d) const { return static_cast<size_t>(token) * value_stride + d; }
  size_t scale_at(int token, int d) const {
    const size_t blocks = head_dim / kKvBlock;
    return (token / kPageTokens * blocks + d / kKvBlock) * kPageTokens + token % kPageTokens;
  }
  double key(int token, int d) const {
    if (key_codes.empty()) return to_f32(keys[key_at(token, d)]);
    return double{to_f32(key_scales[scale_at(token, d)])} * key_codes[key_at(token, d)];
  }
  double value(int token, int d) const {
    if (value_codes.empty()) return to_f32(values[value_at(token, d)]);
    return double{to_f32(value_scales[scale_at(token, d)])} * value_codes[value_at(token, d)];
  }
};

void fill_bounds(Random& random, Problem& p) {
  const int window = random.below(3) == 0 ? 1 + static_cast<int>(random.below(300)) : p.n_keys;
  const int heads_per_kv = 1 + static_cast<int>(random.below(8));
  const bool scattered = random.below(2) == 0;
  const int n_rows = (p.n_queries + heads_per_kv - 1) / heads_per_kv;
  for (int i = 0; i < p.n_queries; ++i) {
    const int row = i / heads_per_kv;
    const int end = scattered ? (row + 1) * p.n_keys / n_rows : p.n_keys - n_rows + row + 1;
    p.end.push_back(std::clamp(end, 1, p.n_keys));
    p.first.push_back(std::max(0, p.end.back() - window));
  }
}

// NaN wherever nothing was stored: behind the last key, and in keys of the last page that are not there.
void fill_halves(Random& random, Problem& p) {
  const f16 nothing = to_f16(std::nanf(""));
  p.keys.assign(static_cast<size_t>(p.n_pages()) * kPageTokens * p.head_dim, nothing);
  p.values.assign(static_cast<size_t>(p.n_pages()) * kPageTokens * p.value_stride, nothing);
  for (int token = 0; token < p.n_keys; ++token) {
    for (int d = 0; d < p.head_dim; ++d) p.keys[p.key_at(token, d)] = to_f16(random.gaussian());
    for (int d = 0; d < p.value_stride; ++d) p.values[p.value_at(token, d)] = to_f16(random.gaussian());
  }
}

void fill_codes(Random& random, Problem& p) {
  const size_t n_tokens = static_cast<size_t>(p.n_pages()) * kPageTokens;
  for (auto* codes : {&p.key_codes, &p.value_codes}) {
    codes->resize(n_tokens * p.head_dim);
    for (int8_t& code : *codes) code = static_cast<int8_t>(static_cast<int>(random.below(255)) - 127);
  }
  for (auto* scales : {&p.key_scales, &p.value_scales}) {
    scales->resize(n_tokens * p.head_dim / kKvBlock);
    for (f16& scale : *scales) scale = to_f16(0.005f + 0.02f * random.uniform());
  }
}

Problem make_problem(int seed) {
  constexpr int kHeadDims[] = {64, 80, 96, 128, 256, 32, 36, 40, 10, 72};
  Random random(static_cast<uint64_t>(seed) + 1);
  Problem p;
  p.head_dim = kHeadDims[seed % std::size(kHeadDims)];
  p.value_stride = (p.head_dim + 15) / 16 * 16;
  p.n_queries = 16 + static_cast<int>(random.below(100));
  p.n_keys = p.n_queries + static_cast<int>(random.below(250));
  if (random.below(4) == 0) p.softcap = 10.0f + 20.0f * random.uniform();
  const float scale = (0.5f + 2.0f * random.uniform()) / std::sqrt(static_cast<float>(p.head_dim));
  for (int i = 0; i < p.n_queries * p.head_dim; ++i) p.queries.push_back(scale * random.gaussian());
  fill_bounds(random, p);
  p.head_dim % kKvBlock == 0 && random.below(4) == 0 ? fill_codes(random, p) : fill_halves(random, p);
  return p;
}

double same(double x) {
  return x;
}
double rounded(double x) {
  return to_f32(to_bf16(static_cast<float>(x)));
}

// With every factor of a product rounded so first.
std::vector<double> plain(const Problem& p, double (*round)(double)) {
  std::vector<double> out(static_cast<size_t>(p.n_queries) * p.head_dim, 0.0);
  for (int i = 0; i < p.n_queries; ++i) {
    std::vector<double> scores;
    for (int token = p.first[i]; token < p.end[i]; ++token) {
      double score = 0;
      for (int d = 0; d < p.head_dim; ++d)
        score += round(p.queries[static_cast<size_t>(i) * p.head_dim + d]) * round(p.key(token, d));
      scores.push_back(p.softcap > 0 ? p.softcap * std::tanh(score / p.softcap) : score);
    }
    const double most = *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (const double score : scores) sum += std::exp(score - most);
    for (size_t k = 0; k < scores.size(); ++k)
      for (int d = 0; d < p.head_dim; ++d)
        out[static_cast<size_t>(i) * p.head_dim + d] +=
            round(std::exp(scores[k] - most)) / sum * round(p.value(p.first[i] + static_cast<int>(k), d));
  }
  return out;
}

// Queries [begin, end) through the kernel, page after page.
std::vector<float> attend(const Kernels& kernels, const Problem& p, bool coarse, int begin, int end) {
  const int n = end - begin;
  AlignedBuffer<float> queries, out, scratch;
  queries.reserve(static_cast<size_t>(n) * p.head_dim);
  out.reserve(static_cast<size_t>(n) * (p.value_stride + 2));
  scratch.reserve(static_cast<size_t>(attention_scratch_floats(n, p.head_dim, p.value_stride)));
  std::copy_n(p.queries.data() + static_cast<size_t>(begin) * p.head_dim, static_cast<size_t>(n) * p.head_dim,
              queries.data());
  AttentionPage page;
  page.n_queries = n;
  page.head_dim = p.head_dim;
  page.value_stride = p.value_stride;
  page.queries = queries.data();
  page.softcap = p.softcap;
  page.coarse = coarse;
  page.out = out.data();
  page.maximum = page.out + static_cast<size_t>(n) * p.value_stride;
  page.sum = page.maximum + n;
  page.scratch = scratch.data();
  std::fill(page.out, page.maximum, 0.0f);
  std::fill_n(page.maximum, n, -__builtin_inff());
  std::fill_n(page.sum, n, 0.0f);
  std::vector<int> first(n), last(n);
  page.first = first.data();
  page.end = last.data();
  for (int index = 0; index < p.n_pages(); ++index) {
    page.n_keys = 0;
    for (int i = 0; i < n; ++i) {
      first[i] = std::clamp(p.first[begin + i] - index * kPageTokens, 0, kPageTokens);
      last[i] = std::clamp(p.end[begin + i] - index * kPageTokens, 0, kPageTokens);
      page.n_keys = std::max(page.n_keys, last[i]);
    }
    if (page.n_keys == 0) continue;
    const size_t keys_at = static_cast<size_t>(index) * kPageTokens * p.head_dim;
    const size_t scales_at = keys_at / kKvBlock;
    if (p.key_codes.empty()) {
      page.kv.keys = p.keys.data() + keys_at;
      page.kv.values = p.values.data() + static_cast<size_t>(index) * kPageTokens * p.value_stride;
    } else {
      page.kv.key_codes = p.key_codes.data() + keys_at;
      page.kv.value_codes = p.value_codes.data() + keys_at;
      page.kv.key_scales = p.key_scales.data() + scales_at;
      page.kv.value_scales = p.value_scales.data() + scales_at;
    }
    kernels.attend_page(page);
  }
  std::vector<float> result;
  for (int i = 0; i < n; ++i)
    for (int d = 0; d < p.head_dim; ++d)
      result.push_back(page.out[static_cast<size_t>(i) * p.value_stride + d] / page.sum[i]);
  return result;
}

template <class T>
double rms(const std::vector<T>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (double{a[i]} - b[i]) * (double{a[i]} - b[i]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

// Problems with their answers, made once for all instruction sets.
struct Solved {
  Problem problem;
  std::vector<double> expected;
  double once = 0;  // how far off it is where each factor is rounded to bf16 once
};
const std::vector<Solved>& solved_problems() {
  static const std::vector<Solved> all = [] {
    std::vector<Solved> list;
    for (int seed = 0; seed < kSeeds; ++seed) {
      Solved one{make_problem(seed), {}, 0};
      one.expected = plain(one.problem, same);
      one.once = rms(plain(one.problem, rounded), one.expected);
      list.push_back(std::move(one));
    }
    return list;
  }();
  return all;
}

class AttentionPages : public testing::TestWithParam<const Kernels*> {};
INSTANTIATE_TEST_SUITE_P(All, AttentionPages, testing::ValuesIn(available_kernels()),
                         [](const auto& info) { return std::string(info.param->name); });

// Coarsely: no further from the truth than where each factor is rounded to bf16 once.
TEST_P(AttentionPages, EqualDoublePrecision) {
  double coarse_sum = 0, rounded_sum = 0;
  for (const auto& [p, expected, once] : solved_problems()) {
    SCOPED_TRACE(testing::Message() << p.n_queries << " queries of " << p.head_dim << ", " << p.n_keys << " keys");
    const std::vector<float> exact = attend(*GetParam(), p, false, 0, p.n_queries);
    for (size_t i = 0; i < exact.size(); ++i) ASSERT_NEAR(exact[i], expected[i], 5e-5) << i;
    const double coarse = rms(attend(*GetParam(), p, true, 0, p.n_queries), expected);
    ASSERT_LE(coarse, 1.5 * once);
    coarse_sum += coarse;
    rounded_sum += once;
  }
  EXPECT_LE(coarse_sum, 1.1 * rounded_sum);
}

TEST_P(AttentionPages, QueriesDoNotDependOnTheirNeighbours) {
  for (const Solved& solved : solved_problems()) {
    const Problem& p = solved.problem;
    if (p.n_queries < 40) continue;
    for (const bool coarse : {false, true}) {
      const int cut = 17 + p.n_keys % 6;
      std::vector<float> apart = attend(*GetParam(), p, coarse, 0, cut);
      const std::vector<float> rest = attend(*GetParam(), p, coarse, cut, p.n_queries);
      apart.insert(apart.end(), rest.begin(), rest.end());
      ASSERT_EQ(attend(*GetParam(), p, coarse, 0, p.n_queries), apart)
          << p.n_queries << " queries of " << p.head_dim << (coarse ? ", coarse" : "");
    }
  }
}

}  // namespace
}  // namespace mneme::engine::cpu

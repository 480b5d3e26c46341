// Vector search: scan and graph, their speed, the graph's recall@10 against the exact answer over f32, and memory.
// Vectors are clustered as texts are: topics, each with its spread.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "base/random.h"
#include "rag/embedding/hashed_embedder.h"
#include "rag/vectors/vector_index.h"

namespace mneme::rag {
namespace {

constexpr int kDim = 256;
constexpr int kQueries = 100;

struct Corpus {
  explicit Corpus(int64_t n) : index(kDim) {
    Random random(42);
    std::vector<std::vector<float>> topics(2000);
    for (auto& topic : topics) topic = noise(random, 1.0f);
    for (int64_t key = 1; key <= n; ++key) {
      const std::vector<float> v = near(topics[random.below(topics.size())], random);
      index.add(key, v);
      if (n <= 100'000) originals.push_back(v);
    }
    for (int i = 0; i < kQueries; ++i) queries.push_back(near(topics[random.below(topics.size())], random));
  }

  static std::vector<float> noise(Random& random, float scale) {
    std::vector<float> v(kDim);
    for (float& x : v) x = scale * random.gaussian();
    return v;
  }
  static std::vector<float> near(const std::vector<float>& topic, Random& random) {
    std::vector<float> v = noise(random, 0.8f);
    double norm = 0;
    for (size_t i = 0; i < v.size(); ++i) {
      v[i] += topic[i];
      norm += double{v[i]} * v[i];
    }
    for (float& x : v) x = static_cast<float>(x / std::sqrt(norm));
    return v;
  }

  double recall_at_10() const {
    double found = 0;
    for (const auto& query : queries) {
      std::vector<std::pair<float, int64_t>> exact;
      for (size_t i = 0; i < originals.size(); ++i) {
        float dot = 0;
        for (int d = 0; d < kDim; ++d) dot += query[static_cast<size_t>(d)] * originals[i][static_cast<size_t>(d)];
        exact.emplace_back(-dot, static_cast<int64_t>(i + 1));
      }
      std::partial_sort(exact.begin(), exact.begin() + 10, exact.end());
      std::set<int64_t> wanted;
      for (int i = 0; i < 10; ++i) wanted.insert(exact[static_cast<size_t>(i)].second);
      for (const VectorHit& hit : index.search(query, 10)) found += wanted.contains(hit.key) ? 1 : 0;
    }
    return found / (10.0 * static_cast<double>(queries.size()));
  }

  VectorIndex index;
  std::vector<std::vector<float>> originals;
  std::vector<std::vector<float>> queries;
};

// args: vectors, 1 for the graph.
void BM_VectorSearch(benchmark::State& state) {
  static std::unique_ptr<Corpus> corpus;
  static int64_t size = 0;
  if (size != state.range(0)) {
    corpus = std::make_unique<Corpus>(state.range(0));
    size = state.range(0);
  }
  const bool graph = state.range(1) != 0;
  if (graph && !corpus->index.build_graph(2).ok()) {
    state.SkipWithError("the graph was not built");
    return;
  }
  size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(corpus->index.search(corpus->queries[i++ % kQueries], 10, {}, !graph));
  }
  if (graph && !corpus->originals.empty()) state.counters["recall_at_10"] = corpus->recall_at_10();
}
BENCHMARK(BM_VectorSearch)
    ->Args({20'000, 0})
    ->Args({100'000, 0})
    ->Args({100'000, 1})
    ->Args({1'000'000, 0})
    ->Unit(benchmark::kMillisecond);

void BM_HashedEmbedder(benchmark::State& state) {
  Random random(1);
  std::string text;
  while (text.size() < 2048) {
    for (uint64_t n = 2 + random.below(9); n > 0; --n) text.push_back(static_cast<char>('a' + random.below(26)));
    text.push_back(' ');
  }
  const HashedEmbedder embedder;
  std::vector<float> vector(static_cast<size_t>(embedder.dim()));
  const std::string_view view = text;
  for (auto _ : state) benchmark::DoNotOptimize(embedder.embed({&view, 1}, EmbedKind::kPassage, vector));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_HashedEmbedder);

}  // namespace
}  // namespace mneme::rag

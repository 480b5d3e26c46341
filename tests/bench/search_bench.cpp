// Vector search: scan and graph, their speed, and the recall@10 of both: of the scan, which reads int8, against the
// exact answer over f32, and of the graph against the scan. Vectors are clustered as texts are: topics, each with its
// spread; or those of a home's passages, which MNEME_BENCH_HOME names, asked for by the headings that stand above them
// (MNEME_BENCH_EMBEDDER: the embedder's file).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>

#include "base/random.h"
#include "rag/embedding/hashed_embedder.h"
#include "rag/vectors/vector_index.h"
#include "rag/vectors/vector_indexes.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"

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

  // Of the scan, which reads int8, against f32.
  double recall_of_scan() const {
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
      for (const VectorHit& hit : index.search(query, 10, {}, true)) found += wanted.contains(hit.key) ? 1 : 0;
    }
    return found / (10.0 * static_cast<double>(queries.size()));
  }

  VectorIndex index;
  std::vector<std::vector<float>> originals;
  std::vector<std::vector<float>> queries;
};

using Queries = std::vector<std::vector<float>>;

// The share of the exact ten nearest that the graph finds.
double recall_of_graph(const VectorIndex& index, const Queries& queries) {
  double found = 0;
  double wanted = 0;
  for (const auto& query : queries) {
    std::set<int64_t> exact;
    for (const VectorHit& hit : index.search(query, 10, {}, true)) exact.insert(hit.key);
    wanted += static_cast<double>(exact.size());
    for (const VectorHit& hit : index.search(query, 10)) found += exact.contains(hit.key) ? 1 : 0;
  }
  return wanted > 0 ? found / wanted : 0;
}

// A copy with a graph, whatever the size.
std::unique_ptr<VectorIndex> with_graph(const VectorIndex& index) {
  auto copy = VectorIndex::parse(index.serialise(), index.dim(), 0);
  if (!copy.ok() || !(*copy)->build_graph(2).ok() || !(*copy)->has_graph()) return nullptr;
  return *std::move(copy);
}

void search_all(benchmark::State& state, const VectorIndex& index, const Queries& queries) {
  size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(index.search(queries[i++ % queries.size()], 10));
}

// args: vectors, 1 for the graph.
void BM_VectorSearch(benchmark::State& state) {
  static std::unique_ptr<Corpus> corpus;
  static int64_t size = 0;
  if (size != state.range(0)) {
    corpus = std::make_unique<Corpus>(state.range(0));
    size = state.range(0);
  }
  if (state.range(1) == 0) {
    search_all(state, corpus->index, corpus->queries);
    if (!corpus->originals.empty()) state.counters["recall_at_10"] = corpus->recall_of_scan();
    return;
  }
  static std::unique_ptr<VectorIndex> graph;
  static int64_t graph_size = 0;
  if (graph_size != size) graph = with_graph(corpus->index);
  graph_size = size;
  if (graph == nullptr) return state.SkipWithError("the graph was not built");
  search_all(state, *graph, corpus->queries);
  state.counters["recall_at_10"] = recall_of_graph(*graph, corpus->queries);
}
BENCHMARK(BM_VectorSearch)
    ->Args({20'000, 0})
    ->Args({100'000, 0})
    ->Args({100'000, 1})
    ->Args({1'000'000, 0})
    ->Unit(benchmark::kMillisecond);

std::unique_ptr<Workspace> open_home() {
  const char* home = std::getenv("MNEME_BENCH_HOME");
  const char* embedder = std::getenv("MNEME_BENCH_EMBEDDER");
  if (home == nullptr) return nullptr;
  WorkspaceOptions options;
  options.home = home;
  options.model = "none";
  if (embedder != nullptr) options.embedder = embedder;
  auto workspace = Workspace::open(options);
  return workspace.ok() ? *std::move(workspace) : nullptr;
}

// The vectors of a home's passages, and those of headings that stand above some of them.
struct HomeVectors {
  static std::unique_ptr<HomeVectors> open() {
    const std::unique_ptr<Workspace> workspace = open_home();
    if (workspace == nullptr) return nullptr;
    const auto collection = workspace->catalogue().find_collection("default");
    if (!collection.ok()) return nullptr;
    auto vectors = std::make_unique<HomeVectors>();
    const auto index = workspace->vectors().get(*collection);
    if (!index.ok() || !vectors->ask_headings(*workspace, *collection)) return nullptr;
    vectors->graph = with_graph(**index);
    return vectors->graph == nullptr ? nullptr : std::move(vectors);
  }

  bool ask_headings(Workspace& workspace, const storage::CollectionRecord& collection) {
    constexpr int kEvery = 97;
    int n = 0;
    std::set<std::string> headings;
    const auto visited = workspace.catalogue().for_each_chunk(
        collection.id, storage::ChunkId{0}, [&](const storage::ChunkRecord& chunk) {
          const size_t above = chunk.heading_path.rfind(" > ");
          if (n++ % kEvery == 0 && !chunk.heading_path.empty()) {
            headings.insert(above == std::string::npos ? chunk.heading_path : chunk.heading_path.substr(above + 3));
          }
          return true;
        });
    for (const std::string& heading : headings) {
      queries.emplace_back(static_cast<size_t>(workspace.embedder().dim()));
      const std::string_view view = heading;
      if (!workspace.embedder().embed({&view, 1}, EmbedKind::kQuery, queries.back()).ok()) return false;
    }
    return visited.ok() && !queries.empty();
  }

  std::unique_ptr<VectorIndex> graph;
  Queries queries;
};

void BM_HomeGraph(benchmark::State& state) {
  static const std::unique_ptr<HomeVectors> vectors = HomeVectors::open();
  if (vectors == nullptr) return state.SkipWithError("MNEME_BENCH_HOME names no home with passages");
  search_all(state, *vectors->graph, vectors->queries);
  state.counters["recall_at_10"] = recall_of_graph(*vectors->graph, vectors->queries);
  state.counters["vectors"] = static_cast<double>(vectors->graph->n_rows());
}
BENCHMARK(BM_HomeGraph)->Unit(benchmark::kMillisecond);

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

// A home's passages as indexing embeds them, and the embedder it is opened with.
struct HomeTexts {
  static std::unique_ptr<HomeTexts> open() {
    constexpr size_t kMost = 20'000;
    auto texts = std::make_unique<HomeTexts>();
    texts->workspace = open_home();
    if (texts->workspace == nullptr) return nullptr;
    storage::Catalogue& catalogue = texts->workspace->catalogue();
    const auto collection = catalogue.find_collection("default");
    if (!collection.ok()) return nullptr;
    const auto visited =
        catalogue.for_each_chunk(collection->id, storage::ChunkId{0}, [&](const storage::ChunkRecord& chunk) {
          texts->passages.push_back(passage_to_embed(chunk.heading_path, chunk.text));
          return texts->passages.size() < kMost;
        });
    return visited.ok() && !texts->passages.empty() ? std::move(texts) : nullptr;
  }

  std::unique_ptr<Workspace> workspace;
  std::vector<std::string> passages;
};

void BM_HomeEmbedder(benchmark::State& state) {
  static const std::unique_ptr<HomeTexts> texts = HomeTexts::open();
  if (texts == nullptr) return state.SkipWithError("MNEME_BENCH_HOME names no home with passages");
  const Embedder& embedder = texts->workspace->embedder();
  std::vector<float> vector(static_cast<size_t>(embedder.dim()));
  size_t next = static_cast<size_t>(state.thread_index()) * texts->passages.size() / 2 % texts->passages.size();
  int64_t n_bytes = 0;
  for (auto _ : state) {
    const std::string_view view = texts->passages[next];
    benchmark::DoNotOptimize(embedder.embed({&view, 1}, EmbedKind::kPassage, vector));
    n_bytes += static_cast<int64_t>(view.size());
    next = (next + 1) % texts->passages.size();
  }
  state.SetItemsProcessed(state.iterations());
  state.SetBytesProcessed(n_bytes);
}
BENCHMARK(BM_HomeEmbedder)->Threads(1)->Threads(2)->UseRealTime();

}  // namespace
}  // namespace mneme::rag

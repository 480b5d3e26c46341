// bench search: time per question, the vector graph's recall against the exact scan, and memory, on a made-up corpus.
// Up to VectorIndex::kExactLimit passages searches scan; the recall is then that of a graph built for the measurement
// alone, and null where that would take too long.
// With --path the corpus and its home are kept there: a second run, or one after an interruption, goes on from them,
// and its memory is that of opening and searching alone. With --cache cold every method opens the home anew, of which
// the system then keeps nothing in memory, and its first question counts.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "app/bench/bench.h"
#include "app/bench/synthetic_corpus.h"
#include "app/measure/statistics.h"
#include "app/temporary_folder.h"
#include "base/stopwatch.h"
#include "rag/embedding/embedder.h"
#include "rag/retrieval/retriever.h"
#include "rag/vectors/vector_indexes.h"
#include "storage/catalogue/catalogue.h"
#include "storage/env/page_cache.h"

namespace mneme::app {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr uint64_t kSeed = 1;
constexpr int kDefaultChunks = 20000;
constexpr int kQueries = 200;
constexpr int kQueryWords = 6;
constexpr int kRecallDepth = 10;
constexpr size_t kMostForGraph = 200'000;  // vectors; half a minute for 100,000
constexpr int kToleratedShare = 50;        // of the passages; where one was cut in two

struct Lane {
  std::string_view name;
  rag::SearchMethod method;
  bool rerank;
};
constexpr Lane kLanes[] = {{"hybrid", rag::SearchMethod::kHybrid, false},
                           {"hybrid_rerank", rag::SearchMethod::kHybrid, true},
                           {"lexical", rag::SearchMethod::kLexical, false},
                           {"dense", rag::SearchMethod::kDense, false}};

// A line of /proc/self/status in bytes; nothing where the system does not tell.
json memory_of_process(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(name + ":")) continue;
    uint64_t kib = 0;
    std::istringstream(line.substr(name.size() + 1)) >> kib;
    return kib * 1024;
  }
  return nullptr;
}

std::vector<std::string> questions() {
  Random random(kSeed + 2);
  std::vector<std::string> made;
  made.reserve(kQueries);
  for (int i = 0; i < kQueries; ++i) made.push_back(synthetic_text(random, kQueryWords));
  return made;
}

// The index itself where it has a graph, else a copy with one; null where there are too many vectors to build it.
Result<std::shared_ptr<const rag::VectorIndex>> index_with_graph(std::shared_ptr<const rag::VectorIndex> index,
                                                                 int n_threads, const CancelToken& cancel) {
  if (index->has_graph()) return index;
  if (index->n_rows() > kMostForGraph) return std::shared_ptr<const rag::VectorIndex>();
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<rag::VectorIndex> copy,
                         rag::VectorIndex::parse(index->serialise(), index->dim(), 0));
  MNEME_RETURN_IF_ERROR(copy->build_graph(n_threads, cancel));
  return std::shared_ptr<const rag::VectorIndex>(std::move(copy));
}

// The share of the exact ten nearest vectors that the graph finds, over the questions.
Result<json> recall_of(Context& context, rag::Workspace& workspace, const std::vector<std::string>& questions) {
  MNEME_ASSIGN_OR_RETURN(const storage::CollectionRecord collection, workspace.catalogue().find_collection("default"));
  MNEME_ASSIGN_OR_RETURN(const std::shared_ptr<rag::VectorIndex> searched, workspace.vectors().get(collection));
  MNEME_ASSIGN_OR_RETURN(const std::shared_ptr<const rag::VectorIndex> index,
                         index_with_graph(searched, workspace.n_threads(), context.cancel));
  if (index == nullptr) return json(nullptr);
  std::vector<float> vector(static_cast<size_t>(workspace.embedder().dim()));
  double found = 0;
  double wanted = 0;
  for (const std::string& question : questions) {
    const std::string_view view = question;
    MNEME_RETURN_IF_ERROR(workspace.embedder().embed({&view, 1}, rag::EmbedKind::kQuery, vector));
    const std::vector<rag::VectorHit> exact = index->search(vector, kRecallDepth, {}, true);
    const std::vector<rag::VectorHit> hits = index->search(vector, kRecallDepth);
    for (const rag::VectorHit& hit : exact) {
      wanted += 1;
      found += std::any_of(hits.begin(), hits.end(), [&](const auto& h) { return h.key == hit.key; }) ? 1 : 0;
    }
  }
  return wanted > 0 ? json(found / wanted) : json(nullptr);
}

struct LaneTimes {
  double first_ms = 0;               // of the search that opens what is opened at first use
  std::vector<double> milliseconds;  // of all questions; with a cold cache the first is that search
};

Result<LaneTimes> time_lane(Context& context, rag::Workspace& workspace, const Lane& lane,
                            const std::vector<std::string>& questions, bool cold) {
  rag::Retriever retriever(workspace);
  rag::SearchOptions search;
  search.method = lane.method;
  search.rerank = lane.rerank;
  search.top_k = kRecallDepth;
  LaneTimes times;
  const auto ask = [&](const std::string& question) -> Result<double> {
    const Clock::time_point start = Clock::now();
    const Result<rag::SearchResult> found = retriever.search(question, search, context.cancel);
    if (!found.ok()) return found.status();
    if (context.cancel.cancelled()) return cancelled();
    return milliseconds_since(start);
  };
  MNEME_ASSIGN_OR_RETURN(times.first_ms, ask(questions.front()));
  if (cold) times.milliseconds.push_back(times.first_ms);
  for (size_t i = cold ? 1 : 0; i < questions.size(); ++i) {
    MNEME_ASSIGN_OR_RETURN(const double milliseconds, ask(questions[i]));
    times.milliseconds.push_back(milliseconds);
  }
  return times;
}

// A home that was indexed from somewhere else before, as after it was moved, holds every passage twice.
Status check_number(int64_t n_chunks, int wanted, const std::string& home) {
  if (std::abs(n_chunks - wanted) <= wanted / kToleratedShare) return {};
  return usage_error(home + " holds " + std::to_string(n_chunks) + " passages where " + std::to_string(wanted) +
                     " were asked for; remove it, or name another folder with --path");
}

// The home that is searched: made once, and opened anew where nothing of it may be in memory.
class SearchBed {
 public:
  static Result<SearchBed> make(Context& context, std::string folder, int chunks, rag::IndexReport& report) {
    SearchBed bed(context, std::move(folder));
    MNEME_RETURN_IF_ERROR(write_synthetic_corpus(bed.folder_ + "/corpus", chunks, kSeed));
    MNEME_ASSIGN_OR_RETURN(bed.workspace_, bench_workspace(context, bed.home()));
    Progress bar(context.output, "files");
    MNEME_ASSIGN_OR_RETURN(report, bench_index_folder(context, *bed.workspace_, bed.folder_ + "/corpus", &bar));
    MNEME_ASSIGN_OR_RETURN(bed.n_chunks_, bed.workspace_->catalogue().n_chunks());
    MNEME_RETURN_IF_ERROR(check_number(bed.n_chunks_, chunks, bed.home()));
    return bed;
  }

  rag::Workspace& workspace() { return *workspace_; }
  int64_t n_chunks() const { return n_chunks_; }

  Status reopen_cold() {
    workspace_.reset();
    MNEME_RETURN_IF_ERROR(storage::drop_cached_pages(home()));
    MNEME_ASSIGN_OR_RETURN(workspace_, bench_workspace(context_, home()));
    return {};
  }

  Result<std::shared_ptr<rag::VectorIndex>> vectors() {
    MNEME_ASSIGN_OR_RETURN(const storage::CollectionRecord collection,
                           workspace_->catalogue().find_collection("default"));
    return workspace_->vectors().get(collection);
  }

 private:
  SearchBed(Context& context, std::string folder) : context_(context), folder_(std::move(folder)) {}
  std::string home() const { return folder_ + "/home"; }

  Context& context_;
  std::string folder_;
  std::unique_ptr<rag::Workspace> workspace_;
  int64_t n_chunks_ = 0;
};

Result<json> lane_json(Context& context, SearchBed& bed, const Lane& lane, const std::vector<std::string>& asked,
                       bool cold) {
  if (cold) MNEME_RETURN_IF_ERROR(bed.reopen_cold());
  MNEME_ASSIGN_OR_RETURN(const LaneTimes times, time_lane(context, bed.workspace(), lane, asked, cold));
  json result = {{"method", lane.name},
                 {"chunks", bed.n_chunks()},
                 {"cache", cold ? "cold" : "warm"},
                 {"first_ms", times.first_ms},
                 {"p50_ms", quantile(times.milliseconds, 0.5)},
                 {"p95_ms", quantile(times.milliseconds, 0.95)},
                 {"recall_at_10", nullptr}};  // of words: made-up text has no right answers, see `eval --retrieval`
  if (lane.method == rag::SearchMethod::kDense) {
    MNEME_ASSIGN_OR_RETURN(result["recall_at_10"], recall_of(context, bed.workspace(), asked));
  }
  return result;
}

Result<json> memory_json(SearchBed& bed, const rag::IndexReport& report) {
  MNEME_ASSIGN_OR_RETURN(const std::shared_ptr<rag::VectorIndex> index, bed.vectors());
  return json{{"method", "memory"},  // no search: it takes no time of its own
              {"chunks", bed.n_chunks()},
              {"p50_ms", nullptr},
              {"p95_ms", nullptr},
              {"recall_at_10", nullptr},
              {"indexed_now", report.documents},
              {"index_seconds", report.documents > 0 ? json(report.seconds) : json(nullptr)},
              {"dimensions", index->dim()},
              {"index_bytes", index->memory_bytes()},
              {"resident_bytes", memory_of_process("VmRSS")},
              {"peak_bytes", memory_of_process("VmHWM")}};
}

}  // namespace

Result<json> bench_search(Context& context, const BenchOptions& options) {
  std::optional<TemporaryFolder> temporary;
  std::string folder = options.path;
  if (folder.empty()) {
    MNEME_ASSIGN_OR_RETURN(TemporaryFolder made, TemporaryFolder::make());
    folder = temporary.emplace(std::move(made)).path();
  }
  rag::IndexReport report;
  MNEME_ASSIGN_OR_RETURN(SearchBed bed, SearchBed::make(context, folder, options.n_chunks(kDefaultChunks), report));
  const std::vector<std::string> asked = questions();
  json results = json::array();
  for (const Lane& lane : kLanes) {
    MNEME_ASSIGN_OR_RETURN(json result, lane_json(context, bed, lane, asked, options.cold));
    results.push_back(std::move(result));
  }
  MNEME_ASSIGN_OR_RETURN(json memory, memory_json(bed, report));
  results.push_back(std::move(memory));
  return results;
}

}  // namespace mneme::app

// bench rag: a question to its first token through a plain pipeline (its vector, the nearest passages by an HNSW graph,
// a prompt that is computed in full) and through this program (its own search, stored KV), in turn over one corpus.
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/assets.h"
#include "app/bench/bench.h"
#include "app/bench/synthetic_corpus.h"
#include "app/measure/envelope.h"
#include "app/measure/statistics.h"
#include "app/output/progress.h"
#include "app/scratch_context.h"
#include "app/session.h"
#include "app/temporary_folder.h"
#include "base/stopwatch.h"
#include "rag/answering/answerer.h"
#include "rag/embedding/embedder.h"
#include "rag/indexing/kv_job.h"
#include "rag/vectors/hnsw_graph.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::app {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr uint64_t kSeed = 1;
constexpr int kDefaultChunks = 200;
constexpr int kTopK = 6;
constexpr int kBreadth = 64;  // candidates that the graph holds on the way, as its users commonly choose
constexpr int kQuestionWords = 6;
constexpr double kShare = 0.15;
constexpr const char* kShippedModel = "mneme-mini.gguf";

constexpr std::array<const char*, 3> kPipelines = {"HNSW, full prefill", "mneme, full prefill", "mneme, blend"};

// What one pipeline took for one question.
struct Asked {
  double retrieve_ms = 0;
  double first_token_ms = 0;  // retrieval included
  double prompt_tokens = 0;
};

// Every passage's vector in one graph, as a plain pipeline keeps them.
class PlainSearch {
 public:
  static Result<std::unique_ptr<PlainSearch>> make(rag::Workspace& workspace, const CancelToken& cancel) {
    std::unique_ptr<PlainSearch> search(new PlainSearch(workspace));
    MNEME_ASSIGN_OR_RETURN(const storage::CollectionRecord collection,
                           workspace.catalogue().find_collection("default"));
    bool has_room = true;
    MNEME_RETURN_IF_ERROR(workspace.catalogue().for_each_embedding(
        collection.id, workspace.embedder().identity(), storage::ChunkId{},
        [&](storage::ChunkId chunk, std::span<const float> vector) {
          has_room = search->store_.append(static_cast<int64_t>(chunk), vector);
          return has_room;
        }));
    if (!has_room || search->store_.size() == 0)
      return usage_error("the corpus has no passages, or too many for a graph.");
    MNEME_RETURN_IF_ERROR(search->graph_.extend(search->store_.size(), workspace.n_threads(), cancel));
    return search;
  }

  // The nearest passages, best first.
  Result<std::vector<rag::ContextPassage>> find(const std::string& question) {
    std::vector<float> vector(static_cast<size_t>(workspace_.embedder().dim()));
    const std::string_view view = question;
    MNEME_RETURN_IF_ERROR(workspace_.embedder().embed({&view, 1}, rag::EmbedKind::kQuery, vector));
    std::vector<storage::ChunkId> ids;
    for (const rag::HnswGraph::Found& found : graph_.search(rag::quantise_query(vector), kTopK, kBreadth)) {
      ids.push_back(storage::ChunkId{store_.key(found.row)});
    }
    MNEME_ASSIGN_OR_RETURN(std::vector<storage::ChunkRecord> chunks, workspace_.catalogue().chunks(ids));
    std::vector<rag::ContextPassage> passages;
    passages.reserve(chunks.size());
    for (storage::ChunkRecord& chunk : chunks) passages.push_back({chunk.heading_path, std::move(chunk.text), ""});
    return passages;
  }

 private:
  explicit PlainSearch(rag::Workspace& workspace)
      : workspace_(workspace), store_(workspace.embedder().dim()), graph_(store_) {}

  rag::Workspace& workspace_;
  rag::VectorStore store_;
  rag::HnswGraph graph_;
};

class RagBench {
 public:
  RagBench(rag::Workspace& workspace, PlainSearch& plain, const BenchOptions& options, const CancelToken& cancel)
      : plain_(plain), options_(options), cancel_(cancel), answerer_(workspace) {}

  Result<Asked> ask(size_t pipeline, const std::string& question) {
    rag::AskOptions ask;
    ask.max_tokens = 1;
    ask.search.top_k = kTopK;
    ask.kv_level = options_.kv_level;
    ask.mode = pipeline == 2 ? rag::AnswerMode::kBlend : rag::AnswerMode::kFull;
    if (pipeline == 2) ask.recompute_ratio = options_.recompute.empty() ? kShare : options_.recompute.front();
    double before_ms = 0;
    if (pipeline == 0) {
      const Clock::time_point begin = Clock::now();
      MNEME_ASSIGN_OR_RETURN(ask.passages, plain_.find(question));
      before_ms = milliseconds_since(begin);
    }
    MNEME_ASSIGN_OR_RETURN(const rag::Answer answer, answerer_.ask(question, ask, {}, cancel_));
    if (answer.finish == rag::Finish::kInterrupted) return cancelled();
    return Asked{before_ms + answer.timing.retrieve.value_or(0), before_ms + answer.timing.ttft.value_or(0),
                 static_cast<double>(answer.usage.prompt_tokens)};
  }

 private:
  PlainSearch& plain_;
  const BenchOptions& options_;
  const CancelToken& cancel_;
  rag::Answerer answerer_;
};

// Indexed, with the KV of all passages stored.
Status prepare(Context& context, rag::Workspace& workspace, const std::string& corpus, const std::string& kv_level) {
  Progress files(context.output, "files");
  MNEME_RETURN_IF_ERROR(bench_index_folder(context, workspace, corpus, &files).status());
  const std::optional<engine::KvLevel> level = engine::kv_level_from_name(kv_level);
  if (!level) return usage_error("unknown KV level " + kv_level + "; there are exact, high, medium, low.");
  Progress passages(context.output, "passages");
  rag::KvCallbacks callbacks;
  callbacks.progress = [&](const rag::KvProgress& progress) {
    passages.update(static_cast<uint64_t>(progress.done), static_cast<uint64_t>(progress.total), "KV");
  };
  MNEME_ASSIGN_OR_RETURN(const rag::KvReport stored,
                         rag::compute_collection_kv(workspace, "default", *level, callbacks, context.cancel));
  return stored.interrupted ? cancelled() : Status();
}

json rows_of(const std::array<std::vector<Asked>, kPipelines.size()>& asked, int64_t n_passages) {
  const auto values = [](const std::vector<Asked>& runs, double Asked::* field) {
    std::vector<double> list;
    list.reserve(runs.size());
    for (const Asked& run : runs) list.push_back(run.*field);
    return list;
  };
  json rows = json::array();
  const double plain = spread_of(values(asked[0], &Asked::first_token_ms)).median;
  for (size_t i = 0; i < kPipelines.size(); ++i) {
    const std::vector<double> first = values(asked[i], &Asked::first_token_ms);
    rows.push_back({{"pipeline", kPipelines[i]},
                    {"passages", n_passages},
                    {"retrieve_ms", spread_json(values(asked[i], &Asked::retrieve_ms))},
                    {"ttft_ms", spread_json(first)},
                    {"sooner", plain / spread_of(first).median},
                    {"prompt_tokens", spread_of(values(asked[i], &Asked::prompt_tokens)).median}});
  }
  return rows;
}

Result<std::unique_ptr<rag::Workspace>> workspace_with_model(Context& context, const std::string& home) {
  Context scratch = scratch_context(context, home);
  // By its path: the scratch home has no models registered.
  MNEME_ASSIGN_OR_RETURN(scratch.options.model, bench_rag_model(context));
  return open_workspace(scratch);
}

}  // namespace

Result<std::string> bench_rag_model(Context& context) {
  if (!context.options.model.empty()) return model_path(context);
  std::string path = shipped_model(kShippedModel);
  if (path.empty()) return not_found("no model came with this program; name a GGUF file with --model FILE.");
  return path;
}

Result<json> bench_rag(Context& context, const BenchOptions& options) {
  MNEME_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::make());
  std::string corpus = options.path;
  if (corpus.empty()) {
    corpus = folder.path() + "/corpus";
    MNEME_RETURN_IF_ERROR(write_synthetic_corpus(corpus, options.n_chunks(kDefaultChunks), kSeed));
  }
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<rag::Workspace> workspace,
                         workspace_with_model(context, folder.path() + "/home"));
  MNEME_RETURN_IF_ERROR(prepare(context, *workspace, corpus, options.kv_level));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<PlainSearch> plain, PlainSearch::make(*workspace, context.cancel));
  MNEME_ASSIGN_OR_RETURN(const int64_t n_passages, workspace->catalogue().n_chunks());
  RagBench bench(*workspace, *plain, options, context.cancel);
  std::array<std::vector<Asked>, kPipelines.size()> asked;
  Random random(kSeed + 2);
  Progress bar(context.output, "questions");
  for (int rep = -1; rep < options.reps; ++rep) {
    const std::string question = synthetic_text(random, kQuestionWords);
    for (size_t i = 0; i < kPipelines.size(); ++i) {
      MNEME_ASSIGN_OR_RETURN(const Asked one, bench.ask(i, question));
      if (rep >= 0) asked[i].push_back(one);
    }
    bar.update(static_cast<uint64_t>(rep) + 1, static_cast<uint64_t>(options.reps), "");
  }
  return rows_of(asked, n_passages);
}

}  // namespace mneme::app

// The measurements of `mneme bench`. Each gives the `results` array of the contract; cmd_bench puts the envelope around
// it. Contenders run in turn within each repetition, after one unmeasured round. Threads: the main thread.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/measure/ceilings.h"
#include "base/status.h"
#include "engine/pq/retrieval_options.h"

namespace mneme::engine {
class LanguageModel;
}

namespace mneme::app {

struct BenchOptions {
  std::string shape;          // a random model of a named shape; else --model
  std::string type = "Q8_0";  // tensor type of the shape
  int reps = 5;
  int tokens = 0;              // 0: what the measurement takes by default
  int room = 0;                // prefill, decode: tokens that a sequence has memory for; 0: as many as are measured
  std::vector<int> contexts;   // tokens before those measured; empty: none
  std::string kv = "prefill";  // how those come to be there: prefill or synthetic
  std::vector<int> chunks;     // passages; empty: what the measurement takes by default
  // index: measure on this folder instead of a made-up corpus; search: keep corpus and home there
  std::string path;
  // ttft, throughput, chat: stored KV is read past the page cache; search: the home is opened anew without it
  bool cold = false;
  int chunk_tokens = 512;
  std::string profiles;  // folder of what is known of the model's keys and values; empty: learned anew
  std::vector<std::string> modes;
  std::vector<double> recompute;
  std::string selector;          // empty: the default
  std::vector<int> full_layers;  // ttft: first layers that blend computes in full; empty: the controller's choice
  std::string kv_level = "medium";
  std::vector<double> bandwidths;     // storage held back to bytes a second; empty: as fast as it goes
  std::string results_file;           // finished results are kept there, and not measured again; empty: nowhere
  std::vector<std::string> insights;  // insight: which statistics; empty: all

  int n_chunks(int otherwise) const { return chunks.empty() ? otherwise : chunks.front(); }
  // pq: one lane for each method and budget.
  std::vector<std::string> budgets;
  std::vector<std::string> methods;
  std::string plot_file;  // pq: an SVG against the context's length goes there, another beside it; empty: none
  engine::RetrievalOptions retrieval;  // all but those
};

Result<nlohmann::json> bench_prefill(Context& context, const BenchOptions& options, const Ceilings& ceilings);
Result<nlohmann::json> bench_decode(Context& context, const BenchOptions& options, const Ceilings& ceilings);
Result<nlohmann::json> bench_pq(Context& context, const BenchOptions& options, const Ceilings& ceilings);
// The model the options name, on the context's device.
Result<std::unique_ptr<engine::LanguageModel>> bench_model(Context& context, const BenchOptions& options);
// What a results file says of that model: null for a shape (which stands beside it) and where no results are kept.
Result<nlohmann::json> kept_model(Context& context, const BenchOptions& options);

Result<nlohmann::json> bench_ttft(Context& context, const BenchOptions& options);
Result<nlohmann::json> bench_throughput(Context& context, const BenchOptions& options);
Result<nlohmann::json> bench_chat(Context& context, const BenchOptions& options);
// Statistics of keys, values and attention over a text: `chunks` passages of chunk_tokens from `path` (empty: the
// calibration text). Needs a trained model.
Result<nlohmann::json> bench_insight(Context& context, const BenchOptions& options);
Result<nlohmann::json> bench_index(Context& context, const BenchOptions& options);
Result<nlohmann::json> bench_search(Context& context, const BenchOptions& options);
// A plain pipeline (HNSW graph, full prefill) against this program over one corpus: `chunks` made-up passages, or the
// folder `path`. Needs a trained model; the shipped small one without another.
Result<nlohmann::json> bench_rag(Context& context, const BenchOptions& options);
// The file of that model.
Result<std::string> bench_rag_model(Context& context);
Result<nlohmann::json> bench_watch(Context& context, const BenchOptions& options);
// The window with `chunks` documents (one passage each) and 1,000 chats in a home at `path` (empty: a temporary one; a
// home given is filled once and kept).
Result<nlohmann::json> bench_window(Context& context, const BenchOptions& options);

}  // namespace mneme::app

// The parts of `mneme eval`: what it was asked for, and one function per thing it measures. Each prints its report.
// Threads: the main thread.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/commands/answer_options.h"
#include "app/context.h"
#include "app/eval/eval_answers.h"
#include "app/eval/eval_set.h"
#include "base/exit_code.h"
#include "base/status.h"

namespace mneme::app {

struct EvalArguments {
  std::string set;  // a file of questions
  std::string format = "auto";
  std::string split = "all";  // all, test, train
  int limit = 0;              // questions; 0: all
  uint64_t seed = 1;          // of distractors and planted citations

  // What is measured instead of answers.
  bool retrieval = false;
  bool citations = false;
  bool refusing = false;
  std::string documents;           // refusing: a folder that is asked instead of the set's own; empty: those
  std::string evidence_file;       // retrieval, refusing: what decided goes there; empty: nowhere
  std::string rerank_by;           // retrieval: as --rerank-by of `ask`
  std::vector<std::string> among;  // retrieval: further sets, or passages, in the same index
  bool by_passage = false;         // retrieval: right is a passage that holds an answer, not its whole document

  // Answers: each mode, share, selector, codec and method a lane.
  std::vector<std::string> modes{"full"};
  std::vector<double> recompute;  // shares in [0, 1] that blend repairs
  std::vector<std::string> selectors;
  std::vector<int> full_layers;
  std::vector<std::string> kv_codecs;
  std::vector<std::string> methods{"pq"};  // with attention other than full
  AttentionArguments attention{.kind = "full"};
  std::string kv_level = "medium";
  std::string cache = "warm";  // cold: stored KV comes from the disk for every lane
  int chunks = 0;              // passages of a prompt, padded with distractors; 0: as they are
  int max_tokens = 32;
  bool long_answers = false;  // whole sentences with their [n]
  int samples = 0;            // answers that the report shows
  std::string results_file;   // records are kept there; empty: nowhere. Not of citations, which take seconds
  std::string plot_file;      // an SVG goes there; empty: none
};

// Whether a question belongs to the split that was asked for.
bool is_in_split(const EvalArguments& arguments, const EvalQuestion& question);

// Leaves the first questions; 0: all. The corpus still comes from the whole set, so that a limit makes nothing easier.
void apply_limit(int limit, EvalSet& set, EvalCorpus& corpus);

// part / whole; null where there is nothing to divide by.
nlohmann::json share_json(int64_t part, int64_t whole);

// The ways to answer that the arguments name, side by side. kUsage.
Result<std::vector<EvalLane>> eval_lanes(const EvalArguments& arguments, const std::vector<KvCodecChoice>& codecs);

// Each runs what its name says over the set and prints the report. kInterrupted, with what was measured so far, after
// Ctrl-C.
Result<ExitCode> eval_by_answers(Context& context, const EvalArguments& arguments, EvalSet set);
Result<ExitCode> eval_by_search(Context& context, const EvalArguments& arguments, EvalSet set);
Result<ExitCode> eval_refusing(Context& context, const EvalArguments& arguments, EvalSet set);
Result<ExitCode> eval_citations(Context& context, const EvalArguments& arguments, EvalSet set);

}  // namespace mneme::app

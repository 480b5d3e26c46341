// Answer quality and time per mode over a question set. Modes are run in turn on each question, so that they meet the
// same machine. Threads: the main thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/eval/eval_set.h"
#include "app/eval/statistics.h"
#include "base/cancel.h"
#include "base/status.h"
#include "rag/answering/answerer.h"

namespace mneme::rag {
class Workspace;
}

namespace mneme::app {

// One way of answering that is measured: "full", or "blend@0.15" where several ratios are asked for.
struct EvalLane {
  std::string name;
  rag::AnswerMode mode = rag::AnswerMode::kFull;
  std::optional<double> recompute_ratio;
};

struct EvalAnswerOptions {
  std::vector<EvalLane> lanes;
  std::string kv_level = "medium";
  int n_chunks = 0;  // 0: the contexts as they are
  int max_tokens = 32;
  uint64_t seed = 1;
};

// What one lane scored: one entry per question, in the set's order.
struct LaneScores {
  std::vector<double> em, f1, contains, rouge_l;
  std::vector<double> contains_first;  // in the answer's first line: the first quotation of a quoted answer
  std::vector<double> ttft_ms;         // where known
  std::vector<double> recompute_ratio;
  int64_t bytes_read = 0;
  int refused = 0;        // answers "not in the documents"
  int refused_right = 0;  // of which rightly
};

// Scores of the questions answered so far, when interrupted.
struct EvalAnswerResult {
  std::vector<LaneScores> lanes;  // as EvalAnswerOptions::lanes
  int64_t unanswerable = 0;
  bool interrupted = false;
};

// `each` is called after every question with its index. A failure to answer ends the run: a set scored on the questions
// that happened to work would flatter.
Result<EvalAnswerResult> evaluate_answers(rag::Workspace& workspace, const EvalSet& set, const EvalCorpus& corpus,
                                          const EvalAnswerOptions& options, const std::function<void(size_t)>& each,
                                          const CancelToken& cancel);

}  // namespace mneme::app

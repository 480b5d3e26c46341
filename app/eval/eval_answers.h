// Answer quality and time per mode over a question set. Modes are run in turn on each question, so that they meet the
// same machine. The KV of a question's passages is computed and stored before its lanes that reuse it run: what is
// measured is the reuse. Threads: the main thread.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/eval/eval_set.h"
#include "app/eval/kv_codec_set.h"
#include "app/measure/statistics.h"
#include "base/cancel.h"
#include "base/status.h"
#include "rag/answering/exchange/answer.h"

namespace mneme::rag {
class Workspace;
}

namespace mneme::app {

class ResultFile;

// How a lane answers: one prompt over all passages, or passage by passage (rag/answering/map_answering.h).
enum class LaneKind { kOnePrompt, kMapRerank, kMapReduce };

// One way of answering that is measured: "full", or "blend@0.15", or "hkvd@0.15" where several selectors are compared.
struct EvalLane {
  std::string name;
  LaneKind kind = LaneKind::kOnePrompt;
  std::optional<rag::AnswerMode> mode = rag::AnswerMode::kFull;  // none: as the quality gate allows
  std::optional<double> recompute_ratio;
  std::optional<int> full_layers = {};  // first layers that blend computes in full; unset: the controller's choice
  std::string selector;                 // empty: the default
  std::optional<size_t> codec = {};     // of EvalAnswerOptions::codecs: passages pass through it, nothing is stored
  // How its answers are decoded; the prompt is read in full in any case.
  engine::RetrievalOptions retrieval = {};

  bool is_full() const {
    return kind == LaneKind::kOnePrompt && mode == rag::AnswerMode::kFull &&
           retrieval.kind == engine::AttentionKind::kFull;
  }
  // Whether it reads stored KV.
  bool reuses() const {
    return kind == LaneKind::kOnePrompt && !codec && mode != rag::AnswerMode::kFull && mode != rag::AnswerMode::kPrefix;
  }
};

struct EvalAnswerOptions {
  std::vector<EvalLane> lanes;
  std::vector<KvCodecChoice> codecs;  // that lanes name
  std::string kv_level = "medium";
  int n_chunks = 0;  // 0: the contexts as they are
  int max_tokens = 32;
  bool long_answers = false;  // sentences with their [n], not the answer alone
  uint64_t seed = 1;
  int samples = 0;    // answers of so many first questions are kept
  bool cold = false;  // before each lane that reads stored KV, the system forgets what it keeps of it in memory
};

// What one lane made of one question.
struct AnswerRecord {
  double em = 0, f1 = 0, contains = 0, rouge_l = 0;
  double contains_first = 0;            // in the answer's first line: the first quotation of a quoted answer
  std::optional<double> quotes, cites;  // of long answers to what can be answered (quote_metrics.h)
  std::optional<double> likely;         // how likely the short answer within the quotations was held to be
  std::optional<double> stated_right;   // whether it holds a gold answer; of those said first
  std::optional<double> ttft_ms;
  double recompute_ratio = 0;
  int64_t bytes_read = 0;
  int64_t bytes_fp16 = 0;         // of the passages' KV; 0 where it is not known
  bool refused = false;           // "not in the documents"
  std::optional<double> nll;      // of the gold answer, nats per token
  std::optional<double> kl_full;  // KL(full || this) of the first token's distribution
  std::string answer;

  nlohmann::json to_json() const;
  static AnswerRecord from_json(const nlohmann::json& json);
};

// Scores of the questions answered so far, when interrupted.
struct EvalAnswerResult {
  std::vector<std::vector<AnswerRecord>> lanes;  // as EvalAnswerOptions::lanes; then per question, in the set's order
  std::vector<bool> answerable;                  // per question
  std::vector<std::string> notes;                // that answers carried, each once: fallbacks are never silent
  bool interrupted = false;

  int64_t unanswerable() const;
};

// `each` is called after every question with its index. Questions whose records are in `kept` are not asked again; new
// ones are added to it. A failure to answer ends the run: a set scored on the questions that happened to work would
// flatter.
Result<EvalAnswerResult> evaluate_answers(rag::Workspace& workspace, const EvalSet& set, const EvalCorpus& corpus,
                                          const EvalAnswerOptions& options, ResultFile& kept,
                                          const std::function<void(size_t)>& each, const CancelToken& cancel);

}  // namespace mneme::app

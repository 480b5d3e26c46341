// Tokens out of a sequence whose prompt has been read: sampling, streaming, stopping. Threads: one generation at a time
// per model.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/status.h"
#include "engine/decoding/drafted_decoder.h"
#include "engine/tokenizer/thought_markers.h"
#include "rag/answering/exchange/answer.h"

namespace mneme::engine {
class LanguageModel;
class Sequence;
}  // namespace mneme::engine

namespace mneme::rag {

struct GenerateOptions {
  int max_tokens = 512;  // of the answer
  // Of a thought before it (thought_filter.h); 0: a model that begins to think ends there.
  int max_thought_tokens = 4096;
  engine::Thinking thinking = engine::Thinking::kUnlikely;
  std::function<void(bool)> on_thinking;  // true: the model has begun to think; false: its answer begins
  float temperature = 0.0f;
  float top_p = 1.0f;
  uint64_t seed = 0;
  bool scores = false;                                     // fills Generation::mean_logprob
  int max_drafted = engine::DraftedDecoder::kMostDrafted;  // tokens that a step may run ahead (engine/decoding); the
                                                           // text is the same without
  std::string stop_text;  // ends the answer where it appears; for models without a chat template
};

struct Generation {
  std::string text;
  std::string thought;  // what the model wrote before its answer, without markers
  int n_tokens = 0;     // both
  int n_thought_tokens = 0;
  Finish finish = Finish::kStop;
  double first_token_ms = 0.0;  // from the call to the first token sampled
  double decode_ms = 0.0;       // from there to the last
  // Mean log probability of the tokens, the one that ended the turn included; with GenerateOptions::scores.
  double mean_logprob = 0.0;
  engine::DraftCounts drafts;
  std::string cut_short;  // why no more could be written, where it was neither the model's end nor a limit
};

// Samples from the sequence's logits and appends, until the model ends its turn. Cancelling ends it early.
Result<Generation> generate_answer(engine::LanguageModel& model, engine::Sequence& sequence,
                                   const GenerateOptions& options, const std::function<void(std::string_view)>& on_text,
                                   const CancelToken& cancel);

}  // namespace mneme::rag

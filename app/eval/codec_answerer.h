// Answers from passages whose KV passed through a codec of one's choice, without a store: what lets codecs that nothing
// is stored with (uniform quantisation, CacheGen's) be compared with the levels by their answers. Every passage is
// computed alone behind the fixed prefix, coded, decoded and joined without repair, as mode `reuse` does from the
// store. Ownership: borrows the model. Threads: one at a time.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/eval/kv_codec_set.h"
#include "base/cancel.h"
#include "engine/kv/memory_source.h"
#include "engine/language_model.h"
#include "rag/answering/exchange/ask_options.h"
#include "rag/prompt/prompt_builder.h"

namespace mneme::app {

class CodecAnswerer {
 public:
  // Calibrates on the product's own calibration text, as a registered model's levels are.
  static Result<std::unique_ptr<CodecAnswerer>> make(engine::LanguageModel& model,
                                                     std::span<const KvCodecChoice> choices, const CancelToken& cancel);

  // The answer through choices[codec]: text, finish, timing.ttft, first_logits, score_nll, prompt_ids, usage and cache
  // are filled. options: passages, short_answer, max_tokens and score_text count. kResource when the prompt does not
  // fit.
  Result<rag::Answer> ask(size_t codec, const std::string& question, const rag::AskOptions& options,
                          const CancelToken& cancel);

 private:
  CodecAnswerer(engine::LanguageModel& model, rag::PromptFrame frame) : model_(model), frame_(std::move(frame)) {}

  Result<rag::Prompt> make_prompt(const std::string& question, const rag::AskOptions& options) const;
  Result<const engine::ChunkKv*> kv_of(const std::vector<engine::TokenId>& ids, const CancelToken& cancel);
  Result<engine::PromptPlan> code_passages(const rag::Prompt& prompt, size_t codec, engine::MemoryKvSource& source,
                                           rag::CacheReport& cache, const CancelToken& cancel);
  Status prepare_sequence(int n_tokens, const CancelToken& cancel);
  Status score(const rag::AskOptions& options, int n_prompt, rag::Answer& answer, const CancelToken& cancel);

  engine::LanguageModel& model_;
  rag::PromptFrame frame_;
  std::vector<std::unique_ptr<engine::KvCodec>> codecs_;
  std::unique_ptr<engine::ChunkKvCalculator> calculator_;
  std::map<std::vector<engine::TokenId>, engine::ChunkKv> kv_;  // of the latest passages: codecs take turns on them
  std::unique_ptr<engine::Sequence> sequence_;
  int sequence_tokens_ = 0;
};

}  // namespace mneme::app

// A plain decoding loop on one sequence: what `generate` runs, and the measurements.
// Threads: one at a time per sequence.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "engine/decoding/drafted_decoder.h"
#include "engine/language_model.h"
#include "engine/transformer/sampler.h"

namespace mneme::app {

struct GenerationOptions {
  int max_tokens = 512;
  engine::SamplerOptions sampler;
  int top_logprobs = 0;  // most likely tokens to report per step
  int max_drafted = 0;   // tokens that a step may run ahead; the text is the same without
  engine::RetrievalOptions retrieval;
};

struct Generation {
  std::string text;
  std::vector<engine::TokenId> tokens;  // without the one that ended it
  std::string finish = "stop";          // stop, length, interrupted
  std::vector<std::vector<engine::TokenLogprob>> top_logprobs;
  engine::RetrievalReport retrieval;
  bool kv_in_host_memory = false;  // of a GPU's sequence
  engine::DraftCounts drafts;
  double prefill_ms = 0;
  double first_token_ms = 0;
  double total_ms = 0;
};

// Runs the prompt and decodes. `token` gets whole characters as they come.
Result<Generation> generate(engine::LanguageModel& model, std::span<const engine::TokenId> prompt,
                            const GenerationOptions& options, const std::function<void(std::string_view)>& token,
                            const CancelToken& cancel);

}  // namespace mneme::app

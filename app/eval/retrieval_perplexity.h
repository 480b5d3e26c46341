// Perplexity under retrieval, by the rule for approximations: of every window the first half is read in full, the
// second is decoded token by token under each lane's attention, and its tokens are scored; full attention scores the
// same tokens. Also what the lanes' steps found: recall of the tokens that full attention weighs most, the attention
// they cover, and how far the next-token distributions are from those of full attention.
// Threads: the main thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "engine/language_model.h"

namespace mneme::app {

// One way to attend, and what it came to so far.
struct PerplexityLane {
  std::string method;
  std::string budget;
  engine::RetrievalOptions options;
  double nll = 0;
  double kl = 0;  // of the lane's distributions from those of full attention
  int64_t tokens = 0;
  int64_t steps = 0;  // that retrieved
  double recall_sum = 0, mass_sum = 0, attended_sum = 0;
};

struct PerplexityScore {
  double nll = 0;
  int64_t tokens = 0;
};

// Every method with every budget ("0.1,0.2"); `base` says the rest. Errors: as parsing says.
Result<std::vector<PerplexityLane>> perplexity_lanes(const std::vector<std::string>& methods,
                                                     const std::string& budgets, const engine::RetrievalOptions& base);

// Adds one window (BOS included where the model wants one) to all scores. Windows of fewer than 4 tokens add nothing.
Status score_retrieval_window(engine::LanguageModel& model, std::span<const engine::TokenId> window,
                              const CancelToken& cancel, PerplexityScore& full, std::vector<PerplexityLane>& lanes);

}  // namespace mneme::app

// Perplexity under retrieval, by the rule for approximations: of every window the first half is read in full, the
// second is decoded token by token under each lane's attention, and its tokens are scored; full attention scores the
// same tokens. Also what the lanes' steps found: recall of the tokens that full attention weighs most, the attention
// they cover, and how far the next-token distributions are from those of full attention. Windows are scored one by one
// and add up, so that a long measurement can be stopped and gone on with.
// Threads: the main thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/measure/statistics.h"
#include "base/cancel.h"
#include "base/status.h"
#include "engine/language_model.h"

namespace mneme::app {

// One way to attend.
struct PerplexityLane {
  std::string method;
  std::string budget;
  engine::RetrievalOptions options;
};

// What a lane came to: sums, over the tokens scored or the steps that retrieved.
struct RetrievalScore {
  double nll = 0;
  double kl = 0;  // of the lane's distributions from those of full attention
  int64_t steps = 0;
  double recall = 0, mass = 0, attended = 0;
};

// The same for a window: its lanes in the order in which they were given.
struct RetrievalWindow {
  int64_t tokens = 0;  // scored, the same in all
  double full_nll = 0;
  std::vector<RetrievalScore> lanes;
};

// Every method with every budget ("0.1,0.2"); `base` says the rest. Errors: as parsing says.
Result<std::vector<PerplexityLane>> perplexity_lanes(const std::vector<std::string>& methods,
                                                     const std::string& budgets, const engine::RetrievalOptions& base);

// One window (BOS is put before it where the model wants one). One of fewer than 4 tokens scores none.
Result<RetrievalWindow> score_retrieval_window(engine::LanguageModel& model, std::span<const engine::TokenId> window,
                                               std::span<const PerplexityLane> lanes, const CancelToken& cancel);

// All windows together.
RetrievalWindow sum_of(std::span<const RetrievalWindow> windows);

// 95 % bootstrap interval over windows of a lane's perplexity over that of full attention, less 1; {0, 0} for no
// window.
Interval loss_95(std::span<const RetrievalWindow> windows, size_t lane);

}  // namespace mneme::app

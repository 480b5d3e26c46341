// What of a prompt is not in its sequence yet. Threads: pure functions of the object.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/fusion/prompt_plan.h"
#include "engine/types.h"
#include "rag/prompt/prompt_builder.h"

namespace mneme::rag {

// How many tokens both begin with.
size_t common_length(std::span<const engine::TokenId> a, std::span<const engine::TokenId> b);

struct RemainingPrompt {
  explicit RemainingPrompt(const Prompt& prompt) : plan(prompt.plan), history_segment(prompt.history_segment) {}

  // Takes out what `present`, the tokens behind the prefix, begins with; gives how many those are. Passages are taken
  // whole or not at all, and the last token stays: its logits are wanted.
  size_t take_out(std::span<const engine::TokenId> present);

  // The segments that make up the next n_tokens, as one sequence of tokens; ends_at: the first segment behind them.
  std::vector<engine::TokenId> joined(int n_tokens, size_t& ends_at) const;

  // One stored piece stands for the first n segments from now on.
  void replace_first(size_t n, engine::PromptSegment piece);

  bool has_passages() const;

  engine::PromptPlan plan;   // PromptSegment::chunk is the passage's number
  int history_segment;       // of plan; -1: none, or only its end
  std::vector<int> carried;  // passages that were taken out or replaced

 private:
  void drop_first(size_t n);
};

}  // namespace mneme::rag

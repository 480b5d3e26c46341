// The rows of a fused prompt: where each stands, which chunk it comes from, and which of them run on a layer.
// Used by fuser.cpp alone. Threads: one owner.
#pragma once

#include <span>
#include <vector>

#include "engine/fusion/prompt_plan.h"
#include "engine/fusion/selector.h"
#include "engine/types.h"

namespace mneme::engine {

// A cached chunk's place in the prompt.
struct PlacedChunk {
  int source = 0;      // index into the KvSource
  TokenPos first = 0;  // position of its first token
  int n_tokens = 0;
  bool in_place = false;  // only a label stands between it and the prefix it was computed behind
};

// One row of the prompt.
struct PromptRow {
  TokenPos position = 0;
  TokenId id = kNoToken;
  int chunk = -1;  // index into FusionRows::chunks; -1: always computed
  int offset = 0;  // token within the chunk
  bool question = false;
};

struct FusionRows {
  std::vector<PromptRow> rows;  // the whole prompt, in order
  std::vector<PlacedChunk> chunks;
  int n_chunk_rows = 0;
};

FusionRows lay_out(const PromptPlan& plan, TokenPos first_position);

// Candidates among `current` (indices into rows): those of cached chunks; Candidate::row is the index into `current`.
std::vector<Candidate> candidates_of(const FusionRows& layout, std::span<const int> current);

// Indices into `current` of the rows through which a selector looks: the question's last ones.
std::vector<int> looking_rows(const FusionRows& layout, std::span<const int> current, const Selector& selector);

// Indices into `current` that stay when `budget` of the candidates are chosen: the chosen and all that are always
// computed.
std::vector<int> rows_to_keep(const FusionRows& layout, std::span<const int> current, const Selector& selector,
                              std::span<const Candidate> candidates, int budget, double ratio);

}  // namespace mneme::engine

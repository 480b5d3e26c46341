// How the passages of one prompt are come by: what the store has of them, and which of it is loaded, by the loading
// controller (loading_controller.h) or under a time goal (timed_loading.h).
// Threads: one prompt at a time.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/hash.h"
#include "engine/codec/codec.h"
#include "engine/fusion/prompt_plan.h"
#include "engine/model/model_config.h"
#include "rag/kv_reuse/fusing_prefiller.h"
#include "rag/kv_reuse/kv_library.h"
#include "rag/kv_reuse/loading_controller.h"
#include "rag/kv_reuse/stored_forms.h"
#include "rag/kv_reuse/timed_plan.h"

namespace mneme::rag {

struct PassageLoading {
  std::vector<StoredForms> found;    // of the passages, in the order of the plan
  std::vector<ChunkTokens> missing;  // those of which nothing is stored
  LoadingPlan plan;                  // which of `found` are loaded, and how much of them is repaired
  std::shared_ptr<TimedPlan> timed;  // which level each layer comes at; null without a time goal
};

struct LoadingInput {
  const engine::PromptPlan& plan;        // PromptSegment::chunk is the passage's number
  std::span<const Hash128> text_hashes;  // by passage
  engine::KvLevel level;                 // asked for
  int prefix_tokens = 0;                 // in place already
  const engine::ModelConfig& config;
  engine::Selector selector;
  std::optional<double> ratio;     // fixed by the user; unset: by the controller
  std::optional<int> full_layers;  // likewise
  int most_full_layers = 0;        // that memory has room for
};

PassageLoading choose_loading(KvLibrary& library, const FusingOptions& options, const LoadingInput& input);

// Of the storage, as measured last; by the speed profile where nothing was read yet. 0: not known.
double storage_bytes_per_second(KvLibrary& library);

}  // namespace mneme::rag

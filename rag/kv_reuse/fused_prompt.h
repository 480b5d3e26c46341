// What a fused prompt was made of: the report of it, and what the next one learns from it.
// Threads: one owner.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/fusion/fuser.h"
#include "engine/model/model_config.h"
#include "rag/kv_reuse/cache_report.h"
#include "rag/kv_reuse/kv_library.h"
#include "rag/kv_reuse/prompt_source.h"

namespace mneme::rag {

struct FusedPrompt {
  PromptSource source;
  engine::FuseReport fused;
  std::vector<int> loaded;        // passages that came from the store one by one, by the source's numbers
  std::vector<int> carried;       // passages that the chat had in place or stored as one piece
  int64_t n_computed_tokens = 0;  // of passages that were computed from their text
  int n_history_rows = 0;         // of earlier turns, from the chat's own KV
};

// bytes, counts and forms of all passages; mode, level and plan are the caller's.
CacheReport cache_report(const FusedPrompt& prompt, const engine::ModelConfig& config, int n_passages,
                         int chunk_tokens);

// The next question is planned by what this one took.
void learn_speed(KvLibrary& library, const FusedPrompt& prompt);

}  // namespace mneme::rag

// How the KV of a prompt's passages was come by. Threads: values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rag/kv_reuse/answer_mode.h"
#include "rag/kv_reuse/loading_controller.h"

namespace mneme::rag {

// How a passage's KV came to be: computed from its text, read from the store, or left there by an earlier turn.
struct PassageForm {
  enum class Source { kText, kStore, kChat };
  Source source = Source::kText;
  std::array<int, 4> layers{};  // kStore: how many came at each level, by engine::KvLevel
};

struct CacheReport {
  AnswerMode mode = AnswerMode::kFull;
  int chunks = 0;
  int hits = 0;
  double recompute_ratio = 1.0;
  int64_t recomputed_tokens = 0;
  int full_layers = 0;  // so many of the first were computed for the whole prompt and not loaded
  std::optional<std::string> level;
  int64_t bytes_read = 0;
  int64_t bytes_fp16 = 0;
  int64_t bytes_decoded = 0;            // as fp16, of what was read
  int64_t bytes_decoded_on_device = 0;  // of them by the GPU instead of the processor
  int carried = 0;                      // passages that an earlier turn of the chat had left in place
  int history_tokens = 0;               // of earlier turns that came from the chat's cache
  std::optional<LoadingPlan> plan;      // of the loading controller, where it decided
  std::vector<PassageForm> passages{};  // in the order of the prompt; empty where none could have been loaded
};

}  // namespace mneme::rag

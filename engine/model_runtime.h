// What runs a loaded model: its config, weights and backend, the queue for turns, and a forward pass with scratch of
// its own for each priority, so that interactive work can go first while background work stands between two layers.
// Ownership: borrows config, weights and backend; sequences borrow the runtime.
// Threads: pass() only with a turn of the queue; the rest is immutable.
#pragma once

#include <memory>

#include "base/status.h"
#include "engine/backend/backend.h"
#include "engine/engine_queue.h"
#include "engine/language_model.h"
#include "engine/model/model_config.h"
#include "engine/model/model_weights.h"
#include "engine/transformer/forward_pass.h"

namespace mneme::engine {

class ModelRuntime {
 public:
  // Rows of one step of a long input: enough for the matrix products to be efficient, few enough for quick turns.
  static constexpr int kBatchRows = 512;

  ModelRuntime(const ModelConfig& config, const ModelWeights& weights, Backend& backend)
      : config_(config), weights_(weights), backend_(backend) {}

  const ModelConfig& config() const { return config_; }
  Backend& backend() { return backend_; }
  EngineQueue& queue() { return queue_; }

  Result<ForwardPass*> pass(Priority priority);
  Result<ForwardPass*> free_pass(int max_rows);  // for callers who drive the layers themselves; grown on demand

  Result<std::unique_ptr<Sequence>> new_sequence(int max_tokens, bool keep_unrotated_keys);

 private:
  const ModelConfig& config_;
  const ModelWeights& weights_;
  Backend& backend_;
  EngineQueue queue_;
  std::unique_ptr<ForwardPass> passes_[2];  // by priority
  std::unique_ptr<ForwardPass> free_pass_;
};

}  // namespace mneme::engine

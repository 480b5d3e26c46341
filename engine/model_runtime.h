// What runs a loaded model: its config, weights and backend with the step runner, and the sequences on it.
// Ownership: borrows config, weights and backend; sequences borrow the runtime.
// Threads: free_pass() and new_pass() only with a turn of the queue; the rest from any thread.
#pragma once

#include <memory>

#include "base/status.h"
#include "engine/backend/backend.h"
#include "engine/language_model.h"
#include "engine/model/model_config.h"
#include "engine/step_runner.h"
#include "engine/transformer/forward_pass.h"
#include "engine/transformer/model_weights.h"

namespace mneme::engine {

class ModelRuntime {
 public:
  ModelRuntime(const ModelConfig& config, const ModelWeights& weights, Backend& backend, KvType kv_type)
      : config_(config), weights_(weights), backend_(backend), kv_type_(kv_type), steps_(config, weights, backend) {}

  const ModelConfig& config() const { return config_; }
  Backend& backend() { return backend_; }
  StepRunner& steps() { return steps_; }
  ClusteringModel& clustering_model() { return clustering_model_; }

  // For callers who drive the layers themselves; grown on demand.
  Result<ForwardPass*> free_pass(int max_rows);
  Result<std::unique_ptr<ForwardPass>> new_pass(int max_rows) {
    return ForwardPass::make(config_, weights_, backend_, max_rows);
  }

  Result<std::unique_ptr<Sequence>> new_sequence(int max_tokens, bool keep_unrotated_keys);

 private:
  const ModelConfig& config_;
  const ModelWeights& weights_;
  Backend& backend_;
  const KvType kv_type_;
  StepRunner steps_;
  ClusteringModel clustering_model_;
  std::unique_ptr<ForwardPass> free_pass_;
};

}  // namespace mneme::engine

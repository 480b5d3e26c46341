// Runs the steps of all sequences of a model through one queue. Short steps (decoding) that wait at the same time run
// as one: the weights are read once for all of them. Long steps (prefill) run alone, background ones give way between
// layers. Each priority has a forward pass with scratch of its own, so that interactive work can go first while
// background work stands between two layers.
// Ownership: borrows config, weights and backend. Threads: run() may be called from any thread.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/cancel.h"
#include "base/mutex.h"
#include "base/status.h"
#include "engine/backend/backend.h"
#include "engine/engine_queue.h"
#include "engine/model/model_config.h"
#include "engine/transformer/forward_pass.h"
#include "engine/transformer/model_weights.h"
#include "engine/types.h"

namespace mneme::engine {

class Sampler;  // engine/transformer/sampler.h

// Which logits a step gives: of no row, of its last, of all.
enum class WantedLogits { kNone, kLast, kAll };

// Tokens of one sequence at positions [first_position, first_position + ids.size()), at most most_rows() of them.
// Everything is borrowed until run() returns.
struct Step {
  KvCache* cache = nullptr;
  TokenPos first_position = 0;
  std::span<const TokenId> ids;
  WantedLogits wanted = WantedLogits::kLast;
  // Samples the token after the last one to `sampled`; logits are then not given. Null: nobody.
  Sampler* sampler = nullptr;
  TokenId* sampled = nullptr;
  Priority priority = Priority::kInteractive;
  const CancelToken* cancel = nullptr;
};

class StepRunner {
 public:
  StepRunner(const ModelConfig& config, const ModelWeights& weights, Backend& backend)
      : config_(config), weights_(weights), backend_(backend) {}

  EngineQueue& queue() { return queue_; }
  int most_rows() const { return backend_.most_step_rows(); }

  // Runs the step; logits (wanted rows, vocab_size). kCancelled when the step's token says so, looked at between
  // layers and while the step waits; the cache then holds rubbish at the step's positions.
  Status run(const Step& step, std::vector<float>& logits);

 private:
  struct Request;
  class Waiting;
  // What a step under way needs, one for each priority.
  struct Lane {
    std::unique_ptr<ForwardPass> pass;
    std::vector<TokenPos> positions;
    std::vector<TokenId> ids;
    std::vector<RowGroup> groups;
    std::vector<int> wanted_rows;
    std::vector<float> logits;
  };

  Status check(const Step& step) const;
  Status run_alone(Request& request);
  Status run_with_others(Request& request);
  std::vector<Request*> take_waiting(Priority priority, Request& own);
  void run_together(const std::vector<Request*>& requests, EngineQueue::Turn& turn);
  void run_with_room(std::vector<Request*> requests, EngineQueue::Turn& turn);
  Status run_layers(Lane& lane, std::span<Request* const> requests, EngineQueue::Turn& turn);
  Status begin(Lane& lane, std::span<Request* const> requests);
  Status sample(Lane& lane, std::span<Request* const> requests);
  Result<Lane*> lane(Priority priority);

  const ModelConfig& config_;
  const ModelWeights& weights_;
  Backend& backend_;
  EngineQueue queue_;
  Lane lanes_[2];  // by priority; used with the turn held
  Mutex waiting_mutex_;
  std::vector<Request*> waiting_[2] MNEME_GUARDED_BY(waiting_mutex_);  // short steps, by priority
};

}  // namespace mneme::engine

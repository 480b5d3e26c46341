// The one forward pass, layer by layer, over any set of rows. Prefill, decode, chunk prefill and fusion are all made of
// these steps; what differs between models is data (ModelConfig, ModelWeights), what differs between devices is the
// Backend.
//
//   begin(rows, ids); for each layer: run_layer(l); logits(...)
//
// Fusion narrows the rows on the way: project(l) writes K and V of all current rows, keep_rows(...) drops rows,
// finish(l) carries the kept ones through attention and feed-forward. Ownership: borrows config, weights and backend.
// Threads: one step at a time.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "engine/backend/backend.h"
#include "engine/model/model_config.h"
#include "engine/types.h"

namespace mneme::engine {

struct ModelWeights;  // engine/transformer/model_weights.h
class Sampler;        // engine/transformer/sampler.h

class ForwardPass {
 public:
  // Scratch for up to max_rows rows in a step. kResource when it does not fit.
  static Result<std::unique_ptr<ForwardPass>> make(const ModelConfig& config, const ModelWeights& weights,
                                                   Backend& backend, int max_rows);
  virtual ~ForwardPass() = default;

  virtual int max_rows() const = 0;

  // A second pass over the same model, with scratch of its own, while this one waits in the middle of a layer: made or
  // grown on demand, which ends earlier pointers, and kept with this one. kResource when it does not fit.
  virtual Result<ForwardPass*> beside(int max_rows) = 0;

  // Embeds ids at the rows' positions; the caches must have room for them (KvCache::reserve). rows and ids are copied.
  // token_types: which text of a pair each row belongs to, 0 or 1; empty: all 0. Models with one type of token take
  // all for 0. kUsage when there are more than max_rows.
  virtual Status begin(const RowSet& rows, std::span<const TokenId> ids, std::span<const TokenId> token_types) = 0;
  Status begin(const RowSet& rows, std::span<const TokenId> ids) { return begin(rows, ids, {}); }

  virtual const RowSet& rows() const = 0;         // the current rows
  virtual const Activations& hidden() const = 0;  // (rows, dim), the residual stream
  // (rows, ModelConfig::query_width() of the layer), between project() and finish() of a layer that attends.
  virtual const Activations& queries() const = 0;

  // Norm, QKV, RoPE; K and V of the current rows into their caches. A layer with a state: all of what changes the
  // state.
  virtual void project(int layer) = 0;
  virtual void finish(int layer) = 0;     // attention, output, feed-forward
  virtual void run_layer(int layer) = 0;  // both

  // Keeps the rows with these indices (ascending) of the current rows; valid between layers and between project and
  // finish.
  virtual void keep_rows(std::span<const int> keep) = 0;

  // The final norm of the current rows, in place and once, after all layers: what encoders pool. Nothing for models
  // whose last layer ends with one.
  virtual void normalise_output() = 0;

  // Logits of the rows with these indices of the current rows: (rows.size(), vocab_size). Synchronises.
  virtual Status logits(std::span<const int> rows, std::vector<float>& out) = 0;

  // The next tokens of up to kMostSampled such rows, each by its sampler: what sampling their logits gives. They are
  // copied from the device only where it or the sampler needs that. Synchronises.
  static constexpr int kMostSampled = 32;
  virtual Status sample(std::span<const int> rows, std::span<Sampler* const> samplers, std::span<TokenId> tokens) = 0;
};

}  // namespace mneme::engine

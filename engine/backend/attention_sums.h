// How much attention rows of a prompt pay to each token of their sequence, summed up on a device over layers: what
// fusion ranks tokens by. Nothing comes back to the host before all of it is asked for, so that what the device does
// next is on its way while it looks.
// Ownership: borrows the backend. Threads: as the backend; one of a backend at a time.
#pragma once

#include <span>

#include "base/status.h"
#include "engine/model/model_config.h"

namespace mneme::engine {

class Activations;
struct RowSet;

class AttentionSums {
 public:
  virtual ~AttentionSums() = default;

  // Adds the attention that some of the rows of one sequence pay on a layer: softmax over the keys a row sees, summed
  // over rows and heads, to 1e-4 of itself, without soft cap and sinks. Enqueues. `looking` are indices into the rows,
  // q is what project_qkv() left. kUnsupported: this layer is left to the host, which has the numbers by read()
  // (engine/fusion/row_scores.h).
  virtual Status add(const ModelConfig& config, int layer, const RowSet& rows, std::span<const int> looking,
                     const Activations& q) = 0;

  // Adds the sums, one for each token, to mass. Synchronises; the first failure of the device.
  virtual Status take(std::span<float> mass) = 0;
};

}  // namespace mneme::engine

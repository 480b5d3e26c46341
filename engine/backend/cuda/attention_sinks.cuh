// Sinks: a logit of each query head that takes part in its softmax, but has no value (LayerConfig::sinks). All that
// changes is the sum by which outputs are divided, so it is added once, where a row's parts are one.
#pragma once

#include "engine/backend/cuda/attention_kernels.h"
#include "engine/backend/cuda/device_language.cuh"

namespace mneme::engine::cuda {

// What the head's sink adds to a sum of exp(score - maximum); 0 where there are none. May be infinite where the sink is
// far above all scores: outputs are 0 then, as they should be.
__device__ __forceinline__ float sink_weight(const AttentionShape& shape, int head, float maximum) {
  return shape.sinks != nullptr ? expf(shape.sinks[head] - maximum) : 0.0f;
}

}  // namespace mneme::engine::cuda

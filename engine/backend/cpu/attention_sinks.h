// Sinks: a logit of each query head that takes part in its softmax, but has no value (LayerConfig::sinks). All that
// changes is the sum by which outputs are divided in the end. Threads: pure.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace mneme::engine::cpu {

// What the head's sink adds to a sum of exp(logit - maximum); 0 where there are none. May be infinite where the sink is
// far above all keys: outputs are 0 then, as they should be.
inline float sink_weight(std::span<const float> sinks, int head, float maximum) {
  return sinks.empty() ? 0.0f : std::exp(sinks[static_cast<size_t>(head)] - maximum);
}

}  // namespace mneme::engine::cpu

// What reusing the KV of passages that were read alone gets wrong, and how much of it repairing few tokens mends
// (CacheBlend, sections 3.3 and 4.3, figures 6 to 8). Threads: pure functions over a trace, one at a time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/insight/text_trace.h"
#include "base/status.h"

namespace mneme::app {

// Per layer, per token of the passages: how far the KV of the passage read alone is from that of the whole text, in
// units of the layer's root mean square (keys and values each; engine::kv_deviation, its root). The first passage
// stands where it was computed, so its tokens do not deviate.
Result<std::vector<std::vector<float>>> kv_deviations(const TextTrace& trace);

// Reused KV of which a share of the passages' tokens was replaced by that of the whole text.
struct RepairPoint {
  std::string selection;    // "deviation": those of the layer that deviate most; "first": the first of each passage
                            // but the first passage; "random"
  double share = 0;         // of all passage tokens
  double attention = 0;     // L2 distance of the question's attention weights from those over the whole text
  double output_error = 0;  // of what attention then gives, relative to its norm
};
// Means over layers, query heads and the question's tokens. Replacing a token's KV by the whole text's stands for
// recomputing it; the queries are the whole text's (as in figure 6).
Result<std::vector<RepairPoint>> repair_curves(const TextTrace& trace, std::span<const double> shares);

}  // namespace mneme::app

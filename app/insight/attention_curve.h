// How attention weights fall with rank (PQCache, figure 5): whether few tokens hold most of the attention. Threads:
// pure function over a trace, one at a time.
#pragma once

#include <vector>

#include "app/insight/kv_statistics.h"
#include "app/insight/text_trace.h"
#include "base/status.h"

namespace mneme::app {

// Means over the question's tokens and all query heads of a layer.
struct AttentionCurve {
  std::vector<double> ranks;    // 1, 2, 4, ... up to the tokens that every row sees
  std::vector<double> weights;  // of the token at that rank, the heaviest first
  std::vector<double> mass;     // of all tokens up to that rank
  double top_tenth = 0;         // mass of the heaviest tenth of the tokens seen
  double top_fifth = 0;
  PowerLaw law;  // through weights over ranks
};
Result<AttentionCurve> attention_curve(const TextTrace& trace, int layer);

}  // namespace mneme::app

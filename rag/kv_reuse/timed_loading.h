// The loading controller under a time goal (`--first-token-goal`): each chunk of a prompt comes at the finest stored
// level that keeps the goal, or is computed from its text (stream_plan.h); the share r of repaired rows is, as ever,
// the largest that hides behind loading. Where nothing keeps the goal, the soonest. Threads: pure functions.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "rag/kv_reuse/loading_controller.h"
#include "rag/kv_reuse/speed_profile.h"
#include "rag/kv_reuse/timed_plan.h"

namespace mneme::rag {

struct TimedQuestion {
  // As without a goal; chunks[c].stored is not looked at.
  LoadingQuestion loading;
  // Per chunk: encoded bytes of each layer by level; empty where the chunk is not stored at that level, or the level is
  // not to be used.
  std::vector<std::array<std::vector<uint64_t>, kStreamLevels>> layer_bytes;
  double seconds = 1.0;           // that are left
  double bytes_per_second = 0.0;  // of the storage; 0: not known
};

struct TimedLoading {
  std::shared_ptr<TimedPlan> plan;  // begun
  double ratio = 0.0;
  double first_token_seconds = 0.0;  // predicted
};

TimedLoading plan_timed_loading(const TimedQuestion& question, const SpeedProfile& speed);

}  // namespace mneme::rag

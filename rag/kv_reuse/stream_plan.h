// In which form the KV of each chunk of a prompt should come, so that the first token is there in time: at a stored
// level, or as text to be computed again. CacheGen's streamer (papers 003 and 004): from the throughput measured last,
// the delay of every choice is predicted, and the best quality that keeps to the goal is taken, chunk by chunk; before
// each chunk the plan is made anew. Departure: chunks differ in form where that keeps the goal, not only "all of the
// rest alike"; loading and computing overlap in the prediction. Threads: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/codec/codec.h"

namespace mneme::rag {

inline constexpr int kStreamLevels = 4;  // engine::KvLevel

// How one chunk comes.
struct StreamForm {
  std::optional<engine::KvLevel> level;  // none: from its text
  bool is_text() const { return !level.has_value(); }
  bool operator==(const StreamForm&) const = default;
};

// What a chunk can be had as, and what that takes.
struct StreamChunk {
  int n_tokens = 0;
  std::array<uint64_t, kStreamLevels> level_bytes{};   // by KvLevel; 0: not stored at that level
  std::array<double, kStreamLevels> decode_seconds{};  // by KvLevel
  std::optional<double> recompute_seconds;             // none: its text cannot be computed in time at all
};

struct StreamGoal {
  double seconds = 1.0;  // until everything is there, from the beginning
  // Share of the seconds that is kept free to the end, however often the plan is made anew: predictions err. (A share
  // of what is left would be used up piece by piece.)
  double margin = 0.1;
  // How much quality a level costs, per token, in any unit; text costs none. By KvLevel. Default: the F1 losses the
  // levels are tuned to.
  std::array<double, kStreamLevels> loss{0.0, 0.001, 0.005, 0.01};
};

// Where the stream stands, in seconds since it began.
struct StreamState {
  double now = 0;
  double link_free = 0;         // when what was asked for will have arrived
  double compute_free = 0;      // when what arrived will be decoded or computed
  double bytes_per_second = 0;  // 0: not known
};

struct StreamPlan {
  std::vector<StreamForm> forms;  // of the chunks given, in order
  double finish_seconds = 0;      // predicted
  double loss = 0;                // sum over tokens
};

// When everything would be there with these forms. A chunk that arrives while an earlier one is being computed waits.
double predict_finish(std::span<const StreamChunk> chunks, std::span<const StreamForm> forms, const StreamState& state);

// The plan for the chunks that are left. With unknown throughput: the paper's default, the middle level. Where nothing
// keeps the goal: the soonest.
StreamPlan plan_stream(std::span<const StreamChunk> chunks, const StreamState& state, const StreamGoal& goal);

}  // namespace mneme::rag

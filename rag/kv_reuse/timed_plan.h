// The streamer at work on one prompt under a time goal: what stream_plan.h decides for whole chunks is decided anew
// before every piece that is read, a piece being one layer of one chunk, from the throughput measured by then. Levels
// may differ between the layers of a chunk. Departures from CacheGen (papers 003 and 004), which decides before each
// chunk and reads chunk after chunk: pieces come layer by layer, as the computation consumes them, so whether a chunk
// comes as text is settled once, at the beginning; and a link that slows down costs one piece at the old level instead
// of a chunk. Time is an argument, so that the same plan runs in simulations.
// Threads: begin() first; then choose() from one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rag/kv_reuse/stream_plan.h"

namespace mneme::rag {

// A chunk as it is stored.
struct TimedChunk {
  StreamChunk costs;                                               // but for level_bytes
  std::array<std::vector<uint64_t>, kStreamLevels> layer_bytes{};  // by KvLevel; empty: not stored at that level

  StreamChunk whole() const;
};

class TimedPlan {
 public:
  // other_seconds: what is computed beside the chunks, spread over the layers like they are.
  TimedPlan(std::vector<TimedChunk> chunks, int n_layers, const StreamGoal& goal, double other_seconds);

  // In which form each chunk is to come; seconds count from when the goal does. Levels are a forecast, text is final.
  const StreamPlan& begin(double now, double bytes_per_second);

  // The level to read a layer of a chunk at that does not come as text; it must be stored. Pieces in the order in which
  // they are read; asking again for the same one changes nothing but the answer.
  engine::KvLevel choose(int chunk, int layer, double now, double bytes_per_second);

  int n_layers() const { return n_layers_; }
  const StreamPlan& plan() const { return plan_; }
  const TimedChunk& chunk(int chunk) const { return chunks_[static_cast<size_t>(chunk)]; }

 private:
  // The piece that was chosen last.
  struct Piece {
    int chunk = -1;
    int layer = -1;
    engine::KvLevel level = engine::KvLevel::kMedium;
  };
  bool is_text(size_t chunk) const { return plan_.forms[chunk].is_text(); }
  void settle(int chunk, int layer, double now);
  StreamChunk rest_of(size_t chunk, int first_layer) const;

  std::vector<TimedChunk> chunks_;
  // [chunk][level][layer]: bytes from that layer on.
  std::vector<std::array<std::vector<uint64_t>, kStreamLevels>> bytes_from_;
  const int n_layers_;
  const StreamGoal goal_;
  const double other_seconds_;
  StreamPlan plan_;
  double text_seconds_ = 0;  // of the chunks that come as text
  Piece last_;
  double compute_free_ = 0;  // when what was chosen so far will be decoded and computed, as far as is known
};

}  // namespace mneme::rag

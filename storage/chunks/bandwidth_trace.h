// What a link or a disk lets through over time: made up (steady, falling, spiky) or recorded, and replayed by throttled
// readers and by simulations alike. Beyond its end a trace starts again. Threads: immutable after it is made.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace mneme::storage {

struct BandwidthShape {
  double low_bytes_per_s = 0.05e9;
  double high_bytes_per_s = 6e9;
  double seconds = 60;  // until it starts again
  uint64_t seed = 1;    // spiky
};

class BandwidthTrace {
 public:
  static BandwidthTrace steady(double bytes_per_second);
  // By name: "steady" (the geometric mean of low and high), "falling" (from high to low, by the same factor every
  // tenth of a second), "spiky" (every tenth of a second another value, all orders of magnitude between low and high
  // alike). kUsage for another name or an empty range.
  static Result<BandwidthTrace> make(std::string_view name, const BandwidthShape& shape);
  // Lines of "SECONDS BYTES_PER_SECOND": how long, and how much. kUsage names the line that is none.
  static Result<BandwidthTrace> parse(std::string_view text);

  double bytes_per_second(double seconds) const;
  // When `bytes` have passed that start at `start` (seconds since the trace began).
  double finish(double start, double bytes) const;
  double seconds() const { return ends_.back(); }
  // For ChunkStreamOptions::bandwidth, for a stream that begins at `start`. Keeps a copy of the trace.
  std::function<double(double)> as_function(double start = 0) const;

 private:
  void add(double seconds, double bytes_per_second);
  size_t piece_at(double offset) const;

  std::vector<double> ends_;   // of the pieces, rising
  std::vector<double> rates_;  // > 0
};

}  // namespace mneme::storage

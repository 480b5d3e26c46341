// What loading the stored KV of a prompt has cost. Threads: values.
#pragma once

#include <cstdint>

namespace mneme::engine {

struct LoadingStats {
  int64_t bytes_read = 0;     // encoded
  int64_t bytes_decoded = 0;  // as fp16
  double decode_ms = 0.0;     // summed over the threads that decoded; with placing where they placed, too
  double wait_ms = 0.0;       // the computation stood still for it, or helped with it

  void add(const LoadingStats& other) {
    bytes_read += other.bytes_read;
    bytes_decoded += other.bytes_decoded;
    decode_ms += other.decode_ms;
    wait_ms += other.wait_ms;
  }
};

}  // namespace mneme::engine

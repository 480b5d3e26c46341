// What a device yields, as the harmonic mean over the last segments read: slow ones weigh as much as they cost.
// (CacheGen's streaming estimates by the last chunk; its successor by the harmonic mean of the last 20.)
// Threads: may be called from any thread.
#pragma once

#include <array>
#include <cstdint>

#include "base/mutex.h"

namespace mneme::storage {

class ThroughputMeter {
 public:
  static constexpr int kWindow = 20;

  void add(uint64_t bytes, double seconds);
  double bytes_per_second() const;  // 0: nothing measured yet
  int64_t samples() const;

 private:
  mutable Mutex mutex_;
  std::array<double, kWindow> seconds_per_byte_ MNEME_GUARDED_BY(mutex_){};
  int64_t count_ MNEME_GUARDED_BY(mutex_) = 0;
};

}  // namespace mneme::storage

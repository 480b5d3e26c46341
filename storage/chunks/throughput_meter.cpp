#include "storage/chunks/throughput_meter.h"

#include <algorithm>

namespace mneme::storage {

void ThroughputMeter::add(uint64_t bytes, double seconds) {
  if (bytes == 0 || !(seconds >= 0)) return;
  MutexLock lock(mutex_);
  seconds_per_byte_[static_cast<size_t>(count_ % kWindow)] = std::max(seconds, 1e-9) / static_cast<double>(bytes);
  ++count_;
}

double ThroughputMeter::bytes_per_second() const {
  MutexLock lock(mutex_);
  const int64_t n = std::min<int64_t>(count_, kWindow);
  if (n == 0) return 0;
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += seconds_per_byte_[static_cast<size_t>(i)];
  return static_cast<double>(n) / sum;
}

int64_t ThroughputMeter::samples() const {
  MutexLock lock(mutex_);
  return count_;
}

}  // namespace mneme::storage

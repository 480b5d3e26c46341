// A look at this process and the KV store, for the graphs. Threads: one at a time.
#pragma once

#include <chrono>
#include <cstdint>

#include "ui/view_model/publisher.h"

namespace mneme::ui {

// Memory of this process that is in RAM, bytes; 0 where the system does not say.
uint64_t resident_bytes();

class ActivitySampler {
 public:
  explicit ActivitySampler(Publisher& publisher) : publisher_(publisher) {}
  // Adds a sample; the oldest goes after ten minutes of them.
  void sample();

 private:
  Publisher& publisher_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  size_t last_text_bytes_ = 0;  // of the answer being written
  double last_seconds_ = 0.0;
};

}  // namespace mneme::ui

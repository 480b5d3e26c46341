// How long each kernel of a step takes, for finding out where the time goes: MNEME_CUDA_PROFILE=1. An event follows
// every launch; what lies between two of them is the kernel with the pause ahead of it. A step is held back on the
// device until the host has enqueued it, so that no kernel waits for the host; launches do not overlap and run as no
// graph meanwhile. What runs on other streams is told apart by whoever enqueues it. The table goes to stderr when the
// device is closed. Threads: as the device.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace mneme::engine::cuda {

class LaunchTimer {
 public:
  LaunchTimer() = default;
  ~LaunchTimer();
  LaunchTimer(const LaunchTimer&) = delete;
  LaunchTimer& operator=(const LaunchTimer&) = delete;

  // A step of so many rows begins; the one before is counted.
  void begin_step(int n_rows, cudaStream_t stream);
  // The kernel has been enqueued.
  void launched(const void* kernel, dim3 grid, cudaStream_t stream);
  // So has something that is no kernel of ours.
  void launched(const char* what, cudaStream_t stream);
  // Something took so long that is no part of a step: what runs on other streams, beside it.
  void add(const char* what, double ms);
  // Counts what is under way. The table: steps by their number of rows, in each the slowest first.
  std::string report();

 private:
  struct Sum {
    int64_t launches = 0;
    double ms = 0;
  };
  struct Steps {
    int64_t n = 0;
    std::map<std::string, Sum> of;
  };
  struct Mark {
    const void* kernel;  // null: `what`
    const char* what;
    dim3 grid;
  };
  void mark(const Mark& what, cudaStream_t stream);
  void count();
  cudaEvent_t event(size_t i);

  std::vector<cudaEvent_t> events_;  // the first one of a step, then one behind each mark
  std::vector<Mark> marks_;
  std::string rows_;               // of the step under way; empty: none
  cudaStream_t stream_ = nullptr;  // the step's
  std::map<std::string, Steps> steps_;
  std::map<std::string, Sum> beside_;
};

// Of this thread's launches; null: nothing is timed. Device::begin() sets it.
inline thread_local LaunchTimer* launch_timer = nullptr;

}  // namespace mneme::engine::cuda

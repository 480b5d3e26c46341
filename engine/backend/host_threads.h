// What a backend that computes on the host's own threads offers beside backend.h: these threads, for work of the host
// between two operations. Threads of its own would have to be woken for it while these fall asleep.
#pragma once

#include "base/thread_pool.h"

namespace mneme::engine {

class HostThreads {
 public:
  virtual ~HostThreads() = default;
  // Free whenever no operation of the backend runs; lives as long as the backend.
  virtual ThreadPool& host_threads() = 0;
};

}  // namespace mneme::engine

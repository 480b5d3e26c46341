// Work begun on a thread of its own where one can be had. Threads: the work must not touch what its caller writes
// before the future is asked.
#pragma once

#include <future>
#include <system_error>
#include <utility>

namespace mneme {

// What work() will give; no valid future, and nothing begun, where the system has no thread: the caller then does it
// itself. The future waits for the work when it is destroyed.
template <typename Work>
auto in_background(Work work) -> std::future<decltype(work())> {
  try {
    return std::async(std::launch::async, std::move(work));
  } catch (const std::system_error&) {
    return {};
  }
}

}  // namespace mneme

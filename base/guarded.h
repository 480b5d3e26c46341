// The border that exceptions do not cross: threads, destructors and C callbacks. The program throws nothing of its own;
// what is caught here is the standard library's want of memory (and what other libraries throw).
// Threads: pure functions.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "base/status.h"

namespace mneme {

// Made when memory has just run out: where not even the sentence fits, two words that need none.
inline Status out_of_memory(std::string_view doing) noexcept {
  try {
    return resource_error("not enough memory for " + std::string(doing) + "; close other programs and try again");
  } catch (const std::bad_alloc&) {
    return Status(StatusCode::kResource, "out of memory");
  }
}

// Runs `work` and gives its Status, or what it threw as one. `doing` is a few words: "reading a.pdf".
template <typename Work>
Status guarded(std::string_view doing, Work&& work) noexcept {
  try {
    try {
      return work();
    } catch (const std::bad_alloc&) {
      return out_of_memory(doing);
    } catch (const std::exception& error) {
      return Status(StatusCode::kInternal, std::string(doing) + " failed: " + error.what());
    }
  } catch (const std::bad_alloc&) {
    return out_of_memory(doing);
  }
}

// For work that may as well not be done (destructors, callbacks): whatever it throws is dropped.
template <typename Work>
void attempt(Work&& work) noexcept {
  try {
    work();
  } catch (const std::exception&) {
    return;
  }
}

}  // namespace mneme

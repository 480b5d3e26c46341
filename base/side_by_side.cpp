#include "base/side_by_side.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <future>
#include <system_error>
#include <vector>

namespace mneme {

namespace {

// Ends the loop for the others too when a body throws.
void take_ranges(std::atomic<size_t>& next, size_t count, size_t grain,
                 const std::function<void(size_t, size_t)>& body) {
  try {
    for (size_t begin; (begin = next.fetch_add(grain)) < count;) body(begin, std::min(count, begin + grain));
  } catch (...) {
    next = count;
    throw;
  }
}

}  // namespace

void side_by_side(int n_threads, size_t count, size_t grain,
                  const std::function<void(size_t begin, size_t end)>& body) {
  std::atomic<size_t> next{0};
  const auto take = [&] { take_ranges(next, count, grain, body); };
  const size_t n_ranges = (count + grain - 1) / grain;
  std::vector<std::future<void>> others;
  try {
    while (others.size() + 1 < std::min(static_cast<size_t>(std::max(n_threads, 1)), n_ranges)) {
      others.push_back(std::async(std::launch::async, take));
    }
  } catch (const std::system_error&) {
    // as many as there are
  }
  std::exception_ptr thrown;
  const auto note = [&](const auto& part) {
    try {
      part();
    } catch (...) {
      if (!thrown) thrown = std::current_exception();
    }
  };
  note(take);
  for (std::future<void>& other : others) note([&] { other.get(); });
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace mneme

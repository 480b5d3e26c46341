#include "base/side_by_side.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <future>
#include <system_error>
#include <utility>
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

// Not valid where there is no thread to be had.
std::future<void> started(const std::function<void()>& work) {
  try {
    return std::async(std::launch::async, work);
  } catch (const std::system_error&) {
    return {};
  }
}

}  // namespace

void side_by_side(int n_threads, size_t count, size_t grain,
                  const std::function<void(size_t begin, size_t end)>& body) {
  std::atomic<size_t> next{0};
  const auto take = [&] { take_ranges(next, count, grain, body); };
  const size_t n_ranges = (count + grain - 1) / grain;
  std::vector<std::future<void>> others;
  const size_t n_others = std::min(static_cast<size_t>(std::max(n_threads, 1)), std::max<size_t>(n_ranges, 1)) - 1;
  while (others.size() < n_others) {
    std::future<void> other = started(take);
    if (!other.valid()) break;
    others.push_back(std::move(other));
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

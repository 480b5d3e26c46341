// A loop shared with threads that live as long as it takes: for a few milliseconds of work now and then, where no
// ThreadPool (thread_pool.h) stands ready. Threads: any number of calls at the same time.
#pragma once

#include <cstddef>
#include <functional>

namespace mneme {

// Calls body(begin, end) over disjoint ranges of at most `grain` that cover [0, count), claimed as they are free by the
// caller and n_threads - 1 others. Where no thread is to be had, the caller does it all. Returns when all is done; what
// a body throws is thrown here, and the rest of the loop may be left out. grain >= 1.
void side_by_side(int n_threads, size_t count, size_t grain, const std::function<void(size_t begin, size_t end)>& body);

}  // namespace mneme

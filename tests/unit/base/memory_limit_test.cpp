#include "base/memory_limit.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <new>
#include <vector>

namespace mneme {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

// What the work gives, in a process of its own: a ceiling stays.
int in_child(int (*work)()) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// volatile: a vector that nobody looks at may never be made.
bool can_take(size_t n_bytes) {
  try {
    const std::vector<char> memory(n_bytes);
    const volatile char* seen = memory.data();
    return seen[n_bytes - 1] == 0;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

TEST(MemoryLimit, WhatIsFreeIsAPartOfTheMachine) {
  EXPECT_GT(available_memory_bytes(), kMiB);
  EXPECT_GT(taken_memory_bytes(), 0u);
}

TEST(MemoryLimit, BeyondTheCeilingAllocationsFail) {
  if (taken_memory_bytes() > (uint64_t{1} << 40)) GTEST_SKIP() << "a sanitizer has taken the whole address space";
  EXPECT_EQ(in_child([] {
              if (!limit_memory(taken_memory_bytes() + 64 * kMiB).ok()) return 1;
              if (available_memory_bytes() > 64 * kMiB) return 2;
              if (!can_take(16 * kMiB)) return 3;
              return can_take(256 * kMiB) ? 4 : 0;
            }),
            0);
}

TEST(MemoryLimit, LessThanWasTakenIsRefused) {
  EXPECT_EQ(in_child([] {
              const Status refused = limit_memory(4096);
              if (refused.code() != StatusCode::kUsage) return 1;
              return can_take(16 * kMiB) ? 0 : 2;
            }),
            0);
}

}  // namespace
}  // namespace mneme

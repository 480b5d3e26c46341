#include "base/memory_reserve.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <new>
#include <string>

#include "base/exit_code.h"
#include "base/memory_limit.h"

namespace mneme {
namespace {

constexpr size_t kMiB = size_t{1} << 20;
constexpr size_t kTooMuch = 1024 * kMiB;  // more, too, than other tests may have given back to the heap

struct Ending {
  int exit_status = -1;
  std::string said;
};

// What the work says on standard error and gives, in a process of its own that may take 64 MiB more.
Ending with_64_mib(int (*work)()) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    ::_exit(limit_memory(taken_memory_bytes() + 64 * kMiB).ok() ? work() : 100);
  }
  ::close(ends[1]);
  Ending ending;
  char buffer[1000];
  for (ssize_t n = 0; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;) ending.said.append(buffer, n);
  ::close(ends[0]);
  int state = 0;
  ::waitpid(child, &state, 0);
  ending.exit_status = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
  return ending;
}

// As a library would, which knows of no failure. volatile: memory that nobody looks at may never be asked for.
char take(size_t n_bytes) {
  const std::unique_ptr<char[]> memory(new char[n_bytes]);
  volatile char* seen = memory.get();
  seen[n_bytes - 1] = 1;
  return seen[n_bytes - 1];
}

class MemoryReserveTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (taken_memory_bytes() > (uint64_t{1} << 40)) GTEST_SKIP() << "a sanitizer has taken the whole address space";
  }
};

TEST_F(MemoryReserveTest, WhatIsHeldBackIsGivenOnce) {
  const Ending ending = with_64_mib([] {
    const MemoryReserve reserve(40 * kMiB);
    return take(50 * kMiB) == 1 ? 7 : 8;
  });
  EXPECT_EQ(ending.exit_status, 7) << ending.said;
}

TEST_F(MemoryReserveTest, WhereThatIsNotEnoughASentenceEndsTheProgram) {
  const Ending ending = with_64_mib([] {
    const MemoryReserve reserve(kMiB);
    return take(kTooMuch) == 1 ? 7 : 8;
  });
  EXPECT_EQ(ending.exit_status, static_cast<int>(exit_code(StatusCode::kResource)));
  EXPECT_TRUE(ending.said.starts_with("mneme: there is not enough memory")) << ending.said;
  EXPECT_TRUE(ending.said.ends_with(".\n")) << ending.said;
}

TEST_F(MemoryReserveTest, WithoutOneItIsAnException) {
  const Ending ending = with_64_mib([] {
    {
      const MemoryReserve gone(kMiB);
    }
    try {
      return take(kTooMuch) == 1 ? 7 : 8;
    } catch (const std::bad_alloc&) {
      return 9;
    }
  });
  EXPECT_EQ(ending.exit_status, 9) << ending.said;
}

}  // namespace
}  // namespace mneme

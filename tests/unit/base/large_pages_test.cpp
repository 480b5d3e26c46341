#include "base/large_pages.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace mneme {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kOwnAllocator = true;
#elif defined(__has_feature)
constexpr bool kOwnAllocator = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kOwnAllocator = false;
#endif

// Whether the mapping that holds an address was asked to lie in large pages ("hg" among its flags) [proc(5)].
bool asked_for_large_pages(const void* address) {
  std::ifstream smaps("/proc/self/smaps");
  bool inside = false;
  for (std::string line; std::getline(smaps, line);) {
    std::istringstream words(line);
    uintptr_t begin = 0;
    uintptr_t end = 0;
    char dash = 0;
    if (words >> std::hex >> begin >> dash >> end && dash == '-') {
      const auto wanted = reinterpret_cast<uintptr_t>(address);
      inside = wanted >= begin && wanted < end;
    } else if (inside && line.starts_with("VmFlags:")) {
      return line.find(" hg") != std::string::npos;
    }
  }
  return false;
}

// Of the blocks that a program begins with, how many lie in them.
int n_in_large_pages() {
  put_heap_in_large_pages();
  int n = 0;
  // As much as a program has when it starts.
  for (const size_t size : {size_t{1} << 20, size_t{3} << 20}) {
    const std::unique_ptr<char, decltype(&std::free)> block(static_cast<char*>(std::malloc(size)), &std::free);
    if (block == nullptr) continue;
    n += asked_for_large_pages(block.get() + size - 1) ? 1 : 0;  // it may begin before the first of them
  }
  return n;
}

// In a process of its own, whose heap is as it is when a program starts: others leave room behind, which comes first.
TEST(LargePagesDeathTest, WhatIsAllocatedNextIsAskedToLieInThem) {
  if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage/enabled")) GTEST_SKIP() << "the system has none";
  if (kOwnAllocator) GTEST_SKIP() << "a sanitizer allocates by itself";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::exit(n_in_large_pages()), testing::ExitedWithCode(2), "");
}

}  // namespace
}  // namespace mneme

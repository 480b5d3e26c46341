// Programs that are run for a document: what they are given, and what they are not.
#include "rag/readers/process/child_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/file_descriptor.h"

namespace mneme::readers {
namespace {

std::string output_of(const std::string& commands, const ChildLimits& limits = {}) {
  std::string output;
  const FileDescriptor input = memory_file("words");
  const auto result = run_child({"/bin/sh", "-c", commands}, input.get(), limits, [&](std::string_view piece) {
    output += piece;
    return Status();
  });
  EXPECT_TRUE(result.ok()) << result.status().message();
  return output;
}

TEST(ChildProcess, HasItsLimits) {
  ChildLimits limits;
  limits.memory_bytes = uint64_t{512} << 20;
  limits.time = std::chrono::seconds(20);
  EXPECT_EQ(output_of("ulimit -v; ulimit -t; ulimit -f; ulimit -n; ulimit -c", limits), "524288\n21\n0\n64\n0\n");
}

// Neither files that the program has open nor its environment.
TEST(ChildProcess, HasItsStreamsAndNothingElseOfOurs) {
  constexpr int kFarAbove = 50;
  const FileDescriptor null(::open("/dev/null", O_RDONLY));
  const FileDescriptor ours(::fcntl(null.get(), F_DUPFD, kFarAbove));  // which a program that is started would have
  ASSERT_TRUE(ours.is_open());
  EXPECT_EQ(output_of("read -r line; echo $line; echo /proc/self/fd/*"),
            "words\n/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 /proc/self/fd/3\n")
      << "the fourth is the shell's own, of the folder that it lists";
  EXPECT_EQ(output_of("echo \"$PATH [$HOME] $LC_ALL\""), "/usr/bin:/bin [] C.UTF-8\n");
}

TEST(ChildProcess, WritesNoFiles) {
  EXPECT_EQ(output_of("(echo x > /tmp/mneme-child-file) 2>/dev/null || echo denied"), "denied\n");
}

TEST(ChildProcess, OneThatIsNotThereIsTold) {
  const FileDescriptor input = memory_file("");
  const auto result = run_child({"/nowhere/program"}, input.get(), {}, [](std::string_view) { return Status(); });
  EXPECT_EQ(result.status().code(), StatusCode::kIo);
}

TEST(ChildProcess, OnlyFullPathsAreLookedIn) {
  EXPECT_EQ(find_program("no-such-program-of-anybody"), "");
  EXPECT_TRUE(find_program("sh").starts_with('/'));
}

}  // namespace
}  // namespace mneme::readers

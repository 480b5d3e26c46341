#include "base/file_descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>

namespace mneme {
namespace {

int open_something() {
  return ::open("/dev/null", O_RDONLY | O_CLOEXEC);
}
bool is_open(int fd) {
  return ::fcntl(fd, F_GETFD) != -1;
}

TEST(FileDescriptor, ClosesWhenItGoes) {
  int fd = -1;
  {
    const FileDescriptor file(open_something());
    ASSERT_TRUE(file.is_open());
    fd = file.get();
    EXPECT_TRUE(is_open(fd));
  }
  EXPECT_FALSE(is_open(fd));
}

TEST(FileDescriptor, HasOneOwner) {
  FileDescriptor first(open_something());
  const int fd = first.get();
  FileDescriptor second(std::move(first));
  EXPECT_FALSE(first.is_open());  // NOLINT(bugprone-use-after-move): what moving leaves is the point
  EXPECT_EQ(second.get(), fd);

  FileDescriptor third(open_something());
  const int replaced = third.get();
  third = std::move(second);
  EXPECT_FALSE(is_open(replaced));
  EXPECT_TRUE(is_open(fd));
  third.reset();
  EXPECT_FALSE(third.is_open());
  EXPECT_FALSE(is_open(fd));
}

TEST(FileDescriptor, OfAFailureHoldsNothing) {
  const FileDescriptor file(::open("/no/such/file", O_RDONLY | O_CLOEXEC));
  EXPECT_FALSE(file.is_open());
}

}  // namespace
}  // namespace mneme

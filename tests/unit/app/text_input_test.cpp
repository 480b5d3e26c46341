// Lines of a conversation, however long they are.
#include "app/text_input.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "tests/support/process_folder.h"

namespace mneme::app {
namespace {

TEST(ReadLineTest, GivesLineAfterLine) {
  std::istringstream in("one\n\nthree");
  EXPECT_EQ(*read_line(in, 10, never_cancelled()), "one");
  EXPECT_EQ(*read_line(in, 10, never_cancelled()), "");
  EXPECT_EQ(*read_line(in, 10, never_cancelled()), "three") << "the last one needs no end";
  EXPECT_EQ(*read_line(in, 10, never_cancelled()), std::nullopt);
}

TEST(ReadLineTest, OneThatIsTooLongIsPassedOver) {
  std::istringstream in(std::string(100, 'x') + "\nfits fits\n");
  const auto refused = read_line(in, 9, never_cancelled());
  EXPECT_EQ(refused.status().code(), StatusCode::kResource);
  EXPECT_NE(refused.status().message().find("more than 9 bytes"), std::string::npos) << refused.status().message();
  EXPECT_EQ(*read_line(in, 9, never_cancelled()), "fits fits");
}

TEST(ReadLineTest, EndsWhereItIsCancelled) {
  CancelToken cancel;
  cancel.cancel();
  std::istringstream in("one\n");
  EXPECT_EQ(*read_line(in, 10, cancel), std::nullopt);
}

TEST(ReadFileOrPipeTest, WaitsForAPipe) {
  const std::string pipe = test::process_folder() + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << "sesame\n"; });
  const auto text = read_file_or_pipe(pipe, 100);
  writer.join();
  ASSERT_TRUE(text.ok()) << text.status().message();
  EXPECT_EQ(*text, "sesame\n");
  EXPECT_EQ(read_file_or_pipe(pipe + "-not-there", 100).status().code(), StatusCode::kNotFound);
  std::ofstream(pipe + ".txt") << std::string(101, 'x');
  EXPECT_EQ(read_file_or_pipe(pipe + ".txt", 100).status().code(), StatusCode::kResource);
}

}  // namespace
}  // namespace mneme::app

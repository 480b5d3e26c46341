// Files that commands write where the user says.
#include "app/output/output_path.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "base/file_descriptor.h"

namespace mneme::app {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class OutputFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = fs::temp_directory_path() / "mneme-output-XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  fs::path folder_;
};

TEST_F(OutputFileTest, TakesThePlaceOfAFile) {
  const fs::path file = folder_ / "trace.json";
  EXPECT_TRUE(write_output_file(file, "one").ok());
  EXPECT_TRUE(write_output_file(file, "two").ok());
  EXPECT_EQ(content_of(file), "two");
}

// A device is not replaced by a file (which an administrator's rights would allow), nor a link by what it leads to.
TEST_F(OutputFileTest, WritesToWhatIsNoFileAndLeavesItThere) {
  const fs::path link = folder_ / "link.json";
  fs::create_symlink("target.json", link);
  EXPECT_TRUE(write_output_file(link, "one").ok());
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(content_of(folder_ / "target.json"), "one");
  const fs::path device = folder_ / "full";
  fs::create_symlink("/dev/full", device);
  EXPECT_EQ(write_output_file(device, "one").code(), StatusCode::kNoSpace);
  EXPECT_TRUE(fs::is_symlink(device));
  EXPECT_TRUE(fs::is_character_file(device));
}

// To open it for writing would wait for a reader, through every Ctrl-C.
TEST_F(OutputFileTest, APipeThatNobodyReadsIsAnError) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const Status status = write_output_file(pipe, "one");
  EXPECT_EQ(status.code(), StatusCode::kIo);
  EXPECT_NE(status.message().find("nobody reads it"), std::string::npos) << status.message();
  const FileDescriptor reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  EXPECT_TRUE(write_output_file(pipe, "two").ok());
  char got[8] = {};
  EXPECT_EQ(::read(reader.get(), got, sizeof got), 3);
  EXPECT_STREQ(got, "two");
}

}  // namespace
}  // namespace mneme::app

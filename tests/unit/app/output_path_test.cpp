// Files that commands write where the user says.
#include "app/output/output_path.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

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

}  // namespace
}  // namespace mneme::app

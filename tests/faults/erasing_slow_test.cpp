// Many files erased at once share their syncs: cut off at any call, each is whole or gone, and none goes before its
// bytes are overwritten; what cannot be synced with the others is synced by itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "storage/env/atomic_write.h"
#include "storage/env/temporary_file.h"
#include "tests/faults/child.h"

namespace mneme::faults {
namespace {

namespace fs = std::filesystem;

constexpr int kFiles = 24;
const std::string kText = "what is to be forgotten";

class ErasingTest : public ::testing::Test {
 protected:
  void SetUp() override { folder_ = scratch_folder("erasing"); }
  void TearDown() override { fs::remove_all(folder_); }

  // Each with a second name, under which its bytes can be seen when it is gone.
  void make() {
    fs::remove_all(folder_);
    paths_.clear();
    for (int i = 0; i < kFiles; ++i) {
      const std::string inside = std::to_string(i % 4) + "/" + std::to_string(i);
      for (const char* of : {"/files/", "/seconds/"})
        fs::create_directories(fs::path(folder_ + of + inside).parent_path());
      paths_.push_back(folder_ + "/files/" + inside);
      std::ofstream(paths_.back()) << kText;
      fs::create_hard_link(paths_.back(), second(paths_.back()));
    }
  }
  std::string second(const std::string& path) const {
    return folder_ + "/seconds" + path.substr(folder_.size() + std::string("/files").size());
  }
  static std::string content(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static bool is_overwritten(const std::string& path) {
    const std::string bytes = content(path);
    return bytes.size() == kText.size() && std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == 0; });
  }
  int names_left() const {
    const auto files = fs::recursive_directory_iterator(folder_ + "/files");
    return static_cast<int>(std::count_if(begin(files), end(files), [](const auto& e) { return e.is_regular_file(); }));
  }
  Ending erase(Fault fault, int64_t n) const {
    return run_in_child(fault, n, folder_ + "/files",
                        [&] { return storage::erase_atomically(storage::FileEnv::posix(), paths_); });
  }

  std::string folder_;
  std::vector<std::string> paths_;
};

TEST_F(ErasingTest, CutOffAtAnyCallEachIsWholeOrGone) {
  make();
  const Ending whole = erase(Fault::kKill, -1);
  ASSERT_TRUE(whole.ok) << whole.message;
  EXPECT_EQ(names_left(), 0);
  // A rename, a write and a removal each. Fewer syncs than files: one of the folders, one of what was overwritten.
  EXPECT_GE(whole.calls, 3 * kFiles + 2);
  EXPECT_LE(whole.calls, 3 * kFiles + 2 * 4);
  for (int64_t at = 0; at < whole.calls; ++at) {
    make();
    EXPECT_NE(erase(Fault::kKill, at).signal, 0) << at;
    for (const std::string& path : paths_) {
      const bool whole_or_gone = !fs::exists(path) || content(path) == kText;
      EXPECT_TRUE(whole_or_gone) << path << " after " << at;
    }
    // What is gone altogether had been overwritten before the first name went.
    if (names_left() == kFiles) continue;
    for (const std::string& path : paths_) EXPECT_TRUE(is_overwritten(second(path))) << path << " after " << at;
  }
}

TEST_F(ErasingTest, ACallThatFailsCostsAtMostItsFile) {
  make();
  const int64_t calls = erase(Fault::kKill, -1).calls;
  for (int64_t at = 0; at < calls; ++at) {
    make();
    const Ending ending = erase(Fault::kIoError, at);
    EXPECT_TRUE(ending.reached) << at;
    int left = 0;
    for (const std::string& path : paths_) left += is_overwritten(second(path)) ? 0 : 1;
    EXPECT_LE(left, 1) << at << ": " << ending.message;
    EXPECT_LE(names_left(), 1) << at << ": " << ending.message;
    EXPECT_FALSE(ending.ok && left + names_left() > 0) << at << ": what was not done is told";
  }
}

}  // namespace
}  // namespace mneme::faults

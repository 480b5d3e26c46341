// What a control group leaves, of either version, as the system tells it in files.
#include "base/control_group.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace mneme {
namespace {

class ControlGroupTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = std::filesystem::temp_directory_path() / "mneme-group-XXXXXX";
    root_ = mkdtemp(name.data());
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }
  void write_group(const std::string& folder, const std::string& limit, const std::string& usage) const {
    write(folder + "/memory.max", limit + "\n");
    write(folder + "/memory.current", usage + "\n");
    write(folder + "/memory.stat", "anon 7\nfile 300\ninactive_file 100\nactive_file 50\nslab 9\n");
  }
  std::string root_;
};

TEST_F(ControlGroupTest, WithoutALimitNothingIsSaid) {
  EXPECT_EQ(control_group_free_bytes(root_), std::nullopt);
  write("/proc/self/cgroup", "0::/user.slice/a.scope\nnonsense\n3:\n");
  EXPECT_EQ(control_group_free_bytes(root_), std::nullopt);
  write_group("/sys/fs/cgroup/user.slice/a.scope", "max", "500");
  EXPECT_EQ(control_group_free_bytes(root_), std::nullopt);
}

TEST_F(ControlGroupTest, TheTightestGroupCountsAndFileCacheIsFree) {
  write("/proc/self/cgroup", "0::/user.slice/a.scope\n");
  write_group("/sys/fs/cgroup/user.slice/a.scope", "2000", "500");
  EXPECT_EQ(control_group_free_bytes(root_), 2000u - 500 + 150);
  write_group("/sys/fs/cgroup/user.slice", "1000", "600");
  EXPECT_EQ(control_group_free_bytes(root_), 1000u - 600 + 150);
  write_group("/sys/fs/cgroup/user.slice", "1000", "5000");
  EXPECT_EQ(control_group_free_bytes(root_), 0u);
}

// Its own group is the topmost that it sees, under whatever path outside.
TEST_F(ControlGroupTest, AContainerSeesItsGroupAtTheTop) {
  write("/proc/self/cgroup", "0::/docker/0123\n");
  write_group("/sys/fs/cgroup", "2000", "500");
  EXPECT_EQ(control_group_free_bytes(root_), 2000u - 500 + 150);
}

TEST_F(ControlGroupTest, TheFirstVersionIsReadToo) {
  write("/proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/box\n1:cpuset:/\n0::/\n");
  write("/sys/fs/cgroup/memory/box/memory.limit_in_bytes", "2000\n");
  write("/sys/fs/cgroup/memory/box/memory.usage_in_bytes", "500\n");
  write("/sys/fs/cgroup/memory/box/memory.stat", "inactive_file 1\ntotal_inactive_file 100\ntotal_active_file 50\n");
  write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("/sys/fs/cgroup/memory/memory.usage_in_bytes", "123456\n");
  EXPECT_EQ(control_group_free_bytes(root_), 2000u - 500 + 150);
}

}  // namespace
}  // namespace mneme

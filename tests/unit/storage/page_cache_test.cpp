// Measurements that ask for a cold cache begin without one.
#include "storage/env/page_cache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "base/file_descriptor.h"
#include "temporary_home.h"

namespace mneme::storage {
namespace {

constexpr size_t kBytes = size_t{1} << 20;

// How many pages of a file of kBytes lie in memory; -1 where the system does not tell.
int resident_pages(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  void* const mapped = ::mmap(nullptr, kBytes, PROT_READ, MAP_SHARED, file.get(), 0);
  if (mapped == MAP_FAILED) return -1;
  std::vector<unsigned char> pages(kBytes / static_cast<size_t>(::sysconf(_SC_PAGESIZE)));
  const int status = ::mincore(mapped, kBytes, pages.data());
  ::munmap(mapped, kBytes);
  if (status != 0) return -1;
  int n = 0;
  for (const unsigned char page : pages) n += page & 1;
  return n;
}

bool is_in_memory(const std::string& folder) {
  constexpr long kTmpfs = 0x01021994;
  constexpr long kOverlay = 0x794c7630;
  struct statfs system{};
  return ::statfs(folder.c_str(), &system) != 0 || system.f_type == kTmpfs || system.f_type == kOverlay;
}

TEST(PageCacheTest, FilesBelowAFolderLeaveTheMemory) {
  const TemporaryHome home;
  if (is_in_memory(home.path())) GTEST_SKIP() << "the temporary folder lies on a file system that keeps its pages";
  std::filesystem::create_directories(home.path() + "/a/b");
  const std::string path = home.path() + "/a/b/file";
  std::ofstream(path) << std::string(kBytes, 'x');  // not on the disk yet
  if (resident_pages(path) <= 0) GTEST_SKIP() << "the system does not tell what lies in memory";
  ASSERT_TRUE(drop_cached_pages(home.path()).ok());
  EXPECT_EQ(resident_pages(path), 0);
  std::ifstream again(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(again), {}), std::string(kBytes, 'x'));
}

TEST(PageCacheTest, WhatIsNotThereOrNoFileIsPassedOver) {
  const TemporaryHome home;
  EXPECT_TRUE(drop_cached_pages(home.path() + "/absent").ok());
  std::filesystem::create_symlink("/dev/zero", home.path() + "/link");
  ASSERT_EQ(::mkfifo((home.path() + "/pipe").c_str(), 0600), 0);
  EXPECT_TRUE(drop_cached_pages(home.path()).ok());  // and does not wait for a writer
}

}  // namespace
}  // namespace mneme::storage

#include "rag/indexing/kernel_folders.h"

#include <sys/sysmacros.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <sstream>
#include <string>

#include "rag/indexing/mounts.h"

namespace mneme::rag {
namespace {

constexpr std::string_view kKinds[] = {"proc",       "sysfs",    "cgroup",      "cgroup2", "debugfs",  "tracefs",
                                       "securityfs", "configfs", "bpf",         "pstore",  "devpts",   "mqueue",
                                       "efivarfs",   "fusectl",  "binfmt_misc", "nsfs",    "selinuxfs"};

// "40 22 0:21 / /proc rw shared:5 - proc proc rw": the device is the third field, the kind stands behind the dash.
bool is_of_kernel(const std::string& line) {
  const size_t dash = line.find(" - ");
  if (dash == std::string::npos) return false;
  const std::string kind = line.substr(dash + 3, line.find(' ', dash + 3) - dash - 3);
  return std::find(std::begin(kKinds), std::end(kKinds), kind) != std::end(kKinds);
}

}  // namespace

KernelFolders::KernelFolders() : KernelFolders(read_mountinfo()) {}

KernelFolders::KernelFolders(std::string_view mountinfo) {
  std::istringstream lines{std::string(mountinfo)};
  for (std::string line; std::getline(lines, line);) {
    unsigned int major = 0;
    unsigned int minor = 0;
    if (is_of_kernel(line) && std::sscanf(line.c_str(), "%*d %*d %u:%u", &major, &minor) == 2)
      devices_.insert(::makedev(major, minor));
  }
}

}  // namespace mneme::rag

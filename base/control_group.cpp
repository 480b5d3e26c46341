#include "base/control_group.h"

#include <algorithm>
#include <fstream>
#include <string_view>

namespace mneme {
namespace {

// Where a version of cgroups has what.
struct Version {
  const char* mount;
  const char* limit;
  const char* usage;
  const char* cached[2];  // of memory.stat: with what lies in groups below
};
constexpr Version kSecond = {"/sys/fs/cgroup", "/memory.max", "/memory.current", {"inactive_file", "active_file"}};
constexpr Version kFirst = {"/sys/fs/cgroup/memory",
                            "/memory.limit_in_bytes",
                            "/memory.usage_in_bytes",
                            {"total_inactive_file", "total_active_file"}};

// "max" is no number, and so no limit.
std::optional<uint64_t> read_number(const std::string& path) {
  std::ifstream file(path);
  uint64_t value = 0;
  return file >> value ? std::optional(value) : std::nullopt;
}

uint64_t cached_bytes(const std::string& group, const Version& version) {
  std::ifstream file(group + "/memory.stat");
  uint64_t total = 0;
  uint64_t value = 0;
  for (std::string name; file >> name >> value;) {
    if (name == version.cached[0] || name == version.cached[1]) total += value;
  }
  return total;
}

std::optional<uint64_t> smaller(std::optional<uint64_t> a, std::optional<uint64_t> b) {
  return a && b ? std::min(a, b) : a ? a : b;
}

std::optional<uint64_t> free_of_group(const std::string& group, const Version& version) {
  const std::optional<uint64_t> limit = read_number(group + version.limit);
  const std::optional<uint64_t> usage = read_number(group + version.usage);
  if (!limit || !usage) return std::nullopt;
  const uint64_t taken = *usage - std::min(*usage, cached_bytes(group, version));
  return *limit - std::min(*limit, taken);
}

// The group and those it lies in. A container may see its own group as the topmost one, and yet be told its full path.
std::optional<uint64_t> free_of_groups(const std::string& root, std::string path, const Version& version) {
  std::optional<uint64_t> least = free_of_group(root + version.mount, version);
  for (; path.size() > 1; path.resize(path.rfind('/'))) {
    least = smaller(least, free_of_group(root + version.mount + path, version));
  }
  return least;
}

bool names_memory(std::string_view controllers) {
  return ("," + std::string(controllers) + ",").find(",memory,") != std::string::npos;
}

}  // namespace

// Lines of /proc/self/cgroup: "4:cpu,memory:/path" of the first version, "0::/path" of the second.
std::optional<uint64_t> control_group_free_bytes(const std::string& root) {
  std::ifstream file(root + "/proc/self/cgroup");
  std::optional<uint64_t> least;
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos || line.size() == second + 1 || line[second + 1] != '/') continue;
    const std::string_view controllers = std::string_view(line).substr(first + 1, second - first - 1);
    if (controllers.empty()) least = smaller(least, free_of_groups(root, line.substr(second + 1), kSecond));
    if (names_memory(controllers)) least = smaller(least, free_of_groups(root, line.substr(second + 1), kFirst));
  }
  return least;
}

}  // namespace mneme

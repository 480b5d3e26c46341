#include "base/memory_limit.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>

#include "base/control_group.h"

namespace mneme {
namespace {

// "Name:   1234 kB" of a file in /proc, in bytes.
std::optional<uint64_t> read_size(const char* file, const std::string& name) {
  std::ifstream stream(file);
  for (std::string word; stream >> word;) {
    uint64_t kib = 0;
    if (word == name && stream >> kib) return kib * 1024;
    stream.ignore(4096, '\n');
  }
  return std::nullopt;
}

uint64_t free_of_system() {
  if (const auto available = read_size("/proc/meminfo", "MemAvailable:")) return *available;
  const long pages = ::sysconf(_SC_AVPHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && page_bytes > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_bytes) : 0;
}

}  // namespace

uint64_t taken_memory_bytes() {
  return read_size("/proc/self/status", "VmData:").value_or(0);
}

Status limit_memory(uint64_t n_bytes) {
  const uint64_t taken = taken_memory_bytes();
  if (n_bytes <= taken) {
    return usage_error("a ceiling of " + std::to_string(n_bytes >> 20) + " MiB is less than the " +
                       std::to_string(taken >> 20) + " MiB that the program takes to start; allow more");
  }
  rlimit limit{};
  ::getrlimit(RLIMIT_DATA, &limit);
  limit.rlim_cur = std::min<rlim_t>(n_bytes, limit.rlim_max);
  if (::setrlimit(RLIMIT_DATA, &limit) == 0) return {};
  return io_error("the system refuses a ceiling of " + std::to_string(n_bytes >> 20) +
                  " MiB on memory: " + std::strerror(errno) + "; run without one");
}

uint64_t available_memory_bytes() {
  uint64_t free = free_of_system();
  if (const auto of_group = control_group_free_bytes()) free = std::min(free, *of_group);
  rlimit limit{};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return free;
  const uint64_t ceiling = limit.rlim_cur;
  return std::min(free, ceiling - std::min(ceiling, taken_memory_bytes()));
}

}  // namespace mneme

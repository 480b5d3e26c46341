#include "storage/env/temporary_file.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <vector>

#include "base/wall_clock.h"

namespace mneme::storage {
namespace {

constexpr int64_t kAbandonedNs = 3600ll * 1'000'000'000;
// Written so far in the future, a file is of a time when the clock was wrong. Clocks of machines differ by less.
constexpr int64_t kWrongClockNs = 24 * kAbandonedNs;

}  // namespace

std::string temporary_name(const std::string& path) {
  static std::atomic<uint64_t> number{0};
  return path + std::string(kTemporaryMark) + std::to_string(::getpid()) + "-" + std::to_string(++number);
}

bool is_temporary(std::string_view path) {
  return path.substr(path.rfind('/') + 1).find(kTemporaryMark) != std::string_view::npos;
}

std::string_view lasting_name(std::string_view name) {
  return name.substr(0, name.find(kTemporaryMark));
}

bool is_left_by_the_dead(std::string_view path) {
  if (!is_temporary(path)) return false;
  const char* const begin = path.data() + path.rfind(kTemporaryMark) + kTemporaryMark.size();
  pid_t writer = 0;
  const auto [end, error] = std::from_chars(begin, path.data() + path.size(), writer);
  return error == std::errc() && end != begin && writer > 0 && ::kill(writer, 0) != 0 && errno == ESRCH;
}

bool is_abandoned(const std::string& path, const FileStat& stat) {
  const int64_t now = now_ns();
  const bool is_old = stat.mtime_ns < now - kAbandonedNs || stat.mtime_ns > now + kWrongClockNs;
  return is_temporary(path) && is_old;
}

Status erase_abandoned(FileEnv& env, const std::string& folder,
                       const std::function<bool(std::string_view name)>& is_ours) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::string> names, env.list(folder));
  for (const std::string& name : names) {
    if (!is_temporary(name) || (is_ours && !is_ours(lasting_name(name)))) continue;
    const std::string path = folder + "/" + name;
    const Result<FileStat> stat = env.stat(path);
    if (stat.ok() && is_abandoned(path, *stat)) (void)env.erase(path);
  }
  return {};
}

}  // namespace mneme::storage

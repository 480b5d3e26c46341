#include "rag/readers/process/child_streams.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

namespace mneme::readers {
namespace {

using Clock = std::chrono::steady_clock;

// Reads what is there; false at the end of the stream.
bool read_some(int fd, std::array<char, 65536>& buffer, std::string_view& got) {
  const ssize_t count = ::read(fd, buffer.data(), buffer.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) {
    got = {};
    return true;
  }
  got = std::string_view(buffer.data(), count > 0 ? static_cast<size_t>(count) : 0);
  return count > 0;
}

}  // namespace

Status drain(int output, int errors, const ChildLimits& limits,
             const std::function<Status(std::string_view)>& on_output, ChildResult& result) {
  constexpr size_t kMostErrors = 4096;
  const Clock::time_point deadline = Clock::now() + limits.time;
  std::array<pollfd, 2> streams{pollfd{output, POLLIN, 0}, pollfd{errors, POLLIN, 0}};
  std::array<char, 65536> buffer;
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    if (limits.cancel && limits.cancel->cancelled()) return cancelled();
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) {
      result.timed_out = true;
      return {};
    }
    const int ready = ::poll(streams.data(), streams.size(), static_cast<int>(std::min<int64_t>(left, 100)));
    if (ready < 0 && errno != EINTR) return errno_error("wait for", "a child process", errno);
    for (pollfd& stream : streams) {
      if (ready <= 0 || stream.fd < 0 || stream.revents == 0) continue;
      std::string_view got;
      const bool is_output = stream.fd == output;
      if (!read_some(stream.fd, buffer, got)) stream.fd = -1;
      if (is_output && !got.empty()) MNEME_RETURN_IF_ERROR(on_output(got));
      if (!is_output) result.errors.append(got.substr(0, kMostErrors - std::min(kMostErrors, result.errors.size())));
    }
  }
  return {};
}

}  // namespace mneme::readers

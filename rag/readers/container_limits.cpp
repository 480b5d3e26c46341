#include "rag/readers/container_limits.h"

#include <algorithm>
#include <limits>

namespace mneme::readers {
namespace {

// Logs and source code are packed to a thirtieth; what is packed to a thousandth is a bomb.
constexpr uint64_t kUnpackedRatio = 50;
constexpr uint64_t kLeastMemberBytes = 512;  // a block of a tar file
constexpr uint64_t kSlowestBytesPerSecond = uint64_t{512} << 10;
constexpr int kOcrTimes = 10;

}  // namespace

uint64_t unpacked_bytes_of(const ReadLimits& limits, uint64_t size_bytes) {
  const bool fits = size_bytes <= std::numeric_limits<uint64_t>::max() / kUnpackedRatio;
  return std::max(limits.unpacked_bytes, fits ? size_bytes * kUnpackedRatio : std::numeric_limits<uint64_t>::max());
}

uint64_t members_of(const ReadLimits& limits, uint64_t size_bytes) {
  return std::max(static_cast<uint64_t>(std::max(0, limits.members)), size_bytes / kLeastMemberBytes);
}

std::chrono::milliseconds time_of_member(const ReadLimits& limits) {
  return limits.time * (limits.ocr ? kOcrTimes : 1);
}

std::chrono::milliseconds time_of_container(const ReadLimits& limits, uint64_t size_bytes) {
  const auto seconds = std::chrono::seconds(size_bytes / kSlowestBytesPerSecond);
  return time_of_member(limits) + seconds * (limits.ocr ? kOcrTimes : 1);
}

}  // namespace mneme::readers

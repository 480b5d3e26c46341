#include "rag/indexing/mounts.h"

#include <sys/statfs.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"

namespace mneme::rag {
namespace {

namespace fs = std::filesystem;

constexpr size_t kOctalDigits = 3;
constexpr const char* kUuids = "/dev/disk/by-uuid";

// Blanks and backslashes are written as "\040".
std::string without_escapes(std::string_view text) {
  const auto is_octal = [](char c) { return c >= '0' && c <= '7'; };
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view digits = text.substr(i + 1, kOctalDigits);
    if (text[i] != '\\' || digits.size() < kOctalDigits || !std::all_of(digits.begin(), digits.end(), is_octal)) {
      plain += text[i];
      continue;
    }
    plain += static_cast<char>((digits[0] - '0') * 64 + (digits[1] - '0') * 8 + (digits[2] - '0'));
    i += kOctalDigits;
  }
  return plain;
}

// "40 22 8:17 / /media/disk rw shared:5 - vfat /dev/sdb1 rw"
bool parse_line(const std::string& line, Mount& mount) {
  std::istringstream fields(line);
  std::string skipped;
  std::string inner_root;
  std::string point;
  fields >> skipped >> skipped >> skipped >> inner_root >> point;
  if (!fields) return false;
  const size_t dash = line.find(" - ");
  std::string kind;
  std::string source;
  if (dash != std::string::npos) std::istringstream(line.substr(dash + 3)) >> kind >> source;
  mount = {without_escapes(point), without_escapes(source), without_escapes(inner_root)};
  return mount.point.size() > 1;
}

// Empty where the system does not tell.
std::string uuid_of(const std::string& device) {
  std::error_code error;
  const fs::path wanted = fs::canonical(device, error);
  if (error) return {};
  for (fs::directory_iterator entry(kUuids, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code unresolved;
    if (fs::canonical(entry->path(), unresolved) == wanted && !unresolved) return entry->path().filename().string();
  }
  return {};
}

// Of some kinds made from the UUID, of others from the device's number. Only for drives of this machine: asking a
// server that does not answer takes for ever.
std::string file_system_id(const std::string& point) {
  struct statfs s = {};
  if (::statfs(point.c_str(), &s) != 0) return {};
  uint64_t id = 0;
  static_assert(sizeof s.f_fsid == sizeof id);
  std::memcpy(&id, &s.f_fsid, sizeof id);
  return id == 0 ? std::string() : std::to_string(id);
}

}  // namespace

std::string read_mountinfo() {
  std::ifstream file("/proc/self/mountinfo", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Mount> parse_mounts(std::string_view mountinfo) {
  std::vector<Mount> mounts;
  std::istringstream lines{std::string(mountinfo)};
  for (std::string line; std::getline(lines, line);) {
    Mount mount;
    if (!parse_line(line, mount)) continue;
    const auto below =
        std::find_if(mounts.begin(), mounts.end(), [&](const Mount& m) { return m.point == mount.point; });
    if (below == mounts.end()) {
      mounts.push_back(std::move(mount));
    } else {
      *below = std::move(mount);
    }
  }
  return mounts;
}

std::string drive_of(const Mount& mount) {
  std::string name = mount.source;
  if (name.starts_with("/dev/")) {
    const std::string uuid = uuid_of(name);
    const std::string id = uuid.empty() ? file_system_id(mount.point) : uuid;
    if (!id.empty()) name = id;
  }
  return xxh3_128(as_bytes(name + '\n' + mount.inner_root)).hex();
}

}  // namespace mneme::rag

#include "rag/indexing/drives.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "base/bytes.h"
#include "base/hash.h"
#include "rag/text/documents/path_names.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKeyPrefix = "drive.";
constexpr int kMountPointField = 5;  // from 1
constexpr size_t kOctalDigits = 3;

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

std::string key_of(const std::string& folder) {
  return std::string(kKeyPrefix) + xxh3_128(as_bytes(folder)).hex();
}

// Keys of the folders that hold the path, itself included: its drive, if it has one, is among them.
void add_keys_above(const std::string& path, std::set<std::string>& folders, std::set<std::string>& keys) {
  for (fs::path place(path); place.has_relative_path(); place = place.parent_path()) {
    if (!folders.insert(place.string()).second) return;
    keys.insert(key_of(place.string()));
  }
}

// Keys of every folder that holds a root or a document, but for those at or below `path`.
Result<std::set<std::string>> keys_needed_without(storage::Catalogue& catalogue, const std::string& path,
                                                  storage::Catalogue::Members members) {
  const auto goes = [&](const std::string& other) {
    const bool is_member = other.starts_with(path + std::string(kMemberMark));
    return lies_in(other, path) && (!is_member || members == storage::Catalogue::Members::kIncluded);
  };
  std::set<std::string> folders;
  std::set<std::string> keys;
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::CollectionRecord> collections, catalogue.list_collections());
  for (const storage::CollectionRecord& collection : collections) {
    MNEME_ASSIGN_OR_RETURN(const std::vector<std::string> roots, catalogue.roots(collection.id));
    for (const std::string& root : roots) {
      if (!goes(root)) add_keys_above(root, folders, keys);
    }
    MNEME_ASSIGN_OR_RETURN(const std::vector<storage::DocumentState> states, catalogue.document_states(collection.id));
    for (const storage::DocumentState& state : states) {
      if (!goes(state.path)) add_keys_above(fs::path(state.path).parent_path().string(), folders, keys);
    }
  }
  return keys;
}

bool has_something(const std::string& folder) {
  std::error_code error;
  return fs::exists(folder, error) && !fs::is_empty(folder, error) && !error;
}

// Which folders hold an absent drive, each asked once.
class AbsentDrives {
 public:
  AbsentDrives(storage::Catalogue& catalogue, const std::vector<std::string>& mounted)
      : catalogue_(catalogue), mounted_(mounted.begin(), mounted.end()) {}

  // The folder, or one above it, where a drive is missing; empty where none is.
  Result<std::string> above(const std::string& folder) {
    for (fs::path place(folder); place.has_relative_path(); place = place.parent_path()) {
      MNEME_ASSIGN_OR_RETURN(const bool absent, is_absent(place.string()));
      if (absent) return place.string();
    }
    return std::string();
  }

 private:
  Result<bool> is_absent(const std::string& folder) {
    const auto [known, is_new] = known_.emplace(folder, false);
    if (!is_new) return known->second;
    MNEME_ASSIGN_OR_RETURN(const std::optional<std::string> was_drive, catalogue_.setting(key_of(folder)));
    known->second = was_drive.has_value() && !mounted_.contains(folder) && !has_something(folder);
    return known->second;
  }

  storage::Catalogue& catalogue_;
  const std::set<std::string> mounted_;
  std::map<std::string, bool> known_;
};

}  // namespace

std::vector<std::string> parse_mount_points(std::string_view mountinfo) {
  std::vector<std::string> points;
  std::istringstream lines{std::string(mountinfo)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string field;
    for (int i = 0; i < kMountPointField && fields; ++i) fields >> field;
    if (fields && field.size() > 1) points.push_back(without_escapes(field));
  }
  return points;
}

std::string read_mountinfo() {
  std::ifstream file("/proc/self/mountinfo", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> mount_points() {
  return parse_mount_points(read_mountinfo());
}

Status remember_drives(storage::Catalogue& catalogue, const std::vector<std::string>& mounted,
                       const std::vector<std::string>& roots) {
  for (const std::string& point : mounted) {
    const bool touched = std::any_of(roots.begin(), roots.end(), [&](const std::string& root) {
      return lies_in(root, point) || lies_in(point, root);
    });
    if (!touched) continue;
    MNEME_ASSIGN_OR_RETURN(const std::optional<std::string> known, catalogue.setting(key_of(point)));
    if (!known) MNEME_RETURN_IF_ERROR(catalogue.put_setting(key_of(point), "true"));
  }
  return {};
}

Status forget_drives(storage::Catalogue& catalogue, const std::string& path, storage::Catalogue::Members members) {
  MNEME_ASSIGN_OR_RETURN(const auto drives, catalogue.settings(kKeyPrefix));
  if (drives.empty()) return {};
  MNEME_ASSIGN_OR_RETURN(const std::set<std::string> needed, keys_needed_without(catalogue, path, members));
  for (const auto& [key, value] : drives) {
    if (!needed.contains(key)) MNEME_RETURN_IF_ERROR(catalogue.remove_setting(key));
  }
  return {};
}

Result<std::vector<std::string>> take_out_absent_drives(storage::Catalogue& catalogue,
                                                        const std::vector<std::string>& mounted,
                                                        std::vector<storage::DocumentState>& missing) {
  AbsentDrives drives(catalogue, mounted);
  std::set<std::string> absent;
  std::vector<storage::DocumentState> gone;
  for (storage::DocumentState& state : missing) {
    MNEME_ASSIGN_OR_RETURN(const std::string drive, drives.above(fs::path(state.path).parent_path().string()));
    if (drive.empty()) {
      gone.push_back(std::move(state));
    } else {
      absent.insert(drive);
    }
  }
  missing = std::move(gone);
  return std::vector<std::string>(absent.begin(), absent.end());
}

}  // namespace mneme::rag

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
#include "rag/indexing/failed_files.h"
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
  AbsentDrives(storage::Catalogue& catalogue, const std::vector<std::string>& mounted,
               const std::vector<storage::DocumentState>& missing)
      : catalogue_(catalogue), mounted_(mounted.begin(), mounted.end()), missing_(missing) {}

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
    if (!was_drive.has_value() || mounted_.contains(folder)) return false;
    bool absent = !has_something(folder);
    if (!absent) {
      MNEME_ASSIGN_OR_RETURN(absent, most_is_missing(folder));
    }
    known_[folder] = absent;
    return absent;
  }

  // A file or two that were written to the mount point while nothing was mounted are not the drive. Where most of what
  // was indexed there is there, people have put it into the folder itself.
  Result<bool> most_is_missing(const std::string& folder) {
    std::set<int64_t> missing;
    for (const storage::DocumentState& state : missing_) {
      if (lies_in(state.path, folder)) missing.insert(static_cast<int64_t>(state.id));
    }
    size_t n_there = 0;
    MNEME_ASSIGN_OR_RETURN(const std::vector<storage::CollectionRecord> collections, catalogue_.list_collections());
    for (const storage::CollectionRecord& collection : collections) {
      MNEME_ASSIGN_OR_RETURN(const std::vector<storage::DocumentState> states,
                             catalogue_.document_states(collection.id));
      n_there += static_cast<size_t>(std::count_if(states.begin(), states.end(), [&](const auto& state) {
        std::error_code error;
        return lies_in(state.path, folder) && !missing.contains(static_cast<int64_t>(state.id)) &&
               fs::exists(file_of_document(state.path), error);
      }));
    }
    return missing.size() > n_there;
  }

  storage::Catalogue& catalogue_;
  const std::set<std::string> mounted_;
  const std::vector<storage::DocumentState>& missing_;
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
  std::vector<std::string> drive_of;
  drive_of.reserve(missing.size());
  AbsentDrives drives(catalogue, mounted, missing);
  for (const storage::DocumentState& state : missing) {
    MNEME_ASSIGN_OR_RETURN(std::string drive, drives.above(fs::path(state.path).parent_path().string()));
    drive_of.push_back(std::move(drive));
  }
  std::vector<storage::DocumentState> gone;
  for (size_t i = 0; i < missing.size(); ++i) {
    if (drive_of[i].empty()) gone.push_back(std::move(missing[i]));
  }
  missing = std::move(gone);
  std::set<std::string> absent(drive_of.begin(), drive_of.end());
  absent.erase("");
  return std::vector<std::string>(absent.begin(), absent.end());
}

}  // namespace mneme::rag

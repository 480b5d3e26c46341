#include "rag/indexing/drives.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/wall_clock.h"
#include "rag/indexing/drive_history.h"
#include "rag/indexing/failed_files.h"
#include "rag/indexing/mounts.h"
#include "rag/text/documents/path_names.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKeyPrefix = "drive.";

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

bool exists(const storage::DocumentState& state) {
  std::error_code error;
  return fs::exists(file_of_document(state.path), error);
}

// The documents below the folder, of all collections.
Result<std::vector<storage::DocumentState>> documents_below(storage::Catalogue& catalogue, const std::string& folder) {
  std::vector<storage::DocumentState> below;
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::CollectionRecord> collections, catalogue.list_collections());
  for (const storage::CollectionRecord& collection : collections) {
    MNEME_ASSIGN_OR_RETURN(std::vector<storage::DocumentState> states,
                           catalogue.document_states(collection.id, folder));
    std::move(states.begin(), states.end(), std::back_inserter(below));
  }
  return below;
}

// Of the drive that was there when it was indexed.
Result<std::string> drive_of_document(storage::Catalogue& catalogue, const DriveHistory& history,
                                      storage::DocumentId id) {
  const Result<storage::DocumentRecord> record = catalogue.document(id);
  if (record.status().code() == StatusCode::kNotFound) return std::string();  // another program removed it meanwhile
  MNEME_RETURN_IF_ERROR(record.status());
  return history.at(record->indexed_ms);
}

// Which of the known drives one with an unknown name is: the one most of whose files are there, the one that was seen
// last where nothing is known of any. Empty: none, another drive was put in its place.
Result<std::string> recognise(storage::Catalogue& catalogue, const DriveHistory& history, const std::string& point) {
  std::map<std::string, int64_t> balance;  // files that are there, less those that are not
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::DocumentState> states, documents_below(catalogue, point));
  for (const storage::DocumentState& state : states) {
    MNEME_ASSIGN_OR_RETURN(const std::string drive, drive_of_document(catalogue, history, state.id));
    balance[drive] += exists(state) ? 1 : -1;
  }
  for (const std::string& drive : history.drives()) {
    if (balance[drive] > 0) return drive;
  }
  return balance[history.last()] == 0 ? history.last() : std::string();
}

// What was known of the place, and which drive is there now.
Result<DriveHistory> history_with(storage::Catalogue& catalogue, DriveHistory history, const DriveAt& here) {
  if (here.drive.empty() || history.last() == here.drive) return history;
  if (history.empty()) {
    history.add(0, here.drive);
    return history;
  }
  const std::vector<std::string> known = history.drives();
  if (std::find(known.begin(), known.end(), here.drive) == known.end()) {
    MNEME_ASSIGN_OR_RETURN(const std::string same, recognise(catalogue, history, here.point));
    if (!same.empty()) history.rename(same, here.drive);
  }
  if (history.last() != here.drive) history.add(now_ms(), here.drive);
  return history;
}

// Which missing documents lie on an absent drive, each folder asked once.
class AbsentDrives {
 public:
  AbsentDrives(storage::Catalogue& catalogue, const std::vector<DriveAt>& here,
               const std::vector<storage::DocumentState>& missing)
      : catalogue_(catalogue), missing_(missing) {
    for (const DriveAt& drive : here) mounted_.emplace(drive.point, drive.drive);
  }

  // The place where the document's drive is missing; nothing where none is.
  Result<std::optional<AbsentDrive>> of(const storage::DocumentState& state) {
    for (fs::path place = fs::path(state.path).parent_path(); place.has_relative_path(); place = place.parent_path()) {
      const std::string folder = place.string();
      MNEME_ASSIGN_OR_RETURN(const Place* known, look_at(folder));
      if (known->is_absent) return std::optional(AbsentDrive{folder, false});
      MNEME_ASSIGN_OR_RETURN(const bool is_of_another, is_of_another_drive(*known, state));
      if (is_of_another) return std::optional(AbsentDrive{folder, true});
    }
    return std::optional<AbsentDrive>();
  }

 private:
  struct Place {
    bool is_absent = false;  // a drive was mounted once, is not now, and its files are not there
    std::string drive{};     // that is mounted now; empty: not known
    DriveHistory history{};
  };

  Result<const Place*> look_at(const std::string& folder) {
    const auto [known, is_new] = known_.emplace(folder, Place());
    Place& place = known->second;
    if (!is_new) return &place;
    MNEME_ASSIGN_OR_RETURN(const std::optional<std::string> was_drive, catalogue_.setting(key_of(folder)));
    if (!was_drive.has_value()) return &place;
    if (const auto mounted = mounted_.find(folder); mounted != mounted_.end()) {
      place.drive = mounted->second;
      place.history = DriveHistory::parse(*was_drive);
      return &place;
    }
    place.is_absent = !has_something(folder);
    if (!place.is_absent) {
      MNEME_ASSIGN_OR_RETURN(place.is_absent, most_is_missing(folder));
    }
    return &place;
  }

  Result<bool> is_of_another_drive(const Place& place, const storage::DocumentState& state) {
    if (place.drive.empty() || place.history.drives().size() < 2) return false;
    MNEME_ASSIGN_OR_RETURN(const std::string drive, drive_of_document(catalogue_, place.history, state.id));
    return !drive.empty() && drive != place.drive;
  }

  // A file or two that were written to the mount point while nothing was mounted are not the drive. Where most of what
  // was indexed there is there, people have put it into the folder itself.
  Result<bool> most_is_missing(const std::string& folder) {
    std::set<int64_t> missing;
    for (const storage::DocumentState& state : missing_) {
      if (lies_in(state.path, folder)) missing.insert(static_cast<int64_t>(state.id));
    }
    MNEME_ASSIGN_OR_RETURN(const std::vector<storage::DocumentState> states, documents_below(catalogue_, folder));
    const auto n_there = std::count_if(states.begin(), states.end(), [&](const auto& state) {
      return !missing.contains(static_cast<int64_t>(state.id)) && exists(state);
    });
    return missing.size() > static_cast<size_t>(n_there);
  }

  storage::Catalogue& catalogue_;
  const std::vector<storage::DocumentState>& missing_;
  std::map<std::string, std::string> mounted_;  // drive by place
  std::map<std::string, Place> known_;
};

bool touches(const std::string& point, const std::vector<std::string>& roots) {
  return std::any_of(roots.begin(), roots.end(),
                     [&](const std::string& root) { return lies_in(root, point) || lies_in(point, root); });
}

}  // namespace

std::vector<DriveAt> drives_now(const std::vector<std::string>& roots) {
  std::vector<DriveAt> here;
  for (const Mount& mount : parse_mounts(read_mountinfo())) {
    if (touches(mount.point, roots)) here.push_back({mount.point, drive_of(mount)});
  }
  return here;
}

Status remember_drives(storage::Catalogue& catalogue, const std::vector<DriveAt>& here,
                       const std::vector<std::string>& roots) {
  for (const DriveAt& drive : here) {
    if (!touches(drive.point, roots)) continue;
    const std::string key = key_of(drive.point);
    MNEME_ASSIGN_OR_RETURN(const std::optional<std::string> known, catalogue.setting(key));
    MNEME_ASSIGN_OR_RETURN(const DriveHistory history,
                           history_with(catalogue, DriveHistory::parse(known.value_or("")), drive));
    const std::string json = history.to_json();
    if (known != json) MNEME_RETURN_IF_ERROR(catalogue.put_setting(key, json));
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

Result<std::vector<AbsentDrive>> take_out_absent_drives(storage::Catalogue& catalogue, const std::vector<DriveAt>& here,
                                                        std::vector<storage::DocumentState>& missing) {
  std::vector<std::optional<AbsentDrive>> drive_of;
  drive_of.reserve(missing.size());
  AbsentDrives drives(catalogue, here, missing);
  for (const storage::DocumentState& state : missing) {
    MNEME_ASSIGN_OR_RETURN(std::optional<AbsentDrive> drive, drives.of(state));
    drive_of.push_back(std::move(drive));
  }
  std::vector<storage::DocumentState> gone;
  std::map<std::string, bool> absent;
  for (size_t i = 0; i < missing.size(); ++i) {
    if (!drive_of[i].has_value()) {
      gone.push_back(std::move(missing[i]));
    } else {
      absent.emplace(drive_of[i]->folder, drive_of[i]->is_replaced);
    }
  }
  missing = std::move(gone);
  std::vector<AbsentDrive> told;
  told.reserve(absent.size());
  for (const auto& [folder, is_replaced] : absent) told.push_back({folder, is_replaced});
  return told;
}

}  // namespace mneme::rag

#include "rag/indexing/drive_history.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rag/saved_json.h"

namespace mneme::rag {
namespace {

using nlohmann::json;

constexpr size_t kMostEntries = 256;
const std::string kUnknown;

}  // namespace

DriveHistory DriveHistory::parse(std::string_view text) {
  const json saved = parse_saved_json(text);
  if (!saved.is_array()) return {};
  DriveHistory history;
  for (const json& one : saved) {
    if (!one.is_object()) return {};
    const auto since = one.find("since_ms");
    const auto drive = one.find("drive");
    if (since == one.end() || drive == one.end() || !since->is_number_integer() || !drive->is_string()) return {};
    history.entries_.push_back({since->get<int64_t>(), drive->get<std::string>()});
  }
  return history;
}

std::string DriveHistory::to_json() const {
  json list = json::array();
  for (const Entry& entry : entries_) list.push_back({{"since_ms", entry.since_ms}, {"drive", entry.drive}});
  return list.dump();
}

std::vector<std::string> DriveHistory::drives() const {
  std::vector<std::string> all;
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    if (std::find(all.begin(), all.end(), entry->drive) == all.end()) all.push_back(entry->drive);
  }
  return all;
}

const std::string& DriveHistory::last() const {
  return entries_.empty() ? kUnknown : entries_.back().drive;
}

// What is older than the first entry was indexed before drives were told apart: by the first.
const std::string& DriveHistory::at(int64_t ms) const {
  const std::string* drive = entries_.empty() ? &kUnknown : &entries_.front().drive;
  for (const Entry& entry : entries_) {
    if (entry.since_ms <= ms) drive = &entry.drive;
  }
  return *drive;
}

void DriveHistory::add(int64_t now_ms, const std::string& drive) {
  if (entries_.size() >= kMostEntries) entries_.erase(entries_.begin());
  entries_.push_back({now_ms, drive});
}

void DriveHistory::rename(const std::string& from, const std::string& to) {
  for (Entry& entry : entries_) {
    if (entry.drive == from) entry.drive = to;
  }
}

}  // namespace mneme::rag

#include "app/config/settings_record.h"

#include <map>
#include <optional>

#include <nlohmann/json.hpp>

namespace mneme::app {
namespace {

using nlohmann::json;
using Values = std::map<std::string, std::vector<std::string>>;

std::string joined(const Values& values, const std::string& key) {
  const auto found = values.find(key);
  std::string text;
  if (found == values.end()) return text;
  for (const std::string& one : found->second) text += (text.empty() ? "" : ", ") + one;
  return text;
}

std::optional<Values> read_record(std::string_view record) {
  const json kept = json::parse(record, nullptr, false);
  if (!kept.is_object()) return std::nullopt;
  try {
    return kept.get<Values>();
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

std::string settings_record(const Settings& settings) {
  return json(settings.values()).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::vector<SettingChange> changes_since(std::string_view record, const Settings& settings) {
  const std::optional<Values> before = read_record(record);
  const std::optional<Values> now = read_record(settings_record(settings));  // through the same encoding
  std::vector<SettingChange> changes;
  if (!before || !now) return changes;
  Values either = *before;
  either.insert(now->begin(), now->end());
  for (const auto& [key, values] : either) {
    SettingChange change{key, joined(*before, key), joined(*now, key)};
    if (change.was != change.is) changes.push_back(std::move(change));
  }
  return changes;
}

std::string to_sentence(const SettingChange& change) {
  if (change.was.empty()) return change.key + " was not set and is " + change.is;
  if (change.is.empty()) return change.key + " was " + change.was + " and is not set";
  return change.key + " was " + change.was + " and is " + change.is;
}

}  // namespace mneme::app

// Collections whose passages get no stored KV (`index --kv off`): kept with the home, so that answers of every program
// over it, and index runs that do not say otherwise, go by it. What is stored already is used as before.
// Threads: as the catalogue's.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

// A setting for each of them; the collection's name follows.
inline constexpr const char* kWithoutKvSetting = "kv.off.";

inline Status set_stores_kv(storage::Catalogue& catalogue, const std::string& collection, bool stores) {
  const std::string key = kWithoutKvSetting + collection;
  MNEME_ASSIGN_OR_RETURN(const std::optional<std::string> off, catalogue.setting(key));
  if (off.has_value() != stores) return {};  // as it is
  return stores ? catalogue.remove_setting(key) : catalogue.put_setting(key, "true");
}

// The names of those that store none.
inline Result<std::set<std::string>> collections_without_kv(storage::Catalogue& catalogue) {
  using KeysAndValues = std::vector<std::pair<std::string, std::string>>;
  MNEME_ASSIGN_OR_RETURN(const KeysAndValues settings, catalogue.settings(kWithoutKvSetting));
  std::set<std::string> names;
  for (const auto& [key, value] : settings) names.insert(key.substr(std::string(kWithoutKvSetting).size()));
  return names;
}

}  // namespace mneme::rag

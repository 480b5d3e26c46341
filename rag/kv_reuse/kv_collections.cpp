#include "rag/kv_reuse/kv_collections.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/catalogue/catalogue.h"

namespace mneme::rag {
namespace {

// A setting for each of them; the collection's name follows.
constexpr std::string_view kWithoutKvSetting = "kv.off.";

}  // namespace

Status set_stores_kv(storage::Catalogue& catalogue, const std::string& collection, bool stores) {
  const std::string key = std::string(kWithoutKvSetting) + collection;
  MNEME_ASSIGN_OR_RETURN(const std::optional<std::string> off, catalogue.setting(key));
  if (off.has_value() != stores) return {};  // as it is
  return stores ? catalogue.remove_setting(key) : catalogue.put_setting(key, "true");
}

Result<std::set<std::string>> collections_without_kv(storage::Catalogue& catalogue) {
  using KeysAndValues = std::vector<std::pair<std::string, std::string>>;
  MNEME_ASSIGN_OR_RETURN(const KeysAndValues settings, catalogue.settings(kWithoutKvSetting));
  std::set<std::string> names;
  for (const auto& [key, value] : settings) names.insert(key.substr(kWithoutKvSetting.size()));
  return names;
}

}  // namespace mneme::rag

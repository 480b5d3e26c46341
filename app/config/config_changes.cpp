#include "app/config/config_changes.h"

#include <optional>
#include <string>

#include "storage/catalogue/catalogue.h"

namespace mneme::app {

std::vector<SettingChange> look_at_config(const Directories& directories, storage::Catalogue& catalogue,
                                          std::string_view seen_by) {
  const Result<Settings> settings = Settings::load(directories.config_file());
  const Result<std::optional<std::string>> seen = catalogue.setting(seen_by);
  if (!settings.ok() || !seen.ok()) return {};
  const std::string now = settings_record(*settings);
  if (seen->value_or("{}") == now) return {};
  static_cast<void>(catalogue.put_setting(seen_by, now));
  return seen->has_value() ? changes_since(**seen, *settings) : std::vector<SettingChange>();
}

}  // namespace mneme::app

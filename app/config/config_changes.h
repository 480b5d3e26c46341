// What config.toml says otherwise than when it was last looked at, kept in the home's catalogue.
// Threads: as the catalogue's.
#pragma once

#include <string_view>
#include <vector>

#include "app/config/directories.h"
#include "app/config/settings_record.h"

namespace mneme::storage {
class Catalogue;
}

namespace mneme::app {

// Who looks: each remembers the file for itself, so that a change told by one is told by the other too.
inline constexpr std::string_view kSeenByVerify = "config.seen";
inline constexpr std::string_view kSeenByCommands = "config.used";

// The first look tells of nothing. What is told is what later looks compare with. Where that cannot be read or kept (a
// damaged catalogue, a read-only disk), work goes on without.
std::vector<SettingChange> look_at_config(const Directories& directories, storage::Catalogue& catalogue,
                                          std::string_view seen_by);

}  // namespace mneme::app

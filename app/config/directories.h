// Where this user's files lie: one home directory, or the XDG base directories. Threads: values.
#pragma once

#include <string>

#include "base/status.h"

namespace mneme::app {

struct Directories {
  std::string data;    // catalog.db, models/, log/, and the caches index/ and kv/
  std::string config;  // config.toml
  std::string config_file() const { return config + "/config.toml"; }
};

// `home`: --home, else MNEME_HOME, else empty. Then XDG_DATA_HOME and XDG_CONFIG_HOME, or their defaults under HOME.
// kUsage when none of these is set. Nothing is created.
Result<Directories> find_directories(const std::string& home);

}  // namespace mneme::app

// config.toml is the user's own text and has no checksum. So that a change of it nobody meant (a flipped bit, a slip of
// the editor) can be seen, `mneme verify` keeps what the file said and tells what it says otherwise the next time.
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/config/settings.h"

namespace mneme::app {

struct SettingChange {
  std::string key;  // "ask top-k"
  std::string was;  // lists with ", " between their values; "": the file did not set it
  std::string is;
  bool operator==(const SettingChange&) const = default;
};

// What the file sets, as JSON for the catalogue; "{}" where it sets nothing.
std::string settings_record(const Settings& settings);
// By key. A record that cannot be read says nothing: no changes.
std::vector<SettingChange> changes_since(std::string_view record, const Settings& settings);
// "top-k was 8 and is 80".
std::string to_sentence(const SettingChange& change);

}  // namespace mneme::app

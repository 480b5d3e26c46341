// The window's settings as they are kept in the catalogue. Threads: pure functions.
#pragma once

#include <string>

#include "ui/view_model/snapshot.h"

namespace mneme::ui {

std::string settings_to_json(const SettingsView& settings);
// What is missing, of another type or out of range takes its default.
SettingsView settings_from_json(const std::string& text);

}  // namespace mneme::ui

// The names under which the window keeps its own settings in the catalogue. Threads: constants.
#pragma once

namespace mneme::ui {

inline constexpr const char* kSettingsKey = "window.settings";
inline constexpr const char* kWatchKey = "window.watch.";  // and the collection's name
inline constexpr const char* kUnfinishedIndexingKey = "window.unfinished_indexing";

}  // namespace mneme::ui

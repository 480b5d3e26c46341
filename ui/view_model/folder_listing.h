// What stands in a folder, for the built-in browser. Threads: any; may wait for a slow disk, so not the window's.
#pragma once

#include <string>

#include "ui/view_model/snapshot.h"

namespace mneme::ui {

// Folders that are not hidden, and GGUF files where `with_models`; folders first, each group by name. What cannot be
// listed has an error in place of entries; a file, which can be taken itself, has neither.
FolderView list_folder(const std::string& folder, bool with_models);

// The path that was typed or pasted: "~" is the home, and slashes and spaces around it are nothing.
std::string typed_path(const std::string& typed, const std::string& home);

}  // namespace mneme::ui

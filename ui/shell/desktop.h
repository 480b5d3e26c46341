// The desktop around the window: its folder dialog, its programs, its colour scheme. Each asks a helper program,
// without a shell in between. Threads: all block for a while, so call them off the window's thread.
#pragma once

#include <optional>
#include <string>

namespace mneme::ui {

// Asks zenity or kdialog for a folder. Nothing when cancelled; `available` tells whether a dialog program was there at
// all.
std::optional<std::string> choose_folder(bool& available);

// Likewise for a model file.
std::optional<std::string> choose_model_file(bool& available);

// Shows a message of the desktop (notify-send); does not wait, and says nothing where there is no such program.
void notify_desktop(const std::string& text);

// Opens a file in the program the desktop has for it (xdg-open); does not wait.
void open_in_desktop(const std::string& path);

// The desktop's colour scheme by gsettings; false when unknown.
bool prefers_dark();

}  // namespace mneme::ui

// The desktop around the window: its folder dialog, its programs, its colour scheme. Each asks a helper program,
// without a shell in between. Threads: all block for a while, so call them off the window's thread.
#pragma once

#include <optional>
#include <string>

#include "base/cancel.h"

namespace mneme::ui {

// Asks zenity or kdialog for a folder, and takes the dialog away when `closing` is raised: a window that closes does
// not wait for it. Nothing when the person cancelled; `available` tells whether a dialog program was there at all.
std::optional<std::string> choose_folder(bool& available, const CancelToken& closing);

// Likewise for a model file.
std::optional<std::string> choose_model_file(bool& available, const CancelToken& closing);

// Shows a message of the desktop, by notify-send, or else by gdbus on the session's bus; says nothing where there is
// neither.
void notify_desktop(const std::string& text);

// Opens a file in the program the desktop has for it (xdg-open); does not wait.
void open_in_desktop(const std::string& path);

// Whether the desktop is dark, by gsettings or its portal; false when neither says so.
bool prefers_dark();

}  // namespace mneme::ui

// What a desktop shows of the window beside its title: the application's icon, and the name by which it finds the
// desktop entry (assets/desktop). Threads: the window's thread.
#pragma once

struct GLFWwindow;

namespace mneme::ui {

// Before the window is made.
void hint_application_name();

// Where windows have icons of their own (X11); a picture that cannot be read leaves the desktop's.
void set_window_icon(GLFWwindow* window);

}  // namespace mneme::ui

// Where the program's own file lies: it starts itself to read documents, and looks for what was installed with it.
// Threads: reentrant.
#pragma once

#include <string>

namespace mneme::app {

// A path that starts this very program, also after an update has put another in its place, as long as the system's link
// to it is there; else (no /proc, as in some chroots) the path that it was started by, absolute. Call it before the
// working folder changes. The link, where nobody knows.
//   link: the system's.
std::string own_program(const std::string& link = "/proc/self/exe");

}  // namespace mneme::app

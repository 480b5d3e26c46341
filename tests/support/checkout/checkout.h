// Where the checkout that a test was built from lies, and its program. The only source of the tests that is compiled
// with paths of this machine: every other one is the same in all checkouts, so that a compiler cache serves them all.
// Threads: any; also while other sources set up their constants.
#pragma once

#include <string>

namespace mneme::checkout {

// Absolute path of a file or folder of the checkout: path("docs/window.md"); of its root: path("").
std::string path(const std::string& name);
// ... of one in tests/data: test_data("tiny.gguf").
std::string test_data(const std::string& name);
// Absolute path of the program `mneme` of this build, or of another one that MNEME_PROGRAM names (a hardened one, one
// with sanitizers), which is then tested in its place.
std::string program();

}  // namespace mneme::checkout

// toml++ without its assertions. They take some input for impossible that a file may well hold ("x = 1979-05-27 1" and
// a new line), and would end a debug build or, as assumptions of clang's optimiser, mean anything in a release. Without
// them the parser goes on to an error of its own. Found by fuzzing (tests/fuzz/settings_fuzz.cpp). Include this in
// place of <toml++/toml.h>; every file must, or their inline functions differ (one definition rule).
#pragma once

#pragma push_macro("NDEBUG")
#undef NDEBUG  // where it is set, assertions become assumptions
#define TOML_ASSERT(expression) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

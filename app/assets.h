// What came with the program: models and sample documents. Threads: any.
#pragma once

#include <string>

namespace mneme::app {

// The folder with models/ and samples/ that came with the program: MNEME_ASSETS, beside the binary
// (../share/mneme), or the source tree it was built from. Empty when none is there.
std::string assets_folder();

// A model file that came with the program, or "".
std::string shipped_model(const std::string& file_name);

}  // namespace mneme::app

// Files the build puts into the program (cmake/embed.cmake).
#pragma once

#include <string_view>

namespace mneme::assets {

extern const std::string_view prompt_layout_toml;  // assets/prompts/prompt_layout.toml
extern const std::string_view calibration_text;  // assets/calibration/calibration.txt, passages separated by form feeds
extern const std::string_view icon_48_png;       // assets/desktop, of 48 x 48 pixels
extern const std::string_view icon_128_png;      // and of 128 x 128
extern const std::string_view fork_at_document;  // a shared library; rag/readers/process/forking_program.h

}  // namespace mneme::assets

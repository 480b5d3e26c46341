// Files the build puts into the program (cmake/embed.cmake).
#pragma once

#include <string_view>

namespace mneme::assets {

extern const std::string_view prompt_layout_toml;  // assets/prompts/prompt_layout.toml

}  // namespace mneme::assets

// Which files in the root of a home are the program's: any folder may be a home, and hold files of others.
// Threads: reentrant.
#pragma once

#include <string_view>

namespace mneme::storage {

inline constexpr std::string_view kCatalogueName = "catalog.db";
inline constexpr std::string_view kWindowMemoryName = "window.json";

// Whether a file of this name there is the program's, or tells it what to do; also under a temporary name
// (env/temporary_file.h).
bool is_home_file(std::string_view name);

// Whether a repair has put this file aside: a damaged catalogue, or its log.
bool is_damaged_catalogue(std::string_view name);

// Whether the program itself makes or unmakes a file of this name there under a temporary one.
bool has_temporary_names(std::string_view name);

}  // namespace mneme::storage

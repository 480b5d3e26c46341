// What this binary was built from. Written at build time (cmake/build_info.cmake).
#pragma once

namespace mneme::app {

extern const char* const kBuildVersion;
extern const char* const kBuildCommit;  // "" outside a git checkout; ends in "+" when files differed from it
extern const char* const kBuildCompiler;
extern const char* const kBuildType;
extern const bool kBuildHasCuda;

}  // namespace mneme::app

# Writes OUTPUT with what app/build_info.h declares; left untouched when nothing changed, so that nothing is rebuilt.
# cmake -DOUTPUT=.. -DSOURCE=.. -DVERSION=.. -DCOMPILER=.. -DTYPE=.. -DCUDA=true|false -P build_info.cmake
find_program(GIT git)
set(commit "")
if(GIT)
  execute_process(COMMAND "${GIT}" -C "${SOURCE}" rev-parse --short=12 HEAD OUTPUT_VARIABLE commit
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND "${GIT}" -C "${SOURCE}" diff-index --quiet HEAD -- RESULT_VARIABLE differs
    OUTPUT_QUIET ERROR_QUIET)
  if(commit AND NOT differs EQUAL 0)
    string(APPEND commit "+")
  endif()
endif()
set(text "// Made by cmake/build_info.cmake.
#include \"app/build_info.h\"
namespace mneme::app {
const char* const kBuildVersion = \"${VERSION}\";
const char* const kBuildCommit = \"${commit}\";
const char* const kBuildCompiler = \"${COMPILER}\";
const char* const kBuildType = \"${TYPE}\";
const bool kBuildHasCuda = ${CUDA};
}  // namespace mneme::app
")
set(old "")
if(EXISTS "${OUTPUT}")
  file(READ "${OUTPUT}" old)
endif()
if(NOT old STREQUAL text)
  file(WRITE "${OUTPUT}" "${text}")
endif()

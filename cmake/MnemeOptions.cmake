# What a build can be asked for. Presets in CMakePresets.json set these by purpose.
option(MNEME_TESTS "Build the tests" ON)
option(MNEME_BENCH "Build the Google Benchmark targets in tests/bench" OFF)
option(MNEME_FUZZ "Build the libFuzzer targets in tests/fuzz (needs clang)" OFF)
option(MNEME_HARDENED "More checks at run time than a release has; with clang control-flow integrity (needs lld)" OFF)
option(MNEME_TOGETHER "Compile a dozen sources as one, for builds that start from nothing; a changed file takes longer" OFF)
option(MNEME_WERROR "Warnings are errors" ON)
set(MNEME_SANITIZE "" CACHE STRING "Sanitizers to build with, e.g. address,undefined or thread")
set(MNEME_CUDA AUTO CACHE STRING "CUDA backend: AUTO (when nvcc is found), ON, OFF")
set_property(CACHE MNEME_CUDA PROPERTY STRINGS AUTO ON OFF)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(MNEME_CCACHE ccache)
if(MNEME_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${MNEME_CCACHE}")
endif()

# One static library per top folder, all its sources found by name: adding a file needs no edit here.
function(mneme_add_library name)
  cmake_parse_arguments(ARG "" "" "EXCLUDE;DEPENDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  foreach(pattern IN LISTS ARG_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "${pattern}")
  endforeach()
  mneme_simd_flags(${sources})
  add_library(${name} STATIC ${sources})
  mneme_compile_together(${name} ${sources})
  target_link_libraries(${name} PUBLIC mneme_compiler)
  target_link_libraries(${name} PUBLIC ${ARG_DEPENDS})
endfunction()

# With MNEME_TOGETHER: compiles the target's sources a dozen at a time, those that do not get into each other's way
# (unity_groups.py). Most of a compiler's work on one file is in headers that the next file includes as well. Sources with
# flags of their own stay alone, as CMake has it, and so do those of the CUDA backend, whose objects a test replaces one by
# one.
function(mneme_compile_together name)
  if(NOT MNEME_TOGETHER)
    return()
  endif()
  set(together ${ARGN})
  list(FILTER together EXCLUDE REGEX "/backend/cuda/")
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  execute_process(COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/cmake/unity_groups.py" ${together}
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE lines OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" lines "${lines}")
  foreach(line IN LISTS lines)
    if(line MATCHES "^([0-9]+) (.*)$")
      set_source_files_properties("${CMAKE_MATCH_2}" PROPERTIES UNITY_GROUP "${name}_${CMAKE_MATCH_1}")
    endif()
  endforeach()
  set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# Embeds a file as `extern const std::string_view NAME` in namespace mneme::assets (header base/embedded_assets.h,
# or one that is named behind the file).
function(mneme_embed target name file)
  set(header base/embedded_assets.h)
  if(ARGC GREATER 3)
    set(header "${ARGV3}")
  endif()
  set(output "${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cpp")
  add_custom_command(OUTPUT "${output}"
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DINPUT=${file} -DOUTPUT=${output} -DHEADER=${header}
      -P "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
    DEPENDS "${file}" "${PROJECT_SOURCE_DIR}/cmake/embed.cmake" VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()

# A test program per folder of tests; slow tests (*_slow_test.cpp) go into one of their own with the label `slow`. What
# follows the word PROPERTIES is said of each test. Debug builds leave tests' own sources as they are written, which halves
# the time it takes to compile them; COMPUTES: tests whose references are worth optimising.
function(mneme_add_tests name label)
  cmake_parse_arguments(ARG "COMPUTES" "" "SOURCES;DEPENDS;PROPERTIES" ${ARGN})
  if(NOT ARG_SOURCES)
    return()
  endif()
  add_executable(${name} ${ARG_SOURCES})
  mneme_compile_together(${name} ${ARG_SOURCES})
  if(NOT ARG_COMPUTES)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Debug>:-O0>)
  endif()
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} mneme_test_checkout GTest::gmock GTest::gtest_main)
  # By the names that the tests give their parameters: printed values are bytes, or contain addresses.
  gtest_discover_tests(${name} NO_PRETTY_VALUES DISCOVERY_TIMEOUT 300 PROPERTIES LABELS "${label}" TIMEOUT 600 ${ARG_PROPERTIES})
endfunction()

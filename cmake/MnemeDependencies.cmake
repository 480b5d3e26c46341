# Every library comes from the distribution (scripts/packages.txt lists the packages).
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(spdlog REQUIRED)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)
pkg_check_modules(ICU REQUIRED IMPORTED_TARGET icu-uc icu-i18n)
pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET libzip)
pkg_check_modules(PUGIXML REQUIRED IMPORTED_TARGET pugixml)
pkg_check_modules(GUMBO REQUIRED IMPORTED_TARGET gumbo)
pkg_check_modules(ARCHIVE REQUIRED IMPORTED_TARGET libarchive)
pkg_check_modules(URING IMPORTED_TARGET liburing)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)

# sentencepiece embeds its own protobuf: link it alone, never together with libprotobuf.
find_library(SENTENCEPIECE_LIBRARY sentencepiece REQUIRED)
find_path(SENTENCEPIECE_INCLUDE sentencepiece_processor.h REQUIRED)
add_library(mneme_sentencepiece INTERFACE)
target_include_directories(mneme_sentencepiece SYSTEM INTERFACE "${SENTENCEPIECE_INCLUDE}")
target_link_libraries(mneme_sentencepiece INTERFACE "${SENTENCEPIECE_LIBRARY}")

find_path(HNSWLIB_INCLUDE hnswlib/hnswlib.h REQUIRED)
add_library(mneme_hnswlib INTERFACE)
target_include_directories(mneme_hnswlib SYSTEM INTERFACE "${HNSWLIB_INCLUDE}")

# toml++ is header only.
find_path(TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)
add_library(mneme_tomlplusplus INTERFACE)
target_include_directories(mneme_tomlplusplus SYSTEM INTERFACE "${TOMLPLUSPLUS_INCLUDE}")
# The same everywhere: two translation units that disagree about it break each other (one definition rule).
target_compile_definitions(mneme_tomlplusplus INTERFACE TOML_EXCEPTIONS=0)

# The window: Dear ImGui (static archive with its GLFW, OpenGL 3 and FreeType backends) and GLFW.
find_package(glfw3 QUIET)
find_package(OpenGL QUIET)
pkg_check_modules(IMGUI IMPORTED_TARGET imgui)
pkg_check_modules(FREETYPE IMPORTED_TARGET freetype2)

include(CheckLanguage)
set(MNEME_HAVE_CUDA OFF)
if(NOT MNEME_CUDA STREQUAL "OFF")
  if(NOT CMAKE_CUDA_COMPILER AND EXISTS /usr/local/cuda/bin/nvcc)
    set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc CACHE FILEPATH "CUDA compiler")
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(MNEME_HAVE_CUDA ON)
  elseif(MNEME_CUDA STREQUAL "ON")
    message(FATAL_ERROR "MNEME_CUDA=ON, but no CUDA compiler (nvcc) was found; install the CUDA toolkit or set MNEME_CUDA=OFF.")
  endif()
endif()

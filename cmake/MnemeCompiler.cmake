# C++20, warnings, hardening; one interface target carries it all.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

add_library(mneme_compiler INTERFACE)
target_include_directories(mneme_compiler INTERFACE "${PROJECT_SOURCE_DIR}")
# Same sums on every machine: no contraction behind our back, fused operations are written out where meant.
target_compile_options(mneme_compiler INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;$<$<BOOL:${MNEME_WERROR}>:-Werror>;-ffp-contract=off;-fstack-protector-strong>"
  "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wthread-safety>")
# GCC 12 sees overlaps and overflows inside libstdc++'s own string and vector code that are not there (GCC bugs 105651,
# 105329); only in optimised builds, so they would break users' builds and not ours.
target_compile_options(mneme_compiler INTERFACE
  "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict;-Wno-stringop-overflow>")
# A file compiled together with others counts as a header, whose types must not hold local ones; ours are in sources.
if(MNEME_TOGETHER)
  target_compile_options(mneme_compiler INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>")
endif()
# Clang takes libstdc++ 12's own std::stable_sort, which uses a buffer that C++17 deprecates, for code of ours. g++ still
# tells us about anything deprecated that we use ourselves.
target_compile_options(mneme_compiler INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-deprecated-declarations>")
if(MNEME_SANITIZE)
  target_compile_options(mneme_compiler INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${MNEME_SANITIZE};-fno-omit-frame-pointer;-fno-sanitize-recover=all>")
  target_link_options(mneme_compiler INTERFACE -fsanitize=${MNEME_SANITIZE})
  # GCC 12 takes members of libstdc++'s regular expressions for uninitialised where it checks them (GCC bug 105562).
  target_compile_options(mneme_compiler INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>")
else()
  target_compile_options(mneme_compiler INTERFACE "$<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-D_FORTIFY_SOURCE=2>")
endif()
target_link_options(mneme_compiler INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)
if(MNEME_HARDENED)
  include(CheckCXXCompilerFlag)
  include(CheckCXXSourceCompiles)
  foreach(flag -fstack-clash-protection -fcf-protection=full -ftrivial-auto-var-init=zero)
    string(MAKE_C_IDENTIFIER "MNEME_HAS_${flag}" known)
    check_cxx_compiler_flag(${flag} ${known})
    if(${known})
      target_compile_options(mneme_compiler INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${flag}>")
    endif()
  endforeach()
  target_compile_definitions(mneme_compiler INTERFACE _GLIBCXX_ASSERTIONS)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # Virtual calls and casts. Indirect calls stay unchecked: SQLite's and libarchive's functions are not ours.
    set(cfi -flto=thin -fvisibility=hidden -fsanitize=cfi-vcall,cfi-nvcall,cfi-derived-cast
      "-fsanitize-ignorelist=${CMAKE_CURRENT_LIST_DIR}/cfi_libraries.txt")
    # LLVM's archiver of another version does not read the compiler's objects either; GNU's does not look into them.
    string(REGEX MATCH "^[0-9]+" clang_version "${CMAKE_CXX_COMPILER_VERSION}")
    find_program(MNEME_AR NAMES llvm-ar-${clang_version} ar REQUIRED)
    find_program(MNEME_RANLIB NAMES llvm-ranlib-${clang_version} ranlib REQUIRED)
    set(CMAKE_AR "${MNEME_AR}")
    set(CMAKE_RANLIB "${MNEME_RANLIB}")
    # A linker of another version than the compiler's does not read its objects, and says so only at the end of the build.
    list(JOIN cfi " " CMAKE_REQUIRED_FLAGS)
    set(CMAKE_REQUIRED_LINK_OPTIONS ${cfi} -fuse-ld=lld)
    check_cxx_source_compiles("struct A { virtual ~A() = default; }; int main() { A a; }" MNEME_LINKS_CFI)
    unset(CMAKE_REQUIRED_FLAGS)
    unset(CMAKE_REQUIRED_LINK_OPTIONS)
    if(NOT MNEME_LINKS_CFI)
      message(FATAL_ERROR "Control-flow integrity needs the linker of the compiler's version: install lld-19 (scripts/packages-ci.txt).")
    endif()
    target_compile_options(mneme_compiler INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${cfi}>")
    target_link_options(mneme_compiler INTERFACE ${cfi} -fuse-ld=lld)
    target_compile_definitions(mneme_compiler INTERFACE MNEME_CFI) # for its test
  endif()
endif()
include(CheckPIESupported)
check_pie_supported()

# Files written for one instruction set are named for it and get their own flags; which one runs is chosen at run time.
# They are optimised in every build: kernels whose accumulators live in memory are too slow even for tests.
set(MNEME_FLAGS_AVX2 "-O3;-mavx2;-mfma;-mf16c")
set(MNEME_FLAGS_AVX512
  "-O3;-mavx2;-mfma;-mf16c;-mavx512f;-mavx512bw;-mavx512vl;-mavx512dq;-mavx512cd;-mavx512vnni;-mavx512vbmi;-mprefer-vector-width=512")
# g++ 12 takes the undefined-value idiom of its own AVX-512 header for a mistake (GCC bug 105593).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND MNEME_FLAGS_AVX512 -Wno-uninitialized -Wno-maybe-uninitialized)
endif()
function(mneme_simd_flags)
  foreach(file IN LISTS ARGN)
    if(file MATCHES "_amx\\.cpp$")
      set_source_files_properties("${file}" PROPERTIES COMPILE_OPTIONS "${MNEME_FLAGS_AVX512};-mavx512bf16;-mamx-tile;-mamx-bf16")
    elseif(file MATCHES "_avx512bf16\\.cpp$")
      set_source_files_properties("${file}" PROPERTIES COMPILE_OPTIONS "${MNEME_FLAGS_AVX512};-mavx512bf16")
    elseif(file MATCHES "pq_kernels_avx512\\.cpp$")
      set_source_files_properties("${file}" PROPERTIES COMPILE_OPTIONS "${MNEME_FLAGS_AVX512};-mavx512vbmi2")
    elseif(file MATCHES "_avx512[a-z0-9_]*\\.cpp$")
      set_source_files_properties("${file}" PROPERTIES COMPILE_OPTIONS "${MNEME_FLAGS_AVX512}")
    elseif(file MATCHES "_avxvnni[a-z0-9_]*\\.cpp$")
      set_source_files_properties("${file}" PROPERTIES COMPILE_OPTIONS "${MNEME_FLAGS_AVX2};-mavxvnni")
    elseif(file MATCHES "_avx2[a-z0-9_]*\\.cpp$")
      set_source_files_properties("${file}" PROPERTIES COMPILE_OPTIONS "${MNEME_FLAGS_AVX2}")
    endif()
  endforeach()
endfunction()

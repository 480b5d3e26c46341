# nlohmann's JSON (up to 3.12) takes a value apart over a list that asks for memory, in a destructor, which must not fail:
# without memory the program would end there. Sources get a copy of its header in which that list is ours
# (base/json_pieces.h) and asks for none. The only change is the type of one variable.
find_package(nlohmann_json REQUIRED)
find_path(MNEME_JSON_INCLUDE nlohmann/json.hpp REQUIRED)
file(READ "${MNEME_JSON_INCLUDE}/nlohmann/json.hpp" json)
set(list_that_allocates "std::vector<basic_json> stack;")
string(FIND "${json}" "${list_that_allocates}" first)
string(FIND "${json}" "${list_that_allocates}" last REVERSE)
if(first EQUAL -1 OR NOT first EQUAL last)
  message(WARNING "${MNEME_JSON_INCLUDE}/nlohmann/json.hpp takes values apart in a way that is not known here: "
    "without memory the program may end there (cmake/MnemeJson.cmake).")
else()
  string(REPLACE "${list_that_allocates}" "::mneme::JsonPieces<basic_json> stack;" json "${json}")
  set(json_folder "${CMAKE_BINARY_DIR}/third_party")
  set(known "")
  if(EXISTS "${json_folder}/nlohmann/json.hpp")
    file(READ "${json_folder}/nlohmann/json.hpp" known)
  endif()
  set(json "#include \"base/json_pieces.h\"\n${json}")
  if(NOT known STREQUAL json)  # an unchanged file keeps its time, and what includes it is not compiled again
    file(WRITE "${json_folder}/nlohmann/json.hpp" "${json}")
  endif()
  target_include_directories(nlohmann_json::nlohmann_json SYSTEM BEFORE INTERFACE "${json_folder}")
endif()

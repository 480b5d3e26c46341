# Turns INPUT into a C++ source with its bytes: cmake -DNAME=.. -DINPUT=.. -DOUTPUT=.. -DHEADER=.. -P embed.cmake
file(READ "${INPUT}" hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
string(REGEX REPLACE "(('[^']*',){24})" "\\1\n" bytes "${bytes}")
get_filename_component(file "${INPUT}" NAME)
file(WRITE "${OUTPUT}" "// Made from ${file} by cmake/embed.cmake.
#include \"${HEADER}\"
namespace mneme::assets {
namespace {
constexpr char kBytes[] = {${bytes}'\\0'};
}
const std::string_view ${NAME}{kBytes, sizeof(kBytes) - 1};
}  // namespace mneme::assets
")

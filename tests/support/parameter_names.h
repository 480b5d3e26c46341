// Names of the parameters of tests, for INSTANTIATE_TEST_SUITE_P: what runs is told by what it is, not by its number
// alone. Threads: pure functions.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <type_traits>

namespace mneme::testing {

// Words that names may have: letters and digits, the others underlines.
inline std::string as_test_name(std::string text) {
  for (char& c : text) {
    const bool plain = (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
    if (!plain) c = '_';
  }
  return text;
}

// Texts by themselves; models by their architecture, and what prints itself by what it prints, behind their number.
template <typename T>
std::string parameter_name(const ::testing::TestParamInfo<T>& info) {
  if constexpr (std::is_convertible_v<T, std::string_view>) {
    return as_test_name(std::string(std::string_view(info.param)));
  } else if constexpr (requires { info.param.architecture; }) {
    return as_test_name(std::to_string(info.index) + "_" + info.param.architecture);
  } else {
    return as_test_name(std::to_string(info.index) + "_" + ::testing::PrintToString(info.param));
  }
}

}  // namespace mneme::testing

// Every fuzz target by name; the list is made from the files of this folder. Threads: constant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace mneme::fuzz {

struct Target {
  std::string_view name;
  int (*run)(const uint8_t* data, size_t size);
};

std::span<const Target> all_targets();
const Target* find_target(std::string_view name);  // null: there is none

}  // namespace mneme::fuzz

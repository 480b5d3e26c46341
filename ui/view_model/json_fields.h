// Fields of saved JSON that another version may have written: what is missing or of another type keeps its default.
// Threads: pure functions.
#pragma once

#include <nlohmann/json.hpp>

namespace mneme::ui {

template <typename T>
void read_field(const nlohmann::json& object, const char* key, T& value) {
  const auto found = object.find(key);
  if (found == object.end()) return;
  try {
    found->get_to(value);
  } catch (const nlohmann::json::exception&) {
    return;  // of another version: the default
  }
}

}  // namespace mneme::ui

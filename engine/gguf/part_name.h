// Names of models that lie in several files: "model-00001-of-00003.gguf", numbers from 1 with five digits, as
// llama.cpp's gguf-split writes them and repositories of models hold them. Threads: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mneme::gguf {

struct PartName {
  std::string stem;  // path and name before "-00001-of-00003.gguf"
  int number = 0;    // from 1
  int n_parts = 0;
};

// Nothing where the file is not named so, or its number is none of its parts'.
std::optional<PartName> part_name(std::string_view path);

// The path of a part of the same model.
std::string part_path(const PartName& name, int number);

}  // namespace mneme::gguf

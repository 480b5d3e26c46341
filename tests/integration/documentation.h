// The documents of the checkout, for the tests that hold them to the tree and to the program. Threads: any.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mneme::integration {

std::string read_file(const std::filesystem::path& path);

// Every Markdown file that speaks of the program: beside the README, below docs, of the models and their training.
std::vector<std::filesystem::path> documents();

}  // namespace mneme::integration

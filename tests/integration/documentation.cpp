#include "tests/integration/documentation.h"

#include <fstream>
#include <iterator>

#include "tests/support/checkout/checkout.h"

namespace mneme::integration {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<fs::path> documents() {
  const fs::path root(checkout::path(""));
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(root)) {
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  }
  for (const char* folder : {"docs", "assets/models", "assets/train"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() == ".md") found.push_back(entry.path());
    }
  }
  return found;
}

}  // namespace mneme::integration

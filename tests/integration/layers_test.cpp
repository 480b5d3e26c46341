// Includes point down the list of docs/architecture.md.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/integration/documentation.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::integration {
namespace {

namespace fs = std::filesystem;

struct Layer {
  std::string place;  // a folder, or a file without its extension
  int floor = 0;      // 0: the top
};

// The list's lines: places, parted by two spaces; what follows more than two is a remark.
std::vector<Layer> layers_of(const std::string& markdown) {
  std::istringstream lines(markdown.substr(markdown.find("```\napp\n") + 4));
  std::vector<Layer> layers;
  int floor = 0;
  for (std::string line; std::getline(lines, line) && line != "```"; ++floor) {
    std::istringstream places(line.substr(0, line.find("   ")));
    for (std::string place; places >> place;) layers.push_back({place, floor});
  }
  return layers;
}

// The layer of a file, by its path from the root; the last of its kind is none.
const Layer* layer_of(const std::vector<Layer>& layers, const std::string& path) {
  for (const Layer& layer : layers) {
    const bool begins = path.starts_with(layer.place);
    if (begins && (path[layer.place.size()] == '/' || path[layer.place.size()] == '.')) return &layer;
  }
  return nullptr;
}

std::vector<std::string> includes_of(const std::string& source) {
  static const std::regex line("#include \"((?:app|ui|rag|engine|storage|base)/[^\"]+)\"");
  std::vector<std::string> included;
  for (std::sregex_iterator it(source.begin(), source.end(), line), end; it != end; ++it) {
    included.push_back((*it)[1].str());
  }
  return included;
}

std::vector<std::string> sources_below(const std::string& folder) {
  static const std::regex source(R"(.*\.(h|cpp|cu|cuh))");
  std::vector<std::string> paths;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(checkout::path(folder))) {
    const std::string path = fs::relative(entry.path(), checkout::path("")).string();
    if (entry.is_regular_file() && std::regex_match(path, source)) paths.push_back(path);
  }
  return paths;
}

TEST(LayersTest, IncludesPointDownTheListOfTheArchitecture) {
  const std::vector<Layer> layers = layers_of(read_file(checkout::path("docs/architecture.md")));
  ASSERT_GT(layers.size(), 15U);
  for (const char* folder : {"app", "ui", "rag", "engine", "storage", "base"}) {
    for (const std::string& path : sources_below(folder)) {
      const Layer* from = layer_of(layers, path);
      ASSERT_NE(from, nullptr) << path << " stands on no floor of docs/architecture.md";
      for (const std::string& included : includes_of(read_file(checkout::path(path)))) {
        const Layer* to = layer_of(layers, included);
        ASSERT_NE(to, nullptr) << path << " includes " << included << ", which stands on no floor";
        EXPECT_TRUE(from == to || from->floor < to->floor) << path << " includes " << included;
      }
    }
  }
}

TEST(LayersTest, AListIsReadByItsFloors) {
  const std::vector<Layer> layers = layers_of("text\n```\napp\nrag/a  rag/b   what they do\nbase\n```\n");
  ASSERT_EQ(layers.size(), 4U);
  EXPECT_EQ(layer_of(layers, "rag/a/x.h")->floor, 1);
  EXPECT_EQ(layer_of(layers, "rag/b.cpp")->place, "rag/b");
  EXPECT_EQ(layer_of(layers, "rag/ab/x.h"), nullptr);
  EXPECT_EQ(includes_of("#include \"rag/a/x.h\"\n#include <vector>\n"), std::vector<std::string>{"rag/a/x.h"});
}

}  // namespace
}  // namespace mneme::integration

// Includes point down the list of docs/architecture.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
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

// The lines of the list whose first place this is: places, parted by two spaces; what follows more than two is a
// remark.
std::vector<Layer> layers_of(const std::string& markdown, const std::string& first) {
  const size_t begin = markdown.find("```\n" + first);
  if (begin == std::string::npos) return {};
  std::istringstream lines(markdown.substr(begin + 4));
  std::vector<Layer> layers;
  int floor = 0;
  for (std::string line; std::getline(lines, line) && line != "```"; ++floor) {
    std::istringstream places(line.substr(0, line.find("   ")));
    for (std::string place; places >> place;) layers.push_back({place, floor});
  }
  return layers;
}

bool is_below(const std::string& path, const std::string& place) {
  return path.starts_with(place) && (path[place.size()] == '/' || path[place.size()] == '.');
}

// Whether the list names folders within this place, which then has its own files only.
bool is_parted(const std::vector<Layer>& layers, const std::string& place) {
  return std::any_of(layers.begin(), layers.end(), [&](const Layer& other) { return is_below(other.place, place); });
}

// The layer of a file, by its path from the root: the nearest place above it. Null where no place has it.
const Layer* layer_of(const std::vector<Layer>& layers, const std::string& path) {
  const Layer* nearest = nullptr;
  for (const Layer& layer : layers) {
    if (is_below(path, layer.place) && (nearest == nullptr || layer.place.size() > nearest->place.size()))
      nearest = &layer;
  }
  if (nearest == nullptr || !is_parted(layers, nearest->place)) return nearest;
  return path.find('/', nearest->place.size() + 1) == std::string::npos ? nearest : nullptr;
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

// That what the sources below `folder` include of the folders of `within` stands on a lower floor than they.
void expect_includes_point_down(const std::vector<Layer>& layers, const std::string& folder,
                                const std::string& within) {
  for (const std::string& path : sources_below(folder)) {
    const Layer* from = layer_of(layers, path);
    ASSERT_NE(from, nullptr) << path << " stands on no floor of docs/architecture.md";
    for (const std::string& included : includes_of(read_file(checkout::path(path)))) {
      if (!included.starts_with(within)) continue;
      const Layer* to = layer_of(layers, included);
      ASSERT_NE(to, nullptr) << path << " includes " << included << ", which stands on no floor";
      EXPECT_TRUE(from == to || from->floor < to->floor) << path << " includes " << included;
    }
  }
}

TEST(LayersTest, IncludesPointDownTheListOfTheArchitecture) {
  const std::vector<Layer> layers = layers_of(read_file(checkout::path("docs/architecture.md")), "app\n");
  ASSERT_GT(layers.size(), 15U);
  for (const char* folder : {"app", "ui", "rag", "engine", "storage", "base"})
    expect_includes_point_down(layers, folder, "");
}

TEST(LayersTest, IncludesWithinTheEnginePointDownItsList) {
  const std::vector<Layer> layers = layers_of(read_file(checkout::path("docs/architecture.md")), "engine/fusion");
  ASSERT_GT(layers.size(), 12U);
  expect_includes_point_down(layers, "engine", "engine/");
}

TEST(LayersTest, IncludesWithinAnsweringPointDownItsList) {
  const std::vector<Layer> layers = layers_of(read_file(checkout::path("docs/architecture.md")), "rag/answering   ");
  ASSERT_EQ(layers.size(), 6U);
  expect_includes_point_down(layers, "rag/answering", "rag/answering/");
}

TEST(LayersTest, IncludesWithinQuotingPointDownItsList) {
  const std::vector<Layer> layers = layers_of(read_file(checkout::path("docs/architecture.md")), "rag/quoting   ");
  ASSERT_EQ(layers.size(), 2U);
  expect_includes_point_down(layers, "rag/quoting", "rag/quoting/");
}

TEST(LayersTest, IncludesWithinTheTextPointDownItsList) {
  const std::vector<Layer> layers = layers_of(read_file(checkout::path("docs/architecture.md")), "rag/text/told");
  ASSERT_EQ(layers.size(), 8U);
  expect_includes_point_down(layers, "rag/text", "rag/text/");
}

// They draw what the view model says and post commands: no engine, no database, nobody who could be waited for.
TEST(LayersTest, PanelsKnowNeitherEngineNorDatabase) {
  const std::set<std::string> of_texts = {"rag/answering/citations/cited_words.h",
                                          "rag/document.h",
                                          "rag/quoting/outline/plain_sentence.h",
                                          "rag/quoting/outline/row_text.h",
                                          "rag/quoting/outline/source_lines.h",
                                          "rag/text/markup/latex_math.h",
                                          "rag/text/markup/rules.h"};
  for (const char* folder : {"ui/panels", "ui/widgets", "ui/text"}) {
    for (const std::string& path : sources_below(folder)) {
      for (const std::string& included : includes_of(read_file(checkout::path(path)))) {
        const bool draws = included.starts_with("ui/") && !included.starts_with("ui/shell/") &&
                           !included.starts_with("ui/view_model/controller");
        EXPECT_TRUE(draws || included.starts_with("base/") || of_texts.contains(included))
            << path << " includes " << included;
      }
    }
  }
}

TEST(LayersTest, AListIsReadByItsFloors) {
  const std::vector<Layer> layers = layers_of("text\n```\napp\nrag/a  rag/b   what they do\nbase\n```\n", "app");
  ASSERT_EQ(layers.size(), 4U);
  EXPECT_EQ(layer_of(layers, "rag/a/x.h")->floor, 1);
  EXPECT_EQ(layer_of(layers, "rag/b.cpp")->place, "rag/b");
  EXPECT_EQ(layer_of(layers, "rag/ab/x.h"), nullptr);
  EXPECT_TRUE(layers_of("text", "app").empty());
  EXPECT_EQ(includes_of("#include \"rag/a/x.h\"\n#include <vector>\n"), std::vector<std::string>{"rag/a/x.h"});
}

TEST(LayersTest, APlaceWhoseFoldersAreNamedHasItsOwnFilesOnly) {
  const std::vector<Layer> layers = layers_of("```\nx/a\nx   the rest\nx/b  x/types\n```\n", "x/a\n");
  EXPECT_EQ(layer_of(layers, "x/model.h")->place, "x");
  EXPECT_EQ(layer_of(layers, "x/types.h")->place, "x/types");
  EXPECT_EQ(layer_of(layers, "x/b/deep/y.h")->place, "x/b");
  EXPECT_EQ(layer_of(layers, "x/c/y.h"), nullptr);
}

}  // namespace
}  // namespace mneme::integration

// Models of other programs on the page of models.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/checkout/checkout.h"
#include "tests/unit/ui/window_fixture.h"
#include "ui/view_model/found_models.h"

namespace mneme::ui {
namespace {

namespace fs = std::filesystem;

class FoundModelsPage : public WindowTest {
 protected:
  void SetUp() override {
    drawer_.window().page = Page::kModels;
    frame();
  }
  void show(std::vector<FoundModelRow> rows) {
    snapshot_->found_models = std::make_shared<const std::vector<FoundModelRow>>(std::move(rows));
    frame();
  }
};

TEST_F(FoundModelsPage, LooksOnce) {
  frame();
  EXPECT_EQ(std::count_if(posted_.begin(), posted_.end(),
                          [](const Command& c) { return std::holds_alternative<FindModels>(c); }),
            1);
}

TEST_F(FoundModelsPage, WhatIsAmongTheModelsAlreadyIsNotShownAgain) {
  const int none = frame();
  show({});
  EXPECT_EQ(frame(), none);
  show({{.name = "llama3.2:3b", .path = "/blob", .program = "Ollama", .kind = "language", .size_bytes = 7}});
  EXPECT_GT(frame(), none);
  ModelRow listed;
  listed.name = "mine";
  listed.path = "/blob";
  listed.kind = "language";
  snapshot_->models.push_back(listed);
  frame();
  const int with_it = frame();
  snapshot_->found_models = nullptr;
  frame();
  EXPECT_EQ(frame(), with_it);
}

TEST_F(FoundModelsPage, OneIsAddedUnderItsName) {
  show({{.name = "llama3.2:3b", .path = "/blob", .program = "Ollama", .kind = "language", .size_bytes = 7}});
  for (float y = 100; y < 780 && posted<AddModel>() == nullptr; y += 12) click(1200, y);
  ASSERT_NE(posted<AddModel>(), nullptr);
  EXPECT_EQ(posted<AddModel>()->path, "/blob");
  EXPECT_EQ(posted<AddModel>()->name, "llama3.2:3b");
}

TEST_F(FoundModelsPage, WhatCannotBeUsedSaysWhyAndIsNotAdded) {
  show({{.name = "half", .path = "/half.gguf", .program = "Downloads", .size_bytes = 7, .error = "it is damaged"}});
  const int with_reason = frame();
  for (float y = 100; y < 780; y += 12) click(1200, y);
  EXPECT_EQ(posted<AddModel>(), nullptr);
  show({{.name = "half", .path = "/half.gguf", .program = "Downloads", .kind = "language", .size_bytes = 7}});
  EXPECT_NE(frame(), with_reason);
}

TEST(FoundModelsView, ThoseThatCanBeUsedComeFirst) {
  const fs::path home = fs::temp_directory_path() / ("mneme_found_models_" + std::to_string(getpid()));
  fs::create_directories(home / "Downloads");
  std::ofstream(home / "Downloads/broken.gguf") << "GGUF";
  fs::copy_file(checkout::test_data("tiny.gguf"), home / "Downloads/tiny.gguf", fs::copy_options::overwrite_existing);
  std::vector<FoundModelRow> rows =
      find_models([&](const std::string& name) { return name == "HOME" ? home.string() : std::string(); });
  std::erase_if(rows, [](const FoundModelRow& row) { return row.program != "Downloads"; });
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].name, "tiny");
  EXPECT_EQ(rows[0].kind, "language");
  EXPECT_EQ(rows[1].name, "broken");
  EXPECT_FALSE(rows[1].error.empty());
  fs::remove_all(home);
}

}  // namespace
}  // namespace mneme::ui

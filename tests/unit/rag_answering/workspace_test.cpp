// Which model a workspace answers with, and whether its file is still what it was.
#include "rag/workspace.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "engine/language_model.h"
#include "tests/support/random_gguf.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

class WorkspaceModelTest : public ::testing::Test {
 protected:
  // LongRoPE: contexts of up to 128 tokens rotate by other factors than longer ones.
  void SetUp() override {
    const std::vector<std::byte> bytes = mneme::testing::random_gguf({.architecture = "phi3",
                                                                      .vocab_size = 320,
                                                                      .rope_scaling = "longrope",
                                                                      .original_context = 128,
                                                                      .vocabulary = true});
    path_ = folder_.write("model.gguf", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    WorkspaceOptions options;
    options.home = folder_ / "home";
    options.embedder = "hashed";
    options.device = "cpu";
    options.model = path_;
    auto opened = Workspace::open(options);
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    workspace_ = std::move(opened).value();
  }

  Result<Hash128> open_with(int context_tokens) {
    const Status chosen = workspace_->choose_model({.model = path_, .device = "cpu", .context_tokens = context_tokens});
    EXPECT_TRUE(chosen.ok()) << chosen.message();
    MNEME_ASSIGN_OR_RETURN(engine::LanguageModel* const model, workspace_->model());
    return model->identity();
  }

  // As a disk does: neither size nor time tell of it.
  void damage() const {
    const auto time = std::filesystem::last_write_time(path_);
    const auto size = std::filesystem::file_size(path_);
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    file.seekg(static_cast<std::streamoff>(size) - 100);
    const auto byte = static_cast<char>(file.peek() ^ 1);
    file.seekp(static_cast<std::streamoff>(size) - 100);
    file.put(byte);
    file.close();
    std::filesystem::last_write_time(path_, time);
  }

  TemporaryFolder folder_;
  std::string path_;
  std::unique_ptr<Workspace> workspace_;
};

TEST_F(WorkspaceModelTest, AnotherContextIsNoDamage) {
  const auto trained = open_with(0);
  ASSERT_TRUE(trained.ok()) << trained.status().message();
  const auto shortened = open_with(128);
  ASSERT_TRUE(shortened.ok()) << shortened.status().message();
  EXPECT_NE(*trained, *shortened) << "KV of the one is not KV of the other";
  EXPECT_EQ(*open_with(0), *trained);
}

TEST_F(WorkspaceModelTest, DamageIsFoundWithEveryContext) {
  ASSERT_TRUE(open_with(0).ok());
  ASSERT_TRUE(open_with(128).ok());
  damage();
  EXPECT_EQ(open_with(0).status().code(), StatusCode::kCorruption);
  EXPECT_EQ(open_with(128).status().code(), StatusCode::kCorruption);
}

}  // namespace
}  // namespace mneme::rag

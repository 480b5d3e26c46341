#include "app/commands/trial_beside.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "rag/answering/writing/mode_choice.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::app {
namespace {

namespace fs = std::filesystem;

class TrialBesideTest : public testing::Test {
 protected:
  TrialBesideTest() {
    std::string pattern = (fs::temp_directory_path() / "mneme-beside-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    rag::WorkspaceOptions options;
    options.home = (folder_ / "home").string();
    options.model = checkout::test_data("tiny.gguf");
    options.embedder = "hashed";
    auto workspace = rag::Workspace::open(options);
    EXPECT_TRUE(workspace.ok()) << workspace.status().message();
    workspace_ = std::move(workspace).value();
  }
  ~TrialBesideTest() override {
    workspace_.reset();
    std::error_code error;
    fs::remove_all(folder_, error);
  }

  bool is_tried_out() { return rag::are_caches_prepared(*workspace_, "medium"); }

  fs::path folder_;
  std::unique_ptr<rag::Workspace> workspace_;
};

TEST_F(TrialBesideTest, AnOpenModelIsTriedOutMeanwhile) {
  ASSERT_TRUE(workspace_->model().ok());
  ASSERT_FALSE(is_tried_out());
  TrialBeside trial(*workspace_, "medium", never_cancelled());
  trial.begin();
  for (int i = 0; i < 12000 && !is_tried_out(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(is_tried_out());
}

TEST_F(TrialBesideTest, TheEndOfAConversationDoesNotWaitForIt) {
  ASSERT_TRUE(workspace_->model().ok());
  CancelToken stopped;
  stopped.cancel();
  {
    TrialBeside trial(*workspace_, "medium", stopped);
    trial.begin();
  }
  EXPECT_FALSE(is_tried_out());
}

TEST_F(TrialBesideTest, NoModelIsOpenedForIt) {
  TrialBeside trial(*workspace_, "medium", never_cancelled());
  trial.begin();
  EXPECT_FALSE(workspace_->model_is_open());
}

}  // namespace
}  // namespace mneme::app

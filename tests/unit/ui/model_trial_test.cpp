#include "ui/view_model/model_trial.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "rag/answering/writing/mode_choice.h"
#include "storage/catalogue/catalogue.h"
#include "tests/support/checkout/checkout.h"
#include "tests/support/read_only_env.h"
#include "ui/view_model/publisher.h"

namespace mneme::ui {
namespace {

namespace fs = std::filesystem;

class ModelTrialTest : public testing::Test {
 protected:
  ModelTrialTest() {
    std::string pattern = (fs::temp_directory_path() / "mneme-trial-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    open_home(nullptr);
  }
  ~ModelTrialTest() override {
    trial_.reset();
    workspace_.reset();
    std::error_code error;
    fs::remove_all(folder_, error);
  }

  // env: null for the system's files.
  void open_home(storage::FileEnv* env) {
    trial_.reset();
    workspace_.reset();
    rag::WorkspaceOptions options;
    options.home = (folder_ / "home").string();
    options.model = checkout::test_data("tiny.gguf");
    options.embedder = "hashed";
    options.env = env;
    auto workspace = rag::Workspace::open(options);
    ASSERT_TRUE(workspace.ok()) << workspace.status().message();
    workspace_ = std::move(workspace).value();
    trial_ = std::make_unique<ModelTrial>(*workspace_, publisher_);
  }
  void open_model() { ASSERT_TRUE(workspace_->model().ok()); }
  bool is_tried_out() { return rag::are_caches_prepared(*workspace_, "medium"); }
  const EngineView engine() { return publisher_.current()->engine; }

  fs::path folder_;
  std::unique_ptr<rag::Workspace> workspace_;
  std::function<void(const EngineView&)> published_;
  float most_ = -1.0f;  // that was shown
  Publisher publisher_{[this] {
    most_ = std::max(most_, engine().tried);
    if (published_) published_(engine());
  }};
  std::unique_ptr<ModelTrial> trial_;
};

TEST_F(ModelTrialTest, AModelIsTriedOutOnceAndItIsShownHowFarItIs) {
  open_model();
  ASSERT_FALSE(is_tried_out());
  trial_->run();
  EXPECT_TRUE(is_tried_out());
  EXPECT_GT(most_, 0.5f);
  EXPECT_LE(most_, 1.0f);
  EXPECT_LT(engine().tried, 0.0f) << "it is over";
  EXPECT_TRUE(publisher_.current()->notices.empty()) << "of what took a moment nobody needs to hear";
  most_ = -1.0f;
  trial_->run();
  EXPECT_LT(most_, 0.0f) << "not again";
  const auto kept = workspace_->catalogue().settings("model.");
  ASSERT_TRUE(kept.ok());
  for (const auto& [key, value] : *kept) ASSERT_TRUE(workspace_->catalogue().remove_setting(key).ok());
  trial_->run();
  EXPECT_TRUE(is_tried_out()) << "what was found is gone";
}

TEST_F(ModelTrialTest, WhatIsGivenUpIsBegunAnew) {
  open_model();
  published_ = [this](const EngineView& shown) {
    if (shown.tried >= 0) trial_->give_up();
  };
  trial_->run();
  EXPECT_FALSE(is_tried_out());
  EXPECT_LT(engine().tried, 0.0f);
  EXPECT_TRUE(publisher_.current()->notices.empty());
  published_ = {};
  trial_->run();
  EXPECT_TRUE(is_tried_out());
}

TEST_F(ModelTrialTest, NothingIsTriedOutDuringAPause) {
  open_model();
  {
    const ModelTrial::Pause pause(*trial_);
    trial_->run();
    EXPECT_FALSE(is_tried_out());
  }
  trial_->run();
  EXPECT_TRUE(is_tried_out());
}

TEST_F(ModelTrialTest, NoModelIsOpenedForIt) {
  trial_->run();
  EXPECT_FALSE(workspace_->model_is_open());
}

TEST_F(ModelTrialTest, ModesThatDoNotAskTheGateNeedNoTrial) {
  open_model();
  for (const char* const mode : {"full", "prefix", "reuse"}) {
    publisher_.update([&](Snapshot& s) { s.settings.mode = mode; });
    trial_->run();
    EXPECT_FALSE(is_tried_out()) << mode;
  }
}

TEST_F(ModelTrialTest, WhereNothingCanBeKeptItIsNotTriedOutOverAndOver) {
  constexpr bool kMayBeTried = true;  // what calibrates asks no one before it stores what it found
  storage::ReadOnlyEnv env(kMayBeTried);
  open_home(&env);
  open_model();
  trial_->run();
  EXPECT_GT(most_, 0.5f) << "once, it is";
  EXPECT_FALSE(is_tried_out());
  most_ = -1.0f;
  trial_->run();
  EXPECT_LT(most_, 0.0f) << "not behind every answer";
  open_home(nullptr);
}

TEST_F(ModelTrialTest, WhoAsksMeanwhileDoesNotWait) {
  open_model();
  bool asked = false;
  published_ = [&](const EngineView& shown) {
    if (shown.tried <= 0 || asked) return;
    asked = true;
    const auto model = workspace_->model();
    ASSERT_TRUE(model.ok());
    const rag::AskOptions options;
    const rag::AskCallbacks callbacks;
    const auto choice = rag::choose_mode(*workspace_, **model, {"How long?", options, callbacks, never_cancelled()});
    ASSERT_TRUE(choice.ok()) << choice.status().message();
    EXPECT_EQ(choice->mode, rag::AnswerMode::kFull);
    ASSERT_EQ(choice->notes.size(), 1u);
    EXPECT_NE(choice->notes[0].find("being tried out"), std::string::npos) << choice->notes[0];
  };
  trial_->run();
  EXPECT_TRUE(asked);
  EXPECT_TRUE(is_tried_out());
}

}  // namespace
}  // namespace mneme::ui

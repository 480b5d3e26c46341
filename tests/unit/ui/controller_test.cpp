// The controller over a real home: what commands do to the snapshot and to the catalogue.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "rag/indexing/index_control.h"
#include "storage/catalogue/catalogue.h"
#include "storage/env/fault_plan.h"
#include "storage/env/memory_env.h"
#include "tests/support/checkout/checkout.h"
#include "ui/view_model/controller.h"
#include "ui/view_model/index_request.h"

namespace mneme::ui {
namespace {

namespace fs = std::filesystem;

class ControllerTest : public testing::Test {
 protected:
  ControllerTest() {
    std::string pattern = (fs::temp_directory_path() / "mneme-ui-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    fs::create_directories(folder_ / "docs");
    write("docs/warranty.md", "# Warranty\n\nThe kettle has a warranty of three years.\n");
    write("docs/ferry.md", "# Ferry\n\nThe ferry sails at nine in winter.\n");
  }
  ~ControllerTest() override {
    controller_.reset();
    std::error_code error;
    fs::remove_all(folder_, error);
  }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }

  Controller& controller() {
    if (!controller_) {
      Controller::Options options;
      options.workspace.home = env_ == nullptr ? (folder_ / "home").string() : "/home";
      options.workspace.env = env_;
      options.workspace.model = model_;
      options.workspace.embedder = "hashed";
      options.notice = notice_;
      options.tidings = tidings_;
      controller_ = std::make_unique<Controller>(std::move(options), [this] { woken(); });
      wait([](const Snapshot& s) { return s.ready && s.library.loaded; });
    }
    return *controller_;
  }

  // On the thread that has just published.
  void woken() {
    if (!stop_at_first_word_) return;
    const auto snapshot = controller_->snapshot();
    if (snapshot->answering && !snapshot->conversation.messages.back()->text.empty()) controller_->post(StopAnswer{});
  }

  // Waits for a snapshot; fails after a while.
  std::shared_ptr<const Snapshot> wait(const std::function<bool(const Snapshot&)>& done) {
    for (int i = 0; i < 3000; ++i) {
      if (auto snapshot = controller_->snapshot(); done(*snapshot)) return snapshot;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << "nothing happened within 30 s";
    return controller_->snapshot();
  }

  void index() {
    controller().post(AddFolder{(folder_ / "docs").string(), "default"});
    wait([](const Snapshot& s) {
      return !s.indexing.running && !s.library.collections.empty() && s.library.collections[0].documents == 2;
    });
  }

  void ask(const std::string& question) {
    const size_t before = controller().snapshot()->conversation.messages.size();
    controller().post(AskQuestion{question});
    wait([&](const Snapshot& s) {
      return !s.answering && s.conversation.messages.size() == before + 2 && s.conversation.messages.back()->id != 0;
    });
  }

  // The catalogue as another process on the same home has it.
  std::unique_ptr<storage::Catalogue> other_catalogue() {
    auto catalogue = storage::Catalogue::open({.path = (folder_ / "home" / "catalog.db").string()});
    EXPECT_TRUE(catalogue.ok());
    return std::move(catalogue).value();
  }

  fs::path folder_;
  std::string model_ = "none";
  std::string notice_;
  std::function<std::vector<std::string>(storage::Catalogue&)> tidings_;
  storage::FileEnv* env_ = nullptr;  // null: the system's files
  std::atomic<bool> stop_at_first_word_{false};
  std::unique_ptr<Controller> controller_;
};

TEST_F(ControllerTest, WhatIsToBeToldOfTheHomeIsANotice) {
  tidings_ = [](storage::Catalogue&) { return std::vector<std::string>{"config.toml has changed: top-k is 9."}; };
  controller();
  wait([](const Snapshot& s) { return !s.notices.empty(); });
  EXPECT_EQ(controller().snapshot()->notices.front().text, "config.toml has changed: top-k is 9.");
  EXPECT_FALSE(controller().snapshot()->notices.front().is_error);
}

TEST_F(ControllerTest, AQuestionIsAnsweredSavedAndThereAfterARestart) {
  index();
  ask("How long is the warranty of the kettle?");
  auto s = controller().snapshot();
  EXPECT_NE(s->conversation.messages[1]->text.find("three years"), std::string::npos);
  ASSERT_EQ(s->chats->size(), 1u);
  EXPECT_FALSE(s->activity->answers.empty());
  const int64_t chat = s->conversation.chat;
  controller_.reset();
  controller().post(OpenChat{chat});
  s = wait([&](const Snapshot& now) { return now.conversation.chat == chat; });
  ASSERT_EQ(s->conversation.messages.size(), 2u);
  EXPECT_FALSE(s->conversation.messages[1]->sources.empty());
  EXPECT_TRUE(s->conversation.messages[1]->facts.has_value());
}

TEST_F(ControllerTest, EditingReplacesAndBranchingKeeps) {
  index();
  ask("How long is the warranty?");
  ask("When does the ferry sail in winter?");
  const int64_t first = controller().snapshot()->conversation.chat;
  controller().post(BranchChat{1});
  auto s = wait([&](const Snapshot& now) { return now.conversation.chat != first; });
  EXPECT_EQ(s->conversation.messages.size(), 2u);
  EXPECT_EQ(s->chats->size(), 2u);
  controller().post(EditQuestion{0, "When does the ferry sail?"});
  s = wait([](const Snapshot& now) {
    return !now.answering && now.conversation.messages.size() == 2 && now.conversation.messages[1]->id != 0 &&
           now.conversation.messages[0]->text == "When does the ferry sail?";
  });
  EXPECT_NE(s->conversation.messages[1]->text.find("nine"), std::string::npos);
  controller().post(OpenChat{first});
  s = wait([&](const Snapshot& now) { return now.conversation.chat == first; });
  EXPECT_EQ(s->conversation.messages.size(), 4u);
}

TEST_F(ControllerTest, ADeletedChatComesBackByUndoAndGoesWithItsNotice) {
  index();
  ask("How long is the warranty?");
  const int64_t chat = controller().snapshot()->conversation.chat;
  controller().post(DeleteChat{chat});
  wait([](const Snapshot& s) { return s.chats->empty(); });
  controller().post(UndoDeleteChat{chat});
  wait([](const Snapshot& s) { return s.chats->size() == 1; });
  controller().post(DeleteChat{chat});
  auto s = wait([](const Snapshot& now) { return now.chats->empty(); });
  for (const Notice& notice : s->notices) controller().post(DismissNotice{notice.id});
  wait([](const Snapshot& now) { return now.notices.empty(); });
  controller_.reset();
  EXPECT_TRUE(controller().snapshot()->chats->empty());
}

TEST_F(ControllerTest, ClosingBeforeTheNoticeWentDeletesToo) {
  index();
  ask("How long is the warranty?");
  controller().post(DeleteChat{controller().snapshot()->conversation.chat});
  wait([](const Snapshot& s) { return s.chats->empty(); });
  controller_.reset();
  EXPECT_TRUE(controller().snapshot()->chats->empty());
}

TEST_F(ControllerTest, ChatsAreFoundByWhatWasSaid) {
  index();
  ask("How long is the warranty?");
  controller().post(SearchChats{"KETTLE"});  // in the answer, not in the title
  auto s = wait([](const Snapshot& now) { return now.chat_matches && now.chat_matches->text == "KETTLE"; });
  EXPECT_EQ(s->chat_matches->chats, std::vector<int64_t>{s->conversation.chat});
  controller().post(SearchChats{"100%"});
  s = wait([](const Snapshot& now) { return now.chat_matches && now.chat_matches->text == "100%"; });
  EXPECT_TRUE(s->chat_matches->chats.empty());
}

TEST_F(ControllerTest, UnfinishedIndexingGoesOnAtTheNextStart) {
  index();
  controller_.reset();
  {
    auto catalogue = storage::Catalogue::open({.path = (folder_ / "home" / "catalog.db").string()});
    ASSERT_TRUE(catalogue.ok());
    const std::string docs = (folder_ / "docs").string();
    ASSERT_TRUE((*catalogue)
                    ->put_setting("window.unfinished_indexing",
                                  R"({"collection":"default","paused":false,"paths":[")" + docs + "\"]}")
                    .ok());
  }
  write("docs/new.md", "# New\n\nA new document.\n");
  controller();
  wait([](const Snapshot& s) {
    return !s.indexing.running && !s.library.collections.empty() && s.library.collections[0].documents == 3;
  });
}

// Many files, so that there is time to pause.
TEST_F(ControllerTest, PausingHoldsARunAndResumingFinishesIt) {
  fs::create_directories(folder_ / "many");
  for (int i = 0; i < 400; ++i) write("many/" + std::to_string(i) + ".md", "# File\n\nText " + std::to_string(i));
  controller();
  controller().post(AddFolder{(folder_ / "many").string(), "default"});
  controller().post(PauseIndexing{});
  auto s = wait([](const Snapshot& now) {
    return (now.indexing.running && now.indexing.paused) || (!now.library.collections.empty() && !now.indexing.running);
  });
  if (s->indexing.paused) {  // what was in work when it was paused is among what is listed
    wait([](const Snapshot& now) {
      const auto& rows = now.library.collections;
      return now.indexing.done == (rows.empty() ? 0 : static_cast<uint64_t>(rows[0].documents));
    });
  }
  controller().post(ResumeIndexing{});
  s = wait([](const Snapshot& now) {
    return !now.indexing.running && !now.library.collections.empty() && now.library.collections[0].documents == 400;
  });
  EXPECT_FALSE(s->indexing.paused);
}

TEST_F(ControllerTest, WhatWasPausedOrWaitedIsStillThereAtTheNextStart) {
  index();
  controller_.reset();
  fs::create_directories(folder_ / "more");
  write("more/one.md", "# One\n\nOne more.\n");
  {
    auto catalogue = other_catalogue();
    const std::string more = (folder_ / "more").string();
    const std::string docs = (folder_ / "docs").string();
    const std::deque<IndexRequest> requests = {{"default", {docs}, false, true}, {"later", {more}, false, true}};
    ASSERT_TRUE(catalogue->put_setting("window.unfinished_indexing", requests_to_json(requests)).ok());
    ASSERT_TRUE(rag::IndexControl(*catalogue).pause().ok());
  }
  controller();
  auto s = wait([](const Snapshot& now) { return now.indexing.paused; });
  EXPECT_FALSE(s->indexing.running);
  EXPECT_EQ(s->indexing.collection, "default");
  EXPECT_EQ(s->indexing.waiting, 1);
  controller().post(ResumeIndexing{});
  wait([](const Snapshot& now) {
    return !now.indexing.running && now.library.collections.size() == 2 && now.library.collections[1].documents == 1;
  });
  controller_.reset();
  EXPECT_FALSE(other_catalogue()->setting("window.unfinished_indexing")->has_value());
}

TEST_F(ControllerTest, RunsOfOtherProcessesAreSeenAndPaused) {
  index();
  auto other = other_catalogue();
  ASSERT_TRUE(other->put_setting("indexing.active", "99999999999999").ok());
  controller().post(LookAround{});
  wait([](const Snapshot& s) { return s.indexing.elsewhere && !s.indexing.paused; });
  controller().post(PauseIndexing{});
  wait([](const Snapshot& s) { return s.indexing.paused; });
  EXPECT_TRUE(*rag::IndexControl(*other).paused());
  controller().post(ResumeIndexing{});
  wait([](const Snapshot& s) { return !s.indexing.paused; });
  EXPECT_FALSE(*rag::IndexControl(*other).paused());
  ASSERT_TRUE(other->remove_setting("indexing.active").ok());
  controller().post(LookAround{});
  wait([](const Snapshot& s) { return !s.indexing.elsewhere; });
}

TEST_F(ControllerTest, FoldersAreListedForTheBuiltInBrowser) {
  write("docs/mini.gguf", "GGUF");
  write("docs/.hidden", "");
  fs::create_directories(folder_ / "docs" / "sub");
  const std::string docs = (folder_ / "docs").string();
  controller().post(ListFolder{docs, true});
  auto s = wait([](const Snapshot& now) { return now.folder != nullptr; });
  EXPECT_EQ(s->folder->entries, (std::vector<FolderView::Entry>{{"sub", true}, {"mini.gguf", false}}));
  EXPECT_TRUE(s->folder->error.empty());
  controller().post(ListFolder{docs, false});
  s = wait([](const Snapshot& now) { return !now.folder->with_models; });
  EXPECT_EQ(s->folder->entries.size(), 1u);
  controller().post(ListFolder{docs + "/nowhere", false});
  s = wait([](const Snapshot& now) { return !now.folder->error.empty(); });
  EXPECT_TRUE(s->folder->entries.empty());
  controller().post(ListFolder{docs + "/mini.gguf", true});
  s = wait([&](const Snapshot& now) { return now.folder->folder == docs + "/mini.gguf"; });
  EXPECT_TRUE(s->folder->error.empty()) << "a file can be taken itself";
}

TEST_F(ControllerTest, OneDocumentIsReadAgain) {
  index();
  const int64_t before = (*controller().snapshot()->library.documents)[0].id;
  const std::string path((*controller().snapshot()->library.documents)[0].path);
  controller().post(ReadAgain{path, true});
  auto s = wait([&](const Snapshot& now) {
    return !now.indexing.running && now.library.documents->size() == 2 && (*now.library.documents)[0].id != before &&
           (*now.library.documents)[1].id != before;
  });
  EXPECT_EQ(s->library.collections[0].roots.size(), 1u) << "a file read again is no folder of the collection";
}

TEST_F(ControllerTest, WhatWentWrongBeforeTheWindowOpenedIsSaid) {
  notice_ = "window.json does not match its checksum";
  controller();
  const auto s = wait([](const Snapshot& now) { return !now.notices.empty(); });
  EXPECT_TRUE(s->notices.front().is_error);
  EXPECT_EQ(s->notices.front().text, notice_);
}

TEST_F(ControllerTest, AFullDiskIsSaidAndNothingIsLostOnceThereIsRoom) {
  storage::FaultPlan plan;
  storage::MemoryEnv env(&plan);
  env_ = &env;
  index();
  plan.arm(storage::FaultKind::kNoSpace, 0);
  controller().post(AskQuestion{"How long is the warranty of the kettle?"});
  auto s = wait([](const Snapshot& now) { return !now.answering && now.conversation.messages.size() == 2; });
  EXPECT_NE(s->conversation.messages[1]->text.find("three years"), std::string::npos) << "the answer is shown";
  ASSERT_FALSE(s->notices.empty());
  EXPECT_TRUE(s->notices.back().is_error);
  EXPECT_NE(s->notices.back().text.find("space"), std::string::npos) << s->notices.back().text;
  write("docs/new.md", "# New\n\nA new document.\n");
  controller().post(Reindex{"default"});
  wait([](const Snapshot& now) { return now.notices.size() >= 2 && !now.indexing.running; });
  plan.clear();
  controller().post(Reindex{"default"});
  wait([](const Snapshot& now) { return !now.indexing.running && now.library.collections[0].documents == 3; });
  controller().post(NewChat{});
  wait([](const Snapshot& now) { return now.conversation.messages.empty(); });
  ask("How long is the warranty?");
  EXPECT_NE(controller().snapshot()->conversation.chat, 0);
  controller_.reset();  // before its disk
}

TEST_F(ControllerTest, ChatsAreExportedAsMarkdownAndJson) {
  index();
  ask("How long is the warranty of the kettle?");
  const int64_t chat = controller().snapshot()->conversation.chat;
  for (const char* name : {"chat.md", "chat.json"}) {
    const std::string path = (folder_ / name).string();
    controller().post(ExportChat{chat, path});
    wait([&](const Snapshot& s) {
      return std::any_of(s.notices.begin(), s.notices.end(),
                         [&](const Notice& n) { return !n.is_error && n.text.find(path) != std::string::npos; });
    });
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_NE(text.find("three years"), std::string::npos) << text;
  }
  controller().post(ExportChat{chat, "/no/such/folder/chat.md"});
  wait([](const Snapshot& s) {
    return std::any_of(s.notices.begin(), s.notices.end(), [](const Notice& n) { return n.is_error; });
  });
}

TEST_F(ControllerTest, AnExportNeverTakesThePlaceOfAnEarlierOne) {
  index();
  ask("How long is the warranty of the kettle?");
  const int64_t chat = controller().snapshot()->conversation.chat;
  const std::string path = (folder_ / "chat.md").string();
  std::ofstream(path) << "corrected by hand";
  controller().post(ExportChat{chat, path});
  const std::string beside = (folder_ / "chat (2).md").string();
  wait([&](const Snapshot& s) {
    return std::any_of(s.notices.begin(), s.notices.end(),
                       [&](const Notice& n) { return !n.is_error && n.text.find(beside) != std::string::npos; });
  });
  const auto text_of = [](const std::string& name) {
    std::ifstream file(name);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  EXPECT_EQ(text_of(path), "corrected by hand");
  EXPECT_NE(text_of(beside).find("three years"), std::string::npos) << text_of(beside);
}

TEST_F(ControllerTest, SettingsOfAChatThatMakeNoSenseTakeTheirDefaults) {
  index();
  ask("How long is the warranty of the kettle?");
  const int64_t id = controller().snapshot()->conversation.chat;
  controller_.reset();
  storage::ChatRecord chat = *other_catalogue()->chat(static_cast<storage::ChatId>(id));
  chat.settings_json = R"({"pinned":"certainly"})";
  ASSERT_TRUE(other_catalogue()->update_chat(chat).ok());
  (void)controller();
  const auto s = wait([](const Snapshot& now) { return now.chats->size() == 1; });
  EXPECT_FALSE(s->chats->front().pinned);
}

TEST_F(ControllerTest, ChatsAreRenamedAndPinnedOnesStandFirst) {
  index();
  ask("How long is the warranty?");
  const int64_t first = controller().snapshot()->conversation.chat;
  controller().post(NewChat{});
  wait([](const Snapshot& s) { return s.conversation.messages.empty(); });
  ask("When does the ferry sail?");
  EXPECT_NE(controller().snapshot()->chats->front().id, first);
  controller().post(PinChat{first, true});
  controller().post(RenameChat{first, "Kettle"});
  wait([&](const Snapshot& s) {
    return s.chats->front().id == first && s.chats->front().pinned && s.chats->front().title == "Kettle";
  });
}

TEST_F(ControllerTest, FailedFilesAreListedWithReasonsAndTriedAgain) {
  write("docs/broken.pdf", "%PDF-1.4 this is no PDF");
  controller().post(AddFolder{(folder_ / "docs").string(), "default"});
  auto s = wait([](const Snapshot& now) { return now.library.failed && now.library.failed->size() == 1; });
  EXPECT_NE((*s->library.failed)[0].error.find("broken.pdf"), std::string::npos);
  write("docs/broken.pdf", "now it is text");
  fs::rename(folder_ / "docs/broken.pdf", folder_ / "docs/mended.txt");
  controller().post(RetryFailed{"default"});
  wait([](const Snapshot& now) { return now.library.failed && now.library.failed->empty() && !now.indexing.running; });
}

TEST_F(ControllerTest, ADocumentDeletedAfterItWasCitedStillShowsItsPassage) {
  index();
  ask("How long is the warranty of the kettle?");
  const SourceView source = controller().snapshot()->conversation.messages[1]->sources.at(0);
  controller().post(ShowDocument{source});
  auto s = wait([](const Snapshot& now) { return now.document.has_value(); });
  EXPECT_TRUE(s->document->error.empty());
  controller().post(CloseDocument{});
  wait([](const Snapshot& now) { return !now.document.has_value(); });
  fs::remove(source.document);
  controller().post(ShowDocument{source});
  s = wait([](const Snapshot& now) { return now.document.has_value(); });
  EXPECT_EQ(*s->document->text, source.text);
  EXPECT_NE(s->document->error.find(source.document), std::string::npos) << s->document->error;
}

TEST_F(ControllerTest, ADamagedModelIsSaidPlainlyAndQuotingGoesOn) {
  write("broken.gguf", "GGUF but not really");
  index();
  controller().post(UseModel{(folder_ / "broken.gguf").string()});
  auto s = wait([](const Snapshot& now) { return now.engine.state == EngineView::State::kFailed; });
  EXPECT_NE(s->engine.error.find("broken.gguf"), std::string::npos) << s->engine.error;
  controller().post(UseModel{"none"});
  wait([](const Snapshot& now) { return now.engine.state == EngineView::State::kNone; });
  ask("How long is the warranty?");
  EXPECT_TRUE(controller().snapshot()->conversation.messages.back()->error.empty());
}

TEST_F(ControllerTest, AModelIsLoadedAnswersIsUnloadedAndMayVanishMeanwhile) {
  const fs::path model = folder_ / "tiny.gguf";
  fs::copy_file(checkout::test_data("tiny.gguf"), model);
  index();
  controller().post(AddModel{model.string()});
  auto s = wait([](const Snapshot& now) {
    return std::any_of(now.models.begin(), now.models.end(), [](const ModelRow& row) { return row.name == "tiny"; });
  });
  const auto row = std::find_if(s->models.begin(), s->models.end(), [](const ModelRow& r) { return r.name == "tiny"; });
  EXPECT_EQ(row->kind, "language");
  EXPECT_GT(row->context_length, 0);
  EXPECT_GT(row->kv_bytes_per_token, 0);
  controller().post(UseModel{"tiny", "cpu", 1024});
  s = wait([](const Snapshot& now) { return now.engine.running_layers > 0; });
  EXPECT_EQ(s->engine.state, EngineView::State::kOpen);
  EXPECT_GT(s->engine.running_context, 0);
  EXPECT_LE(s->engine.running_context, 1024);
  EXPECT_NE(s->engine.running_on.find("CPU"), std::string::npos) << s->engine.running_on;
  SettingsView settings = controller().snapshot()->settings;
  settings.max_tokens = 16;
  settings.mode = "full";  // no measuring of the quality gate
  controller().post(ChangeSettings{settings});
  ask("How long is the warranty?");
  s = controller().snapshot();
  EXPECT_EQ(s->conversation.messages.back()->facts->model, "tiny");
  EXPECT_FALSE(s->conversation.messages.back()->facts->timeline.empty());
  fs::remove(model);  // while it is loaded: what is in memory goes on
  ask("When does the ferry sail?");
  EXPECT_TRUE(controller().snapshot()->conversation.messages.back()->error.empty());
  controller().post(UnloadModel{});
  wait([](const Snapshot& now) { return now.engine.state == EngineView::State::kClosed; });
  controller().post(AskQuestion{"And in summer?"});
  s = wait([](const Snapshot& now) { return !now.answering && !now.conversation.messages.back()->error.empty(); });
  EXPECT_NE(s->conversation.messages.back()->error.find("tiny.gguf"), std::string::npos);
}

TEST_F(ControllerTest, AnAnswerIsStoppedWhereItIsAndMadeAgain) {
  index();
  model_ = checkout::test_data("tiny.gguf");
  controller_.reset();
  SettingsView settings = controller().snapshot()->settings;
  settings.max_tokens = 64;
  settings.mode = "full";  // no measuring of the quality gate
  controller().post(ChangeSettings{settings});
  stop_at_first_word_ = true;
  controller().post(AskQuestion{"How long is the warranty?"});
  const auto saved = [](const Snapshot& s) {
    return !s.answering && s.conversation.messages.size() == 2 && s.conversation.messages.back()->id != 0;
  };
  auto s = wait(saved);
  const auto stopped = s->conversation.messages.back();
  EXPECT_FALSE(stopped->text.empty()) << "what was written stays";
  ASSERT_TRUE(stopped->facts.has_value()) << stopped->error;
  EXPECT_EQ(stopped->facts->finish, "interrupted");

  stop_at_first_word_ = false;
  settings.max_tokens = 5;
  controller().post(ChangeSettings{settings});
  controller().post(RegenerateAnswer{});
  s = wait([&](const Snapshot& now) { return saved(now) && now.conversation.messages.back()->id != stopped->id; });
  ASSERT_EQ(s->conversation.messages.size(), 2u) << "in place of the one before";
  EXPECT_EQ(s->conversation.messages[0]->text, "How long is the warranty?");
  EXPECT_EQ(s->conversation.messages[1]->facts->finish, "length");
  EXPECT_EQ(s->conversation.messages[1]->facts->answer_tokens, 5);
}

TEST_F(ControllerTest, TheShippedModelFinishesAnAnswer) {
  const fs::path shipped = checkout::path("assets/models/mneme-mini.gguf");
  if (!fs::exists(shipped)) GTEST_SKIP() << "no shipped model here";
  index();
  model_ = shipped.string();
  controller_.reset();
  SettingsView settings = controller().snapshot()->settings;
  settings.max_tokens = 64;
  settings.mode = "full";  // no measuring of the quality gate
  controller().post(ChangeSettings{settings});
  ask("How long is the warranty of the kettle?");
  const auto answer = controller().snapshot()->conversation.messages.back();
  EXPECT_TRUE(answer->error.empty()) << answer->error;
  EXPECT_FALSE(answer->text.empty());
  EXPECT_FALSE(answer->streaming);
  EXPECT_FALSE(answer->sources.empty());
  ASSERT_TRUE(answer->facts.has_value());
  EXPECT_TRUE(answer->facts->finish == "stop" || answer->facts->finish == "length") << answer->facts->finish;
  EXPECT_GT(answer->facts->answer_tokens, 0);
  EXPECT_FALSE(answer->facts->timeline.empty());
}

TEST_F(ControllerTest, ALaterTurnGoesOnFromWhatTheChatComputed) {
  const fs::path model = folder_ / "tiny.gguf";
  fs::copy_file(checkout::test_data("tiny.gguf"), model);
  index();
  controller().post(AddModel{model.string()});
  wait([](const Snapshot& now) { return !now.models.empty(); });
  const auto open_model = [&] {
    controller().post(UseModel{"tiny", "cpu", 1024});
    wait([](const Snapshot& now) { return now.engine.state == EngineView::State::kOpen; });
    SettingsView settings = controller().snapshot()->settings;
    settings.max_tokens = 8;
    settings.mode = "reuse";  // no measuring of the quality gate
    settings.kv_level = "exact";
    controller().post(ChangeSettings{settings});
  };
  // Passages left in place, and tokens of earlier turns that were not computed again.
  const auto kept = [&] {
    const auto message = controller().snapshot()->conversation.messages.back();
    EXPECT_TRUE(message->error.empty()) << message->error;
    const auto cache = nlohmann::json::parse(message->details_json ? *message->details_json : "{}")["cache"];
    return cache.value("carried", 0) + cache.value("history_tokens", 0);
  };
  open_model();
  ask("How long is the warranty of the kettle?");
  EXPECT_EQ(kept(), 0);
  ask("How long is the warranty of the kettle in winter?");
  EXPECT_GT(kept(), 0);
  const int64_t chat = controller().snapshot()->conversation.chat;
  controller_.reset();
  controller().post(OpenChat{chat});
  wait([&](const Snapshot& now) { return now.conversation.chat == chat && now.conversation.messages.size() == 4; });
  open_model();
  ask("How long is the warranty of the kettle in winter?");
  EXPECT_GT(kept(), 0) << "closing the window stored it";
}

TEST_F(ControllerTest, TheMeterShowsWhatAnswersHaveStored) {
  const fs::path model = folder_ / "tiny.gguf";
  fs::copy_file(checkout::test_data("tiny.gguf"), model);
  index();
  controller().post(AddModel{model.string()});
  wait([](const Snapshot& now) { return !now.models.empty(); });
  controller().post(UseModel{"tiny", "cpu", 1024});
  wait([](const Snapshot& now) { return now.engine.state == EngineView::State::kOpen; });
  SettingsView settings = controller().snapshot()->settings;
  settings.max_tokens = 8;
  settings.mode = "reuse";  // no measuring of the quality gate
  controller().post(ChangeSettings{settings});
  EXPECT_EQ(controller().snapshot()->library.kv_chunks, 0);
  ask("How long is the warranty of the kettle?");
  for (int i = 0; i < 14 && controller().snapshot()->library.kv_chunks == 0; ++i) {
    controller().post(LookAround{});  // as the library does while it is looked at
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
  EXPECT_GT(controller().snapshot()->library.kv_chunks, 0);
  EXPECT_GT(controller().snapshot()->library.kv_bytes, 0);
  EXPECT_GT(controller().snapshot()->library.kv_misses, 0) << "counted while the model is open, not when it is closed";
}

TEST_F(ControllerTest, WatchedFoldersFollowChanges) {
  index();
  controller().post(WatchCollection{"default", true});
  wait([](const Snapshot& s) { return s.library.collections[0].watched; });
  write("docs/third.md", "# Third\n\nOne more.\n");
  wait([](const Snapshot& s) { return s.library.collections[0].documents == 3; });
  controller().post(WatchCollection{"default", false});
  wait([](const Snapshot& s) { return !s.library.collections[0].watched; });
}

TEST_F(ControllerTest, QuotaAndLevelsAreKept) {
  index();
  controller().post(SetQuota{5'000'000'000});
  wait([](const Snapshot& s) { return s.library.kv_quota_bytes == 5'000'000'000; });
  controller().post(SetCollectionLevel{"default", "high"});
  wait([](const Snapshot& s) { return s.library.collections[0].kv_level == "high"; });
  controller_.reset();
  auto s = controller().snapshot();
  EXPECT_EQ(s->library.kv_quota_bytes, 5'000'000'000);
  EXPECT_EQ(s->library.collections[0].kv_level, "high");
}

}  // namespace
}  // namespace mneme::ui

// The controller over a real home: models, and answers that they write.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "rag/kv_reuse/chat_kv.h"
#include "storage/chunks/chunk_store.h"
#include "tests/support/checkout/checkout.h"
#include "tests/unit/ui/controller_fixture.h"

namespace mneme::ui {
namespace {

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
  s = wait([](const Snapshot& now) {
    return !now.conversation.answering && !now.conversation.messages.back()->error.empty();
  });
  EXPECT_NE(s->conversation.messages.back()->error.find("tiny.gguf"), std::string::npos);
}

TEST_F(ControllerTest, ChatsOpenAndQuestionsAreAskedWhileAModelLoads) {
  fs::copy_file(checkout::test_data("tiny.gguf"), folder_ / "tiny.gguf");
  index();
  ask("How long is the warranty?");
  const int64_t first = controller().snapshot()->conversation.chat;
  SettingsView settings = controller().snapshot()->settings;
  settings.max_tokens = 8;
  settings.mode = "full";  // no measuring of the quality gate
  controller().post(ChangeSettings{settings});
  hold_loading_ = true;
  controller().post(UseModel{(folder_ / "tiny.gguf").string(), "cpu", 1024});
  wait([](const Snapshot& now) { return now.engine.state == EngineView::State::kLoading; });
  controller().post(NewChat{});
  wait([](const Snapshot& now) { return now.conversation.messages.empty(); });
  controller().post(OpenChat{first});
  wait([&](const Snapshot& now) { return now.conversation.chat == first; });
  EXPECT_EQ(controller().snapshot()->engine.state, EngineView::State::kLoading) << "all that while it loads";
  ask("When does the ferry sail?");  // opens the model itself
  const auto answer = controller().snapshot()->conversation.messages.back();
  ASSERT_TRUE(answer->facts.has_value()) << answer->error;
  EXPECT_NE(answer->facts->model, "none");
  hold_loading_ = false;
  wait([](const Snapshot& now) {
    return now.engine.state == EngineView::State::kOpen && now.engine.progress < 0.0f && now.engine.running_layers > 0;
  });
}

TEST_F(ControllerTest, WhatIsChosenWhileAModelLoadsTakesItsPlace) {
  fs::copy_file(checkout::test_data("tiny.gguf"), folder_ / "tiny.gguf");
  index();
  for (const bool ends_meanwhile : {true, false}) {
    hold_loading_ = true;
    controller().post(UseModel{(folder_ / "tiny.gguf").string(), "cpu", 1024});
    wait([](const Snapshot& now) { return now.engine.state == EngineView::State::kLoading; });
    if (ends_meanwhile) hold_loading_ = false;
    controller().post(UseModel{"none"});
    wait([](const Snapshot& now) { return now.engine.state == EngineView::State::kNone; });
    hold_loading_ = false;
    ask("How long is the warranty?");
    EXPECT_EQ(controller().snapshot()->conversation.messages.back()->facts->model, "none");
    EXPECT_EQ(controller().snapshot()->engine.state, EngineView::State::kNone);
  }
}

TEST_F(ControllerTest, ClosingTheWindowDoesNotWaitForAModelToBeRead) {
  fs::copy_file(checkout::test_data("tiny.gguf"), folder_ / "tiny.gguf");
  hold_loading_ = true;
  controller().post(UseModel{(folder_ / "tiny.gguf").string(), "cpu", 1024});
  wait([](const Snapshot& now) { return now.engine.state == EngineView::State::kLoading; });
  std::thread release([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    hold_loading_ = false;
  });
  controller_.reset();
  release.join();
  EXPECT_EQ(controller().snapshot()->settings.model, (folder_ / "tiny.gguf").string()) << "chosen all the same";
}

TEST_F(ControllerTest, DeletingAChatStopsItsAnswer) {
  index();
  model_ = checkout::test_data("tiny.gguf");
  controller_.reset();
  SettingsView settings = controller().snapshot()->settings;
  settings.max_tokens = 4096;
  settings.mode = "full";  // no measuring of the quality gate
  controller().post(ChangeSettings{settings});
  controller().post(AskQuestion{"How long is the warranty?"});
  const auto s = wait([](const Snapshot& now) {
    return now.conversation.chat != 0 && now.conversation.messages.size() == 2 &&
           !now.conversation.messages.back()->text.empty();
  });
  controller().post(DeleteChat{s->conversation.chat});
  wait([](const Snapshot& now) { return !now.answers() && now.conversation.messages.empty(); });
  controller().post(UndoDeleteChat{s->conversation.chat});
  controller().post(OpenChat{s->conversation.chat});
  const auto back = wait([](const Snapshot& now) { return now.conversation.messages.size() == 2; });
  ASSERT_TRUE(back->conversation.messages.back()->facts.has_value());
  EXPECT_FALSE(back->conversation.messages.back()->text.empty()) << "what was written stays";
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
    return !s.conversation.answering && s.conversation.messages.size() == 2 && s.conversation.messages.back()->id != 0;
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

TEST_F(ControllerTest, HalfAnAnswerDoesNotTakeTheWholeOnesPlaceWhenItsModelGoes) {
  answer_with_tiny(5);
  ask("How long is the warranty?");
  const ConversationView before = controller().snapshot()->conversation;
  hold_writing_ = true;
  controller().post(RegenerateAnswer{});
  wait(has_first_word);
  controller().post(UnloadModel{});
  hold_writing_ = false;
  const auto s = wait([](const Snapshot& now) { return !now.conversation.answering; });
  ASSERT_FALSE(s->notices.empty());
  EXPECT_EQ(s->notices.back().text, "The answer to “How long is the warranty?” was stopped; the one before stays.");
  EXPECT_EQ(s->conversation.messages, before.messages);
}

TEST_F(ControllerTest, AnAnswerGoesOnInItsChatWhileAnotherIsShown) {
  answer_with_tiny(5);
  const int64_t chat = leave_at_first_word("How long is the warranty?");
  EXPECT_EQ(controller().snapshot()->conversation.chat, 0) << "a new one was begun";
  hold_writing_ = false;
  auto s = wait([](const Snapshot& now) { return !now.answers() && !now.notices.empty(); });
  EXPECT_EQ(s->notices.back().text, "“How long is the warranty?” was answered.");
  EXPECT_EQ(s->notices.back().action, NoticeAction::kOpenChat);
  EXPECT_EQ(s->notices.back().chat, chat);
  controller().post(OpenChat{chat});
  s = wait([&](const Snapshot& now) { return now.conversation.chat == chat; });
  ASSERT_EQ(s->conversation.messages.size(), 2u);
  ASSERT_TRUE(s->conversation.messages[1]->facts.has_value());
  EXPECT_EQ(s->conversation.messages[1]->facts->answer_tokens, 5) << "to its end";
}

TEST_F(ControllerTest, WhoComesBackToAChatFindsItsAnswerBeingWritten) {
  answer_with_tiny(8);
  const int64_t chat = leave_at_first_word("How long is the warranty?");
  const std::string written = controller().snapshot()->elsewhere.at(0).messages.back()->text;
  controller().post(OpenChat{chat});
  auto s = wait([&](const Snapshot& now) { return now.conversation.chat == chat; });
  EXPECT_TRUE(s->elsewhere.empty());
  ASSERT_TRUE(s->conversation.answering);
  EXPECT_TRUE(s->conversation.messages.back()->streaming);
  EXPECT_EQ(s->conversation.messages.back()->text, written);
  controller().post(StopAnswer{});
  hold_writing_ = false;
  s = wait([](const Snapshot& now) { return !now.conversation.answering; });
  EXPECT_NE(s->conversation.messages.back()->id, 0) << "kept";
  EXPECT_EQ(s->conversation.messages.back()->facts->finish, "interrupted");
  EXPECT_TRUE(s->notices.empty()) << "it is in sight";
}

TEST_F(ControllerTest, AQuestionWaitsForTheAnswerInAnotherChatOrIsTakenBack) {
  answer_with_tiny(8);
  const int64_t first = leave_at_first_word("How long is the warranty?");
  change_longest_answer(3);  // of what is asked from here on
  controller().post(AskQuestion{"When does the ferry sail?"});
  const auto waits = [](const Snapshot& now) {
    return now.conversation.messages.size() == 2 && now.conversation.messages[1]->stage == "waiting";
  };
  wait(waits);
  controller().post(StopAnswer{});
  auto s = wait([](const Snapshot& now) { return !now.conversation.answering; });
  ASSERT_TRUE(s->conversation.messages[1]->facts.has_value());
  EXPECT_EQ(s->conversation.messages[1]->facts->finish, "interrupted") << "at once, whatever the other one does";
  EXPECT_EQ(s->elsewhere.size(), 1u);
  controller().post(RegenerateAnswer{});
  wait(waits);
  controller().post(StopAnswer{first});
  hold_writing_ = false;
  s = wait([](const Snapshot& now) { return !now.answers(); });
  ASSERT_TRUE(s->conversation.messages[1]->facts.has_value());
  EXPECT_EQ(s->conversation.messages[1]->facts->answer_tokens, 3);
  controller().post(OpenChat{first});
  s = wait([&](const Snapshot& now) { return now.conversation.chat == first; });
  ASSERT_TRUE(s->conversation.messages[1]->facts.has_value());
  EXPECT_EQ(s->conversation.messages[1]->facts->finish, "interrupted");
  EXPECT_FALSE(s->conversation.messages[1]->text.empty()) << "what was written stays";
}

TEST_F(ControllerTest, OfADeletedChatNothingComputedStays) {
  index();
  model_ = checkout::test_data("tiny.gguf");
  controller_.reset();
  SettingsView settings = controller().snapshot()->settings;
  settings.max_tokens = 8;
  settings.mode = "reuse";  // no measuring of the quality gate
  settings.kv_level = "exact";
  controller().post(ChangeSettings{settings});
  const auto files_of = [&](int64_t chat) {
    const auto store =
        storage::ChunkStore::open({.roots = {(folder_ / "home" / "kv").string()}, .quota_bytes = 1 << 30});
    EXPECT_TRUE(store.ok());
    int files = 0;
    EXPECT_TRUE((*store)
                    ->for_each([&](const storage::ChunkFileInfo& info, uint64_t) {
                      files += info.text_hash == rag::ChatKv::text_hash(chat) ? 1 : 0;
                      return true;
                    })
                    .ok());
    return files;
  };
  ask("How long is the warranty?");
  ask("And of the kettle?");
  controller().post(RegenerateAnswer{});
  const int64_t chat = controller().snapshot()->conversation.chat;
  const int64_t answered = controller().snapshot()->conversation.messages.back()->id;
  wait([&](const Snapshot& s) { return !s.conversation.answering && s.conversation.messages.back()->id > answered; });
  EXPECT_GT(files_of(chat), 0);
  controller().post(DeleteChat{chat});
  auto s = wait([](const Snapshot& now) { return now.chats->empty(); });
  for (const Notice& notice : s->notices) controller().post(DismissNotice{notice.id});
  wait([&](const Snapshot&) { return files_of(chat) == 0; });
  ask("When does the ferry sail?");  // leaves the deleted chat
  EXPECT_EQ(files_of(chat), 0);
  controller_.reset();
  EXPECT_EQ(files_of(chat), 0);
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
  for (int i = 0; i < 300 && controller().snapshot()->library.kv_chunks == 0; ++i) {
    controller().post(LookAround{});  // as the library does while it is looked at
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
  EXPECT_GT(controller().snapshot()->library.kv_chunks, 0);
  EXPECT_GT(controller().snapshot()->library.kv_bytes, 0);
  EXPECT_GT(controller().snapshot()->library.kv_misses, 0) << "counted while the model is open, not when it is closed";
}

// An embedder is chosen for the next start: what is indexed was embedded by the one that is used now.
TEST_F(ControllerTest, AnEmbedderIsChosenForTheNextStart) {
  index();
  storage::ModelRecord record;
  record.name = "other";
  record.path = (folder_ / "other.gguf").string();
  record.kind = "embedder";
  ASSERT_TRUE(other_catalogue()->put_model(record).ok());
  const auto row = [](const Snapshot& s) {
    return std::find_if(s.models.begin(), s.models.end(), [](const ModelRow& model) { return model.name == "other"; });
  };
  wait([&](const Snapshot& s) {
    controller().post(LookAround{});
    return row(s) != s.models.end();
  });
  EXPECT_FALSE(row(*controller().snapshot())->in_use);
  controller().post(UseEmbedder{"other"});
  const auto s = wait([](const Snapshot& now) {
    return std::any_of(now.notices.begin(), now.notices.end(),
                       [](const Notice& n) { return n.text.find("next start") != std::string::npos; });
  });
  EXPECT_NE(s->notices.back().text.find("2 passages"), std::string::npos) << s->notices.back().text;
  EXPECT_TRUE(other_catalogue()->find_model("other")->value().is_default);
  controller().post(UseEmbedder{"the one before"});
  wait([](const Snapshot& now) { return now.notices.size() >= 3; });
  EXPECT_FALSE(other_catalogue()->find_model("other")->value().is_default);
}

}  // namespace
}  // namespace mneme::ui

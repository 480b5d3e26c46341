// The controller over a real home: chats, settings and what goes wrong.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "storage/catalogue/catalogue.h"
#include "storage/encryption/encrypted_env.h"
#include "storage/env/fault_plan.h"
#include "storage/env/memory_env.h"
#include "tests/unit/ui/controller_fixture.h"

namespace mneme::ui {
namespace {

TEST_F(ControllerTest, WhatIsSetJustBeforeClosingIsKept) {
  index();
  ask("How long is the warranty?");
  const int64_t chat = controller().snapshot()->conversation.chat;
  busy_once_ = true;
  controller().post(SearchChats{"warranty"});
  controller().post(RenameChat{chat, "Kettle"});
  SettingsView settings = controller().snapshot()->settings;
  settings.top_k = 11;
  controller().post(ChangeSettings{settings});
  controller_.reset();
  EXPECT_EQ(controller().snapshot()->settings.top_k, 11);
  EXPECT_EQ(controller().snapshot()->chats->front().title, "Kettle");
}

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

TEST_F(ControllerTest, AFollowUpLeansOnItsChat) {
  index();
  ask("How long is the warranty of the kettle?");
  ask("And is it the same in winter?");
  const auto leans = controller().snapshot()->conversation.messages.back();
  ASSERT_TRUE(leans->facts);
  EXPECT_NE(leans->facts->query.find("kettle"), std::string::npos) << leans->facts->query;
  controller().post(NewChat{});
  wait([](const Snapshot& s) { return s.conversation.messages.empty(); });
  ask("And is it the same in winter?");
  EXPECT_EQ(controller().snapshot()->conversation.messages.back()->facts->query, "") << "there is nothing to lean on";
}

TEST_F(ControllerTest, BranchesOfBranchesAreCounted) {
  index();
  ask("How long is the warranty?");
  controller().post(RenameChat{controller().snapshot()->conversation.chat, "Kettle"});
  for (const char* title : {"Kettle (branch)", "Kettle (branch 2)", "Kettle (branch 3)"}) {
    wait([](const Snapshot& s) { return s.conversation.title.starts_with("Kettle"); });
    controller().post(BranchChat{1});
    EXPECT_EQ(wait([&](const Snapshot& s) { return s.conversation.title == title; })->conversation.title, title);
  }
  controller().post(RenameChat{controller().snapshot()->conversation.chat, "The (branch office)"});
  wait([](const Snapshot& s) { return s.conversation.title == "The (branch office)"; });
  controller().post(BranchChat{1});
  wait([](const Snapshot& s) { return s.conversation.title == "The (branch office) (branch)"; });
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
    return !now.conversation.answering && now.conversation.messages.size() == 2 &&
           now.conversation.messages[1]->id != 0 && now.conversation.messages[0]->text == "When does the ferry sail?";
  });
  EXPECT_NE(s->conversation.messages[1]->text.find("nine"), std::string::npos);
  controller().post(OpenChat{first});
  s = wait([&](const Snapshot& now) { return now.conversation.chat == first; });
  EXPECT_EQ(s->conversation.messages.size(), 4u);
}

// Texts of a chat as the catalogue has them.
std::vector<std::string> kept_texts(storage::Catalogue& catalogue, int64_t chat) {
  std::vector<std::string> texts;
  const auto messages = catalogue.messages(static_cast<storage::ChatId>(chat));
  for (const storage::MessageRecord& message : *messages) texts.push_back(message.text);
  return texts;
}

TEST_F(ControllerTest, AnAnswerMadeAgainTakesItsPlaceInTheSameChat) {
  index();
  ask("How long is the warranty?");
  ask("When does the ferry sail in winter?");
  const ConversationView before = controller().snapshot()->conversation;
  controller().post(RegenerateAnswer{0});
  const auto s = wait([&](const Snapshot& now) {
    return !now.conversation.answering && now.conversation.messages[1]->id > before.messages[3]->id &&
           now.conversation.messages[3]->id > now.conversation.messages[1]->id;
  });
  ASSERT_EQ(s->conversation.messages.size(), 4u);
  EXPECT_EQ(s->conversation.chat, before.chat);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(s->conversation.messages[i]->text, before.messages[i]->text);
  std::vector<std::string> shown;
  for (const auto& message : before.messages) shown.push_back(message->text);
  EXPECT_EQ(kept_texts(*other_catalogue(), before.chat), shown);
  EXPECT_EQ(s->chats->size(), 1u);
}

TEST_F(ControllerTest, AQuestionThatFailedIsAnsweredInItsPlaceAndNoneBecomesBlank) {
  write("broken.gguf", "GGUF but not really");
  index();
  controller().post(UseModel{(folder_ / "broken.gguf").string()});
  wait([](const Snapshot& now) { return now.engine.state == EngineView::State::kFailed; });
  controller().post(AskQuestion{"How long is the warranty?"});
  wait([](const Snapshot& now) {
    return !now.conversation.answering && now.conversation.messages.size() == 2 &&
           !now.conversation.messages[1]->error.empty();
  });
  controller().post(UseModel{"none"});
  wait([](const Snapshot& now) { return now.engine.state == EngineView::State::kNone; });
  ask("When does the ferry sail in winter?");
  const int64_t chat = controller().snapshot()->conversation.chat;
  const int64_t last = controller().snapshot()->conversation.messages[3]->id;
  EXPECT_EQ(controller().snapshot()->conversation.messages[1]->id, 0) << "numbers are of those that were kept";
  controller().post(RegenerateAnswer{});
  auto s =
      wait([&](const Snapshot& now) { return !now.conversation.answering && now.conversation.messages[3]->id > last; });
  EXPECT_FALSE(s->conversation.messages[1]->error.empty());
  EXPECT_EQ(kept_texts(*other_catalogue(), chat).size(), 3u);
  controller().post(RegenerateAnswer{0});
  s = wait([&](const Snapshot& now) { return !now.conversation.answering && now.conversation.messages[1]->id != 0; });
  EXPECT_NE(s->conversation.messages[1]->text.find("three years"), std::string::npos);
  const std::vector<std::string> kept = kept_texts(*other_catalogue(), chat);
  ASSERT_EQ(kept.size(), 4u);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(kept[i], s->conversation.messages[i]->text);
}

TEST_F(ControllerTest, WhatWasAnsweredStaysWhenItCannotBeAnsweredAgain) {
  write("broken.gguf", "GGUF but not really");
  index();
  ask("How long is the warranty?");
  const ConversationView before = controller().snapshot()->conversation;
  controller().post(UseModel{(folder_ / "broken.gguf").string()});
  wait([](const Snapshot& now) { return now.engine.state == EngineView::State::kFailed; });
  uint64_t told = 0;  // the notice of the time before
  const auto fails = [&](const Command& command) {
    controller().post(command);
    return wait([&](const Snapshot& now) {
      return !now.conversation.answering &&
             std::any_of(now.notices.begin(), now.notices.end(), [&](const Notice& notice) {
               return notice.id > told && notice.text.starts_with("What was answered before stays");
             });
    });
  };
  for (const Command& command : {Command{RegenerateAnswer{}}, Command{EditQuestion{0, "When does the ferry sail?"}}}) {
    const auto s = fails(command);
    EXPECT_EQ(s->conversation.messages, before.messages);
    EXPECT_TRUE(s->notices.back().is_error);
    EXPECT_NE(s->notices.back().text.find("broken.gguf"), std::string::npos) << s->notices.back().text;
    told = s->notices.back().id;
  }
  EXPECT_EQ(kept_texts(*other_catalogue(), before.chat).size(), 2u);
  EXPECT_EQ(kept_texts(*other_catalogue(), before.chat)[1], before.messages[1]->text);
}

TEST_F(ControllerTest, ADeletedChatComesBackByUndoAndGoesWithItsNotice) {
  index();
  ask("How long is the warranty?");
  const int64_t chat = controller().snapshot()->conversation.chat;
  controller().post(DeleteChat{chat});
  wait([](const Snapshot& s) { return s.chats->empty(); });
  controller().post(UndoDeleteChat{chat});
  wait([&](const Snapshot& s) { return s.chats->size() == 1 && s.conversation.messages.size() == 2; });
  EXPECT_EQ(controller().snapshot()->conversation.chat, chat) << "it was shown, and is again";
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

TEST_F(ControllerTest, WhatWentWrongBeforeTheWindowOpenedIsSaid) {
  notice_ = "window.json does not match its checksum";
  controller();
  const auto s = wait([](const Snapshot& now) { return !now.notices.empty(); });
  EXPECT_TRUE(s->notices.front().is_error);
  EXPECT_EQ(s->notices.front().text, notice_);
}

TEST_F(ControllerTest, AnEncryptedHomeWaitsForItsPassphrase) {
  storage::MemoryEnv disk;
  const auto secret = [](std::string_view text) { return Unlock{std::make_shared<storage::Secret>(text)}; };
  Controller::Options options;
  options.workspace.home = "/home";
  options.workspace.embedder = "hashed";
  options.unlock = [&](ByteSpan passphrase) -> Result<std::shared_ptr<storage::FileEnv>> {
    if (as_text(passphrase) != "sesame") return usage_error("this is not the passphrase");
    auto env = storage::EncryptedEnv::make(disk, std::make_shared<storage::Secret>(std::string_view("key")), {"/home"});
    if (!env.ok()) return env.status();
    return std::shared_ptr<storage::FileEnv>(std::move(env).value());
  };
  controller_ = std::make_unique<Controller>(std::move(options), [] {});
  auto s = wait([](const Snapshot& now) { return now.locked.has_value(); });
  EXPECT_FALSE(s->ready);
  EXPECT_TRUE(s->locked->error.empty());
  controller_->post(AskQuestion{"How long is the warranty?"});  // nobody is there yet to hear it
  controller_->post(secret("hurdy gurdy"));
  s = wait([](const Snapshot& now) { return now.locked && !now.locked->error.empty(); });
  EXPECT_EQ(s->locked->error, "this is not the passphrase");
  EXPECT_FALSE(s->ready);
  controller_->post(secret("sesame"));
  s = wait([](const Snapshot& now) { return now.ready && now.library.loaded; });
  EXPECT_FALSE(s->locked.has_value());
  EXPECT_TRUE(s->fatal.empty());
  EXPECT_TRUE(s->conversation.messages.empty());
  controller_.reset();
}

TEST_F(ControllerTest, AFullDiskIsSaidAndNothingIsLostOnceThereIsRoom) {
  storage::FaultPlan plan;
  storage::MemoryEnv env(&plan);
  env_ = &env;
  index();
  plan.arm(storage::FaultKind::kNoSpace, 0);
  controller().post(AskQuestion{"How long is the warranty of the kettle?"});
  auto s =
      wait([](const Snapshot& now) { return !now.conversation.answering && now.conversation.messages.size() == 2; });
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

TEST_F(ControllerTest, AChatThatCouldNotBeKeptIsThereOnReturnAndIsKeptOnceThereIsRoom) {
  storage::FaultPlan plan;
  storage::MemoryEnv env(&plan);
  env_ = &env;
  index();
  const auto answered = [](size_t messages) {
    return [messages](const Snapshot& s) {
      return !s.conversation.answering && s.conversation.messages.size() == messages;
    };
  };
  plan.arm(storage::FaultKind::kNoSpace, 0);
  controller().post(AskQuestion{"How long is the warranty of the kettle?"});
  auto s = wait(answered(2));
  const int64_t number = s->conversation.chat;
  EXPECT_LT(number, 0) << "none of the catalogue's";
  ASSERT_EQ(s->chats->size(), 1u);
  EXPECT_EQ(s->chats->front().id, number);
  EXPECT_TRUE(s->chats->front().unkept);
  controller().post(RenameChat{number, "Kettle"});
  wait([](const Snapshot& now) { return now.chats->size() == 1 && now.chats->front().title == "Kettle"; });
  // Another one, and back.
  controller().post(NewChat{});
  wait([](const Snapshot& now) { return now.conversation.messages.empty(); });
  controller().post(AskQuestion{"When does the ferry sail?"});
  s = wait(answered(2));
  EXPECT_EQ(s->chats->size(), 2u);
  EXPECT_FALSE(s->answers());
  controller().post(OpenChat{number});
  s = wait([&](const Snapshot& now) { return now.conversation.chat == number; });
  ASSERT_EQ(s->conversation.messages.size(), 2u);
  EXPECT_NE(s->conversation.messages[1]->text.find("three years"), std::string::npos);
  // It goes on; once there is room all of it is kept, in its order, and what nobody looks at as well.
  controller().post(AskQuestion{"And the ferry in winter?"});
  wait(answered(4));
  plan.clear();
  controller().post(ExportChat{number, "/home/kettle.md"});
  wait([](const Snapshot& now) {
    return std::any_of(now.notices.begin(), now.notices.end(),
                       [](const Notice& n) { return n.file == "/home/kettle.md"; });
  });
  controller().post(AskQuestion{"How long is the warranty?"});
  s = wait([](const Snapshot& now) { return !now.conversation.answering && now.conversation.messages.size() == 6; });
  EXPECT_GT(s->conversation.chat, 0);
  EXPECT_FALSE(s->conversation.unkept());
  for (const auto& message : s->conversation.messages) EXPECT_GT(message->id, 0) << message->text;
  controller().post(LookAround{});
  s = wait([](const Snapshot& now) {
    return now.elsewhere.empty() && std::none_of(now.chats->begin(), now.chats->end(),
                                                 [](const ChatRow& row) { return row.unkept || row.id < 0; });
  });
  EXPECT_EQ(s->chats->size(), 2u);
  const int64_t chat = s->conversation.chat;
  const size_t n = s->conversation.messages.size();
  controller().post(NewChat{});
  controller().post(OpenChat{chat});
  s = wait([&](const Snapshot& now) { return now.conversation.chat == chat && now.conversation.messages.size() == n; });
  EXPECT_EQ(s->conversation.title, "Kettle");
  EXPECT_EQ(s->conversation.messages[0]->text, "How long is the warranty of the kettle?");
  EXPECT_EQ(s->conversation.messages[4]->text, "How long is the warranty?");
  controller_.reset();  // before its disk
}

TEST_F(ControllerTest, ADeletedChatThatCouldNotBeKeptComesBackByUndo) {
  storage::FaultPlan plan;
  storage::MemoryEnv env(&plan);
  env_ = &env;
  index();
  ask("How long is the warranty of the kettle?");
  const int64_t kept = controller().snapshot()->conversation.chat;
  plan.arm(storage::FaultKind::kNoSpace, 0);
  const auto answered = [](size_t messages) {
    return [messages](const Snapshot& s) {
      return !s.conversation.answering && s.conversation.messages.size() == messages;
    };
  };
  controller().post(AskQuestion{"When does the ferry sail?"});
  wait(answered(4));
  controller().post(NewChat{});
  wait([](const Snapshot& s) { return s.conversation.messages.empty(); });
  controller().post(AskQuestion{"How long is the warranty?"});
  const int64_t unkept =
      wait([&](const Snapshot& s) { return answered(2)(s) && s.chats->size() == 2; })->conversation.chat;
  for (const int64_t chat : {unkept, kept}) {
    controller().post(DeleteChat{chat});
    wait([](const Snapshot& s) { return s.chats->size() == 1; });
    controller().post(UndoDeleteChat{chat});
    wait([](const Snapshot& s) { return s.chats->size() == 2; });
  }
  auto s = controller().snapshot();
  EXPECT_EQ(s->conversation.chat, unkept) << "which was shown";
  controller().post(OpenChat{kept});
  s = wait([](const Snapshot& now) { return now.conversation.messages.size() == 4; });
  EXPECT_TRUE(s->conversation.unkept());
  plan.clear();
  controller().post(LookAround{});
  s = wait([](const Snapshot& now) {
    return !now.conversation.unkept() && now.elsewhere.empty() && now.chats->size() == 2 &&
           std::none_of(now.chats->begin(), now.chats->end(), [](const ChatRow& row) { return row.unkept; });
  });
  for (const ChatRow& row : *s->chats) EXPECT_GT(row.id, 0);
  controller_.reset();  // before its disk
}

TEST_F(ControllerTest, TheEndOfAChatThatCouldNotBeKeptIsThereOnReturnAndADeletedOneIsGone) {
  storage::FaultPlan plan;
  storage::MemoryEnv env(&plan);
  env_ = &env;
  index();
  ask("How long is the warranty of the kettle?");
  const int64_t chat = controller().snapshot()->conversation.chat;
  plan.arm(storage::FaultKind::kNoSpace, 0);
  controller().post(AskQuestion{"When does the ferry sail?"});
  wait([](const Snapshot& now) { return !now.conversation.answering && now.conversation.messages.size() == 4; });
  controller().post(NewChat{});
  wait([](const Snapshot& now) { return now.conversation.messages.empty(); });
  controller().post(AskQuestion{"How long is the warranty?"});
  auto s = wait([](const Snapshot& now) {
    return !now.conversation.answering && now.conversation.messages.size() == 2 && now.chats->size() == 2;
  });
  controller().post(DeleteChat{s->conversation.chat});
  s = wait([](const Snapshot& now) { return now.chats->size() == 1; });
  EXPECT_TRUE(s->conversation.messages.empty());
  controller().post(OpenChat{chat});
  wait([](const Snapshot& now) { return now.conversation.messages.size() == 4; });
  plan.clear();
  controller().post(LookAround{});
  s = wait([](const Snapshot& now) { return !now.conversation.unkept(); });
  for (const auto& message : s->conversation.messages) EXPECT_GT(message->id, 0) << message->text;
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

TEST_F(ControllerTest, WordsAreFoundInTheDocumentThatIsOpen) {
  index();
  controller().post(FindInDocument{"kettle"});  // while none is open
  ask("How long is the warranty of the kettle?");
  controller().post(ShowDocument{controller().snapshot()->conversation.messages[1]->sources.at(0)});
  wait([](const Snapshot& now) { return now.document.has_value(); });
  controller().post(FindInDocument{"WARRANTY"});
  const auto s = wait([](const Snapshot& now) { return now.document->found != nullptr; });
  EXPECT_EQ(s->document->found->sought, "WARRANTY");
  ASSERT_EQ(s->document->found->places.size(), 2u);
  const FoundInDocument::Place& second = s->document->found->places[1];
  EXPECT_EQ(s->document->text->substr(second.begin, second.end - second.begin), "warranty");
  EXPECT_FALSE(s->document->found->more);
  controller().post(FindInDocument{"crane"});
  wait([](const Snapshot& now) { return now.document->found->sought == "crane"; });
  EXPECT_TRUE(controller().snapshot()->document->found->places.empty());
  controller().post(FindInDocument{""});
  wait([](const Snapshot& now) { return now.document->found == nullptr; });
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
  EXPECT_EQ(s->document->error, "Only the passage is shown: the file is no longer where it was read.");
}

}  // namespace
}  // namespace mneme::ui

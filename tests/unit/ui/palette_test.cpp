// The palette and the keys that it names.
#include <string>

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "tests/unit/ui/window_fixture.h"

namespace mneme::ui {
namespace {

TEST_F(WindowTest, ThePaletteDoesWhatItNames) {
  frame();
  press_letter('K');
  EXPECT_TRUE(drawer_.window().palette_open);
  frame();
  type("dark theme");
  press(ImGuiKey_Enter);
  ASSERT_NE(posted<ChangeSettings>(), nullptr);
  EXPECT_EQ(posted<ChangeSettings>()->settings.theme, ThemeChoice::kDark);
  EXPECT_FALSE(drawer_.window().palette_open);
}

TEST_F(WindowTest, NothingTypedRightBehindAShortcutIsLost) {
  frame();
  frame();
  InputQueue queue;
  push_shortcut(queue, 'K');
  push_typed(queue, "dark theme");
  push_enter(queue);
  push_typed(queue, "and a question");
  burst(queue);
  ASSERT_NE(posted<ChangeSettings>(), nullptr);
  EXPECT_EQ(posted<ChangeSettings>()->settings.theme, ThemeChoice::kDark);
  EXPECT_FALSE(drawer_.window().palette_open);
  EXPECT_EQ(drawer_.window().question.text(), "and a question");
  push_shortcut(queue, 'F');
  push_typed(queue, "warranty");
  push_enter(queue);
  burst(queue);
  EXPECT_EQ(drawer_.window().chat_filter, "warranty");
  ASSERT_NE(posted<SearchChats>(), nullptr);
}

// Hands let go in any order, and all of it may come between two frames.
TEST_F(WindowTest, AShortcutIsSeenThoughCtrlIsLetGoBeforeItsLetter) {
  frame();
  frame();
  InputQueue queue;
  push_shortcut(queue, 'K', LetGo::kCtrlFirst);
  push_typed(queue, "dark theme");
  burst(queue);
  EXPECT_TRUE(drawer_.window().palette_open);
  push_enter(queue);
  push_shortcut(queue, '2', LetGo::kCtrlFirst);
  burst(queue);
  ASSERT_NE(posted<ChangeSettings>(), nullptr);
  EXPECT_EQ(posted<ChangeSettings>()->settings.theme, ThemeChoice::kDark);
  EXPECT_EQ(drawer_.window().page, Page::kLibrary);
}

TEST_F(WindowTest, AChatIsRenamedByKeysAlone) {
  frame();
  frame();
  press(function_key(2));
  EXPECT_EQ(drawer_.window().renaming_chat, 7);
  type("Kettle");  // replaces the old name, which is selected
  press(ImGuiKey_Enter);
  ASSERT_NE(posted<RenameChat>(), nullptr);
  EXPECT_EQ(posted<RenameChat>()->title, "Kettle");
  EXPECT_EQ(drawer_.window().renaming_chat, 0);
}

TEST_F(WindowTest, AChatIsNotNamedByBlanksAlone) {
  frame();
  frame();
  press(function_key(2));
  type("  ");
  press(ImGuiKey_Enter);
  EXPECT_EQ(posted<RenameChat>(), nullptr) << "it would stand in the list unseen";
}

TEST_F(WindowTest, UndoInAChatsNameDoesNotBringAnotherChatsName) {
  auto chats = std::make_shared<std::vector<ChatRow>>(*snapshot_->chats);
  chats->push_back({8, "Ferry", 1000, 2, false});
  snapshot_->chats = chats;
  const auto rename = [&](int64_t chat, const char* title) {
    snapshot_->conversation.chat = chat;
    snapshot_->conversation.title = title;
    frame();
    press(function_key(2));
  };
  rename(7, "How long is the warranty?");
  type("Kettle");
  press(ImGuiKey_Escape);
  rename(8, "Ferry");
  press_letter('Z');
  press_letter('Z');
  EXPECT_EQ(drawer_.window().rename_text, "Ferry");
}

TEST_F(WindowTest, ThePaletteReachesChatsCollectionsModelsAndIndexing) {
  ModelRow model;
  model.name = "mini";
  model.kind = "language";
  snapshot_->models.push_back(model);
  snapshot_->library.collections[0].failed = 2;
  snapshot_->indexing.running = true;
  const auto choose = [&](const std::string& name) {
    press_letter('K');
    frame();
    type(name);
    press(ImGuiKey_Enter);
  };
  frame();
  choose("pin this chat");
  ASSERT_NE(posted<PinChat>(), nullptr);
  EXPECT_TRUE(posted<PinChat>()->pinned);
  choose("as json");
  ASSERT_NE(posted<ExportChat>(), nullptr);
  EXPECT_TRUE(posted<ExportChat>()->path.ends_with(".json"));
  choose("ask about default");
  ASSERT_NE(posted<ChangeSettings>(), nullptr);
  EXPECT_EQ(posted<ChangeSettings>()->settings.collection, "default");
  choose("answer with mini");
  ASSERT_NE(posted<UseModel>(), nullptr);
  EXPECT_EQ(posted<UseModel>()->model, "mini");
  choose("try the failed");
  ASSERT_NE(posted<RetryFailed>(), nullptr);
  choose("pause indexing");
  EXPECT_NE(posted<PauseIndexing>(), nullptr);
  choose("branch");
  EXPECT_NE(posted<BranchChat>(), nullptr);
  choose("delete this chat");
  EXPECT_NE(posted<DeleteChat>(), nullptr);
}

TEST_F(WindowTest, ThePaletteFindsTheLastOfThousands) {
  auto chats = std::make_shared<std::vector<ChatRow>>();
  for (int64_t i = 1; i <= 10'000; ++i) chats->push_back({i, "Question " + std::to_string(i), 1000, 2, false});
  snapshot_->chats = chats;
  CollectionRow row = snapshot_->library.collections.front();
  for (int i = 1; i <= 1000; ++i) {
    row.name = "Folder " + std::to_string(i);
    snapshot_->library.collections.push_back(row);
  }
  const auto choose = [&](const std::string& name) {
    press_letter('K');
    frame();
    type(name);
    press(ImGuiKey_Enter);
  };
  frame();
  choose("ask about folder 1000");
  ASSERT_NE(posted<ChangeSettings>(), nullptr);
  EXPECT_EQ(posted<ChangeSettings>()->settings.collection, "Folder 1000");
  choose("question 9999");
  ASSERT_NE(posted<OpenChat>(), nullptr);
  EXPECT_EQ(posted<OpenChat>()->chat, 9999);
  choose("dark");
  EXPECT_EQ(std::get<ChangeSettings>(posted_.back()).settings.theme, ThemeChoice::kDark);
}

// What is gone to would lie behind it, with the keyboard.
TEST_F(WindowTest, KeysThatLeadElsewhereCloseThePalette) {
  frame();
  for (const char key : {'1', '2', '3', '4', '5', 'L', 'N', 'F', 'E'}) {
    press_letter('K');
    frame();
    ASSERT_TRUE(drawer_.window().palette_open) << key;
    press_letter(key);
    EXPECT_FALSE(drawer_.window().palette_open) << key;
    press(ImGuiKey_Escape);
  }
  press_letter('K');
  press(function_key(2));
  EXPECT_FALSE(drawer_.window().palette_open);
  EXPECT_EQ(drawer_.window().renaming_chat, 7);
}

TEST_F(WindowTest, ThePaletteLeadsToWhatCouldNotBeRead) {
  snapshot_->library.collections[0].failed = 2;
  frame();
  press_letter('K');
  frame();
  type("could not be read");
  press(ImGuiKey_Enter);
  EXPECT_EQ(drawer_.window().page, Page::kLibrary);
  EXPECT_TRUE(drawer_.window().failed_open);
}

TEST_F(WindowTest, ThePaletteClosesWhenSomethingBesideItIsClicked) {
  frame();
  press_letter('K');
  frame();
  click(60, 500);
  EXPECT_FALSE(drawer_.window().palette_open);
}

TEST_F(WindowTest, KeysChangeNothingUnseen) {
  frame();
  drawer_.window().page = Page::kLibrary;
  press_letter('R');
  EXPECT_EQ(posted<RegenerateAnswer>(), nullptr) << "the answer is not in sight";
  drawer_.window().page = Page::kChat;
  drawer_.window().browser_open = true;
  frame();
  for (const char letter : {'R', 'N', 'E', 'K', 'B', '2'}) press_letter(letter);
  press(ImGuiKey_PageDown, /*ctrl=*/true);
  EXPECT_EQ(posted<RegenerateAnswer>(), nullptr);
  EXPECT_EQ(posted<NewChat>(), nullptr);
  EXPECT_EQ(posted<ChangeSettings>(), nullptr);
  EXPECT_EQ(posted<OpenChat>(), nullptr);
  EXPECT_EQ(drawer_.window().editing_message, -1);
  EXPECT_EQ(drawer_.window().page, Page::kChat);
  EXPECT_FALSE(drawer_.window().palette_open);
  press(ImGuiKey_Escape);
  press_letter('R');
  EXPECT_NE(posted<RegenerateAnswer>(), nullptr);
}

TEST_F(WindowTest, ClicksBesideWhatFloatsReachNothingBehindIt) {
  constexpr float kPlusX = 236.0f;  // “New chat”
  constexpr float kPlusY = 27.0f;
  frame();
  click(kPlusX, kPlusY);
  ASSERT_NE(posted<NewChat>(), nullptr) << "the button is there";
  posted_.clear();
  press_letter('K');
  frame();
  click(kPlusX, kPlusY);
  EXPECT_FALSE(drawer_.window().palette_open);
  EXPECT_EQ(posted<NewChat>(), nullptr) << "it only closes";
  drawer_.window().browser_open = true;
  for (int i = 0; i < 3; ++i) frame();
  for (int i = 0; i < 2; ++i) {
    click(kPlusX, kPlusY);
    EXPECT_TRUE(drawer_.window().browser_open) << "what was typed into it is not lost by a click";
    EXPECT_EQ(posted<NewChat>(), nullptr);
    EXPECT_STREQ(ImGui::GetCurrentContext()->NavWindow->RootWindow->Name, "browser") << "the keyboard stays with it";
  }
  drawer_.window().browser_folder = "/documents";
  frame();
  type("/new");
  EXPECT_EQ(drawer_.window().browser_folder, "/documents/new") << "and with its field";
  press(ImGuiKey_Escape);
  EXPECT_FALSE(drawer_.window().browser_open);
}

TEST_F(WindowTest, KeysReachWhatTheyName) {
  frame();
  press_letter('N');
  EXPECT_NE(posted<NewChat>(), nullptr);
  press_letter('R');
  EXPECT_NE(posted<RegenerateAnswer>(), nullptr);
  press_letter('E');
  EXPECT_EQ(drawer_.window().editing_message, 0);
  frame();
  press(ImGuiKey_Escape);
  EXPECT_EQ(drawer_.window().editing_message, -1);
  press_letter('2');
  EXPECT_EQ(drawer_.window().page, Page::kLibrary);
  press(ImGuiKey_Escape);
  EXPECT_EQ(drawer_.window().page, Page::kChat);
}

}  // namespace
}  // namespace mneme::ui

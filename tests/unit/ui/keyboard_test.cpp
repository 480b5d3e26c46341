// Everything by keys alone: where Tab goes, what Enter and the menu key do there, what Esc closes.
#include <gtest/gtest.h>

#include <imgui_internal.h>

#include "tests/unit/ui/window_fixture.h"
#include "ui/widgets/key_focus.h"

namespace mneme::ui {
namespace {

constexpr float kSidebar = 266.0f;  // its right border, with the splitter

class KeyboardTest : public WindowTest {
 protected:
  KeyboardTest() {
    frame();
    frame();
  }

  void tab(bool back = false) {
    if (back) {
      press_with_shift(ImGuiKey_Tab);
    } else {
      press(ImGuiKey_Tab);
    }
    frame();  // in which keys press what was reached
  }

  static ImGuiID focus() {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    return g.ActiveId != 0 ? g.ActiveId : g.NavId;
  }

  static float focus_x() {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    return g.NavWindow->DC.CursorStartPos.x + g.NavWindow->NavRectRel[0].Min.x;
  }

  // Goes through a page with Tab and presses all there is on the page, until it is done.
  template <typename Done>
  bool reaches_until(Page page, ImGuiKey key, bool back, const Done& done) {
    for (int i = 0; i < 60; ++i) {
      drawer_.window().page = page;
      tab(back);
      if (ImGui::GetIO().WantTextInput || focus_x() < kSidebar) continue;
      press(key);
      if (done()) return true;
      if (drawer_.window().popup_open) press(ImGuiKey_Escape);
    }
    return false;
  }
  // Until something asks for T.
  template <typename T>
  bool reaches(Page page, ImGuiKey key = ImGuiKey_Space, bool back = false) {
    return reaches_until(page, key, back, [this] { return posted<T>() != nullptr; });
  }

  // Goes on until the keyboard is on a border between panels; false when it never is.
  bool tab_to_border(float left, float right) {
    for (int i = 0; i < 60; ++i) {
      tab();
      if (!ImGui::GetIO().WantTextInput && focus_x() >= left && focus_x() < right) return true;
    }
    return false;
  }
};

TEST_F(KeyboardTest, TabGoesThroughEverythingAndComesBack) {
  for (const Page page : {Page::kChat, Page::kLibrary, Page::kModels, Page::kInsight, Page::kSettings}) {
    drawer_.window().page = page;
    drawer_.window().focus_question = false;
    frame();
    tab();
    const ImGuiID first = focus();
    std::vector<ImGuiID> seen;
    do {
      ASSERT_NE(focus(), 0u);
      seen.push_back(focus());
      tab();
    } while (focus() != first && seen.size() < 100);
    EXPECT_EQ(focus(), first) << "page " << static_cast<int>(page);
    EXPECT_GE(seen.size(), 5u) << "page " << static_cast<int>(page);
    tab(/*back=*/true);
    EXPECT_EQ(focus(), seen.back()) << "page " << static_cast<int>(page);
  }
}

TEST_F(KeyboardTest, WhatTabReachesIsPressedBySpaceAndByEnter) {
  EXPECT_TRUE(reaches<Reindex>(Page::kLibrary));
  EXPECT_TRUE(reaches<WatchCollection>(Page::kLibrary, ImGuiKey_Enter));
  EXPECT_GT(folder_dialogs_, 0);
  EXPECT_TRUE(reaches<BranchChat>(Page::kChat, ImGuiKey_Space, /*back=*/true));
  EXPECT_TRUE(reaches<ShowDocument>(Page::kChat, ImGuiKey_Enter));
}

TEST_F(KeyboardTest, BordersOfPanelsAreReachedByTabAndMovedByArrows) {
  WindowState& w = drawer_.window();
  const float sidebar = w.sidebar_width;
  ASSERT_TRUE(tab_to_border(sidebar, sidebar + 5.0f));
  const ImGuiID border = focus();
  press(ImGuiKey_RightArrow);
  press(ImGuiKey_RightArrow);
  EXPECT_GT(w.sidebar_width, sidebar + 10.0f);
  EXPECT_EQ(focus(), border) << "arrows do not lead away from it";
  press(ImGuiKey_LeftArrow);
  EXPECT_LT(w.sidebar_width, sidebar + 20.0f);
  press(ImGuiKey_End);
  EXPECT_EQ(w.sidebar_width, kSidebarWidths.high);
  press(ImGuiKey_Home);
  EXPECT_EQ(w.sidebar_width, kSidebarWidths.low);
  press(ImGuiKey_Enter);
  EXPECT_EQ(w.sidebar_width, kSidebarWidths.usual);
  const float sources = 1280.0f - w.sources_width;
  ASSERT_TRUE(tab_to_border(sources - 7.0f, sources));
  press(ImGuiKey_LeftArrow);
  EXPECT_GT(w.sources_width, kSourcesWidths.usual) << "a panel at the right grows to the left";
}

TEST_F(KeyboardTest, LinksAndCitationsAreReachedByTabAndPressedByEnter) {
  auto answer = std::make_shared<MessageView>(*snapshot_->conversation.messages[1]);
  answer->text = "See [the **long** handbook](https://example.org/a) and [this](file:///etc/passwd); it is so [1].";
  snapshot_->conversation.messages[1] = answer;
  std::vector<std::string> opened;
  hooks_.open_path = [&](const std::string& path) { opened.push_back(path); };
  EXPECT_TRUE(reaches_until(Page::kChat, ImGuiKey_Enter, true, [&] { return !opened.empty(); }));
  EXPECT_EQ(opened, std::vector<std::string>{"https://example.org/a"}) << "once, in however many pieces it is drawn";
  ASSERT_NE(posted<ShowDocument>(), nullptr) << "the citation behind it";
  EXPECT_EQ(posted<ShowDocument>()->source.n, 1);
  EXPECT_STREQ(ImGui::GetClipboardText(), "file:///etc/passwd") << "what no browser shows is copied";
}

// What Tab has gone to is shown, though the conversation else follows its end.
TEST_F(KeyboardTest, ALinkOutOfSightIsScrolledTo) {
  auto answer = std::make_shared<MessageView>(*snapshot_->conversation.messages[1]);
  answer->text = "[First](https://example.org/first).";
  for (int i = 0; i < 60; ++i) answer->text += "\n\nA paragraph.";
  snapshot_->conversation.messages[1] = answer;
  for (int i = 0; i < 5; ++i) frame();
  std::vector<std::string> opened;
  hooks_.open_path = [&](const std::string& path) { opened.push_back(path); };
  EXPECT_TRUE(reaches_until(Page::kChat, ImGuiKey_Enter, true, [&] { return !opened.empty(); }));
  frame();
  EXPECT_EQ(drawer_.window().follow, Follow::kNothing);
}

TEST_F(KeyboardTest, AListIsOneStopAndArrowsMoveWithinIt) {
  auto chats = std::make_shared<std::vector<ChatRow>>();
  for (int64_t i = 1; i <= 30; ++i) chats->push_back({i, "Chat " + std::to_string(i), 1000, 2, false});
  snapshot_->chats = chats;
  frame();
  tab();
  for (int i = 0; i < 10 && ImGui::GetCurrentContext()->NavWindow->Name != nullptr; ++i) {
    if (std::string(ImGui::GetCurrentContext()->NavWindow->Name).find("/chats") != std::string::npos) break;
    tab();
  }
  const ImGuiID chosen = focus();
  press(ImGuiKey_DownArrow);
  EXPECT_NE(focus(), chosen);
  const ImGuiID next = focus();
  press(ImGuiKey_UpArrow);
  EXPECT_EQ(focus(), chosen);
  tab();
  EXPECT_NE(focus(), next) << "Tab leaves the list";
  press(ImGuiKey_Escape);
}

TEST_F(KeyboardTest, TheMenuKeyOpensTheMenuOfWhatIsChosen) {
  tab();
  for (int i = 0; i < 30 && drawer_.window().renaming_chat == 0; ++i) {
    tab();
    if (ImGui::GetIO().WantTextInput) continue;
    press(menu_key());
    frame();
    if (!drawer_.window().popup_open) continue;
    press(ImGuiKey_Enter);  // its first entry is to rename a chat
    if (drawer_.window().renaming_chat == 0) press(ImGuiKey_Escape);
  }
  EXPECT_EQ(drawer_.window().renaming_chat, 7);
}

// Dear ImGui has chosen it already when the popup opens, unseen.
TEST_F(KeyboardTest, TabBeginsWithTheFirstThingOfAPopupThatTheMouseOpened) {
  drawer_.window().page = Page::kLibrary;
  frame();
  frame();
  for (float x = 1250; x > 1200 && !drawer_.window().popup_open; x -= 8) click(x, 187);  // “Remove this collection…”
  ASSERT_TRUE(drawer_.window().popup_open);
  tab();
  press(ImGuiKey_Enter);
  ASSERT_NE(posted<DeleteCollection>(), nullptr);
  EXPECT_EQ(posted<DeleteCollection>()->name, "default");
}

TEST_F(KeyboardTest, EscEmptiesTheSearchBeforeAnythingElse) {
  snapshot_->conversation.answering = true;
  frame();
  press_letter('F');
  type("nothing is called that");
  frame();
  press(ImGuiKey_Escape);
  EXPECT_EQ(drawer_.window().chat_filter, "");
  EXPECT_EQ(posted<StopAnswer>(), nullptr);
  press(ImGuiKey_Escape);
  EXPECT_NE(posted<StopAnswer>(), nullptr);
}

// As Dear ImGui would have it: out of the panel, which then is what was chosen.
TEST_F(KeyboardTest, EscPutsNoRingAroundAPanel) {
  click(600, 400);  // beside everything in the conversation
  press(ImGuiKey_Escape);
  press(ImGuiKey_Escape);
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  for (const ImGuiWindow* window : g.Windows)
    EXPECT_FALSE(g.NavId != 0 && window->ChildId == g.NavId && ring_shown(g)) << window->Name;
}

TEST_F(KeyboardTest, EscOnAMenuClosesTheMenuAndNothingElse) {
  snapshot_->conversation.answering = true;
  drawer_.window().page = Page::kLibrary;
  frame();
  click(120, 107, 1);  // the chat in the sidebar
  frame();
  ASSERT_TRUE(drawer_.window().popup_open);
  press(ImGuiKey_Escape);
  EXPECT_FALSE(drawer_.window().popup_open);
  EXPECT_EQ(posted<StopAnswer>(), nullptr);
  EXPECT_EQ(drawer_.window().page, Page::kLibrary);
  press(ImGuiKey_Escape);
  EXPECT_NE(posted<StopAnswer>(), nullptr);
}

// Where there is no room for it beside the page, what is asked of the sidebar shows it in place of the page.
TEST_F(KeyboardTest, NarrowWindowsShowTheSidebarWhenItIsAskedFor) {
  ImGui::GetIO().DisplaySize = ImVec2(480, 400);
  frame();
  press_letter('F');
  EXPECT_TRUE(drawer_.window().sidebar_alone);
  type("warranty");
  EXPECT_EQ(drawer_.window().chat_filter, "warranty");
  EXPECT_EQ(drawer_.window().question.text(), "");
  press(ImGuiKey_Enter);  // opens the chat that was found
  EXPECT_FALSE(drawer_.window().sidebar_alone);
  press(function_key(2));
  type("Kettle");
  press(ImGuiKey_Enter);
  ASSERT_NE(posted<RenameChat>(), nullptr);
  EXPECT_EQ(posted<RenameChat>()->title, "Kettle");
  press(ImGuiKey_Escape);
  EXPECT_FALSE(drawer_.window().sidebar_alone);
  press_letter('B');
  EXPECT_TRUE(drawer_.window().sidebar_alone);
  press_letter('B');
  EXPECT_FALSE(drawer_.window().sidebar_alone);
  EXPECT_EQ(posted<ChangeSettings>(), nullptr) << "what wide windows show stays as it is";
}

TEST_F(KeyboardTest, TheQuestionHasAMenuThatGivesTheKeyboardBack) {
  type("Where?");
  click(500, 738, 1);
  frame();
  ASSERT_TRUE(drawer_.window().popup_open);
  press(ImGuiKey_DownArrow);  // past what there is nothing to cut for, to “Paste”
  press(ImGuiKey_DownArrow);  // “Select all”
  press(ImGuiKey_Enter);
  EXPECT_FALSE(drawer_.window().popup_open);
  type("When?");
  EXPECT_EQ(drawer_.window().question.text(), "When?") << "typed over what was selected";
}

TEST_F(KeyboardTest, PageDownScrollsPagesAndWithShiftTheDocument) {
  ImGui::GetIO().DisplaySize = ImVec2(1280, 300);
  drawer_.window().page = Page::kSettings;
  frame();
  const auto scrolled = [](const char* name) {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
      if (std::string(window->Name).find(name) != std::string::npos && window->Scroll.y > 0.0f) return true;
    }
    return false;
  };
  EXPECT_FALSE(scrolled("/settings"));
  press(ImGuiKey_PageDown);
  EXPECT_TRUE(scrolled("/settings"));
  DocumentTextView view;
  view.source = snapshot_->conversation.messages[1]->sources[0];
  std::string text = "passage";
  for (int i = 0; i < 50; ++i) text += "\n\nparagraph";
  view.text = std::make_shared<const std::string>(text);
  view.end = 7;
  snapshot_->document = view;
  drawer_.window().page = Page::kChat;
  frame();
  frame();
  EXPECT_FALSE(scrolled("/text"));
  press_with_shift(ImGuiKey_PageDown);
  EXPECT_TRUE(scrolled("/text"));
}

TEST_F(KeyboardTest, ThePaletteFindsWordsInAnyOrderAndActionsBeforeChats) {
  snapshot_->chats = std::make_shared<const std::vector<ChatRow>>(
      std::vector<ChatRow>(100, ChatRow{7, "New theme dark and light", 1000, 2, false}));
  frame();
  press_letter('K');
  frame();
  type("theme dark");
  press(ImGuiKey_Enter);
  ASSERT_NE(posted<ChangeSettings>(), nullptr);
  EXPECT_EQ(posted<ChangeSettings>()->settings.theme, ThemeChoice::kDark);
  press_letter('K');
  frame();
  type("new");
  press(ImGuiKey_Enter);
  EXPECT_NE(posted<NewChat>(), nullptr);
}

TEST_F(KeyboardTest, ANoticesActionIsInThePalette) {
  snapshot_->notices = {{1, false, "“Kettle” was deleted.", NoticeAction::kUndoDelete, 9, false}};
  frame();
  press_letter('K');
  frame();
  type("undo");
  press(ImGuiKey_Enter);
  ASSERT_NE(posted<UndoDeleteChat>(), nullptr);
  EXPECT_EQ(posted<UndoDeleteChat>()->chat, 9);
}

}  // namespace
}  // namespace mneme::ui

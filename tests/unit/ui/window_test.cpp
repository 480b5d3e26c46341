// The panels without a window.
#include <algorithm>
#include <cfloat>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <imgui_internal.h>

#include "tests/unit/ui/window_fixture.h"
#include "ui/text/imgui_fonts.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

TEST_F(WindowTest, ButtonsBesideAHeadingStandInOneRow) {
  frame();
  ImGui::NewFrame();
  ImGui::Begin("panel");
  const PanelContext c{*snapshot_, drawer_.theme(), current_fonts().fonts(), scale_, drawer_.window(), hooks_};
  label("A document", c.fonts.heading, c.theme.text);
  std::vector<float> heights;
  beside_heading(c, c.px(100));
  for (const char* name : {"find", "copy", "close"}) {
    icon_button(Icon::kClose, name, c.theme, c.scale);
    heights.push_back(ImGui::GetItemRectMin().y);
    ImGui::SameLine();
  }
  ImGui::End();
  ImGui::Render();
  EXPECT_EQ(heights, std::vector<float>(3, heights[0]));
}

TEST_F(WindowTest, EveryPageDrawsInBothThemes) {
  for (const bool dark : {false, true}) {
    dark_ = dark;
    for (const Page page : {Page::kChat, Page::kLibrary, Page::kModels, Page::kInsight, Page::kSettings}) {
      drawer_.window().page = page;
      frame();
      EXPECT_GT(frame(), 500);
    }
  }
}

TEST_F(WindowTest, AnEncryptedLibraryAsksForItsPassphraseAndNothingElse) {
  snapshot_->ready = false;
  snapshot_->locked.emplace();
  for (int i = 0; i < 4; ++i) frame();
  for (const char letter : {'s', 'e', 's', 'a', 'm', 'e'}) {
    type(std::string(1, letter));
  }
  EXPECT_STREQ(drawer_.window().passphrase.data(), "sesame");
  press(ImGuiKey_Enter);
  ASSERT_EQ(posted_.size(), 1u);
  const auto* unlock = std::get_if<Unlock>(&posted_.front());
  ASSERT_NE(unlock, nullptr);
  EXPECT_EQ(as_text(unlock->passphrase->bytes()), "sesame");
  for (const char letter : drawer_.window().passphrase) EXPECT_EQ(letter, 0);
  // An empty one is not tried; keys that act elsewhere do nothing here.
  press(ImGuiKey_Enter);
  press_letter('K');
  EXPECT_EQ(posted_.size(), 1u);
}

TEST_F(WindowTest, APassphraseThatDidNotOpenTheLibraryIsFollowedByAnother) {
  snapshot_->ready = false;
  snapshot_->locked.emplace();
  for (int i = 0; i < 4; ++i) frame();
  type("simsim");
  press(ImGuiKey_Enter);
  snapshot_->locked->opening = true;
  for (int i = 0; i < 4; ++i) frame();
  *snapshot_->locked = {.opening = false, .error = "the passphrase is wrong"};
  for (int i = 0; i < 4; ++i) frame();
  type("sesame");
  EXPECT_STREQ(drawer_.window().passphrase.data(), "sesame");
}

TEST_F(WindowTest, EveryPageDrawsAtEverySizeOfLettersAndWindow) {
  for (const float scale : {0.75f, 1.0f, 2.0f, 2.5f}) {
    scale_ = scale;
    for (const ImVec2 size : {ImVec2(1280, 800), ImVec2(320, 200)}) {
      ImGui::GetIO().DisplaySize = size;
      for (const Page page : {Page::kChat, Page::kLibrary, Page::kModels, Page::kInsight, Page::kSettings}) {
        drawer_.window().page = page;
        frame();
        EXPECT_GT(frame(), 100) << "page " << static_cast<int>(page) << " at " << scale << ", " << size.x;
      }
    }
  }
}

TEST_F(WindowTest, DroppedFoldersAreIndexedIntoTheNamedCollection) {
  drawer_.window().new_collection = "letters";
  drawer_.window().dropped_paths = {"/home/a/Letters", "/home/a/B"};
  drawer_.window().page = Page::kLibrary;  // as the drop does
  frame();
  std::vector<std::string> paths;
  for (const Command& c : posted_) {
    if (const auto* added = std::get_if<AddFolder>(&c)) {
      EXPECT_EQ(added->collection, "letters");
      paths.push_back(added->path);
    }
  }
  EXPECT_EQ(paths, (std::vector<std::string>{"/home/a/Letters", "/home/a/B"}));
  frame();
  EXPECT_TRUE(drawer_.window().dropped_paths.empty());
}

TEST_F(WindowTest, ADroppedModelIsAddedToTheModels) {
  drawer_.window().dropped_paths = {"/home/a/mini.gguf"};
  drawer_.window().page = Page::kLibrary;
  frame();
  ASSERT_NE(posted<AddModel>(), nullptr);
  EXPECT_EQ(posted<AddModel>()->path, "/home/a/mini.gguf");
  EXPECT_EQ(posted<AddFolder>(), nullptr);
  EXPECT_EQ(drawer_.window().page, Page::kModels);
}

TEST_F(WindowTest, TheBuiltInBrowserShowsWhatTheControllerListsAndTakesNoFolderThatIsNotThere) {
  drawer_.window().browser_open = true;
  drawer_.window().browser_folder = "/letters";
  frame();
  ASSERT_NE(posted<ListFolder>(), nullptr);
  EXPECT_EQ(posted<ListFolder>()->folder, "/letters");
  frame();
  const int empty = frame();
  FolderView listing{"/letters", false, {}, {}};
  for (int i = 0; i < 10'000; ++i) listing.entries.push_back({"folder " + std::to_string(i), true});
  snapshot_->folder = std::make_shared<const FolderView>(listing);
  frame();
  const int full = frame();
  EXPECT_GT(full, empty);
  EXPECT_LT(full, empty + 5000) << "only rows in sight are drawn";
  snapshot_->folder =
      std::make_shared<const FolderView>(FolderView{"/letters", false, {}, "There is no folder of this name."});
  press(ImGuiKey_Enter);
  EXPECT_EQ(posted<AddFolder>(), nullptr);
  snapshot_->folder =
      std::make_shared<const FolderView>(FolderView{"/letters", false, {{"letters of 2030", true}}, {}, "/"});
  press(ImGuiKey_Enter);
  EXPECT_EQ(posted<AddFolder>(), nullptr) << "its name is not whole yet";
  snapshot_->folder = std::make_shared<const FolderView>(FolderView{"/letters", false, {}, {}});
  press(ImGuiKey_Enter);
  ASSERT_NE(posted<AddFolder>(), nullptr);
  EXPECT_EQ(posted<AddFolder>()->path, "/letters");
  EXPECT_FALSE(drawer_.window().browser_open);
}

TEST_F(WindowTest, APathThatIsTypedIntoTheBrowserReplacesTheOneThatStandsThere) {
  drawer_.window().browser_open = true;
  for (int i = 0; i < 3; ++i) frame();
  const std::string home = drawer_.window().browser_folder;
  EXPECT_FALSE(home.empty());
  type("~/letters/");
  frame();
  EXPECT_EQ(drawer_.window().browser_folder, "~/letters/");
  const auto* asked = std::get_if<ListFolder>(&posted_.back());
  ASSERT_NE(asked, nullptr);
  EXPECT_EQ(asked->folder, home + "/letters");
  snapshot_->folder = std::make_shared<const FolderView>(FolderView{asked->folder, false, {}, {}});
  press(ImGuiKey_Enter);
  ASSERT_NE(posted<AddFolder>(), nullptr);
  EXPECT_EQ(posted<AddFolder>()->path, home + "/letters");
}

TEST_F(WindowTest, AModelFileWhosePathIsPastedIsTakenByItsButton) {
  drawer_.window().browser_open = drawer_.window().browser_for_model = true;
  for (int i = 0; i < 3; ++i) frame();
  type("/models/mini");
  for (float y = 560; y < 680 && drawer_.window().browser_open; y += 6) click(350, y);
  EXPECT_TRUE(drawer_.window().browser_open) << "it is no model so far";
  EXPECT_EQ(posted<AddModel>(), nullptr);
  drawer_.window().browser_field.focus();
  frame();
  type(".gguf");
  ASSERT_EQ(drawer_.window().browser_folder, "/models/mini.gguf");
  for (float y = 560; y < 680 && posted<AddModel>() == nullptr; y += 6) click(350, y);
  ASSERT_NE(posted<AddModel>(), nullptr);
  EXPECT_EQ(posted<AddModel>()->path, "/models/mini.gguf");
  EXPECT_FALSE(drawer_.window().browser_open);
}

TEST_F(WindowTest, AFolderThatWasClickedOnIsTakenByEnter) {
  drawer_.window().browser_open = true;
  drawer_.window().browser_folder = "/letters";
  FolderView listing{"/letters", false, {}, {}};
  for (int i = 0; i < 40; ++i) listing.entries.push_back({"folder " + std::to_string(i), true});
  snapshot_->folder = std::make_shared<const FolderView>(listing);
  for (int i = 0; i < 3; ++i) frame();
  for (float y = 300; y < 400 && drawer_.window().browser_folder == "/letters"; y += 12) click(640, y);
  const std::string chosen = drawer_.window().browser_folder;
  ASSERT_TRUE(chosen.starts_with("/letters/folder ")) << chosen;
  press(ImGuiKey_Enter);
  ASSERT_NE(posted<AddFolder>(), nullptr);
  EXPECT_EQ(posted<AddFolder>()->path, chosen);
}

// Somebody with many folders: the documents of the one that is chosen stay in sight.
TEST_F(WindowTest, ManyCollectionsScrollAboveTheirDocuments) {
  const auto top_of_table = [&] {
    for (int i = 0; i < 5; ++i) frame();
    for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
      if (window->Active && std::string(window->Name).find("/documents_") != std::string::npos) return window->Pos.y;
    }
    return FLT_MAX;
  };
  drawer_.window().page = Page::kLibrary;
  DocumentTable table;
  table.add({1, "/docs/a.md", "A", "markdown", 1, 1, 1});
  snapshot_->library.shown = "default";
  snapshot_->library.documents = std::make_shared<const DocumentTable>(table);
  snapshot_->library.shown_rows = std::make_shared<const std::vector<uint32_t>>(std::vector<uint32_t>{0});
  EXPECT_LT(top_of_table(), 800.0f);
  for (int i = 0; i < 40; ++i) {
    snapshot_->library.collections.push_back(snapshot_->library.collections.front());
    snapshot_->library.collections.back().name = "collection " + std::to_string(i);
  }
  EXPECT_LT(top_of_table(), 600.0f);
}

TEST_F(WindowTest, OfAThousandCollectionsThoseInSightAreDrawn) {
  drawer_.window().page = Page::kLibrary;
  for (int i = 0; i < 1000; ++i) {
    snapshot_->library.collections.push_back(snapshot_->library.collections.front());
    snapshot_->library.collections.back().name = "collection " + std::to_string(i);
  }
  const auto rows = [] {
    const auto& windows = ImGui::GetCurrentContext()->Windows;
    return std::count_if(windows.begin(), windows.end(), [](const ImGuiWindow* window) {
      return window->Active && std::string(window->Name).find("/row_") != std::string::npos;
    });
  };
  for (int i = 0; i < 3; ++i) frame();
  EXPECT_GE(rows(), 5);
  EXPECT_LE(rows(), 12);
  snapshot_->library.shown = "collection 900";
  for (int i = 0; i < 3; ++i) frame();
  EXPECT_GE(rows(), 5);
  EXPECT_LE(rows(), 12);
}

// Who is about to click on one does not click on another.
TEST_F(WindowTest, WhatComesAndGoesInTheSidebarMovesNoPage) {
  const auto leads_to_settings = [&](const char* why) {
    drawer_.window().page = Page::kChat;
    for (int i = 0; i < 3; ++i) frame();
    click(100, 768);
    EXPECT_EQ(drawer_.window().page, Page::kSettings) << why;
    drawer_.window().page = Page::kChat;
    for (int i = 0; i < 3; ++i) frame();
    click(100, 751);
    EXPECT_EQ(drawer_.window().page, Page::kSettings) << why << ", at its upper end";
  };
  leads_to_settings("with collections");
  snapshot_->indexing.running = true;
  leads_to_settings("with a run of indexing");
  snapshot_->indexing = {};
  snapshot_->library.collections.clear();
  leads_to_settings("without collections");
}

TEST_F(WindowTest, TheChatThatIsShownIsInSightInTheList) {
  auto chats = std::make_shared<std::vector<ChatRow>>();
  for (int64_t i = 1; i <= 60; ++i) chats->push_back({i, "Pinned " + std::to_string(i), 1000, 2, true});
  chats->push_back({99, "Just asked", 2000, 2, false});
  snapshot_->chats = chats;
  for (int i = 0; i < 3; ++i) frame();
  snapshot_->conversation.chat = 99;
  for (int i = 0; i < 3; ++i) frame();
  EXPECT_EQ(drawer_.window().sought_chat, 0);
  for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if (std::string(window->Name).find("/chats_") == std::string::npos) continue;
    EXPECT_GT(window->Scroll.y, 1000.0f);
  }
}

TEST_F(WindowTest, SidePanelsLieOnGroundsThatTheShellClears) {
  frame();
  frame();
  const std::vector<Ground>& grounds = drawer_.window().grounds;
  ASSERT_EQ(grounds.size(), 2u);
  EXPECT_EQ(grounds[0].min.x, 0.0f);
  EXPECT_EQ(grounds[0].max.y, 800.0f);
  EXPECT_EQ(grounds[1].max.x, 1280.0f);
  EXPECT_GT(grounds[1].min.x, grounds[0].max.x);
  drawer_.window().page = Page::kSettings;
  frame();
  EXPECT_EQ(drawer_.window().grounds.size(), 1u);
}

TEST_F(WindowTest, InstructionsAreKeptWhenTypingRestsAndWhenThePageIsLeft) {
  drawer_.window().page = Page::kSettings;
  frame();
  drawer_.window().instructions.focus();
  frame();
  type("Be brief.");
  EXPECT_EQ(posted<ChangeSettings>(), nullptr) << "not for every letter";
  for (int i = 0; i < 70; ++i) frame();
  ASSERT_NE(posted<ChangeSettings>(), nullptr);
  EXPECT_EQ(posted<ChangeSettings>()->settings.instructions, "Be brief.");
  snapshot_->settings = posted<ChangeSettings>()->settings;
  posted_.clear();
  frame();
  type(" And kind.");
  drawer_.window().page = Page::kChat;
  frame();
  ASSERT_NE(posted<ChangeSettings>(), nullptr);
  EXPECT_EQ(posted<ChangeSettings>()->settings.instructions, "Be brief. And kind.");
}

TEST_F(WindowTest, SettingsFitIntoNarrowWindowsWithLargeLetters) {
  scale_ = 2.5f;
  drawer_.window().page = Page::kSettings;
  for (const float width : {640.0f, 1280.0f, 2560.0f}) {
    ImGui::GetIO().DisplaySize = ImVec2(width, 1600);
    frame();
    EXPECT_GT(frame(), 300) << width;
  }
}

TEST_F(WindowTest, AModelTooLargeForTheMemoryIsSaidBeforeItIsLoaded) {
  ModelRow model;
  model.name = "large";
  model.kind = "language";
  model.architecture = "llama";
  model.context_length = 4096;
  model.kv_bytes_per_token = 1 << 20;
  model.weights_bytes = uint64_t{40} << 30;
  snapshot_->models.push_back(model);
  snapshot_->engine.available_bytes = uint64_t{8} << 30;
  drawer_.window().page = Page::kModels;
  drawer_.window().model_draft.name = "large";
  frame();
  const int too_large = frame();
  snapshot_->engine.available_bytes = uint64_t{80} << 30;
  frame();
  EXPECT_LT(frame(), too_large) << "the warning is gone";
}

TEST_F(WindowTest, ADamagedModelIsListedWithTheReasonAndCannotBeUsed) {
  ModelRow model;
  model.name = "broken";
  model.kind = "language";
  snapshot_->models.push_back(model);
  drawer_.window().page = Page::kModels;
  frame();
  const int whole = frame();
  snapshot_->models[0].error = "broken.gguf ends in the middle of a tensor; copy it again";
  frame();
  EXPECT_GT(frame(), whole);
  press_letter('K');
  frame();
  type("answer with broken");
  press(ImGuiKey_Enter);
  EXPECT_EQ(posted<UseModel>(), nullptr);
}

TEST_F(WindowTest, ADamagedModelInUseIsNotCalledTheOneThatAnswers) {
  ModelRow model;
  model.name = snapshot_->engine.model = "broken";
  model.in_use = true;
  snapshot_->models.push_back(model);
  drawer_.window().page = Page::kModels;
  const auto drawn = [&](EngineView::State state, const std::string& error) {
    snapshot_->engine.state = state;
    snapshot_->engine.error = error;
    for (int i = 0; i < 2; ++i) frame();
    return frame();
  };
  const int closed = drawn(EngineView::State::kClosed, "");
  snapshot_->models[0].error = "it ends in the middle of a tensor; copy it again";
  EXPECT_NE(drawn(EngineView::State::kClosed, ""), closed);
  EXPECT_EQ(drawn(EngineView::State::kClosed, ""), drawn(EngineView::State::kFailed, snapshot_->models[0].error));
}

TEST_F(WindowTest, AnEmptyLibraryOffersTheSamples) {
  snapshot_ = std::make_shared<Snapshot>();
  snapshot_->ready = true;
  snapshot_->samples_folder = "/samples";
  snapshot_->library.loaded = true;
  frame();
  // Wherever it stands in the middle of the page.
  for (float y = 200; y < 420 && posted<AddFolder>() == nullptr; y += 12) {
    for (float x = 320; x < 900 && posted<AddFolder>() == nullptr; x += 60) click(x, y);
  }
  ASSERT_NE(posted<AddFolder>(), nullptr);
  EXPECT_EQ(posted<AddFolder>()->path, "/samples");
}

TEST_F(WindowTest, TinyWindowsAndHostileTextDoNoHarm) {
  auto answer = std::make_shared<MessageView>(*snapshot_->conversation.messages[1]);
  answer->text =
      std::string(200000, 'x') + "\x01\x1b[31m\xff\xfe \xe2\x80\xae [999] [0] [12" + std::string(5000, '>') + " q";
  snapshot_->conversation.messages[1] = answer;
  for (const ImVec2 size : {ImVec2(320, 200), ImVec2(40, 30), ImVec2(3000, 2000)}) {
    ImGui::GetIO().DisplaySize = size;
    frame();
    frame();
  }
}

TEST(WidgetsTest, MessagesReadAsSentences) {
  EXPECT_EQ(as_sentence("cannot read a.gguf: no such file"), "Cannot read a.gguf: no such file.");
  EXPECT_EQ(as_sentence("scan.pdf is a scan, no text."), "scan.pdf is a scan, no text.");
  EXPECT_EQ(as_sentence("/a/b is gone (moved)"), "/a/b is gone (moved).");
  EXPECT_EQ(as_sentence("磁盘已满。"), "磁盘已满。");
  EXPECT_EQ(as_sentence(""), "");
}

TEST_F(WindowTest, ABrokenLineIsAsHighAsItsLines) {
  frame();
  ImFont* font = current_fonts().fonts().regular;
  const float one = wrapped_height("word", font, 300.0f);
  EXPECT_GT(one, font_size(font));
  EXPECT_FLOAT_EQ(wrapped_height("one\ntwo\n", font, 300.0f), 2 * one);
  EXPECT_FLOAT_EQ(wrapped_height("one\n\ntwo", font, 300.0f), 3 * one);
  EXPECT_GE(wrapped_height("several words that do not fit", font, 60.0f), 3 * one);
  EXPECT_GT(wrapped_height("茶山茶山茶山", font, 1.0f), 2 * one);  // too narrow for anything
  EXPECT_FLOAT_EQ(wrapped_height("", font, 300.0f), 0.0f);
}

TEST_F(WindowTest, DotsOfALongPathGetNoLinesOfTheirOwn) {
  frame();
  ImFont* const font = ImGui::GetIO().Fonts->Fonts[0];
  const std::string name(80, 'x');
  EXPECT_LE(wrapped_height("{{#include ../" + name, font, 200), wrapped_height("{{#include xx/" + name, font, 200));
  EXPECT_EQ(wrapped_height("one two", font, 1), 6 * wrapped_height("one", font, 200)) << "one letter a line";
}

TEST_F(WindowTest, NamesThatAreControlCharactersOrReadFromTheRightDoNoHarm) {
  const std::string hostile = "\x1b]0;owned\x07\u202edrow\u202c שלום العربية \n\t\x01 <b>";
  auto chats = std::make_shared<std::vector<ChatRow>>(*snapshot_->chats);
  (*chats)[0].title = hostile;
  snapshot_->chats = chats;
  snapshot_->conversation.title = hostile;
  snapshot_->library.collections[0].name = hostile;
  snapshot_->library.shown = hostile;
  snapshot_->settings.collection = hostile;
  snapshot_->library.failed =
      std::make_shared<const std::vector<FailedRow>>(std::vector<FailedRow>{{"/d/" + hostile, hostile}});
  auto documents = std::make_shared<DocumentTable>();
  const std::string path = "/d/" + hostile;
  documents->add({1, path, hostile, "plain", 1, 1, 0});
  snapshot_->library.documents = documents;
  snapshot_->library.shown_rows = std::make_shared<const std::vector<uint32_t>>(std::vector<uint32_t>{0});
  snapshot_->notices = {{1, true, hostile, NoticeAction::kNone, 0, false}};
  drawer_.window().failed_open = true;
  auto answer = std::make_shared<MessageView>(*snapshot_->conversation.messages[1]);
  answer->text = hostile + "\n\n# " + hostile + "\n\n```\n" + hostile + "\n```";
  answer->sources[0].title = answer->sources[0].text = hostile;
  snapshot_->conversation.messages[1] = answer;
  for (const Page page : {Page::kChat, Page::kLibrary, Page::kModels, Page::kInsight, Page::kSettings}) {
    drawer_.window().page = page;
    frame();
    EXPECT_GT(frame(), 300);
  }
  press_letter('K');
  frame();
}

TEST_F(WindowTest, ACollectionIsChosenInTheSidebar) {
  frame();
  for (float y = 420; y < 640 && posted<ChangeSettings>() == nullptr; y += 20) {
    click(80, y);
    if (posted<ChangeSettings>() != nullptr && posted<ChangeSettings>()->settings.collection.empty()) posted_.clear();
  }
  ASSERT_NE(posted<ChangeSettings>(), nullptr);
  EXPECT_EQ(posted<ChangeSettings>()->settings.collection, "default");
}

TEST_F(WindowTest, IndexingOfOthersIsShownAndCanBePaused) {
  drawer_.window().page = Page::kLibrary;
  frame();
  const int without = frame();
  snapshot_->indexing.elsewhere = true;
  frame();
  EXPECT_GT(frame(), without);
  press_letter('K');
  frame();
  type("pause indexing");
  press(ImGuiKey_Enter);
  EXPECT_NE(posted<PauseIndexing>(), nullptr);
  snapshot_->indexing.paused = true;
  press_letter('K');
  frame();
  type("resume indexing");
  press(ImGuiKey_Enter);
  EXPECT_NE(posted<ResumeIndexing>(), nullptr);
}

TEST_F(WindowTest, WhatIsReadIsStoppedAndRemovedByKeys) {
  const auto choose = [&](const std::string& name) {
    press_letter('K');
    frame();
    type(name);
    press(ImGuiKey_Enter);
    for (int i = 0; i < 3; ++i) frame();
  };
  snapshot_->indexing.running = true;
  snapshot_->indexing.collection = "default";
  frame();
  choose("stop indexing");
  EXPECT_NE(posted<GiveUpIndexing>(), nullptr);
  choose("remove the collection default");
  EXPECT_EQ(drawer_.window().page, Page::kLibrary);
  ASSERT_TRUE(any_popup_open()) << "it is asked first";
  EXPECT_EQ(posted<DeleteCollection>(), nullptr);
  press(ImGuiKey_Tab);
  press(ImGuiKey_Enter);
  ASSERT_NE(posted<DeleteCollection>(), nullptr);
  EXPECT_EQ(posted<DeleteCollection>()->name, "default");
  snapshot_->indexing = {};
  frame();
  posted_.clear();
  choose("watch for changes in default");
  ASSERT_NE(posted<WatchCollection>(), nullptr);
  EXPECT_TRUE(posted<WatchCollection>()->on);
}

TEST_F(WindowTest, CollectionsHaveAMenuInTheLibrary) {
  drawer_.window().page = Page::kLibrary;
  frame();
  for (float y = 140; y < 260 && !any_popup_open(); y += 8) click(500, y, 1);
  EXPECT_TRUE(any_popup_open());
}

// Of many the one that has come to be shown is scrolled to, and no other.
TEST_F(WindowTest, TheCollectionThatIsShownIsInSightInTheLibrary) {
  const CollectionRow first = snapshot_->library.collections[0];
  for (int i = 0; i < 30; ++i) {
    snapshot_->library.collections.push_back(first);
    snapshot_->library.collections.back().name = "collection " + std::to_string(i);
  }
  drawer_.window().page = Page::kLibrary;
  const auto scrolled = [&] {
    for (int i = 0; i < 4; ++i) frame();
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
      if (std::string(window->Name).find("library") != std::string::npos &&
          std::string(window->Name).find("collections") != std::string::npos && window->ScrollMax.y > 0.0f)
        return window->Scroll.y;
    }
    return -1.0f;
  };
  snapshot_->library.shown = "default";
  EXPECT_EQ(scrolled(), 0.0f);
  snapshot_->library.shown = "collection 25";
  EXPECT_GT(scrolled(), 500.0f);
  snapshot_->library.shown = "default";
  frame();
  EXPECT_TRUE(drawer_.window().wants_frame) << "or a window at rest would not show it";
  EXPECT_EQ(scrolled(), 0.0f);
}

TEST_F(WindowTest, ATooltipComesOnceTheMouseRests) {
  const auto shown = [] {
    const auto& windows = ImGui::GetCurrentContext()->Windows;
    return std::any_of(windows.begin(), windows.end(), [](const ImGuiWindow* window) {
      return window->Active && !window->Hidden && (window->Flags & ImGuiWindowFlags_Tooltip) != 0;
    });
  };
  const auto rest = [&](float x, float y, int frames) {  // 60 a second
    move_mouse(ImVec2(x, y));
    for (int i = 0; i < frames; ++i) frame();
  };
  frame();
  rest(236, 27, 12);
  EXPECT_FALSE(shown()) << "it may be on its way";
  EXPECT_TRUE(drawer_.window().tells_time) << "or it would never come to a mouse at rest";
  rest(236, 27, 24);
  EXPECT_TRUE(shown());
  EXPECT_FALSE(drawer_.window().tells_time);
  for (int row = 0; row < 4; ++row) {  // across those that lead to pages
    rest(100, 638.0f + 38.0f * static_cast<float>(row), 12);
    EXPECT_FALSE(shown()) << row;
  }
  rest(100, 752, 30);
  EXPECT_TRUE(shown());
}

TEST_F(WindowTest, NoticesGoByThemselvesAndErrorsStayLonger) {
  snapshot_->notices = {{1, false, "Done.", NoticeAction::kNone, 0, false},
                        {2, true, "The disk is full.", NoticeAction::kNone, 0, false}};
  ImGui::GetIO().DeltaTime = 1.0f;
  for (int i = 0; i < 8; ++i) frame();
  ASSERT_NE(posted<DismissNotice>(), nullptr);
  for (const Command& c : posted_) {
    if (const auto* dismissed = std::get_if<DismissNotice>(&c)) {
      EXPECT_EQ(dismissed->id, 1u);
    }
  }
}

// Beside an open panel of sources a notice is wider than the panel.
TEST_F(WindowTest, ANoticeLeavesTheQuestionAndItsButtonFree) {
  snapshot_->notices = {{1, false, "Indexing finished.", NoticeAction::kNone, 0, false}};
  for (int i = 0; i < 3; ++i) frame();
  type("Where?");
  for (float x = 700; x < 900 && posted<AskQuestion>() == nullptr; x += 12) click(x, 738);
  EXPECT_NE(posted<AskQuestion>(), nullptr);
}

TEST_F(WindowTest, WhatGoesOnIsSampledWhicheverPageIsShown) {
  frame();
  EXPECT_EQ(posted<SampleActivity>(), nullptr);
  const auto samples = [&] {
    return std::count_if(posted_.begin(), posted_.end(),
                         [](const Command& c) { return std::holds_alternative<SampleActivity>(c); });
  };
  snapshot_->conversation.answering = true;
  for (int i = 0; i < 150; ++i) frame();  // two and a half seconds
  EXPECT_EQ(samples(), 3);
  snapshot_->conversation.answering = false;
  for (int i = 0; i < 150; ++i) frame();
  EXPECT_EQ(samples(), 4) << "one more, when it has ended";
}

TEST_F(WindowTest, ADocumentBeginsAtItsTopWhereverTheOneBeforeWasScrolled) {
  const auto show = [&](const std::string& path) {
    std::string text;
    for (int i = 0; i < 400; ++i) text += "Line " + std::to_string(i) + " of " + path + ".\n\n";
    DocumentTextView view;
    view.source.document = path;
    view.format = "text";
    view.text = std::make_shared<const std::string>(text);
    snapshot_->document = view;
    for (int i = 0; i < 4; ++i) frame();
  };
  const auto scrolled = [] {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
      if (window->Active && std::string(window->Name).find("/text_") != std::string::npos) return window->Scroll.y;
    }
    return -1.0f;
  };
  drawer_.window().page = drawer_.window().document_page = Page::kLibrary;
  show("/d/first.txt");
  EXPECT_EQ(scrolled(), 0.0f);
  press_with_shift(ImGuiKey_PageDown);
  press_with_shift(ImGuiKey_PageDown);
  frame();
  EXPECT_GT(scrolled(), 500.0f);
  show("/d/second.txt");
  EXPECT_EQ(scrolled(), 0.0f);
}

TEST_F(WindowTest, ADocumentOfTheLibraryIsShownBesideIt) {
  auto documents = std::make_shared<DocumentTable>();
  documents->add({1, "/d/main.cpp", "", "source", 1, 1, 0});
  snapshot_->library.documents = documents;
  snapshot_->library.shown_rows = std::make_shared<const std::vector<uint32_t>>(1, 0U);
  snapshot_->library.shown = "default";
  drawer_.window().page = Page::kLibrary;
  for (int i = 0; i < 3; ++i) frame();
  for (float y = 200; y < 500 && posted<ShowDocument>() == nullptr; y += 12) click(340, y);
  ASSERT_NE(posted<ShowDocument>(), nullptr);
  EXPECT_EQ(posted<ShowDocument>()->source.document, "/d/main.cpp");
  EXPECT_EQ(posted<ShowDocument>()->source.title, "main.cpp");
  EXPECT_TRUE(posted<ShowDocument>()->source.is_code);
  DocumentTextView view;
  view.source = posted<ShowDocument>()->source;
  view.text = std::make_shared<const std::string>("int main() {}\n");
  snapshot_->document = view;
  for (int i = 0; i < 3; ++i) frame();
  EXPECT_TRUE(drawer_.window().sources_shown);
  // It belongs to the library: the conversation has its sources beside it, and Esc there leaves it alone.
  drawer_.window().page = Page::kChat;
  for (int i = 0; i < 3; ++i) frame();
  posted_.clear();
  press(ImGuiKey_Escape);
  EXPECT_EQ(posted<CloseDocument>(), nullptr);
  drawer_.window().page = Page::kLibrary;
  frame();
  press(ImGuiKey_Escape);
  EXPECT_NE(posted<CloseDocument>(), nullptr);
}

// A document is read in the background and comes with no event: the frames that scroll to its passage ask for
// themselves.
TEST_F(WindowTest, ADocumentThatComesByItselfIsScrolledToItsPassage) {
  for (int i = 0; i < 6; ++i) frame();
  std::string text;
  for (int line = 0; line < 200; ++line) text += "Line " + std::to_string(line) + " of a long document.\n\n";
  DocumentTextView view;
  view.source = snapshot_->conversation.messages[1]->sources[0];
  view.begin = text.find("Line 150");
  view.end = text.find("Line 151");
  view.text = std::make_shared<const std::string>(std::move(text));
  snapshot_->document = view;
  frame();
  EXPECT_TRUE(drawer_.window().wants_frame);
  int frames = 0;
  while (drawer_.window().wants_frame && frames < 20) {
    frame();
    ++frames;
  }
  EXPECT_LT(frames, 20) << "it comes to rest";
  const auto is_text = [](const ImGuiWindow* window) {
    return window->WasActive && std::string_view(window->Name).find("/text_") != std::string_view::npos;
  };
  const ImVector<ImGuiWindow*>& windows = ImGui::GetCurrentContext()->Windows;
  const auto found = std::find_if(windows.begin(), windows.end(), is_text);
  ASSERT_NE(found, windows.end());
  // Line 150 of some 180 that are laid out.
  EXPECT_GT((*found)->Scroll.y, 0.5f * (*found)->ScrollMax.y);
}

TEST_F(WindowTest, WhatAModelThoughtIsShownToWhoAsksForIt) {
  for (int i = 0; i < 3; ++i) frame();
  const int without = frame();
  auto answer = std::make_shared<MessageView>(*snapshot_->conversation.messages[1]);
  answer->reasoning = "First I look for the warranty, then for the kettle, and then I count the years.";
  snapshot_->conversation.messages[1] = answer;
  for (int i = 0; i < 3; ++i) frame();
  const int closed = frame();
  EXPECT_GT(closed, without);
  const auto& box = drawer_.window().messages.at({7, 1});
  for (float y = 100; y < 400 && !box.reasoning_open; y += 8) click(330, y);
  ASSERT_TRUE(box.reasoning_open);
  for (int i = 0; i < 3; ++i) frame();
  EXPECT_GT(frame(), closed);
}

TEST_F(WindowTest, ExportsAreNamedByTheirTitles) {
  const auto name = [](const std::string& title) {
    const std::string path = export_path(title, ".md");
    return path.substr(path.rfind('/') + 1);
  };
  EXPECT_EQ(name("Kettle"), "mneme - Kettle.md");
  EXPECT_EQ(name("../a/b?"), "mneme - .. a b.md");
  EXPECT_EQ(name("x\ny\u0007"), "mneme - x y.md");
  EXPECT_EQ(name("..."), "mneme - chat.md");
  EXPECT_LE(name(std::string(300, 'a')).size(), 100u);
  EXPECT_EQ(name(std::string(79, 'a') + "茶"), "mneme - " + std::string(79, 'a') + ".md") << "no half character";
}

TEST_F(WindowTest, AHundredThousandDocumentsCostWhatIsVisible) {
  auto documents = std::make_shared<DocumentTable>();
  auto rows = std::make_shared<std::vector<uint32_t>>(100000);
  for (uint32_t i = 0; i < 100000; ++i) {
    documents->add({i + 1, "/d/" + std::to_string(i), "Document " + std::to_string(i), "plain", i, 1, 0});
    (*rows)[i] = i;
  }
  snapshot_->library.documents = documents;
  snapshot_->library.shown_rows = rows;
  snapshot_->library.shown = "default";
  drawer_.window().page = Page::kLibrary;
  frame();
  EXPECT_LT(frame(), 20000);
  drawer_.window().document_filter = "99";
  frame();
  ASSERT_NE(posted<OrderDocuments>(), nullptr);
  EXPECT_EQ(posted<OrderDocuments>()->order.filter, "99");
}

// Scroll bars that stand on the page of documents.
int library_scroll_bars() {
  int n = 0;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    const bool of_library = std::string_view(window->Name).find("library") != std::string_view::npos;
    if (window->Active && of_library && window->ScrollbarY) ++n;
  }
  return n;
}

TEST_F(WindowTest, AHundredThousandDocumentsHaveOneScrollBarAtEveryScale) {
  auto documents = std::make_shared<DocumentTable>();
  auto rows = std::make_shared<std::vector<uint32_t>>(100000);
  for (uint32_t i = 0; i < 100000; ++i) {
    documents->add({i + 1, "/d/" + std::to_string(i), "Document " + std::to_string(i), "plain", i, 1, 0});
    (*rows)[i] = i;
  }
  snapshot_->library.documents = documents;
  snapshot_->library.shown_rows = rows;
  snapshot_->library.shown = "default";
  for (int i = 0; i < 4; ++i) {
    CollectionRow collection = snapshot_->library.collections[0];
    collection.name += std::to_string(i);
    snapshot_->library.collections.push_back(collection);
  }
  drawer_.window().page = Page::kLibrary;
  for (const float scale : {0.75f, 1.0f, 1.5f, 2.0f, 2.5f}) {
    scale_ = scale;
    for (int i = 0; i < 4; ++i) frame();
    EXPECT_EQ(library_scroll_bars(), 1) << scale;
    EXPECT_LT(frame(), 20000) << scale;
  }
}

// In pixels; 0: it is not shown.
float column_width(int column) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  for (int i = 0; i < g.Tables.GetMapSize(); ++i) {
    const ImGuiTable* table = const_cast<ImGuiContext&>(g).Tables.TryGetMapData(i);
    if (table != nullptr && table->ColumnsCount == 5) {
      const ImGuiTableColumn& found = table->Columns[column];
      return found.IsEnabled ? found.WidthGiven : 0.0f;
    }
  }
  return 0.0f;
}

TEST_F(WindowTest, TypesSizesAndHeadersOfDocumentsAreWholeAtEverySize) {
  auto documents = std::make_shared<DocumentTable>();
  documents->add({1, "/d/1", "Document", "markdown", 888'800'000, 12345, 1'900'000'000'000});
  snapshot_->library.documents = documents;
  snapshot_->library.shown_rows = std::make_shared<const std::vector<uint32_t>>(1, 0u);
  snapshot_->library.shown = "default";
  drawer_.window().page = Page::kLibrary;
  constexpr const char* kLongest[] = {"markdown", "888.8 MB", "Passages", "2028-08-28"};
  for (const float scale : {1.0f, 2.0f, 1.0f}) {
    for (const float width : {1280.0f, 900.0f, 1280.0f}) {
      scale_ = scale;
      ImGui::GetIO().DisplaySize = ImVec2(width, 800);
      for (int i = 0; i < 4; ++i) frame();
      ImFont* const font = current_fonts().fonts().regular;
      for (int i = 0; i < 4; ++i) {
        const float given = column_width(i + 1);
        EXPECT_TRUE(given > 0.0f || scale > 1.0f) << kLongest[i] << " at " << width;
        EXPECT_TRUE(given == 0.0f || given >= text_width(kLongest[i], font)) << kLongest[i] << " at " << width;
      }
      EXPECT_GE(column_width(0), 0.3f * width - 100.0f * scale) << "names have the rest";
    }
  }
}

TEST_F(WindowTest, GraphsShowTheLastTwoMinutesAndNoLineOverTimesNobodyLooked) {
  drawer_.window().page = Page::kInsight;
  const auto with_samples = [&](const std::vector<double>& seconds) {
    auto activity = std::make_shared<ActivityView>();
    for (const double at : seconds) activity->samples.push_back({at, 100'000'000, 0, 0.0});
    snapshot_->activity = activity;
    frame();
    return frame();
  };
  const int one = with_samples({1000.0});
  EXPECT_EQ(with_samples({100.0, 101.0, 879.0, 1000.0}), one) << "older ones are of other times";
  EXPECT_EQ(with_samples({900.0, 1000.0}), one) << "what was in between is not known";
  EXPECT_GT(with_samples({999.0, 1000.0}), one);
}

TEST_F(WindowTest, ACollectionSaysHowManyFilesWereNotReadBeforeItIsOpened) {
  drawer_.window().page = Page::kLibrary;
  frame();
  const int without = frame();
  snapshot_->library.collections[0].failed = 3;
  EXPECT_GT(frame(), without);
}

TEST_F(WindowTest, WhatIsSaidOfTheModelIsWholeHoweverLongAndInNarrowWindows) {
  drawer_.window().page = Page::kModels;
  snapshot_->engine.model = "/models/broken.gguf";
  snapshot_->engine.error = std::string(30, 'a');
  for (int i = 0; i < 40; ++i) snapshot_->engine.error += " is damaged";
  using State = EngineView::State;
  for (const State state : {State::kNone, State::kClosed, State::kLoading, State::kOpen, State::kFailed}) {
    snapshot_->engine.state = state;
    for (const float width : {320.0f, 700.0f, 1280.0f}) {
      ImGui::GetIO().DisplaySize = ImVec2(width, 800);
      for (int i = 0; i < 3; ++i) frame();
      bool found = false;
      for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
        if (!window->Active || std::string_view(window->Name).find("/engine_") == std::string_view::npos) continue;
        found = true;
        EXPECT_LE(window->ContentSize.y + 2 * window->WindowPadding.y, window->Size.y + 1.0f)
            << static_cast<int>(state) << " at " << width;
      }
      EXPECT_TRUE(found);
    }
  }
}

}  // namespace
}  // namespace mneme::ui

// The panels without a window: a null renderer, a made-up snapshot, real mouse and keys.
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ui/shell/frame.h"

namespace mneme::ui {
namespace {

std::shared_ptr<Snapshot> with_an_answer() {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->ready = true;
  snapshot->library.collections.push_back({"default", 3, 12, 4000, 16000, {"/docs"}});
  snapshot->chats.push_back({7, "How long is the warranty?", 1000, 2, false});
  snapshot->conversation.chat = 7;
  auto question = std::make_shared<MessageView>();
  question->from_user = true;
  question->text = "How long is the warranty?";
  auto answer = std::make_shared<MessageView>();
  answer->text =
      "# Answer\n\nThe warranty is **three years** [1].\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 "
      "|\n\n```\ncode\n```\n";
  answer->sources.push_back({1, "Handbook", "/docs/handbook.md", "Warranty", 0, 3, 5, 0.9, "three years", true, true});
  answer->facts = AnswerFacts{};
  snapshot->conversation.messages = {question, answer};
  return snapshot;
}

class WindowTest : public testing::Test {
 protected:
  WindowTest() {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(1280, 800);
    io.DeltaTime = 1.0f / 60.0f;
    for (int i = 0; i < ImGuiKey_COUNT; ++i) io.KeyMap[i] = 300 + i;
    snapshot_ = with_an_answer();
  }

  // Draws a frame; the number of vertices.
  int frame() {
    drawer_.prepare(*snapshot_, 1.0f, dark_);
    ImGui::NewFrame();
    drawer_.draw(*snapshot_, {[this](Command c) { posted_.push_back(std::move(c)); }, [this] { ++folder_dialogs_; },
                              [](const std::string&) {}});
    ImGui::Render();
    return ImGui::GetDrawData()->TotalVtxCount;
  }

  void click(float x, float y) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = ImVec2(x, y);
    frame();
    io.MouseDown[0] = true;
    frame();
    frame();
    io.MouseDown[0] = false;
    frame();
  }

  template <typename T>
  const T* posted() const {
    for (const Command& c : posted_) {
      if (const T* found = std::get_if<T>(&c)) return found;
    }
    return nullptr;
  }

  FrameDrawer drawer_;
  std::shared_ptr<Snapshot> snapshot_;
  std::vector<Command> posted_;
  int folder_dialogs_ = 0;
  bool dark_ = false;
};

TEST_F(WindowTest, EveryPageDrawsInBothThemes) {
  for (const bool dark : {false, true}) {
    dark_ = dark;
    for (const Page page : {Page::kChat, Page::kLibrary, Page::kModels, Page::kSettings}) {
      drawer_.window().page = page;
      frame();
      EXPECT_GT(frame(), 500);
    }
  }
}

TEST_F(WindowTest, NewCharactersGrowTheAtlasAndEverythingStaysVisible) {
  frame();
  const int before = frame();
  snapshot_ = with_an_answer();
  auto answer = std::make_shared<MessageView>(*snapshot_->conversation.messages[1]);
  answer->text += "\n\n茶山旅行指南 [1]";
  snapshot_->conversation.messages[1] = answer;
  EXPECT_TRUE(drawer_.prepare(*snapshot_, 1.0f, false));
  EXPECT_NE(ImGui::GetIO().Fonts->Fonts[0]->FindGlyphNoFallback(0x8336), nullptr);
  frame();
  EXPECT_GT(frame(), before);
}

TEST_F(WindowTest, ATypedQuestionIsAskedByEnter) {
  ImGuiIO& io = ImGui::GetIO();
  frame();
  frame();
  frame();
  for (const char c : std::string("Where?")) {
    io.AddInputCharacter(static_cast<unsigned>(c));
    frame();
  }
  io.KeysDown[io.KeyMap[ImGuiKey_Enter]] = true;
  frame();
  frame();
  io.KeysDown[io.KeyMap[ImGuiKey_Enter]] = false;
  frame();
  ASSERT_NE(posted<AskQuestion>(), nullptr);
  EXPECT_EQ(posted<AskQuestion>()->text, "Where?");
}

TEST_F(WindowTest, AnEmptyLibraryOffersTheSamples) {
  snapshot_ = std::make_shared<Snapshot>();
  snapshot_->ready = true;
  snapshot_->samples_folder = "/samples";
  frame();
  click(611, 287);
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

}  // namespace
}  // namespace mneme::ui

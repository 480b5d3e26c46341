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
  snapshot->library.loaded = true;
  CollectionRow collection;
  collection.name = "default";
  collection.documents = 3;
  collection.roots = {"/docs"};
  snapshot->library.collections.push_back(collection);
  snapshot->chats = std::make_shared<const std::vector<ChatRow>>(
      std::vector<ChatRow>{{7, "How long is the warranty?", 1000, 2, false}});
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
  answer->facts->model = "mini";
  answer->facts->prompt_tokens = 100;
  answer->facts->chunk_tokens = 80;
  answer->facts->timeline = {{"retrieve", {{0.0, 4.0}}}, {"generate", {{10.0, 90.0}}}};
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
    hooks_.post = [this](Command c) { posted_.push_back(std::move(c)); };
    hooks_.choose_folder = [this] { ++folder_dialogs_; };
    hooks_.choose_model = [] {};
    hooks_.open_path = [](const std::string&) {};
    hooks_.texture = [](const std::shared_ptr<const PageImage>&) { return ImTextureID{}; };
  }

  void press(ImGuiKey key, bool ctrl = false) {
    ImGuiIO& io = ImGui::GetIO();
    io.KeyCtrl = ctrl;
    io.KeysDown[io.KeyMap[key]] = true;
    frame();
    io.KeysDown[io.KeyMap[key]] = false;
    io.KeyCtrl = false;
    frame();
  }
  void press_letter(char letter) {  // with Ctrl
    ImGuiIO& io = ImGui::GetIO();
    io.KeyCtrl = true;
    io.KeysDown[static_cast<int>(letter)] = true;
    frame();
    io.KeysDown[static_cast<int>(letter)] = false;
    io.KeyCtrl = false;
    frame();
  }
  void type(const std::string& text) {
    ImGui::GetIO().AddInputCharactersUTF8(text.c_str());
    frame();
  }

  // Draws a frame; the number of vertices.
  int frame() {
    drawer_.prepare(1.0f, dark_);
    ImGui::NewFrame();
    drawer_.draw(*snapshot_, hooks_);
    ImGui::Render();
    drawer_.take_uploads();
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
  WindowHooks hooks_;
  int folder_dialogs_ = 0;
  bool dark_ = false;
};

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

TEST_F(WindowTest, AnAnswerOfAHundredThousandTokensStaysQuickWhileItGrows) {
  auto answer = std::make_shared<MessageView>();
  answer->streaming = true;
  std::string paragraph;
  for (int i = 0; i < 60; ++i) paragraph += "word" + std::to_string(i) + " **bold** ";
  for (int i = 0; i < 500; ++i) answer->text += paragraph + "\n\n";
  ASSERT_GT(answer->text.size(), 400000u);
  snapshot_->answering = true;
  snapshot_->conversation.messages[1] = answer;
  frame();
  frame();
  const MessageBox& box = drawer_.window().messages.at({7, 1});
  const size_t pieces = box.layout.layout().pieces.size();
  for (int i = 0; i < 5; ++i) {
    auto longer = std::make_shared<MessageView>(*answer);
    longer->text += "and more ";
    answer = longer;
    snapshot_->conversation.messages[1] = answer;
    frame();
  }
  EXPECT_GE(box.layout.layout().pieces.size(), pieces);
  EXPECT_LT(box.layout.layout().pieces.size(), pieces + 20);
}

TEST_F(WindowTest, OfALongChatOnlyWhatIsInSightIsDrawn) {
  snapshot_->conversation.messages.clear();
  for (int i = 0; i < 200; ++i) {
    auto message = std::make_shared<MessageView>();
    message->from_user = i % 2 == 0;
    message->text = "Message " + std::to_string(i) + std::string(i % 2 == 0 ? 0 : 1500, 'x');
    snapshot_->conversation.messages.push_back(message);
  }
  for (int i = 0; i < 200; ++i) frame();  // measured while there was time
  EXPECT_FALSE(drawer_.window().wants_frame);
  EXPECT_LT(frame(), 40000);
  drawer_.window().scroll_conversation = -4000.0f;
  frame();
  frame();
  EXPECT_FALSE(drawer_.window().stick_to_bottom);
}

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

TEST_F(WindowTest, OneClickReachesAButtonWhileTheQuestionIsBeingTyped) {
  frame();
  frame();
  type("half a ques");
  ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  click(236, 28);  // the plus beside the name
  EXPECT_NE(posted<NewChat>(), nullptr);
}

TEST_F(WindowTest, ADraftSurvivesARestart) {
  frame();
  frame();
  type("half a ques");
  const WindowMemory memory = drawer_.memory(*snapshot_);
  EXPECT_EQ(memory.draft, "half a ques");
  EXPECT_EQ(memory.chat, 7);
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

TEST_F(WindowTest, ADocumentShowsItsPassageAsPageAndAsText) {
  DocumentTextView view;
  view.source = snapshot_->conversation.messages[1]->sources[0];
  view.text = std::make_shared<const std::string>("before\n\nthree years\n\nafter");
  view.begin = 8;
  view.end = 19;
  snapshot_->document = view;
  frame();
  const int text = frame();
  auto image = std::make_shared<PageImage>();
  image->width = 100;
  image->height = 140;
  image->rgb.resize(100 * 140 * 3);
  image->passage = {{0.1f, 0.2f, 0.8f, 0.25f}};
  view.page_image = image;
  view.page = 3;
  view.pages = 9;
  snapshot_->document = view;
  frame();
  EXPECT_NE(frame(), text);
}

TEST_F(WindowTest, AHundredThousandDocumentsCostWhatIsVisible) {
  auto documents = std::make_shared<std::vector<DocumentRow>>(100000);
  auto rows = std::make_shared<std::vector<uint32_t>>(100000);
  for (uint32_t i = 0; i < 100000; ++i) {
    (*documents)[i].id = i + 1;
    (*documents)[i].title = "Document " + std::to_string(i);
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

}  // namespace
}  // namespace mneme::ui

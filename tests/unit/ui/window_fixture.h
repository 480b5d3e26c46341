// The panels without a window: a null renderer, a made-up snapshot, real mouse and keys.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ui/shell/frame.h"
#include "ui/shell/input_queue.h"

namespace mneme::ui {

inline std::shared_ptr<Snapshot> with_an_answer() {
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
  SourceView source;
  source.n = 1;
  source.title = "Handbook";
  source.document = "/docs/handbook.md";
  source.heading = "Warranty";
  source.line_begin = 3;
  source.line_end = 5;
  source.text = "three years";
  source.cited = source.quoted = true;
  answer->sources.push_back(source);
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
    io.KeysDown[static_cast<unsigned char>(letter)] = true;
    frame();
    io.KeysDown[static_cast<unsigned char>(letter)] = false;
    io.KeyCtrl = false;
    frame();
  }
  void press_shifted(char letter) {  // with Ctrl and Shift
    ImGui::GetIO().KeyShift = true;
    press_letter(letter);
    ImGui::GetIO().KeyShift = false;
  }
  // All of it between two frames, as it happens when a frame takes long; then as many frames as it takes.
  void burst(InputQueue& queue) {
    ImGuiIO& io = ImGui::GetIO();
    for (int frames = 0; frames < 100 && (frames < 3 || !queue.empty()); ++frames) {
      for (const InputEvent& e : queue.take(io.WantTextInput)) {
        constexpr int kEnter = 257;
        constexpr int kCtrl = 341;
        const bool down = e.kind == InputEvent::Kind::kPress;
        if (e.kind == InputEvent::Kind::kCharacter) {
          io.AddInputCharacter(static_cast<unsigned>(e.code));
        } else if (e.code == kCtrl) {
          io.KeyCtrl = down;
        } else {
          io.KeysDown[e.code == kEnter ? io.KeyMap[ImGuiKey_Enter] : e.code] = down;
        }
      }
      frame();
    }
  }
  static void push_shortcut(InputQueue& queue, char letter) {
    queue.push({InputEvent::Kind::kPress, 341, 0, 0});
    queue.push({InputEvent::Kind::kPress, letter, 0, 2});
    queue.push({InputEvent::Kind::kRelease, letter, 0, 2});
    queue.push({InputEvent::Kind::kRelease, 341, 0, 2});
  }
  static void push_typed(InputQueue& queue, const std::string& text) {
    for (const char c : text) queue.push({InputEvent::Kind::kCharacter, c, 0, 0});
  }
  static void push_enter(InputQueue& queue) {
    queue.push({InputEvent::Kind::kPress, 257, 0, 0});
    queue.push({InputEvent::Kind::kRelease, 257, 0, 0});
  }
  void type(const std::string& text) {
    ImGui::GetIO().AddInputCharactersUTF8(text.c_str());
    frame();
  }

  // Draws a frame; the number of vertices.
  int frame() {
    drawer_.prepare(scale_, dark_);
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
  float scale_ = 1.0f;
};

}  // namespace mneme::ui

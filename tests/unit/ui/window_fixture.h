// The panels without a window: a null renderer, a made-up snapshot, real mouse and keys.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/ui/hands.h"
#include "ui/shell/frame.h"
#include "ui/shell/input_queue.h"
#include "ui/widgets/keys.h"

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
  static constexpr int kEnterCode = 257;  // GLFW's
  static constexpr int kCtrlCode = 341;
  static constexpr int kCtrlBit = 2;

  WindowTest() {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(1280, 800);
    io.DeltaTime = 1.0f / 60.0f;
    name_keys();
    snapshot_ = with_an_answer();
    hooks_.post = [this](Command c) { posted_.push_back(std::move(c)); };
    hooks_.choose_folder = [this] { ++folder_dialogs_; };
    hooks_.choose_model = [] {};
    hooks_.open_path = [](const std::string&) {};
    hooks_.texture = [](const std::shared_ptr<const PageImage>&) { return ImTextureID{}; };
  }

  void press(Key key, bool ctrl = false) {
    if (ctrl) hold_ctrl(true);
    hold(key, true);
    frame();
    hold(key, false);
    if (ctrl) hold_ctrl(false);
    frame();
  }
  void press(ImGuiKey key, bool ctrl = false) { press(named(key), ctrl); }
  void press_letter(char c) { press(letter(c), /*ctrl=*/true); }
  void press_alt(char c) {
    hold_alt(true);
    press(letter(c));
    hold_alt(false);
    frame();
  }
  void press_with_shift(ImGuiKey key) {
    hold_shift(true);
    press(key);
    hold_shift(false);
  }
  void press_shifted(char c) {  // with Ctrl and Shift
    hold_shift(true);
    press_letter(c);
    hold_shift(false);
  }
  // All of it between two frames, as it happens when a frame takes long; then as many frames as it takes.
  void burst(InputQueue& queue) {
    for (int frames = 0; frames < 100 && (frames < 3 || !queue.empty()); ++frames) {
      for (const InputEvent& event : queue.take(ImGui::GetIO().WantTextInput)) give(event);
      hold_modifiers({.ctrl = (queue.modifiers() & kCtrlBit) != 0});
      frame();
    }
  }
  enum class LetGo { kLetterFirst, kCtrlFirst };
  static void push_shortcut(InputQueue& queue, char letter, LetGo order = LetGo::kLetterFirst) {
    queue.push({InputEvent::Kind::kPress, kCtrlCode, 0, 0});
    queue.push({InputEvent::Kind::kPress, letter, 0, kCtrlBit});
    if (order == LetGo::kCtrlFirst) queue.push({InputEvent::Kind::kRelease, kCtrlCode, 0, kCtrlBit});
    queue.push({InputEvent::Kind::kRelease, letter, 0, order == LetGo::kCtrlFirst ? 0 : kCtrlBit});
    if (order == LetGo::kLetterFirst) queue.push({InputEvent::Kind::kRelease, kCtrlCode, 0, kCtrlBit});
  }
  static void push_typed(InputQueue& queue, const std::string& text) {
    for (const char c : text) queue.push({InputEvent::Kind::kCharacter, c, 0, 0});
  }
  static void push_enter(InputQueue& queue) {
    queue.push({InputEvent::Kind::kPress, kEnterCode, 0, 0});
    queue.push({InputEvent::Kind::kRelease, kEnterCode, 0, 0});
  }
  void type(const std::string& text) {
    write(text);
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

  void click(float x, float y, int button = 0) {
    move_mouse(ImVec2(x, y));
    frame();
    hold_button(button, true);
    frame();
    frame();
    hold_button(button, false);
    frame();
  }

  template <typename T>
  const T* posted() const {
    for (const Command& c : posted_) {
      if (const T* found = std::get_if<T>(&c)) return found;
    }
    return nullptr;
  }

  // As the shell does before a frame (shell_input.cpp), but for modifiers.
  static void give(const InputEvent& event) {
    const bool down = event.kind == InputEvent::Kind::kPress;
    if (event.kind == InputEvent::Kind::kCharacter) {
      write(std::string(1, static_cast<char>(event.code)));
    } else if (event.code != kCtrlCode) {
      hold(event.code == kEnterCode ? named(ImGuiKey_Enter) : letter(static_cast<char>(event.code)), down);
    }
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

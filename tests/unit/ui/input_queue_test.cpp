// Keys and characters between frames: none is lost, and none is seen out of order.
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/ui/hands.h"
#include "ui/shell/frame.h"
#include "ui/shell/input_queue.h"
#include "ui/shell/pointer.h"
#include "ui/shell/taken_keys.h"

namespace mneme::ui {
namespace {

// GLFW's codes.
constexpr int kEnter = 257;
constexpr int kShiftKey = 340;
constexpr int kCtrlKey = 341;
constexpr int kRightCtrlKey = 345;
constexpr int kCapsLock = 280;
constexpr int kCtrl = 2;

using Kind = InputEvent::Kind;

void tap(InputQueue& queue, int key, int mods = 0) {
  queue.push({Kind::kPress, key, 0, mods});
  queue.push({Kind::kRelease, key, 0, mods});
}

void type(InputQueue& queue, const std::string& text) {
  for (const char c : text) {
    const int key = c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
    queue.push({Kind::kPress, key, 0, 0});
    queue.push({Kind::kCharacter, c, 0, 0});
    queue.push({Kind::kRelease, key, 0, 0});
  }
}

std::string characters(const std::vector<InputEvent>& events) {
  std::string text;
  for (const InputEvent& e : events) {
    if (e.kind == Kind::kCharacter) text += static_cast<char>(e.code);
  }
  return text;
}

bool holds(const std::vector<InputEvent>& events, Kind kind, int code) {
  for (const InputEvent& e : events) {
    if (e.kind == kind && e.code == code) return true;
  }
  return false;
}

TEST(InputQueueTest, LettersTypedInOneFrameArriveInOne) {
  InputQueue queue;
  type(queue, "dark");
  EXPECT_EQ(characters(queue.take(false)), "dark");
  EXPECT_TRUE(queue.empty());
}

TEST(InputQueueTest, AKeyThatIsTappedIsSeenDownForAFrame) {
  InputQueue queue;
  tap(queue, kEnter);
  std::vector<InputEvent> first = queue.take(false);
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0].kind, Kind::kPress);
  const std::vector<InputEvent> second = queue.take(false);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(second[0].kind, Kind::kRelease);
}

TEST(InputQueueTest, LettersBehindAShortcutWaitUntilItWasSeen) {
  InputQueue queue;
  queue.push({Kind::kPress, kCtrlKey, 0, 0});
  tap(queue, 'K', kCtrl);
  queue.push({Kind::kRelease, kCtrlKey, 0, kCtrl});
  type(queue, "dark");
  tap(queue, kEnter);
  const std::vector<InputEvent> first = queue.take(false);
  EXPECT_TRUE(holds(first, Kind::kPress, 'K'));
  EXPECT_FALSE(holds(first, Kind::kRelease, kCtrlKey)) << "it would not be a shortcut any more";
  EXPECT_EQ(characters(first), "");
  std::string typed;
  bool entered = false;
  while (!queue.empty()) {
    const std::vector<InputEvent> portion = queue.take(false);
    typed += characters(portion);
    if (holds(portion, Kind::kPress, kEnter)) {
      EXPECT_EQ(typed, "dark") << "Enter comes with or after the last letter";
      entered = true;
    }
  }
  EXPECT_TRUE(entered);
}

TEST(InputQueueTest, LettersBehindAKeyThatActsWait) {
  InputQueue queue;
  type(queue, "one");
  tap(queue, kEnter);
  type(queue, "two");
  EXPECT_EQ(characters(queue.take(false)), "one");
  EXPECT_EQ(characters(queue.take(false)), "two");
}

TEST(InputQueueTest, CapitalsCostNoFrames) {
  InputQueue queue;
  queue.push({Kind::kPress, kShiftKey, 0, 0});
  type(queue, "A");
  queue.push({Kind::kRelease, kShiftKey, 0, 1});
  type(queue, "b");
  std::string typed;
  int frames = 0;
  for (; !queue.empty(); ++frames) typed += characters(queue.take(false));
  EXPECT_EQ(typed, "Ab");
  EXPECT_LE(frames, 2);
}

TEST(InputQueueTest, SpacesInAFieldCostNoFrames) {
  InputQueue queue;
  type(queue, "a b");
  EXPECT_EQ(characters(queue.take(true)), "a b");
  EXPECT_TRUE(queue.empty());
  type(queue, " ");
  EXPECT_EQ(characters(queue.take(false)), "") << "the space bar presses what is chosen";
}

TEST(InputQueueTest, WhateverComesAllOfItIsHandedOnInOrder) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    InputQueue queue;
    std::vector<int> pushed;
    for (int i = 0; i < 60; ++i) {
      constexpr int kCodes[] = {'A', 'K', ' ', kEnter, kShiftKey, kCtrlKey, 265};
      const auto kind = static_cast<Kind>(random() % 3);
      const int code = kCodes[random() % 7];
      queue.push({kind, code, 0, static_cast<int>(random() % 4)});
      pushed.push_back(static_cast<int>(kind) * 1000 + code);
    }
    std::vector<int> taken;
    while (!queue.empty()) {
      const std::vector<InputEvent> portion = queue.take(round % 2 == 0);
      ASSERT_FALSE(portion.empty()) << "the first event must always be handed on";
      for (const InputEvent& e : portion) taken.push_back(static_cast<int>(e.kind) * 1000 + e.code);
    }
    ASSERT_EQ(taken, pushed);
  }
}

// What is held when each portion is seen.
std::vector<int> modifiers_of_portions(InputQueue& queue) {
  std::vector<int> held;
  while (!queue.empty()) {
    queue.take(true);
    held.push_back(queue.modifiers());
  }
  return held;
}

TEST(InputQueueTest, CtrlIsHeldWithItsKeyWhicheverIsLetGoFirst) {
  for (const bool ctrl_first : {false, true}) {
    InputQueue queue;
    queue.push({Kind::kPress, kCtrlKey, 0, 0});
    queue.push({Kind::kPress, 'K', 0, kCtrl});
    if (ctrl_first) queue.push({Kind::kRelease, kCtrlKey, 0, kCtrl});
    queue.push({Kind::kRelease, 'K', 0, ctrl_first ? 0 : kCtrl});
    if (!ctrl_first) queue.push({Kind::kRelease, kCtrlKey, 0, kCtrl});
    EXPECT_EQ(modifiers_of_portions(queue), (std::vector<int>{kCtrl, 0}));
  }
}

TEST(InputQueueTest, OneOfTwoCtrlKeysIsEnough) {
  InputQueue queue;
  queue.push({Kind::kPress, kCtrlKey, 0, 0});
  queue.push({Kind::kPress, kRightCtrlKey, 0, kCtrl});
  queue.push({Kind::kRelease, kCtrlKey, 0, kCtrl});
  EXPECT_EQ(modifiers_of_portions(queue), (std::vector<int>{kCtrl, kCtrl}));
}

// As with the keyboard's option ctrl:nocaps: the key is Caps Lock, and the keys behind it come with Ctrl.
TEST(InputQueueTest, WhatAKeyComesWithIsHeldWhileItIsDown) {
  InputQueue queue;
  queue.push({Kind::kPress, kCapsLock, 0, 0});
  tap(queue, 'K', kCtrl);
  queue.push({Kind::kRelease, kCapsLock, 0, kCtrl});
  EXPECT_EQ(modifiers_of_portions(queue), (std::vector<int>{0, kCtrl, 0}));
  // The next key is down before the first is up.
  queue.push({Kind::kPress, kCapsLock, 0, 0});
  queue.push({Kind::kPress, 'K', 0, kCtrl});
  queue.push({Kind::kRelease, kCapsLock, 0, kCtrl});
  queue.push({Kind::kPress, 'D', 0, 0});
  queue.push({Kind::kRelease, 'K', 0, 0});
  EXPECT_EQ(modifiers_of_portions(queue), (std::vector<int>{0, kCtrl, 0}));
}

// Enter, as it comes from GLFW; its scancode is what X calls it.
constexpr int kEnterOfX = 36;
InputEvent enter(Kind kind) {
  return {kind, kEnter, kEnterOfX, 0};
}

TEST(TakenKeysTest, WhatTheMethodKeepsIsNeverSeen) {
  TakenKeys keys;
  EXPECT_TRUE(keys.told(enter(Kind::kPress), 100, true).empty());
  EXPECT_TRUE(keys.told(enter(Kind::kRelease), 100, true).empty()) << "let go without being pressed";
  EXPECT_TRUE(keys.given_back(kEnterOfX, 200).empty()) << "a later press of it";
  EXPECT_EQ(keys.told(enter(Kind::kPress), 200, false).size(), 1u);
  EXPECT_EQ(keys.told(enter(Kind::kRelease), 200, false).size(), 1u);
}

TEST(TakenKeysTest, WhatItGivesBackComesInOrder) {
  TakenKeys keys;
  EXPECT_TRUE(keys.told(enter(Kind::kPress), 100, true).empty());
  const auto pressed = keys.given_back(kEnterOfX, 100);
  ASSERT_EQ(pressed.size(), 1u);
  EXPECT_EQ(pressed[0].kind, Kind::kPress);
  EXPECT_EQ(pressed[0].code, kEnter);
  EXPECT_EQ(keys.told(enter(Kind::kRelease), 100, false).size(), 1u);
  // Let go before the method has answered.
  keys.told(enter(Kind::kPress), 300, true);
  EXPECT_TRUE(keys.told(enter(Kind::kRelease), 300, true).empty());
  const auto tapped = keys.given_back(kEnterOfX, 300);
  ASSERT_EQ(tapped.size(), 2u);
  EXPECT_EQ(tapped[0].kind, Kind::kPress);
  EXPECT_EQ(tapped[1].kind, Kind::kRelease);
  EXPECT_TRUE(keys.given_back(kEnterOfX, 300).empty()) << "twice";
}

class PointerTest : public testing::Test {
 protected:
  PointerTest() {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(800, 600);
    io.DeltaTime = 1.0f / 60.0f;
    drawer_.prepare(1.0f, false);
  }
  // What a frame sees; whether that was all there is.
  bool frame() {
    const bool told = pointer_.feed(ImGui::GetIO());
    ImGui::NewFrame();
    ImGui::EndFrame();
    return told;
  }
  static ImVec2 position() { return ImGui::GetIO().MousePos; }
  static bool down(int button) { return ImGui::GetIO().MouseDown[button]; }

  FrameDrawer drawer_;
  Pointer pointer_;
};

TEST_F(PointerTest, AClickWithinAFrameIsDownForOne) {
  pointer_.moved(10, 20);
  pointer_.button(0, true);
  pointer_.button(0, false);
  frame();
  EXPECT_EQ(position().x, 10.0f);
  EXPECT_EQ(position().y, 20.0f);
  EXPECT_TRUE(down(0));
  frame();
  EXPECT_FALSE(down(0));
  pointer_.button(1, true);
  frame();
  frame();
  EXPECT_TRUE(down(1)) << "held until it is let go";
  pointer_.button(99, true);
  pointer_.button(-1, true);
}

// As when a frame takes long: what was clicked is what was under the mouse then.
TEST_F(PointerTest, ClicksBetweenTwoFramesAreSeenOneByOneWhereTheyWere) {
  pointer_.moved(10, 20);
  for (int i = 0; i < 2; ++i) {
    pointer_.button(0, true);
    pointer_.button(0, false);
  }
  pointer_.moved(300, 400);
  pointer_.moved(500, 600);
  for (const bool pressed : {true, false, true, false}) {
    EXPECT_FALSE(frame());
    EXPECT_EQ(down(0), pressed);
    EXPECT_EQ(position().x, 10.0f);
  }
  EXPECT_TRUE(frame());
  EXPECT_EQ(position().x, 500.0f);
  EXPECT_FALSE(down(0));
}

TEST_F(PointerTest, OutsideItIsNowhereButWhileItDrags) {
  frame();
  EXPECT_LT(position().x, -1e6f) << "nobody has said where it is";
  pointer_.moved(10, 20);
  pointer_.button(0, true);
  pointer_.left();
  pointer_.moved(-30, 20);
  frame();
  frame();
  EXPECT_EQ(position().x, -30.0f);
  pointer_.button(0, false);
  pointer_.left();
  frame();
  frame();
  EXPECT_LT(position().x, -1e6f);
}

}  // namespace
}  // namespace mneme::ui

// Icons and controls, drawn without a window and used by a mouse and keys that are made up.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/ui/hands.h"
#include "ui/shell/frame.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

class ControlsTest : public testing::Test {
 protected:
  ControlsTest() {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(640, 400);
    io.DeltaTime = 1.0f / 60.0f;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    name_keys();
    drawer_.prepare(1.0f, false);
    frame([] {});  // how finely circles are drawn is known from then on
  }

  void frame(const std::function<void()>& draw) {
    ImGui::NewFrame();
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImVec2(600, 300));
    ImGui::Begin("w", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
    ImGui::PushFont(current_fonts().fonts().regular);
    ImGui::SetCursorPos(ImVec2(20, 20));
    draw();
    ImGui::Dummy(ImVec2(0, 0));  // where nothing is drawn: later versions want an item behind a moved cursor
    ImGui::PopFont();
    ImGui::End();
    ImGui::Render();
  }
  void mouse(float x, float y, bool down, const std::function<void()>& draw) {
    move_mouse(ImVec2(x, y));
    hold_button(0, down);
    frame(draw);
  }
  void click(float x, float y, const std::function<void()>& draw) {
    mouse(x, y, false, draw);
    mouse(x, y, true, draw);
    mouse(x, y, true, draw);
    mouse(x, y, false, draw);
    mouse(x, y, false, draw);
  }
  void press(ImGuiKey key, const std::function<void()>& draw) {
    hold(named(key), true);
    for (int i = 0; i < 3; ++i) frame(draw);
    hold(named(key), false);
    for (int i = 0; i < 3; ++i) frame(draw);
  }

  FrameDrawer drawer_;
  const Theme theme_ = light_theme();
};

// The ring of a button in the accent colour stands outside of it, where it is seen, and grows with the letters.
TEST_F(ControlsTest, TheKeyboardIsSeenOnButtons) {
  for (const float scale : {1.0f, 2.0f}) {
    drawer_.prepare(scale, false);
    const auto draw = [&] {
      primary_button("Ask", theme_);
      plain_button("Cancel");
    };
    frame(draw);
    // What of the accent colour is drawn, and how far it reaches above the buttons.
    const auto top = [&] {
      float least = 1000.0f;
      const ImDrawData& drawn = *ImGui::GetDrawData();
      for (int n = 0; n < drawn.CmdListsCount; ++n) {
        for (const ImDrawVert& v : drawn.CmdLists[n]->VtxBuffer)
          if (v.col == theme_.accent) least = std::min(least, v.pos.y);
      }
      return least;
    };
    move_mouse(ImVec2(-1, -1));
    frame(draw);
    const float without = top();
    for (int i = 0; i < 3; ++i) press(ImGuiKey_UpArrow, draw);
    EXPECT_LT(top(), without - 2.0f * scale) << scale;
    click(500, 280, draw);  // the mouse takes over: no ring
    move_mouse(ImVec2(-1, -1));
    frame(draw);
    EXPECT_FLOAT_EQ(top(), without);
  }
}

TEST_F(ControlsTest, EveryIconFillsItsSquareAndNoTwoAreAlike) {
  std::vector<std::vector<float>> drawn;
  for (size_t i = 0; i < kIconCount; ++i) {
    for (const float size : {12.0f, 16.0f, 40.0f}) {
      ImDrawList list(ImGui::GetDrawListSharedData());
      list._ResetForNewFrame();
      list.PushClipRect(ImVec2(0, 0), ImVec2(400, 400));
      draw_icon(list, static_cast<Icon>(i), ImVec2(100, 100), size, IM_COL32_WHITE);
      ASSERT_GT(list.VtxBuffer.Size, 3) << i;
      const float reach = size * 0.5f + std::max(1.0f, size / 16.0f) + 2.0f;  // half a stroke, and its soft edge
      float extent = 0.0f;
      std::vector<float> places;
      for (const ImDrawVert& v : list.VtxBuffer) {
        ASSERT_NEAR(v.pos.x, 100.0f, reach) << i;
        ASSERT_NEAR(v.pos.y, 100.0f, reach) << i;
        extent = std::max({extent, std::abs(v.pos.x - 100.0f), std::abs(v.pos.y - 100.0f)});
        places.push_back(v.pos.x);
        places.push_back(v.pos.y);
      }
      EXPECT_GT(extent, size * 0.2f) << i;
      if (size == 40.0f) drawn.push_back(std::move(places));
    }
  }
  std::sort(drawn.begin(), drawn.end());
  EXPECT_EQ(std::adjacent_find(drawn.begin(), drawn.end()), drawn.end());
}

TEST_F(ControlsTest, ASliderFollowsTheMouseAndIsDoneWhenItIsLetGo) {
  int value = 10;
  int done = 0;
  const auto draw = [&] {
    done += slider("##s", value, 0, 100, "%d", std::to_string(value), 216.0f, theme_, 1.0f) ? 1 : 0;
  };
  mouse(40, 36, false, draw);
  mouse(40, 36, true, draw);
  mouse(128, 36, true, draw);
  mouse(128, 36, true, draw);
  EXPECT_NEAR(value, 50, 2) << "the middle of the track";
  EXPECT_EQ(done, 0) << "it is still held";
  mouse(400, 36, true, draw);
  mouse(400, 36, false, draw);
  mouse(400, 36, false, draw);
  EXPECT_EQ(value, 100);
  EXPECT_EQ(done, 1);
}

TEST_F(ControlsTest, ASliderKeepsAsManyDigitsAsItShows) {
  float value = 0.0f;
  const auto draw = [&] { slider("##s", value, 0.0f, 1.0f, "%.2f", "", 216.0f, theme_, 1.0f); };
  for (float x = 41.0f; x < 200.0f; x += 23.0f) {
    click(x, 36, draw);
    EXPECT_FLOAT_EQ(value, std::round(value * 100.0f) / 100.0f);
  }
}

TEST_F(ControlsTest, OneOfAFewIsChosenByMouseAndByKeys) {
  constexpr Option kOptions[] = {{"One"}, {"Two", "explained"}, {"Three"}};
  int chosen = -1;
  int changes = 0;
  const auto draw = [&] { changes += choose_one("c", kOptions, chosen, theme_, 1.0f) ? 1 : 0; };
  click(40, 36, draw);
  EXPECT_EQ(chosen, 0);
  click(40, 36, draw);
  EXPECT_EQ(changes, 1) << "what is chosen is not chosen again";
  press(ImGuiKey_RightArrow, draw);
  press(ImGuiKey_RightArrow, draw);
  press(ImGuiKey_Space, draw);
  EXPECT_GT(chosen, 0);
  EXPECT_EQ(changes, 2);
}

TEST_F(ControlsTest, OptionsGoOnInAnotherLineWhereThereIsNoRoom) {
  constexpr Option kOptions[] = {{"A rather long name"}, {"Another long name"}};
  int chosen = 0;
  const auto narrow = [&] {
    ImGui::BeginChild("narrow", ImVec2(200, 200));
    choose_one("c", kOptions, chosen, theme_, 1.0f);
    ImGui::EndChild();
  };
  click(40, 36, narrow);
  EXPECT_EQ(chosen, 0);
  click(40, 36 + ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y, narrow);
  EXPECT_EQ(chosen, 1);
}

TEST_F(ControlsTest, ASwitchIsSwitchedByItsNameToo) {
  bool on = false;
  int switched = 0;
  const auto draw = [&] { switched += toggle("Tell me", on, theme_, 1.0f) ? 1 : 0; };
  click(30, 36, draw);
  EXPECT_TRUE(on);
  click(80, 36, draw);
  EXPECT_FALSE(on);
  EXPECT_EQ(switched, 2);
}

}  // namespace
}  // namespace mneme::ui

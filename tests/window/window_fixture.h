// What whole-window tests share: a home of their own, the program in an X server of its own, and where things stand in
// a window of 1280x800 in the light theme. Threads: one object per test.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/integration/program.h"
#include "tests/window/desktop.h"

namespace mneme::window {

// Of the light theme (ui/widgets/theme.cpp).
constexpr Colour kAccent{0x1f, 0x6f, 0x6b};
constexpr Colour kAccentSoft{0xdc, 0xec, 0xea};
constexpr Colour kPassage{0xfd, 0xf5, 0xdc};
constexpr Colour kHighlight{0xff, 0xdf, 0x80};
constexpr Colour kSurface{0xf5, 0xf5, 0xf2};
constexpr Colour kDanger{0xb3, 0x26, 0x1e};
constexpr Colour kWhite{0xff, 0xff, 0xff};
constexpr Colour kText{0x22, 0x25, 0x2b};
// Of the dark one.
constexpr Colour kDarkBackground{0x19, 0x1b, 0x1f};
constexpr Colour kDarkAccentSoft{0x20, 0x3e, 0x3b};
constexpr Colour kDarkDanger{0xf2, 0x85, 0x7c};

// At 1280x800: the sidebar, the conversation beside it, the sources at the right.
constexpr Rect kSidebar{0, 80, 260, 340};
constexpr Rect kConversation{290, 40, 580, 620};
constexpr Rect kAnswer{290, 130, 580, 500};  // below a question of one line
constexpr Rect kPage{280, 20, 980, 600};
constexpr Rect kSources{905, 60, 360, 720};
constexpr Rect kInput{300, 700, 520, 50};
constexpr Rect kAll{0, 0, 1280, 800};

class WindowE2E : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;  // keeps what was on the screen of a test that failed

  // The window, drawn. `variables` as "NAME=value"; `runner` as for Desktop::start().
  void start(const std::vector<std::string>& variables = {}, const std::vector<std::string>& runner = {});
  // Two small documents, about a kettle's warranty and a ferry.
  void index_documents();
  // Types a question and waits for its answer's first citation.
  void ask(const std::string& question, int& chip_x, int& chip_y);
  // Opens the palette and takes the first thing that goes by this name.
  void choose(const std::string& name);

  // Keeps what is on the screen as MNEME_WINDOW_PICTURES/NAME.ppm, where that folder is named: for people to look at.
  void keep_picture(const std::string& name);

  // As the window keeps its settings; before it starts.
  void set_settings(const nlohmann::json& settings);
  // A chat of questions and answers in turn, as if it had been held; before the window starts.
  void seed_chat(const std::string& title, const std::vector<std::string>& messages);
  // How many documents are indexed, as the command line counts them.
  int64_t documents();
  // The newest chats, and a chat's messages, as the command line has them.
  nlohmann::json chats();
  nlohmann::json messages(int64_t chat);
  // Asks every tenth of a second, at most for `limit_s`.
  static bool wait_until(const std::function<bool()>& done, double limit_s = 120.0);
  // The question being typed, as the window remembers it.
  std::string draft() const;

  integration::Program program_;
  std::unique_ptr<Desktop> desktop_;
};

}  // namespace mneme::window

// The window, a watcher and commands on one home at the same time, each a process of its own: nobody fails, nothing is
// torn, and under the thread sanitizer (scripts/sanitize test_window) nothing is reported by any of them.
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "tests/window/window_fixture.h"

namespace mneme::window {
namespace {

using integration::Outcome;
using integration::Program;

constexpr int kPages = 6;
constexpr int kWatchedMs = 8000;  // what the watcher has left when everything else is done is waited for

class OneHomeE2E : public WindowE2E {
 protected:
  void write_page(int page) {
    program_.write(
        "docs/page" + std::to_string(page) + ".md",
        "# Page " + std::to_string(page) + "\n\nThe crane lifts " + std::to_string(10 + page) + " tonnes.\n");
  }
  void watch() {
    Program other;
    other.use_home(program_.home());
    other.interrupt_after_ms = kWatchedMs;
    const Outcome outcome = other.run({"index", program_.folder() + "/docs", "--watch"});
    EXPECT_EQ(outcome.exit_status, 130) << outcome.diagnostics;
  }
  void ask_and_search() {
    Program other;
    other.use_home(program_.home());
    for (int i = 0; i < 3; ++i) {
      const Outcome asked = other.run({"ask", "When does the ferry sail in winter?", "--model", "none"});
      EXPECT_EQ(asked.exit_status, 0) << asked.diagnostics;
      const Outcome found = other.run({"search", "warranty of the kettle"});
      EXPECT_EQ(found.exit_status, 0) << found.diagnostics;
    }
  }
  void change_and_index() {
    Program other;
    other.use_home(program_.home());
    for (int page = 0; page < kPages; ++page) {
      write_page(page);
      const Outcome indexed = other.run({"index", program_.folder() + "/docs"});
      EXPECT_EQ(indexed.exit_status, 0) << indexed.diagnostics;
    }
  }
};

TEST_F(OneHomeE2E, WindowWatcherAndCommands) {
  index_documents();
  start();
  if (HasFatalFailure()) return;
  {
    std::jthread watcher([this] { watch(); });
    std::jthread asking([this] { ask_and_search(); });
    std::jthread indexing([this] { change_and_index(); });
    int x = 0;
    int y = 0;
    ask("How long is the warranty of the kettle?", x, y);
  }
  EXPECT_EQ(documents(), 2 + kPages);
  EXPECT_EQ(desktop_->close(), 0);
  const Outcome verified = program_.run({"verify"});
  EXPECT_EQ(verified.exit_status, 0) << verified.output << verified.diagnostics;
  ASSERT_EQ(chats().size(), 1u);
  const auto said = messages(chats()[0].value("id", int64_t{0}));
  ASSERT_EQ(said.size(), 2u);
  EXPECT_NE(said[1].value("text", "").find("three years"), std::string::npos) << said.dump();
}

}  // namespace
}  // namespace mneme::window

// The real window among other programs, and on a machine that fails it: files dropped on it, megabytes pasted into it,
// the desktop's dialogs and notices, a disk without room.
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/checkout/checkout.h"
#include "tests/window/input_method_server.h"
#include "tests/window/other_program.h"
#include "tests/window/window_fixture.h"

namespace mneme::window {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class SurroundingsE2E : public WindowE2E {
 protected:
  // A program of the desktop's, by name; what it does is a line of shell.
  void pretend(const std::string& name, const std::string& line) {
    const std::string path = program_.write("bin/" + name, "#!/bin/sh\n" + line + "\n");
    ASSERT_EQ(chmod(path.c_str(), 0700), 0);
  }
  std::string with_pretended() const { return "PATH=" + program_.folder() + "/bin:/usr/bin:/bin"; }
  bool library_shows_a_collection() {
    return desktop_->wait_for([](const Picture& p) { return p.share({290, 150, 900, 60}, kAccentSoft) > 0.3; });
  }
};

TEST_F(SurroundingsE2E, FoldersAndModelsDroppedThroughXAreTaken) {
  program_.write("Reise nach Tarnholm/Fähre.md", "# Fähre\n\nIm Winter fährt sie um neun.\n");
  const std::string model = program_.folder() + "/small one.gguf";
  fs::copy_file(checkout::test_data("tiny.gguf"), model);
  start();
  OtherProgram files(desktop_->display());
  ASSERT_TRUE(files.drop_files(desktop_->program_window(), 640, 300, {program_.folder() + "/Reise nach Tarnholm"}));
  EXPECT_TRUE(wait_until([&] { return documents() == 1; }));
  EXPECT_TRUE(library_shows_a_collection());
  ASSERT_TRUE(files.drop_files(desktop_->program_window(), 640, 300, {model}));
  EXPECT_TRUE(wait_until(
      [&] { return program_.run({"model", "list", "--json"}).output.find("small one") != std::string::npos; }));
}

TEST_F(SurroundingsE2E, FiveMegabytesPastedThroughXAreCutWithAWord) {
  index_documents();
  start();
  OtherProgram report(desktop_->display());
  std::string text;
  while (text.size() < 5'000'000) text += "Words that somebody has copied from a long report. ";
  report.copy(text);
  desktop_->key("ctrl+v");
  ASSERT_TRUE(report.hand_out_copied());
  constexpr Rect kUnderInput{560, 760, 340, 32};
  EXPECT_TRUE(desktop_->wait_for([&](const Picture& p) { return p.share(kUnderInput, kDanger, 60) > 0.005; }))
      << "it does not say that it was cut";
  EXPECT_TRUE(wait_until([&] { return draft().size() == 200'000; })) << draft().size();
  // And it goes on: all of it is taken out by two keys.
  desktop_->key("ctrl+a");
  desktop_->key("BackSpace");
  EXPECT_TRUE(wait_until([&] { return draft().empty(); }));
}

TEST_F(SurroundingsE2E, WhatAnInputMethodComposesIsShownAndItsEnterOnlyAcceptsIt) {
  if (const std::string missing = InputMethodServer::missing(); !missing.empty()) GTEST_SKIP() << missing;
  index_documents();
  const InputMethodServer method(desktop_->display(), "nihon", "日本");
  start({InputMethodServer::variable()});
  desktop_->type("1 ");
  EXPECT_TRUE(wait_until([&] { return draft() == "1 "; })) << "what the method has no use for: " << draft();
  const auto underlined = [](const Picture& p) {
    int longest = 0;
    for (int y = kInput.y + 20; y < kInput.y + 52; ++y) {
      int length = 0;
      for (int x = kInput.x; x < kInput.x + 200; ++x) length += p.share({x, y, 1, 1}, kAccent, 30) > 0 ? 1 : 0;
      longest = std::max(longest, length);
    }
    return longest > 20;
  };
  EXPECT_FALSE(underlined(desktop_->settled()));
  desktop_->type("nihon", 60);
  EXPECT_TRUE(desktop_->wait_for(underlined)) << "what is composed is not shown";
  EXPECT_TRUE(wait_until([&] { return method.caret().first > kInput.x; })) << method.caret().first;
  EXPECT_GT(method.caret().second, kInput.y);
  EXPECT_LT(method.caret().second, kInput.y + kInput.height);
  desktop_->key("space");
  desktop_->key("Return");
  EXPECT_TRUE(wait_until([&] { return draft() == "1 日本"; })) << draft();
  desktop_->type("nihon", 60);
  desktop_->key("BackSpace");
  desktop_->key("Escape");
  desktop_->settled();
  EXPECT_FALSE(underlined(desktop_->look()));
  EXPECT_TRUE(chats().empty()) << "a key of the method's has asked the question";
  desktop_->key("Return");
  EXPECT_TRUE(wait_until([&] { return chats().size() == 1; }));
  EXPECT_EQ(messages(chats()[0]["id"])[0]["text"], "1 日本");
}

TEST_F(SurroundingsE2E, TheDesktopIsToldWhenLongWorkEndsAndNobodyLooks) {
  set_settings({{"long_work_s", 0}});
  const std::string said = program_.folder() + "/said";
  pretend("notify-send", "echo \"$@\" >> " + said);
  program_.write("first/one.md", "# One\n\nSome words.\n");
  program_.write("second/two.md", "# Two\n\nOther words.\n");
  start({with_pretended()});
  OtherProgram other(desktop_->display());
  ASSERT_TRUE(other.drop_files(desktop_->program_window(), 640, 300, {program_.folder() + "/first"}));
  ASSERT_TRUE(wait_until([&] { return documents() == 1; }));
  ASSERT_TRUE(library_shows_a_collection());
  desktop_->settled();
  other.take_keyboard_away();
  ASSERT_TRUE(other.drop_files(desktop_->program_window(), 640, 300, {program_.folder() + "/second"}));
  ASSERT_TRUE(wait_until([&] { return !content_of(said).empty(); }));
  const std::string lines = content_of(said);
  EXPECT_EQ(lines.find('\n'), lines.size() - 1) << "told while it was looked at: " << lines;
  EXPECT_NE(lines.find("Indexing finished: 1 document new or changed"), std::string::npos) << lines;
}

TEST_F(SurroundingsE2E, ColoursFollowTheDesktopsWhenTheWindowIsLookedAtAgain) {
  index_documents();
  const std::string scheme = program_.write("scheme", "'default'\n");
  pretend("gsettings", "cat " + scheme);
  start({with_pretended()});
  ASSERT_TRUE(desktop_->wait_for([](const Picture& p) { return p.share(kConversation, kWhite) > 0.8; }));
  program_.write("scheme", "'prefer-dark'\n");
  OtherProgram other(desktop_->display());
  other.take_keyboard_away();
  desktop_->give_keyboard();
  EXPECT_TRUE(desktop_->wait_for([](const Picture& p) { return p.share(kConversation, kDarkBackground) > 0.8; }));
}

TEST_F(SurroundingsE2E, OnADenseDisplayAllIsTwiceAsLargeAndTheWindowStaysItsSize) {
  desktop_ = std::make_unique<Desktop>(2560, 1600);
  OtherProgram settings(desktop_->display());
  settings.set_dpi(192);
  index_documents();
  for (const char* when : {"first start", "second start"}) {
    start();
    const auto sidebar_ends_at = [](const Picture& p, int x) {
      return p.share({x - 60, 600, 50, 120}, kSurface) > 0.9 && p.share({x + 40, 600, 50, 120}, kWhite) > 0.9;
    };
    EXPECT_TRUE(desktop_->wait_for([&](const Picture& p) { return sidebar_ends_at(p, 528); })) << when;
    EXPECT_EQ(desktop_->close(), 0);
    const json memory = json::parse(content_of(program_.home() + "/window.json"), nullptr, false);
    if (!memory.is_object()) continue;  // it is as it was at first: nothing to remember
    EXPECT_EQ(memory.value("width", 0), 1280) << when;
    EXPECT_EQ(memory.value("height", 0), 800) << when;
  }
}

TEST_F(SurroundingsE2E, ClosingTheWindowTakesAnOpenDialogAlong) {
  const std::string process = program_.folder() + "/dialog";
  pretend("zenity", "echo $$ > " + process + "\nexec sleep 100");
  start({with_pretended()});
  choose("add a folder");
  ASSERT_TRUE(wait_until([&] { return content_of(process).ends_with('\n'); }));
  EXPECT_EQ(desktop_->close(), 0);
  const int dialog = std::atoi(content_of(process).c_str());
  ASSERT_GT(dialog, 0);
  EXPECT_TRUE(wait_until([&] { return kill(dialog, 0) != 0 && errno == ESRCH; }));
}

// The home lies on a disk of its own, in a mount namespace that only the window sees.
class FullDiskE2E : public SurroundingsE2E {
 protected:
  void SetUp() override {
    SurroundingsE2E::SetUp();
    if (IsSkipped()) return;
    if (std::system("unshare -rm mount -t tmpfs none /mnt >/dev/null 2>&1") != 0)  // NOLINT(concurrency-mt-unsafe)
      GTEST_SKIP() << "no small disk can be mounted here (unshare -rm)";
  }
  std::string sign(const std::string& name) const { return program_.folder() + "/" + name; }
  void give_sign(const std::string& name) { program_.write(name, ""); }
  bool wait_for_sign(const std::string& name) {
    return wait_until([&] { return fs::exists(sign(name)); });
  }
  // Mounts the disk over the home, keeping what is in it; fills it and makes room again at a sign; and becomes the
  // program. What waits for signs ends with it.
  std::string disk_script() {
    const std::string wait = "await() { while [ ! -e \"$1\" ] && kill -0 $$ 2>/dev/null; do sleep 0.1; done; }\n";
    const std::string home = program_.home();
    return program_.write("disk.sh", wait + "cp -r '" + home + "' '" + sign("kept") + "'\n" +
                                         "mount -t tmpfs -o size=32m none '" + home + "' || exit 9\n" + "cp -r '" +
                                         sign("kept") + "/.' '" + home + "/'\n" + "( await '" + sign("fill") +
                                         "'; dd if=/dev/zero of='" + home + "/ballast' bs=4096; touch '" +
                                         sign("filled") + "'; await '" + sign("room") + "'; rm '" + home +
                                         "/ballast'; touch '" + sign("made") + "' ) 2>/dev/null &\n" + "exec \"$@\"\n");
  }
};

TEST_F(FullDiskE2E, TheAnswerIsShownAndTheDiskNamedAndOnceThereIsRoomChatsAreKeptAgain) {
  index_documents();
  start({}, {"/usr/bin/unshare", "-rm", "/bin/sh", disk_script()});
  desktop_->settled();
  give_sign("fill");
  ASSERT_TRUE(wait_for_sign("filled"));
  int x = 0;
  int y = 0;
  ask("How long is the warranty of the kettle?", x, y);
  constexpr Rect kNotices{836, 520, 430, 270};
  EXPECT_TRUE(desktop_->wait_for([&](const Picture& p) { return p.share(kNotices, kDanger, 60) > 0.003; }))
      << "nothing says that it could not be kept";
  keep_picture("disk-full");
  constexpr Rect kFirstChat{40, 92, 200, 30};
  const auto has_chat = [&](const Picture& p) { return p.share(kFirstChat, kText, 40) > 0.01; };
  EXPECT_TRUE(desktop_->wait_for(has_chat)) << "it stands in the list";
  const auto answered = [](const Picture& p) { return p.share(kAnswer, kAccentSoft) > 0.0003; };
  desktop_->key("ctrl+n");
  EXPECT_TRUE(desktop_->wait_for([&](const Picture& p) { return !answered(p); }));
  desktop_->click(100, 107);
  EXPECT_TRUE(desktop_->wait_for(answered)) << "it is there on return";
  desktop_->move(700, 500);
  const Picture unkept = desktop_->settled();
  constexpr Rect kMark{190, 98, 56, 18};  // “not kept”
  give_sign("room");
  ASSERT_TRUE(wait_for_sign("made"));
  EXPECT_TRUE(desktop_->wait_for([&](const Picture& p) { return p.difference(unkept, kMark) > 0.02; }))
      << "it is not kept though there is room";
  desktop_->key("ctrl+n");
  ask("When does the ferry sail in winter?", x, y);
  EXPECT_TRUE(desktop_->wait_for(has_chat)) << "it is not kept though there is room";
  EXPECT_EQ(desktop_->close(), 0);
}

}  // namespace
}  // namespace mneme::window

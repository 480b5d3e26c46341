// The whole window as people use it: real clicks and keys through an X server, the screen looked at by region.
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/checkout/checkout.h"
#include "tests/window/terminal.h"
#include "tests/window/window_fixture.h"

namespace mneme::window {
namespace {

using integration::Program;

// A PDF of one page with these lines, as small as one can be.
std::string a_pdf(const std::vector<std::string>& lines) {
  std::string stream = "BT /F1 14 Tf 60 720 Td 20 TL\n";
  for (const std::string& line : lines) stream += "(" + line + ") Tj T*\n";
  stream += "ET";
  const std::vector<std::string> objects = {
      "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
      "<< /Length " + std::to_string(stream.size()) + " >>\nstream\n" + stream + "\nendstream",
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"};
  std::string pdf = "%PDF-1.4\n";
  std::vector<size_t> offsets;
  for (size_t i = 0; i < objects.size(); ++i) {
    offsets.push_back(pdf.size());
    pdf += std::to_string(i + 1) + " 0 obj\n" + objects[i] + "\nendobj\n";
  }
  const size_t table = pdf.size();
  pdf += "xref\n0 " + std::to_string(objects.size() + 1) + "\n0000000000 65535 f \n";
  for (const size_t offset : offsets) {
    std::string number = std::to_string(offset);
    pdf += std::string(10 - number.size(), '0') + number + " 00000 n \n";
  }
  return pdf + "trailer << /Size " + std::to_string(objects.size() + 1) + " /Root 1 0 R >>\nstartxref\n" +
         std::to_string(table) + "\n%%EOF\n";
}

TEST_F(WindowE2E, FirstStartIndexesTheSamplesAnswersAndShowsThePassage) {
  start();
  int x = 0;
  int y = 0;
  // “Add a folder…” is the only thing in the accent colour; the samples stand beside it.
  ASSERT_TRUE(desktop_->wait_for([&](const Picture& p) { return p.find(kPage, kAccent, 500, x, y); }));
  desktop_->click(x + 150, y);
  ASSERT_TRUE(desktop_->wait_for([&](const Picture&) {
    const auto status = program_.run({"status", "--json"}).last_json();
    return status.is_object() && !status["collections"].empty() && status["collections"][0]["documents"] >= 9;
  }));
  desktop_->key("ctrl+l");
  ask("How many rooms does Hotel Meridian have?", x, y);
  desktop_->click(x, y);
  EXPECT_TRUE(desktop_->wait_for([&](const Picture& p) {
    return p.share(kSources, kPassage) > 0.05 && p.share(kSources, kHighlight) > 0.01;
  })) << "the passage is not marked, or the answer's words in it are not";
  EXPECT_EQ(desktop_->close(), 0);
  const auto chats = program_.run({"chat", "list", "--json"}).output;
  EXPECT_NE(chats.find("Hotel Meridian"), std::string::npos);
}

TEST_F(WindowE2E, APdfOpensAtItsPageWithThePassageMarked) {
  if (access("/usr/bin/pdftoppm", X_OK) != 0) GTEST_SKIP() << "poppler-utils is not installed";
  program_.write("docs/manual.pdf", a_pdf({"Lamp manual", "The lamp is cleaned with a dry cloth once a month.",
                                           "The bulb must be changed by a trained person."}));
  ASSERT_EQ(program_.run({"index", program_.folder() + "/docs"}).exit_status, 0);
  start();
  int x = 0;
  int y = 0;
  ask("How is the lamp cleaned?", x, y);
  desktop_->click(x, y);
  // Black letters on the white page, and the marker over them.
  EXPECT_TRUE(desktop_->wait_for([&](const Picture& p) {
    int marked = 0;
    for (int py = kSources.y; py < kSources.y + kSources.height; ++py) {
      for (int px = kSources.x; px < kSources.x + kSources.width; ++px) {
        const Colour c = p.at(px, py);
        marked += c.r > 240 && c.g > 220 && c.b > 150 && c.b < 215 ? 1 : 0;
      }
    }
    return p.share(kSources, kWhite, 1) > 0.4 && marked > 300;
  }));
  desktop_->key("Escape");
  EXPECT_TRUE(desktop_->wait_for([&](const Picture& p) { return p.share(kSources, kSurface) > 0.4; }));
}

TEST_F(WindowE2E, KeysAloneReachThePaletteTheThemeAndThePages) {
  index_documents();
  start();
  // Without waiting: what is typed right behind the shortcut is not lost.
  desktop_->key("ctrl+k");
  desktop_->type("dark theme");
  desktop_->key("Return");
  EXPECT_TRUE(desktop_->wait_for([](const Picture& p) { return p.share(kConversation, kDarkBackground) > 0.8; }));
  const Picture conversation = desktop_->settled();
  for (const char* page : {"ctrl+2", "ctrl+3", "ctrl+4", "ctrl+5"}) {
    desktop_->key(page);
    EXPECT_TRUE(desktop_->wait_for([&](const Picture& p) { return p.difference(conversation, kPage) > 0.01; })) << page;
  }
  desktop_->key("Escape");
  EXPECT_TRUE(desktop_->wait_for([&](const Picture& p) { return p.difference(conversation, kConversation) < 0.01; }));
  const Picture before = desktop_->settled(3.0);
  desktop_->key("ctrl+plus");
  EXPECT_TRUE(desktop_->wait_for([&](const Picture& p) { return p.difference(before, kPage) > 0.01; }));
  EXPECT_EQ(desktop_->close(), 0);
}

TEST_F(WindowE2E, ComposedCharactersArriveAndTheDraftSurvivesACrash) {
  index_documents();
  start();
  const Picture empty = desktop_->settled();
  // Keys that no keyboard of the server has: xdotool lends each one for a moment.
  desktop_->type("茶山 ß é 😀", 1200);
  EXPECT_TRUE(desktop_->wait_for([&](const Picture& p) { return p.difference(empty, kInput) > 0.005; }));
  std::string memory;
  for (int i = 0; i < 1200 && memory.find("茶山 ß é 😀") == std::string::npos; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    std::ifstream file(program_.home() + "/window.json");
    memory.assign(std::istreambuf_iterator<char>(file), {});
  }
  desktop_->kill_program();
  EXPECT_NE(memory.find("茶山 ß é 😀"), std::string::npos) << memory;
  start();
  EXPECT_TRUE(desktop_->wait_for([&](const Picture& p) { return p.difference(empty, kInput) > 0.005; }))
      << "the draft is not there again";
}

TEST_F(WindowE2E, TheSmallestWindowAndClosingWhileIndexingDoNoHarm) {
  for (int i = 0; i < 400; ++i)
    program_.write("many/" + std::to_string(i) + ".md", "# File " + std::to_string(i) + std::string(20000, 'w'));
  index_documents();
  start();
  desktop_->resize(320, 200);
  desktop_->settled(2.0);
  EXPECT_TRUE(desktop_->running());
  desktop_->resize(1280, 800);
  desktop_->key("ctrl+2");
  desktop_->settled(3.0);
  EXPECT_EQ(desktop_->close(), 0);
  EXPECT_EQ(program_.run({"verify", "--json"}).exit_status, 0);
}

TEST_F(WindowE2E, AnEncryptedHomeAsksForItsPassphraseAndShowsNothingBefore) {
  index_documents();
  set_settings({{"theme", 2}});
  const std::string passphrase = program_.write("passphrase", "correct horse\n");
  ASSERT_EQ(program_.run({"encryption", "on", "--new-passphrase-file", passphrase}).exit_status, 0);
  start();
  constexpr Rect kBelowIt{0, 520, 1280, 280};
  ASSERT_TRUE(desktop_->wait_for([&](const Picture& p) { return p.share(kBelowIt, kWhite) > 0.999; }));
  desktop_->settled();
  desktop_->type("wrong horse");
  desktop_->key("Return");
  EXPECT_TRUE(desktop_->wait_for([](const Picture& p) { return p.share({400, 340, 480, 120}, kDanger, 60) > 0.002; }))
      << "it does not say that this was wrong";
  EXPECT_GT(desktop_->look().share(kBelowIt, kWhite), 0.999) << "it shows more than the question for the passphrase";
  desktop_->type("correct horse");
  desktop_->key("Return");
  ASSERT_TRUE(desktop_->wait_for([](const Picture& p) { return p.share(kConversation, kDarkBackground) > 0.8; }));
  desktop_->settled();
  desktop_->type("How long is the warranty of the kettle?");
  desktop_->key("Return");
  int x = 0;
  int y = 0;
  EXPECT_TRUE(desktop_->wait_for([&](const Picture& p) { return p.find(kAnswer, kDarkAccentSoft, 60, x, y); }));
  EXPECT_EQ(desktop_->close(), 0);
  EXPECT_TRUE(program_.files_that_hold("kettle").empty());
  // Its settings are not known before it is open; the colours are as they were last.
  start();
  EXPECT_TRUE(desktop_->wait_for([&](const Picture& p) { return p.share(kBelowIt, kDarkBackground) > 0.999; }));
}

TEST_F(WindowE2E, WithoutADisplayOrOpenGlItSaysWhatToDoInstead) {
  Program program;
  program.environment = {"DISPLAY=:9987"};
  integration::Outcome outcome = program.run({"gui"});
  EXPECT_EQ(outcome.exit_status, 3);
  EXPECT_NE(outcome.diagnostics.find("mneme chat"), std::string::npos) << outcome.diagnostics;
  program.environment = {"DISPLAY=" + desktop_->display(), "LIBGL_ALWAYS_SOFTWARE=1", "MESA_GL_VERSION_OVERRIDE=2.1"};
  outcome = program.run({"gui"});
  EXPECT_EQ(outcome.exit_status, 3);
  EXPECT_NE(outcome.diagnostics.find("OpenGL 3"), std::string::npos) << outcome.diagnostics;
  EXPECT_NE(outcome.diagnostics.find("mneme chat"), std::string::npos) << outcome.diagnostics;
}

TEST_F(WindowE2E, WithoutADisplayTheChatGoesOnInTheTerminal) {
  index_documents();
  const TerminalOutcome outcome =
      run_in_terminal({checkout::program(), "--home", program_.home(), "--model", "none", "gui"},
                      {"PATH=/usr/bin:/bin", "HOME=" + program_.folder(), "LC_ALL=C.UTF-8", "TERM=dumb"},
                      "How long is the warranty of the kettle?\n\n");
  EXPECT_EQ(outcome.exit_status, 0) << outcome.screen;
  EXPECT_NE(outcome.screen.find("no display"), std::string::npos) << outcome.screen;
  EXPECT_NE(outcome.screen.find("three years"), std::string::npos) << outcome.screen;
}

}  // namespace
}  // namespace mneme::window

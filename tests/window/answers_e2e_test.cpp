// Answers in the real window: written by a model to their end, stopped, made again, edited, branched; and how they
// look.
#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/checkout/checkout.h"
#include "tests/support/random_gguf.h"
#include "tests/window/window_fixture.h"

namespace mneme::window {
namespace {

using nlohmann::json;

class AnswersE2E : public WindowE2E {
 protected:
  static std::string shipped_model() { return checkout::path("assets/models/mneme-mini.gguf"); }
  // Random weights: it says anything, and goes on for half a minute.
  std::string talkative_model() {
    mneme::testing::RandomModel model;
    model.n_layers = 4;
    model.dim = 256;
    model.head_dim = 64;
    model.ffn_dim = 768;
    model.vocab_size = 320;
    model.vocabulary = true;
    model.context = 40000;
    const std::vector<std::byte> bytes = mneme::testing::random_gguf(model);
    return program_.write("talkative.gguf", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }

  std::string finish_of(const json& message) {
    return message.contains("details") && message["details"].is_object() ? message["details"].value("finish", "") : "";
  }
  // Waits until chat `chat` ends in an answer that finished so.
  bool wait_for_finish(int64_t chat, const std::string& finish) {
    return wait_until([&] {
      const json all = messages(chat);
      return !all.empty() && all.back()["role"] == "assistant" && finish_of(all.back()) == finish;
    });
  }
  int64_t newest() {
    const json all = chats();
    return all.empty() ? 0 : all[0].value("id", int64_t{0});
  }
  // Esc, once words of the answer are on the screen.
  bool stop_when_it_talks() {
    if (!wait_for_words()) return false;
    desktop_->key("Escape");
    return wait_for_finish(newest(), "interrupted");
  }
  bool wait_for_words() {
    return desktop_->wait_for([](const Picture& p) { return p.share({290, 140, 580, 60}, kText, 40) > 0.005; });
  }
};

TEST_F(AnswersE2E, AModelWritesItsAnswerToTheEndAndWhatItCostIsDrawn) {
  if (!std::filesystem::exists(shipped_model())) GTEST_SKIP() << "no shipped model here";
  index_documents();
  set_settings({{"mode", "full"}, {"max_tokens", 64}});  // no measuring of the quality gate
  start({"MNEME_MODEL=" + shipped_model()});
  desktop_->type("How long is the warranty of the kettle?");
  desktop_->key("Return");
  ASSERT_TRUE(wait_for_finish(1, "stop")) << messages(1);
  const json all = messages(1);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_FALSE(all[1]["text"].get<std::string>().empty());
  EXPECT_GT(all[1]["details"]["usage"]["answer_tokens"], 0);
  EXPECT_TRUE(wait_for_words());
  // The sources stand beside it, and its stages on the page of insight: found, read, written.
  EXPECT_TRUE(desktop_->wait_for([](const Picture& p) { return p.share(kSources, kText, 40) > 0.0005; }));
  desktop_->key("ctrl+4");
  constexpr Rect kTimeline{470, 380, 790, 260};
  constexpr Colour kRetrieve{0x7f, 0x89, 0x9b};
  EXPECT_TRUE(desktop_->wait_for([&](const Picture& p) {
    return p.share(kTimeline, kRetrieve) > 0.0002 && p.share(kTimeline, kAccent) > 0.002;
  })) << "no stages";
  EXPECT_EQ(desktop_->close(), 0);
}

TEST_F(AnswersE2E, AnAnswerIsStoppedMadeAgainEditedAndBranchedByKeys) {
  index_documents();
  set_settings({{"mode", "full"}, {"max_tokens", 39000}});
  start({"MNEME_MODEL=" + talkative_model()});
  desktop_->type("How long is the warranty?");
  desktop_->key("Return");
  ASSERT_TRUE(stop_when_it_talks());
  const int64_t first = newest();
  EXPECT_FALSE(messages(first)[1]["text"].get<std::string>().empty()) << "what was written stays";

  // What was answered stays until there is more than nothing in its place: where Esc comes too soon for that, it is
  // made again once more.
  const json before = messages(first)[1]["created_ms"];
  const auto made_again = [&] { return messages(first).back()["created_ms"] != before; };
  for (int tries = 0; tries < 5 && !made_again(); ++tries) {
    desktop_->settled();
    desktop_->key("ctrl+r");
    ASSERT_EQ(messages(first).size(), 2u) << "while it is written";
    ASSERT_TRUE(stop_when_it_talks());
    wait_until(made_again, 3);
  }
  EXPECT_TRUE(made_again());
  EXPECT_EQ(chats().size(), 1u);
  EXPECT_EQ(newest(), first) << "the chat is the same";
  EXPECT_EQ(messages(first).size(), 2u);

  const auto asked = [&] { return messages(first)[0]["text"]; };
  for (int tries = 0; tries < 5 && asked() != "How long is the warranty? And in winter?"; ++tries) {
    desktop_->settled();
    desktop_->key("ctrl+e");
    desktop_->key("End");
    desktop_->type(" And in winter?");
    desktop_->key("Return");
    ASSERT_EQ(asked(), "How long is the warranty?") << "while it is written";
    ASSERT_TRUE(stop_when_it_talks());
    wait_until([&] { return asked() != "How long is the warranty?"; }, 3);
  }
  EXPECT_EQ(asked(), "How long is the warranty? And in winter?");
  EXPECT_EQ(messages(first).size(), 2u);

  desktop_->settled();
  const int64_t edited = newest();
  choose("branch the chat");
  ASSERT_TRUE(wait_until([&] { return chats().size() == 2; })) << chats();
  EXPECT_EQ(messages(newest()).size(), 2u);
  EXPECT_EQ(messages(edited).size(), 2u) << "the chat it comes from is as it was";
}

TEST_F(AnswersE2E, MarkdownIsDrawnAndACodeBlockIsCopiedByItsButton) {
  index_documents();
  seed_chat(
      "How do I descale it?",
      {"How do I descale it?",
       "## Steps\n\nUse **vinegar**: at most $V \\leq \\frac{1}{4}$ litre at $T_0 \\approx 60\\,^\\circ$C, *every* "
       "three "
       "months. See [the handbook](https://example.org).\n\n| water | grams per litre | how often |\n|---|---|---|\n| "
       "soft "
       "| 0 to 1.3 | twice a year |\n| hard | above 2.5 | every month |\n\n1. Fill and heat it.\n2. Wait for twenty "
       "minutes.\n\n> Citric acid is kinder to the seal.\n\n```\nboil(water);\n```\n"});
  start();
  desktop_->click(130, 107);  // the chat
  int x = 0;
  int y = 0;
  // The code's ground is as wide as the column, and below the question, which has the same.
  constexpr Rect kBelow{290, 200, 580, 440};
  ASSERT_TRUE(desktop_->wait_for([&](const Picture& p) { return p.find(kBelow, kSurface, 5000, x, y); }));
  desktop_->settled();
  keep_picture("markdown");
  desktop_->look().find(kBelow, kSurface, 5000, x, y);
  desktop_->click(870 - 20, y - 2);  // its copy button, at the upper right
  desktop_->key("ctrl+l");
  desktop_->key("ctrl+v");
  EXPECT_TRUE(wait_until([&] { return draft() == "boil(water);"; })) << draft();
}

TEST_F(AnswersE2E, WordsAreSelectedByDraggingAndAnAnswerIsCopiedFromItsMenu) {
  index_documents();
  seed_chat("Which word?", {"Which word?", "Remember cucumber for later."});
  start();
  desktop_->click(130, 107);
  ASSERT_TRUE(wait_for_words());
  desktop_->settled();
  desktop_->drag(296, 153, 700, 153);  // the line, to behind its end
  desktop_->key("ctrl+c");
  desktop_->key("ctrl+l");
  desktop_->key("ctrl+v");
  EXPECT_TRUE(wait_until([&] { return draft() == "Remember cucumber for later."; })) << draft();
  desktop_->key("ctrl+a");
  desktop_->key("BackSpace");
  desktop_->click(330, 153, 3);
  desktop_->settled();
  desktop_->click(380, 172);  // the first of what the menu offers
  desktop_->key("ctrl+l");
  desktop_->type("It says ");
  desktop_->key("ctrl+v");
  EXPECT_TRUE(wait_until([&] { return draft() == "It says Remember cucumber for later."; })) << draft();
}

// Right-to-left paragraphs stand at the right, their letters joined; the sidebar's row shows the title as it is read.
TEST_F(AnswersE2E, ALinkIsOpenedByTabAndEnter) {
  index_documents();
  seed_chat("Where?", {"Where?", "It stands in [the handbook](https://example.org/kettle)."});
  const std::string opened = program_.folder() + "/opened";
  const std::string browser = program_.write("bin/xdg-open", "#!/bin/sh\necho \"$1\" > " + opened + "\n");
  ASSERT_EQ(chmod(browser.c_str(), 0700), 0);
  start({"PATH=" + program_.folder() + "/bin:/usr/bin:/bin"});
  desktop_->click(130, 107);  // the chat
  ASSERT_TRUE(wait_for_words());
  desktop_->key("ctrl+l");
  for (int i = 0; i < 5; ++i) desktop_->key("shift+Tab");  // past what can be done about the answer
  desktop_->settled();
  desktop_->key("Return");
  const auto read = [&] {
    std::ifstream file(opened);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  EXPECT_TRUE(wait_until([&] { return read() == "https://example.org/kettle\n"; })) << read();
}

TEST_F(AnswersE2E, ArabicStandsAtTheRight) {
  index_documents();
  seed_chat("ضمان الغلاية",
            {"ما مدة ضمان الغلاية؟",
             "مدة ضمان الغلاية ثلاث سنوات من يوم الشراء.\n\n- احتفظ بالفاتورة.\n- الضمان لا يشمل الترسبات "
             "الكلسية (limescale)."});
  start();
  desktop_->click(130, 107);
  constexpr Rect kLeft{290, 140, 150, 30};  // a font that has none of the letters makes the line longer
  constexpr Rect kRight{620, 140, 250, 30};
  EXPECT_TRUE(desktop_->wait_for(
      [&](const Picture& p) { return p.share(kRight, kText, 60) > 0.01 && p.share(kLeft, kText, 60) == 0.0; }));
  keep_picture("arabic");
}

TEST_F(AnswersE2E, ADamagedModelAndADeletedDocumentAreSaidInTheirPlaces) {
  index_documents();
  const std::string broken = program_.write("broken.gguf", "GGUF" + std::string(100, '\0'));
  start();
  int x = 0;
  int y = 0;
  ask("How long is the warranty of the kettle?", x, y);
  std::filesystem::remove(program_.folder() + "/docs/warranty.md");
  desktop_->click(x, y);
  EXPECT_TRUE(desktop_->wait_for([&](const Picture& p) {
    return p.share(kSources, kDanger, 40) > 0.0005 && p.share(kSources, kPassage) > 0.01;
  })) << "the passage is still shown, and why no more of it";
  keep_picture("deleted-document");
  EXPECT_EQ(desktop_->close(), 0);
  start({"MNEME_MODEL=" + broken});
  desktop_->key("ctrl+n");
  desktop_->type("How long is the warranty?");
  desktop_->key("Return");
  EXPECT_TRUE(desktop_->wait_for([&](const Picture& p) { return p.share(kAnswer, kDanger, 40) > 0.0001; }));
  EXPECT_TRUE(desktop_->running());
}

}  // namespace
}  // namespace mneme::window

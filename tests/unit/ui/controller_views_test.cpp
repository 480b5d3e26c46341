// What the window shows of documents, models and the program's own doings.
#include <gtest/gtest.h>

#include <set>

#include "tests/support/make_files.h"
#include "tests/unit/ui/controller_fixture.h"

namespace mneme::ui {
namespace {

using readers::test::make_pdf;
using readers::test::pdf_lines;

// A passage that begins on the first of three pages and goes on on the second.
class PageOfPdf : public ControllerTest {
 protected:
  PageOfPdf() {
    write("docs/manual.pdf",
          make_pdf(
              {pdf_lines(100, 700, {"The kettle has a warranty of", "three years from the day"}),
               pdf_lines(100, 700, {"of purchase in any shop that sells it to people.", "Descale the kettle monthly."}),
               pdf_lines(100, 700, {"Kettles of steel last three years from the day."})}));
    source_.n = 1;
    source_.document = (folder_ / "docs/manual.pdf").string();
    source_.page = 1;
    source_.text =
        "The kettle has a warranty of three years from the day of purchase in any shop that sells it to people.";
  }
  // Null where no program draws pages.
  std::shared_ptr<const Snapshot> shown(int page) {
    auto s = wait([&](const Snapshot& now) {
      return now.document && !now.document->loading && (now.document->page == page || !now.document->page_image);
    });
    return s->document->page_image ? s : nullptr;
  }
  static std::string words_in(const PageImage& page, const std::vector<PageImage::Box>& boxes) {
    std::string words;
    for (const PageImage::Word& word : page.words) {
      const float x = (word.box.x_min + word.box.x_max) / 2;
      const float y = (word.box.y_min + word.box.y_max) / 2;
      const bool is_in = std::any_of(boxes.begin(), boxes.end(), [&](const PageImage::Box& box) {
        return box.x_min <= x && x <= box.x_max && box.y_min <= y && y <= box.y_max;
      });
      if (is_in) words += (words.empty() ? "" : " ") + word.text;
    }
    return words;
  }
  SourceView source_;
};

TEST_F(PageOfPdf, ItsPassageAndTheWordsThatAnAnswerSaysAreMarkedOnEachPage) {
  controller().post(ShowDocument{source_, "a warranty of three years"});
  const auto first = shown(1);
  if (!first) GTEST_SKIP() << "no poppler-utils";
  const DocumentTextView& view = *first->document;
  EXPECT_EQ(view.pages, 3);
  const PageImage& page = *view.page_image;
  EXPECT_EQ(page.rgb.size(), static_cast<size_t>(page.width) * static_cast<size_t>(page.height) * 3);
  EXPECT_GT(page.height, page.width);
  EXPECT_EQ(words_in(page, page.passage), "The kettle has a warranty of three years from the day");
  EXPECT_EQ(page.passage.size(), 2u) << "a box a line";
  EXPECT_EQ(words_in(page, page.said), "a warranty of three years");
  EXPECT_NEAR(page.text_left, 100.0f / 612, 0.02f);
  EXPECT_GT(page.text_right, 0.3f);
  EXPECT_LT(page.text_right, 0.6f);

  const int dpi = page.dpi;
  controller().post(ShowPage{2, 0});
  const auto second = shown(2);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(words_in(*second->document->page_image, second->document->page_image->passage),
            "of purchase in any shop that sells it to people.");
  EXPECT_EQ(second->document->page_image->dpi, dpi);
  controller().post(ShowPage{2, 2 * dpi});
  const auto larger = wait([&](const Snapshot& s) { return s.document->page_image->dpi == 2 * dpi; });
  EXPECT_EQ(larger->document->page_image->width, 2 * second->document->page_image->width);
  controller().post(ShowPage{3, 0});
  const auto third = shown(3);
  EXPECT_TRUE(third->document->page_image->passage.empty()) << "a few words in a row may stand anywhere";
}

TEST_F(PageOfPdf, WhatIsFoundIsMarkedOnThePageThatIsShown) {
  controller().post(ShowDocument{source_});
  if (!shown(1)) GTEST_SKIP() << "no poppler-utils";
  controller().post(FindInDocument{"kettle has"});
  auto s = wait([](const Snapshot& now) { return now.document->found != nullptr; });
  ASSERT_EQ(s->document->found_on_page.size(), 1u);
  EXPECT_EQ(words_in(*s->document->page_image, s->document->found_on_page[0]), "kettle has");
  controller().post(FindInDocument{"kettle"});
  controller().post(ShowPage{3, 0});
  s = shown(3);
  ASSERT_EQ(s->document->found_on_page.size(), 1u);
  EXPECT_EQ(words_in(*s->document->page_image, s->document->found_on_page[0]), "Kettles")
      << "a part of a word marks it";
}

TEST_F(PageOfPdf, OneThatCannotBeDrawnSaysWhyAndShowsItsPassage) {
  write("docs/manual.pdf", "%PDF-1.4 but nothing else");
  controller().post(ShowDocument{source_});
  const auto s = wait([](const Snapshot& now) { return now.document && !now.document->loading; });
  EXPECT_EQ(s->document->page_image, nullptr);
  EXPECT_FALSE(s->document->error.empty());
  EXPECT_EQ(*s->document->text, source_.text);
}

TEST_F(ControllerTest, ACollectionsDocumentsAreShownInTheOrderThatIsAskedFor) {
  index();
  write("other.md", "# Other\n\nA note of its own.\n");
  controller().post(AddFolder{(folder_ / "other.md").string(), "second"});
  wait([](const Snapshot& s) { return !s.indexing.running && s.library.collections.size() == 2; });
  controller().post(ShowCollection{"default"});
  const auto first = [](const Snapshot& s) {
    const LibraryView& library = s.library;
    if (library.shown != "default" || !library.documents || !library.shown_rows || library.shown_rows->empty())
      return std::string();
    return std::string((*library.documents)[library.shown_rows->front()].title);
  };
  wait([&](const Snapshot& s) { return first(s) == "Ferry"; });
  controller().post(OrderDocuments{{"", DocumentColumn::kTitle, true}});
  wait([&](const Snapshot& s) { return first(s) == "Warranty"; });
  controller().post(OrderDocuments{{"ferr"}});
  const auto s = wait([&](const Snapshot& now) { return now.library.order.filter == "ferr" && first(now) == "Ferry"; });
  EXPECT_EQ(s->library.shown_rows->size(), 1u);
  controller().post(ShowCollection{"second"});
  controller().post(OrderDocuments{{}});
  wait([](const Snapshot& now) {
    return now.library.shown == "second" && now.library.shown_rows && now.library.shown_rows->size() == 1;
  });
}

TEST_F(ControllerTest, AModelIsAddedAndRemovedAgain) {
  const auto names = [](const Snapshot& s) {
    std::set<std::string> all;
    for (const ModelRow& row : s.models) all.insert(row.name);
    return all;
  };
  controller().post(AddModel{checkout::test_data("tiny.gguf"), "little"});
  wait([&](const Snapshot& s) { return names(s).contains("little"); });
  controller().post(RemoveModel{"little"});
  wait([&](const Snapshot& s) { return !names(s).contains("little"); });
  controller().post(RemoveModel{"little"});
  const auto s = wait([](const Snapshot& now) { return !now.notices.empty() && now.notices.back().is_error; });
  EXPECT_NE(s->notices.back().text.find("little"), std::string::npos) << s->notices.back().text;
}

TEST_F(ControllerTest, AModelThatWasChosenAndIsGoneIsSaidAtTheNextStart) {
  fs::copy_file(checkout::test_data("tiny.gguf"), folder_ / "tiny.gguf");
  model_ = "";
  controller().post(UseModel{(folder_ / "tiny.gguf").string()});
  wait([](const Snapshot& s) { return s.engine.state == EngineView::State::kOpen; });
  controller_.reset();
  fs::remove(folder_ / "tiny.gguf");
  const auto s = controller().snapshot();
  ASSERT_FALSE(s->notices.empty());
  EXPECT_NE(s->notices[0].text.find("tiny.gguf"), std::string::npos) << s->notices[0].text;
  EXPECT_EQ(s->settings.model, "");
}

TEST_F(ControllerTest, AHomeThatCannotBeOpenedIsSaidInItsPlace) {
  write("home", "a file where the home should be");
  Controller::Options options;
  options.workspace.home = (folder_ / "home").string();
  options.workspace.embedder = "hashed";
  options.workspace.model = "none";
  controller_ = std::make_unique<Controller>(std::move(options), [] {});
  const auto s = wait([](const Snapshot& now) { return !now.fatal.empty(); });
  EXPECT_NE(s->fatal.find("home"), std::string::npos) << s->fatal;
  EXPECT_FALSE(s->ready);
}

TEST_F(ControllerTest, WhatItTakesIsSampled) {
  for (int i = 0; i < 2; ++i) controller().post(SampleActivity{});
  const auto s = wait([](const Snapshot& now) { return now.activity->samples.size() == 2; });
  const ActivitySample& last = s->activity->samples.back();
  EXPECT_GT(last.resident_bytes, 1u << 20);
  EXPECT_GE(last.seconds, s->activity->samples.front().seconds);
  EXPECT_EQ(last.tokens_per_s, 0.0) << "nothing is written";
}

TEST_F(ControllerTest, WhichFontsAreMissingIsSaid) {
  controller().post(TellOfFonts{{"fonts-a", "fonts-b"}});
  const auto s = wait([](const Snapshot& now) { return !now.notices.empty(); });
  EXPECT_NE(s->notices[0].text.find("Install fonts-a and fonts-b"), std::string::npos) << s->notices[0].text;
  EXPECT_TRUE(s->notices[0].is_error);
}

}  // namespace
}  // namespace mneme::ui

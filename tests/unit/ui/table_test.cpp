// Tables: how wide their columns are, and what becomes of those that are wider than the page.
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ui/shell/frame.h"
#include "ui/widgets/markdown.h"
#include "ui/widgets/marked_text.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/table_columns.h"

namespace mneme::ui {
namespace {

TEST(TableColumnsTest, AllGetWhatTheyWantWhereThereIsRoom) {
  const std::vector<ColumnNeed> needs = {{100, 40}, {200, 60}};
  EXPECT_EQ(column_widths(needs, 400), (std::vector<float>{100, 200}));
}

TEST(TableColumnsTest, NoneIsNarrowerThanItsLongestWordAndTheRestIsShared) {
  const std::vector<ColumnNeed> needs = {{80, 80}, {500, 100}, {900, 100}};
  const std::vector<float> widths = column_widths(needs, 400);
  ASSERT_EQ(widths.size(), 3u);
  EXPECT_EQ(widths[0], 80.0f);
  EXPECT_GT(widths[1], 100.0f);
  EXPECT_GT(widths[2], widths[1]) << "who wants more gets more";
  EXPECT_NEAR(std::accumulate(widths.begin(), widths.end(), 0.0f), 400.0f, 0.1f);
}

TEST(TableColumnsTest, WordsThatDoNotFitSideBySideAreNoColumns) {
  EXPECT_TRUE(column_widths(std::vector<ColumnNeed>(30, {100, 40}), 700).empty());
}

class TableTest : public testing::Test {
 protected:
  TableTest() {
    ImGui::GetIO().DisplaySize = ImVec2(1280, 800);
    ImGui::GetIO().DeltaTime = 1.0f / 60.0f;
    drawer_.prepare(1.0f, false);
  }
  RichTextLayout laid_out(const std::string& markdown, float width) {
    return layout_.update(markdown, TextForm::kMarkdown, width, 1.0f, current_fonts().fonts());
  }

  FrameDrawer drawer_;
  GrowingLayout layout_;
};

std::vector<std::string> texts_of(const RichTextLayout& layout) {
  std::vector<std::string> texts;
  texts.reserve(layout.pieces.size());
  for (const TextPiece& piece : layout.pieces) texts.push_back(piece.text);
  return texts;
}

TEST_F(TableTest, AShortColumnKeepsItsWordsWholeBesideLongOnes) {
  const std::string text =
      "| message | what to do |\n|---|---|\n| E1 | " + std::string(40, 'a') + " word word word word word word |\n";
  const std::vector<std::string> texts = texts_of(laid_out(text, 300));
  EXPECT_NE(std::find(texts.begin(), texts.end(), "message"), texts.end());
}

TEST_F(TableTest, ATableFarTooWideStandsRowByRowWithinThePage) {
  std::string names = "|";
  std::string dashes = "|";
  std::string cells = "|";
  for (int i = 0; i < 30; ++i) {
    names += "column" + std::to_string(i) + "|";
    dashes += "---|";
    cells += "value" + std::to_string(i) + "|";
  }
  const RichTextLayout layout = laid_out(names + "\n" + dashes + "\n" + cells + "\n", 400);
  std::string all;
  for (const TextPiece& piece : layout.pieces) {
    EXPECT_LE(piece.position.x + piece.width, 401.0f) << piece.text;
    all += piece.text + "|";
  }
  for (int i = 0; i < 30; ++i) {
    EXPECT_NE(all.find("column" + std::to_string(i)), std::string::npos);
    EXPECT_NE(all.find("value" + std::to_string(i)), std::string::npos);
  }
}

TEST_F(TableTest, OfARowOfSingleWordsEveryCellIsMarkedAndNothingElse) {
  const std::string table = "| Item | Price |\n|---|---|\n| Bolt | 3 |\n| Washer | 1 |\n";
  const RichTextLayout layout = laid_out(table, 400);
  for (const char* said :
       {"Item: Washer; Price: 1\n", "| Washer | 1 |\n"}) {  // as an answer says it, as it stands there
    std::vector<std::string> marked;
    for (const TextMark& mark : marks_of(layout, said))
      marked.push_back(layout.pieces[mark.piece].text.substr(mark.begin, mark.end - mark.begin));
    EXPECT_EQ(marked, (std::vector<std::string>{"Washer", "1"})) << said;
  }
}

}  // namespace
}  // namespace mneme::ui

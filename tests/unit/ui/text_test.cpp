// Fonts, directions, layouts and the editor, on a null renderer.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/utf8.h"
#include "tests/unit/ui/hands.h"
#include "ui/shell/frame.h"
#include "ui/text/bidi.h"
#include "ui/text/font_files.h"
#include "ui/text/imgui_fonts.h"
#include "ui/text/line_breaks.h"
#include "ui/widgets/composition.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/text_editor.h"

namespace mneme::ui {
namespace {

std::vector<char32_t> characters(const std::string& text) {
  std::vector<char32_t> all;
  for (size_t offset = 0; offset < text.size();) all.push_back(utf8::next(text, offset));
  return all;
}

class TextTest : public testing::Test {
 protected:
  TextTest() {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(800, 600);
    io.DeltaTime = 1.0f / 60.0f;
    name_keys();
    drawer_.prepare(1.0f, false);
  }
  FontAtlas& fonts() { return current_fonts(); }
  ImFont* regular() { return fonts().fonts().regular; }
  bool has_script_fonts() {
    return fonts().prepare("茶", regular()) && glyphs_of(*regular()).FindGlyphNoFallback(0x8336) != nullptr;
  }

  FrameDrawer drawer_;
};

TEST_F(TextTest, GlyphsAppearWhenATextNeedsThem) {
  if (!has_script_fonts()) GTEST_SKIP() << "no CJK font is installed";
  fonts().take_uploads();
  EXPECT_EQ(glyphs_of(*regular()).FindGlyphNoFallback(0x65c5), nullptr);
  EXPECT_TRUE(fonts().prepare("旅行指南", regular()));
  EXPECT_NE(glyphs_of(*regular()).FindGlyphNoFallback(0x65c5), nullptr);
  EXPECT_EQ(fonts().take_uploads().size(), 4u);
  EXPECT_TRUE(fonts().prepare("旅行", regular()));
  EXPECT_TRUE(fonts().take_uploads().empty());  // known by now
}

TEST_F(TextTest, MoreGlyphsThanThereIsRoomForStartOver) {
  if (!has_script_fonts()) GTEST_SKIP() << "no CJK font is installed";
  std::string many;
  for (char32_t c = 0x4e00; c < 0x9f00; ++c) utf8::append(many, c);
  for (ImFont* font : {fonts().fonts().title, fonts().fonts().heading, regular()}) fonts().prepare(many, font);
  EXPECT_TRUE(fonts().needs_build(1.0f));
  EXPECT_TRUE(drawer_.prepare(1.0f, false));
  EXPECT_FALSE(fonts().needs_build(1.0f));
  EXPECT_TRUE(fonts().prepare("旅行指南", regular()));
}

TEST_F(TextTest, TextThatIsShapedIsCutToWhatIsDrawn) {
  const std::string text = "lines 237–261  ·  إيجاد مشروع للمساهمة فيه > قائمة تحقّق قبل أن تساهم في مشروع مفتوح المصدر";
  const float whole = text_width(drawable(text, regular()), regular());
  EXPECT_EQ(cut_to_width(text, regular(), whole), text);
  for (const float share : {0.9f, 0.5f, 0.1f}) {
    const std::string cut = cut_to_width(text, regular(), share * whole);
    EXPECT_LT(cut.size(), text.size());
    EXPECT_TRUE(cut.ends_with("…"));
    const float drawn = text_width(drawable(cut, regular()), regular());
    EXPECT_LE(drawn, share * whole);
    EXPECT_GE(drawn, share * whole - 40.0f) << "no more than that is cut off";
  }
  EXPECT_EQ(cut_to_width(text, regular(), 0.0f), "…");
}

TEST_F(TextTest, NoLineOfCodeEndsUnderItsCopyButton) {
  std::string line;
  for (int i = 0; i < 30; ++i) line += "word" + std::to_string(i) + " ";
  const RichTextLayout layout = lay_out(parse_markdown("```\n" + line + "\n```\n"), 260.0f, 1.0f, fonts().fonts());
  ASSERT_GT(layout.pieces.size(), 3u);
  for (const TextPiece& piece : layout.pieces) EXPECT_LE(piece.position.x + piece.width, 260.0f - kCopyButtonRoom);
}

TEST_F(TextTest, ArabicIsJoinedAndReordered) {
  const std::string text = "سلام";  // four letters
  EXPECT_TRUE(reads_right_to_left(text));
  EXPECT_FALSE(fonts().prepare(text, regular()));
  const std::vector<char32_t> shown = characters(fonts().visual(text, regular()));
  if (shown.size() == 1 || shown[0] < 0xe000 || shown[0] > 0xf8ff) GTEST_SKIP() << "no Arabic font is installed";
  EXPECT_LE(shown.size(), 4u);  // lam and alef become one
  for (const char32_t c : shown) EXPECT_TRUE(c >= 0xe000 && c <= 0xf8ff);
  // Words keep their place in a line that runs the other way, and what is between them too.
  const std::string mixed = fonts().visual("see سلام here", regular());
  EXPECT_EQ(mixed.substr(0, 4), "see ");
  EXPECT_TRUE(mixed.ends_with(" here"));
}

TEST_F(TextTest, HebrewIsSeenBackwards) {
  const std::vector<BidiRun> runs = visual_runs("abc שלום def", false);
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_FALSE(runs[0].right_to_left);
  EXPECT_TRUE(runs[1].right_to_left);
  const std::vector<BidiRun> other = visual_runs("שלום abc", true);
  ASSERT_EQ(other.size(), 2u);
  EXPECT_FALSE(other[0].right_to_left);  // seen first from the left
  EXPECT_TRUE(visual_runs("", false).empty());
}

TEST_F(TextTest, CharactersBeyondSixteenBitsAndPrivateOnesDoNoHarm) {
  const std::string shown = fonts().visual("a 😀 \U0002070E b", regular());
  for (const char32_t c : characters(shown)) EXPECT_LT(c, 0x10000u);
  const std::string hostile = fonts().visual("x \xee\x80\x80 y", regular());  // U+E000 of a document
  for (const char32_t c : characters(hostile)) EXPECT_FALSE(c >= 0xe000 && c <= 0xf8ff);
}

TEST_F(TextTest, RightToLeftParagraphsStandAtTheRightAndCopyAsRead) {
  const auto blocks = parse_markdown("שלום עולם טוב");
  const RichTextLayout layout = lay_out(blocks, 400.0f, 1.0f, fonts().fonts());
  ASSERT_FALSE(layout.pieces.empty());
  float right = 0.0f;
  std::string text;
  for (const TextPiece& piece : layout.pieces) {
    right = std::max(right, piece.position.x + piece.width);
    text += piece.text;
  }
  EXPECT_NEAR(right, 400.0f, 1.0f);
  EXPECT_EQ(text, "שלום עולם טוב");
}

TEST_F(TextTest, CitationsOfRightToLeftTextStayWhole) {
  const RichTextLayout layout =
      lay_out(parse_markdown("مدة الضمان ثلاث سنوات [1]. لا يشمل الترسبات [12]."), 400.0f, 1.0f, fonts().fonts());
  std::vector<std::string> citations;
  for (const TextPiece& piece : layout.pieces) {
    if (piece.citation > 0) citations.push_back(piece.text);
  }
  EXPECT_EQ(citations, (std::vector<std::string>{"[1]", "[12]"}));
}

// Fonts that are absent cannot be taken away from a test: what is installed decides which way it goes.
TEST_F(TextTest, PackagesAreNamedForLettersThatNoFontHasAndForNothingElse) {
  const FontFiles files = find_font_files();
  fonts().prepare("plain words, “signs” – 7 €", regular());
  EXPECT_TRUE(fonts().wanted_packages().empty());
  fonts().prepare("旅行指南", regular());
  std::vector<std::string> expected;
  if (!files.has_cjk) expected.emplace_back("fonts-noto-cjk");
  EXPECT_EQ(fonts().wanted_packages(), expected);
}

TEST_F(TextTest, MarksOfRightToLeftListsStandAtTheRight) {
  const RichTextLayout right = lay_out(parse_markdown("- احتفظ بالفاتورة"), 400.0f, 1.0f, fonts().fonts());
  ASSERT_GE(right.pieces.size(), 2u);
  EXPECT_GT(right.pieces[0].position.x, 370.0f) << "the mark";
  for (size_t i = 1; i < right.pieces.size(); ++i)
    EXPECT_LE(right.pieces[i].position.x + right.pieces[i].width, 400.0f - 20.0f);
  const RichTextLayout left = lay_out(parse_markdown("- keep it"), 400.0f, 1.0f, fonts().fonts());
  EXPECT_LT(left.pieces[0].position.x, 22.0f);
  EXPECT_GE(left.pieces[1].position.x, 22.0f);
}

TEST_F(TextTest, CodeKeepsItsLinesInLettersOfOneWidth) {
  GrowingLayout growing;
  const std::string code = "if (a)\n    # b *c*\n[1](d)\n";
  const RichTextLayout& layout = growing.update(code, TextForm::kCode, 400.0f, 1.0f, fonts().fonts());
  ASSERT_EQ(layout.pieces.size(), 3u);
  EXPECT_EQ(layout.pieces[1].text, "    # b *c*");
  EXPECT_EQ(layout.pieces[2].citation, 0);
  for (const TextPiece& piece : layout.pieces) EXPECT_EQ(piece.font, fonts().fonts().mono);
  EXPECT_LT(layout.pieces[0].position.y, layout.pieces[1].position.y);
}

TEST_F(TextTest, ACitationStaysWithTheWordBeforeIt) {
  const std::vector<MarkdownBlock> blocks = parse_markdown("The warranty of the kettle is three years [1].");
  for (float width = 80.0f; width < 400.0f; width += 1.0f) {
    const RichTextLayout layout = lay_out(blocks, width, 1.0f, fonts().fonts());
    for (size_t i = 1; i < layout.pieces.size(); ++i) {
      if (layout.pieces[i].citation == 0) continue;
      EXPECT_GT(layout.pieces[i].position.x, layout.pieces[i - 1].position.x) << "at " << width;
    }
  }
}

TEST_F(TextTest, BlankLinesOfTextAndCodeAreSeen) {
  const auto gap = [&](const RichTextLayout& layout) {
    return layout.pieces.at(1).position.y - layout.pieces.at(0).position.y;
  };
  GrowingLayout text;
  const float one = gap(text.update("a\nb", TextForm::kPlain, 300.0f, 1.0f, fonts().fonts()));
  const float two = gap(text.update("a\n\nb", TextForm::kPlain, 300.0f, 1.0f, fonts().fonts()));
  EXPECT_NEAR(two, 2.0f * one, 0.01f);
  const float code = gap(lay_out(parse_markdown("```\na\n\nb\n```"), 300.0f, 1.0f, fonts().fonts()));
  EXPECT_GT(code, 1.8f * gap(lay_out(parse_markdown("```\na\nb\n```"), 300.0f, 1.0f, fonts().fonts())));
}

TEST_F(TextTest, ACopyHasTheLinesOfCodeAndTheCellsOfTables) {
  const auto copy = [&](const RichTextLayout& layout) {
    const size_t last = layout.pieces.size() - 1;
    return selected_text(layout, {nullptr, 0, 0, last, layout.pieces[last].text.size(), false});
  };
  const auto of_markdown = [&](const char* text) {
    return copy(lay_out(parse_markdown(text), 300.0f, 1.0f, fonts().fonts()));
  };
  EXPECT_EQ(of_markdown("```\nif (a)\n  b();\n\nc();\n```"), "if (a)\n  b();\n\nc();");
  EXPECT_EQ(of_markdown("| a | b |\n|---|---|\n| 1 | **2** 3 |\n"), "a\tb\n1\t2 3");
  EXPECT_EQ(of_markdown("One line.\n\n- two\n- three"), "One line.\n• two\n• three");
  EXPECT_EQ(of_markdown("A quotation. [1]\nAnother. [2]"), "A quotation. [1]\nAnother. [2]");
  GrowingLayout text;
  const std::string plain = "one\n\n  two\nthree " + std::string(300, 'x');
  EXPECT_EQ(copy(text.update(plain, TextForm::kPlain, 200.0f, 1.0f, fonts().fonts())), plain);
}

TEST_F(TextTest, AGrowingLayoutEqualsOneMadeAtOnce) {
  const std::string text =
      "# Title\n\nA paragraph with **bold** words and more of them, so that it breaks into lines.\n\n- one\n- two\n\n  "
      "still two\n\n```\ncode\n\nmore code\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nThe end [1].";
  GrowingLayout growing;
  for (size_t n = 1; n <= text.size(); ++n)
    growing.update(std::string_view(text).substr(0, n), TextForm::kMarkdown, 300.0f, 1.0f, fonts().fonts());
  const RichTextLayout whole = lay_out(parse_markdown(text), 300.0f, 1.0f, fonts().fonts());
  ASSERT_EQ(growing.layout().pieces.size(), whole.pieces.size());
  EXPECT_NEAR(growing.layout().height, whole.height, 0.01f);
  for (size_t i = 0; i < whole.pieces.size(); ++i) {
    EXPECT_EQ(growing.layout().pieces[i].text, whole.pieces[i].text);
    EXPECT_NEAR(growing.layout().pieces[i].position.y, whole.pieces[i].position.y, 0.01f);
  }
}

TEST_F(TextTest, BlockBordersLieOutsideOfCodeAndLists) {
  const std::string text = "one\n\ntwo\n\n```\na\n\nb\n```\n\nthree";
  EXPECT_EQ(text.substr(last_block_border(text, 0)), "three");
  EXPECT_EQ(last_block_border("```\na\n\nb", 0), 0u);
  EXPECT_EQ(last_block_border("- a\n\n  b", 0), 0u);
}

// The editor in a frame of its own.
class EditorTest : public TextTest {
 protected:
  TextEditor::Outcome frame() {
    ImGui::NewFrame();
    ImGui::SetNextWindowSize(ImVec2(400, 300));
    ImGui::Begin("w");
    const TextEditor::Outcome outcome = editor_.draw("##e", ImVec2(300, 200), "hint", 1000, drawer_.theme(), 1.0f);
    ImGui::End();
    ImGui::Render();
    return outcome;
  }
  void type(const std::string& text) {
    write(text);
    frame();
  }
  TextEditor::Outcome press(Key key, bool ctrl = false, bool shift = false) {
    hold_ctrl(ctrl);
    hold_shift(shift);
    hold(key, true);
    const TextEditor::Outcome outcome = frame();
    hold(key, false);
    hold_ctrl(false);
    hold_shift(false);
    frame();
    return outcome;
  }
  void begin() {
    editor_.focus();
    frame();
    frame();
  }
  TextEditor editor_;
};

TEST_F(EditorTest, TypesErasesAndUndoes) {
  begin();
  type("hello world");
  EXPECT_EQ(editor_.text(), "hello world");
  press(named(ImGuiKey_Backspace), true);
  EXPECT_EQ(editor_.text(), "hello ");
  press(letter('Z'), true);
  EXPECT_EQ(editor_.text(), "hello world");
  press(letter('Z'), true);
  EXPECT_EQ(editor_.text(), "");
  press(letter('Y'), true);
  EXPECT_EQ(editor_.text(), "hello world");
  press(letter('A'), true);
  type("茶");
  EXPECT_EQ(editor_.text(), "茶");
  EXPECT_TRUE(press(named(ImGuiKey_Enter)).submitted);
  press(named(ImGuiKey_Enter), false, true);
  EXPECT_EQ(editor_.text(), "茶\n");
}

TEST_F(EditorTest, CharactersBeyondSixteenBitsAreOneCharacterEach) {
  begin();
  ImGuiIO& io = ImGui::GetIO();
  for (const unsigned half : {0xd83du, 0xde00u, 0xd840u, 0xdc0bu})
    io.AddInputCharacter(half);  // as the shell gives them
  frame();
  EXPECT_EQ(editor_.text(), "😀𠀋");
  press(named(ImGuiKey_Backspace));
  EXPECT_EQ(editor_.text(), "😀");
  io.AddInputCharacter(0xde00u);  // half of nothing
  frame();
  type("!");
  EXPECT_EQ(editor_.text(), "😀!");
  press(named(ImGuiKey_LeftArrow));
  press(named(ImGuiKey_LeftArrow));
  type("a");
  EXPECT_EQ(editor_.text(), "a😀!");
}

// The second letter of four is left of the first: arrows go where they point.
TEST_F(EditorTest, TextFromRightToLeftIsEditedWhereItIsSeen) {
  begin();
  type("سلام");
  press(named(ImGuiKey_RightArrow));
  type("ك");
  EXPECT_EQ(editor_.text(), "سلاكم");
  press(named(ImGuiKey_LeftArrow));
  press(named(ImGuiKey_LeftArrow));  // already at the end
  type("!");
  EXPECT_EQ(editor_.text(), "سلاكم!");
  press(named(ImGuiKey_Home));
  press(named(ImGuiKey_LeftArrow), false, true);
  press(named(ImGuiKey_Delete));
  EXPECT_EQ(editor_.text(), "لاكم!") << "what stands at the right was selected";
}

TEST_F(EditorTest, WhereEachLetterOfAMixedRowStandsIsKnown) {
  const std::string text = "see שלום here";
  const ShapedRow row(text, false, 300.0f, regular());
  ASSERT_FALSE(row.empty());
  EXPECT_EQ(row.x_of(0), 0.0f);
  EXPECT_GT(row.x_of(text.find("ש")), row.x_of(text.find("ל"))) << "read from the right";
  EXPECT_GT(row.x_of(text.find("here")), row.x_of(text.find("ש")));
  EXPECT_TRUE(row.reads_left_at(text.find("ל")));
  EXPECT_FALSE(row.reads_left_at(2));
  for (const size_t byte : {size_t{1}, text.find("ל"), text.find("here") + 1}) {
    EXPECT_EQ(row.byte_at(row.x_of(byte)), byte);
    const auto stretches = row.stretches(byte, byte + 1);
    ASSERT_EQ(stretches.size(), 1u);
    EXPECT_LT(stretches[0].left, stretches[0].right);
  }
  const ShapedRow from_right("שלום", true, 300.0f, regular());
  EXPECT_FLOAT_EQ(from_right.right_end(), 300.0f);
  EXPECT_FLOAT_EQ(from_right.x_of(0), 300.0f);
}

TEST(CompositionTest, IsWhatTheMethodSaysInCharacters) {
  Composition composition;
  composition.replace(0, 0, U"nihon");
  composition.move_caret(5);
  EXPECT_EQ(composition.text(), "nihon");
  EXPECT_EQ(composition.caret(), 5u);
  composition.replace(0, 5, U"日本");
  composition.move_caret(1);
  EXPECT_EQ(composition.text(), "日本");
  EXPECT_EQ(composition.caret(), 3u);
  composition.replace(1, 99, U"光");  // more than there is
  EXPECT_EQ(composition.text(), "日光");
  composition.replace(77, 1, U"!");
  EXPECT_EQ(composition.text(), "日光!");
  composition.move_caret(99);
  EXPECT_EQ(composition.caret(), composition.text().size());
  composition.replace(0, 0, std::u32string(100'000, U'x'));
  EXPECT_EQ(composition.text().size(), 2000u);
  composition.clear();
  EXPECT_TRUE(composition.empty());
  EXPECT_EQ(composition.caret(), 0u);
}

TEST_F(EditorTest, WhatIsComposedIsShownAtTheCaretAndIsNoPartOfTheText) {
  begin();
  type("ab");
  press(named(ImGuiKey_LeftArrow));
  const float before = current_composing().caret.x;
  const float one_row = editor_.height(300, regular(), 1.0f, 8);
  current_composing().composition.replace(0, 0, U"nihon");
  current_composing().composition.move_caret(5);
  EXPECT_FALSE(frame().changed);
  EXPECT_EQ(editor_.text(), "ab");
  EXPECT_GT(current_composing().caret.x, before + 10.0f) << "its own caret stands behind it";
  current_composing().composition.replace(5, 0, std::u32string(100, U'o'));
  EXPECT_GT(editor_.height(300, regular(), 1.0f, 8), one_row) << "there is no room for it";
  frame();
  current_composing().composition.clear();
  type("日本");
  EXPECT_EQ(editor_.text(), "a日本b");
  EXPECT_EQ(editor_.height(300, regular(), 1.0f, 8), one_row);
}

TEST_F(EditorTest, OnlyTheRowThatIsSelectedIsPaintedSo) {
  begin();
  for (int i = 0; i < 12; ++i) type("seven words ");
  press(named(ImGuiKey_Home), true);
  press(named(ImGuiKey_DownArrow));
  const float bottom = current_composing().caret.y;  // of the second row
  press(named(ImGuiKey_End), false, true);
  EXPECT_EQ(current_composing().caret.y, bottom) << "the end of a row is on it";
  float top = bottom;
  const ImDrawData& drawn = *ImGui::GetDrawData();
  for (int i = 0; i < drawn.CmdListsCount; ++i) {
    for (const ImDrawVert& corner : drawn.CmdLists[i]->VtxBuffer) {
      if (corner.col == drawer_.theme().selection) top = std::min(top, corner.pos.y);
    }
  }
  EXPECT_LT(top, bottom);
  EXPECT_GT(top, bottom - 2 * font_size(regular())) << "the row above is painted too";
}

TEST_F(EditorTest, ThreeClicksSelectTheLine) {
  begin();
  type("one two");
  press(named(ImGuiKey_Enter), false, true);
  type("three four");
  const ImVec2 caret = current_composing().caret;  // its lower end
  move_mouse(ImVec2(caret.x - 20.0f, caret.y - 6.0f));
  frame();
  for (int i = 0; i < 3; ++i) {
    hold_button(0, true);
    frame();
    hold_button(0, false);
    frame();
  }
  type("3");
  EXPECT_EQ(editor_.text(), "one two\n3");
}

TEST_F(TextTest, NoLineBeginsWithPunctuationThatBelongsToTheLineBefore) {
  std::vector<MarkdownBlock> blocks(1);
  blocks[0].inlines.emplace_back().text = "本番に至るまで、開発（計画）を保証します。確認「する」。";
  for (int width = 60; width < 260; width += 7) {
    const RichTextLayout layout = lay_out(blocks, static_cast<float>(width), 1.0f, fonts().fonts());
    for (size_t i = 0; i < layout.pieces.size(); ++i) {
      size_t first = 0;
      const char32_t begin = utf8::next(layout.pieces[i].text, first);
      EXPECT_FALSE(i > 0 && begins_no_line(begin)) << width << ": " << layout.pieces[i].text;
      size_t last = utf8::floor_boundary(layout.pieces[i].text, layout.pieces[i].text.size() - 1);
      EXPECT_FALSE(i + 1 < layout.pieces.size() && ends_no_line(utf8::next(layout.pieces[i].text, last))) << width;
    }
  }
}

TEST_F(EditorTest, EnterBreaksTheLineWhereTextIsWritten) {
  editor_ = TextEditor(TextEditor::Lines::kText);
  begin();
  type("one");
  EXPECT_FALSE(press(named(ImGuiKey_Enter)).submitted);
  type("two");
  EXPECT_EQ(editor_.text(), "one\ntwo");
}

TEST_F(EditorTest, LongTextWrapsAndArrowsKnowTheBorders) {
  begin();
  const float one = editor_.height(300, regular(), 1.0f, 8);
  type("a long line that does not fit into the width of the field and therefore goes on in the next row");
  EXPECT_GT(editor_.height(300, regular(), 1.0f, 8), one * 1.5f);
  EXPECT_FALSE(press(named(ImGuiKey_UpArrow)).up_at_top);
  press(named(ImGuiKey_UpArrow));
  press(named(ImGuiKey_UpArrow));
  EXPECT_TRUE(press(named(ImGuiKey_UpArrow)).up_at_top);
}

TEST_F(EditorTest, WhatIsTooLongIsCutWithAWord) {
  begin();
  ImGui::SetClipboardText(std::string(5'000'000, 'x').c_str());
  EXPECT_TRUE(press(letter('V'), true).too_long);
  EXPECT_EQ(editor_.text().size(), 1000u);
  press(letter('A'), true);
  ImGui::SetClipboardText("a\x1b[31mb\xe2\x80\xae");
  press(letter('V'), true);
  EXPECT_EQ(editor_.text(), "a[31mb\xef\xbf\xbd");
}

}  // namespace
}  // namespace mneme::ui

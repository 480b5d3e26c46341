#include <gtest/gtest.h>

#include <string>

#include "rag/readers/spoken/said_line.h"
#include "rag/readers/spoken/subtitle_cues.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using std::chrono::milliseconds;
using test::block_text;
using test::expect_well_formed;
using test::read_text;

TEST(SubtitleCues, TimesOfAllThreeFormats) {
  const auto srt = cue_times("00:01:02,500 --> 00:01:04,000");
  ASSERT_TRUE(srt);
  EXPECT_EQ(srt->begin, milliseconds(62'500));
  EXPECT_EQ(srt->end, milliseconds(64'000));
  const auto vtt = cue_times("01:02.5 --> 1:01:04.000 align:start position:0%");
  ASSERT_TRUE(vtt);
  EXPECT_EQ(vtt->begin, milliseconds(62'500));
  EXPECT_EQ(vtt->end, milliseconds(3'664'000));
  const auto sbv = cue_times("0:01:02.500,0:01:04.000");
  ASSERT_TRUE(sbv);
  EXPECT_EQ(sbv->begin, milliseconds(62'500));
  for (const char* line : {"", "12", "12:30", "12:30 --> noon", "12:30.1", "12:30.1, and so on", "1:2:3:4.5 --> 1:2.3",
                           "99999999999999999999:00.0 --> 1:00.0", "--> 00:01.000", "00:01.000 -->"})
    EXPECT_FALSE(cue_times(line)) << line;
}

TEST(SubtitleCues, LinesAreAsTheyAreShown) {
  const CueLine line = shown_line("<v.loud Tom Becker>Is <i>5 &lt; 6</i>, <00:00:01.240><c.red>or</c> a < b <3?");
  EXPECT_EQ(line.text, "Is 5 < 6, or a < b <3?");
  EXPECT_EQ(line.speaker, "Tom Becker");
  EXPECT_EQ(shown_line("{\\an8}{\\i1}Above{\\i0}").text, "Above");
  EXPECT_EQ(shown_line("<ruby>漢字<rt>かんじ</rt></ruby>です").text, "漢字です");
  EXPECT_TRUE(shown_line("- No.").is_of_another);
  EXPECT_EQ(shown_line(">> No.").text, "No.");
  EXPECT_EQ(shown_line("-5 degrees").text, "-5 degrees");
}

TEST(SaidLine, NamesStandBeforeColons) {
  EXPECT_EQ(name_before_colon("Priya Nair: The launch"), "Priya Nair");
  EXPECT_EQ(name_before_colon("MARTA:"), "MARTA");
  EXPECT_EQ(name_before_colon("at 12:30 we left"), "");
  EXPECT_EQ(name_before_colon("https://example.org"), "");
  EXPECT_EQ(name_before_colon("so we said: no"), "");
  EXPECT_EQ(place_in_recording(milliseconds(3'852'999)), "01:04:12");
}

TEST(Subtitles, CuesAreJoinedToSentences) {
  const rag::Document document = read_text("lecture.srt",
                                           "1\r\n00:00:01,000 --> 00:00:04,000\r\nWelcome to the course on\r\n"
                                           "<i>sourdough</i>.\r\n\r\n"
                                           "2\r\n00:00:04,200 --> 00:00:08,000\r\nThe starter is flour\r\n\r\n"
                                           "3\r\n00:00:08,000 --> 00:00:12,500\r\nand water.\r\n\r\n"
                                           "4\r\n00:00:20,000 --> 00:00:27,000\r\n{\\an8}Preheat the oven.\r\n\r\n"
                                           "5\r\n00:01:10,000 --> 00:01:13,000\r\n- How long?\r\n- Overnight.\r\n");
  EXPECT_EQ(document.format, "subtitles");
  EXPECT_EQ(document.title, "lecture");
  EXPECT_EQ(document.text,
            "[00:00:01] Welcome to the course on sourdough. The starter is flour and water.\n\n"
            "[00:00:20] Preheat the oven.\n\n[00:01:10] How long?\n\n[00:01:10] Overnight.");
  EXPECT_EQ(document.blocks[0].line_begin, 3);
  EXPECT_EQ(document.blocks[0].line_end, 12);
  EXPECT_EQ(document.blocks[3].line_begin, 21);
  expect_well_formed(document, false);
}

TEST(Subtitles, TranscriptsOfMeetingsNameWhoSpeaks) {
  const rag::Document document = read_text("meeting.vtt", R"(WEBVTT - Harbour meeting

STYLE
::cue { color: red }

NOTE Confidence: 0.91

2f1c7a1e-1/12-0
00:00:03.120 --> 00:00:06.500
<v Anna Weber>Good morning. Let us
start.</v>

2f1c7a1e-1/12-1
00:00:06.500 --> 00:00:09.900
<v Anna Weber>We have 12,000 euros.</v>

2f1c7a1e-1/15-0
00:04:12.000 --> 00:04:18.000
<v Tom Becker>It moves to March.</v>
)");
  EXPECT_EQ(document.title, "Harbour meeting");
  EXPECT_EQ(document.text,
            "[00:00:03] Anna Weber: Good morning. Let us start. We have 12,000 euros.\n\n"
            "[00:04:12] Tom Becker: It moves to March.");
}

TEST(Subtitles, NamesBeforeColonsAreSpeakersWhereTheyComeAgain) {
  EXPECT_EQ(read_text("zoom.vtt",
                      "WEBVTT\n\n1\n00:00:01.000 --> 00:00:03.000\nPriya Nair: The launch is\n\n2\n"
                      "00:00:03.000 --> 00:00:05.000\nPriya Nair: in October.\n\n3\n00:00:05.500 --> 00:00:09.000\n"
                      "Remember: nobody knows.\n")
                .text,
            "[00:00:01] Priya Nair: The launch is in October.\n\n[00:00:05] Remember: nobody knows.");
}

TEST(Subtitles, RollingCaptionsAreToldOnce) {
  const rag::Document document = read_text("auto.en.vtt", R"(WEBVTT
Kind: captions
Language: en

00:00:00.080 --> 00:00:02.310 align:start position:0%
 
so<00:00:00.240><c> the</c><00:00:00.400><c> bike</c><00:00:00.600><c> chain</c>

00:00:02.310 --> 00:00:02.320 align:start position:0%
so the bike chain
 

00:00:02.320 --> 00:00:04.550 align:start position:0%
so the bike chain
should<00:00:02.480><c> be</c><00:00:02.639><c> cleaned</c>

00:00:04.550 --> 00:00:06.000
should be cleaned every week
)");
  EXPECT_EQ(document.text, "[00:00:00] so the bike chain should be cleaned every week");
}

TEST(Subtitles, ParagraphsAreBounded) {
  std::string captions = "WEBVTT\n\n";
  for (int i = 0; i < 100; ++i) {
    const std::string at = "00:" + std::string(i / 60 < 10 ? "0" : "") + std::to_string(i / 60) + ":" +
                           (i % 60 < 10 ? "0" : "") + std::to_string(i % 60);
    captions += at + ".000 --> " + at + ".900\nwords that nobody gave a full stop " + std::to_string(i) + "\n\n";
  }
  const rag::Document document = read_text("long.vtt", captions);
  EXPECT_GT(document.blocks.size(), 5u);
  for (const rag::Block& block : document.blocks) EXPECT_LT(block.byte_end - block.byte_begin, 400u);
}

// A long text under one time, as of a file that is called so by mistake: all of it is told, a thousand lines held.
TEST(Subtitles, CuesOfMoreLinesThanAPictureShowsAreToldInParts) {
  std::string text = "00:00:01,000 --> 00:00:02,000\n";
  for (int i = 0; i < 2500; ++i) text += "row " + std::to_string(i) + " is here.\n";
  text += "\n2\n00:01:00,000 --> 00:01:02,000\nThe end.\n";
  CueCursor cues(text);
  size_t n_lines = 0;
  for (Cue cue; cues.next(cue);) {
    EXPECT_LE(cue.lines.size(), 1000u);
    n_lines += cue.lines.size();
  }
  EXPECT_EQ(n_lines, 2501u);
  const rag::Document document = read_text("a.srt", text);
  size_t at = 0;
  for (int i = 0; i < 2500 && at != std::string::npos; ++i)
    at = document.text.find("row " + std::to_string(i) + " is", at);
  EXPECT_NE(at, std::string::npos) << "all of them, in order";
  EXPECT_EQ(block_text(document, document.blocks.size() - 1), "[00:01:00] The end.");
}

TEST(Subtitles, OtherFilesOfTheNameAreReadAsText) {
  EXPECT_EQ(read_text("a.vtt", "WEBVTT\n\nNOTE nothing\n").format, "text");
  EXPECT_EQ(read_text("a.srt", "just notes\n").text, "just notes\n");
}

TEST(Subtitles, HostileOnesTakeNoTime) {
  std::string tags = "00:00:01,000 --> 00:00:02,000\n";
  for (int i = 0; i < 500'000; ++i) tags += "<a{\\";
  EXPECT_FALSE(read_text("a.srt", tags).blocks.empty());
  std::string repeated;
  for (int cue = 0; cue < 2; ++cue) {
    repeated += "00:00:01.000 --> 00:00:02.000\n";
    for (int i = 0; i < 100'000; ++i) repeated += "a\n";
    repeated += "b\n\n";
  }
  EXPECT_FALSE(read_text("a.vtt", repeated).blocks.empty());
}

}  // namespace
}  // namespace mneme::readers

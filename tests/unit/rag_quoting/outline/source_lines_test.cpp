#include "rag/quoting/outline/source_lines.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "rag/quoting/outline/plain_sentence.h"
#include "rag/quoting/outline/sentences.h"
#include "rag/quoting/quoting.h"

namespace mneme::rag {
namespace {

using Parts = std::vector<std::string>;

Parts parts_of(std::string_view text, SentenceKind kind) {
  Parts parts;
  for (const Sentence& s : split_sentences(text, TextForm::kSource)) {
    const std::string_view raw = text.substr(s.byte_begin, s.byte_end - s.byte_begin);
    if (s.kind != kind) continue;
    parts.push_back(kind == SentenceKind::kCode ? plain_code(raw) : plain_sentence(raw, TextForm::kSource));
  }
  return parts;
}

constexpr std::string_view kProgram =
    "#include <vector>\n"
    "\n"
    "// Adds what is given. Anything that\n"
    "// overflows is cut.\n"
    "//\n"
    "// See also: take().\n"
    "int add(int a,\n"
    "        int b) {\n"
    "  return a + b;  // cut\n"
    "}\n"
    "constexpr int kMost = 7;\n"
    "/* Gives back what\n"
    " * was added. */\n"
    "void take();\n";

TEST(SourceLines, CommentsAreSentences) {
  EXPECT_EQ(parts_of(kProgram, SentenceKind::kText), (Parts{"Adds what is given.", "Anything that overflows is cut.",
                                                            "See also: take().", "Gives back what was added."}));
}

TEST(SourceLines, CodeStandsAsItIs) {
  EXPECT_EQ(parts_of(kProgram, SentenceKind::kCode),
            (Parts{"#include <vector>", "```\nint add(int a,\n        int b) {\n  return a + b;  // cut\n}\n```",
                   "constexpr int kMost = 7;", "void take();"}));
}

TEST(SourceLines, TextBetweenQuotationMarksOfPython) {
  const std::string_view program =
      "#!/usr/bin/env python3\n\"\"\"Counts birds.\n\nOne line a bird.\n\"\"\"\nimport sys\n\ndef count(birds):\n"
      "    \"\"\"How many there are.\"\"\"\n    # of each kind\n    return len(birds)\n";
  EXPECT_EQ(parts_of(program, SentenceKind::kText),
            (Parts{"Counts birds.", "One line a bird.", "How many there are.", "of each kind"}));
  EXPECT_EQ(parts_of(program, SentenceKind::kCode),
            (Parts{"#!/usr/bin/env python3", "import sys", "def count(birds):", "return len(birds)"}));
}

// The mark that opens nothing must not be looked for at the end of the text before it.
TEST(SourceLines, AMarkAloneBehindText) {
  EXPECT_EQ(parts_of("\"\"\"Counts birds.\"\"\"\n\"\"\"", SentenceKind::kText), (Parts{"Counts birds."}));
  EXPECT_TRUE(parts_of("\"\"\"\"\"\"\n\"\"\"\n\"\"\"", SentenceKind::kText).empty());
}

TEST(SourceLines, PartsLieInTheTextInOrderWhateverItIs) {
  Random random(11);
  constexpr std::string_view kBits[] = {"// ", "/*",     "*/", "# ",        "\"\"\"", "\n", "\n\n",
                                        "  ",  "int a;", "}",  "A b. C d.", "é",      "-- "};
  int n_parts = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (uint64_t n = random.below(14); n > 0; --n) text += kBits[random.below(std::size(kBits))];
    size_t end = 0;
    for (const Sentence& s : split_sentences(text, TextForm::kSource)) {
      ASSERT_LE(end, s.byte_begin) << text;
      ASSERT_LT(s.byte_begin, s.byte_end) << text;
      ASSERT_LE(s.byte_end, text.size()) << text;
      end = s.byte_end;
      ++n_parts;
      static_cast<void>(plain_sentence(text.substr(s.byte_begin, s.byte_end - s.byte_begin), TextForm::kSource));
    }
  }
  EXPECT_GT(n_parts, 2000);
}

TEST(QuotingSource, SaysWhatCommentsSayAndShowsWhatCodeIs) {
  const QuotePassage passage{.text = kProgram, .context = "adder\nadder", .title = "adder", .form = TextForm::kSource};
  EXPECT_EQ(quote_sentences("What happens when something overflows?", {&passage, 1}).front().text,
            "Anything that overflows is cut.");
  const std::vector<QuotedSentence> code = quote_sentences("How large is kMost?", {&passage, 1});
  EXPECT_EQ(code.front().text, "constexpr int kMost = 7;");
  EXPECT_EQ(quoted_answer(std::vector<QuotedSentence>{{.passage = 0, .text = "```\na\nb\n```"}}),
            "```\na\nb\n```\n[1]");
}

}  // namespace
}  // namespace mneme::rag

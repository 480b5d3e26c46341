#include "rag/chunking/chunker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "base/utf8.h"
#include "rag/chunking/page_marks.h"
#include "rag/chunking/text_units.h"
#include "rag/readers/reader.h"

namespace mneme::chunking {
namespace {

rag::Document read(std::string_view name, std::string_view text) {
  auto document = readers::read_document(name, as_bytes(text));
  EXPECT_TRUE(document.ok()) << document.status().message();
  return std::move(*document);
}

std::string random_sentence(Random& random) {
  std::string text;
  const uint64_t words = 5 + random.below(20);
  for (uint64_t w = 0; w < words; ++w) {
    std::string word;
    const uint64_t letters = 2 + random.below(8);
    for (uint64_t l = 0; l < letters; ++l) word.push_back(static_cast<char>('a' + random.below(26)));
    if (w == 0) word[0] = static_cast<char>(word[0] - 'a' + 'A');
    text += (w ? " " : "") + word;
  }
  return text + ".";
}

std::string random_paragraph(Random& random) {
  std::string text;
  const uint64_t sentences = 1 + random.below(7);
  for (uint64_t s = 0; s < sentences; ++s) text += (s ? " " : "") + random_sentence(random);
  return text;
}

std::string random_article(uint64_t seed, int paragraphs) {
  Random random(seed);
  std::string text;
  for (int p = 0; p < paragraphs; ++p) {
    if (p % 17 == 0) text += "## Section " + std::to_string(p) + "\n\n";
    text += random_paragraph(random) + "\n\n";
  }
  return text;
}

void expect_sound(const rag::Document& document, const ChunkerOptions& options) {
  const std::vector<rag::Chunk> chunks = chunk_document(document, options);
  const int64_t largest = options.max_tokens > 0 ? options.max_tokens : options.target_tokens * 3 / 2;
  uint64_t before = 0;
  for (const rag::Chunk& chunk : chunks) {
    ASSERT_LE(before, chunk.byte_begin);
    ASSERT_LT(chunk.byte_begin, chunk.byte_end);
    EXPECT_TRUE(utf8::valid(chunk_text(document, chunk)));
    EXPECT_LE(estimate_tokens(chunk_text(document, chunk)), largest + largest / 8);
    before = chunk.byte_end;
  }
  // Every byte of every block that is not white space lies in a chunk.
  size_t c = 0;
  for (const rag::Block& block : document.blocks) {
    for (uint64_t at = block.byte_begin; at < block.byte_end; ++at) {
      while (c < chunks.size() && chunks[c].byte_end <= at) ++c;
      const bool inside = c < chunks.size() && chunks[c].byte_begin <= at;
      if (!inside) {
        EXPECT_NE(std::string_view(" \n\r\t").find(document.text[at]), std::string_view::npos) << "byte " << at;
      }
    }
  }
}

TEST(Chunker, SizesFollowTheOptions) {
  const rag::Document document = read("a.md", random_article(1, 400));
  for (const int target : {64, 128, 512, 1024}) {
    const ChunkerOptions options{.target_tokens = target};
    expect_sound(document, options);
    const auto chunks = chunk_document(document, options);
    int64_t total = 0;
    for (size_t i = 0; i + 1 < chunks.size(); ++i) {
      const int64_t size = estimate_tokens(chunk_text(document, chunks[i]));
      EXPECT_GE(size, target / 4);
      total += size;
    }
    const double mean = static_cast<double>(total) / static_cast<double>(chunks.size() - 1);
    EXPECT_GT(mean, 0.7 * target);
    EXPECT_LT(mean, 1.3 * target);
  }
}

TEST(Chunker, AnEditReChunksOnlyItsNeighbourhood) {
  Random random(99);
  std::vector<std::string> paragraphs;
  paragraphs.reserve(600);
  for (int p = 0; p < 600; ++p) paragraphs.push_back(random_paragraph(random));
  const auto joined = [&] {
    std::string text;
    for (const std::string& paragraph : paragraphs) text += paragraph + "\n\n";
    return text;
  };
  const auto texts_of = [](const rag::Document& document) {
    std::multiset<std::string> texts;
    for (const rag::Chunk& chunk : chunk_document(document)) texts.insert(std::string(chunk_text(document, chunk)));
    return texts;
  };
  int changed_total = 0;
  constexpr int kEdits = 30;
  for (int edit = 0; edit < kEdits; ++edit) {
    const auto before = texts_of(read("a.md", joined()));
    std::string& paragraph = paragraphs[random.below(paragraphs.size())];
    switch (random.below(3)) {
      case 0: paragraph += " " + random_sentence(random); break;
      case 1: paragraph = random_paragraph(random); break;
      default: paragraph += "\n\n" + random_paragraph(random); break;
    }
    int changed = 0;
    for (const std::string& text : texts_of(read("a.md", joined()))) changed += before.count(text) == 0;
    EXPECT_LE(changed, 14);
    changed_total += changed;
  }
  EXPECT_LE(changed_total, 4 * kEdits);
}

TEST(Chunker, HeadingPathAndLinesTravel) {
  std::string text = "# Guide\n\n";
  Random random(5);
  for (int s = 0; s < 12; ++s) {
    text += (s % 3 == 0 ? "## Part " : "### Step ") + std::to_string(s) + "\n\n";
    for (int p = 0; p < 9; ++p) text += random_paragraph(random) + "\n\n";
  }
  const rag::Document document = read("guide.md", text);
  const auto chunks = chunk_document(document);
  ASSERT_GT(chunks.size(), 8u);
  bool nested = false;
  for (const rag::Chunk& chunk : chunks) {
    EXPECT_TRUE(chunk.heading_path.starts_with("Guide")) << chunk.heading_path;
    nested = nested || chunk.heading_path == "Guide > Part 3 > Step 4";
    const auto line_of = [&](uint64_t at) {
      return 1 + std::count(document.text.begin(), document.text.begin() + static_cast<int64_t>(at), '\n');
    };
    EXPECT_EQ(chunk.line_begin, line_of(chunk.byte_begin));
    EXPECT_EQ(chunk.line_end, line_of(chunk.byte_end - 1));
  }
  EXPECT_TRUE(nested);
}

// Read for every passage below it, it took minutes.
TEST(Chunker, AHeadingMayBeAsLongAsTheDocument) {
  std::string heading = "Guide";
  while (heading.size() < 8'000'000) heading += " to harbours";
  rag::Document document;
  document.text = heading;
  document.blocks.push_back({.kind = rag::BlockKind::kHeading, .heading_level = 1, .byte_end = heading.size()});
  const auto chunks = chunk_document(document);
  ASSERT_GT(chunks.size(), 1000u);
  for (const rag::Chunk& chunk : chunks) ASSERT_EQ(chunk.heading_path, heading.substr(0, 160));
}

// Three short blocks, on pages 1, 1 and 2, the first without lines.
rag::Document in_pages(std::string_view format) {
  rag::Document document;
  document.title = "Deck";
  document.format = format;
  for (const std::string_view text : {"First", "Nothing here.", "The second one sings."}) {
    rag::Block block;
    if (!document.text.empty()) document.text += "\n\n";
    block.byte_begin = document.text.size();
    document.text += text;
    block.byte_end = document.text.size();
    block.page = document.blocks.size() < 2 ? 1 : 2;
    block.line_begin = block.line_end = static_cast<int>(document.blocks.size());
    document.blocks.push_back(block);
  }
  return document;
}

TEST(Chunker, SlidesAndSheetsAreNotPutTogether) {
  for (const std::string_view format : {"pptx", "ppt", "odp", "xlsx", "xls", "ods"}) {
    const rag::Document deck = in_pages(format);
    const auto chunks = chunk_document(deck);
    ASSERT_EQ(chunks.size(), 2u);
    EXPECT_EQ(chunk_text(deck, chunks[0]), "First\n\nNothing here.");
    EXPECT_EQ(chunks[0].page, 1);
    EXPECT_EQ(chunk_text(deck, chunks[1]), "The second one sings.");
    EXPECT_EQ(chunks[1].page, 2);
  }
  EXPECT_EQ(chunk_document(in_pages("pdf")).size(), 1u);
}

TEST(Chunker, ASlideWithoutATitleIsUnderNone) {
  rag::Document document;
  document.text = "Finances\n\nThe budget.\n\nThe launch.";
  document.blocks = {{.kind = rag::BlockKind::kHeading, .heading_level = 1, .byte_begin = 0, .byte_end = 8, .page = 1},
                     {.byte_begin = 10, .byte_end = 21, .page = 1},
                     {.byte_begin = 23, .byte_end = 34, .page = 2}};
  for (const std::string_view format : {"pptx", "ppt", "odp"}) {
    document.format = format;
    const std::vector<rag::Chunk> chunks = chunk_document(document);
    ASSERT_EQ(chunks.size(), 2U);
    EXPECT_EQ(chunks[0].heading_path, "Finances");
    EXPECT_EQ(chunks[1].heading_path, "");
  }
}

TEST(Chunker, FurtherPagesAreMarked) {
  rag::Document document;
  document.format = "pdf";
  document.text = "One page.\n\nStill one.\n\nTwo.\n\nFour.";
  document.blocks = {{.byte_begin = 0, .byte_end = 9, .page = 1},
                     {.byte_begin = 11, .byte_end = 21, .page = 1},
                     {.byte_begin = 23, .byte_end = 27, .page = 2},
                     {.byte_begin = 29, .byte_end = 34, .page = 4}};
  const std::vector<rag::Chunk> chunks = chunk_document(document);
  ASSERT_EQ(chunks.size(), 1U);
  EXPECT_EQ(chunks[0].page, 1);
  EXPECT_EQ(chunks[0].page_marks, "23:2 29:4");
  document.blocks.resize(2);
  EXPECT_EQ(chunk_document(document)[0].page_marks, "");
}

// Also of passages that do not begin the document, and of blocks that have no page of their own.
TEST(Chunker, EveryBlockIsOnItsPageByTheMarks) {
  Random random(23);
  rag::Document document;
  document.format = "pdf";
  for (int i = 0; i < 120; ++i) {
    const uint64_t begin = document.text.size();
    document.text += random_paragraph(random);
    const int page = i % 9 == 4 ? 0 : 1 + i / 3;
    document.blocks.push_back({.byte_begin = begin, .byte_end = document.text.size(), .page = page});
    document.text += "\n\n";
  }
  const std::vector<rag::Chunk> chunks = chunk_document(document, {.target_tokens = 200});
  ASSERT_GT(chunks.size(), 10u);
  for (const rag::Chunk& chunk : chunks) {
    for (const rag::Block& block : document.blocks) {
      if (block.page == 0 || block.byte_begin < chunk.byte_begin || block.byte_begin >= chunk.byte_end) continue;
      EXPECT_EQ(page_at(chunk.page_marks, chunk.page, block.byte_begin - chunk.byte_begin), block.page);
    }
    int before = chunk.page;  // each page is marked once
    for (size_t at = 0; at < chunk.page_marks.size(); at = chunk.page_marks.find(' ', at + 1)) {
      const int page = std::stoi(chunk.page_marks.substr(chunk.page_marks.find(':', at) + 1));
      EXPECT_GT(page, before) << chunk.page_marks;
      before = page;
    }
  }
}

TEST(Chunker, BlocksWithoutLinesLeaveThoseOfTheOthers) {
  const auto chunks = chunk_document(in_pages("eml"));
  ASSERT_EQ(chunks.size(), 1u);
  EXPECT_EQ(chunks[0].line_begin, 1);
  EXPECT_EQ(chunks[0].line_end, 2);
}

TEST(Chunker, AHeadingNeverEndsAChunk) {
  const rag::Document document = read("a.md", random_article(3, 300));
  for (const rag::Chunk& chunk : chunk_document(document)) {
    const std::string_view text = chunk_text(document, chunk);
    const size_t last_line = text.rfind('\n');
    const std::string_view tail = last_line == std::string_view::npos ? text : text.substr(last_line + 1);
    EXPECT_FALSE(tail.starts_with("#")) << tail;
  }
}

TEST(Chunker, TableRowsAndCodeLinesStayWhole) {
  std::string table = "| name | value |\n|---|---|\n";
  std::string code = "```c\n";
  for (int i = 0; i < 600; ++i) {
    table += "| row number " + std::to_string(i) + " | " + std::to_string(i * i) + " |\n";
    code += "  call_function_number_" + std::to_string(i) + "(argument, other);\n";
  }
  const rag::Document document = read("a.md", "# T\n\n" + table + "\n" + code + "```\n");
  for (const rag::Chunk& chunk : chunk_document(document)) {
    EXPECT_TRUE(chunk.byte_begin == 0 || document.text[chunk.byte_begin - 1] == '\n');
    EXPECT_TRUE(chunk.byte_end == document.text.size() || document.text[chunk.byte_end] == '\n');
  }
  expect_sound(document, {});
}

// As JSON has them: what is looked for in a block must not be looked for in all that follows.
TEST(Chunker, BlocksOfOneLongLineAreCutWithinEach) {
  constexpr size_t kBlocks = 20'000;
  constexpr size_t kBytes = 1'200;
  rag::Document document;
  document.text.assign(kBlocks * kBytes, 'x');
  for (size_t i = 0; i < kBlocks; ++i) {
    document.blocks.push_back({rag::BlockKind::kCode, 0, i * kBytes, (i + 1) * kBytes, 1, 1, 0});
  }
  const std::vector<TextUnit> units = split_units(document, 200);
  ASSERT_EQ(units.front().begin, 0u);
  ASSERT_EQ(units.back().end, document.text.size());
  for (size_t i = 0; i < units.size(); ++i) {
    ASSERT_EQ(units[i].begin / kBytes, (units[i].end - 1) / kBytes) << i;
    ASSERT_EQ(units[i].begin, i == 0 ? 0 : units[i - 1].end);
  }
}

TEST(Chunker, ChineseIsCutAtSentences) {
  std::string text;
  for (int i = 0; i < 400; ++i) text += "这是第" + std::to_string(i) + "个句子，它说明了一些事情。";
  const rag::Document document = read("a.txt", text);
  const auto chunks = chunk_document(document);
  ASSERT_GT(chunks.size(), 6u);
  for (const rag::Chunk& chunk : chunks) EXPECT_TRUE(chunk_text(document, chunk).ends_with("。"));
  expect_sound(document, {});
}

TEST(Chunker, TextWithoutAnyBorderIsStillBounded) {
  expect_sound(read("a.txt", std::string(100'000, 'x')), {});
  std::string kanji;
  for (int i = 0; i < 20'000; ++i) kanji += "漢";
  expect_sound(read("a.txt", kanji), {});
  std::string words;
  for (int i = 0; i < 20'000; ++i) words += "word ";
  const rag::Document document = read("a.txt", words);
  expect_sound(document, {});
  for (const rag::Chunk& chunk : chunk_document(document)) EXPECT_TRUE(chunk_text(document, chunk).starts_with("word"));
}

TEST(Chunker, MarksStayWithTheirCharacters) {
  std::string accents;
  std::string families;
  for (int i = 0; i < 6000; ++i) {
    accents += "e\xcc\x81\xcc\xa3";                                          // two combining marks
    families += "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7\xef\xb8\x8f";  // joined, with a selector
  }
  for (const std::string& text : {accents, families}) {
    const rag::Document document = read("a.txt", text);
    expect_sound(document, {});
    const std::string unit = text.substr(0, text.size() / 6000);
    for (const rag::Chunk& chunk : chunk_document(document)) {
      EXPECT_TRUE(chunk_text(document, chunk).starts_with(unit));
      EXPECT_TRUE(chunk_text(document, chunk).ends_with(unit));
    }
  }
  std::string hebrew;
  for (int i = 0; i < 3000; ++i) hebrew += "שלום עולם, זה משפט בעברית. ";
  expect_sound(read("a.txt", hebrew), {});
}

TEST(Chunker, RandomDocumentsAreSound) {
  const char* const pieces[] = {"# H\n",    "word ",  "\n",   "\n\n",
                                "- item\n", "```\n",  "    ", "| a | b |\n",
                                "|---|\n",  "Stop. ", "漢。", "long line of words without end ",
                                "é",        "😀",     "\r\n", "## Two\n"};
  Random random(11);
  for (int round = 0; round < 200; ++round) {
    std::string text = "x ";
    const uint64_t count = 1 + random.below(800);
    for (uint64_t i = 0; i < count; ++i) text += pieces[random.below(std::size(pieces))];
    const rag::Document document = read(round % 2 ? "a.md" : "a.txt", text);
    expect_sound(document, ChunkerOptions{.target_tokens = static_cast<int>(16 + random.below(200))});
  }
}

TEST(Chunker, EmptyDocumentGivesNoChunks) {
  EXPECT_TRUE(chunk_document({}).empty());
}

TEST(Estimate, CountsScriptsDifferently) {
  EXPECT_EQ(estimate_tokens(""), 0);
  EXPECT_EQ(estimate_tokens("abcdefgh"), 2);
  EXPECT_EQ(estimate_tokens("漢字"), 2);
  EXPECT_EQ(estimate_tokens("😀"), 2);
}

TEST(Sentences, DaysOfGermanDates) {
  const std::string text = "Beginn ist der 1. Juli 2023. Sie kam auf Platz 3. Danach ruhte sie bis zum 24. Dezember.";
  EXPECT_EQ(sentence_ends(text).size(), 3u);
}

TEST(Sentences, SmallLettersAndInitialsOfAnyScript) {
  const std::string price = "Цена 450 руб. за билет. Вход свободный.";
  EXPECT_EQ(sentence_ends(price).size(), 2U);
  const std::string name = "Доклад сделал А. П. Кузнецов. Все слушали.";
  EXPECT_EQ(sentence_ends(name).size(), 2U);
  EXPECT_EQ(sentence_ends("Two rooms, with cellar no. 4. Jonas Lind, geb. 12.08.1984. Dr. med. Voss.").size(), 3U);
  EXPECT_EQ(sentence_ends("It is a no. Four came.").size(), 2U);
  EXPECT_EQ(sentence_ends("Адреса: м. Львів, вул. Личаківська, 64, кв. 15").size(), 1U);
  EXPECT_EQ(sentence_ends("Apartament pe str. Plopilor. Mieszkanie przy ul. Lipowej.").size(), 2U);
  EXPECT_EQ(sentence_ends("Le prix est fixé. État des lieux.").size(), 2U);
}

TEST(Sentences, AbbreviationsInitialsAndQuotes) {
  const std::string text = "Dr. J. Smith (see Fig. 3) left at 3.15 p.m. today. \"Why?\" he asked. He knew.";
  std::vector<std::string> sentences;
  size_t begin = 0;
  for (const size_t end : sentence_ends(text)) {
    sentences.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  EXPECT_EQ(sentences, (std::vector<std::string>{"Dr. J. Smith (see Fig. 3) left at 3.15 p.m. today.",
                                                 " \"Why?\" he asked.", " He knew."}));
}

TEST(Sentences, FullStopsOfOtherScriptsNeedNoSpaceBehind) {
  for (const std::string_view stop : {"。", "！", "？", "｡", "।", "؟", "۔", "።", "‼"}) {
    const std::string first = "甲乙丙" + std::string(stop);
    const std::string text = first + "丁戊";
    EXPECT_EQ(sentence_ends(text), (std::vector<size_t>{first.size(), text.size()})) << stop;
  }
}

TEST(Sentences, MarksThatCloseBelongToWhatTheyClose) {
  for (const std::string_view mark :
       {"\"", "'", ")", "]", "*", "_", "”", "’", "»", "」", "』", "）", "】", ".\")", "!?"}) {
    const std::string first = "They left early." + std::string(mark);
    const std::string text = first + " Nobody came.";
    EXPECT_EQ(sentence_ends(text), (std::vector<size_t>{first.size(), text.size()})) << mark;
  }
}

TEST(Sentences, EveryCapitalLetterIsAnInitialButI) {
  for (char letter = 'A'; letter <= 'Z'; ++letter) {
    const std::string text = std::string("They asked ") + letter + ". Smith came.";
    EXPECT_EQ(sentence_ends(text).size(), letter == 'I' ? 2U : 1U) << text;
  }
  EXPECT_EQ(sentence_ends("A. Smith came.").size(), 1U);
  EXPECT_EQ(sentence_ends("He drove an SUV. They walked.").size(), 2U);
}

TEST(Sentences, ExclamationsAndQuestionsEndThem) {
  EXPECT_EQ(sentence_ends("Stop! Who goes there? Nobody."), (std::vector<size_t>{5, 21, 29}));
  EXPECT_EQ(sentence_ends("Really?! Yes... So it is."), (std::vector<size_t>{8, 15, 25}));
}

TEST(Sentences, NumbersFollowSomeAbbreviationsAndBeginOthers) {
  for (const char* word : {"no",  "nos",    "nr",  "geb", "gest", "p",  "pp",   "vol", "ch",  "sec",  "tel",
                           "ext", "approx", "Ext", "Geb", "Kap",  "Bd", "Ziff", "num", "pag", "telef"}) {
    EXPECT_EQ(sentence_ends("See " + std::string(word) + ". 4 of it.").size(), 1U) << word;
  }
  EXPECT_EQ(sentence_ends("It rained. 12 people came.").size(), 2U);
  EXPECT_EQ(sentence_ends("They came by casino. 4 stayed.").size(), 2U) << "the end of a word is no abbreviation";
}

TEST(Sentences, WhiteSpaceAtTheEndIsNoSentence) {
  EXPECT_EQ(sentence_ends("One came. Two left. \n "), (std::vector<size_t>{9, 22}));
  EXPECT_EQ(sentence_ends("Room 100. Mai kam.").size(), 2U) << "no day of a month";
  EXPECT_EQ(sentence_ends(""), (std::vector<size_t>{0}));
}

int line_of(const rag::Document& document, uint64_t at) {
  return 1 + static_cast<int>(
                 std::count(document.text.begin(), document.text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

// Long paragraphs and code are cut inside, at lines and within them.
TEST(Units, LinesOfEveryOneAreThoseOfTheFile) {
  std::string text = "# Guide\n\n";
  for (int i = 0; i < 90; ++i)
    text += "The boat number " + std::to_string(i) + (i % 4 == 3 ? " left.\nIt" : " stayed\nand");
  text += "\n\n";
  for (int i = 0; i < 300; ++i) text += "word" + std::to_string(i) + (i % 7 == 0 ? "\n" : " ");
  text += "\n\n```c\n";
  for (int i = 0; i < 40; ++i) text += (i % 5 == 0 ? "\nint f" : "  g") + std::to_string(i) + "(argument, other);\n";
  const rag::Document document = read("a.md", text + "```\n\nThe end.\n");
  for (const int64_t largest : {60, 100, 400, 4000}) {
    const std::vector<TextUnit> units = split_units(document, largest);
    EXPECT_GT(units.size(), 20u);
    for (const TextUnit& unit : units) {
      EXPECT_EQ(unit.line_begin, line_of(document, unit.begin)) << unit.begin << " of " << largest;
      EXPECT_EQ(unit.line_end, line_of(document, unit.end - 1)) << unit.end << " of " << largest;
    }
  }
}

// At lines where there are any in the second half of what fits, and no oftener than needed.
TEST(Units, WhatIsTooLongIsCutAtLinesOrWords) {
  for (const char between : {'\n', ' '}) {
    rag::Document document;
    for (int i = 0; i < 400; ++i) document.text += "word" + std::to_string(i) + (i % 7 == 0 ? between : ' ');
    document.text += "end\nword";
    document.blocks.push_back({.byte_end = document.text.size()});
    const std::vector<TextUnit> units = split_units(document, 200);
    ASSERT_GT(units.size(), 10u);
    for (size_t i = 0; i + 1 < units.size(); ++i) {
      EXPECT_EQ(document.text[units[i].end - 1], between) << i;
      EXPECT_EQ(units[i].end, units[i + 1].begin);
      EXPECT_EQ(units[i + 1].strength, between == ' ' ? strength::kWord : strength::kLine);
      EXPECT_TRUE(document.text.substr(units[i + 1].begin).starts_with("word")) << i;
      EXPECT_GT(units[i].quarters + units[i + 1].quarters, 200);
      EXPECT_LE(units[i].quarters, 200);
    }
    EXPECT_EQ(units.back().end, document.text.size());
  }
}

// The strength of the border before each block of the document, or of each line where it is one of code.
std::vector<int> strengths_of(const rag::Document& document, int64_t largest_quarters) {
  std::vector<int> strengths;
  for (const TextUnit& unit : split_units(document, largest_quarters)) strengths.push_back(unit.strength);
  return strengths;
}

TEST(Units, ABorderIsAsGoodAsWhatItParts) {
  using rag::BlockKind;
  struct Part {
    BlockKind kind;
    int level;
    const char* text;
  };
  constexpr Part kParts[] = {
      {BlockKind::kParagraph, 0, "Before."}, {BlockKind::kHeading, 1, "One"},      {BlockKind::kHeading, 2, "Two"},
      {BlockKind::kParagraph, 0, "Text."},   {BlockKind::kListItem, 0, "- a"},     {BlockKind::kListItem, 0, "- b"},
      {BlockKind::kTableRow, 0, "| a |"},    {BlockKind::kTableRow, 0, "| b: |"},  {BlockKind::kParagraph, 0, "More."},
      {BlockKind::kCode, 0, "x = 1"},        {BlockKind::kParagraph, 0, "So: \n"}, {BlockKind::kListItem, 0, "- c"},
      {BlockKind::kHeading, 2, "Three"},     {BlockKind::kHeading, 2, "Four"},
  };
  rag::Document document;
  for (const Part& part : kParts) {
    const uint64_t begin = document.text.size();
    document.text += part.text;
    document.blocks.push_back(
        {.kind = part.kind, .heading_level = part.level, .byte_begin = begin, .byte_end = document.text.size()});
    document.text += '\n';
  }
  using namespace strength;
  EXPECT_EQ(strengths_of(document, 4000),
            (std::vector<int>{kBlock, kHeading + 25, kAfterHeading, kAfterHeading, kGroupStart, kListItem, kGroupStart,
                              kTableRow, kBlock, kBlock, kBlock, kAfterColon, kHeading + 20, kHeading + 20}));
}

TEST(Units, CodeIsBestCutBetweenItsParts) {
  rag::Document document;
  document.text =
      "int first(int argument) {\n"
      "  return argument + 1;\n"
      "}\n"
      "\n"
      "int second(int argument) {\n"
      "  return argument + 2;\n"
      "}\n"
      "int third(int argument) {\n"
      " \t\n"
      "  call_a_function(\n"
      "    argument + 3\n"
      ");\n"
      "\n"
      "];\n"
      "int last_of_them_all_in_this_code = 12345678;\n";
  document.blocks.push_back({.kind = rag::BlockKind::kCode, .byte_end = document.text.size()});
  using namespace strength;
  EXPECT_EQ(strengths_of(document, 190),
            (std::vector<int>{kBlock, kCodeLine, kCodeLine, kCodeParagraph, kCodeLine, kCodeLine, kCodeOuterLine,
                              kCodeParagraph, kCodeLine, kCodeLine, kCodeLine, kCodeOuterLine}));
}

TEST(Units, HeadingsAndRowsStayWholeWhereParagraphsDoNot) {
  std::string sentences;
  for (int i = 0; i < 12; ++i) sentences += "They met at the old harbour. ";
  sentences.pop_back();
  using rag::BlockKind;
  for (const BlockKind kind :
       {BlockKind::kHeading, BlockKind::kTableRow, BlockKind::kParagraph, BlockKind::kListItem}) {
    rag::Document document;
    document.text = sentences;
    document.blocks.push_back({.kind = kind, .heading_level = 1, .byte_end = sentences.size()});
    const bool whole = kind == BlockKind::kHeading || kind == BlockKind::kTableRow;
    const std::vector<int> strengths = strengths_of(document, 2000);
    ASSERT_EQ(strengths.size(), whole ? 1u : 12u);
    for (size_t i = 1; i < strengths.size(); ++i) EXPECT_EQ(strengths[i], strength::kSentence);
  }
}

// Their first and last of each range that is known: Latin accents, Hebrew, Arabic, Devanagari, Thai, signs, emoji.
TEST(Units, MarksOfManyScriptsStayWithTheirCharacters) {
  for (const std::string_view cluster :
       {"e\u0300", "e\u036f", "א\u0591", "א\u05c7", "ب\u0610",      "ب\u061a",     "ب\u064b",
        "ب\u065f", "क\u093a", "क\u094f", "ก\u0e31", "ก\u0e3a",      "ก\u0e47",     "ก\u0e4e",
        "1\u20d0", "1\u20ff", "❤\ufe00", "❤\ufe0f", "👍\U0001f3fb", "👍\U0001f3ff"}) {
    rag::Document document;
    while (document.text.size() < 4000) document.text += cluster;
    document.blocks.push_back({.byte_end = document.text.size()});
    for (const TextUnit& unit : split_units(document, 101)) {
      EXPECT_EQ(unit.begin % cluster.size(), 0u) << cluster;
      EXPECT_EQ(unit.end % cluster.size(), 0u) << cluster;
    }
  }
}

// Of plain text: a heading may come earlier.
TEST(Chunker, MinAndMaxBoundEveryChunkButTheLast) {
  Random random(21);
  std::string text;
  for (int i = 0; i < 500; ++i) text += random_sentence(random) + " ";
  const rag::Document document = read("a.txt", text);
  for (const auto& [target, min, max] : {std::tuple{100, 90, 130}, std::tuple{100, 60, 100}, std::tuple{100, 0, 0}}) {
    const auto chunks = chunk_document(document, {.target_tokens = target, .min_tokens = min, .max_tokens = max});
    int64_t longest = 0;
    for (size_t i = 0; i < chunks.size(); ++i) {
      const int64_t size = estimate_tokens(chunk_text(document, chunks[i]));
      EXPECT_LE(size, max > 0 ? max : target * 3 / 2);
      EXPECT_TRUE(i + 1 == chunks.size() || size >= (min > 0 ? min : target / 2)) << size;
      longest = std::max(longest, size);
    }
    EXPECT_GT(longest, target * 9 / 10);
  }
}

TEST(Chunker, AShortDocumentIsOneChunkWhateverItsHeadings) {
  std::string text;
  for (int i = 0; i < 6; ++i) text += "## Section\n\nThey met at the old harbour and went home.\n\n";
  EXPECT_EQ(chunk_document(read("a.md", text)).size(), 1u);
  const int64_t size = estimate_tokens(text);
  EXPECT_EQ(chunk_document(read("a.md", text), {.target_tokens = static_cast<int>(size)}).size(), 1u);
  EXPECT_GT(chunk_document(read("a.md", text), {.target_tokens = static_cast<int>(size * 9 / 10)}).size(), 1u)
      << "what is longer is parted between sections";
}

TEST(Chunker, WhatFitsIntoTheLargestChunkIsNotParted) {
  std::string text;
  while (estimate_tokens(text) < 140) text += "They met at the old harbour. ";
  EXPECT_EQ(chunk_document(read("a.txt", text), {.target_tokens = 100}).size(), 1u);
  while (estimate_tokens(text) < 160) text += "They met at the old harbour. ";
  EXPECT_EQ(chunk_document(read("a.txt", text), {.target_tokens = 100}).size(), 2u);
}

// As a calendar's entry has them: its summary stands behind its date in the file, and heads it here.
TEST(Chunker, LinesSpanTheSourceWhateverTheOrderOfBlocks) {
  rag::Document document;
  for (const auto& [text, line] : {std::pair("Dentist", 4), std::pair("When: Saturday", 3), std::pair("Room", 9)}) {
    rag::Block block;
    if (!document.text.empty()) document.text += "\n\n";
    block.byte_begin = document.text.size();
    document.text += text;
    block.byte_end = document.text.size();
    block.line_begin = block.line_end = line;
    document.blocks.push_back(block);
  }
  const auto chunks = chunk_document(document);
  ASSERT_EQ(chunks.size(), 1u);
  EXPECT_EQ(chunks[0].line_begin, 3);
  EXPECT_EQ(chunks[0].line_end, 9);
}

}  // namespace
}  // namespace mneme::chunking

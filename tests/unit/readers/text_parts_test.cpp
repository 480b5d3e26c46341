// Texts that are more than one document may hold come in parts of whole lines, with the lines of the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Part {
  std::string member;
  rag::Document document;
};

struct Parts {
  std::vector<Part> parts;
  std::vector<std::string> failures;
  Status status;
};

Parts read_parts_of(const std::string& name, const std::string& bytes, uint64_t text_bytes = 8000) {
  ReadLimits limits;
  limits.text_bytes = text_bytes;  // parts of 1000
  Parts all;
  all.status = read_bytes(name, as_bytes(bytes), limits, [&](ReadItem item) {
    if (item.status.ok()) {
      all.parts.push_back({item.member, std::move(item.document)});
    } else {
      all.failures.push_back(item.member + ": " + item.status.message());
    }
    return Status();
  });
  return all;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// Every line of every block stands in the file at the line that the block names.
void expect_lines_of_file(const Parts& all, const std::vector<std::string>& file) {
  for (const Part& part : all.parts) {
    for (size_t i = 0; i < part.document.blocks.size(); ++i) {
      const rag::Block& block = part.document.blocks[i];
      const std::vector<std::string> lines = lines_of(std::string(test::block_text(part.document, i)));
      ASSERT_EQ(block.line_end - block.line_begin + 1, static_cast<int>(lines.size())) << part.member;
      for (size_t line = 0; line < lines.size(); ++line) {
        ASSERT_LE(static_cast<size_t>(block.line_begin) + line, file.size());
        EXPECT_EQ(lines[line], file[static_cast<size_t>(block.line_begin) - 1 + line]) << part.member;
      }
    }
  }
}

TEST(TextParts, ALogIsReadWholeWithItsLines) {
  std::string log;
  for (int i = 1; i <= 600; ++i) {
    log += "2024-01-01 host service: event " + std::to_string(i) + (i % 7 == 0 ? "\n\n" : "\n");
  }
  for (const std::string& text : {log, log.substr(0, log.size() - 1), "\xef\xbb\xbf" + log}) {
    const Parts all = read_parts_of("service.log", text);
    EXPECT_TRUE(all.status.ok()) << all.status.message();
    EXPECT_THAT(all.failures, IsEmpty());
    EXPECT_GT(all.parts.size(), 10u);
    std::string joined;
    for (size_t i = 0; i < all.parts.size(); ++i) {
      EXPECT_EQ(all.parts[i].member, "part " + std::to_string(i + 1));
      EXPECT_EQ(all.parts[i].document.title, "service, part " + std::to_string(i + 1));
      EXPECT_EQ(all.parts[i].document.format, "text");
      const std::string place = "its byte " + std::to_string(joined.size()) + ", on";
      EXPECT_THAT(all.parts[i].document.notes, testing::ElementsAre(HasSubstr(place)));
      joined += all.parts[i].document.text;
    }
    EXPECT_EQ(joined, text) << "nothing is lost, nothing is there twice";
    std::vector<std::string> lines = lines_of(text);
    if (text.starts_with("\xef")) lines.front().erase(0, 3);
    expect_lines_of_file(all, lines);
  }
}

TEST(TextParts, EachPartOfATableBeginsWithItsNames) {
  std::string table = "name,town,amount\n";
  for (int i = 1; i <= 300; ++i) {
    // Line breaks within quotation marks do not end a record.
    table += "Ada " + std::to_string(i) + ",\"Kelby,\nupper town\"," + std::to_string(i * 10) + "\n";
  }
  const Parts all = read_parts_of("list.csv", table);
  EXPECT_TRUE(all.status.ok()) << all.status.message();
  ASSERT_GT(all.parts.size(), 5u);
  int next = 1;
  for (const Part& part : all.parts) {
    const rag::Document& document = part.document;
    ASSERT_FALSE(document.blocks.empty());
    EXPECT_EQ(document.blocks[0].kind, rag::BlockKind::kHeading) << part.member;
    EXPECT_EQ(test::block_text(document, 0), "name,town,amount");
    for (size_t i = 1; i < document.blocks.size(); ++i, ++next) {
      EXPECT_EQ(document.blocks[i].kind, rag::BlockKind::kTableRow);
      EXPECT_EQ(test::block_text(document, i),
                "Ada " + std::to_string(next) + ",\"Kelby,\nupper town\"," + std::to_string(next * 10));
    }
  }
  EXPECT_EQ(next, 301);
  expect_lines_of_file(all, lines_of(table));
}

TEST(TextParts, JsonLinesKeepTheirLines) {
  std::string lines;
  for (int i = 1; i <= 400; ++i) lines += "{\"id\": " + std::to_string(i) + ", \"text\": \"entry of the log\"}\n";
  const Parts all = read_parts_of("all.jsonl", lines);
  EXPECT_TRUE(all.status.ok()) << all.status.message();
  ASSERT_GT(all.parts.size(), 10u);
  EXPECT_EQ(all.parts[0].document.format, "json");
  expect_lines_of_file(all, lines_of(lines));
}

TEST(TextParts, ALineThatIsTooLongIsToldAndTheRestGoesOn) {
  std::string text;
  for (int i = 1; i <= 100; ++i) text += "short line " + std::to_string(i) + "\n";
  text += std::string(20'000, 'x') + "\n";
  for (int i = 102; i <= 200; ++i) text += "short line " + std::to_string(i) + "\n";
  const Parts all = read_parts_of("a.txt", text);
  EXPECT_TRUE(all.status.ok()) << all.status.message();
  ASSERT_THAT(all.failures, SizeIs(1));
  EXPECT_THAT(all.failures[0], HasSubstr("a.txt: its line 101 is over the limit"));
  expect_lines_of_file(all, lines_of(text));
  std::string words;
  for (const Part& part : all.parts) words += part.document.text;
  EXPECT_THAT(words, HasSubstr("short line 100\n"));
  EXPECT_THAT(words, HasSubstr("short line 102\n"));
  EXPECT_THAT(words, HasSubstr("short line 200\n"));
  const Parts alone = read_parts_of("a.txt", std::string(20'000, 'x'));
  EXPECT_THAT(alone.parts, IsEmpty());
  EXPECT_THAT(alone.failures, SizeIs(1));
}

// What only the beginning of the file says holds for all its parts.
TEST(TextParts, TextInUnitsOfTwoBytesIsRefusedNotCut) {
  std::string wide = "\xff\xfe";
  for (int i = 0; i < 40'000; ++i) wide += std::string(i % 40 == 39 ? "\n\0" : "x\0", 2);
  const Parts all = read_parts_of("wide.txt", wide);
  EXPECT_FALSE(all.status.ok());
  EXPECT_THAT(all.parts, IsEmpty());
}

TEST(TextParts, OneEncodingHoldsForAllParts) {
  std::string latin1;
  for (int i = 1; i <= 400; ++i)
    latin1 +=
        "Die Stra\xdf"
        "e f\xfchrt \xfc"
        "ber die Br\xfc"
        "cke, sagte er.\n";
  const Parts all = read_parts_of("a.txt", latin1);
  EXPECT_TRUE(all.status.ok()) << all.status.message();
  ASSERT_GT(all.parts.size(), 5u);
  for (const Part& part : all.parts)
    EXPECT_THAT(part.document.text, HasSubstr("Stra\xc3\x9f"
                                              "e f\xc3\xbchrt"));
}

// An archive's member is cut like a file.
TEST(TextParts, OfAMemberTheyAreBelowIt) {
  std::string log;
  for (int i = 1; i <= 600; ++i) log += "2024-01-01 host service: event " + std::to_string(i) + "\n";
  const std::string mail =
      "From a@b Mon\nSubject: Log\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=X\n\n"
      "--X\nContent-Type: text/plain\n\nSee below.\n--X\nContent-Type: text/plain\n"
      "Content-Disposition: attachment; filename=a.log\n\n" +
      log + "--X--\n";
  const Parts all = read_parts_of("a.mbox", mail);
  EXPECT_TRUE(all.status.ok()) << all.status.message();
  ASSERT_GT(all.parts.size(), 3u);
  EXPECT_EQ(all.parts[1].member, "message 1/a.log/part 1");
}

}  // namespace
}  // namespace mneme::readers

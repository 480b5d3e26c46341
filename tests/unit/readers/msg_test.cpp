// Messages that Outlook saved, made here property by property as MS-OXMSG says.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "rag/readers/office/compressed_rtf.h"
#include "tests/support/compound_files.h"
#include "tests/support/make_files.h"
#include "tests/unit/readers/office_pairs.h"

namespace mneme::readers {
namespace {

using test::make_compound_file;
using test::MsgProperties;

constexpr size_t kFile = 32;
constexpr size_t kWithin = 24;
constexpr size_t kPart = 8;
constexpr uint64_t kMay2024 = 133'591'985'000'000'000;  // 2024-05-03 08:28:20

struct Item {
  std::string member;
  std::string text;
  std::string title;
  std::string date;
  std::string error;
};

std::vector<Item> items_of(const std::string& bytes, const ReadLimits& limits = {}) {
  std::vector<Item> items;
  const Status status = read_bytes("a.msg", as_bytes(bytes), limits, [&](ReadItem item) {
    const rag::Document& document = item.document;
    items.push_back({item.member, document.text, document.title, document.date, item.status.message()});
    return Status();
  });
  if (!status.ok()) items.push_back({"", "", "", "", status.message()});
  return items;
}

std::string text_of(const MsgProperties& message) {
  const std::vector<Item> items = items_of(make_compound_file(message.entries()));
  return items.empty() ? "(nothing)" : items[0].error.empty() ? items[0].text : items[0].error;
}

std::vector<test::CompoundEntry> recipient(uint32_t kind, const std::string& name, const std::string& address) {
  return MsgProperties(kPart).number(0x0c15, kind).text(0x3001, name).text(0x39fe, address).entries();
}

MsgProperties letter(size_t head_size = kFile) {
  MsgProperties message(head_size);
  message.text(0x0037, "Fähre 日本")
      .text(0x0042, "Ann Weber")
      .text(0x5d02, "ann@example.org")
      .text(0x1000, "Dear Bo,\r\n\r\nthe ferry leaves at noon.\r\n")
      .time(0x0039, kMay2024)
      .storage("__recip_version1.0_#00000000", recipient(1, "Bo Lind", "bo@example.org"))
      .storage("__recip_version1.0_#00000001", recipient(2, "cy@example.org", "cy@example.org"));
  return message;
}

TEST(Msg, IsReadAsMailIs) {
  const std::vector<Item> items = items_of(make_compound_file(letter().entries()));
  ASSERT_EQ(items.size(), 1u);
  const std::string mail =
      "From: Ann Weber <ann@example.org>\nTo: Bo Lind <bo@example.org>\nCc: cy@example.org\nDate: Fri, 03 May 2024 "
      "08:28:20 +0000\nSubject: Fähre 日本\nContent-Type: text/plain; charset=utf-8\n\nDear Bo,\n\nthe ferry leaves at "
      "noon.\n";
  const rag::Document document = test::read_text("a.eml", mail);
  EXPECT_EQ(items[0].text, document.text);
  EXPECT_EQ(items[0].title, document.title);
  EXPECT_EQ(items[0].date, document.date);
  EXPECT_EQ(items[0].date, "2024-05-03");
  const rag::Document read = test::read_text("a.doc", make_compound_file(letter().entries()));  // people rename
  EXPECT_EQ(read.format, "msg");
  EXPECT_EQ(read.author, "Ann Weber <ann@example.org>");
  EXPECT_EQ(read.blocks.back().line_begin, 0);
}

TEST(Msg, TheHeadThatCameOverTheInternetIsTold) {
  MsgProperties message = letter();
  message.text(0x007d,
               "From: \"Weber, Ann\" <ann@example.org>\r\nTo: Harbour =?utf-8?q?B=C3=BCro?= <h@example.org>\r\n"
               "Date: Fri, 3 May 2024 10:28:20 +0200\r\nSubject: else\r\n\r\n");
  EXPECT_EQ(
      text_of(message),
      "From: \"Weber, Ann\" <ann@example.org>; To: Harbour Büro <h@example.org>; Cc: cy@example.org; Date: Fri, 3 "
      "May 2024 10:28:20 +0200; Subject: Fähre 日本\n\nDear Bo,\n\nthe ferry leaves at noon.");
}

TEST(Msg, TextsInBytesAreOfTheCodePageThatItNames) {
  MsgProperties message(kFile);
  message.number(0x3ffd, 1251)
      .text_in_bytes(0x0037, "\xcf\xe0\xf0\xee\xec")
      .text_in_bytes(0x1000, "\xc2 \xef\xee\xeb\xe4\xe5\xed\xfc.");
  EXPECT_EQ(text_of(message), "Subject: Паром\n\nВ полдень.");
}

TEST(Msg, WithoutPlainTextThatOfPagesOrRichTextIsRead) {
  MsgProperties page(kFile);
  page.text(0x0037, "Page")
      .number(0x3fde, 1252)
      .bytes(0x1013, "<html><body><p>F\xe4hre at <b>noon</b>.</p></body></html>");
  EXPECT_EQ(text_of(page), "Subject: Page\n\nFähre at noon.");
  // The example of MS-OXRTFCP 3.1: packed, and not.
  std::string packed = test::u32(0x2d) + test::u32(0x2b) + "LZFu" + test::u32(0xf2c5c7a1);
  for (const int byte :
       {0x03, 0x00, 0x0a, 0x00, 0x72, 0x63, 0x70, 0x67, 0x31, 0x32, 0x35, 0x42, 0x32, 0x0a, 0xf3, 0x20, 0x68,
        0x65, 0x6c, 0x09, 0x00, 0x20, 0x62, 0x77, 0x05, 0xb0, 0x6c, 0x64, 0x7d, 0x0a, 0x80, 0x0f, 0xa0})
    packed.push_back(static_cast<char>(byte));
  EXPECT_EQ(unpacked_rtf(packed), "{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n");
  EXPECT_EQ(unpacked_rtf("nothing of the kind"), "");
  MsgProperties rich(kFile);
  rich.text(0x0037, "Rich").bytes(0x1009, packed);
  EXPECT_EQ(text_of(rich), "Subject: Rich\n\nhello world");
  MsgProperties plain(kFile);
  plain.text(0x0037, "Rich")
      .bytes(0x1009, test::u32(30) + test::u32(18) + "MELA" + test::u32(0) + "{\\rtf1\\ansi Noon.}");
  EXPECT_EQ(text_of(plain), "Subject: Rich\n\nNoon.");
}

std::vector<test::CompoundEntry> attached(const std::string& name, const std::string& bytes) {
  return MsgProperties(kPart).number(0x3705, 1).text(0x3707, name).bytes(0x3701, bytes).entries();
}

std::vector<test::CompoundEntry> attached_message(const std::string& name, const MsgProperties& message) {
  return MsgProperties(kPart)
      .number(0x3705, 5)
      .text(0x3001, name)
      .storage("__substg1.0_3701000D", message.entries())
      .entries();
}

TEST(Msg, AttachmentsAndMessagesWithinAreReadAsFilesOfTheirOwn) {
  MsgProperties within = letter(kWithin);
  within.storage("__attach_version1.0_#00000000", attached("deep.txt", "Deep words."));
  MsgProperties message = letter();
  message.storage("__attach_version1.0_#00000000", attached("../rates.csv", "Name,Rate\nVAT,19%\nlow,7%\n"))
      .storage("__attach_version1.0_#00000001", attached("crane.png", "\x89PNG"))
      .storage("__attach_version1.0_#00000002", attached_message("Old letter", within))
      .storage("__attach_version1.0_#00000003", attached("notes.zip", test::make_zip({{"a.md", "# In a zip\n"}})));
  const std::vector<Item> items = items_of(make_compound_file(message.entries()));
  ASSERT_EQ(items.size(), 5u);
  EXPECT_EQ(items[1].member, "rates.csv");
  EXPECT_NE(items[1].text.find("VAT,19%"), std::string::npos);
  EXPECT_EQ(items[2].member, "Old letter.msg");
  EXPECT_NE(items[0].text.find("日本; Attachments: rates.csv, crane.png, Old letter, notes.zip\n\nDear Bo,"),
            std::string::npos)
      << items[0].text;
  EXPECT_NE(items[2].text.find("日本; Attachments: deep.txt\n\nDear Bo,"), std::string::npos) << items[2].text;
  const auto body_of = [](const Item& item) { return item.text.substr(item.text.find("\n\n")); };
  EXPECT_EQ(body_of(items[2]), body_of(items[0]));
  EXPECT_EQ(items[3].member, "Old letter.msg/deep.txt");
  EXPECT_EQ(items[3].text, "Deep words.");
  EXPECT_EQ(items[4].member, "notes.zip/a.md");
  for (const Item& item : items) EXPECT_EQ(item.error, "");
}

TEST(Msg, NestingMembersAndBytesHaveTheirLimits) {
  MsgProperties message = letter();
  for (int i = 0; i < 8; ++i) {
    MsgProperties outer = letter(i < 7 ? kWithin : kFile);
    outer.storage("__attach_version1.0_#00000000", attached_message("deeper", message));
    message = outer;
  }
  EXPECT_EQ(items_of(make_compound_file(message.entries())).size(), 5u);  // four within the first
  MsgProperties many = letter();
  for (int i = 0; i < 5; ++i)
    many.storage("__attach_version1.0_#0000000" + std::to_string(i), attached("a.txt", "Words."));
  ReadLimits limits;
  limits.members = 3;
  const std::vector<Item> items = items_of(make_compound_file(many.entries()), limits);
  ASSERT_EQ(items.size(), 5u);
  EXPECT_NE(items.back().error.find("holds more than 3 files"), std::string::npos);
}

TEST(Msg, OneThatSaysNothingIsRefused) {
  MsgProperties message(kFile);
  message.text(0x001a, "IPM.Note").bytes(0x1009, "");
  EXPECT_EQ(text_of(message), "a.msg is a message without text.");
}

TEST(Msg, DamageEndsInTextOrASentence) {
  MsgProperties message = letter();
  message.storage("__attach_version1.0_#00000000", attached("a.txt", std::string(5000, 'x')))
      .storage("__attach_version1.0_#00000001", attached_message("Old", letter(kWithin)));
  test::expect_damage_is_harmless("a.msg", make_compound_file(message.entries()), 400);
}

}  // namespace
}  // namespace mneme::readers

// Books for Kindle. Mobipocket's are made in memory; loft.azw3 (KF8) was written by calibre 6.13.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/checkout/checkout.h"
#include "tests/unit/readers/made_mobi.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using test::expect_well_formed;
using test::make_mobi;
using test::read_text;

TEST(KindleBook, ChaptersByTheirLettersInTheEncodingOfTheBook) {
  const rag::Document document = read_text("loft.mobi", make_mobi({}));
  EXPECT_EQ(document.format, "mobi");
  EXPECT_EQ(document.title, "The Net Loft");
  EXPECT_EQ(document.author, "Ruth Amsel");
  EXPECT_EQ(document.date, "2031-05-09");
  EXPECT_EQ(document.text, "One\n\nIt was low tide, für Änne.\n\nInner\n\n- first");
  EXPECT_EQ(document.blocks[0].heading_level, 1);
  EXPECT_EQ(document.blocks[2].heading_level, 3);
  expect_well_formed(document, false);
}

// "low", a space with a letter behind it in one byte (0x80 + 't'), and "low t" once more by a distance of 5.
TEST(KindleBook, CompressedAsPalmDoes) {
  const std::string packed = std::string("<p>low") + '\xf4' + '\x80' + '\x2a' + "ide</p>";
  EXPECT_EQ(read_text("a.prc", make_mobi({.text = packed, .compression = 2, .text_length = 20})).text, "low tlow tide");
}

TEST(KindleBook, OfKf8EachChapterIsAPage) {
  rag::Document document;
  const Status status = read_file(checkout::test_data("documents/loft.azw3"), {}, [&](ReadItem item) {
    document = std::move(item.document);
    return item.status;
  });
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(document.text,
            "One\n\nIt was low tide — the “nets” hung to dry, für Änne.\n\nPrices were 12 €.\n\nRope | Weight\nthin | "
            "100\n\nTwo\n\n- first\n- second\n\nAt six they left the harbour.");
  EXPECT_EQ(document.title, "The Net Loft");
  EXPECT_EQ(document.blocks[0].kind, rag::BlockKind::kHeading);
}

TEST(KindleBook, OfPalmsReaderIsAText) {
  const rag::Document document =
      read_text("notes.pdb", make_mobi({.kind = "TEXtREAd", .text = "At six.\n\nAt seven."}));
  EXPECT_EQ(document.text, "At six.\n\nAt seven.");
  EXPECT_EQ(document.title, "notes");
}

TEST(KindleBook, ThatIsProtectedDamagedOrTooLargeIsRefusedInASentence) {
  const auto refusal = [](const std::string& file, const ReadLimits& limits = {}) {
    const auto document = read_document("loft.mobi", as_bytes(file), limits);
    return document.ok() ? "read" : document.status().message();
  };
  EXPECT_EQ(refusal(make_mobi({.encryption = 2})), "loft.mobi is protected by digital rights management.");
  EXPECT_EQ(refusal(make_mobi({.compression = 77})), "loft.mobi is damaged: its records do not fit together.");
  EXPECT_EQ(refusal(make_mobi({}).substr(0, 100)), "loft.mobi is damaged: its records do not fit together.");
  EXPECT_NE(refusal(make_mobi({}), {.unpacked_bytes = 100}).find("unpack"), std::string::npos);
}

}  // namespace
}  // namespace mneme::readers

// Word files of 1997 to 2003. ferry.doc was written by LibreOffice 7.4 from a text made for this.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "base/random.h"
#include "base/utf8.h"
#include "tests/support/checkout/checkout.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

std::string ferry() {
  std::ifstream file(checkout::test_data("documents/ferry.doc"), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Where the stream WordDocument begins, which it does with its header.
size_t header_of(const std::string& bytes) {
  constexpr size_t kSector = 512;
  for (size_t at = kSector; at + kSector <= bytes.size(); at += kSector) {
    if (bytes.compare(at, 2, "\xec\xa5") == 0) return at;
  }
  ADD_FAILURE() << "no header";
  return 0;
}

TEST(Doc, TextListsTablesNotesAndWhatStandsBeside) {
  const rag::Document document = test::read_text("ferry.doc", ferry());
  test::expect_well_formed(document, false);
  EXPECT_EQ(document.format, "doc");
  EXPECT_EQ(document.title, "Ferry rules");
  EXPECT_EQ(document.author, "Ann Body");
  EXPECT_EQ(document.date, "2024-05-03");
  EXPECT_TRUE(document.notes.empty());
  EXPECT_EQ(
      document.text,
      "Boats\n\nBoats leave at nine, and hold 10\u2076 litres. Größe: 5 µm, 日本 😀.\n\nComment by Bob Other: Is this "
      "summer time?\n\nMeasured in May.\n\nLine one\nline two with a link and e-mail.\n\n- Adults\n- Children\n\n"
      "Day | Price\nMonday early | 4 EUR\nTuesday\n\nPay by card only.\n\nThe end.\n\nAn endnote.\n\nHidden "
      "words.\n\nIn a box.\n\nHeaders and footers\n\nFerry Ltd, offer 4711");
  EXPECT_EQ(document.blocks[0].kind, rag::BlockKind::kHeading);
}

// Old files are known by what is in them: people rename.
TEST(Doc, TheNameIsNoMatter) {
  for (const char* name : {"ferry.docx", "ferry.rtf", "ferry"}) EXPECT_EQ(test::read_text(name, ferry()).format, "doc");
}

TEST(Doc, EncryptedAndOlderOnesSaySo) {
  std::string encrypted = ferry();
  const size_t header = header_of(encrypted);
  encrypted[header + 0x0b] = static_cast<char>(encrypted[header + 0x0b] | 1);
  EXPECT_EQ(read_document("a.doc", as_bytes(encrypted)).status().message(),
            "a.doc: a Word file encrypted with a password; save it without one to index it.");
  std::string old = ferry();
  old.replace(header + 2, 2, "\x68\x00", 2);
  EXPECT_EQ(read_document("a.doc", as_bytes(old)).status().message(),
            "a.doc: a Word file in the format of before 1997; save it as docx to index it.");
}

TEST(Doc, WhatIsThereOfACutOneIsReadAndTold) {
  std::string cut = ferry();
  const size_t header = header_of(cut);
  cut.replace(header + 0x4c, 4, "\xff\xff\x00\x00", 4);  // more characters in the body than there are
  const rag::Document document = test::read_text("a.doc", cut);
  ASSERT_EQ(document.notes.size(), 1u);
  EXPECT_EQ(document.notes[0], "the file is damaged: some of its text was not found");
  EXPECT_NE(document.text.find("Boats leave at nine"), std::string::npos);
}

TEST(Doc, DamageEndsInTextOrASentence) {
  const std::string whole = ferry();
  const auto expect_harmless = [](const std::string& bytes) {
    const auto document = read_document("a.doc", as_bytes(bytes));
    if (!document.ok()) {
      EXPECT_TRUE(document.status().message().starts_with("a.doc")) << document.status().message();
    } else {
      EXPECT_TRUE(utf8::valid(document->text));
      EXPECT_TRUE(utf8::valid(document->title));
    }
  };
  for (size_t size = 8; size < whole.size(); size += 211) expect_harmless(whole.substr(0, size));
  Random random(23);
  for (int round = 0; round < 500; ++round) {
    std::string wrong = whole;
    for (uint64_t n = 1 + random.below(30); n > 0; --n)
      wrong[8 + random.below(wrong.size() - 8)] = static_cast<char>(random.below(256));
    expect_harmless(wrong);
  }
}

}  // namespace
}  // namespace mneme::readers

// Word files of 1997 to 2003. ferry.doc was written by LibreOffice 7.4 from a text made for this, lease.doc and
// lease.docx from another one.
#include <gtest/gtest.h>

#include <string>

#include "rag/readers/office/doc_numbering.h"
#include "tests/support/compound_files.h"
#include "tests/unit/readers/office_pairs.h"

namespace mneme::readers {
namespace {

std::string ferry() {
  return test::fixture("ferry.doc");
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
      "summer time?\n\nMeasured in May.\n\nLine one\nline two with a link and e-mail.\n\n1. Adults\n2. Children\n\n"
      "Day | Price\nMonday early | 4 EUR\nTuesday\n\nPay by card only.\n\nThe end.\n\nAn endnote.\n\nHidden "
      "words.\n\nIn a box.\n\nHeaders and footers\n\nFerry Ltd, offer 4711");
  EXPECT_EQ(document.blocks[0].kind, rag::BlockKind::kHeading);
}

TEST(Doc, ParagraphsHaveTheNumbersOfTheirLists) {
  const rag::Document before = test::read_text("lease.doc", test::fixture("lease.doc"));
  for (const char* said :
       {"1 Lease\n\n1.1 Rent", "3. It is due on the third.\n4. It includes heating.\n  (a) and water",
        "Article I Scope", "I.2 Sub scope two", "      i. Deeper"}) {
    EXPECT_NE(before.text.find(said), std::string::npos) << said;
  }
  test::expect_same(before, test::read_text("lease.docx", test::fixture("lease.docx")));
}

// Old files are known by what is in them: people rename.
TEST(Doc, TheNameIsNoMatter) {
  for (const char* name : {"ferry.docx", "ferry.rtf", "ferry"}) EXPECT_EQ(test::read_text(name, ferry()).format, "doc");
}

// One list of one level that counts from 3; its first instance counts on, the second begins anew, the third has a level
// of its own.
TEST(Doc, InstancesOfAListBeginAnewOrHaveLevelsOfTheirOwn) {
  using test::u16;
  using test::u32;
  const auto level = [](uint32_t start, char script, const std::string& pattern) {
    const std::string head = u32(start) + script + std::string(23, '\0');
    return head + u16(pattern.size() / 2) + pattern;
  };
  const auto instance = [](char n_changes) { return u32(77) + u32(0) + u32(0) + n_changes + std::string(3, '\0'); };
  const std::string styles(18, '\xff');
  const std::string lists = u16(1) + u32(77) + u32(0) + styles + '\1' + '\0' + level(3, 0, u16(0) + u16('.'));
  const std::string none = u32(0xffffffff);
  const std::string instances = u32(3) + instance(0) + instance(1) + instance(1) + none + none + u32(1) + u32(0x10) +
                                none + u32(9) + u32(0x20) + level(5, 4, u16('(') + u16(0) + u16(')'));
  DocNumbering numbering(lists, instances);
  const auto count = [&](int list) { return numbering.count({list, 0, 0, true, -1}).number; };
  EXPECT_EQ(count(1), "3.");
  EXPECT_EQ(count(1), "4.");
  EXPECT_EQ(count(2), "1.");
  EXPECT_EQ(count(2), "2.");
  EXPECT_EQ(count(3), "(c)");
  EXPECT_EQ(count(0), "");
  EXPECT_EQ(count(9), "");
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
  for (const char* name : {"ferry.doc", "lease.doc"})
    test::expect_damage_is_harmless("a.doc", test::fixture(name), 300);
}

}  // namespace
}  // namespace mneme::readers

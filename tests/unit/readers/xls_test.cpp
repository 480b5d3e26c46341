// Excel files of before 2007. fares.xls and fares.xlsx were written by LibreOffice 7.4 from one workbook made for this.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/compound_files.h"
#include "tests/unit/readers/office_pairs.h"

namespace mneme::readers {
namespace {

using test::biff;
using test::f64;
using test::u16;
using test::u32;

constexpr uint16_t kExcel97 = 0x600;
constexpr uint16_t kExcel95 = 0x500;
const std::string kEnd = biff(0x0a, "");

std::string begin(uint16_t version, uint16_t kind) {
  return biff(0x809, u16(version) + u16(kind) + std::string(version == kExcel97 ? 12 : 4, '\0'));
}

// A text of BIFF8 whose upper bytes are left out.
std::string narrow(const std::string& text) {
  return u16(text.size()) + '\0' + text;
}

struct Sheet {
  std::string name;
  std::string records;
};

// Globals, then the sheets; each says where it begins.
std::string workbook(const std::string& globals, const std::vector<Sheet>& sheets, uint16_t version = kExcel97) {
  const std::string flags = version == kExcel97 ? std::string(1, '\0') : std::string();
  const auto globals_with = [&](size_t begin_of_sheets) {
    std::string all = begin(version, 5) + globals;
    size_t place = begin_of_sheets;
    for (const Sheet& sheet : sheets) {
      all += biff(0x85, u32(place) + std::string(2, '\0') + static_cast<char>(sheet.name.size()) + flags + sheet.name);
      place += sheet.records.size();
    }
    return all + kEnd;
  };
  std::string stream = globals_with(globals_with(0).size());
  for (const Sheet& sheet : sheets) stream += sheet.records;
  return stream;
}

std::string sheet_of(const std::string& records, uint16_t version = kExcel97) {
  return begin(version, 0x10) + records + kEnd;
}

std::string file_of(const std::string& stream, const std::string& name = "Workbook") {
  return test::make_compound_file({{name, stream}});
}

std::string text_cell(uint16_t row, uint16_t column, const std::string& text) {
  return biff(0x204, u16(row) + u16(column) + u16(0) + narrow(text));
}

std::string shared_cell(uint16_t row, uint16_t column, uint32_t number) {
  return biff(0xfd, u16(row) + u16(column) + u16(0) + u32(number));
}

std::string formula(uint16_t row, const std::string& result) {
  return biff(0x06, u16(row) + u16(1) + u16(0) + result + std::string(8, '\0'));
}

std::string message_of(const std::string& bytes) {
  const auto document = read_document("a.xls", as_bytes(bytes));
  return document.ok() ? "(read)" : document.status().message();
}

TEST(Xls, SheetsAreReadAsThoseSince2007) {
  const rag::Document before = test::read_text("fares.xls", test::fixture("fares.xls"));
  const rag::Document after = test::read_text("fares.xlsx", test::fixture("fares.xlsx"));
  test::expect_well_formed(before, false);
  EXPECT_EQ(before.format, "xls");
  EXPECT_TRUE(before.notes.empty());
  EXPECT_EQ(before.title, "Ferry prices");
  EXPECT_NE(before.text.find("Größe 日本 😀 | 2024-05-04 18:00 | 1234567.891 € | 10% | 18:00"), std::string::npos);
  EXPECT_NE(before.text.find("Rates & \"more\" (hidden sheet)"), std::string::npos);
  EXPECT_NE(before.text.find("VAT | 'Rates & \"more\"'!$B$1 | 0.19"), std::string::npos);
  EXPECT_NE(before.text.find("Word | \"net\""), std::string::npos);
  EXPECT_NE(before.text.find("Prices are net, see contract 4711"), std::string::npos);
  test::expect_same(before, after);
}

// The rest of a text says anew whether its characters are of one byte or of two.
TEST(Xls, TextsGoOnInFurtherRecords) {
  const std::string cut = u16(8) + '\0' + "Boat";
  const std::string strings =
      biff(0xfc, u32(2) + u32(2) + narrow("Kelby") + cut) + biff(0x3c, '\1' + test::in_utf16("s 日本"));
  const rag::Document document = test::read_text(
      "a.xls", file_of(workbook(strings, {{"S", sheet_of(shared_cell(0, 0, 0) + shared_cell(0, 1, 1))}})));
  EXPECT_EQ(document.text, "S\n\nKelby | Boats 日本");
}

TEST(Xls, RaisedPartsAndReadingsOfTexts) {
  const auto font = [](uint16_t shift) { return biff(0x31, std::string(8, '\0') + u16(shift) + std::string(6, '\0')); };
  // "106" whose "6" is set in the second font, and a reading of two bytes behind it.
  const std::string text = u16(3) + '\x0c' + u16(1) + u32(2) + "106" + u16(2) + u16(1) + "xx";
  const std::string strings = biff(0xfc, u32(2) + u32(2) + text + narrow("next"));
  const rag::Document document = test::read_text(
      "a.xls",
      file_of(workbook(font(0) + font(1) + strings, {{"S", sheet_of(shared_cell(0, 0, 0) + shared_cell(0, 1, 1))}})));
  EXPECT_EQ(document.text, "S\n\n10⁶ | next");
}

TEST(Xls, FormulasShowWhatTheyCameTo) {
  const std::string other = u16(0xffff);
  const auto result = [&](char kind, char value) {
    return std::string(1, kind) + '\0' + value + std::string(3, '\0') + other;
  };
  const std::string records = text_cell(0, 0, "sum") + formula(0, f64(0.30000000000000004)) + text_cell(1, 0, "text") +
                              formula(1, result(0, 0)) + biff(0x4bc, "shared") + biff(0x207, narrow("ab")) +
                              text_cell(2, 0, "true") + formula(2, result(1, 1)) + text_cell(3, 0, "error") +
                              formula(3, result(2, 7)) + text_cell(4, 0, "empty") + formula(4, result(3, 0));
  const rag::Document document = test::read_text("a.xls", file_of(workbook("", {{"S", sheet_of(records)}})));
  EXPECT_EQ(document.text, "S\n\nsum | 0.3\n\ntext | ab\n\ntrue | TRUE\nerror | #DIV/0!\nempty");
}

// Short numbers, several of them in one record, and cells in the wrong order.
TEST(Xls, NumbersInAllTheirForms) {
  const auto whole = [](int32_t number, bool hundredths) {
    return u32(static_cast<uint32_t>(number) << 2 | 2U | (hundredths ? 1U : 0U));
  };
  const std::string formats = biff(0x41e, u16(164) + narrow("yyyy\\-mm\\-dd")) + biff(0xe0, u16(0) + u16(0)) +
                              biff(0xe0, u16(0) + u16(164)) + biff(0xe0, u16(0) + u16(10));
  const std::string records =
      biff(0x27e, u16(1) + u16(1) + u16(1) + whole(45416, false)) +
      biff(0x27e, u16(1) + u16(0) + u16(0) + whole(-1234, true)) +
      biff(0xbd, u16(0) + u16(0) + u16(0) + whole(7, false) + u16(2) + u32(0x3fd00000) + u16(1)) +
      biff(0x205, u16(2) + u16(0) + u16(0) + '\0' + '\0') + biff(0x205, u16(2) + u16(1) + u16(0) + '\x2a' + '\1');
  const rag::Document document = test::read_text("a.xls", file_of(workbook(formats, {{"S", sheet_of(records)}})));
  EXPECT_EQ(document.text, "S\n\n7 | 25%\n-12.34 | 2024-05-04\nFALSE | #N/A");
}

TEST(Xls, NotesBoxesAndTitlesOfCharts) {
  const auto object = [](uint16_t kind, uint16_t number) {
    return biff(0x5d, u16(0x15) + u16(0x12) + u16(kind) + u16(number) + std::string(14, '\0'));
  };
  const auto box = [](const std::string& text) {
    return biff(0x1b6, std::string(10, '\0') + u16(text.size()) + std::string(6, '\0')) + biff(0x3c, '\0' + text) +
           biff(0x3c, std::string(16, '\0'));
  };
  const auto chart_text = [](const std::string& text, uint16_t of) {
    return biff(0x1025, "") + biff(0x100d, u16(0) + static_cast<char>(text.size()) + '\0' + text) +
           biff(0x1027, u16(of) + u32(0));
  };
  const std::string chart = begin(kExcel97, 0x20) + biff(0x100d, u16(0) + "\6" + '\0' + "series") +
                            chart_text("EUR", 2) + chart_text("Fares", 1) + kEnd;
  const std::string records = text_cell(2, 1, "900") + object(0x19, 4) + box("Ann Other:\nIs this net?") +
                              object(6, 5) + box("In a box\nof two lines") + chart +
                              biff(0x1c, u16(2) + u16(1) + u16(0) + u16(4) + narrow("Ann Other"));
  const rag::Document document = test::read_text("a.xls", file_of(workbook("", {{"S", sheet_of(records)}})));
  EXPECT_EQ(document.text,
            "S\n\n| | 900\n\nComment by Ann Other on B3 (| | 900): Is this net?\n\nIn a box\n\nof two lines\n\n"
            "Chart: Fares; EUR");
}

TEST(Xls, FilesOfExcel95AreRead) {
  const auto text = [](uint16_t row, uint16_t column, const std::string& said) {
    return biff(0x204, u16(row) + u16(column) + u16(0) + u16(said.size()) + said);
  };
  const std::string globals =
      biff(0x42, u16(1251)) + biff(0x41e, u16(164) + "\4" + "0.0%") + biff(0xe0, u16(0) + u16(164));
  const std::string records = text(0, 0, "\xcf\xe0\xf0\xee\xec") + biff(0x203, u16(0) + u16(1) + u16(0) + f64(0.19)) +
                              biff(0x1c, u16(0) + u16(1) + u16(8) + "net or n") +
                              biff(0x1c, u16(0xffff) + u16(0) + u16(3) + "ot?");
  const rag::Document document = test::read_text(
      "a.xls", file_of(workbook(globals, {{"Tabelle1", sheet_of(records, kExcel95)}}, kExcel95), "Book"));
  EXPECT_EQ(document.text, "Tabelle1\n\nПаром | 19%\n\nComment on B1 (Паром | 19%): net or not?");
}

TEST(Xls, EncryptedOlderAndDamagedOnesSaySo) {
  const std::string cells = sheet_of(text_cell(0, 0, "x"));
  EXPECT_EQ(message_of(file_of(workbook(biff(0x2f, std::string(54, '\1')), {{"S", cells}}))),
            "a.xls: an Excel file encrypted with a password; save it without one to index it.");
  EXPECT_EQ(message_of(file_of(biff(0x809, u16(0x400) + u16(5)) + kEnd)),
            "a.xls: an Excel file in the format of before 1995; save it as xlsx to index it.");
  EXPECT_EQ(message_of(file_of("no records at all")), "a.xls: damaged: its sheets cannot be found.");
  EXPECT_EQ(message_of(file_of(workbook("", {{"S", sheet_of("")}}))), "a.xls holds no text.");
}

TEST(Xls, WhatIsThereOfACutOneIsReadAndTold) {
  const std::string records = text_cell(0, 0, "first") + text_cell(1, 0, "second");
  const std::string stream = workbook("", {{"One", sheet_of(records)}, {"Two", sheet_of(records)}});
  const rag::Document document = test::read_text("a.xls", file_of(stream.substr(0, stream.size() - 10)));
  EXPECT_EQ(document.text, "One\n\nfirst\nsecond\n\nTwo\n\nfirst");
  EXPECT_EQ(document.notes, std::vector<std::string>{"the sheet Two could not be read to the end"});
  const rag::Document lost =
      test::read_text("a.xls", file_of(workbook("", {{"S", sheet_of(text_cell(0, 0, "x") + shared_cell(0, 1, 9))}})));
  EXPECT_EQ(lost.notes, std::vector<std::string>{"1 cells refer to texts that the file does not hold"});
}

// One place that many sheets claim, and one text in very many cells: a small file that would be read for hours.
TEST(Xls, SheetsThatOverlapAndTextsThatRepeatAreBounded) {
  std::string cells;
  for (uint16_t row = 0; row < 1000; ++row) cells += text_cell(row, 0, "again and again");
  const std::string sheet = sheet_of(cells);
  const size_t place = begin(kExcel97, 5).size() + 5000 * (4 + 9) + kEnd.size();
  std::string globals = begin(kExcel97, 5);
  for (int i = 0; i < 5000; ++i) globals += biff(0x85, u32(place) + std::string(2, '\0') + "\1" + '\0' + "S");
  const rag::Document document = test::read_text("a.xls", file_of(globals + kEnd + sheet));
  EXPECT_LT(document.text.size(), 10 * sheet.size());
  EXPECT_EQ(document.notes.size(), 21u);

  const std::string strings = biff(0xfc, u32(1) + u32(1) + narrow(std::string(8000, 'x')));
  cells.clear();
  for (uint16_t row = 0; row < 5000; ++row) cells += shared_cell(row, 0, 0);
  ReadLimits limits;
  limits.text_bytes = 4 << 20;
  const std::string bomb = file_of(workbook(strings, {{"S", sheet_of(cells)}}));
  EXPECT_EQ(read_document("a.xls", as_bytes(bomb), limits).status().code(), StatusCode::kResource);
}

TEST(Xls, ManyNotesThatNameOneBoxSayItOnce) {
  const std::string object = biff(0x5d, u16(0x15) + u16(0x12) + u16(0x19) + u16(4) + std::string(14, '\0'));
  const std::string box =
      biff(0x1b6, std::string(10, '\0') + u16(8000) + std::string(6, '\0')) + biff(0x3c, '\0' + std::string(8000, 'x'));
  std::string records = text_cell(0, 0, "x") + object + box;
  for (uint16_t row = 0; row < 5000; ++row) records += biff(0x1c, u16(row) + u16(0) + u16(0) + u16(4) + narrow(""));
  const rag::Document document = test::read_text("a.xls", file_of(workbook("", {{"S", sheet_of(records)}})));
  EXPECT_LT(document.text.size(), 9000u);
}

TEST(Xls, DamageEndsInTextOrASentence) {
  test::expect_damage_is_harmless("a.xls", test::fixture("fares.xls"), 400);
}

}  // namespace
}  // namespace mneme::readers

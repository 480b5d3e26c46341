// Packages in which one part is missing or damaged: what is readable is read, a note tells what is not, and only damage
// to the main part costs the document.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/unit/readers/office_package.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using test::make_zip;
using test::Members;
using test::part_of;

enum class Damage { kCut, kGarbage, kMissing, kWrongChecksum };
constexpr Damage kAllDamage[] = {Damage::kCut, Damage::kGarbage, Damage::kMissing, Damage::kWrongChecksum};

std::string name_of(Damage damage) {
  switch (damage) {
    case Damage::kCut: return "cut";
    case Damage::kGarbage: return "garbage";
    case Damage::kMissing: return "missing";
    case Damage::kWrongChecksum: return "wrong checksum";
  }
  return "";
}

// Changes the checksum that the file's directory and the member's own header hold.
void spoil_checksum(std::string& zip, const std::string& part) {
  constexpr size_t kNameInHeader = 30;
  constexpr size_t kNameInDirectory = 46;
  for (size_t at = zip.find(part); at != std::string::npos; at = zip.find(part, at + 1)) {
    if (at >= kNameInHeader && zip.compare(at - kNameInHeader, 4, "PK\x03\x04") == 0) zip[at - kNameInHeader + 14] ^= 1;
    if (at >= kNameInDirectory && zip.compare(at - kNameInDirectory, 4, "PK\x01\x02") == 0) {
      zip[at - kNameInDirectory + 16] ^= 1;
    }
  }
}

std::string with_damage(Members members, const std::string& part, Damage damage) {
  std::string& content = part_of(members, part);
  if (damage == Damage::kCut) content.resize(content.size() / 2);
  if (damage == Damage::kGarbage) content = std::string("\x01\xff\x00<<&", 6) + content.substr(0, 3);
  if (damage == Damage::kMissing) {
    std::erase_if(members, [&](const auto& member) { return member.first == part; });
  }
  std::string zip = make_zip(members);
  if (damage == Damage::kWrongChecksum) spoil_checksum(zip, part);
  return zip;
}

// What must still be read when a part is lost: the words of all other parts. A part that is lost may take its own.
struct Package {
  std::string name;
  Members members;
  std::string main;
  std::map<std::string, std::vector<std::string>> words;  // by part
};

std::vector<Package> packages() {
  return {
      {"a.docx",
       test::docx_parts(),
       "word/document.xml",
       {{"word/document.xml", {"The rent is 900 EUR", "due on the third"}},
        {"word/footnotes.xml", {"Heating included"}},
        {"word/comments.xml", {"Comment by Ann Other: Is this net?"}},
        {"word/header1.xml", {"Weber Estates"}}}},
      {"a.xlsx",
       test::xlsx_parts(),
       "xl/workbook.xml",
       {{"xl/worksheets/sheet1.xml", {"4711"}},
        {"xl/worksheets/sheet2.xml", {"Rates"}},
        {"xl/comments1.xml", {"extension of the office"}}}},
      {"a.pptx",
       test::pptx_parts(),
       "ppt/presentation.xml",
       {{"ppt/slides/slide1.xml", {"They leave at noon"}},
        {"ppt/slides/slide2.xml", {"A ticket is 12 EUR"}},
        {"ppt/notesSlides/notesSlide1.xml", {"winter timetable"}},
        {"ppt/comments/comment1.xml", {"Also on Sundays?"}}}},
      {"a.epub", test::epub_parts(), "book.opf", {{"a.xhtml", {"left at noon"}}, {"b.xhtml", {"came back at six"}}}},
      {"a.odt",
       test::odt_parts(),
       "content.xml",
       {{"content.xml", {"The rent is 900 EUR", "Comment by Ann Other: Is this net?"}},
        {"styles.xml", {"Weber Estates"}}}}};
}

// Parts that only lead to others take these along.
bool leads_to_others(const std::string& part) {
  return part.ends_with(".rels") || part.ends_with("mimetype");
}

void expect_the_rest(const Package& package, const std::string& damaged, const rag::Document& document) {
  for (const auto& [part, words] : package.words) {
    if (part == damaged) continue;
    for (const std::string& said : words) EXPECT_NE(document.text.find(said), std::string::npos) << said << " is lost";
  }
}

TEST(DamagedParts, WholePackagesHaveNoNotes) {
  for (const Package& package : packages()) {
    const rag::Document document = test::read_text(package.name, make_zip(package.members));
    expect_the_rest(package, "", document);
    EXPECT_TRUE(document.notes.empty()) << package.name << ": " << document.notes.front();
  }
}

TEST(DamagedParts, OnlyTheMainPartCostsTheDocument) {
  for (const Package& package : packages()) {
    for (const auto& [part, content] : package.members) {
      for (const Damage damage : kAllDamage) {
        SCOPED_TRACE(package.name + ", " + part + ": " + name_of(damage));
        const auto read = read_document(package.name, as_bytes(with_damage(package.members, part, damage)));
        if (part == package.main) {
          // A book whose contents are lost, and all others.
          EXPECT_FALSE(read.ok());
          EXPECT_EQ(read.status().code(), StatusCode::kCorruption) << read.status().message();
          continue;
        }
        ASSERT_TRUE(read.ok()) << read.status().message();
        test::expect_well_formed(*read, false);
        if (!leads_to_others(part)) expect_the_rest(package, part, *read);
      }
    }
  }
}

TEST(DamagedParts, NotesSayWhatWasLeftOut) {
  for (const Package& package : packages()) {
    for (const auto& [part, words] : package.words) {
      for (const Damage damage : {Damage::kCut, Damage::kWrongChecksum}) {
        if (part == package.main || (part.ends_with(".xhtml") && damage == Damage::kCut)) continue;  // cut HTML is HTML
        SCOPED_TRACE(package.name + ", " + part + ": " + name_of(damage));
        const auto read = read_document(package.name, as_bytes(with_damage(package.members, part, damage)));
        ASSERT_TRUE(read.ok()) << read.status().message();
        const bool told = std::any_of(read->notes.begin(), read->notes.end(), [&](const std::string& note) {
          return note.find(part + " is damaged") != std::string::npos;
        });
        EXPECT_TRUE(told);
      }
    }
  }
}

TEST(DamagedParts, WhatComesBeforeTheDamageIsRead) {
  Members members = test::xlsx_parts();
  std::string& strings = part_of(members, "xl/sharedStrings.xml");
  strings.resize(strings.find("<si><t>standard") + 4);
  const rag::Document sheet = test::read_text("a.xlsx", make_zip(members));
  EXPECT_NE(sheet.text.find("Weber | 4711"), std::string::npos) << sheet.text;
  ASSERT_FALSE(sheet.notes.empty());
  EXPECT_NE(sheet.notes.front().find("could not be read to the end: xl/sharedStrings.xml is damaged"),
            std::string::npos)
      << sheet.notes.front();
  // Its checksum is wrong: all of it came out.
  const rag::Document slides =
      test::read_text("a.pptx", with_damage(test::pptx_parts(), "ppt/slides/slide1.xml", Damage::kWrongChecksum));
  EXPECT_NE(slides.text.find("They leave at noon"), std::string::npos) << slides.text;
}

TEST(DamagedParts, LostStringsOfCellsAreCounted) {
  Members members = test::xlsx_parts();
  std::erase_if(members, [](const auto& member) { return member.first == "xl/sharedStrings.xml"; });
  const rag::Document document = test::read_text("a.xlsx", make_zip(members));
  ASSERT_FALSE(document.notes.empty());
  EXPECT_EQ(document.notes.back(), "2 cells refer to texts that the file does not hold");
}

TEST(DamagedParts, LostLinksAreGuessed) {
  for (const char* part : {"xl/_rels/workbook.xml.rels", "ppt/_rels/presentation.xml.rels"}) {
    const bool sheet = std::string_view(part).starts_with("xl");
    const auto members = sheet ? test::xlsx_parts() : test::pptx_parts();
    const rag::Document document =
        test::read_text(sheet ? "a.xlsx" : "a.pptx", with_damage(members, part, Damage::kGarbage));
    EXPECT_NE(document.text.find(sheet ? "Weber | 4711" : "A ticket is 12 EUR"), std::string::npos) << document.text;
    EXPECT_FALSE(document.notes.empty());
  }
}

TEST(DamagedParts, AFileThatIsDamagedAllOverSaysSo) {
  Members members = test::pptx_parts();
  for (auto& [part, content] : members) {
    if (part != "ppt/presentation.xml") content = "<";
  }
  const auto read = read_document("a.pptx", as_bytes(make_zip(members)));
  EXPECT_EQ(read.status().code(), StatusCode::kCorruption);
  EXPECT_NE(read.status().message().find("damaged"), std::string::npos) << read.status().message();
}

TEST(DamagedParts, NotesAreBounded) {
  Members members = {{"ppt/presentation.xml", "<p:presentation xmlns:p=\"p\" xmlns:r=\"r\"><p:sldIdLst>"}};
  for (int i = 0; i < 60; ++i) part_of(members, "ppt/presentation.xml") += "<p:sldId/>";
  part_of(members, "ppt/presentation.xml") += "</p:sldIdLst></p:presentation>";
  part_of(members, "ppt/slides/slide7.xml") = test::slide_of("sld", test::slide_shape("title", "The only one"));
  const rag::Document document = test::read_text("a.pptx", make_zip(members));
  EXPECT_EQ(document.text, "The only one");
  EXPECT_EQ(document.notes.size(), 21u);
  EXPECT_EQ(document.notes.back(), "39 more parts could not be read");
}

// What would take hours were every reference looked for among all others.
TEST(DamagedParts, HostileNumbersTakeNoTime) {
  constexpr int kMany = 30'000;
  Members members = test::docx_parts();
  std::string body = "<w:document xmlns:w=\"w\" xmlns:r=\"r\"><w:body><w:p>";
  std::string comments = "<w:comments xmlns:w=\"w\">";
  std::string links;
  for (int i = 0; i < kMany; ++i) {
    const std::string id = std::to_string(i);
    body += "<w:r><w:commentReference w:id=\"" + id + "\"/><c:chart r:id=\"n" + id + "\"/></w:r>";
    comments += "<w:comment w:id=\"" + id + "\"><w:p><w:r><w:t>c</w:t></w:r></w:p></w:comment>";
    links += test::link_to("r" + id, "image", "media/" + id);
  }
  part_of(members, "word/document.xml") = body + "</w:p></w:body></w:document>";
  part_of(members, "word/comments.xml") = comments + "</w:comments>";
  part_of(members, "word/_rels/document.xml.rels") = test::links(links);
  const rag::Document document = test::read_text("a.docx", make_zip(members));
  EXPECT_EQ(std::count(document.text.begin(), document.text.end(), 'c'), kMany);

  std::string points;
  for (int i = 0; i < kMany; ++i) points += "<c:pt idx=\"0\"><c:v>0123456789</c:v></c:pt>";
  Members slides = test::pptx_parts();
  std::string& slide = part_of(slides, "ppt/slides/slide2.xml");
  slide.insert(slide.find("</p:spTree>"), "<p:graphicFrame><c:chart r:id=\"k\"/></p:graphicFrame>");
  part_of(slides, "ppt/slides/_rels/slide2.xml.rels") = test::links(test::link_to("k", "chart", "../charts/c.xml"));
  part_of(slides, "ppt/charts/c.xml") = "<c:chartSpace><c:ser><c:cat>" + points + "</c:cat></c:ser></c:chartSpace>";
  EXPECT_LT(test::read_text("a.pptx", make_zip(slides)).text.size(), 2000u);
}

// A bomb in a part that could be left out ends the reading all the same.
TEST(DamagedParts, BudgetsHoldForEveryPart) {
  Members members = test::docx_parts();
  part_of(members, "word/comments.xml") = "<w:comments>" + std::string(size_t{40} << 20, ' ') + "</w:comments>";
  ReadLimits limits;
  limits.unpacked_bytes = 16 << 20;
  const auto read = read_document("a.docx", as_bytes(make_zip(members)), limits);
  EXPECT_EQ(read.status().code(), StatusCode::kResource) << read.status().message();
}

}  // namespace
}  // namespace mneme::readers

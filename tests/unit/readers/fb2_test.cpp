#include <gtest/gtest.h>

#include <string>

#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using test::expect_well_formed;
using test::read_text;

constexpr std::string_view kBook = R"(<?xml version="1.0" encoding="UTF-8"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink">
<description><title-info><genre>sea</genre>
<author><first-name>Ruth</first-name><last-name>Amsel</last-name></author><author><nickname>jon</nickname></author>
<book-title>The Net Loft</book-title><annotation><p>Ropes and tides.</p></annotation>
<date value="2031-05-09">spring</date></title-info></description>
<body><title><p>The Net</p><p>Loft</p></title>
<epigraph><p>Heave.</p></epigraph>
<section><title><p>One</p></title><p>It was <emphasis>low</emphasis> tide<a l:href="#n1" type="note">[1]</a>.</p>
<poem><stanza><v>First line</v><v>second line</v></stanza></poem>
<section><subtitle>Inner</subtitle><table><tr><th>Rope</th><th>Weight</th></tr><tr><td>thin</td><td>100</td></tr></table>
</section></section></body>
<body name="notes"><section id="n1"><title><p>1</p></title><p>At six.</p></section></body>
<binary id="a.png" content-type="image/png">aGVsbG8gd29ybGQ=
aGVsbG8gd29ybGQ=</binary>
</FictionBook>)";

TEST(FictionBook, ChaptersVersesTablesAndNotes) {
  const rag::Document document = read_text("loft.fb2", kBook);
  EXPECT_EQ(document.format, "fb2");
  EXPECT_EQ(document.title, "The Net Loft");
  EXPECT_EQ(document.author, "Ruth Amsel, jon");
  EXPECT_EQ(document.date, "2031-05-09");
  EXPECT_EQ(document.text,
            "Ropes and tides.\n\nThe Net Loft\n\nHeave.\n\nOne\n\nIt was low tide[1].\n\nFirst line\nsecond line\n\n"
            "Inner\n\nRope | Weight\nthin | 100\n\n1\n\nAt six.");
  EXPECT_EQ(document.blocks[3].heading_level, 2);
  expect_well_formed(document, false);
}

TEST(FictionBook, OfADamagedOneWhatComesBefore) {
  const rag::Document document = read_text("loft.fb2", std::string(kBook.substr(0, kBook.find("<poem>"))) + "<poem");
  EXPECT_NE(document.text.find("low tide"), std::string::npos);
  EXPECT_EQ(document.notes.size(), 1u);
  EXPECT_FALSE(read_document("a.fb2", as_bytes(std::string("<x/>"))).ok());
}

}  // namespace
}  // namespace mneme::readers

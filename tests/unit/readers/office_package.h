// Small Office packages for tests, their parts to be changed one by one.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "tests/support/make_files.h"

namespace mneme::readers::test {

inline std::string& part_of(Members& members, std::string_view name) {
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const auto& member) { return member.first == name; });
  if (found != members.end()) return found->second;
  return members.emplace_back(name, std::string()).second;
}

inline std::string link_to(const std::string& id, const std::string& kind, const std::string& target) {
  return "<Relationship Id=\"" + id + "\" Type=\"http://x/relationships/" + kind + "\" Target=\"" + target + "\"/>";
}

inline std::string links(const std::string& all) {
  return "<Relationships>" + all + "</Relationships>";
}

// A Word file: a heading by style, text with a footnote and a comment, a table, a header.
inline Members docx_parts() {
  const auto text = [](const std::string& said) { return "<w:r><w:t>" + said + "</w:t></w:r>"; };
  return {
      {"word/document.xml",
       "<w:document xmlns:w=\"w\" xmlns:r=\"r\"><w:body><w:p><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr>" +
           text("Rent") + "</w:p><w:p>" + text("The rent is 900 EUR.") +
           "<w:r><w:footnoteReference w:id=\"2\"/></w:r><w:r><w:commentReference w:id=\"0\"/></w:r></w:p>"
           "<w:p>" +
           text("It is due on the third.") + "</w:p></w:body></w:document>"},
      {"word/_rels/document.xml.rels",
       links(link_to("r1", "styles", "styles.xml") + link_to("r2", "footnotes", "footnotes.xml") +
             link_to("r3", "comments", "comments.xml") + link_to("r4", "header", "header1.xml"))},
      {"word/styles.xml",
       "<w:styles xmlns:w=\"w\"><w:style w:styleId=\"Heading1\"><w:name w:val=\"heading 1\"/></w:style></w:styles>"},
      {"word/footnotes.xml", "<w:footnotes xmlns:w=\"w\"><w:footnote w:id=\"2\"><w:p>" + text("Heating included.") +
                                 "</w:p></w:footnote></w:footnotes>"},
      {"word/comments.xml", "<w:comments xmlns:w=\"w\"><w:comment w:id=\"0\" w:author=\"Ann Other\"><w:p>" +
                                text("Is this net?") + "</w:p></w:comment></w:comments>"},
      {"word/header1.xml", "<w:hdr xmlns:w=\"w\"><w:p>" + text("Weber Estates, Lindenweg 4") + "</w:p><w:p>" +
                               text("Page ") +
                               "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>PAGE"
                               "</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>" +
                               text("3") + "<w:r><w:fldChar w:fldCharType=\"end\"/></w:r></w:p></w:hdr>"},
      {"docProps/core.xml", "<cp:coreProperties xmlns:dc=\"d\"><dc:title>Lease</dc:title></cp:coreProperties>"}};
}

// A workbook of two sheets, the second hidden, with shared strings.
inline Members xlsx_parts() {
  const auto sheet = [](const std::string& cells) {
    return "<worksheet><sheetData><row r=\"1\">" + cells + "</row></sheetData></worksheet>";
  };
  return {{"xl/workbook.xml",
           "<workbook xmlns:r=\"r\"><sheets><sheet name=\"Staff\" r:id=\"rId1\"/><sheet name=\"Rates\" "
           "state=\"hidden\" r:id=\"rId2\"/></sheets><definedNames><definedName name=\"VAT\">Rates!$B$1</definedName>"
           "<definedName name=\"_xlnm.Print_Area\">Staff!$A$1:$B$9</definedName>"
           "<definedName name=\"Rounding\">0.05</definedName></definedNames></workbook>"},
          {"xl/_rels/workbook.xml.rels",
           links(link_to("rId1", "worksheet", "worksheets/sheet1.xml") +
                 link_to("rId2", "worksheet", "worksheets/sheet2.xml") +
                 link_to("rId3", "sharedStrings", "sharedStrings.xml") + link_to("rId4", "styles", "styles.xml"))},
          {"xl/sharedStrings.xml", "<sst><si><t>Weber</t></si><si><t>standard rate</t></si></sst>"},
          {"xl/styles.xml", "<styleSheet><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"9\"/></cellXfs></styleSheet>"},
          {"xl/worksheets/sheet1.xml", sheet("<c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\"><v>4711</v></c>")},
          {"xl/worksheets/sheet2.xml", sheet("<c r=\"A1\" t=\"s\"><v>1</v></c><c r=\"B1\" s=\"1\"><v>0.19</v></c>")},
          {"xl/worksheets/_rels/sheet1.xml.rels", links(link_to("c1", "comments", "../comments1.xml"))},
          {"xl/comments1.xml",
           "<comments><authors><author>Ann Other</author></authors><commentList><comment ref=\"B1\" authorId=\"0\">"
           "<text><r><t>Ann Other:</t></r><r><t>\nextension of the office</t></r></text></comment></commentList>"
           "</comments>"}};
}

inline std::string slide_shape(const std::string& type, const std::string& text) {
  return "<p:sp><p:nvSpPr><p:nvPr><p:ph type=\"" + type + "\"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>" + text +
         "</a:t></a:r></a:p></p:txBody></p:sp>";
}

inline std::string slide_of(const std::string& root, const std::string& shapes) {
  return "<p:" + root + " xmlns:p=\"p\" xmlns:a=\"a\"><p:cSld><p:spTree>" + shapes + "</p:spTree></p:cSld></p:" + root +
         ">";
}

// Two slides, with speaker notes and a comment on the first.
inline Members pptx_parts() {
  return {{"ppt/presentation.xml",
           "<p:presentation xmlns:p=\"p\" xmlns:r=\"r\"><p:sldIdLst><p:sldId r:id=\"r1\"/><p:sldId r:id=\"r2\"/>"
           "</p:sldIdLst></p:presentation>"},
          {"ppt/_rels/presentation.xml.rels",
           links(link_to("r1", "slide", "slides/slide1.xml") + link_to("r2", "slide", "slides/slide2.xml") +
                 link_to("r3", "commentAuthors", "commentAuthors.xml"))},
          {"ppt/slides/slide1.xml",
           slide_of("sld", slide_shape("title", "Ferries") + slide_shape("body", "They leave at noon.") +
                               slide_shape("ftr", "Harbour office") + slide_shape("sldNum", "1"))},
          {"ppt/slides/slide2.xml",
           slide_of("sld", slide_shape("title", "Fares") + slide_shape("body", "A ticket is 12 EUR.") +
                               slide_shape("ftr", "Harbour office"))},
          {"ppt/slides/_rels/slide1.xml.rels", links(link_to("n", "notesSlide", "../notesSlides/notesSlide1.xml") +
                                                     link_to("c", "comments", "../comments/comment1.xml"))},
          {"ppt/notesSlides/notesSlide1.xml",
           slide_of("notes", slide_shape("sldImg", "") + slide_shape("body", "Mention the winter timetable.") +
                                 slide_shape("sldNum", "1"))},
          {"ppt/comments/comment1.xml",
           "<p:cmLst xmlns:p=\"p\"><p:cm authorId=\"7\"><p:text>Also on Sundays?</p:text></p:cm></p:cmLst>"},
          {"ppt/commentAuthors.xml",
           "<p:cmAuthorLst xmlns:p=\"p\"><p:cmAuthor id=\"7\" name=\"Bo Lind\"/></p:cmAuthorLst>"}};
}

inline Members epub_parts() {
  const auto item = [](const std::string& id) {
    return "<item id=\"" + id + "\" href=\"" + id + ".xhtml\" media-type=\"application/xhtml+xml\"/>";
  };
  return {
      {"mimetype", "application/epub+zip"},
      {"META-INF/container.xml", "<container><rootfiles><rootfile full-path=\"book.opf\"/></rootfiles></container>"},
      {"book.opf", "<package><manifest>" + item("a") + item("b") +
                       "</manifest><spine><itemref idref=\"a\"/><itemref idref=\"b\"/></spine></package>"},
      {"a.xhtml", "<html><body><h2>First</h2><p>The ferry left at noon.</p></body></html>"},
      {"b.xhtml", "<html><body><h2>Second</h2><p>It came back at six.</p></body></html>"}};
}

// OpenDocument text with a comment, a header and properties.
inline Members odt_parts() {
  const std::string spaces =
      " xmlns:office=\"o\" xmlns:text=\"t\" xmlns:style=\"s\" xmlns:dc=\"dc\" xmlns:draw=\"d\" xmlns:xlink=\"x\"";
  return {{"mimetype", "application/vnd.oasis.opendocument.text"},
          {"content.xml",
           "<office:document-content" + spaces +
               "><office:body><office:text><text:h text:outline-level=\"1\">Rent</text:h><text:p>The rent is 900 "
               "EUR<office:annotation><dc:creator>Ann Other</dc:creator><dc:date>2024-05-31</dc:date><text:p>Is this "
               "net?</text:p></office:annotation>.</text:p></office:text></office:body></office:document-content>"},
          {"styles.xml",
           "<office:document-styles" + spaces +
               "><office:master-styles><style:master-page><style:header><text:p>Weber Estates, Lindenweg 4</text:p>"
               "</style:header><style:footer><text:p>Page <text:page-number>1</text:page-number></text:p>"
               "</style:footer></style:master-page></office:master-styles></office:document-styles>"},
          {"meta.xml", "<office:document-meta" + spaces +
                           "><office:meta><dc:title>Lease</dc:title></office:meta></office:document-meta>"}};
}

}  // namespace mneme::readers::test

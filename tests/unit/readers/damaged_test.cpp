// Files of every format that end too early or hold wrong bytes: each is read as far as it goes, or ends in a sentence.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "rag/readers/process/child_process.h"
#include "tests/support/make_files.h"
#include "tests/unit/readers/made_mobi.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

std::string opendocument() {
  return test::make_zip({{"mimetype", "application/vnd.oasis.opendocument.text"},
                         {"content.xml",
                          "<office:document-content><office:body><office:text><text:h text:outline-level=\"1\">Boats"
                          "</text:h><text:p>They leave at noon.</text:p></office:text></office:body>"
                          "</office:document-content>"}});
}

std::string sheet() {
  return test::make_zip(
      {{"xl/workbook.xml", "<workbook xmlns:r=\"r\"><sheets><sheet name=\"S\" r:id=\"rId1\"/></sheets></workbook>"},
       {"xl/_rels/workbook.xml.rels",
        "<Relationships><Relationship Id=\"rId1\" Target=\"worksheets/sheet1.xml\"/></Relationships>"},
       {"xl/worksheets/sheet1.xml",
        "<worksheet><sheetData><row r=\"1\"><c r=\"A1\"><v>7</v></c></row></sheetData></worksheet>"}});
}

std::string book() {
  return test::make_zip(
      {{"META-INF/container.xml", "<container><rootfiles><rootfile full-path=\"c.opf\"/></rootfiles></container>"},
       {"c.opf",
        "<package><manifest><item id=\"a\" href=\"a.xhtml\" "
        "media-type=\"application/xhtml+xml\"/></manifest><spine><itemref "
        "idref=\"a\"/></spine></package>"},
       {"a.xhtml", "<html><body><h1>One</h1><p>It was a dark and stormy night in the harbour.</p></body></html>"}});
}

Files files_of_every_format() {
  return {
      {"a.txt", "Notes\n\nThe ferry leaves at noon.\n"},
      {"a.md", "---\ntitle: T\n---\n# Boats\n\n- one\n- two\n\n```\ncode\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"},
      {"a.rst", "Boats\n=====\n\n:Author: A\n\n====  ====\na     b\n====  ====\n1     2\n====  ====\n"},
      {"a.adoc", "= Boats\n\n== One\n\n----\ncode\n----\n\n|===\n|a |b\n|===\n"},
      {"a.cpp", "int main() {\n  return 0;\n}\n"},
      {"a.html", "<!DOCTYPE html><html><body><main><h1>Boats</h1><p>They leave at noon.</p></main></body></html>"},
      {"a.csv", "name,shelf\n\"hinge, brass\",C4\nwire,D1\n"},
      {"a.json", R"({"boats": [{"name": "Kelby", "seats": 40}, "\u00e9\ud83d\ude00"]})"},
      {"a.jsonl", "{\"a\": 1}\n{\"b\": [2, 3]}\n"},
      {"a.xml", "<?xml version=\"1.0\"?><a><title>T</title><b>text &amp; more</b></a>"},
      {"a.ipynb", R"({"nbformat": 4, "cells": [{"cell_type": "markdown", "source": ["# T\n", "x"]}]})"},
      {"a.rtf", R"({\rtf1\ansi{\fonttbl{\f0 A;}}\pard Boats \u233? leave.\par})"},
      {"a.eml",
       "From: a@example.org\nSubject: =?utf-8?q?B=C3=B6te?=\nMIME-Version: 1.0\nContent-Type: multipart/mixed; "
       "boundary=x\n\n--x\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\nVGhleSBsZWF2ZS4=\n--x--\n"},
      {"a.mbox",
       "From a@example.org Mon Jan  1 00:00:00 2024\nSubject: one\n\nText.\n\nFrom b@example.org Mon Jan  1 "
       "00:00:00 2024\nSubject: two\n\nMore.\n"},
      {"a.ics",
       "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY;LANGUAGE=en:Boats\r\nDTSTART;TZID=\"Europe/"
       "Berlin\":20260303T140000\r\n"
       "DURATION:PT1H\r\nRRULE:FREQ=MONTHLY;BYDAY=2TU;UNTIL=20261201\r\nATTENDEE;CN=Ann\r\n  "
       "Weber:mailto:a@example.org\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"},
      {"a.vcf",
       "BEGIN:VCARD\nVERSION:2.1\nN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:M=C3=BC=\nller;Eva\nitem1.TEL;CELL:1\n"
       "item1.X-ABLabel:_$!<Home>!$_\nBDAY:--0303\nADR:;;Street 1;Town;;;\nEND:VCARD\n"},
      {"a.srt",
       "1\n00:00:01,000 --> 00:00:04,000\n<v Ann>Boats &amp; more</v>\nleave at noon.\n\n2\n00:00:05,000 --> "
       "00:00:06,000\n{\\an8}- No.\n"},
      {"chat.txt", "12/03/2026, 18:05 - Ann: When?\n12/03/2026, 6:07 PM - Ben: At noon\nor so\n"},
      {"irc.log", "--- Log opened Thu Mar 12 18:00:00 2026\n18:05 <@ann> when?\n18:06\tben\tat noon\n"},
      {"a.mobi", test::make_mobi({})},
      {"a.org",
       "#+TITLE: T\n* TODO [#A] Boats :sea:\n  DEADLINE: <2026-03-15 Sun +1w>\n:PROPERTIES:\n:ID: 1\n:END:\n- [X] "
       "*one*[fn:1]\n| a | b |\n|---+---|\n#+BEGIN_SRC c\nx\n#+END_SRC\n[fn:1] [[a][b]] \\(x^2\\)\n"},
      {"a.enex",
       "<?xml version=\"1.0\"?><en-export><note><title>Boats</title><created>20250212T090000Z</created><content>"
       "<![CDATA[<en-note><en-todo/>They leave at noon.</en-note>]]></content><resource><data "
       "encoding=\"base64\">Tm9vbi4K</data><mime>text/plain</mime><resource-attributes><file-name>n.txt"
       "</file-name></resource-attributes></resource></note></en-export>"},
      {"a.docx", test::make_docx("<w:p><w:r><w:t>Boats leave at noon.</w:t></w:r></w:p>")},
      {"a.xlsx", sheet()},
      {"a.odt", opendocument()},
      {"a.epub", book()},
      {"a.zip", test::make_zip({{"notes/a.md", "# A\n\nText.\n"}, {"b.txt", "More text.\n"}})},
      {"a.tar", test::make_tar({{"a.md", "# A\n\nText.\n"}})},
      {"a.tar.gz", test::make_tar({{"a.md", "# A\n\nText.\n"}}, true)},
  };
}

// Whatever the bytes: documents that keep their promises, or a sentence.
void expect_documents_or_a_sentence(const std::string& name, const std::string& bytes) {
  const Status status = read_bytes(name, as_bytes(bytes), {}, [&](ReadItem item) -> Status {
    if (item.status.ok()) {
      test::expect_well_formed(item.document, false);
    } else {
      EXPECT_FALSE(item.status.message().empty()) << name;
    }
    return {};
  });
  if (status.ok()) return;
  EXPECT_FALSE(status.message().empty()) << name;
  const bool told = status.code() == StatusCode::kCorruption || status.code() == StatusCode::kUnsupported ||
                    status.code() == StatusCode::kResource;
  EXPECT_TRUE(told) << name << ": " << status.message();
}

TEST(Damaged, EveryFormatIsReadWhole) {
  for (const auto& [name, bytes] : files_of_every_format()) {
    int documents = 0;
    const Status status = read_bytes(name, as_bytes(bytes), {}, [&](ReadItem item) {
      documents += item.status.ok() ? 1 : 0;
      return item.status;
    });
    EXPECT_TRUE(status.ok()) << name << ": " << status.message();
    EXPECT_GT(documents, 0) << name;
  }
}

TEST(Damaged, FilesThatEndTooEarly) {
  for (const auto& [name, bytes] : files_of_every_format()) {
    for (size_t eighths = 0; eighths < 8; ++eighths) {
      expect_documents_or_a_sentence(name, bytes.substr(0, bytes.size() * eighths / 8));
    }
    expect_documents_or_a_sentence(name, bytes.substr(0, bytes.size() - 1));
  }
}

TEST(Damaged, FilesWithWrongBytes) {
  Random random(9);
  for (const auto& [name, bytes] : files_of_every_format()) {
    for (int round = 0; round < 40; ++round) {
      std::string wrong = bytes;
      for (uint64_t n = 1 + random.below(6); n > 0; --n) {
        wrong[random.below(wrong.size())] = static_cast<char>(random.below(256));
      }
      expect_documents_or_a_sentence(name, wrong);
    }
  }
}

// A PDF is read by a child, which takes its time: fewer cuts.
TEST(Damaged, PdfsThatEndTooEarlyOrHoldWrongBytes) {
  if (find_program("pdftotext").empty()) GTEST_SKIP() << "pdftotext (poppler-utils) is not installed";
  const std::string pdf = test::make_pdf({test::pdf_lines(72, 700, {"They leave at noon.", "And come back at six."})});
  for (const size_t quarters : {1u, 2u, 3u})
    expect_documents_or_a_sentence("a.pdf", pdf.substr(0, pdf.size() * quarters / 4));
  Random random(10);
  for (int round = 0; round < 4; ++round) {
    std::string wrong = pdf;
    for (int n = 0; n < 30; ++n) wrong[8 + random.below(wrong.size() - 8)] = static_cast<char>(random.below(256));
    expect_documents_or_a_sentence("a.pdf", wrong);
  }
}

}  // namespace
}  // namespace mneme::readers

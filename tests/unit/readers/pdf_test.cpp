#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "rag/readers/pdf/pdf_layout.h"
#include "rag/readers/pdf/pdf_output_intents.h"
#include "rag/readers/process/child_process.h"
#include "tests/support/make_files.h"
#include "tests/support/process_folder.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using rag::BlockKind;
using test::block_text;
using test::make_pdf;
using test::pdf_lines;
using test::PdfText;

class Pdf : public testing::Test {
 protected:
  void SetUp() override {
    if (find_program("pdftotext").empty()) GTEST_SKIP() << "pdftotext (poppler-utils) is not installed";
  }
};

std::vector<PdfText> operator+(std::vector<PdfText> a, const std::vector<PdfText>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST_F(Pdf, ParagraphsHeadingsHyphensAndMetadata) {
  const std::string pdf = make_pdf(
      {pdf_lines(72, 700, {"The Heading"}, 18) +
       pdf_lines(72, 660,
                 {"A first line of text that is quite long and ends with a hyphen-", "ated word, while well-known",
                  "words keep their hyphen. The line is broken at a well-", "known place."})},
      "A Title of Its Own");
  const rag::Document document = test::read_text("a.pdf", pdf);
  EXPECT_EQ(document.title, "A Title of Its Own");
  EXPECT_EQ(document.author, "Ann Other");
  EXPECT_TRUE(document.date.starts_with("2024-05-31")) << document.date;
  ASSERT_EQ(document.blocks.size(), 2u) << document.text;
  EXPECT_EQ(document.blocks[0].kind, BlockKind::kHeading);
  EXPECT_EQ(
      block_text(document, 1),
      "A first line of text that is quite long and ends with a hyphenated word, while well-known words keep their "
      "hyphen. The line is broken at a well-known place.");
  EXPECT_EQ(document.blocks[1].page, 1);
}

TEST_F(Pdf, RunningHeadersAndPageNumbersAreDropped) {
  std::vector<std::vector<PdfText>> pages;
  for (int p = 1; p <= 5; ++p) {
    pages.push_back(pdf_lines(72, 760, {"Annual Report 2024"}, 9) + pdf_lines(300, 30, {std::to_string(p)}, 9) +
                    pdf_lines(72, 600,
                              {"This is the text of page number " + std::to_string(p) + " of the report, and it",
                               "has a second line so that it looks like one."}));
  }
  const rag::Document document = test::read_text("a.pdf", make_pdf(pages));
  // The header is told once, behind all else, and cited where it stands; numbers of pages are told nowhere.
  EXPECT_TRUE(document.text.ends_with("\n\nHeaders and footers\n\nAnnual Report 2024")) << document.text;
  EXPECT_EQ(document.text.find("Annual Report"), document.text.rfind("Annual Report"));
  ASSERT_EQ(document.blocks.size(), 7u) << document.text;
  for (int p = 1; p <= 5; ++p) EXPECT_EQ(document.blocks[static_cast<size_t>(p - 1)].page, p);
  EXPECT_EQ(document.blocks[6].page, 1);
}

TEST_F(Pdf, SentencesGoOnOverPages) {
  const std::string pdf = make_pdf(
      {pdf_lines(72, 200, {"The last paragraph of this page goes on and on, and it does", "not end before the page"}),
       pdf_lines(72, 720, {"ends, but only behind it on the next page, where it finds", "its full stop."})});
  const rag::Document document = test::read_text("a.pdf", pdf);
  ASSERT_EQ(document.blocks.size(), 1u) << document.text;
  EXPECT_NE(document.text.find("before the page ends, but"), std::string::npos);
  EXPECT_EQ(document.blocks[0].page, 1);
}

TEST_F(Pdf, ColumnsAreReadOneAfterTheOther) {
  std::vector<std::string> left;
  std::vector<std::string> right;
  for (int i = 0; i < 12; ++i) {
    left.push_back("left column line " + std::to_string(i) + " with words in it");
    right.push_back("right column line " + std::to_string(i) + " with more words");
  }
  const rag::Document document =
      test::read_text("a.pdf", make_pdf({pdf_lines(60, 700, left) + pdf_lines(330, 700, right)}));
  const size_t last_left = document.text.find("left column line 11");
  const size_t first_right = document.text.find("right column line 0");
  ASSERT_NE(last_left, std::string::npos);
  EXPECT_LT(last_left, first_right);
}

// Lines set flush on both sides have wide gaps between their words, which once made tables of such columns.
TEST_F(Pdf, JustifiedColumnsAreNoTable) {
  std::vector<PdfText> page;
  for (int i = 0; i < 14; ++i) {
    for (const double x : {60.0, 330.0}) {
      const double y = 700.0 - 14 * i;
      const std::string begins = x < 100 ? "the left" : "the right";
      const std::string goes_on = "column line " + std::to_string(i);
      if (i % 3 == 0) {
        page.push_back({x, y, 11, begins + " " + goes_on});
        page.push_back({x + 150, y, 11, "goes on and on"});
      } else if (i % 3 == 1) {
        page.push_back({x, y, 11, begins});
        page.push_back({x + 70, y, 11, goes_on + " goes on and on"});
      } else {
        page.push_back({x, y, 11, begins + " " + goes_on + " goes on and on"});
      }
    }
  }
  const rag::Document document = test::read_text("a.pdf", make_pdf({page}));
  EXPECT_EQ(document.text.find('|'), std::string::npos) << document.text;
  EXPECT_LT(document.text.find("line 13"), document.text.find("the right"));
}

TEST_F(Pdf, TablesKeepTheirRows) {
  std::vector<PdfText> page =
      pdf_lines(72, 720, {"Prices of the shop in the spring of this year are listed below here:"});
  const std::vector<std::vector<std::string>> table = {
      {"Item", "Count", "Price"}, {"Apple", "3", "1.20"}, {"Pear", "", "0.80"}, {"Plum", "12", "2.40"}};
  for (size_t r = 0; r < table.size(); ++r) {
    for (size_t c = 0; c < 3; ++c) {
      page.push_back({72.0 + 150 * static_cast<double>(c), 660.0 - 16 * static_cast<double>(r), 11, table[r][c]});
    }
  }
  const rag::Document document = test::read_text("a.pdf", make_pdf({page}));
  EXPECT_NE(document.text.find("Item | Count | Price\nApple | 3 | 1.20\nPear | | 0.80\nPlum | 12 | 2.40"),
            std::string::npos)
      << document.text;
}

TEST_F(Pdf, AddressesAndReceiptsKeepTheirLines) {
  const rag::Document document = test::read_text(
      "a.pdf", make_pdf({pdf_lines(72, 700,
                                   {"TECHMART", "4567 Innovation Boulevard", "-------------------------",
                                    "SUBTOTAL 863.91", "TAX 66.23", "TOTAL 821.14"}) +
                         pdf_lines(72, 500,
                                   {"This is the text of a paragraph that runs over three lines, as long as the",
                                    "page lets them be, so that nothing but the last of them ends before its right",
                                    "edge. It stays one."})}));
  EXPECT_EQ(
      document.text,
      "TECHMART\n4567 Innovation Boulevard\n\nSUBTOTAL 863.91\nTAX 66.23\nTOTAL 821.14\n\nThis is the text of a "
      "paragraph that "
      "runs over three lines, as long as the page lets them be, so that nothing but the last of them ends before its "
      "right edge. It stays one.");
}

TEST_F(Pdf, TablesThatStandOnEachOtherHaveTheirOwnColumns) {
  std::vector<PdfText> page;
  const auto row = [&](double y, std::initializer_list<std::pair<double, std::string>> cells) {
    for (const auto& [x, text] : cells) page.push_back({x, y, 10, text});
  };
  row(700, {{72, "Insured"}, {180, "Gabriel Diaz"}, {330, "Year"}, {420, "2022"}});
  row(686, {{72, "Claim"}, {180, "SF-1008"}, {330, "Make"}, {420, "Jeep"}});
  row(672, {{72, "Policy"}, {180, "POL-2022-555"}, {330, "Model"}, {420, "Cherokee"}});
  row(658, {{72, "Totals"}});
  row(644, {{72, "Part of the estimate, all in all"}, {300, "Hours"}, {380, "Dollars paid so far"}});
  row(630, {{72, "Body and paint labour together"}, {300, "2"}, {380, "300"}});
  row(616, {{72, "Mechanical labour and the supplies"}, {300, "1.5"}, {380, "225"}});
  const rag::Document document = test::read_text("a.pdf", make_pdf({page}));
  EXPECT_TRUE(document.text.find("Insured | Gabriel Diaz | Year | 2022") != std::string::npos) << document.text;
  EXPECT_TRUE(document.text.find("Body and paint labour together | 2 | | 300") != std::string::npos) << document.text;
}

TEST_F(Pdf, ScansDamagedAndZeroPageFilesSaySo) {
  const auto scan = read_document("scan.pdf", as_bytes(make_pdf({{}, {}})));
  EXPECT_EQ(scan.status().code(), StatusCode::kUnsupported);
  EXPECT_NE(scan.status().message().find("scan, no text"), std::string::npos) << scan.status().message();
  const std::string whole = make_pdf({pdf_lines(72, 700, {"text of a page"})});
  EXPECT_EQ(read_document("a.pdf", as_bytes(whole.substr(0, 40))).status().code(), StatusCode::kCorruption);
  EXPECT_EQ(read_document("a.pdf", as_bytes("%PDF-1.7\n" + std::string(5000, 'x'))).status().code(),
            StatusCode::kCorruption);
  EXPECT_FALSE(read_document("zero.pdf", as_bytes(make_pdf({}))).ok());
  // Partly text: what is there is read, what is missing is told.
  const rag::Document part = test::read_text("a.pdf", make_pdf({pdf_lines(72, 700, {"text of a page"}), {}}));
  EXPECT_FALSE(part.notes.empty());
}

TEST_F(Pdf, EncryptedFilesSaySo) {
  std::string pdf = make_pdf({pdf_lines(72, 700, {"text of a page"})});
  std::string keys;
  for (int i = 0; i < 32; ++i) keys += "ab";
  const std::string trailer = "trailer\n<< ";
  pdf.replace(pdf.find(trailer), trailer.size(),
              trailer + "/Encrypt << /Filter /Standard /V 1 /R 2 /O <" + keys + "> /U <" + keys +
                  "> /P -4 >> /ID [<0011><0011>] ");
  const auto encrypted = read_document("a.pdf", as_bytes(pdf));
  EXPECT_EQ(encrypted.status().code(), StatusCode::kUnsupported);
  EXPECT_NE(encrypted.status().message().find("password"), std::string::npos) << encrypted.status().message();
}

TEST_F(Pdf, PageLimitIsKept) {
  std::vector<std::vector<PdfText>> pages(30, pdf_lines(72, 600, {"The words of a page, again and again."}));
  ReadLimits limits;
  limits.pages = 10;
  const rag::Document document = test::read_text("a.pdf", make_pdf(pages), limits);
  EXPECT_EQ(document.blocks.back().page, 10);
  EXPECT_FALSE(document.notes.empty());
}

// PDF/A names the profile of a printer, whose colours cost more than the text of a page.
TEST_F(Pdf, TextIsTheSameWithoutTheOutputIntents) {
  const std::string plain = make_pdf({pdf_lines(72, 700, {"The words of /OutputIntents [4 0 R] in a /Catalog."})});
  std::string archival = plain;
  const std::string catalog = "/Type /Catalog";
  ASSERT_NE(archival.find(catalog), std::string::npos);
  archival.insert(archival.find(catalog), "/OutputIntents [<< /S /GTS_PDFA1 /DestOutputProfile 4 0 R >>] ");
  EXPECT_EQ(test::read_text("a.pdf", archival).text, test::read_text("a.pdf", plain).text);
  EXPECT_NE(test::read_text("a.pdf", archival).text.find("of /OutputIntents [4 0 R] in"), std::string::npos);
}

TEST(PdfOutputIntents, OnlyTheKeyInACatalogIsHidden) {
  const auto hidden = [](std::string pdf) {
    hide_output_intents(pdf);
    return pdf;
  };
  EXPECT_EQ(hidden("1 0 obj\n<< /Type /Catalog /OutputIntents [2 0 R] >>\nendobj\n"),
            "1 0 obj\n<< /Type /Catalog /outputIntents [2 0 R] >>\nendobj\n");
  for (const std::string same : {
           "",
           "/OutputIntents",
           "1 0 obj\n<< /Type /Catalog /OutputIntents [2 0 R] >>\n",
           "1 0 obj\n<< /Type /Page /OutputIntents [2 0 R] >>\nendobj\n3 0 obj\n<< /Type /Catalog >>\nendobj\n",
           "1 0 obj\n<< /Length 40 >>\nstream\n(/Catalog /OutputIntents) Tj\nendstream\nendobj\n",
       }) {
    EXPECT_EQ(hidden(same), same);
  }
  // Every version that was saved into the file; absurd numbers of them cost no time.
  const std::string version = "1 0 obj\n<< /OutputIntents [2 0 R] /Type/Catalog >>\nendobj\n";
  EXPECT_EQ(hidden(version + version).find("/OutputIntents"), std::string::npos);
  std::string many;
  for (int i = 0; i < 200'000; ++i) many += "/OutputIntents";
  EXPECT_EQ(hidden(many), many);
}

TEST(PdfLayout, HyphensOfAnyScriptAndKind) {
  const auto text_of = [](const std::vector<std::string>& lines) {
    std::string xml = "<page width=\"612\" height=\"792\"><flow><block>";
    for (size_t i = 0; i < lines.size(); ++i) {
      const std::string place = " xMin=\"72\" xMax=\"500\" yMin=\"" + std::to_string(300 + 14 * i) + "\" yMax=\"" +
                                std::to_string(311 + 14 * i) + "\">";
      xml += "<line" + place + "<word" + place + lines[i] + "</word></line>";
    }
    rag::Document document;
    DocumentBuilder builder(document, 1 << 20);
    PdfAssembler pages(builder);
    pages.add_page(parse_pdf_page(xml + "</block></flow></page>", 1));
    pages.finish();
    return document.text;
  };
  EXPECT_EQ(text_of({"Эта про-", "грамма читает всё."}), "Эта программа читает всё.");
  EXPECT_EQ(text_of({"A soft\u00ad", "ened word."}), "A softened word.");
  EXPECT_EQ(text_of({"An un\u2010", "usual hyphen."}), "An unusual hyphen.");
  EXPECT_EQ(text_of({"Der Bericht Nord-", "Östlich davon."}), "Der Bericht Nord-Östlich davon.");
}

TEST(PdfLayout, TextFromRightToLeftIsReadSo) {
  const auto line_of = [](const std::vector<std::string>& words) {
    std::string xml =
        "<page width=\"612\" height=\"792\"><flow><block><line xMin=\"72\" yMin=\"300\" xMax=\"500\" yMax=\"311\">";
    int x = 72;
    for (const std::string& word : words) {
      xml += "<word xMin=\"" + std::to_string(x) + "\" yMin=\"300\" xMax=\"" + std::to_string(x + 40) +
             "\" yMax=\"311\">" + word + "</word>";
      x += 44;
    }
    const PdfPage page = parse_pdf_page(xml + "</line></block></flow></page>", 1);
    return page.lines.empty() ? std::string() : page.lines[0].text();
  };
  // As it is drawn, from left to right: "the red granite stone in 1884" and "of red granite stone".
  EXPECT_EQ(line_of({".رمحلأا", "تينارغلا", "رجح", "نم", "1884", "ةنس"}), "سنة 1884 من حجر الغرانيت الأحمر.");
  EXPECT_EQ(line_of({".המודא", "טינרג", "ןבאמ"}), "מאבן גרניט אדומה.");
  EXPECT_EQ(line_of({"\uFE8E\uFE92\uFEA3\uFEAE\uFEE3"}), "مرحبا");
  EXPECT_EQ(line_of({"The", "word", "םולש", "means", "peace."}), "The word שלום means peace.");
}

TEST(PdfLayout, WordsUpThePageArePartedBySpaces) {
  const auto word = [](int y, const std::string& text) {
    return "<word xMin=\"290\" yMin=\"" + std::to_string(y - 30) + "\" xMax=\"301\" yMax=\"" + std::to_string(y) +
           "\">" + text + "</word>";
  };
  const PdfPage page = parse_pdf_page(
      "<page width=\"612\" height=\"792\"><flow><block><line xMin=\"290\" yMin=\"400\" "
      "xMax=\"301\" yMax=\"592\">" +
          word(592, "The") + word(558, "anchor") + word(524, "weighs") + word(494, "55") +
          "</line></block></flow></page>",
      1);
  ASSERT_EQ(page.lines.size(), 1u);
  EXPECT_EQ(page.lines[0].text(), "The anchor weighs55");  // the last two touch
  EXPECT_FLOAT_EQ(page.lines[0].word_height, 11);
}

TEST(PdfOcr, RecognisedWordsBecomeLinesAndTables) {
  std::string tsv =
      "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
      "1\t1\t0\t0\t0\t0\t0\t0\t1700\t2200\t-1\t\n";
  const char* const rows[][3] = {
      {"Item", "Count", "Price"}, {"Apple", "3", "1.20"}, {"Pear", "4", "0.80"}, {"Plum", "5", "9.10"}};
  for (int r = 0; r < 4; ++r) {
    const std::string top = std::to_string(800 + 50 * r);
    const std::string place = "\t1\t1\t1\t" + std::to_string(r + 1) + "\t";
    tsv += "4" + place + "0\t200\t" + top + "\t1000\t30\t-1\t\n";
    for (int c = 0; c < 3; ++c) {
      tsv += "5" + place + std::to_string(c + 1) + "\t" + std::to_string(200 + 400 * c) + "\t" + top +
             "\t120\t30\t91.5\t" + rows[r][c] + "\n";
    }
    tsv += "5" + place + "4\t1500\t" + top + "\t20\t30\t3.0\tdoubted\n";
  }
  rag::Document document;
  DocumentBuilder builder(document, 1 << 20);
  PdfAssembler pages(builder);
  pages.add_page(parse_ocr_page(tsv, 7, 200));
  pages.finish();
  EXPECT_EQ(document.text, "Item | Count | Price\nApple | 3 | 1.20\nPear | 4 | 0.80\nPlum | 5 | 9.10");
  EXPECT_EQ(document.blocks[0].page, 7);
}

TEST(ChildProcess, OutputErrorsAndExitCode) {
  const FileDescriptor input = memory_file("hello");
  std::string output;
  const auto result =
      run_child({"/bin/sh", "-c", "cat; echo oops >&2; exit 7"}, input.get(), {}, [&](std::string_view piece) {
        output += piece;
        return Status();
      });
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(output, "hello");
  EXPECT_EQ(result->exit_code, 7);
  EXPECT_EQ(result->errors, "oops\n");
}

// By mapping alone, up to the memory that it may have.
TEST(ChildProcess, HeapIsMapped) {
  const FileDescriptor input = memory_file("");
  std::string output;
  const auto result = run_child({"/bin/sh", "-c", "ulimit -S -d"}, input.get(), {}, [&](std::string_view piece) {
    output += piece;
    return Status();
  });
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_EQ(result->exit_code, 0) << result->errors;
  EXPECT_EQ(output, "0\n");
}

TEST(ChildProcess, TimeMemoryAndFilesAreLimited) {
  const FileDescriptor input = memory_file("");
  const auto ignore = [](std::string_view) { return Status(); };
  ChildLimits limits;
  limits.time = std::chrono::milliseconds(300);
  const auto slow = run_child({"/bin/sleep", "300"}, input.get(), limits, ignore);
  ASSERT_TRUE(slow.ok());
  EXPECT_TRUE(slow->timed_out);
  const std::string victim = mneme::test::process_folder() + "/must_not_write";
  const auto writer = run_child({"/bin/sh", "-c", "echo x > " + victim}, input.get(), {}, ignore);
  ASSERT_TRUE(writer.ok());
  EXPECT_NE(writer->exit_code, 0);
  EXPECT_NE(::access(victim.c_str(), F_OK), 0);
  EXPECT_FALSE(run_child({"/nonexistent/program"}, input.get(), {}, ignore).ok());
}

}  // namespace
}  // namespace mneme::readers

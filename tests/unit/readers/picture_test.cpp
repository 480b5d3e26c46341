#include <gtest/gtest.h>

#include <string>

#include "base/file_descriptor.h"
#include "base/random.h"
#include "rag/readers/picture/picture_facts.h"
#include "rag/readers/picture/picture_names.h"
#include "rag/readers/picture/picture_words.h"
#include "rag/readers/process/child_process.h"
#include "tests/support/make_files.h"
#include "tests/support/stand_in_tesseract.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using std::string_literals::operator""s;
using mneme::test::png_head;
using mneme::test::StandInTesseract;
using test::expect_well_formed;
using test::read_text;

ReadLimits with_ocr() {
  ReadLimits limits;
  limits.ocr = true;
  return limits;
}

// A JPEG's head: Exif with an orientation, and the frame.
std::string jpeg_head(char orientation, int width, int height) {
  std::string exif = "Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"s + orientation + "\0\0\0\0\0\0"s;
  const auto two = [](size_t n) { return std::string{static_cast<char>(n >> 8), static_cast<char>(n)}; };
  return "\xff\xd8\xff\xe1" + two(exif.size() + 2) + exif + "\xff\xc0" + two(17) + "\x08" +
         two(static_cast<size_t>(height)) + two(static_cast<size_t>(width)) + std::string(10, '\0');
}

std::string tiff_head() {
  const auto entry = [](char tag, char value) { return std::string{tag, 1, 4, 0, 1, 0, 0, 0, value, 0, 0, 0}; };
  const std::string small = "\x02\0"s + entry(0, 10) + entry(1, 20) + "\x26\0\0\0"s;  // the next page at 38
  const std::string large = "\x02\0"s + entry(0, 90) + entry(1, 80) + "\0\0\0\0"s;
  return "II*\0\x08\0\0\0"s + small + large;
}

TEST(PictureFacts, OfEveryKind) {
  const auto size = [](const std::string& bytes) {
    const PictureFacts facts = picture_facts(bytes);
    return std::to_string(facts.width) + "x" + std::to_string(facts.height);
  };
  EXPECT_EQ(size(png_head(640, 480)), "640x480");
  EXPECT_EQ(size(jpeg_head(6, 300, 200)), "300x200");
  EXPECT_EQ(picture_facts(jpeg_head(6, 300, 200)).orientation, 6);
  EXPECT_EQ(size(tiff_head()), "90x80");
  EXPECT_EQ(size("BM" + std::string(12, '\0') + "\x28\0\0\0\x40\0\0\0\xe0\xff\xff\xff"s), "64x32");
  EXPECT_EQ(size("RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\x3f\0\0\x1f\0\0"s), "64x32");
  EXPECT_EQ(size("RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x40\0\x20\0"s), "64x32");
  for (const std::string& text : {"BMW is a car maker of Munich, and more"s, "II. The second part"s, ""s})
    EXPECT_FALSE(is_picture(text)) << text;
  EXPECT_TRUE(names_picture("/home/a/Scan 1.TIFF") && names_picture("a.jpg"));
  EXPECT_FALSE(names_picture("a.heic") || names_picture("jpg"));
}

TEST(PictureFacts, OfDamagedOnesEnd) {
  Random random(3);
  for (const std::string& whole : {png_head(640, 480), jpeg_head(6, 300, 200), tiff_head()}) {
    for (size_t size = 0; size <= whole.size(); ++size) picture_facts(whole.substr(0, size));
    for (int round = 0; round < 200; ++round) {
      std::string wrong = whole;
      for (int n = 0; n < 4; ++n) wrong[4 + random.below(wrong.size() - 4)] = static_cast<char>(random.below(256));
      picture_facts(wrong);
    }
  }
}

TEST(PictureWords, AreTurnedWithThePicture) {
  const std::string page = "1\t1\t0\t0\t0\t0\t0\t0\t1650\t1275\t-1\t\n";
  const std::string word = "5\t1\t1\t1\t1\t1\t153\t944\t39\t177\t96\tHarbour\n";
  EXPECT_EQ(turned_words("level\tpage\n" + page + word, 6),
            "1\t1\t0\t0\t0\t0\t0\t0\t1275\t1650\t-1\t\n5\t1\t1\t1\t1\t1\t154\t153\t177\t39\t96\tHarbour\n");
  EXPECT_EQ(turned_words(page + word, 8),
            "1\t1\t0\t0\t0\t0\t0\t0\t1275\t1650\t-1\t\n5\t1\t1\t1\t1\t1\t944\t1458\t177\t39\t96\tHarbour\n");
  EXPECT_EQ(turned_words(page + word, 3),
            "1\t1\t0\t0\t0\t0\t0\t0\t1650\t1275\t-1\t\n5\t1\t1\t1\t1\t1\t1458\t154\t39\t177\t96\tHarbour\n");
  EXPECT_EQ(turned_words("5\t1\t1\t1\t1\t1\tx\t9\t9\t9\t9\tno\n5\t1\n\n", 3), "");
  EXPECT_EQ(pages_of_words("head\n" + page + word + page).size(), 2u);
}

TEST(PictureWords, AreNoneWhereMostAreDoubted) {
  const std::string doubted = "5\t1\t1\t1\t1\t1\t1\t1\t1\t1\t41.5\tpes\n";
  const std::string sure = "5\t1\t1\t1\t1\t1\t1\t1\t1\t1\t96\tTotal\n";
  EXPECT_TRUE(is_doubtful(doubted + doubted));
  EXPECT_TRUE(is_doubtful(doubted + doubted + doubted + sure));
  EXPECT_FALSE(is_doubtful(doubted + sure));
  EXPECT_FALSE(is_doubtful("5\t1\t1\n4\t1\n"));
}

TEST(Pictures, AreReadPageByPage) {
  const StandInTesseract tesseract(mneme::test::kOcrHead + mneme::test::ocr_page(1, 1000, 1400) +
                                   mneme::test::ocr_line(1, 1, "Harbour Bakery") +
                                   mneme::test::ocr_line(1, 3, "Total 6.00 EUR") +
                                   mneme::test::ocr_page(2, 1000, 1400) + mneme::test::ocr_line(2, 1, "Thank you"));
  const rag::Document document = read_text("receipt.png", png_head(1000, 1400), with_ocr());
  EXPECT_EQ(document.format, "picture");
  EXPECT_NE(document.text.find("Harbour Bakery"), std::string::npos);
  EXPECT_NE(document.text.find("Total 6.00 EUR"), std::string::npos);
  EXPECT_EQ(document.blocks.front().page, 1);
  EXPECT_EQ(document.blocks.back().page, 2);
  expect_well_formed(document, false);
}

TEST(Pictures, StandAsTheCameraWasHeld) {
  // Stored on its side: the line stands in a column, which is 40 wide.
  const StandInTesseract tesseract(mneme::test::kOcrHead + mneme::test::ocr_page(1, 1400, 1000) +
                                   "4\t1\t1\t1\t1\t0\t100\t100\t40\t800\t-1\t\n"
                                   "5\t1\t1\t1\t1\t1\t100\t700\t40\t200\t96\tTotal\n"
                                   "5\t1\t1\t1\t1\t2\t100\t500\t40\t180\t96\t6.00\n");
  EXPECT_EQ(read_text("photo.jpg", jpeg_head(6, 1400, 1000), with_ocr()).text, "Total 6.00");
}

TEST(Pictures, OfNoTextAreEmptyDocuments) {
  const StandInTesseract tesseract(mneme::test::kOcrHead + mneme::test::ocr_page(1, 1000, 1400));
  const rag::Document document = read_text("cat.png", png_head(1000, 1400), with_ocr());
  EXPECT_TRUE(document.blocks.empty());
  EXPECT_EQ(document.notes, std::vector<std::string>{"no text was recognised"});
}

TEST(Pictures, WithoutOcrSaySo) {
  const auto document = read_document("a.png", as_bytes(png_head(10, 10)));
  EXPECT_EQ(document.status().code(), StatusCode::kUnsupported);
  EXPECT_NE(document.status().message().find("index it with --ocr"), std::string::npos);
}

TEST(Pictures, BombsAndDamagedOnesEndInASentence) {
  const StandInTesseract tesseract("", false);
  const auto bomb = read_document("a.png", as_bytes(png_head(100'000, 100'000)), with_ocr());
  EXPECT_EQ(bomb.status().code(), StatusCode::kResource);
  EXPECT_NE(bomb.status().message().find("100000 x 100000 pixels"), std::string::npos);
  EXPECT_EQ(read_document("a.png", as_bytes(png_head(100, 100)), with_ocr()).status().code(), StatusCode::kCorruption);
}

// With the program itself, where it is installed.
TEST(Pictures, AreReadByTesseract) {
  if (find_program("tesseract").empty()) GTEST_SKIP() << "tesseract (tesseract-ocr) is not installed";
  if (find_program("pdftoppm").empty()) GTEST_SKIP() << "pdftoppm (poppler-utils) is not installed";
  const std::string pdf = test::make_pdf({test::pdf_lines(72, 700, {"Harbour Bakery", "Receipt 4711"})});
  const FileDescriptor file = memory_file(pdf);
  std::string picture;
  const auto drawn = run_child({find_program("pdftoppm"), "-q", "-r", "200", "-png", "/dev/stdin"}, file.get(), {},
                               [&](std::string_view piece) {
                                 picture += piece;
                                 return Status();
                               });
  ASSERT_TRUE(drawn.ok());
  EXPECT_NE(read_text("a.png", picture, with_ocr()).text.find("Harbour Bakery"), std::string::npos);
}

}  // namespace
}  // namespace mneme::readers

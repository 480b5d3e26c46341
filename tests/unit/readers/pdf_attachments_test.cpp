// Files that PDFs carry.
#include <gtest/gtest.h>
#include <zlib.h>

#include <map>
#include <string>

#include "tests/support/make_files.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using test::make_pdf;

std::string object(int number, const std::string& body) {
  return std::to_string(number) + " 0 obj\n" + body + "\nendobj\n";
}

std::string stream(const std::string& dictionary, const std::string& bytes) {
  return "<<" + dictionary + "/Length " + std::to_string(bytes.size()) + ">>\nstream\n" + bytes + "\nendstream";
}

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  packed.resize(size);
  return packed;
}

std::string filespec(const std::string& name, int number) {
  return "<</Type/Filespec/F" + name + "/EF<</F " + std::to_string(number) + " 0 R>>>>";
}

std::map<std::string, std::string> texts_of(const std::string& pdf) {
  std::map<std::string, std::string> texts;
  const Status status = read_bytes("a.pdf", as_bytes(pdf), {}, [&](ReadItem item) {
    texts[item.member] = item.status.ok() ? item.document.text : item.status.message();
    return Status();
  });
  if (!status.ok()) texts["failed"] = status.message();
  return texts;
}

TEST(PdfAttachments, AreReadAsFilesOfTheirOwn) {
  const std::string with =
      make_pdf({test::pdf_lines(72, 700, {"The page says little."})}) +
      object(100, stream("/Type /EmbeddedFile", "The rope is new.")) +
      object(101, filespec("(notes\\0501\\).txt)", 100)) +
      object(102, stream("/Type/EmbeddedFile/Filter/FlateDecode", deflated("The hook is lost."))) +
      // Names may stand among objects that are packed together.
      object(103, stream("/Type/ObjStm/N 1/First 6/Filter/FlateDecode",
                         deflated("104 0 " + filespec("<FEFF0048006F006F006B002E006D0064>", 102)))) +
      object(105, stream("/Type/EmbeddedFile", "<invoice/>")) + object(106, filespec("(factur-x.xml)", 105)) +
      object(107, stream("/Type/EmbeddedFile", "No name, but words."));
  const auto texts = texts_of(with);
  ASSERT_EQ(texts.size(), 4u);
  EXPECT_EQ(texts.at("notes(1).txt"), "The rope is new.");
  EXPECT_EQ(texts.at("Hook.md"), "The hook is lost.");
  EXPECT_EQ(texts.at("attachment"), "No name, but words.");
}

// As pdfattach writes them.
TEST(PdfAttachments, StreamsNeedNotSayThatTheyAreFiles) {
  const std::string with = make_pdf({test::pdf_lines(72, 700, {"The page says little."})}) +
                           object(1, "<</Type/Catalog/Names<</EmbeddedFiles 9 0 R>>>>") +
                           object(100, stream("", "The rope is old.")) + object(101, filespec("(rope.txt)", 100)) +
                           object(100, stream("", "The rope is new.")) + object(102, stream("", "No file at all."));
  const auto texts = texts_of(with);
  ASSERT_EQ(texts.size(), 2u);
  EXPECT_EQ(texts.at("rope.txt"), "The rope is new.");
}

TEST(PdfAttachments, OfEncryptedFilesNothingIsRead) {
  const std::string page = make_pdf({test::pdf_lines(72, 700, {"The page says little."})});
  EXPECT_EQ(texts_of(page + "% /Encrypt\n" + object(100, stream("/Type/EmbeddedFile", "Coded."))).size(), 1u);
}

TEST(PdfAttachments, OneThatUnpacksToTooMuchStopsTheFile) {
  const std::string bomb =
      make_pdf({test::pdf_lines(72, 700, {"Page."})}) +
      object(100, stream("/Type/EmbeddedFile/Filter/FlateDecode", deflated(std::string(4 << 20, 'a') + "\n"))) +
      object(101, filespec("(a.txt)", 100));
  uint64_t longest = 0;
  const Status status = read_bytes("a.pdf", as_bytes(bomb), {.unpacked_bytes = 1 << 20}, [&](ReadItem item) {
    longest = std::max<uint64_t>(longest, item.document.text.size());
    return Status();
  });
  EXPECT_LE(longest, uint64_t{1} << 20);
  EXPECT_TRUE(status.ok() || status.code() == StatusCode::kResource) << status.message();
}

}  // namespace
}  // namespace mneme::readers

// Documents of Pages, Numbers and Keynote and pages that Safari saved, made here byte by byte. No document that these
// programs wrote was at hand.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rag/readers/apple/iwa_archive.h"
#include "tests/support/compound_files.h"
#include "tests/support/make_files.h"
#include "tests/unit/readers/office_pairs.h"

namespace mneme::readers {
namespace {

using test::make_zip;
using test::read_text;

std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

std::string field(uint32_t number, const std::string& bytes) {
  return varint(number << 3 | 2) + varint(bytes.size()) + bytes;
}

std::string field(uint32_t number, uint64_t value) {
  return varint(number << 3) + varint(value);
}

// A head, and the message that it speaks of.
std::string message(uint64_t type, const std::string& body) {
  const std::string head = field(1, 7) + field(2, field(1, type) + field(3, body.size()));
  return varint(head.size()) + head + body;
}

// All of it as it is, in one piece.
std::string packed(const std::string& bytes) {
  const std::string block = varint(bytes.size()) + "\xf4" + test::u16(bytes.size() - 1) + bytes;
  return std::string(1, '\0') + test::u32(block.size()).substr(0, 3) + block;
}

std::string pages() {
  const std::string body = field(1, 0) + field(3, "Harbour\nThe crane \xef\xbf\xbc arrives in May.\n");
  const std::string cells = field(1, 1) + field(3, field(1, 1) + field(3, "Rope")) + field(3, field(3, "Hook"));
  return make_zip({{"Index/Document.iwa", packed(message(1, "x") + message(2001, body))},
                   {"Index/Tables/DataList.iwa", packed(message(6005, cells))},
                   {"Index/MasterSlide-1.iwa", packed(message(2001, field(3, "Title Text")))}});
}

TEST(Apple, TextsOfPagesAreRead) {
  for (const char* name : {"a.pages", "a.key", "Index.zip"}) {
    const rag::Document document = read_text(name, pages());
    EXPECT_EQ(document.format, "iwork");
    EXPECT_NE(document.text.find("Harbour"), std::string::npos);
    EXPECT_NE(document.text.find("The crane arrives in May."), std::string::npos);
    EXPECT_NE(document.text.find("- Rope"), std::string::npos);
    EXPECT_EQ(document.text.find("Title Text"), std::string::npos);
    EXPECT_EQ(document.notes,
              std::vector<std::string>{"of tables only the texts were read, without their rows and numbers"});
  }
}

TEST(Apple, OldDocumentsAreReadByTheirXml) {
  const std::string xml =
      "<?xml version=\"1.0\"?><sl:document xmlns:sl=\"l\" "
      "xmlns:sf=\"f\"><sl:stylesheet><sf:p>Style</sf:p></sl:stylesheet>"
      "<sf:text-body><sf:p>The <sf:span>crane</sf:span><sf:tab/>arrives.</sf:p></sf:text-body></sl:document>";
  EXPECT_EQ(read_text("a.pages", make_zip({{"index.xml", xml}})).text, "The crane arrives.");
}

TEST(Apple, WithoutTextTheyAreRefused) {
  const auto document = read_document("a.pages", as_bytes(make_zip({{"preview.jpg", "x"}})));
  ASSERT_FALSE(document.ok());
  EXPECT_EQ(document.status().message(),
            "a.pages is a document of Pages, Numbers or Keynote without text that can be read; export it as PDF.");
}

TEST(Apple, SnappyRepeatsWhatCameBefore) {
  // "crane " as it is, then six bytes from six back, and eight from one back.
  const std::string block =
      varint(20) + std::string("\x14", 1) + "crane " + std::string("\x09\x06", 2) + std::string("\x1e\x01\x00", 3);
  EXPECT_EQ(unpacked_snappy(block, 100), "crane crane         ");
  EXPECT_EQ(unpacked_snappy(block, 10), "");
  EXPECT_EQ(unpacked_snappy(varint(6) + std::string("\x09\x06", 2), 100), "");  // nothing came before
}

TEST(Apple, SavedPagesOfSafari) {
  const std::string page = "<html><head><title>Harbour</title></head><body><p>The caf\xe9 is open.</p></body></html>";
  const auto text = [](const std::string& said) {
    return std::string("\x5f\x10") + static_cast<char>(said.size()) + said;
  };
  const std::vector<std::string> objects = {std::string("\xd1\x01\x02", 3),  // the archive: one name, one value
                                            text("WebMainResource"),
                                            std::string("\xd2\x03\x04\x05\x06", 5),  // the page: its data and encoding
                                            text("WebResourceData"),
                                            text("WebResourceTextEncodingName"),
                                            std::string("\x4f\x10") + static_cast<char>(page.size()) + page,
                                            text("ISO-8859-1")};
  std::string file = "bplist00";
  std::string offsets;
  for (const std::string& object : objects) {
    offsets += static_cast<char>(file.size() >> 8);
    offsets += static_cast<char>(file.size() & 0xff);
    file += object;
  }
  const auto number = [](size_t value) {
    return std::string(6, '\0') + static_cast<char>(value >> 8) + static_cast<char>(value & 0xff);
  };
  const size_t table = file.size();
  file += offsets + std::string(6, '\0') + "\x02\x01" + number(objects.size()) + number(0) + number(table);
  const rag::Document document = read_text("a.webarchive", file);
  EXPECT_EQ(document.format, "html");
  EXPECT_EQ(document.title, "Harbour");
  EXPECT_NE(document.text.find("The café is open."), std::string::npos);
  test::expect_damage_is_harmless("a.webarchive", file, 300);
}

TEST(Apple, DamageIsHarmless) {
  test::expect_damage_is_harmless("a.pages", pages(), 200);
  const std::string inner = packed(message(2001, field(3, "Harbour\nThe crane arrives.")));
  for (size_t size = 0; size < inner.size(); ++size) {
    each_iwa_message(unpacked_iwa(inner.substr(0, size), 1000), [](uint64_t, std::string_view) {});
  }
}

}  // namespace
}  // namespace mneme::readers

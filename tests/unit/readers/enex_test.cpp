#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using test::expect_well_formed;

std::vector<ReadItem> read_notes(std::string_view text, const ReadLimits& limits = {}) {
  std::vector<ReadItem> items;
  const Status status = read_bytes("notes.enex", as_bytes(text), limits, [&](ReadItem item) {
    items.push_back(std::move(item));
    return Status();
  });
  EXPECT_TRUE(status.ok()) << status.message();
  return items;
}

constexpr std::string_view kExport = R"(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">
<en-export export-date="20260301T101112Z" application="Evernote">
<note><title>Boiler &amp; pump</title><created>20250212T090000Z</created><updated>20260110T120000Z</updated>
<tag>house</tag><tag>heating</tag><note-attributes><author>Ruth Amsel</author></note-attributes>
<content><![CDATA[<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd">
<en-note><div>The pressure is <b>1.8 bar</b>.</div><div><en-todo checked="true"/>call Huber</div>
<div><en-todo/>order the valve</div><en-media hash="abc" type="text/plain"/><en-crypt>AbCd</en-crypt>
<ul style="--en-todo:true;"><li style="--en-checked:true;"><div>pay</div></li></ul></en-note>]]></content>
<resource><data encoding="base64">
VGhlIHNlcmlhbCBudW1i
ZXIgaXMgNzcxLUIuCg==
</data><mime>text/plain</mime><recognition><![CDATA[<recoIndex/>]]></recognition>
<resource-attributes><file-name>serial.txt</file-name></resource-attributes></resource>
<resource><data encoding="base64">iVBORw==</data><mime>image/png</mime></resource>
</note>
<note><title></title><content><![CDATA[<en-note>Second</en-note>]]></content></note>
<note><title>Boiler &amp; pump</title><content><![CDATA[<en-note>Third</en-note>]]></content></note>
</en-export>)";

TEST(Enex, EachNoteIsADocumentWithWhatIsAttached) {
  const auto items = read_notes(kExport);
  ASSERT_EQ(items.size(), 4u);
  for (const ReadItem& item : items) {
    ASSERT_TRUE(item.status.ok()) << item.status.message();
    expect_well_formed(item.document, false);
  }
  EXPECT_EQ(items[0].member, "Boiler & pump");
  EXPECT_EQ(items[0].document.title, "Boiler & pump");
  EXPECT_EQ(items[0].document.author, "Ruth Amsel");
  EXPECT_EQ(items[0].document.date, "2026-01-10");
  EXPECT_EQ(items[0].document.text,
            "Boiler & pump\n\n- Created: Wednesday, 12 February 2025, 09:00 (UTC)\n"
            "- Changed: Saturday, 10 January 2026, 12:00 (UTC)\n- Tags: house, heating\n\n"
            "The pressure is 1.8 bar.\n\n[x] call Huber\n\n[ ] order the valve\n\n- [x] pay");
  EXPECT_EQ(items[1].member, "Boiler & pump/serial.txt");
  EXPECT_EQ(items[1].document.text, "The serial number is 771-B.\n");
  EXPECT_EQ(items[2].document.title, "note 2");
  EXPECT_EQ(items[3].member, "Boiler & pump (2)");
}

TEST(Enex, IsKnownWithoutItsExtension) {
  EXPECT_EQ(detect_format("notes.xml", as_bytes(kExport)), "enex");
  EXPECT_EQ(detect_format("notes.xml", as_bytes(std::string_view("<?xml version=\"1.0\"?><a>b</a>"))), "xml");
}

TEST(Enex, NotesInAnotherEncodingThatTheFileNames) {
  const std::string notes =
      "<en-export><note><title>\xdc"
      "bung</title><content><![CDATA[<en-note>Die T\xfcr klemmt.</en-note>]]></content></note></en-export>";
  const auto items = read_notes("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" + notes);
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(items[0].document.title, "Übung");
  EXPECT_EQ(items[0].document.text, "Übung\n\nDie Tür klemmt.");
  const auto unnamed = read_notes("<?xml version=\"1.0\"?>" + notes);
  ASSERT_EQ(unnamed.size(), 1u);
  EXPECT_EQ(unnamed[0].document.title, "\uFFFDbung");
  const auto wrong = read_notes("<?xml version=\"1.0\" encoding=\"nonsense\"?>" + notes);
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_EQ(wrong[0].document.title, "\uFFFDbung");
}

TEST(Enex, OfDamagedOnesWhatComesBefore) {
  const size_t cut = kExport.find("order the valve");
  const auto items = read_notes(kExport.substr(0, cut));
  ASSERT_EQ(items.size(), 1u);
  EXPECT_NE(items[0].document.text.find("call Huber"), std::string::npos);
  EXPECT_EQ(items[0].document.notes.size(), 1u);
  const auto nothing = [](ReadItem) { return Status(); };
  EXPECT_EQ(read_bytes("a.enex", as_bytes(std::string_view("<en-export></en-export>")), {}, nothing).code(),
            StatusCode::kCorruption);
}

TEST(Enex, ANoteOverTheLimitIsPassedOver) {
  ReadLimits limits;
  limits.file_bytes = 2 << 20;
  std::string text = "<en-export><note><title>Long</title><content>" + std::string(4 << 20, 'x') +
                     "</content></note><note><title>Short</title><content>words</content></note></en-export>";
  limits.container_bytes = text.size();
  const auto items = read_notes(text, limits);
  ASSERT_EQ(items.size(), 2u);
  EXPECT_FALSE(items[0].status.ok());
  EXPECT_EQ(items[1].document.title, "Short");
}

}  // namespace
}  // namespace mneme::readers

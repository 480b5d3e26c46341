// Notes as programs export them, and what Markdown of theirs holds beside its text.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using test::block_text;
using test::expect_well_formed;
using test::read_text;

// Title, day and text of each document.
std::vector<std::string> notes_of(std::string_view name, std::string_view text) {
  std::vector<std::string> notes;
  const Status status = read_bytes(std::string(name), as_bytes(text), {}, [&](const ReadItem& item) {
    notes.push_back(item.document.title + " (" + item.document.date.substr(0, 10) + "): " + item.document.text);
    return item.status;
  });
  EXPECT_TRUE(status.ok()) << status.message();
  return notes;
}

TEST(ExportedNotes, EachIsADocument) {
  using Notes = std::vector<std::string>;
  EXPECT_EQ(
      notes_of("Journal.json", R"({"metadata": {"version": "1.0"}, "entries": [
  {"creationDate": "2026-03-12T18:05:09Z", "text": "# Lake\n\nWe swam\\!", "tags": ["summer"],
   "location": {"placeName": "Pier", "localityName": "Ulm"}}, {"creationDate": "2026-03-13T08:00:00Z", "text": "Rain."}]})"),
      (Notes{
          "Lake (2026-03-12): Day: Thursday, 12 March 2026\n\nTags: summer\n\nPlace: Pier, Ulm\n\n# Lake\n\nWe swam!",
          "Rain. (2026-03-13): Day: Friday, 13 March 2026\n\nRain."}));
  EXPECT_EQ(notes_of("notes.json", R"({"activeNotes": [{"content": "Flat\nThe key is with Leo",
  "lastModified": "2026-03-13T18:05:09.000Z", "tags": ["home"]}], "trashedNotes": [{"content": "old"}]})"),
            (Notes{"Flat (2026-03-13): Day: Friday, 13 March 2026\n\nTags: home\n\nFlat\nThe key is with Leo"}));
  EXPECT_EQ(notes_of("backup.txt", R"({"version": "004", "items": [{"uuid": "1", "content_type": "Note",
  "updated_at": "2026-03-13T18:05:09.000Z", "content": {"title": "Flat", "text": "The key"}},
  {"uuid": "2", "content_type": "Tag", "content": {"title": "home", "references": [{"uuid": "1"}]}}]})"),
            (Notes{"Flat (2026-03-13): # Flat\n\nDay: Friday, 13 March 2026\n\nTags: home\n\nThe key"}));
  EXPECT_EQ(
      notes_of(
          "wiki.html",
          "<!doctype html><html><head><meta name=\"application-name\" content=\"TiddlyWiki\"/></head><body>"
          "<script class=\"tiddlywiki-tiddler-store\" type=\"application/json\">["
          R"({"title": "Flat", "text": "The key", "modified": "20260313180509123"}, {"title": "$:/core", "text": "x"})"
          "]</script></body></html>"),
      (Notes{"Flat (2026-03-13): # Flat\n\nDay: Friday, 13 March 2026\n\nThe key"}));
}

TEST(ExportedNotes, WhatIsNoneIsToldAsItIsWritten) {
  EXPECT_EQ(read_text("a.json", "{\"activeNotes\": [").format, "json");
  EXPECT_EQ(read_text("a.json", "{\"activeNotes\": []}").format, "json");
}

TEST(Clippings, AreToldByBook) {
  const rag::Document document = read_text(
      "My Clippings.txt",
      "\xef\xbb\xbfThe River (Kurz, Anna)\r\n- Your Highlight on page 12 | Added on Thursday, March 12, 2026\r\n\r\n"
      "Water never asks\r\n==========\r\n\xef\xbb\xbf"
      "Boats (Lang)\r\n- Your Bookmark on page 2 | Added on "
      "Friday\r\n\r\n\r\n"
      "==========\r\nThe River (Kurz, Anna)\r\n- Your Note on page 13 | Added on Friday\r\n\r\nuse "
      "this\r\n==========\r\n");
  EXPECT_EQ(
      document.text,
      "The River (Kurz, Anna)\n\nWater never asks\n(Your Highlight on page 12 | Added on Thursday, March 12, 2026)\n\n"
      "use this\n(Your Note on page 13 | Added on Friday)");
  EXPECT_EQ(document.blocks[0].kind, rag::BlockKind::kHeading);
  EXPECT_EQ(document.blocks[2].line_begin, 11);
}

TEST(Bookmarks, SayWhereTheyLead) {
  const rag::Document document = read_text(
      "bookmarks.html",
      "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks Menu</H1>\n<DL><p>\n"
      "<DT><H3 ADD_DATE=\"1\">Baking</H3>\n<DL><p>\n"
      "<DT><A HREF=\"https://example.org/rye\" TAGS=\"bread,rye\">Rye step by step</A>\n<DD>The best\n</DL><p>\n"
      "<DT><A HREF=\"place:sort=8\">Recent</A>\n</DL><p>\n");
  EXPECT_EQ(document.title, "Bookmarks");
  EXPECT_EQ(document.text,
            "Bookmarks Menu\n\nBaking\n\n- Rye step by step: https://example.org/rye (bread,rye)\n\nThe best");
}

TEST(Zim, HeadingsBoxesAndTheDayOfItsHead) {
  const rag::Document document =
      read_text("Flat.txt",
                "Content-Type: text/x-zim-wiki\nWiki-Format: zim 0.6\nCreation-Date: 2026-03-12T18:05:09+01:00\n\n"
                "====== The flat ======\nThe key is with Leo.\n\n===== To do =====\n[ ] call\n[*] pay\n");
  EXPECT_EQ(document.title, "The flat");
  EXPECT_EQ(document.date.substr(0, 10), "2026-03-12");
  using enum rag::BlockKind;
  EXPECT_EQ(test::kinds(document), (std::vector{kHeading, kParagraph, kHeading, kListItem, kListItem}));
  EXPECT_EQ(document.blocks[2].heading_level, 2);
  expect_well_formed(document, true);
}

TEST(Tomboy, LinesListsAndTheNotebook) {
  const rag::Document document = read_text(
      "a1b2.note",
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<note version=\"0.3\" xmlns=\"http://beatniksoftware.com/tomboy\">"
      "<title>Stove</title><text xml:space=\"preserve\"><note-content version=\"0.1\">Stove\n\nSold to "
      "<link:internal>Lena</link:internal>.<list><list-item>pipe</list-item></list></note-content></text>"
      "<last-change-date>2026-03-13T18:05:09.0</last-change-date><tags><tag>system:notebook:Flat</tag></tags></"
      "note>\n");
  EXPECT_EQ(document.title, "Stove");
  EXPECT_EQ(document.date.substr(0, 10), "2026-03-13");
  EXPECT_EQ(document.text, "Stove\n\n- Tags: Flat\n\nSold to Lena.\n\n- pipe");
}

TEST(NoteProperties, OfJoplinAreNoText) {
  const rag::Document document =
      read_text("7f3a.md",
                "Stove\n\nSold to Lena.\n\nid: 7f3a0b1c\nparent_id: 1111\nis_todo: 0\nauthor: \n"
                "user_created_time: 2026-03-12T18:05:09.123Z\ntype_: 1");
  EXPECT_EQ(document.title, "Stove");
  EXPECT_EQ(document.date.substr(0, 10), "2026-03-12");
  ASSERT_EQ(document.blocks.size(), 2u);
  EXPECT_EQ(block_text(document, 1), "Sold to Lena.");
  EXPECT_EQ(read_text("a.md", "id: x\n\ntext with spaces: a\ntype_: 1").blocks.size(), 2u) << "somebody's own";
}

TEST(NoteProperties, OfLogseq) {
  const rag::Document document =
      read_text("flat.md",
                "title:: The flat\ndate:: [[Mar 12th, 2026]]\n\n- Keys\n  id:: 65f0\n"
                "\t- with Leo\n\t  :LOGBOOK:\n\t  CLOCK: [2026-03-12 Thu]\n\t  :END:\n- More\n");
  EXPECT_EQ(document.title, "The flat");
  EXPECT_EQ(document.date, "2026-03-12");
  ASSERT_EQ(document.blocks.size(), 4u);
  EXPECT_EQ(block_text(document, 1), "- Keys");
  EXPECT_EQ(block_text(document, 2), "\t- with Leo");
  EXPECT_EQ(read_text("a.md", "- a\n\n  :LOGBOOK:\n\nKept.\n").blocks.size(), 2u) << "a drawer without an end";
}

TEST(NoteDays, ByNameByHeadAndByProperty) {
  const rag::Document day = read_text("2026-03-12.md", "## Tasks\n\n- call\n");
  EXPECT_EQ(day.title, "2026-03-12");
  EXPECT_EQ(day.date, "2026-03-12");
  EXPECT_EQ(read_text("2026-03-12 Lake.md", "# Lake\n\nCold.\n").title, "Lake");
  EXPECT_EQ(read_text("2026_03_12.md", "- a\n").date, "2026-03-12");
  EXPECT_EQ(read_text("2026-31-12.md", "a\n").date, "");
  EXPECT_EQ(read_text("a.md", "---\ndate created: Thursday, March 12th 2026, 6:05:09 pm\n---\na\n").date, "2026-03-12");
  EXPECT_EQ(read_text("a.md", "---\nupdated: 2026-03-13\ncreated_at: 2026-03-12\n---\na\n").date, "2026-03-12");
  EXPECT_EQ(read_text("a.md", "---\nupdated: 2026-03-13\nx: y\n---\na\n").date, "2026-03-13");
  EXPECT_EQ(read_text("a.md", "# Trip\n\nCreated: March 12, 2026 6:05 PM\nTags: boats\n\na\n").date, "2026-03-12");
  EXPECT_EQ(read_text("Books 9f8e7d6c5b4a39281706f5e4d3c2b1a0.csv", "a,b\n1,2\n").title, "Books");
}

TEST(Tasks, OfTextAreItemsOfTheirOwn) {
  const rag::Document document = read_text(
      "todo.txt", "(A) 2026-03-12 call @phone\n(B) buy paint\nx 2026-03-13 pay\n[ ] ask\n\xe2\x98\x90 sweep\n");
  EXPECT_EQ(document.blocks.size(), 5u);
  EXPECT_EQ(read_text("a.txt", "Text\n(C) 2009 by Anna\n").blocks.size(), 1u);
}

}  // namespace
}  // namespace mneme::readers

// PO files: what gettext writes is read, what is no such file is told.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ui/language/po_file.h"

namespace mneme::ui {
namespace {

std::vector<PoMessage> read(std::string_view text) {
  Result<std::vector<PoMessage>> messages = parse_po(text);
  EXPECT_TRUE(messages.ok()) << messages.status().message();
  return messages.ok() ? std::move(messages).value() : std::vector<PoMessage>();
}

TEST(PoFileTest, MessagesContextsAndPluralsAreRead) {
  const auto messages = read(R"(# A translator's comment.
msgid ""
msgstr "Language: de\n"

#. Translators: of a key
#: ui/a.cpp:12
msgctxt "key"
msgid "Shift"
msgstr "Umschalt"

msgid "{0} file"
msgid_plural "{0} files"
msgstr[0] "{0} Datei"
msgstr[1] "{0} Dateien"
)");
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[0].id, "");
  EXPECT_EQ(messages[0].strings, std::vector<std::string>{"Language: de\n"});
  EXPECT_EQ(messages[1].context, "key");
  EXPECT_EQ(messages[1].id, "Shift");
  EXPECT_EQ(messages[2].plural_id, "{0} files");
  EXPECT_EQ(messages[2].strings, (std::vector<std::string>{"{0} Datei", "{0} Dateien"}));
}

TEST(PoFileTest, TextsGoOnInFurtherLinesAndHaveEscapes) {
  const auto messages = read(
      "\xef\xbb\xbfmsgid \"\"\r\n  \"one \\\"two\\\" \"\r\n\"three\"\r\n"
      "msgstr \"\\101\\x42\\t\\\\ \\344\\270\\255\"");
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].id, "one \"two\" three");
  EXPECT_EQ(messages[0].strings[0], "AB\t\\ 中");
}

TEST(PoFileTest, FuzzyMessagesAreMarkedAndObsoleteOnesPassedOver) {
  const auto messages = read(R"(#, fuzzy, c-format
msgid "a"
msgstr "b"
#~ msgid "gone"
#~ msgstr "weg"
msgid "c"
msgstr "d"
)");
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_TRUE(messages[0].fuzzy);
  EXPECT_FALSE(messages[1].fuzzy);
}

TEST(PoFileTest, WhatIsNoSuchFileIsToldWithItsLine) {
  for (const char* text : {"msgid \"a\"",
                           "msgstr \"a\"",
                           "\"a\"",
                           "msgid \"a\nmsgstr \"b\"",
                           "msgid a\nmsgstr \"b\"",
                           "msgid \"a\"b\"\nmsgstr \"c\"",
                           "msgid \"a\\\"\nmsgstr \"c\"",
                           "msgid \"\\q\"\nmsgstr \"c\"",
                           "msgid \"\\0\"\nmsgstr \"c\"",
                           "msgid \"\\777\"\nmsgstr \"c\"",
                           "msgid \"a\"\nmsgid \"b\"\nmsgstr \"c\"",
                           "msgctxt \"a\"\nmsgctxt \"b\"",
                           "msgid_plural \"a\"\nmsgstr \"b\"",
                           "msgid \"a\"\nmsgstr[0] \"b\"",
                           "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr \"c\"",
                           "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[1] \"c\"",
                           "msgid \"a\"\nmsgstr \"b\"\nmsgstr \"c\"",
                           "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0",
                           "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"c\"\nmsgstr[2] \"d\"",
                           "domain \"a\"",
                           "msgid \"\\xff\"\nmsgstr \"\\xff\"",
                           "msgid \"a\xff\"\nmsgstr \"b\""}) {
    const auto messages = parse_po(text);
    EXPECT_EQ(messages.status().code(), StatusCode::kCorruption) << text;
  }
  EXPECT_NE(parse_po("msgid \"a\"\nmsgstr b").status().message().find("line 2"), std::string::npos);
}

TEST(PoFileTest, TextsAndFormsHaveTheirBounds) {
  std::string forms = "msgid \"a\"\nmsgid_plural \"b\"\n";
  for (int i = 0; i < 8; ++i) forms += "msgstr[" + std::to_string(i) + "] \"x\"\n";
  EXPECT_TRUE(parse_po(forms).ok());
  EXPECT_FALSE(parse_po(forms + "msgstr[8] \"x\"\n").ok());
  std::string longest = "msgid \"";
  longest.append(70'000, 'a');
  EXPECT_FALSE(parse_po(longest + "\"\nmsgstr \"b\"").ok());
  EXPECT_FALSE(parse_po(std::string(5'000'000, '\n')).ok());
  EXPECT_TRUE(read("").empty());
}

}  // namespace
}  // namespace mneme::ui

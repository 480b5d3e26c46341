// Chats are found by what is said in them, as by reading all of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "catalogue_bed.h"

namespace mneme::storage {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Of the letters that the tests below use: case, the accent of ö, and the spaces that stand together.
std::string folded(const std::string& text) {
  std::string all;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool accented = text[i] == '\xC3';
    const char c = accented ? 'o' : text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] + 32) : text[i];
    i += accented ? 1 : 0;
    if (c != ' ' || !all.ends_with(' ')) all += c;
  }
  return all;
}

std::string trimmed(std::string text) {
  text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

class ChatSearchTest : public CatalogueTest {
 protected:
  ChatId begin(const std::string& title) {
    const auto chat = catalogue_->create_chat(title);
    EXPECT_TRUE(chat.ok());
    titles_[static_cast<int64_t>(*chat)] = title;
    return *chat;
  }
  MessageId say(ChatId chat, const std::string& text) {
    MessageRecord message;
    message.chat = chat;
    message.role = "user";
    message.text = text;
    const auto id = catalogue_->append_message(message);
    EXPECT_TRUE(id.ok());
    return *id;
  }
  // By reading all of it.
  std::vector<ChatId> expected(const std::string& text) {
    std::vector<ChatId> found;
    for (const auto& [chat, title] : titles_) {
      const std::string wanted = trimmed(folded(text));
      bool holds_it = folded(title).find(wanted) != std::string::npos;
      const auto messages = catalogue_->messages(ChatId{chat});
      for (const MessageRecord& message : *messages) {
        holds_it |= folded(message.text).find(wanted) != std::string::npos;
      }
      if (holds_it) found.push_back(ChatId{chat});
    }
    return found;
  }
  std::vector<ChatId> found(const std::string& text) {
    const auto chats = catalogue_->find_chats(text);
    EXPECT_TRUE(chats.ok()) << chats.status().message();
    return *chats;
  }

  std::map<int64_t, std::string> titles_;
};

TEST_F(ChatSearchTest, EqualsReadingAllOnRandomTexts) {
  Random random(7);
  const std::vector<std::string> syllables = {"ka", "To", "ri", "\xC3\xB6", "\xC3\x96", " ", "%", "_", "\\", "ne", "X"};
  const auto text = [&](int n) {
    std::string text;
    for (int i = 0; i < n; ++i) text += syllables[random.below(syllables.size())];
    return text;
  };
  std::vector<ChatId> chats;
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < 10; ++i) {
      chats.push_back(begin(text(4)));
      for (int k = 0; k < 5; ++k) say(chats[random.below(chats.size())], text(12));
    }
    for (int i = 0; i < 300; ++i) {
      std::string wanted = text(1 + static_cast<int>(random.below(5)));
      if (i % 3 == 0 && wanted.find('\xC3') == std::string::npos) wanted = wanted.substr(0, 1 + random.below(3));
      EXPECT_EQ(found(wanted), expected(wanted)) << wanted;
    }
    const size_t gone = random.below(chats.size());
    ASSERT_TRUE(catalogue_->delete_chat(chats[gone]).ok());
    titles_.erase(static_cast<int64_t>(chats[gone]));
    chats.erase(chats.begin() + static_cast<std::ptrdiff_t>(gone));
  }
}

// Also what another program says.
TEST_F(ChatSearchTest, WhatIsSaidLaterIsFoundAndWhatIsTakenOutIsNot) {
  const ChatId chat = begin("first");
  const MessageId message = say(chat, "the KETTLE is red");
  EXPECT_THAT(found("kettle"), ElementsAre(chat));
  EXPECT_THAT(found("ferry"), IsEmpty());
  say(chat, "the ferry leaves at noon");
  EXPECT_THAT(found("Ferry"), ElementsAre(chat));
  const auto other = Catalogue::open({.path = database_path()});
  ASSERT_TRUE(other.ok());
  const auto theirs = (*other)->create_chat("theirs");
  MessageRecord record;
  record.chat = *theirs;
  record.role = "user";
  record.text = "an otter on the ferry";
  ASSERT_TRUE((*other)->append_message(record).ok());
  EXPECT_THAT(found("ferry"), ElementsAre(chat, *theirs));
  ASSERT_TRUE(catalogue_->replace_messages(chat, std::vector<MessageId>{message}, {}).ok());
  EXPECT_THAT(found("kettle"), IsEmpty());
  ASSERT_TRUE((*other)->delete_chat(*theirs).ok());
  EXPECT_THAT(found("otter"), IsEmpty());
}

// An answer that came from it is another text then, in the same row.
TEST_F(ChatSearchTest, WhatStandsInPlaceOfAForgottenAnswerIsFound) {
  put("/docs/a.txt", {"the marsh owl lays seven eggs"});
  const ChatId chat = begin("birds");
  MessageRecord answer;
  answer.chat = chat;
  answer.role = "assistant";
  answer.text = "Seven eggs [1].";
  answer.details_json = R"({"citations":[{"document":"/docs/a.txt","cited":true}]})";
  ASSERT_TRUE(catalogue_->append_message(answer).ok());
  EXPECT_THAT(found("seven eggs"), ElementsAre(chat));
  ASSERT_TRUE(catalogue_->forget("/docs/a.txt", Catalogue::Members::kIncluded).ok());
  EXPECT_THAT(found("seven eggs"), IsEmpty());
  EXPECT_THAT(found("came from a file"), ElementsAre(chat));
}

TEST_F(ChatSearchTest, FindsAtEveryPlaceOfLongMessages) {
  Random random(9);
  std::vector<std::pair<ChatId, std::string>> said;
  for (size_t length = 1; length < 400; length += 1 + random.below(7)) {
    std::string text;
    for (size_t i = 0; i < length; ++i) text += static_cast<char>('a' + random.below(3));
    said.emplace_back(begin("x"), text);
    say(said.back().first, text);
  }
  for (int i = 0; i < 300; ++i) {
    const std::string& from = said[random.below(said.size())].second;
    std::string wanted = from.substr(random.below(from.size()), 1 + random.below(90));
    if (i % 4 == 0) wanted.back() = 'd';
    EXPECT_EQ(found(wanted), expected(wanted)) << wanted;
  }
}

TEST_F(ChatSearchTest, WhatIsSaidIsFoundHoweverItIsWritten) {
  const ChatId cyrillic = begin("Договор аренды");
  const ChatId umlaut = begin("bills");
  say(umlaut, "Die Ärztin schrieb am 3. März\n  eine Rechnung an die Hauptstraße 5.");
  EXPECT_THAT(found("ДОГОВОР"), ElementsAre(cyrillic));
  EXPECT_THAT(found("ärztin"), ElementsAre(umlaut));
  EXPECT_THAT(found("arztin"), ElementsAre(umlaut));
  EXPECT_THAT(found("märz eine rechnung"), ElementsAre(umlaut)) << "line breaks are spaces";
  EXPECT_THAT(found("HAUPTSTRASSE"), ElementsAre(umlaut));
  EXPECT_THAT(found("hauptstrase"), IsEmpty());
}

TEST_F(ChatSearchTest, MessagesThatAreNoTextAreReadThrough) {
  const ChatId zero = begin("zero");
  say(zero, std::string("kettle\0ferry", 12));
  const ChatId overlong = begin("overlong");
  say(overlong, "caf\xE0\x83\xA9 noir");  // three bytes for a letter of two
  EXPECT_THAT(found("kettle"), ElementsAre(zero));
  EXPECT_THAT(found("noir"), ElementsAre(overlong));
}

// As when a chat is deleted while another program writes.
TEST_F(ChatSearchTest, ADeletionThatFailsCostsNothing) {
  const ChatId chat = begin("first");
  say(chat, "an otter on the ferry");
  EXPECT_THAT(found("otter"), ElementsAre(chat));
  const auto impatient = Catalogue::open({.path = database_path(), .busy_timeout_ms = 1});
  ASSERT_TRUE(impatient.ok());
  EXPECT_THAT(*(*impatient)->find_chats("otter"), ElementsAre(chat));
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(database_path().c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_EQ((*impatient)->delete_chat(chat).code(), StatusCode::kBusy);
  sqlite3_close(other);
  EXPECT_THAT(*(*impatient)->find_chats("otter"), ElementsAre(chat));
}

// What is no UTF-8 is U+FFFD.
TEST_F(ChatSearchTest, BrokenLettersAreFoundAsOneSign) {
  const ChatId chat = begin("broken");
  say(chat, "caf\xE9 noir");
  EXPECT_THAT(found("f\xEF\xBF\xBD noir"), ElementsAre(chat));
}

}  // namespace
}  // namespace mneme::storage

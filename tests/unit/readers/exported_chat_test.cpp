// Chats that programs export as JSON.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rag/readers/spoken/exported_chats.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using test::expect_well_formed;
using test::read_text;

// Label of each document of a file, with its text or what is wrong with it.
std::vector<std::string> members_of(std::string_view name, std::string_view text) {
  std::vector<std::string> members;
  const Status status = read_bytes(std::string(name), as_bytes(text), {}, [&](ReadItem item) {
    members.push_back(item.member + ": " + (item.status.ok() ? item.document.text : item.status.message()));
    return Status();
  });
  EXPECT_TRUE(status.ok()) << status.message();
  return members;
}

TEST(MessageTimes, OfClocksAndOfSecondsSince1970) {
  EXPECT_EQ(wall_time("2026-03-12T18:05:09.123+01:00")->clock, "18:05");
  EXPECT_EQ(unix_time(1773338709.9)->clock, "18:05");
  EXPECT_EQ(unix_time(1773338709.9)->day, wall_time("2026-03-12T18:05")->day);
  EXPECT_EQ(unix_time(253402300799.0)->clock, "23:59");
  for (const double seconds : {0.0, -1.0, 253402300800.0, 1e300, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_FALSE(unix_time(seconds)) << seconds;
  for (const char* text : {"", "2026-03-12", "2026-02-30T18:05", "2026-03-12T24:05", "2026-03-12T18:60"})
    EXPECT_FALSE(wall_time(text)) << text;
}

TEST(JsonHeads, MembersAreKnownByNameAndBeginning) {
  EXPECT_TRUE(holds_member("{ \"type\" :\n\"message\"}", "type", "\"mess"));
  EXPECT_TRUE(holds_member("[\"type\", {\"type\":1}]", "type"));
  EXPECT_FALSE(holds_member("[\"type\", \"a\"]", "type"));
  EXPECT_FALSE(holds_member("{\"type\": ", "type", "\""));
}

constexpr std::string_view kTelegramChat = R"({
 "name": "Anna",
 "type": "personal_chat",
 "messages": [
  {"id": 1, "type": "service", "date": "2026-03-12T18:00:00", "actor": "Anna", "action": "phone_call", "text": ""},
  {"id": 2, "type": "message", "date": "2026-03-12T18:05:09", "from": "Anna", "text": "Where are\nthe keys?"},
  {"id": 3, "type": "message", "date": "2026-03-13T18:07:00", "from": null,
   "text": ["Under the ", {"type": "bold", "text": "flower pot"}, "."]},
  {"id": 4, "type": "message", "date": "2026-03-13T18:08:00", "from": "Anna", "photo": "a.jpg", "text": ""},
  {"id": 5, "type": "message", "date": "never", "from": "Anna", "text": "x"}, 7, null
 ]
})";

TEST(TelegramChat, MessagesByDayWithWhoAndWhen) {
  const rag::Document document = read_text("result.json", kTelegramChat);
  EXPECT_EQ(document.format, "chat");
  EXPECT_EQ(document.title, "Anna");
  EXPECT_EQ(document.date, "2026-03-13");
  EXPECT_EQ(document.text,
            "Thursday, 12 March 2026\n\n[18:05] Anna: Where are\nthe keys?\n\n"
            "Friday, 13 March 2026\n\n[18:07] Deleted account: Under the flower pot.");
  EXPECT_EQ(read_text("result.json", kTelegramChat.substr(0, 300)).format, "json");
}

TEST(TelegramChat, WhatIsSentBesideText) {
  EXPECT_EQ(read_text("result.json", R"({"name": "Trip", "type": "private_group", "messages": [
  {"type": "message", "date": "2026-03-12T18:05:09", "from": "Anna", "text": [{"type": "text_link", "text": "the map",
   "href": "https://example.org/m"}]},
  {"type": "message", "date": "2026-03-12T18:06:09", "from": "Ben", "forwarded_from": "Hut", "text": "Open in May"},
  {"type": "message", "date": "2026-03-12T18:07:09", "from": "Ben", "text": "", "poll": {"question": "Train or bus?",
   "answers": [{"text": "Train", "voters": 2}, {"text": "Bus", "voters": 0}]}},
  {"type": "message", "date": "2026-03-12T18:08:09", "from": "Ben", "text": "", "file_name": "Tickets.pdf"},
  {"type": "message", "date": "2026-03-12T18:08:10", "from": "Ben", "text": "", "file_name": "a.ogg", "media_type": "voice"},
  {"type": "message", "date": "2026-03-12T18:09:09", "from": "Ben", "text": "", "contact_information":
   {"first_name": "Lena", "last_name": "Kurz", "phone_number": "+49 1"}}]})")
                .text,
            "Thursday, 12 March 2026\n\n[18:05] Anna: the map (https://example.org/m)\n\n"
            "[18:06] Ben: (forwarded from Hut) Open in May\n\n[18:07] Ben: Train or bus? (Train: 2, Bus: 0)\n\n"
            "[18:08] Ben: Tickets.pdf\n\n[18:09] Ben: Lena Kurz +49 1");
}

TEST(TelegramChat, DaysThatAreNoneAreNotTold) {
  std::string chat(kTelegramChat);
  for (const std::string_view day : {"2026-02-30", "-202-01-01", "0000-00-00", "2026-1-011", "+123-01-01"}) {
    chat.replace(chat.find("T18:05:09") - 10, 10, day);
    EXPECT_EQ(read_text("result.json", chat).text,
              "Friday, 13 March 2026\n\n[18:07] Deleted account: Under the flower pot.")
        << day;
  }
}

TEST(TelegramChat, OfAWholeAccountEachIsADocument) {
  std::vector<std::string> members;
  const std::string all = "{\n \"about\": \"Here is the data you requested.\",\n \"chats\": {\"list\": [" +
                          std::string(kTelegramChat) + ", " + std::string(kTelegramChat) + ", {\"messages\": []}, 1]}}";
  const Status status = read_bytes("result.json", as_bytes(all), {}, [&](ReadItem item) {
    members.push_back(item.member + (item.status.ok() ? "" : ": " + item.status.message()));
    return Status();
  });
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(members, (std::vector<std::string>{"Anna", "Anna (2)", "chat 3: chat 3 is a chat without text.",
                                               "chat 4: chat 4 is a chat without text."}));
}

TEST(SlackChat, ADayOfAChannel) {
  constexpr std::string_view kDay = R"([
    {"type": "message", "subtype": "channel_join", "ts": "1773338600.000100", "user": "U01", "text": "<@U01> has joined"},
    {"client_msg_id": "1", "type": "message", "text": "Who has the key of the <#C7|boathouse>, <@U02>?",
     "user": "U01", "ts": "1773338709.000200", "user_profile": {"real_name": "Anna Weiss", "display_name": "anna"}},
    {"type": "message", "text": "I &amp; <@U01> do: <https://example.org/keys|the list>\n<!here> a < b",
     "user": "U02", "ts": "1773338800.000300", "user_profile": {"real_name": "", "display_name": "ben"}},
    {"type": "message", "subtype": "bot_message", "username": "calendar", "text": "Regatta tomorrow", "ts": "1773424000.0"},
    {"type": "message", "text": "thanks <@U99>", "user": "U03", "ts": "1773424100.0"},
    {"type": "message", "text": "never", "user": "U03", "ts": "soon"}, 7, null
  ])";
  const rag::Document document = read_text("export/rowing/2026-03-12.json", kDay);
  EXPECT_EQ(document.format, "chat");
  EXPECT_EQ(document.title, "rowing 2026-03-12");
  EXPECT_EQ(document.date, "2026-03-13");
  EXPECT_EQ(document.text,
            "Thursday, 12 March 2026\n\n[18:05] Anna Weiss: Who has the key of the #boathouse, @ben?\n\n"
            "[18:06] ben: I & @Anna Weiss do: the list (https://example.org/keys)\n@here a < b\n\n"
            "Friday, 13 March 2026\n\n[17:46] calendar: Regatta tomorrow\n\n[17:48] U03: thanks @U99");
  expect_well_formed(document, false);
  EXPECT_EQ(read_text("2026-03-12.json", kDay).title, "Chat: Anna Weiss, U03, ben and others");
}

TEST(SlackChat, FilesBlocksAndWhatProgramsAttach) {
  EXPECT_EQ(read_text("general/2026-03-12.json", R"([
  {"type": "message", "user": "U1", "user_profile": {"real_name": "Anna"}, "ts": "1773338709.000200", "text": "",
   "files": [{"name": "b.xlsx", "title": "Budget"}]},
  {"type": "message", "user": "U1", "ts": "1773338719.000200", "text": "", "blocks": [{"type": "rich_text", "elements":
   [{"type": "rich_text_section", "elements": [{"type": "text", "text": "Ask "}, {"type": "user", "user_id": "U1"}]}]}]},
  {"type": "message", "subtype": "bot_message", "username": "CI", "bot_id": "B1", "ts": "1773338729.000200", "text": "",
   "attachments": [{"title": "Build 42 failed", "fields": [{"title": "Branch", "value": "main"}]}]},
  {"type": "message", "subtype": "tombstone", "user": "U1", "ts": "1773338739.000200", "text": "This message was deleted."}
])")
                .text,
            "Thursday, 12 March 2026\n\n[18:05] Anna: Budget\n\n[18:05] Anna: Ask @Anna\n\n"
            "[18:05] CI: Build 42 failed\nBranch: main");
}

TEST(MessengerChat, IsToldFromItsFirstMessageOn) {
  const rag::Document document = read_text("message_1.json", R"({
    "participants": [{"name": "Ren\u00c3\u00a9"}, {"name": "Anna"}],
    "messages": [
      {"sender_name": "Anna", "timestamp_ms": 1773424000000, "content": "Caf\u00c3\u00a9?\nAt ten"},
      {"sender_name": "Anna", "timestamp_ms": 1773338800000, "photos": [{"uri": "a.jpg"}]},
      {"sender_name": "Anna", "timestamp_ms": 1773338709000, "content": "second"},
      {"sender_name": "Ren\u00c3\u00a9", "timestamp_ms": 1773338709000, "content": "first \u20ac"},
      {"sender_name": "Anna", "content": "never"}, 3],
    "title": "Ren\u00c3\u00a9", "thread_path": "inbox/x"})");
  EXPECT_EQ(document.title, "René");
  EXPECT_EQ(document.text,
            "Thursday, 12 March 2026\n\n[18:05] René: first €\n\n[18:05] Anna: second\n\n"
            "Friday, 13 March 2026\n\n[17:46] Anna: Café?\nAt ten");
  const rag::Document encrypted = read_text("Anna_1.json", R"({"participants":["Anna","Ben"],"threadName":"Anna_1",
    "messages":[{"senderName":"Anna","text":"Où ?","timestamp":1773338709000,"type":"text","media":[]}]})");
  EXPECT_EQ(encrypted.text, "Thursday, 12 March 2026\n\n[18:05] Anna: Où ?");
}

TEST(DiscordChat, OfAChannel) {
  const rag::Document document = read_text("general.json", R"({
    "guild": {"id": "1", "name": "Rowing club"},
    "channel": {"id": "2", "type": "GuildTextChat", "category": "Text", "name": "general", "topic": null},
    "dateRange": {"after": null, "before": null},
    "messages": [
      {"id": "3", "type": "GuildMemberJoin", "timestamp": "2026-03-12T18:00:00+01:00", "content": "Joined.",
       "author": {"name": "anna"}},
      {"id": "4", "type": "Default", "timestamp": "2026-03-12T18:05:09.5+01:00", "content": "Who rows?",
       "author": {"name": "anna", "nickname": "Anna W."}},
      {"id": "5", "type": "Reply", "timestamp": "2026-03-12T18:06:00+01:00", "content": "Me",
       "author": {"name": "ben", "nickname": ""}}], "messageCount": 3})");
  EXPECT_EQ(document.title, "general (Rowing club)");
  EXPECT_EQ(document.text, "Thursday, 12 March 2026\n\n[18:05] Anna W.: Who rows?\n\n[18:06] ben: Me");
}

TEST(GoogleChat, OfAConversation) {
  const rag::Document document = read_text("messages.json", R"({"messages": [
    {"creator": {"name": "Anna", "email": "anna@example.org", "user_type": "Human"},
     "created_date": "Thursday, March 12, 2026 at 6:05:09\u202fPM UTC", "text": "Lunch?", "topic_id": "x"},
    {"creator": {"email": "ben@example.org"}, "created_date": "Friday, March 13, 2026 at 12:01:00 AM UTC", "text": "Yes"},
    {"creator": {"name": "Anna"}, "created_date": "Friday, Marzo 13, 2026 at 1:01:00 AM UTC", "text": "no day"},
    {"creator": {"name": "Anna"}, "created_date": "yesterday", "text": "no day"}]})");
  EXPECT_EQ(document.title, "Chat: Anna, ben@example.org");
  EXPECT_EQ(document.text,
            "Thursday, 12 March 2026\n\n[18:05] Anna: Lunch?\n\nFriday, 13 March 2026\n\n[00:01] ben@example.org: Yes");
}

constexpr std::string_view kChatGptMapping = R"({
    "a": {"id": "a", "message": null, "parent": null, "children": ["b"]},
    "b": {"id": "b", "parent": "a", "children": ["c", "d"], "message": {"author": {"role": "user"},
          "create_time": 1773338709.25, "content": {"content_type": "text", "parts": ["How do I\n\nsort?"]}}},
    "c": {"id": "c", "parent": "b", "children": [], "message": {"author": {"role": "assistant"},
          "create_time": 1773338710, "content": {"content_type": "text", "parts": ["given up"]}}},
    "d": {"id": "d", "parent": "b", "children": ["e"], "message": {"author": {"role": "assistant"}, "recipient": "python",
          "create_time": 1773338711, "content": {"content_type": "code", "text": "x"}}},
    "e": {"id": "e", "parent": "d", "children": [], "message": {"author": {"role": "assistant"}, "recipient": "all",
          "create_time": null, "content": {"content_type": "text", "parts": ["So:\n```cpp\nif (x)\n  sort(x);\n```\nDone."]}}}})";

TEST(ChatGptChats, TheBranchThatWasOpenIsTold) {
  const std::string one = "{\"title\": \"Sorting\", \"create_time\": 1773338700.5, \"update_time\": 1, \"mapping\": " +
                          std::string(kChatGptMapping) + ", \"current_node\": \"e\"}";
  const std::vector<std::string> members =
      members_of("conversations.json", "[" + one + ", " + one +
                                           ", {\"title\": null, \"create_time\": null, \"mapping\": {\"a\": " +
                                           "{\"parent\": \"a\"}}, \"current_node\": \"a\"}]");
  const std::string told =
      "Thursday, 12 March 2026\n\n[18:05] User: How do I\n\nsort?\n\n[18:05] ChatGPT: So:\n\nif (x)\n  "
      "sort(x);\n\nDone.";
  EXPECT_EQ(members, (std::vector<std::string>{"Sorting: " + told, "Sorting (2): " + told,
                                               "chat 3: chat 3 is a chat without text."}));
}

TEST(ClaudeChats, EachConversationIsADocument) {
  const std::vector<std::string> members = members_of("conversations.json", R"([
    {"uuid": "1", "name": "Tax", "created_at": "2026-03-12T18:00:00Z", "updated_at": "2026-03-12T18:00:00Z",
     "account": {"uuid": "2"}, "chat_messages": [
      {"uuid": "3", "text": "When is it due?", "sender": "human", "created_at": "2026-03-12T18:05:09.1Z",
       "attachments": [{"file_name": "letter.txt", "extracted_content": "Due on\n31 July"}]},
      {"uuid": "4", "text": "", "content": [{"type": "text", "text": "On 31 July."}], "sender": "assistant",
       "created_at": "2026-03-13T08:05:09Z"}]},
    {"uuid": "5", "name": "", "created_at": "2026-03-12T18:00:00Z", "chat_messages": []}])");
  EXPECT_EQ(members,
            (std::vector<std::string>{
                "Tax: Thursday, 12 March 2026\n\n[18:05] User: When is it due?\n\nletter.txt\n\nDue on\n31 July"
                "\n\nFriday, 13 March 2026\n\n[08:05] Claude: On 31 July.",
                "chat 2: chat 2 is a chat without text."}));
}

TEST(SkypeChats, EachConversationIsADocument) {
  const auto members = members_of("messages.json", R"({"userId": "8:ben", "exportDate": "2026-04-12T07:00",
 "conversations": [{"id": "8:live:anna", "displayName": "Anna", "MessageList": [
  {"displayName": null, "originalarrivaltime": "2026-03-12T18:06:09.1Z", "messagetype": "RichText",
   "content": "<quote author=\"anna\"><legacyquote>[1] Anna: </legacyquote>The flat?</quote>Yes, <b>at six</b> &amp; with Leo",
   "from": "8:live:ben"},
  {"displayName": "Anna", "originalarrivaltime": "2026-03-12T18:05:09.1Z", "messagetype": "RichText",
   "content": "The flat?", "from": "8:live:anna"},
  {"originalarrivaltime": "2026-03-12T18:04:09.1Z", "messagetype": "Event/Call", "content": "<partlist/>", "from": "8:x"}]},
 {"id": "8:live:leo", "MessageList": []}]})");
  EXPECT_EQ(members, (std::vector<std::string>{"Anna: Thursday, 12 March 2026\n\n[18:05] Anna: The flat?\n\n"
                                               "[18:06] ben: The flat?\nYes, at six & with Leo"}));
}

TEST(MatrixChat, RepliesDoNotRepeatWhatTheyAnswer) {
  const rag::Document document =
      read_text("export.json", R"({"room_name": "Rowing", "exported_by": "@b:x", "messages": [
  {"type": "m.room.create", "sender": "@anna:x", "content": {}, "origin_server_ts": 1773338700000},
  {"type": "m.room.message", "sender": "@anna:x", "content": {"msgtype": "m.text", "body": "Who brings the cake?"},
   "origin_server_ts": 1773338709000},
  {"type": "m.room.message", "sender": "@ben:x", "content": {"msgtype": "m.text", "body": "> <@anna:x> Who?\n\nMe"},
   "origin_server_ts": 1773338769000}]})");
  EXPECT_EQ(document.title, "Rowing");
  EXPECT_EQ(document.text, "Thursday, 12 March 2026\n\n[18:05] anna: Who brings the cake?\n\n[18:06] ben: Me");
}

TEST(ExportedChats, WhatIsNoneIsToldAsItIsWritten) {
  for (const char* text :
       {"[{\"mapping\": {\"a\": 1}, \"create_time\": 1", "[]",
        "{\"messages\": [], \"creator\": {}, \"created_date\": 3}", "[{\"type\": \"message\", \"text\": \"no time\"}]",
        "{\"participants\": [], \"sender_name\": \"x\", \"messages\": 3}"})
    EXPECT_EQ(read_text("data.json", text).format, "json") << text;
}

TEST(ExportedChats, AMessageOfCodeAloneSaysWhoseItIs) {
  const std::vector<std::string> members = members_of("conversations.json", R"([{"uuid": "1", "name": "Code",
    "created_at": "2026-03-12T18:00:00Z", "account": {}, "chat_messages": [{"text": "```\nint x;\n```", "sender": "human",
    "created_at": "2026-03-12T18:05:09Z"}]}])");
  EXPECT_EQ(members, std::vector<std::string>{"Code: Thursday, 12 March 2026\n\n[18:05] User:\n\nint x;"});
}

}  // namespace
}  // namespace mneme::readers

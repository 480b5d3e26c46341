// Chats as other programs save them: text of Pidgin, Zoom, LINE, KakaoTalk and Discord, pages, text messages.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using test::expect_well_formed;
using test::read_text;

constexpr std::string_view kTold =
    "Thursday, 12 March 2026\n\n[18:05] Anna: Who brings the cake?\n\n[18:06] Ben: Me\n\n"
    "Friday, 13 March 2026\n\n[09:05] Anna: Good";

void expect_told(std::string_view name, std::string_view text) {
  const rag::Document document = read_text(name, text);
  EXPECT_EQ(document.format, "chat") << name;
  EXPECT_EQ(document.text, kTold) << name;
  EXPECT_EQ(document.date, "2026-03-13") << name;
  expect_well_formed(document, false);
}

TEST(ChatPrograms, TextOfManyProgramsIsToldAlike) {
  expect_told("hexchat.log",
              "**** BEGIN LOGGING AT Thu Mar 12 18:00:00 2026\n\nMar 12 18:00:01 *\tNow talking on #x\n"
              "Mar 12 18:05:09 <Anna>\tWho brings the cake?\nMar 12 18:06:09 <Ben>\tMe\nMar 13 09:05:00 <Anna>\tGood\n"
              "**** ENDING LOGGING AT Fri Mar 13 19:00:00 2026\n");
  expect_told("pidgin.txt",
              "Conversation with a@b at Thu 12 Mar 2026 06:00:00 PM CET on c@d (jabber)\n"
              "(06:05:09 PM) Anna: Who brings the cake?\n(06:06:09 PM) Ben: Me\n(06:07:00 PM) Ben has signed off.\n"
              "(2026-03-13 09:05:00) Anna: Good\n");
  expect_told(
      "line.txt",
      "[LINE] Chat history with Anna\nSaved on: 2026/03/14 18:05\n\n2026/03/12(Thu)\n"
      "18:05\tAnna\tWho brings the cake?\n18:06\tBen\tMe\n18:07\tBen\t[Sticker]\n18:08\tBen unsent a message.\n\n"
      "2026/03/13(Fri)\n09:05\tAnna\t\"Good\"\n");
  expect_told(
      "KakaoTalk.txt",
      "Anna 님과 카카오톡 대화\n저장한 날짜 : 2026-03-14 18:05:09\n\n"
      "--------------- 2026년 3월 12일 목요일 ---------------\n[Anna] [오후 6:05] Who brings the cake?\n"
      "[Ben] [오후 6:06] Me\n--------------- 2026년 3월 13일 금요일 ---------------\n[Anna] [오전 9:05] Good\n");
  expect_told("discord.txt",
              "==============================================================\nGuild: Club\nChannel: Text / rowing\n"
              "==============================================================\n\n[12-Mar-26 06:05 PM] Anna\n"
              "Who brings the cake?\n\n{Reactions}\n\xf0\x9f\x91\x8d (2)\n\n[12-Mar-26 06:06 PM] Ben\nMe\n\n"
              "[13-Mar-26 09:05 AM] Anna\nGood\n\n\n"
              "==============================================================\nExported 3 message(s)\n"
              "==============================================================\n");
  expect_told("copied.txt",
              "Anna, [12.03.2026 18:05]\nWho brings the cake?\n\nBen, [12.03.2026 18:06]\nMe\n\n"
              "Anna, [13.03.2026 09:05]\nGood\n");
}

TEST(ChatPrograms, ALogOfOneDayIsDatedByItsName) {
  EXPECT_EQ(read_text("#rowing_20260312.log", "[18:05:09] <Anna> Who?\n[18:06:09] <Ben> Me\n").text,
            "Thursday, 12 March 2026\n\n[18:05] Anna: Who?\n\n[18:06] Ben: Me");
  EXPECT_EQ(
      read_text("meeting_saved_chat.txt", "18:05:09\t From Anna to Everyone:\n\tWho?\n18:06:09\t From  Ben : Me\n")
          .text,
      "[18:05] Anna: Who?\n\n[18:06] Ben: Me");
}

TEST(ChatPrograms, OtherTextsStayText) {
  for (const char* text :
       {"[1] [2] a\n[3] [4] b\n", "Notes, [see 12.03.2026 below]\n\nMore, [12]\n", "(a) one: two\n(b) three: four\n",
        "====================\nA title\n====================\n\nSome text.\n"})
    EXPECT_EQ(read_text("a.txt", text).format, "text") << text;
}

TEST(ChatPages, TelegramsAndDiscords) {
  const rag::Document telegram =
      read_text("messages.html",
                "<!DOCTYPE html><html><head><title>Exported Data</title></head><body onload=\"CheckLocation();\">"
                "<div class=\"page_wrap\"><div class=\"page_header\"><div class=\"text bold\">\nTrip\n</div></div>"
                "<div class=\"message service\"><div class=\"body details\">12 March 2026</div></div>"
                "<div class=\"message default clearfix\"><div class=\"initials\">A</div><div class=\"body\">"
                "<div class=\"pull_right date details\" title=\"12.03.2026 18:05:09 UTC+01:00\">18:05</div>"
                "<div class=\"from_name\">\nAnna\n</div><div class=\"text\">\nSee <a href=\"x\">the hut</a><br>It "
                "opens\n</div></div></div>"
                "<div class=\"message default clearfix joined\"><div class=\"body\">"
                "<div class=\"pull_right date details\" title=\"13.03.2026 09:05:09 UTC+01:00\">09:05</div>"
                "<div class=\"text\">I cook</div></div></div></div></body></html>");
  EXPECT_EQ(telegram.format, "chat");
  EXPECT_EQ(telegram.title, "Trip");
  EXPECT_EQ(telegram.text,
            "Thursday, 12 March 2026\n\n[18:05] Anna: See the hut\nIt opens\n\nFriday, 13 March 2026\n\n[09:05] Anna: "
            "I cook");
  const rag::Document discord = read_text(
      "raids.html",
      "<!DOCTYPE html><html><head><title>Club - raids</title><style>.chatlog__message {}</style></head><body>"
      "<div class=chatlog><div class=chatlog__message-container><span class=chatlog__author title=anna>Anna</span>"
      "<span class=chatlog__timestamp title=\"Thursday, March 12, 2026 6:05 PM\">x</span>"
      "<div class=\"chatlog__content chatlog__markdown\">Raid at nine?</div></div></div></body></html>");
  EXPECT_EQ(discord.text, "Thursday, 12 March 2026\n\n[18:05] Anna: Raid at nine?");
}

TEST(TextMessages, EachConversationIsADocument) {
  std::vector<std::string> members;
  const Status status = read_bytes(
      "sms.xml",
      as_bytes(std::string_view(
          "<?xml version='1.0' encoding='UTF-8' ?>\n<!--File Created By SMS Backup & Restore-->\n<smses count=\"3\">\n"
          "<sms address=\"+49\" date=\"1773338769000\" type=\"2\" body=\"Thanks!&#10;At six\" contact_name=\"Anna\" "
          "/>\n"
          "<sms address=\"+49\" date=\"1773338709000\" type=\"1\" body=\"Your parcel\" contact_name=\"Anna\" />\n"
          "<mms address=\"Bank\" date=\"1773425209000\" msg_box=\"1\" contact_name=\"(Unknown)\"><parts>"
          "<part ct=\"application/smil\" text=\"x\" /><part ct=\"text/plain\" text=\"Code 7\" "
          "/></parts></mms>\n</smses>\n")),
      {}, [&](const ReadItem& item) {
        members.push_back(item.document.title + ": " + item.document.text);
        return item.status;
      });
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(members, (std::vector<std::string>{
                         "Text messages with Anna: Thursday, 12 March 2026\n\n[18:05] Anna: Your parcel\n\n"
                         "[18:06] Me: Thanks!\nAt six",
                         "Text messages with Bank: Friday, 13 March 2026\n\n[18:06] Bank: Code 7"}));
}

}  // namespace
}  // namespace mneme::readers

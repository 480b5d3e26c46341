#include <gtest/gtest.h>

#include <string>

#include "rag/readers/spoken/chat_days.h"
#include "rag/readers/spoken/chat_fillers.h"
#include "rag/readers/spoken/chat_lines.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using test::expect_well_formed;
using test::read_text;

TEST(ChatLines, HeadsInTheOrdersOfManyCountries) {
  struct Case {
    const char* line;
    const char* time;
    const char* speaker;
  };
  for (const Case& c : {Case{"12/03/2026, 18:05 - Anna: Hi", "18:05", "Anna"},
                        Case{"[12.03.26, 18:05:09] Ben Huber: Hi", "18:05", "Ben Huber"},
                        Case{"3/12/26, 6:05 PM - Carol: Hi", "18:05", "Carol"},
                        Case{"3/12/26, 12:05 AM - Carol: Hi", "00:05", "Carol"},
                        Case{"12/3/26, 6:05 p. m. - Eva: Hi", "18:05", "Eva"},
                        Case{"[2026-03-12, 18:05:09] +46 70 123 45 67: Hi", "18:05", "+46 70 123 45 67"},
                        Case{"12.3.2026, 18.05 - Mikko: Hi", "18:05", "Mikko"},
                        Case{"12/03/26 18:05 - Luca: Hi", "18:05", "Luca"},
                        Case{"[12/03/26, 18:05:09] ~ Lena: Hi", "18:05", "Lena"},
                        Case{"2026-03-12 18:05 - Sven: Hi", "18:05", "Sven"},
                        Case{"[2026-03-12 18:05:09] Sven: Hi", "18:05", "Sven"},
                        Case{"[12.3.2026 klo 18.05.09] Aino: Hi", "18:05", "Aino"},
                        Case{"12/03/2026 à 18:05 - Léa: Hi", "18:05", "Léa"},
                        Case{"12.03.26 г., 18:05 ч. - Ива: Hi", "18:05", "Ива"},
                        Case{"2026. 03. 12. 18:05 - Éva: Hi", "18:05", "Éva"},
                        Case{"2026/3/12 下午6:05 - 王: Hi", "18:05", "王"},
                        Case{"[2026/03/12 18:05:09] 田中: Hi", "18:05", "田中"},
                        Case{"[3/12/R8, 18:05:09] 田中: Hi", "18:05", "田中"},
                        Case{"2026. 3. 12. 오후 6:05 - 김: Hi", "18:05", "김"},
                        Case{"2026. 3. 12. 오전 12:05 - 김: Hi", "00:05", "김"},
                        Case{"18:05, 12/03/2026 - Lan: Hi", "18:05", "Lan"},
                        Case{"[18:05:09, 12/03/2026] Lan: Hi", "18:05", "Lan"},
                        Case{"12/3/26, 6:05 μ.μ. - Νίκη: Hi", "18:05", "Νίκη"},
                        Case{"12/3/2026, 6:05 م - ليلى: Hi", "18:05", "ليلى"},
                        Case{"١٢/٣/٢٠٢٦، ٦:٠٥ ص - ليلى: Hi", "06:05", "ليلى"},
                        Case{"۲۰۲۶/۳/۱۲، ۱۸:۰۵ - Sara: Hi", "18:05", "Sara"},
                        Case{"[3/12/2569 BE, 18:05:09] Som: Hi", "18:05", "Som"},
                        Case{"12.03.2026, 18:05:09: Uwe: Hi", "18:05", "Uwe"},
                        Case{"[12/03/2026 18:05:09] Léa : Hi", "18:05", "Léa"}}) {
    const ChatHead head = whatsapp_head(c.line);
    ASSERT_GT(head.size, 0u) << c.line;
    EXPECT_EQ(head.time, c.time) << c.line;
    EXPECT_EQ(head.speaker, c.speaker) << c.line;
    EXPECT_EQ(std::string_view(c.line).substr(head.size), "Hi");
  }
  for (const char* line : {"", "[", "12/03/2026", "12/03/2026, 18:05", "12/03/2026, 18:05 Anna: Hi",
                           "2026-03-12 18:05:09 - worker: done", "[2026-03-12, 18:05:09] INFO: started",
                           "12/03/2026, 25:05 - Anna: Hi", "0/0/0, 1:01 - A: x", "12/03, 18:05 - A: x"})
    EXPECT_EQ(whatsapp_head(line).size, 0u) << line;
  EXPECT_EQ(whatsapp_head("14/03/2026, 08:00 - Anna changed the description").speaker, "");
  EXPECT_EQ(whatsapp_head("14/03/2026, 08:00 - Anna changed the subject to \"Trip: Rome\"").speaker, "");
}

TEST(ChatLines, HeadsOfIrc) {
  for (const char* line : {"18:05 <@anna> Hi", "[18:05:09] <anna> Hi", "18:05 < anna> Hi",
                           "2026-03-12 18:05:09\t@anna\tHi", "2026-03-12T18:05:09 <anna> Hi", "[18:05] * anna Hi"}) {
    const ChatHead head = irc_head(line);
    EXPECT_EQ(head.speaker, "anna") << line;
    EXPECT_EQ(std::string_view(line).substr(head.size), "Hi") << line;
  }
  for (const char* line :
       {"Mar 12 18:05:09 <anna>\tHi", "Mar 12 18:05:09 *\tanna Hi", "2026-03-12 18:05:09\t *\tanna Hi"}) {
    const ChatHead head = irc_head(line);
    EXPECT_EQ(head.speaker, "anna") << line;
    EXPECT_EQ(std::string_view(line).substr(head.size), "Hi") << line;
  }
  for (const std::string_view line :
       {"18:05 -!- anna has quit [Quit: leaving]", "[18:05] * Now talking in #rowing",
        "[18:05] * anna has joined #rowing", "18:05 -anna(~a@host)- psst", "Mar 12 18:05:09 *\tanna (~a@host) has left",
        "--- Log closed Fri Mar 13 10:00:00 2026"}) {
    EXPECT_EQ(irc_head(line).speaker, "") << line;
    EXPECT_EQ(irc_head(line).size, line.size()) << line;
  }
  EXPECT_EQ(irc_day("**** BEGIN LOGGING AT Thu Mar 12 18:00:00 2026"), (std::array{2026, 3, 12}));
  EXPECT_EQ(irc_day("Session Start: Thu Mar 12 18:00:00 2026"), (std::array{2026, 3, 12}));
  EXPECT_EQ(irc_head("18:05 lunch").size, 0u);
  EXPECT_EQ(irc_day("--- Log opened Thu Mar 12 18:00:00 2026"), (std::array{2026, 3, 12}));
  EXPECT_EQ(irc_day("--- Day changed Fri Mar 13 2026"), (std::array{2026, 3, 13}));
  EXPECT_EQ(irc_day("--- Day changed "), (std::array{0, 0, 0}));
}

TEST(ChatDays, OrderIsToldByWhatNoMonthCanBeAndByTime) {
  const auto last_day = [](std::initializer_list<const char*> lines) {
    ChatDays days;
    ChatHead head;
    for (const char* line : lines) days.see(head = whatsapp_head(line));
    const auto day = days.day_of(head);
    return day ? std::to_string(static_cast<int>(day->year())) + "-" +
                     std::to_string(static_cast<unsigned>(day->month())) + "-" +
                     std::to_string(static_cast<unsigned>(day->day()))
               : std::string("none");
  };
  EXPECT_EQ(last_day({"31/01/26, 10:00 - A: x", "01/02/26, 10:00 - A: x"}), "2026-2-1");
  EXPECT_EQ(last_day({"1/31/26, 10:00 - A: x", "2/1/26, 10:00 - A: x"}), "2026-2-1");
  EXPECT_EQ(last_day({"1/12/26, 10:00 - A: x", "2/1/26, 10:00 - A: x"}), "2026-2-1");
  EXPECT_EQ(last_day({"2/1/26, 10:00 PM - A: x"}), "2026-2-1");
  EXPECT_EQ(last_day({"2/1/26, 10:00 - A: x"}), "2026-1-2");
  EXPECT_EQ(last_day({"2026-02-01, 10:00 - A: x"}), "2026-2-1");
  EXPECT_EQ(last_day({"31/02/2026, 10:00 - A: x"}), "none");
  EXPECT_EQ(last_day({"31/1/2569 10:00 - A: x", "1/2/2569 10:00 - A: x"}), "2026-2-1") << "of the Buddha";
}

TEST(Chat, MessagesByDayWithWhoAndWhen) {
  const rag::Document document =
      read_text("WhatsApp Chat with Anna.txt",
                "12/03/2026, 18:05 - Messages and calls are end-to-end encrypted.\n"
                "12/03/2026, 18:05 - Anna: Where are the keys?\n"
                "12/03/2026, 18:07 - Ben Huber: Under the flower pot\n"
                "next to the cellar door.\n"
                "12/03/2026, 18:08 - Anna: <Media omitted>\n"
                "13/03/2026, 09:30 - Anna: \xe2\x80\x8eIMG-1.jpg (file attached)\nThe new tap\n"
                "14/03/2026, 08:00 - Anna changed the group description\n");
  EXPECT_EQ(document.format, "chat");
  EXPECT_EQ(document.title, "WhatsApp Chat with Anna");
  EXPECT_EQ(document.date, "2026-03-13");
  EXPECT_EQ(document.text,
            "Thursday, 12 March 2026\n\n[18:05] Anna: Where are the keys?\n\n"
            "[18:07] Ben Huber: Under the flower pot\nnext to the cellar door.\n\n"
            "Friday, 13 March 2026\n\n[09:30] Anna: The new tap");
  EXPECT_EQ(document.blocks[0].kind, rag::BlockKind::kHeading);
  EXPECT_EQ(document.blocks[2].line_begin, 3);
  EXPECT_EQ(document.blocks[2].line_end, 4);
  expect_well_formed(document, false);
}

TEST(Chat, ExportsOfOtherTelephonesAndLogs) {
  const rag::Document phone =
      read_text("_chat.txt",
                "\xe2\x80\x8e[12.03.26, 18:05:09] Familie: \xe2\x80\x8eVerschlüsselt.\n"
                "[12.03.26, 18:05:09] Mama: Wann kommt Opa?\n"
                "[12.03.26, 18:06:30] Jonas: Um 15:40\n"
                "[12.03.26, 18:06:31] Jonas: \xe2\x80\x8e<attached: 1.jpg>\n"
                "[12.03.26, 18:07:00] Mama: Gut \xe2\x80\x8e<Diese Nachricht wurde bearbeitet.>\n");
  EXPECT_EQ(phone.title, "Familie");
  EXPECT_EQ(phone.text,
            "Thursday, 12 March 2026\n\n[18:05] Mama: Wann kommt Opa?\n\n[18:06] Jonas: Um 15:40\n\n[18:07] Mama: Gut");
  EXPECT_EQ(read_text("us.txt",
                      "3/12/26, 6:05\xe2\x80\xafPM - Carol: Hi\n3/13/26, 7:15\xe2\x80\xaf"
                      "AM - Dave: Hi\n")
                .text,
            "Thursday, 12 March 2026\n\n[18:05] Carol: Hi\n\nFriday, 13 March 2026\n\n[07:15] Dave: Hi");
  EXPECT_EQ(read_text("irc.log",
                      "--- Log opened Thu Mar 12 18:00:00 2026\n18:05 -!- anna [~a@b] has joined #x\n"
                      "18:05 < anna> how?\n18:06 <@ben> so\n--- Day changed Fri Mar 13 2026\n09:00 < anna> thanks\n")
                .text,
            "Thursday, 12 March 2026\n\n[18:05] anna: how?\n\n[18:06] ben: so\n\n"
            "Friday, 13 March 2026\n\n[09:00] anna: thanks");
}

TEST(ChatFillers, WhatProgramsWriteInPlaceOfWords) {
  const std::string mark = "\xe2\x80\x8e";
  for (const std::string& filler :
       {std::string("<Media omitted>"), mark + "image omitted", std::string("image omitted"), std::string("null"),
        std::string("This message was deleted."), std::string("IMG-20260312-WA0007.jpg (file attached)"),
        mark + "<attached: 00000012-PHOTO-2026-03-12-18-01-11.jpg>",
        mark + "Anna joined using this group's invite link"})
    EXPECT_EQ(said_words(filler), "") << filler;
  EXPECT_EQ(said_words("See you at 8 <This message was edited>"), "See you at 8");
  EXPECT_EQ(said_words("It is <b>big</b>"), "It is <b>big</b>");
  EXPECT_EQ(said_words("Mail <anna@example.org>"), "Mail <anna@example.org>");
  EXPECT_EQ(
      said_words(mark + "Invoice.pdf \xe2\x80\xa2 " + mark + "2 pages " + mark + "<attached: 00000013-Invoice.pdf>"),
      "Invoice.pdf");
  EXPECT_EQ(said_words("Here it is " + mark + "<attached: 00000013-Invoice.pdf>"), "Here it is (Invoice.pdf)");
  EXPECT_EQ(said_words(mark + "Location: https://example.org/?q=48.4,10.0"),
            "Location: https://example.org/?q=48.4,10.0");
}

TEST(Chat, LinesThatProgramsLogAlikeNeedMoreThanTwo) {
  const std::string log = "[2026-03-12 18:05:09] worker: done\n[2026-03-12 18:05:10] worker: again\n";
  EXPECT_EQ(read_text("a.txt", log).format, "text");
  EXPECT_EQ(read_text("_chat.txt",
                      "[2026-03-12 18:05:09] Sven: hej\n[2026-03-12 18:05:10] Ida: \xe2\x80\x8eimage omitted\n"
                      "[2026-03-12 18:06:10] Ida: hur?\n")
                .text,
            "Thursday, 12 March 2026\n\n[18:05] Sven: hej\n\n[18:06] Ida: hur?");
}

TEST(Chat, IsKnownByItsFirstLines) {
  EXPECT_EQ(read_text("notes.txt", "12/03/2026, 18:05 - Anna: one line alone\nand more\n").format, "text");
  EXPECT_EQ(read_text("server.log", "[2026-03-12, 18:05:09] INFO: a\n[2026-03-12, 18:05:10] ERROR: b\n").format,
            "text");
  EXPECT_EQ(read_text("day.txt", "18:05 lunch\n18:30 walk\n").format, "text");
  EXPECT_EQ(read_text("a.md", "12/03/2026, 18:05 - A: x\n12/03/2026, 18:06 - B: y\n").format, "markdown");
  EXPECT_EQ(read_text("pictures.txt", "12/03/2026, 18:05 - A: <x>\n12/03/2026, 18:06 - B: <y>\n").format, "text");
}

}  // namespace
}  // namespace mneme::readers

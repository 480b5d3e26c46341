#include <gtest/gtest.h>

#include <string>

#include "rag/readers/mail/calendar_words.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using test::block_text;
using test::expect_well_formed;
using test::read_text;

std::string calendar(const std::string& lines) {
  return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + lines + "END:VCALENDAR\r\n";
}

TEST(Calendar, EventsInWordsWithTheirLines) {
  const rag::Document document = read_text("home.ics", calendar("X-WR-CALNAME:Family\r\n"
                                                                "BEGIN:VEVENT\r\n"
                                                                "DTSTART;TZID=Europe/Berlin:20260303T140000\r\n"
                                                                "DTEND;TZID=Europe/Berlin:20260303T153000\r\n"
                                                                "SUMMARY:Dentist\\, check-up\r\n"
                                                                "LOCATION:Praxis Dr. Weber\\, Haupt\r\n"
                                                                " strasse 5\r\n"
                                                                "ORGANIZER;CN=Anna Weber:mailto:anna@example.org\r\n"
                                                                "ATTENDEE;CN=Eva Lang:mailto:eva@example.org\r\n"
                                                                "ATTENDEE;PARTSTAT=DECLINED:mailto:tom@example.org\r\n"
                                                                "RRULE:FREQ=MONTHLY;INTERVAL=6;BYDAY=1TU;COUNT=4\r\n"
                                                                "DESCRIPTION:Bring the card.\\nAsk for the bill.\r\n"
                                                                "END:VEVENT\r\n"
                                                                "BEGIN:VEVENT\r\n"
                                                                "SUMMARY:Holidays\r\n"
                                                                "DTSTART;VALUE=DATE:20260720\r\n"
                                                                "DTEND;VALUE=DATE:20260801\r\n"
                                                                "END:VEVENT\r\n"));
  EXPECT_EQ(document.title, "Family");
  EXPECT_EQ(document.format, "ics");
  EXPECT_EQ(document.text,
            "Dentist, check-up\n\n"
            "- When: Tuesday, 3 March 2026, 14:00 to 15:30 (Europe/Berlin)\n"
            "- Repeats: every 6 months on the first Tuesday, 4 times\n"
            "- Place: Praxis Dr. Weber, Hauptstrasse 5\n"
            "- Organiser: Anna Weber <anna@example.org>\n"
            "- Attendees: Eva Lang <eva@example.org>; tom@example.org (declined)\n\n"
            "Bring the card.\n\n"
            "Ask for the bill.\n\n"
            "Holidays\n\n"
            "- When: Monday, 20 July 2026 to Friday, 31 July 2026, all day");
  EXPECT_EQ(block_text(document, 3), "- Place: Praxis Dr. Weber, Hauptstrasse 5");
  EXPECT_EQ(document.blocks[3].line_begin, 8);
  EXPECT_EQ(document.blocks[3].line_end, 9);
  EXPECT_EQ(document.blocks[5].line_begin, 11);
  EXPECT_EQ(document.blocks[5].line_end, 12);
  expect_well_formed(document, false);
}

TEST(Calendar, TasksAlarmsZonesAndExceptions) {
  const rag::Document document = read_text(
      "a.ics",
      calendar("BEGIN:VTIMEZONE\nTZID:X\nBEGIN:STANDARD\nDTSTART:19700101T000000\nEND:STANDARD\nEND:VTIMEZONE\n"
               "BEGIN:VTODO\nSUMMARY:Pay the rent\nDUE:20260401T100000Z\nSTATUS:NEEDS-ACTION\nPRIORITY:1\n"
               "BEGIN:VALARM\nDESCRIPTION:Beep\nSUMMARY:Bell\nEND:VALARM\nEND:VTODO\n"
               "BEGIN:VEVENT\nSUMMARY:Flight\nDTSTART;TZID=Europe/Berlin:20260303T230000\n"
               "DTEND;TZID=\"/example.org/Asia/Tokyo\":20260304T180000\nEXDATE:20260310T100000,20260317\nEND:VEVENT\n"
               "BEGIN:VEVENT\nSUMMARY:Run\nDTSTART:20260303T090000\nDURATION:PT1H30M\nSTATUS:CANCELLED\n"
               "END:VEVENT\n"));
  EXPECT_EQ(document.text,
            "Pay the rent\n\n- Due: Wednesday, 1 April 2026, 10:00 (UTC)\n- Status: needs action\n"
            "- Priority: 1 (highest)\n\n"
            "Flight\n\n- When: Tuesday, 3 March 2026, 23:00 (Europe/Berlin) to Wednesday, 4 March 2026, 18:00 "
            "(Asia/Tokyo)\n- Not on: Tuesday, 10 March 2026, 10:00; Tuesday, 17 March 2026\n\n"
            "Run\n\n- When: Tuesday, 3 March 2026, 09:00 to 10:30\n- Takes: 1 hour 30 minutes\n- Status: cancelled");
  EXPECT_EQ(document.title, "a");
}

TEST(Calendar, AnInvitationIsCalledByWhatItInvitesTo) {
  const std::string invitation = calendar("BEGIN:VEVENT\nSUMMARY:Board meeting\nDTSTART:20260303\nEND:VEVENT\n");
  const rag::Document document = read_text("1f2e3d", invitation);
  EXPECT_EQ(document.title, "Board meeting");
  EXPECT_EQ(document.date, "2026-03-03");
  EXPECT_EQ(detect_format("1f2e3d", as_bytes("\xef\xbb\xbf" + invitation)), "ics");
}

TEST(Calendar, DamagedOnesAreReadAsFarAsTheyGo) {
  const rag::Document cut = read_text(
      "a.ics",
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:One\nDTSTART:sometime\nBEGIN:VEVENT\nSUMMARY:Two\nDTSTART:20261");
  EXPECT_EQ(cut.text, "One\n\n- When: sometime\n\nTwo\n\n- When: 20261");
  EXPECT_EQ(cut.notes, std::vector<std::string>{"the file ends in the middle of an entry"});
  EXPECT_EQ(read_document("a.ics", as_bytes("<html>no calendar</html>")).status().code(), StatusCode::kCorruption);
  EXPECT_EQ(read_document("a.ics", as_bytes(calendar(""))).status().code(), StatusCode::kUnsupported);
  std::string nested = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Deep\n";
  for (int i = 0; i < 200'000; ++i) nested += "BEGIN:VALARM\n";
  EXPECT_EQ(read_text("a.ics", nested).text, "Deep");
}

TEST(Calendar, SizesAreBounded) {
  ReadLimits limits;
  limits.text_bytes = 1 << 20;
  std::string many;
  for (int i = 0; i < 100'000; ++i) many += "ATTENDEE:mailto:someone.of.a.long.name@example.org\n";
  const rag::Document crowd =
      read_text("a.ics", calendar("BEGIN:VEVENT\nSUMMARY:Crowd\n" + many + "END:VEVENT\n"), limits);
  EXPECT_FALSE(crowd.notes.empty());
  EXPECT_LE(crowd.text.size(), limits.text_bytes);
}

TEST(Calendar, InvitationsThatAreCancelledAnsweredOrMeetOnTheWeb) {
  const rag::Document document = test::read_text(
      "a.ics",
      "BEGIN:VCALENDAR\nMETHOD:CANCEL\nBEGIN:VEVENT\nSUMMARY:Tea\nATTENDEE;PARTSTAT=ACCEPTED:mailto:ann@example.org\n"
      "X-GOOGLE-CONFERENCE:https://meet.example.org/abc\nDESCRIPTION:<p>Bring <b>cake</b>.</p>Or\\, if you "
      "like<br>tea\n"
      "END:VEVENT\nEND:VCALENDAR\n");
  for (const char* words : {"Status: cancelled", "ann@example.org (accepted)", "Link: https://meet.example.org/abc",
                            "Bring cake.", "Or, if you like"}) {
    EXPECT_NE(document.text.find(words), std::string::npos) << words << " in " << document.text;
  }
}

TEST(Calendar, AnEntryNeedsNoCalendarAroundIt) {
  EXPECT_EQ(test::read_text("a.ics", "BEGIN:VEVENT\nSUMMARY:Tea\nEND:VEVENT\n").title, "Tea");
}

TEST(CalendarWords, RulesOfRecurrence) {
  EXPECT_EQ(rule_in_words("FREQ=DAILY"), "every day");
  EXPECT_EQ(rule_in_words("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,FR;WKST=SU;UNTIL=20261218T225959Z"),
            "every 2 weeks on Monday, Wednesday and Friday until Friday, 18 December 2026");
  EXPECT_EQ(rule_in_words("FREQ=MONTHLY;BYDAY=-1FR;COUNT=1"), "every month on the last Friday, 1 time");
  EXPECT_EQ(rule_in_words("FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1"), "every month on the last of Monday and Tuesday");
  EXPECT_EQ(rule_in_words("FREQ=MONTHLY;BYMONTHDAY=15,-1"), "every month on day 15 and the last day");
  EXPECT_EQ(rule_in_words("freq=yearly;bymonth=3,9;bymonthday=21"), "every year on day 21 in March and September");
  // What has no plain words stands as it is.
  for (const char* rule : {"FREQ=NEVER", "FREQ=DAILY;BYHOUR=9", "FREQ=WEEKLY;BYDAY=XX", "FREQ=DAILY;INTERVAL=0",
                           "FREQ=DAILY;COUNT=99999999999", "FREQ=DAILY;UNTIL=20260231", "D1 #0", ""}) {
    EXPECT_EQ(rule_in_words(rule), std::string("by the rule ") + rule);
  }
}

TEST(CalendarWords, OnlyTimesThatAre) {
  for (const char* wrong : {"", "2026", "20260230", "20261301", "20260303T", "20260303T250000", "20260303T1200",
                            "20260303T120000X", "2026-03-03", "20260303T12000-"}) {
    EXPECT_FALSE(parse_calendar_time(wrong, "").has_value()) << wrong;
  }
  EXPECT_EQ(day_in_words(*parse_calendar_time("20000229", "")), "Tuesday, 29 February 2000");
  EXPECT_EQ(time_in_words(*parse_calendar_time("20260303T140000Z", "ignored")), "Tuesday, 3 March 2026, 14:00 (UTC)");
  for (const char* wrong : {"", "P", "PT", "1H", "P1H", "PT1D", "P99999999W", "PT9999999999S", "-PT1H", "P1"}) {
    EXPECT_FALSE(parse_duration(wrong).has_value()) << wrong;
  }
  EXPECT_EQ(duration_in_words(*parse_duration("P1DT2H")), "1 day 2 hours");
}

}  // namespace
}  // namespace mneme::readers

#include "rag/readers/mail/ended_lines.h"

#include <gtest/gtest.h>

#include "rag/readers/document_builder.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

// As people see it.
std::string lines_of(std::string_view paragraph, size_t width) {
  std::string text = with_ended_lines(paragraph, width);
  for (size_t at = text.find(kLineBreak); at != std::string::npos; at = text.find(kLineBreak)) {
    text.replace(at, kLineBreak.size(), " / ");
  }
  return text;
}

TEST(EndedLines, AreThoseBehindWhichTheNextWordWouldHaveFitted) {
  EXPECT_EQ(lines_of("Outbound: Friday, 06:55\nReturn: Sunday", 72), "Outbound: Friday, 06:55 / Return: Sunday");
  EXPECT_EQ(lines_of("This line goes on where\nanother word had no room", 24),
            "This line goes on where another word had no room");
  EXPECT_EQ(lines_of("One\r\nTwo", 72), "One / Two");
  EXPECT_EQ(lines_of("It flows \non", 72), "It flows  on") << "RFC 3676";
  EXPECT_EQ(lines_of("Übermäßig größer\nals", 19), "Übermäßig größer als") << "characters, not bytes";
  EXPECT_EQ(lines_of("Übermäßig größer\nals", 20), "Übermäßig größer / als");
  EXPECT_EQ(lines_of(std::string(200, 'x') + "\ny", 72), std::string(200, 'x') + " / y") << "nobody broke it";
  EXPECT_EQ(lines_of("Passengers: two of us\nBaggage: one bag", 24), "Passengers: two of us / Baggage: one bag");
  EXPECT_EQ(lines_of("", 72), "");
}

TEST(EndedLines, TheWidthIsThatOfTheLongestBrokenLine) {
  const std::string broken(74, 'x');
  EXPECT_EQ(wrapping_width(broken + "\nshort\n" + std::string(300, 'y')), 74u);
  EXPECT_EQ(wrapping_width("> " + broken + "\nshort"), 0u) << "somebody else's";
  EXPECT_EQ(wrapping_width("all\nare\nshort"), 0u);
  EXPECT_EQ(wrapping_width(""), 0u);
}

TEST(EndedLines, OfAMessageStayLines) {
  const std::string text = test::read_text("trip.eml",
                                           "From: a@b.example\nSubject: Trip\n\n"
                                           "Thank you for booking with us. Your seats are kept until the evening of\n"
                                           "the day before.\n\n"
                                           "Outbound: SH 482, Friday 15 May, departure 06:55\n"
                                           "Return: SH 483, Sunday 24 May, departure 20:10\n")
                               .text;
  EXPECT_NE(text.find("evening of the day"), std::string::npos) << text;
  EXPECT_NE(text.find("06:55\nReturn: SH 483"), std::string::npos) << text;
}

}  // namespace
}  // namespace mneme::readers

#include "rag/readers/spoken/chat_lines.h"

#include <algorithm>
#include <optional>

#include "rag/readers/front_matter.h"
#include "rag/readers/spoken/chat_head_cursor.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr size_t kLongestHead = 160;  // bytes
constexpr size_t kLongestSpeaker = 80;
constexpr size_t kLongestNick = 40;
constexpr std::string_view kLeftToRight = "\xe2\x80\x8e";

// Levels of programs' logs, which look so: "[2026-03-12, 18:05:09] INFO: started".
bool is_level(std::string_view name) {
  constexpr std::string_view kLevels[] = {"info",  "warn",  "warning", "error",    "debug",
                                          "trace", "fatal", "notice",  "critical", "verbose"};
  return std::find(std::begin(kLevels), std::end(kLevels), lower_ascii(name)) != std::end(kLevels);
}

// "[18:05:09]", "18:05", "2026-03-12 18:05:09"
bool take_irc_time(HeadCursor& cursor, ChatHead& head) {
  const bool bracket = cursor.take("[");
  HeadCursor dated = cursor;
  if (dated.named_date(head.date)) {  // "Mar 12 18:05:09"
    dated.skip_spaces();
    cursor = dated;
  } else if (dated.date(head)) {
    if (!dated.take("T")) dated.skip_spaces();
    cursor = dated;
  } else {
    head.date = {};
  }
  return cursor.time(head) && (!bracket || cursor.take("]"));
}

// What IRC programs tell behind a star as if somebody did it.
bool is_event(std::string_view words) {
  constexpr std::string_view kEvents[] = {"Now talking ", "Topic ",    "You are ", "You have ",
                                          "Disconnected", "Rejoined ", "Set by ",  "Retrieving "};
  constexpr std::string_view kBehindNick[] = {
      " has joined",     " has quit",   " has left",        " sets mode",
      " gives ",         " removes ",   " is now known as", " has changed the topic",
      " changes topic ", " was kicked", " sets ban"};
  const std::string_view behind = words.substr(std::min(words.find(' '), words.size()));
  const std::string_view nearby = behind.substr(0, behind.find_first_of(".!?"));
  return std::any_of(std::begin(kEvents), std::end(kEvents), [&](auto event) { return words.starts_with(event); }) ||
         std::any_of(std::begin(kBehindNick), std::end(kBehindNick),
                     [&](auto event) { return nearby.starts_with(event); }) ||
         (behind.starts_with(" (") && behind.substr(0, behind.find(')')).find('@') != behind.npos);
}

// "<@anna>", "< anna>", "* anna", "\tanna\t": who; nothing for what is none.
std::optional<std::string> take_nick(HeadCursor& cursor) {
  bool acts = false;
  if (cursor.take("\t")) {
    const std::string nick(cursor.rest().substr(0, cursor.rest().find('\t')));
    if (nick.empty() || nick.size() > kLongestNick || nick.size() == cursor.rest().size()) return std::nullopt;
    cursor.take(nick);
    acts = trim(nick) == "*";
    if (!acts) return nick.substr(std::min(nick.find_first_not_of("@+%~& "), nick.size()));
    cursor.take("\t");
  } else {
    acts = cursor.take("* ") || cursor.take("*\t");
    if (!acts && !cursor.take("<")) return std::nullopt;
  }
  cursor.skip_spaces();
  for (const std::string_view rank : {"@", "+", "%", "~", "&"}) cursor.take(rank);
  const size_t end = cursor.rest().find(acts ? ' ' : '>');
  if (end == 0 || end > kLongestNick) return std::nullopt;  // or there is none
  std::string nick(cursor.rest().substr(0, end));
  if (nick.find_first_of(acts ? "<>[]*" : " \t<") != std::string::npos) return std::nullopt;
  cursor.take(nick);
  cursor.take(">");
  return nick;
}

// What a program says without a name: "-!- anna has joined", "*** Joins: anna", "-anna- a notice".
bool is_irc_notice(std::string_view rest) {
  for (const std::string_view program : {"-!-", "***", "--> ", "<-- ", "\t-->\t", "\t<--\t", "\t--\t", "\t=!=\t"})
    if (rest.starts_with(program)) return true;
  if (rest.starts_with("* ") || rest.starts_with("*\t")) return is_event(trim(rest.substr(2)));
  return rest.size() > 2 && rest.front() == '-' && is_letter(rest[1]) && rest.find_first_of("(-:") != rest.npos &&
         rest.find(' ') > rest.find('-', 1);
}

// "12/03/2026, 18:05", "12.3.2026 klo 18.05", "18:05, 12/03/2026".
bool take_day_and_time(HeadCursor& cursor, ChatHead& head) {
  HeadCursor time_first = cursor;
  if (time_first.time(head) && time_first.take_comma() && time_first.take(" ") && time_first.date(head)) {
    cursor = time_first;
    return true;
  }
  head = {};
  if (!cursor.date(head)) return false;
  bool comma = false;
  bool timed = false;
  for (int words = 0; !timed && words < 3; ++words) {  // "г.", "klo" between them
    if (words > 0) cursor.skip_word();
    comma = cursor.take_comma() || comma;
    cursor.skip_spaces();
    HeadCursor at_time = cursor;
    timed = at_time.time(head);
    if (timed) cursor = at_time;
  }
  if (!timed) return false;
  const std::string_view rest = cursor.rest();
  if (!rest.starts_with(" -") && !rest.starts_with(']') && !rest.starts_with(':')) cursor.skip_word();
  // Programs' logs have no comma behind their days, but seconds.
  return comma || head.date[0] <= 31 || !head.seconds || head.half_days || head.separator != '-' ||
         cursor.rest().starts_with(']');
}

// What the first bytes of a line are without marks; raw 0: the rest is none of the words.
struct PlainPiece {
  size_t raw = 0;
  std::string_view plain;
};

// IRC's colours: "\x03" and up to two numbers.
size_t colour_size(std::string_view rest) {
  size_t size = 1;
  const auto digits = [&] {
    for (int n = 0; n < 2 && size < rest.size() && is_digit(rest[size]); ++n) ++size;
  };
  digits();
  if (size > 1 && size + 1 < rest.size() && rest[size] == ',' && is_digit(rest[size + 1])) {
    ++size;
    digits();
  }
  return size;
}

PlainPiece next_piece(std::string_view rest) {
  const std::string_view three = rest.substr(0, 3);
  const bool direction =
      three == kLeftToRight || three == "\xe2\x80\x8f" ||
      (three.size() == 3 && three.starts_with("\xe2\x80") && three[2] >= '\xaa' && three[2] <= '\xae') ||
      (three.size() == 3 && three.starts_with("\xe2\x81") && three[2] >= '\xa6' && three[2] <= '\xa9');
  // "<This message was edited>", "<attached: 1.jpg>": the program's own words, in any language.
  if (three == kLeftToRight && rest.substr(3).starts_with('<') && rest.ends_with('>')) return {};
  if (direction || three == "\xef\xbb\xbf") return {3, {}};
  if (rest.front() == '\x03') return {colour_size(rest), {}};
  if (three == "\xe2\x80\xaf") return {3, " "};  // a narrow no-break space
  if (three.starts_with("\xc2\xa0")) return {2, " "};
  return {1, rest.substr(0, 1)};
}

}  // namespace

std::string plain_chat_line(std::string_view line) {
  std::string plain;
  for (size_t i = 0; i < line.size();) {
    const PlainPiece piece = next_piece(line.substr(i));
    if (piece.raw == 0) break;
    plain += piece.plain;
    i += piece.raw;
  }
  return plain;
}

size_t raw_size(std::string_view line, size_t plain_bytes) {
  size_t raw = 0;
  for (size_t plain = 0; plain < plain_bytes && raw < line.size();) {
    const PlainPiece piece = next_piece(line.substr(raw));
    if (piece.raw == 0) break;
    plain += piece.plain.size();
    raw += piece.raw;
  }
  return raw;
}

bool like_logs(const ChatHead& head, std::string_view line) {
  return line.starts_with('[') && head.date[0] > 31 && head.separator == '-' && !head.half_days &&
         line.find(',') > head.size;
}

ChatHead whatsapp_head(std::string_view line) {
  HeadCursor cursor(line.substr(0, kLongestHead));
  ChatHead head;
  const bool bracket = cursor.take("[");
  if (!take_day_and_time(cursor, head)) return {};
  // "12.03.2026, 18:05:09: Anna: ...", as old ones have it.
  const bool old = !bracket && head.seconds && cursor.take(": ");
  if (!old && (bracket ? !cursor.take("] ") : !cursor.take(" - "))) return {};
  const size_t colon = cursor.rest().find(": ");
  const size_t end = std::min(colon, cursor.rest().ends_with(':') ? cursor.rest().size() - 1 : colon);
  const std::string_view speaker = cursor.rest().substr(0, end);
  // "Anna changed the subject to “Trip: Rome”" has no speaker.
  if (end <= kLongestSpeaker && speaker.find_first_of("\"<") == speaker.npos && speaker.find("“") == speaker.npos) {
    head.speaker = trim(speaker);
    if (is_level(head.speaker)) return {};
    cursor.take(speaker);
    cursor.take(":");
    cursor.skip_spaces();
    if (head.speaker.starts_with("~ ")) head.speaker.erase(0, 2);  // whom the telephone's contacts do not have
  } else if (old) {
    return {};
  }
  head.size = cursor.taken();
  return head;
}

ChatHead irc_head(std::string_view line) {
  HeadCursor cursor(line.substr(0, kLongestHead));
  ChatHead head;
  for (const std::string_view mark :
       {"--- Log closed ", "**** ENDING LOGGING ", "Session Close: ", "Session Ident: "}) {
    if (!line.starts_with(mark)) continue;
    head.size = line.size();
    return head;
  }
  if (!take_irc_time(cursor, head)) return {};
  if (!cursor.rest().starts_with('\t')) cursor.skip_spaces();
  if (is_irc_notice(cursor.rest())) {
    head.size = line.size();
    return head;
  }
  const auto nick = take_nick(cursor);
  if (!nick) return {};
  head.speaker = *nick;
  cursor.skip_spaces();
  head.size = cursor.taken();
  return head;
}

std::array<int, 3> irc_day(std::string_view line) {
  for (const std::string_view mark :
       {"--- Log opened ", "--- Day changed ", "**** BEGIN LOGGING AT ", "Session Start: ", "Session Time: "}) {
    if (!line.starts_with(mark)) continue;
    line = trim(line.substr(mark.size()));  // "Fri Mar 13 2026", "Fri Mar 13 18:00:00 2026"
    const size_t weekday = line.find(' ');
    const size_t year = line.rfind(' ');
    if (weekday == std::string_view::npos || year <= weekday) return {};
    const std::string_view day = line.substr(weekday + 1, std::min<size_t>(6, line.size() - weekday - 1));
    const std::string iso = iso_date(std::string(trim(day)) + ", " + std::string(line.substr(year + 1)));
    ChatHead head;
    return HeadCursor(iso).date(head) ? head.date : std::array<int, 3>{};
  }
  return {};
}

}  // namespace mneme::readers

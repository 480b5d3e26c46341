#include "rag/readers/spoken/chat_logs.h"

#include <algorithm>

#include "rag/readers/spoken/chat_head_cursor.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

using Day = std::array<int, 3>;

constexpr size_t kLongestHead = 200;  // bytes
constexpr size_t kLongestName = 80;

bool is_whole_year(const Day& day) {
  return day[0] >= 1970 && day[0] <= 9999 && day[1] >= 1 && day[1] <= 12 && day[2] >= 1 && day[2] <= 31;
}

// Takes a name and the mark behind it.
bool take_speaker(HeadCursor& cursor, ChatHead& head, std::string_view mark) {
  const size_t end = cursor.rest().find(mark);
  if (end == 0 || end > kLongestName) return false;  // or there is none
  head.speaker = trim(cursor.rest().substr(0, end));
  cursor.take(cursor.rest().substr(0, end));
  cursor.take(mark);
  return !head.speaker.empty();
}

ChatHead finished(ChatHead head, const HeadCursor& cursor) {
  head.size = cursor.taken();
  return head;
}

// "12.03.2026 18:05", "12-Mar-26 06:05 PM"
bool take_dated_time(HeadCursor& cursor, ChatHead& head) {
  HeadCursor dated = cursor;
  if (!dated.named_date(head.date)) {
    dated = cursor;
    if (!dated.date(head)) return false;
  }
  dated.take_comma();
  dated.skip_spaces();
  if (!dated.time(head)) return false;
  cursor = dated;
  return true;
}

// A day with its year, named or in digits with the year first, anywhere in a text.
Day day_within(std::string_view text) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (at > 0 && text[at - 1] != ' ' && text[at - 1] != '(') continue;
    HeadCursor cursor(text.substr(at));
    Day day{};
    if (cursor.named_date(day) && is_whole_year(day)) return day;
    ChatHead head;
    if (HeadCursor(text.substr(at)).date(head) && is_whole_year(head.date)) return head.date;
  }
  return {};
}

}  // namespace

ChatHead pidgin_head(std::string_view line) {
  HeadCursor cursor(line.substr(0, kLongestHead));
  ChatHead head;
  if (!cursor.take("(")) return {};
  if (!take_dated_time(cursor, head)) {
    head = {};
    if (!cursor.time(head)) return {};
  }
  if (!cursor.take(") ")) return {};
  if (!take_speaker(cursor, head, ": ")) cursor.take(cursor.rest());  // "anna has signed off."
  return finished(head, cursor);
}

Day pidgin_day(std::string_view line) {
  return line.starts_with("Conversation with ") ? day_within(line) : Day{};
}

ChatHead zoom_head(std::string_view line) {
  HeadCursor cursor(line.substr(0, kLongestHead));
  ChatHead head;
  if (!take_dated_time(cursor, head)) {
    head = {};
    if (!cursor.time(head)) return {};
  }
  cursor.skip_spaces();
  if (!cursor.take("From ")) return {};
  const size_t colon = cursor.rest().find(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view between = cursor.rest().substr(0, colon);
  head.speaker = trim(between.substr(0, between.find(" to ")));
  if (head.speaker.empty() || head.speaker.size() > kLongestName) return {};
  cursor.take(between);
  cursor.take(":");
  cursor.skip_spaces();
  return finished(head, cursor);
}

ChatHead line_head(std::string_view line) {
  HeadCursor cursor(line.substr(0, kLongestHead));
  ChatHead head;
  if (!cursor.time(head) || !cursor.take("\t")) return {};
  if (!take_speaker(cursor, head, "\t")) {  // who came and went
    head.size = line.size();
    return head;
  }
  return finished(head, cursor);
}

Day line_day(std::string_view line) {
  line = trim(line);
  const size_t comma = line.find(", ");  // "Thu, 3/12/2026"
  HeadCursor cursor(comma < 12 ? line.substr(comma + 2) : line);
  ChatHead head;
  if (!cursor.date(head)) return {};
  cursor.skip_spaces();
  // The day of the week behind it: "(Thu)", "（木）", "Thursday".
  return cursor.rest().size() <= 24 && cursor.rest().find_first_of("0123456789\t:") == std::string_view::npos
             ? head.date
             : Day{};
}

ChatHead kakao_head(std::string_view line) {
  HeadCursor cursor(line.substr(0, kLongestHead));
  ChatHead head;
  if (cursor.take("[")) {
    if (!take_speaker(cursor, head, "] [") || !cursor.time(head) || !cursor.take("] ")) return {};
    return finished(head, cursor);
  }
  head.date = kakao_day(line);  // "2026년 3월 12일 오후 6:05, 민지 : ..."
  const size_t day_ends = line.find("일 ");
  if (head.date[0] == 0 || day_ends > 40) return {};
  cursor.take(cursor.rest().substr(0, day_ends + std::string_view("일 ").size()));
  if (!cursor.time(head) || !cursor.take(", ") || !take_speaker(cursor, head, " : ")) return {};
  return finished(head, cursor);
}

Day kakao_day(std::string_view line) {
  const size_t digits = line.find_first_of("0123456789");
  if (digits > 20) return {};
  HeadCursor cursor(line.substr(digits));
  Day day{};
  day[0] = cursor.number(4);
  if (!cursor.take("년 ")) return line.starts_with("-----") ? day_within(line) : Day{};
  day[1] = cursor.number(2);
  if (!cursor.take("월 ")) return {};
  day[2] = cursor.number(2);
  return cursor.take("일") && is_whole_year(day) ? day : Day{};
}

ChatHead discord_head(std::string_view line) {
  HeadCursor cursor(line.substr(0, kLongestHead));
  ChatHead head;
  if (!cursor.take("[") || !take_dated_time(cursor, head) || !cursor.take("] ")) return {};
  std::string_view name = trim(cursor.rest());
  for (const std::string_view behind : {" (pinned)", "#0000", " BOT"})
    if (name.ends_with(behind)) name.remove_suffix(behind.size());
  if (name.empty() || name.size() > kLongestName) return {};
  head.speaker = name;
  head.size = line.size();
  return head;
}

Aside discord_aside(std::string_view line) {
  if (line.starts_with("{Reactions}")) return Aside::kUntilBlank;
  const bool is_mark = line.starts_with('{') && line.ends_with('}');
  const bool is_rule = line.size() > 20 && all_of_char(line, '=');
  return is_mark || is_rule || (line.starts_with("Exported ") && line.ends_with(" message(s)")) ? Aside::kLine
                                                                                                : Aside::kNone;
}

ChatHead telegram_head(std::string_view line) {
  if (line.size() > kLongestHead) return {};
  HeadCursor cursor(line);
  ChatHead head;
  if (!take_speaker(cursor, head, ", [") || !take_dated_time(cursor, head) || !cursor.take("]")) return {};
  cursor.take(":");
  cursor.skip_spaces();
  return finished(head, cursor);
}

Day day_in_name(std::string_view name) {
  name.remove_prefix(std::min(name.rfind('/') + 1, name.size()));
  for (size_t at = 0; at + 8 <= name.size(); ++at) {
    if (!is_digit(name[at]) || (at > 0 && is_digit(name[at - 1]))) continue;
    const size_t end = std::min(name.find_first_not_of("0123456789", at), name.size());
    Day day{};
    if (end - at == 8) {
      const auto part = [&](size_t begin, size_t size) {
        return HeadCursor(name.substr(at + begin, size)).number(size);
      };
      day = {part(0, 4), part(4, 2), part(6, 2)};
    } else if (ChatHead head; HeadCursor(name.substr(at)).date(head)) {
      day = head.date;
    }
    if (is_whole_year(day)) return day;
  }
  return {};
}

}  // namespace mneme::readers

// Lines of saved chats: who wrote when. WhatsApp's exports in the orders of all countries ("12/03/2026, 18:05 - Anna:
// ...", "[12.03.26, 18:05:09] Anna: ..."), logs of IRC ("18:05 <anna> ..."), and those of other programs
// (chat_logs.h). Internal to rag/readers. Threads: pure functions.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace mneme::readers {

struct ChatHead {
  // As it is written, in the order of the file; {0, 0, 0}: none. Year 0, month, day: the year is that of the day
  // before.
  std::array<int, 3> date{};
  char separator = 0;      // between its numbers
  std::string time;        // "18:05", of a clock of 24 hours
  bool half_days = false;  // written with AM or PM
  bool seconds = false;    // written with seconds
  std::string speaker;     // "": the program itself says it
  size_t size = 0;         // bytes of the head; what is said stands behind it
};

// size 0: the line begins no message. `line` may begin with marks of direction.
using HeadOfLine = ChatHead (*)(std::string_view line);
// The day that a line tells for those below it, its numbers in the order of the file; {0, 0, 0}: it tells none.
using DayOfLine = std::array<int, 3> (*)(std::string_view line);

enum class Aside { kNone, kLine, kUntilBlank };

// How a program writes a chat as text.
struct ChatStyle {
  HeadOfLine head;
  DayOfLine day = nullptr;
  int lines_before = 0;                             // that may stand above the first day or message
  Aside (*aside)(std::string_view line) = nullptr;  // lines between messages that nobody said
  bool quotes_lines = false;                        // messages of several lines stand between quotation marks
};

// By the first lines; null: no chat.
const ChatStyle* style_of_chat(std::string_view text);

ChatHead whatsapp_head(std::string_view line);
ChatHead irc_head(std::string_view line);

// Whether programs write their logs with such a head, too: "[2026-03-12 18:05:09] worker: done".
bool like_logs(const ChatHead& head, std::string_view line);

// A day in IRC's logs: "--- Day changed Fri Mar 13 2026". Year, month, day.
std::array<int, 3> irc_day(std::string_view line);

// Without the marks that say which way text runs, no-break spaces as spaces.
std::string plain_chat_line(std::string_view line);
// Bytes of a line that become the first `plain_bytes` of its plain_chat_line().
size_t raw_size(std::string_view line, size_t plain_bytes);

}  // namespace mneme::readers

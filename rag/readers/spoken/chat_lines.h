// Lines of saved chats: who wrote when. WhatsApp's exports in the orders of all countries ("12/03/2026, 18:05 - Anna:
// ...", "[12.03.26, 18:05:09] Anna: ...") and logs of IRC ("18:05 <anna> ..."). Internal to rag/readers. Threads: pure
// functions.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace mneme::readers {

struct ChatHead {
  std::array<int, 3> date{};  // as it is written, in the order of the file; {0, 0, 0}: none
  char separator = 0;         // between its numbers
  std::string time;           // "18:05", of a clock of 24 hours
  bool half_days = false;     // written with AM or PM
  std::string speaker;        // "": the program itself says it
  size_t size = 0;            // bytes of the head; what is said stands behind it
};

// size 0: the line begins no message. `line` may begin with marks of direction.
ChatHead whatsapp_head(std::string_view line);
ChatHead irc_head(std::string_view line);

// A day in IRC's logs: "--- Day changed Fri Mar 13 2026"; {0, 0, 0}: the line is none. Year, month, day.
std::array<int, 3> irc_day(std::string_view line);

// Without the marks that say which way text runs, no-break spaces as spaces.
std::string plain_chat_line(std::string_view line);

// What a message says of itself in place of words: "<Media omitted>", a picture's name behind a mark of direction.
// `raw`: with its marks.
bool is_media(std::string_view raw);

}  // namespace mneme::readers

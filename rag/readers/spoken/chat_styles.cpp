// Which program a saved chat comes from, by its first lines.
#include <algorithm>
#include <iterator>

#include "rag/readers/spoken/chat_lines.h"
#include "rag/readers/spoken/chat_logs.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr size_t kHeadOfLine = 400;  // bytes that a head lies in, marks of direction included
constexpr int kMostLinesBefore = 8;

// Those whose lines tell less stand behind.
constexpr ChatStyle kStyles[] = {
    {.head = whatsapp_head},
    {.head = irc_head, .day = irc_day},
    {.head = pidgin_head, .day = pidgin_day, .lines_before = 1},
    {.head = zoom_head},
    {.head = telegram_head},
    {.head = kakao_head, .day = kakao_day, .lines_before = 4},
    {.head = line_head, .day = line_day, .lines_before = 3, .quotes_lines = true},
    {.head = discord_head, .lines_before = kMostLinesBefore, .aside = discord_aside},
};

// What stands above the first message is what tells these from other texts; only the first line of all says so.
bool needs_first_line(const ChatStyle& style) {
  return style.head == line_head || style.head == discord_head;
}

bool is_first_line(const ChatStyle& style, std::string_view line) {
  if (style.head == line_head) return line.starts_with("[LINE]");
  return style.head != discord_head || discord_aside(line) == Aside::kLine;
}

}  // namespace

const ChatStyle* style_of_chat(std::string_view text) {
  LineCursor lines(text);
  Line line;
  bool open[std::size(kStyles)];  // what the lines up to here may still be
  std::fill(std::begin(open), std::end(open), true);
  for (int n = 0; n <= kMostLinesBefore && lines.next(line);) {
    if (line.blank()) continue;
    const std::string plain = plain_chat_line(line.text.substr(0, kHeadOfLine));
    for (size_t i = 0; i < std::size(kStyles); ++i) {
      const ChatStyle& style = kStyles[i];
      if (!open[i]) continue;
      const bool day = style.day != nullptr && style.day(plain)[0] != 0;
      const bool begins = day || style.head(plain).size > 0;
      if (begins && (n > 0 || !needs_first_line(style))) return &style;
      open[i] = n < style.lines_before && (n > 0 || is_first_line(style, plain));
    }
    ++n;
  }
  return nullptr;
}

}  // namespace mneme::readers

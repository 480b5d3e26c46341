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

bool begins_above(const ChatStyle& style, std::string_view line, bool first) {
  if (style.head == line_head) return !first || line.starts_with("[LINE]");
  if (style.head == discord_head) return !first || discord_aside(line) == Aside::kLine;
  return true;
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
      if (day || style.head(plain).size > 0) {
        // What stands above is what tells these from others.
        if (n > 0 || begins_above(style, plain, true)) return &style;
        open[i] = false;
      } else if (n >= style.lines_before || !begins_above(style, plain, n == 0)) {
        open[i] = false;
      }
    }
    ++n;
  }
  return nullptr;
}

}  // namespace mneme::readers

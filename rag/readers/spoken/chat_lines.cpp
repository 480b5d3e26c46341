#include "rag/readers/spoken/chat_lines.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "rag/readers/front_matter.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr size_t kLongestHead = 160;  // bytes
constexpr size_t kLongestSpeaker = 80;
constexpr size_t kLongestNick = 40;
constexpr std::string_view kLeftToRight = "\xe2\x80\x8e";

// Takes what a line begins with off it, piece by piece.
class HeadCursor {
 public:
  explicit HeadCursor(std::string_view text) : text_(text), size_(text.size()) {}

  size_t taken() const { return size_ - text_.size(); }
  std::string_view rest() const { return text_; }

  bool take(std::string_view mark) {
    if (!text_.starts_with(mark)) return false;
    text_.remove_prefix(mark.size());
    return true;
  }
  void skip_spaces() { text_.remove_prefix(std::min(text_.find_first_not_of(" \t"), text_.size())); }

  // Up to `most` digits; -1: none, or more.
  int number(size_t most) {
    size_t n = 0;
    int value = 0;
    for (; n < text_.size() && n < most && is_digit(text_[n]); ++n) value = value * 10 + (text_[n] - '0');
    if (n == 0 || (n < text_.size() && is_digit(text_[n]))) return -1;
    text_.remove_prefix(n);
    return value;
  }

  // "12/03/2026", "12.3.26", "2026-03-12", "2026. 3. 12."
  bool date(ChatHead& head) {
    for (size_t i = 0; i < 3; ++i) {
      if (i > 0 && text_.empty()) return false;
      if (i == 1) head.separator = text_.front();
      const bool parts = head.separator == '/' || head.separator == '.' || head.separator == '-';
      if (i > 0 && (!parts || !take(std::string_view(&head.separator, 1)))) return false;
      if (i > 0) take(" ");
      head.date[i] = number(4);
      if (head.date[i] <= 0) return false;
    }
    if (head.separator == '.') take(".");
    return true;
  }

  // "18:05", "6:05:09 PM", "18.05", "6:05 p. m."
  bool time(ChatHead& head) {
    int hour = number(2);
    if (hour < 0 || hour > 24 || (!take(":") && !take("."))) return false;
    const int minute = number(2);
    if (minute < 0 || minute > 59) return false;
    if ((text_.starts_with(':') || text_.starts_with('.')) && text_.size() > 1 && is_digit(text_[1])) {
      text_.remove_prefix(1);
      if (number(2) < 0) return false;
    }
    if (const char half = half_of_day(); half != 0) {
      head.half_days = true;
      hour = hour % 12 + (half == 'p' ? 12 : 0);
    }
    char text[16];
    std::snprintf(text, sizeof text, "%02d:%02d", hour, minute);
    head.time = text;
    return true;
  }

 private:
  // 'a' or 'p'; 0: none is told.
  char half_of_day() {
    const size_t first = text_.find_first_not_of(' ');
    if (first == std::string_view::npos) return 0;
    const std::string lower = lower_ascii(text_.substr(first, 6));
    for (const std::string_view form : {"am", "pm", "a.m.", "p.m.", "a. m.", "p. m."}) {
      if (!lower.starts_with(form)) continue;
      if (lower.size() > form.size() && is_letter(lower[form.size()])) continue;
      text_.remove_prefix(first + form.size());
      return form.front();
    }
    return 0;
  }

  std::string_view text_;
  size_t size_;
};

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
  if (dated.date(head)) {
    if (!dated.take("T")) dated.skip_spaces();
    cursor = dated;
  } else {
    head.date = {};
  }
  return cursor.time(head) && (!bracket || cursor.take("]"));
}

// "<@anna>", "< anna>", "* anna", "\tanna\t": who; nothing for what is none.
std::optional<std::string> take_nick(HeadCursor& cursor) {
  if (cursor.take("\t")) {
    const std::string nick(cursor.rest().substr(0, cursor.rest().find('\t')));
    if (nick.empty() || nick.size() > kLongestNick || nick.size() == cursor.rest().size()) return std::nullopt;
    cursor.take(nick);
    return nick.substr(std::min(nick.find_first_not_of("@+%~& "), nick.size()));
  }
  const bool acts = cursor.take("* ");
  if (!acts && !cursor.take("<")) return std::nullopt;
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

}  // namespace

std::string plain_chat_line(std::string_view line) {
  std::string plain;
  for (size_t i = 0; i < line.size();) {
    const std::string_view three = line.substr(i, 3);
    const bool direction =
        three == "\xe2\x80\x8e" || three == "\xe2\x80\x8f" ||
        (three.size() == 3 && three.starts_with("\xe2\x80") && three[2] >= '\xaa' && three[2] <= '\xae') ||
        (three.size() == 3 && three.starts_with("\xe2\x81") && three[2] >= '\xa6' && three[2] <= '\xa9');
    // "<This message was edited>", "<attached: 1.jpg>": the program's own words, in any language.
    if (three == kLeftToRight && line.substr(i + 3).starts_with('<') && line.ends_with('>')) break;
    if (direction || three == "\xef\xbb\xbf") {
      i += 3;
    } else if (three == "\xe2\x80\xaf") {  // a narrow no-break space
      plain += ' ';
      i += 3;
    } else if (three.starts_with("\xc2\xa0")) {
      plain += ' ';
      i += 2;
    } else {
      plain += line[i++];
    }
  }
  return plain;
}

ChatHead whatsapp_head(std::string_view line) {
  HeadCursor cursor(line.substr(0, kLongestHead));
  ChatHead head;
  const bool bracket = cursor.take("[");
  if (!cursor.date(head)) return {};
  const bool comma = cursor.take(",");
  // Dates of programs' logs have no comma behind them.
  if (!comma && head.date[0] > 31) return {};
  cursor.skip_spaces();
  if (!cursor.time(head)) return {};
  if (bracket ? !cursor.take("] ") : !cursor.take(" - ")) return {};
  const size_t colon = cursor.rest().find(": ");
  const size_t end = std::min(colon, cursor.rest().ends_with(':') ? cursor.rest().size() - 1 : colon);
  if (end <= kLongestSpeaker) {  // else there is none
    head.speaker = cursor.rest().substr(0, end);
    if (is_level(head.speaker)) return {};
    cursor.take(head.speaker);
    cursor.take(":");
    cursor.skip_spaces();
    if (head.speaker.starts_with("~ ")) head.speaker.erase(0, 2);  // whom the telephone's contacts do not have
  }
  head.size = cursor.taken();
  return head;
}

ChatHead irc_head(std::string_view line) {
  HeadCursor cursor(line.substr(0, kLongestHead));
  ChatHead head;
  if (!take_irc_time(cursor, head)) return {};
  if (!cursor.rest().starts_with('\t')) cursor.skip_spaces();
  for (const std::string_view program : {"-!-", "***", "--> ", "<-- ", "\t-->\t", "\t<--\t", "\t--\t"}) {
    if (!cursor.take(program)) continue;
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
  if (!line.starts_with("--- Log opened ") && !line.starts_with("--- Day changed ")) return {};
  line = trim(line.substr(line.find(' ', 8)));  // "Fri Mar 13 2026", "Fri Mar 13 18:00:00 2026"
  const size_t weekday = line.find(' ');
  const size_t year = line.rfind(' ');
  if (weekday == std::string_view::npos || year <= weekday) return {};
  const std::string_view day = line.substr(weekday + 1, std::min<size_t>(6, line.size() - weekday - 1));
  const std::string iso = iso_date(std::string(trim(day)) + ", " + std::string(line.substr(year + 1)));
  ChatHead head;
  return HeadCursor(iso).date(head) ? head.date : std::array<int, 3>{};
}

bool is_media(std::string_view raw) {
  const std::string_view text = trim(raw);
  if (text.starts_with(kLeftToRight)) return true;
  const std::string plain = plain_chat_line(text);
  return plain.starts_with('<') && plain.ends_with('>') && plain.find('<', 1) == std::string::npos;
}

}  // namespace mneme::readers

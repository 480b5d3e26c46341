#include "rag/readers/spoken/chat_writer.h"

#include <vector>

#include "rag/readers/mail/calendar_words.h"
#include "rag/readers/spoken/said_line.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr size_t kNamedInTitle = 3;

CalendarTime whole_day(std::chrono::year_month_day day) {
  return {.wall = std::chrono::sys_days(day), .has_time = false, .zone = {}};
}

struct Piece {
  bool is_code = false;
  std::string lines;  // each ended by \n
};

// What stands before, between and behind fences of code.
std::vector<Piece> pieces_of(std::string_view markdown) {
  std::vector<Piece> pieces(1);
  LineCursor cursor(markdown);
  Line line;
  while (cursor.next(line)) {
    if (trim(line.text).starts_with("```")) {
      pieces.push_back({!pieces.back().is_code, {}});
    } else {
      pieces.back().lines.append(line.text) += '\n';
    }
  }
  return pieces;
}

}  // namespace

std::string with_line_breaks(std::string_view text) {
  std::string lines;
  LineCursor cursor(text);
  Line line;
  while (cursor.next(line)) {
    if (line.number > 1) lines += kLineBreak;
    lines += line.text;
  }
  return lines;
}

void ChatWriter::begin_day(std::chrono::year_month_day day) {
  if (day_ == day || !day.ok()) return;
  day_ = day;
  is_day_told_ = false;
}

void ChatWriter::begin_message(std::string_view speaker) {
  if (day_ && !is_day_told_) {
    is_day_told_ = true;
    builder_.heading(2, day_in_words(whole_day(*day_)));
    builder_.document().date = iso_day(whole_day(*day_));
  }
  if (speakers_.size() <= kNamedInTitle) speakers_.emplace(speaker);
}

void ChatWriter::message(std::string_view time, std::string_view speaker, std::string_view words) {
  while (words.starts_with(kLineBreak)) words.remove_prefix(kLineBreak.size());
  if (speaker.empty() || clean_text(words).empty()) return;
  begin_message(speaker);
  builder_.paragraph(said_line(time, speaker, words));
}

void ChatWriter::markdown(std::string_view time, std::string_view speaker, std::string_view text) {
  if (speaker.empty()) return;
  bool is_begun = false;  // the first piece says when and who
  for (const Piece& piece : pieces_of(text)) {
    if (clean_text(piece.lines).empty()) continue;
    if (!is_begun) begin_message(speaker);
    const std::string words = piece.is_code ? std::string() : with_line_breaks(trim(piece.lines));
    if (!is_begun || !piece.is_code) builder_.paragraph(is_begun ? words : said_line(time, speaker, words));
    if (piece.is_code) builder_.code(piece.lines);
    is_begun = true;
  }
}

void ChatWriter::describe(bool needs_title) {
  if (!needs_title || speakers_.empty()) return;
  std::string& title = builder_.document().title;
  title = "Chat:";
  size_t n = 0;
  for (const std::string& speaker : speakers_) {
    if (n == kNamedInTitle) title += " and others";
    if (n++ < kNamedInTitle) title += (n > 1 ? ", " : " ") + speaker;
  }
}

}  // namespace mneme::readers

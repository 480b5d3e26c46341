#include "rag/readers/spoken/chat_writer.h"

#include "rag/readers/mail/calendar_words.h"
#include "rag/readers/spoken/said_line.h"

namespace mneme::readers {
namespace {

constexpr size_t kNamedInTitle = 3;

CalendarTime whole_day(std::chrono::year_month_day day) {
  return {.wall = std::chrono::sys_days(day), .has_time = false, .zone = {}};
}

}  // namespace

void ChatWriter::begin_day(std::chrono::year_month_day day) {
  if (day_ == day || !day.ok()) return;
  day_ = day;
  is_day_told_ = false;
}

void ChatWriter::message(std::string_view time, std::string_view speaker, std::string_view words) {
  while (words.starts_with(kLineBreak)) words.remove_prefix(kLineBreak.size());
  if (speaker.empty() || clean_text(words).empty()) return;
  if (day_ && !is_day_told_) {
    is_day_told_ = true;
    builder_.heading(2, day_in_words(whole_day(*day_)));
    builder_.document().date = iso_day(whole_day(*day_));
  }
  builder_.paragraph(said_line(time, speaker, words));
  if (speakers_.size() <= kNamedInTitle) speakers_.emplace(speaker);
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

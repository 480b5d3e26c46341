#include "rag/readers/spoken/chat_head_cursor.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "base/utf8.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr size_t kLongestWord = 6;  // bytes, between day and time
constexpr int kYearsBeforeReiwa = 2018;
constexpr std::string_view kArabicComma = "\xd8\x8c";

struct HalfOfDay {
  std::string_view form;  // ASCII in lower case
  char half = 'a';
};

// Longer forms of the same beginning come first.
constexpr HalfOfDay kHalves[] = {
    {"a. m.", 'a'}, {"p. m.", 'p'}, {"a.m.", 'a'}, {"p.m.", 'p'}, {"am", 'a'},     {"pm", 'p'},     {"上午", 'a'},
    {"下午", 'p'},  {"凌晨", 'a'},  {"早上", 'a'}, {"中午", 'p'}, {"晚上", 'p'},   {"午前", 'a'},   {"午後", 'p'},
    {"오전", 'a'},  {"오후", 'p'},  {"ص", 'a'},    {"م", 'p'},    {"π.μ.", 'a'},   {"μ.μ.", 'p'},   {"π.μ", 'a'},
    {"μ.μ", 'p'},   {"sa", 'a'},    {"ch", 'p'},   {"de.", 'a'},  {"du.", 'p'},    {"ق.ظ.", 'a'},   {"ب.ظ.", 'p'},
    {"öö", 'a'},    {"ös", 'p'},    {"ptg", 'p'},  {"pg", 'a'},   {"पूर्वाह्न", 'a'}, {"अपराह्न", 'p'},
};

// The value of the digit that a text begins with, and its bytes; -1: it begins with none.
int digit_of(std::string_view text, size_t& size) {
  if (text.empty()) return -1;
  size = 1;
  if (is_digit(text.front())) return text.front() - '0';
  if (static_cast<unsigned char>(text.front()) < 0x80) return -1;
  size = 0;
  const char32_t character = utf8::next(text, size);
  for (const char32_t zero : {U'\u0660', U'\u06f0', U'\u0966'})
    if (character >= zero && character < zero + 10) return static_cast<int>(character - zero);
  return -1;
}

bool begins_with_digit(std::string_view text) {
  size_t size = 0;
  return digit_of(text, size) >= 0;
}

// 1..12; 0: no name of a month.
int month_named(std::string_view word) {
  const std::string iso = word.size() < 3 ? std::string() : iso_date("1 " + std::string(word) + " 2000");
  return iso.size() < 7 ? 0 : (iso[5] - '0') * 10 + (iso[6] - '0');
}

bool ends_word(std::string_view rest) {
  return rest.empty() || rest.front() == ' ' || rest.front() == ']' || rest.front() == ',' || rest.front() == ')' ||
         rest.front() == '\t';
}

}  // namespace

bool HeadCursor::take(std::string_view mark) {
  if (!text_.starts_with(mark)) return false;
  text_.remove_prefix(mark.size());
  return true;
}

void HeadCursor::skip_spaces() {
  text_.remove_prefix(std::min(text_.find_first_not_of(" \t"), text_.size()));
}

bool HeadCursor::take_comma() {
  return take(",") || take(kArabicComma);
}

int HeadCursor::number(size_t most) {
  int value = 0;
  size_t n = 0;
  size_t size = 0;
  for (int digit = 0; (digit = digit_of(text_, size)) >= 0; ++n) {
    if (n == most) return -1;
    value = value * 10 + digit;
    text_.remove_prefix(size);
  }
  return n == 0 ? -1 : value;
}

bool HeadCursor::date(ChatHead& head) {
  for (size_t i = 0; i < 3; ++i) {
    if (i > 0 && text_.empty()) return false;
    if (i == 1) head.separator = text_.front();
    const bool parts = head.separator == '/' || head.separator == '.' || head.separator == '-';
    if (i > 0 && (!parts || !take(std::string_view(&head.separator, 1)))) return false;
    if (i > 0) take(" ");
    const bool era = i == 2 && text_.size() > 1 && text_.front() == 'R' && is_digit(text_[1]);  // of Japan
    if (era) text_.remove_prefix(1);
    head.date[i] = number(4);
    if (era && head.date[i] > 0) head.date[i] += kYearsBeforeReiwa;
    if (head.date[i] <= 0) return false;
  }
  if (head.separator == '.') take(".");
  return true;
}

bool HeadCursor::named_date(std::array<int, 3>& date) {
  HeadCursor cursor = *this;
  const auto part = [&] { return cursor.take("-") || cursor.take(" "); };
  int day = cursor.number(2);
  if (day >= 0 && !part()) return false;
  const size_t letters = std::min(cursor.text_.find_first_of("- ,"), cursor.text_.size());
  const int month = month_named(cursor.text_.substr(0, letters));
  if (month == 0) return false;
  cursor.text_.remove_prefix(letters);
  if (!part()) return false;
  const bool month_first = day < 0;
  if (month_first) day = cursor.number(2);
  if (day < 1 || day > 31) return false;
  HeadCursor behind = cursor;
  if (month_first) behind.take(",");
  if (month_first) behind.skip_spaces();
  int year = behind.number(4);
  const bool is_year = year >= 0 && !behind.rest().starts_with(':');  // else it is the hour of a log without years
  if (!is_year && !month_first) return false;
  if (is_year && year < 100) year += 2000;
  date = {is_year ? year : 0, month, day};
  *this = is_year ? behind : cursor;
  return true;
}

bool HeadCursor::time(ChatHead& head) {
  char half = half_of_day();
  if (half != 0) skip_spaces();
  int hour = number(2);
  if (hour < 0 || hour > 24 || (!take(":") && !take("."))) return false;
  const int minute = number(2);
  if (minute < 0 || minute > 59) return false;
  if ((text_.starts_with(':') || text_.starts_with('.')) && begins_with_digit(text_.substr(1))) {
    text_.remove_prefix(1);
    if (number(2) < 0) return false;
    head.seconds = true;
  }
  if (half == 0) half = half_of_day();
  if (half != 0) {
    head.half_days = true;
    hour = hour % 12 + (half == 'p' ? 12 : 0);
  }
  char text[16];
  std::snprintf(text, sizeof text, "%02d:%02d", hour, minute);
  head.time = text;
  return true;
}

char HeadCursor::half_of_day() {
  const size_t first = text_.find_first_not_of(' ');
  if (first == std::string_view::npos) return 0;
  const std::string lower = lower_ascii(text_.substr(first, 24));
  for (const auto& [form, half] : kHalves) {
    if (!lower.starts_with(form)) continue;
    const std::string_view behind = text_.substr(first + form.size());
    if (!ends_word(behind) && !begins_with_digit(behind)) continue;
    text_.remove_prefix(first + form.size());
    return half;
  }
  return 0;
}

void HeadCursor::skip_word() {
  const size_t begin = std::min(text_.find_first_not_of(' '), text_.size());
  const size_t end = std::min(text_.find_first_of(" ,]", begin), text_.size());
  const std::string_view word = text_.substr(begin, end - begin);
  const bool is_word = !word.empty() && word.size() <= kLongestWord &&
                       word.find_first_of("0123456789-:<>*[]()/@#") == std::string_view::npos &&
                       !begins_with_digit(word);
  if (is_word) text_.remove_prefix(end);
}

}  // namespace mneme::readers

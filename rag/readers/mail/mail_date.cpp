#include "rag/readers/mail/mail_date.h"

#include <algorithm>
#include <vector>

#include "base/ascii.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

// Words between spaces and commas, at most so many.
std::vector<std::string_view> words_of(std::string_view date) {
  constexpr size_t kMost = 12;
  std::vector<std::string_view> words;
  while (words.size() < kMost) {
    const size_t begin = date.find_first_not_of(" ,\t");
    if (begin == std::string_view::npos) break;
    date.remove_prefix(begin);
    const size_t end = std::min(date.find_first_of(" ,\t"), date.size());
    words.push_back(date.substr(0, end));
    date.remove_prefix(end);
  }
  return words;
}

bool is_number(std::string_view word, size_t least, size_t most) {
  return word.size() >= least && word.size() <= most && std::all_of(word.begin(), word.end(), is_digit);
}

// "92" is 1992, "24" is 2024, "102" 2002 (RFC 5322, 4.3).
std::string whole_year(std::string_view digits) {
  int year = 0;
  for (const char c : digits) year = year * 10 + (c - '0');
  if (digits.size() < 4) year += digits.size() == 2 && year < 50 ? 2000 : 1900;
  return std::to_string(year);
}

// Times, names of zones and days of the week are no part of it.
std::string day_of(const std::vector<std::string_view>& words) {
  for (size_t i = 0; i < words.size(); ++i) {
    const bool month = words[i].size() >= 3 && is_letter(words[i][0]);
    if (!month) continue;
    const bool behind_day = i > 0 && is_number(words[i - 1], 1, 2);
    const bool before_day = i + 1 < words.size() && is_number(words[i + 1], 1, 2);
    if (!behind_day && !before_day) continue;
    const std::string_view day = behind_day ? words[i - 1] : words[i + 1];
    for (size_t k = i + (behind_day ? 1 : 2); k < words.size(); ++k) {
      if (!is_number(words[k], behind_day && k == i + 1 ? 2 : 4, 4)) continue;
      return iso_date(std::string(day) + " " + std::string(words[i]) + " " + whole_year(words[k]));
    }
  }
  return {};
}

}  // namespace

std::string told_date(const MimePart& message) {
  for (const char* field : {"date", "delivery-date", "resent-date"}) {
    std::string date = decode_header(message.header(field));
    if (!mail_day(date).empty()) return date;
  }
  // "from a by b for c; Fri, 31 May 2024 10:00:00 +0200": the first is the last on its way.
  const std::string_view received = message.header("received");
  const size_t semicolon = received.rfind(';');
  const std::string_view came =
      semicolon == received.npos ? received.substr(0, 0) : trim(received.substr(semicolon + 1));
  if (!mail_day(came).empty()) return std::string(came);
  return decode_header(message.header("date"));
}

std::string mail_day(std::string_view date) {
  const std::string day = iso_date(date);
  return day.empty() ? day_of(words_of(date)) : day;
}

}  // namespace mneme::readers

#include "rag/readers/spoken/exported_chats.h"

#include <cstdio>

#include "rag/readers/mail/calendar_words.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

using Json = nlohmann::json;

constexpr double kYear10000 = 253'402'300'800.0;  // its first second since 1970

std::string clock_of(int hours, int minutes) {
  char text[16];
  const int size = std::snprintf(text, sizeof text, "%02d:%02d", hours, minutes);
  return {text, static_cast<size_t>(size)};
}

}  // namespace

std::optional<MessageTime> wall_time(std::string_view text) {
  const int year = fixed_number(text, 0, 4);
  const std::chrono::year_month_day day{std::chrono::year(year),
                                        std::chrono::month(static_cast<unsigned>(fixed_number(text, 5, 2))),
                                        std::chrono::day(static_cast<unsigned>(fixed_number(text, 8, 2)))};
  const int hours = fixed_number(text, 11, 2);
  const int minutes = fixed_number(text, 14, 2);
  if (year < 0 || !day.ok() || hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return std::nullopt;
  return MessageTime{day, clock_of(hours, minutes)};
}

std::optional<MessageTime> unix_time(double seconds) {
  if (!(seconds > 0 && seconds < kYear10000)) return std::nullopt;
  const std::chrono::sys_seconds time{std::chrono::seconds(static_cast<int64_t>(seconds))};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const auto minutes = std::chrono::floor<std::chrono::minutes>(time - day).count();
  return MessageTime{day, clock_of(static_cast<int>(minutes / 60), static_cast<int>(minutes % 60))};
}

bool holds_member(std::string_view text, std::string_view name, std::string_view value_begins) {
  const std::string quoted = "\"" + std::string(name) + "\"";
  for (size_t at = text.find(quoted); at != text.npos; at = text.find(quoted, at + 1)) {
    std::string_view rest = trim(text.substr(at + quoted.size()));
    if (!rest.starts_with(':')) continue;
    rest = trim(rest.substr(1));
    if (rest.starts_with(value_begins)) return true;
  }
  return false;
}

std::string first_words(std::initializer_list<const Json*> values) {
  for (const Json* value : values)
    if (value->is_string() && !value->get_ref<const std::string&>().empty()) return value->get<std::string>();
  return {};
}

void add_line(std::string& words, std::string_view line) {
  if (!line.empty()) words.append(words.empty() ? "" : "\n").append(line);
}

std::vector<const Json*> objects_of(const Json& list) {
  std::vector<const Json*> objects;
  if (!list.is_array()) return objects;
  for (const Json& one : list)
    if (one.is_object()) objects.push_back(&one);
  return objects;
}

}  // namespace mneme::readers

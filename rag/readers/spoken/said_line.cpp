#include "rag/readers/spoken/said_line.h"

#include <algorithm>
#include <cstdio>

#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr size_t kLongestName = 40;
constexpr std::ptrdiff_t kMostWords = 5;

}  // namespace

std::string said_line(std::string_view time, std::string_view speaker, std::string_view words) {
  std::string line = "[" + std::string(time) + "] ";
  if (!speaker.empty()) line.append(speaker).append(": ");
  return line.append(words);
}

std::string place_in_recording(std::chrono::milliseconds from_beginning) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(from_beginning).count();
  char text[32];
  const int size = std::snprintf(text, sizeof text, "%02lld:%02lld:%02lld", static_cast<long long>(seconds / 3600),
                                 static_cast<long long>(seconds / 60 % 60), static_cast<long long>(seconds % 60));
  return {text, static_cast<size_t>(std::clamp(size, 0, 31))};
}

std::string_view name_before_colon(std::string_view line) {
  const size_t colon = line.find(':');
  if (colon == 0 || colon > kLongestName) return {};  // or there is none
  if (colon + 1 < line.size() && line[colon + 1] != ' ') return {};
  const std::string_view name = line.substr(0, colon);
  const bool begins_small = name.front() >= 'a' && name.front() <= 'z';
  const bool is_text = name.find_first_of(".,;!?\"[]()") != std::string_view::npos;
  if (begins_small || is_text || is_digit(name.front()) || trim(name).size() != name.size()) return {};
  return std::count(name.begin(), name.end(), ' ') < kMostWords ? name : std::string_view();
}

}  // namespace mneme::readers

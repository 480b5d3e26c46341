#include "ui/widgets/wording.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace mneme::ui {

std::string as_sentence(const std::string& message) {
  std::string text = message;
  const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto word_end = std::find(text.begin(), text.end(), ' ');
  if (std::all_of(text.begin(), word_end, lower) && !text.empty()) text[0] = static_cast<char>(text[0] - 'a' + 'A');
  if (!text.empty() && (std::isalnum(static_cast<unsigned char>(text.back())) != 0 || text.back() == ')')) text += '.';
  return text;
}

std::string human_seconds(double seconds) {
  const int64_t whole = std::llround(std::max(0.0, seconds));
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole / 60 % 60) + " min";
}

std::string human_milliseconds(double ms) {
  char text[32];
  if (ms > 0.0 && ms < 0.05) return "< 0.1 ms";
  if (ms < 1000.0) {
    std::snprintf(text, sizeof(text), ms > 0.0 && ms < 10.0 ? "%.1f ms" : "%.0f ms", ms);
  } else {
    std::snprintf(text, sizeof(text), "%.1f s", ms / 1000.0);
  }
  return text;
}

std::string file_name(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

}  // namespace mneme::ui

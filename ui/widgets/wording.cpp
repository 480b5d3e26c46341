#include "ui/widgets/wording.h"

#include <algorithm>
#include <cctype>

#include "ui/language/tr.h"

namespace mneme::ui {

std::string as_sentence(const std::string& message) {
  std::string text = message;
  const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto word_end = std::find(text.begin(), text.end(), ' ');
  if (std::all_of(text.begin(), word_end, lower) && !text.empty()) text[0] = static_cast<char>(text[0] - 'a' + 'A');
  if (!text.empty() && (std::isalnum(static_cast<unsigned char>(text.back())) != 0 || text.back() == ')')) text += '.';
  return text;
}

std::string level_name(const std::string& level) {
  if (level == "exact") return tr_c("level", "exact");
  if (level == "high") return tr_c("level", "high");
  if (level == "medium") return tr_c("level", "medium");
  if (level == "low") return tr_c("level", "low");
  return level;
}

std::string mode_name(const std::string& mode) {
  if (mode == "full") return tr_c("mode", "full");
  if (mode == "prefix") return tr_c("mode", "prefix");
  if (mode == "reuse") return tr_c("mode", "reuse");
  if (mode == "blend") return tr_c("mode", "blend");
  return mode;
}

std::string file_name(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

}  // namespace mneme::ui

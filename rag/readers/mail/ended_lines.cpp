#include "rag/readers/mail/ended_lines.h"

#include <algorithm>

#include "base/utf8.h"
#include "rag/readers/document_builder.h"

namespace mneme::readers {
namespace {

constexpr size_t kWidestBroken = 80;  // characters; who breaks lines at all does so at 72 to 80
constexpr size_t kLeastBroken = 60;   // who ends every line before this breaks nothing

size_t n_characters(std::string_view text) {
  size_t n = 0;
  for (size_t at = 0; at < text.size(); ++n) utf8::next(text, at);
  return n;
}

std::string_view without_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// "Return: ", "Total price: ".
bool begins_with_label(std::string_view line) {
  constexpr size_t kLongestLabel = 24;  // bytes
  const size_t colon = line.substr(0, kLongestLabel).find(": ");
  return colon != std::string_view::npos && colon > 0 && line[0] >= 'A' && line[0] <= 'Z' &&
         std::count(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon), ' ') <= 2;
}

template <typename Visit>
void for_each_line(std::string_view text, const Visit& visit) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    visit(without_return(text.substr(at, end - at)));
    at = end + 1;
  }
}

}  // namespace

size_t wrapping_width(std::string_view message) {
  size_t width = 0;
  for_each_line(message, [&](std::string_view line) {
    const size_t n = n_characters(line.substr(0, line.find_last_not_of(' ') + 1));
    if (n <= kWidestBroken && !line.starts_with('>')) width = std::max(width, n);
  });
  return width >= kLeastBroken ? width : 0;
}

size_t longest_line(std::string_view text) {
  size_t longest = 0;
  for_each_line(text, [&](std::string_view line) { longest = std::max(longest, n_characters(line)); });
  return longest;
}

std::string with_ended_lines(std::string_view paragraph, size_t width, TextFlow flow) {
  constexpr std::string_view kSignature = "-- ";  // begins one, and never flows
  std::string text;
  std::string_view before;
  bool first = true;
  for_each_line(paragraph, [&](std::string_view line) {
    const std::string_view word = line.substr(0, line.find(' '));
    const bool flows = flow != TextFlow::kNone && before.ends_with(' ') && before != kSignature;
    const size_t n_before = n_characters(before.substr(0, before.find_last_not_of(' ') + 1));
    const bool fitted = n_before > kWidestBroken || begins_with_label(line) || before == kSignature ||
                        n_before + 1 + n_characters(word) <= width || width == 0;
    if (flows && flow == TextFlow::kJoined) text.pop_back();
    if (!first && !(flows && flow == TextFlow::kJoined)) text += fitted && !flows ? kLineBreak : std::string_view(" ");
    text += line;
    before = line;
    first = false;
  });
  return text;
}

}  // namespace mneme::readers

#include "rag/quoting/outline/text_lines.h"

#include <algorithm>

#include "base/ascii.h"

namespace mneme::rag {

std::vector<TextLine> text_lines(std::string_view text) {
  std::vector<TextLine> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    TextLine& line = lines.emplace_back();
    line.begin = at;
    line.text = text.substr(at, end - at);
    while (!line.text.empty() && is_space(line.text.back())) line.text.remove_suffix(1);
    line.indent = std::min(line.text.find_first_not_of(" \t\r"), line.text.size());
    line.trimmed = line.text.substr(line.indent);
    at = end + 1;
  }
  return lines;
}

}  // namespace mneme::rag

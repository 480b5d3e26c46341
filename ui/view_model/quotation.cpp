#include "ui/view_model/quotation.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "ui/view_model/text_search.h"

namespace mneme::ui {
namespace {

// What documents call themselves stays in its line.
std::string in_one_line(std::string_view text) {
  std::string line(text);
  std::replace_if(line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return line;
}

std::string trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

// Without what Markdown makes letters bold with.
std::string without_marks(std::string_view text) {
  std::string plain;
  std::copy_if(text.begin(), text.end(), std::back_inserter(plain), [](char c) { return c != '*' && c != '`'; });
  return plain;
}

// A single line end is a space; a blank line stays the border of paragraphs.
std::string flowed(std::string_view words) {
  std::string text;
  for (size_t at = 0; at < words.size();) {
    const size_t white = words.find_first_not_of(" \t\r\n", at);
    const std::string_view gap = words.substr(at, std::min(white, words.size()) - at);
    const auto breaks = std::count(gap.begin(), gap.end(), '\n');
    text += breaks > 1 ? "\n\n" : breaks == 1 ? " " : gap;
    if (white == std::string_view::npos) break;
    at = std::min(words.find_first_of(" \t\r\n", white), words.size());
    text += words.substr(white, at - white);
  }
  return text;
}

}  // namespace

QuotedPlace place_of_quotation(const SourceView& source) {
  return {source.title, source.document, source.page, source.line_begin, source.line_end};
}

std::string reference_text(const QuotedPlace& place) {
  const std::string name = place.document.substr(place.document.find_last_of('/') + 1);
  std::string text = in_one_line(place.title.empty() ? name : place.title);
  std::string where = in_one_line(place.document);
  const auto add = [&where](const std::string& part) { where += (where.empty() ? "" : ", ") + part; };
  if (place.page > 0) {
    add("page " + std::to_string(place.page));
  } else if (place.line_begin > 0 && place.line_end > place.line_begin) {
    add("lines " + std::to_string(place.line_begin) + "–" + std::to_string(place.line_end));
  } else if (place.line_begin > 0) {
    add("line " + std::to_string(place.line_begin));
  }
  if (!where.empty()) text += " (" + where + ")";
  return text;
}

std::string quotation(std::string_view words, const QuotedPlace& place, bool is_code) {
  const std::string text = trimmed(words);
  return (is_code ? text : "“" + flowed(text) + "”") + "\n— " + reference_text(place) + "\n";
}

std::string words_of_passage(const SourceView& source, std::string_view said) {
  const std::string plain = without_marks(source.text);
  std::string words;
  for (size_t begin = 0; begin < said.size();) {
    const size_t end = std::min(said.find('\n', begin), said.size());
    const std::string line = trimmed(without_marks(said.substr(begin, end - begin)));
    begin = end + 1;
    if (line.empty() || line == source.title || places_of(plain, line, 1).empty()) continue;
    words += (words.empty() ? "" : " […] ") + line;
  }
  return words;
}

std::string answer_with_references(const MessageView& answer) {
  std::string text = trimmed(answer.text) + "\n";
  bool first = true;
  for (const SourceView& source : answer.sources) {
    if (!source.cited) continue;
    if (std::exchange(first, false)) text += "\n";
    text += "[" + std::to_string(source.n) + "] " + reference_text(place_of_quotation(source)) + "\n";
  }
  return text;
}

}  // namespace mneme::ui

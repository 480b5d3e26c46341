#include "ui/view_model/quotation.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "ui/language/figures.h"
#include "ui/language/tr.h"
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

// A passage without what Markdown makes letters bold with.
struct PlainPassage {
  std::string text;
  std::vector<size_t> bytes;  // of the passage, for each of the text
  explicit PlainPassage(std::string_view passage) {
    for (size_t i = 0; i < passage.size(); ++i) {
      if (passage[i] == '*' || passage[i] == '`') continue;
      text += passage[i];
      bytes.push_back(i);
    }
  }
};

// Bytes of a plain passage.
using Stretch = TextPlace;

// Where it says the lines of `said`, in the order in which they are said.
std::vector<Stretch> stretches_said(const PlainPassage& plain, const SourceView& source, std::string_view said) {
  std::vector<Stretch> stretches;
  const std::string lines = PlainPassage(said).text;
  for (size_t begin = 0; begin < lines.size();) {
    const size_t end = std::min(lines.find('\n', begin), lines.size());
    const std::string line = trimmed(lines.substr(begin, end - begin));
    begin = end + 1;
    const auto found = line == source.title ? std::vector<Stretch>() : places_of(plain.text, line, 1);
    if (found.empty()) continue;
    const Stretch& next = found.front();
    const bool goes_on =
        !stretches.empty() && next.begin >= stretches.back().end &&
        trimmed(std::string_view(plain.text).substr(stretches.back().end, next.begin - stretches.back().end)).empty();
    if (goes_on) {
      stretches.back().end = next.end;
    } else {
      stretches.push_back(next);
    }
  }
  return stretches;
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
  if (const std::string lines = lines_text(place.page, place.line_begin, place.line_end); !lines.empty()) add(lines);
  if (!where.empty()) text += " (" + where + ")";
  return text;
}

std::string quotation(std::string_view words, const QuotedPlace& place, bool is_code) {
  const std::string text = trimmed(words);
  return (is_code ? text : filled(tr_c("quotation", "“{0}”"), flowed(text))) + "\n— " + reference_text(place) + "\n";
}

std::string quotations(const SourceView& source, std::string_view said, const DocumentPlaces* places,
                       uint64_t passage_begin) {
  const PlainPassage plain(source.text);
  const auto line_at = [&](size_t byte) {
    return source.first_line == 0
               ? 0
               : source.first_line +
                     static_cast<int>(
                         std::count(source.text.begin(), source.text.begin() + static_cast<ptrdiff_t>(byte), '\n'));
  };
  std::string text;
  for (const Stretch& stretch : stretches_said(plain, source, said)) {
    const size_t begin = plain.bytes[stretch.begin];
    QuotedPlace place = {source.title, source.document, source.page, line_at(begin),
                         line_at(plain.bytes[stretch.end - 1])};
    if (const int page = places == nullptr ? 0 : places->page_of(passage_begin + begin); page > 0) place.page = page;
    if (!text.empty()) text += "\n";
    text += quotation(std::string_view(plain.text).substr(stretch.begin, stretch.end - stretch.begin), place,
                      source.is_code);
  }
  return text;
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

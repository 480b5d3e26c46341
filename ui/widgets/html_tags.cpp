#include "ui/widgets/html_tags.h"

#include <algorithm>
#include <array>

namespace mneme::ui {
namespace {

constexpr std::array<std::string_view, 62> kTags = {
    "a",   "abbr",    "article", "aside",  "audio", "b",      "big",    "blockquote", "br",      "center", "cite",
    "del", "details", "div",     "dd",     "dl",    "dt",     "em",     "figcaption", "figure",  "font",   "footer",
    "h1",  "h2",      "h3",      "h4",     "h5",    "h6",     "header", "hr",         "i",       "iframe", "img",
    "ins", "kbd",     "li",      "main",   "mark",  "nav",    "ol",     "p",          "picture", "pre",    "q",
    "s",   "section", "small",   "source", "span",  "strong", "sub",    "summary",    "sup",     "table",  "tbody",
    "td",  "th",      "thead",   "tr",     "tt",    "ul",     "video"};

constexpr size_t kLongestTag = 4000;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// The name of the tag that begins with text[0] == '<'; empty where it is none of a page's.
std::string name_of_tag(std::string_view text) {
  size_t at = 1;
  if (at < text.size() && text[at] == '/') ++at;
  std::string name;
  while (at < text.size() && name.size() <= 10 &&
         ((lower(text[at]) >= 'a' && lower(text[at]) <= 'z') || (text[at] >= '0' && text[at] <= '9')))
    name += lower(text[at++]);
  const bool ends = at < text.size() && (text[at] == '>' || text[at] == '/' || text[at] == ' ' || text[at] == '\n');
  return ends && std::find(kTags.begin(), kTags.end(), name) != kTags.end() ? name : "";
}

// Behind the tag or comment that begins with text[0]; 0 where it does not end.
size_t end_of_tag(std::string_view text) {
  const std::string_view head = text.substr(0, kLongestTag);
  char quote = '\0';
  for (size_t at = 1; at < head.size(); ++at) {
    const char c = head[at];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return at + 1;
    } else if (c == '<') {
      return 0;
    }
  }
  return 0;
}

// As many as begin the text.
size_t count_of(std::string_view text, char c) {
  return std::min(text.find_first_not_of(c), text.size());
}

// Behind the code that begins with the backticks at text[0]; behind them alone where nothing closes it.
size_t end_of_code(std::string_view text) {
  const size_t ticks = count_of(text, '`');
  for (size_t at = ticks; at < text.size();) {
    at = text.find('`', at);
    if (at == text.npos) break;
    const size_t n = count_of(text.substr(at), '`');
    at += n;
    if (n == ticks) return at;
  }
  return ticks;
}

// A line that is no Markdown, for what reads Markdown.
std::string as_it_stands(std::string_view line) {
  std::string escaped;
  for (const char c : line) {
    if (std::string_view("\\*_`<[").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// What stands between lines of dashes at the begin of a file says of it what its title is, its date and such: a line
// each. Cut off of the text.
std::string take_front_matter(std::string_view& markdown) {
  constexpr size_t kLongest = 4000;
  if (!markdown.starts_with("---\n")) return {};
  const std::string_view head = markdown.substr(4, kLongest);
  const size_t end = head.find("\n---\n");
  const size_t colon = head.find(':');
  if (end == head.npos || colon > end || head.substr(0, colon).find_first_of(" \n") != head.npos) return {};
  std::string lines;
  for (size_t begin = 0; begin <= end;) {
    const size_t stop = std::min(head.find('\n', begin), end);
    if (stop > begin) lines += as_it_stands(head.substr(begin, stop - begin)) + "  \n";
    begin = stop + 1;
  }
  markdown.remove_prefix(4 + end + 5);
  return lines + "\n";
}

}  // namespace

std::string_view without_front_matter(std::string_view markdown) {
  std::string_view rest = markdown;
  take_front_matter(rest);
  rest.remove_prefix(std::min(rest.find_first_not_of("\n "), rest.size()));
  return rest.empty() ? markdown : rest;
}

std::string without_tags(std::string_view markdown) {
  std::string text = take_front_matter(markdown);
  text.reserve(text.size() + markdown.size());
  while (!markdown.empty()) {
    size_t taken = std::min(markdown.find_first_of("`<"), markdown.size());
    text += markdown.substr(0, taken);
    markdown.remove_prefix(taken);
    if (markdown.empty()) break;
    taken = 1;
    bool shown = true;
    if (markdown[0] == '`') {
      taken = end_of_code(markdown);
    } else if (markdown.starts_with("<!--")) {
      const size_t end = markdown.find("-->");
      shown = end == markdown.npos;
      if (!shown) taken = end + 3;
    } else if (const std::string name = name_of_tag(markdown); !name.empty()) {
      const size_t end = end_of_tag(markdown);
      shown = end == 0;
      if (!shown) taken = end;
      if (!shown && name == "br") text += "  \n";
    }
    if (shown) text += markdown.substr(0, taken);
    markdown.remove_prefix(taken);
  }
  return text;
}

}  // namespace mneme::ui

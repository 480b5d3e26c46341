#include "rag/readers/org/org_lines.h"

#include <algorithm>

#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr int kDeepestHeading = 20;
constexpr size_t kMostTodoWords = 100;

bool is_tag(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '@' || c == '#' || c == '%' || (c & 0x80) != 0;
}

// Takes "   :home:urgent:" off the end of a headline.
std::string_view take_tags(std::string_view& title) {
  if (!title.ends_with(':')) return {};
  const size_t space = title.find_last_of(" \t");
  const std::string_view tags = title.substr(space == std::string_view::npos ? 0 : space + 1);
  const bool all = tags.size() > 2 && tags.starts_with(':') && tags.find("::") == std::string_view::npos &&
                   std::all_of(tags.begin(), tags.end(), [](char c) { return c == ':' || is_tag(c); });
  if (!all) return {};
  title = trim(title.substr(0, title.size() - tags.size()));
  return tags;
}

}  // namespace

OrgTodoWords::OrgTodoWords()
    : words_{"TODO", "DONE", "NEXT", "WAITING", "HOLD", "STARTED", "SOMEDAY", "CANCELLED", "CANCELED"} {}

void OrgTodoWords::take(std::string_view value) {
  while (!(value = trim(value)).empty() && words_.size() < kMostTodoWords) {
    const std::string_view word = value.substr(0, value.find_first_of(" \t"));
    value.remove_prefix(word.size());
    const std::string_view name = word.substr(0, word.find('('));
    if (name != "|" && !name.empty()) words_.emplace(name);
  }
}

OrgHeadline org_headline(std::string_view line, const OrgTodoWords& todo_words) {
  OrgHeadline headline;
  const size_t stars = std::min(line.find_first_not_of('*'), line.size());
  if (stars == 0 || stars == line.size() || line[stars] != ' ') return headline;
  headline.level = static_cast<int>(std::min<size_t>(stars, kDeepestHeading));
  std::string_view title = trim(line.substr(stars));
  headline.tags = take_tags(title);
  const std::string_view first = title.substr(0, title.find(' '));
  if (todo_words.has(first)) {
    headline.todo = first;
    title = trim(title.substr(first.size()));
  }
  if (title.starts_with("[#") && title.find(']') == 3) {
    headline.priority = title.substr(2, 1);
    title = trim(title.substr(4));
  }
  headline.is_comment = title == "COMMENT" || title.starts_with("COMMENT ");
  headline.title = title;
  return headline;
}

OrgKeyword org_keyword(std::string_view trimmed) {
  OrgKeyword keyword;
  if (!trimmed.starts_with("#+")) return keyword;
  const size_t end = std::min(trimmed.find_first_of(": \t["), trimmed.size());
  std::string name = lower_ascii(trimmed.substr(2, end - 2));
  keyword.opens_block = name.starts_with("begin_");
  keyword.closes_block = name.starts_with("end_");
  if (keyword.opens_block) name.erase(0, 6);
  if (keyword.closes_block) name.erase(0, 4);
  const size_t colon = trimmed.find(':', end);
  const bool is_block = keyword.opens_block || keyword.closes_block;
  if (!is_block && colon == std::string_view::npos) return {};
  keyword.value = trim(trimmed.substr(is_block ? end : colon + 1));
  keyword.name = std::move(name);
  return keyword;
}

OrgBullet org_bullet(std::string_view trimmed, size_t indent) {
  OrgBullet bullet;
  size_t mark = 0;
  const char first = trimmed.empty() ? '\0' : trimmed.front();
  if (first == '-' || first == '+' || (first == '*' && indent > 0)) {
    mark = 1;
  } else {
    while (mark < trimmed.size() && mark < 9 && is_digit(trimmed[mark])) ++mark;
    if (mark == 0 || mark >= trimmed.size() || (trimmed[mark] != '.' && trimmed[mark] != ')')) return bullet;
    ++mark;
  }
  if (mark < trimmed.size() && trimmed[mark] != ' ') return bullet;
  bullet.marker = is_digit(first) ? trimmed.substr(0, mark) : std::string_view("-");
  bullet.size = std::min(trimmed.find_first_not_of(' ', mark), trimmed.size());
  if (trimmed.substr(bullet.size).starts_with("[@")) {  // from which number on it counts
    const size_t close = trimmed.find(']', bullet.size);
    if (close != std::string_view::npos)
      bullet.size = std::min(trimmed.find_first_not_of(' ', close + 1), trimmed.size());
  }
  return bullet;
}

std::string_view org_drawer(std::string_view trimmed) {
  if (trimmed.size() < 3 || trimmed.front() != ':' || trimmed.back() != ':') return {};
  const std::string_view name = trimmed.substr(1, trimmed.size() - 2);
  const bool all = std::all_of(name.begin(), name.end(), [](char c) { return is_tag(c) || c == '-'; });
  return all ? name : std::string_view();
}

std::vector<std::string_view> org_cells(std::string_view trimmed) {
  std::vector<std::string_view> cells;
  if (trimmed.starts_with("|-")) return cells;
  trimmed.remove_prefix(1);
  if (trimmed.ends_with('|')) trimmed.remove_suffix(1);
  bool says = false;
  while (true) {
    const size_t end = std::min(trimmed.find('|'), trimmed.size());
    const std::string_view cell = trim(trimmed.substr(0, end));
    const bool is_width = cell.starts_with('<') && cell.ends_with('>') &&
                          cell.find_first_not_of("<>lrc0123456789") == std::string_view::npos;
    says = says || (!cell.empty() && !is_width);
    cells.push_back(cell);
    if (end == trimmed.size()) break;
    trimmed.remove_prefix(end + 1);
  }
  if (!says) cells.clear();
  return cells;
}

}  // namespace mneme::readers

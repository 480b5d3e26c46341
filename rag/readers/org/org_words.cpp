#include "rag/readers/org/org_words.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

#include "base/ascii.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/mail/calendar_words.h"
#include "rag/readers/text_lines.h"
#include "rag/text/markup/latex_math.h"

namespace mneme::readers {
namespace {

constexpr size_t kLongestLink = 4000;      // bytes
constexpr size_t kLongestEmphasis = 1000;  // Org itself stops at a few lines
constexpr size_t kLongestFormula = 4000;
constexpr size_t kLongestTime = 80;
constexpr size_t kLongestMarkedUp = size_t{1} << 20;  // nobody writes such a paragraph
constexpr int kDeepest = 8;                           // emphasis within emphasis

bool is_one_of(char c, std::string_view set) {
  return set.find(c) != std::string_view::npos;
}

std::string day_of(int year, int month, int day) {
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return {};
  return day_in_words({.wall = std::chrono::sys_days(date), .has_time = false, .zone = {}});
}

// "+1w", ".+2d", "++1m": "every week", "every 2 days"; "" for others, as the "-3d" that warns in time.
std::string repeats(std::string_view word) {
  const size_t first = word.find_first_not_of(".+");
  if (first == 0 || first == std::string_view::npos || word.size() < first + 2) return {};
  const std::string_view count = word.substr(first, word.size() - first - 1);
  constexpr std::array<std::pair<char, std::string_view>, 5> kUnits = {
      {{'h', "hour"}, {'d', "day"}, {'w', "week"}, {'m', "month"}, {'y', "year"}}};
  const auto* const unit =
      std::find_if(kUnits.begin(), kUnits.end(), [&](const auto& u) { return u.first == word.back(); });
  if (unit == kUnits.end() || !std::all_of(count.begin(), count.end(), is_digit)) return {};
  if (count == "1") return ", every " + std::string(unit->second);
  return ", every " + std::string(count) + " " + std::string(unit->second) + "s";
}

// What stands between the brackets; "" where that is no time.
std::string time_words(std::string_view inside) {
  const int year = fixed_number(inside, 0, 4);
  const int month = fixed_number(inside, 5, 2);
  const int day = fixed_number(inside, 8, 2);
  if (year < 0 || month < 1 || day < 1 || inside[4] != '-' || inside[7] != '-') return {};
  std::string words = day_of(year, month, day);
  if (words.empty()) return {};
  std::string_view rest = inside.substr(10);
  while (!rest.empty()) {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(word.size());
    if (word.find(':') != std::string_view::npos && is_digit(word.front())) {
      const size_t dash = word.find('-');
      words.append(", ").append(word.substr(0, dash));
      if (dash != std::string_view::npos) words.append(" to ").append(word.substr(dash + 1));
    } else {
      words += repeats(word);
    }
  }
  return words;
}

size_t one_time(std::string_view text, std::string& words) {
  if (text.size() < 12 || !is_one_of(text.front(), "<[") || !is_digit(text[1])) return 0;
  const size_t close = text.substr(0, kLongestTime).find(text.front() == '<' ? '>' : ']');
  if (close == std::string_view::npos) return 0;
  words = time_words(text.substr(1, close - 1));
  return words.empty() ? 0 : close + 1;
}

// A formula between two marks at the beginning of `text`.
size_t take_formula(std::string_view text, std::string& out) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kMarks = {
      {{"\\(", "\\)"}, {"\\[", "\\]"}, {"$$", "$$"}}};
  for (const auto& [begin, end] : kMarks) {
    if (!text.starts_with(begin)) continue;
    const size_t close = text.substr(0, kLongestFormula).find(end, begin.size());
    if (close == std::string_view::npos) return 0;
    out += rag::latex_math_text(text.substr(begin.size(), close - begin.size()));
    return close + end.size();
  }
  return 0;
}

// "$x^2$", which neither begins nor ends with a space: "$5 and $7" are sums.
size_t take_dollars(std::string_view text, std::string& out) {
  if (text.size() < 3 || text.front() != '$' || is_one_of(text[1], " \t\n.,;$")) return 0;
  const size_t close = text.substr(0, kLongestFormula).find('$', 1);
  if (close == std::string_view::npos || is_one_of(text[close - 1], " \t\n.,")) return 0;
  if (close + 1 < text.size() && (is_letter(text[close + 1]) || is_digit(text[close + 1]))) return 0;
  out += rag::latex_math_text(text.substr(1, close - 1));
  return close + 1;
}

// "\alpha", "\rightarrow{}": a sign by its name, as LaTeX has it.
size_t take_entity(std::string_view text, std::string& out) {
  if (text.size() < 3 || text.front() != '\\' || !is_letter(text[1])) return 0;
  size_t end = 1;
  while (end < text.size() && is_letter(text[end])) ++end;
  const std::string sign = rag::latex_math_text(text.substr(0, end));
  if (sign == text.substr(0, end) || sign == text.substr(1, end - 1) || sign.empty()) return 0;
  out += sign;
  return end + (text.substr(end).starts_with("{}") ? 2 : 0);
}

// "<<place>>", where links lead to; 0: none.
size_t target_size(std::string_view text) {
  const size_t close = text.starts_with("<<") ? text.substr(0, kLongestTime).find(">>") : std::string_view::npos;
  if (close == std::string_view::npos) return 0;
  return close + (text.substr(close).starts_with(">>>") ? 3 : 2);
}

// Two backslashes that end a line, with its break: 3 bytes; at the end of the text 2; 0: none.
size_t line_end_size(std::string_view text) {
  if (!text.starts_with("\\\\") || (text.size() > 2 && text[2] != '\n')) return 0;
  return std::min<size_t>(3, text.size());
}

// What a link says that has no words of its own.
std::string_view target_text(std::string_view target) {
  if (target.starts_with("id:")) return {};
  for (const std::string_view kind : {"file:", "./", "*", "#", "mailto:", "tel:"})
    if (target.starts_with(kind)) target.remove_prefix(kind.size());
  return target;
}

}  // namespace

size_t org_time(std::string_view text, std::string& words) {
  const size_t size = one_time(text, words);
  if (size == 0 || !text.substr(size).starts_with("--")) return size;
  std::string end;
  const size_t more = one_time(text.substr(size + 2), end);
  if (more == 0) return size;
  words += " to " + end;
  return size + 2 + more;
}

std::string OrgWords::text(std::string_view text) {
  if (text.size() > kLongestMarkedUp) return std::string(text);
  std::string out;
  ++depth_;
  for (size_t i = 0; i < text.size();) {
    std::string words;
    const size_t size = take(text, i, words);
    if (size == 0) {
      out += text[i] == '\n' ? ' ' : text[i];
      ++i;
      continue;
    }
    out += words;
    i += size;
  }
  --depth_;
  return out;
}

size_t OrgWords::take(std::string_view whole, size_t at, std::string& out) {
  const std::string_view rest = whole.substr(at);
  const bool in_word = at > 0 && (is_letter(whole[at - 1]) || is_digit(whole[at - 1]) || whole[at - 1] == ':');
  switch (rest.front()) {
    case '[': {
      if (const size_t size = org_time(rest, out)) return size;
      const size_t size = take_link(rest, out);
      return size > 0 ? size : take_note(rest);
    }
    case '<': {
      const size_t size = org_time(rest, out);
      return size > 0 ? size : target_size(rest);
    }
    case '\\': {
      if (const size_t size = line_end_size(rest)) {
        out = size > 2 ? kLineBreak : std::string_view();
        return size;
      }
      const size_t size = take_formula(rest, out);
      return size > 0 || in_word ? size : take_entity(rest, out);
    }
    case '$': {
      const size_t size = take_formula(rest, out);
      return size > 0 || in_word ? size : take_dollars(rest, out);
    }
    default: return is_one_of(rest.front(), "*/_=~+") ? take_emphasis(whole, at, out) : 0;
  }
}

size_t OrgWords::take_link(std::string_view rest, std::string& out) {
  if (!rest.starts_with("[[")) return 0;
  rest = rest.substr(0, kLongestLink);
  const size_t close = rest.find("]]");
  const size_t middle = rest.find("][");
  if (close == std::string_view::npos) return 0;
  if (middle < close) {
    out += depth_ < kDeepest ? text(rest.substr(middle + 2, close - middle - 2))
                             : std::string(rest.substr(middle + 2, close - middle - 2));
  } else {
    out += target_text(rest.substr(2, close - 2));
  }
  return close + 2;
}

// "[fn:1]", "[fn::said here]", "[fn:name:said here]"
size_t OrgWords::take_note(std::string_view rest) {
  if (!rest.starts_with("[fn:")) return 0;
  size_t open = 0;
  size_t end = 0;
  for (size_t i = 0; i < std::min(rest.size(), kLongestLink) && end == 0; ++i) {
    open += rest[i] == '[' ? 1 : 0;
    if (rest[i] == ']' && --open == 0) end = i;
  }
  if (end == 0) return 0;
  const std::string_view inside = rest.substr(4, end - 4);
  const size_t colon = inside.find(':');
  if (colon == std::string_view::npos) {
    notes_.emplace_back(inside, "");
  } else if (depth_ < kDeepest) {
    std::string note = text(inside.substr(colon + 1));
    notes_.emplace_back("", std::move(note));
  }
  return end + 1;
}

// "*bold*", "/slanted/", "=verbatim=": the mark stands at the border of a word on both sides.
size_t OrgWords::take_emphasis(std::string_view whole, size_t at, std::string& out) {
  const char mark = whole[at];
  if (at > 0 && !is_one_of(whole[at - 1], " \t\n-({'\"*/_+")) return 0;
  const std::string_view rest = whole.substr(at, kLongestEmphasis);
  if (rest.size() < 3 || is_one_of(rest[1], " \t\n") || rest[1] == mark) return 0;
  for (size_t end = rest.find(mark, 2); end != std::string_view::npos; end = rest.find(mark, end + 1)) {
    const bool ends_word = end + 1 == rest.size() || is_one_of(rest[end + 1], " \t\n-.,:!?;'\")}[*/_+\\");
    if (!ends_word || is_one_of(rest[end - 1], " \t\n")) continue;
    const std::string_view inside = rest.substr(1, end - 1);
    const bool verbatim = mark == '=' || mark == '~';
    out += verbatim || depth_ >= kDeepest ? std::string(inside) : text(inside);
    return end + 1;
  }
  return 0;
}

}  // namespace mneme::readers

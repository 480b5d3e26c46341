#include "rag/readers/roff/roff_lines.h"

#include <algorithm>
#include <array>
#include <utility>

#include "rag/readers/roff/roff_conditions.h"

namespace mneme::readers {
namespace {

constexpr size_t kMostNames = 1000;

bool is_control(std::string_view line) {
  return !line.empty() && (line[0] == '.' || line[0] == '\'');
}

bool is_condition(std::string_view request) {
  return request == "if" || request == "ie" || request == "el" || request == "while";
}

// ".SH  NAME": what is called, and what stands behind it.
void split_request(std::string_view line, RoffLine& out) {
  line.remove_prefix(1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  size_t end = std::min(line.find_first_of(" \t"), line.size());
  const size_t escape = line.find('\\');
  if (escape < end) end = escape;
  out.request = line.substr(0, end);
  line.remove_prefix(end);
  out.rest = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
}

// A line of a definition that puts what the macro is given into the text, perhaps in another font.
bool prints_arguments(std::string_view line) {
  if (line.find("\\$") == std::string_view::npos) return false;
  if (!is_control(line)) return true;
  RoffLine called;
  split_request(line, called);
  constexpr std::array<std::string_view, 9> kFonts = {"B", "I", "BR", "RB", "BI", "IB", "IR", "RI", "SM"};
  return std::find(kFonts.begin(), kFonts.end(), called.request) != kFonts.end();
}

// How many blocks a line opens ("\{") more than it closes ("\}").
int opened_blocks(std::string_view line) {
  int opened = 0;
  for (size_t at = line.find('\\'); at != std::string_view::npos && at + 1 < line.size();
       at = line.find('\\', at + 2)) {
    if (line[at + 1] == '{') ++opened;
    if (line[at + 1] == '}') --opened;
    if (line[at + 1] == '"') break;
  }
  return opened;
}

}  // namespace

bool RoffLines::next_raw(RoffLine& line) {
  Line raw;
  if (!lines_.next(raw)) return false;
  line = {raw.number, {}, raw.text};
  return true;
}

bool RoffLines::next(RoffLine& line) {
  Line raw;
  while (lines_.next(raw)) {
    line = {raw.number, {}, {}};
    if (settle(raw.text, line)) return true;
  }
  return false;
}

std::vector<std::string> RoffLines::texts(std::string_view rest) const {
  std::vector<std::string> all = roff_arguments(rest);
  for (std::string& argument : all) argument = text(argument);
  return all;
}

bool RoffLines::settle(std::string_view line, RoffLine& out) {
  for (;;) {
    // The end of a block whose condition held.
    while (line.starts_with("\\}")) line.remove_prefix(2);
    if (!is_control(line)) {
      out.request = {};
      out.rest = line;
      return !line.starts_with("\\\"");
    }
    split_request(line, out);
    if (!is_condition(out.request)) return take_definition(out);
    if (!take_condition(out)) return false;
    line = out.rest;  // what depends on it
  }
}

// False where nothing of the line is left: it defined something.
bool RoffLines::take_definition(const RoffLine& line) {
  const std::string_view request = line.request;
  if (request.empty()) return false;
  if (request == "de" || request == "de1" || request == "am" || request == "am1" || request == "ig") {
    skip_definition(line);
    return false;
  }
  if (request == "als") {  // another name of a macro
    const std::vector<std::string> names = roff_arguments(line.rest);
    if (names.size() > 1 && prints(names[1]) && macros_.size() < kMostNames) macros_.insert(names[0]);
    return false;
  }
  if (request == "ds" || request == "ds1" || request == "as" || request == "as1") {
    define_string(line.rest, request.starts_with('a'));
    return false;
  }
  return true;
}

// False where the condition does not hold, or nothing stands behind it.
bool RoffLines::take_condition(RoffLine& line) {
  std::string_view& rest = line.rest;
  bool holds = false;
  if (line.request == "el") {
    holds = std::exchange(else_holds_, false);
  } else {
    holds = take_roff_condition(rest) && line.request != "while";
    if (line.request == "ie") else_holds_ = !holds;
  }
  if (!holds) {
    skip_block(rest);
    return false;
  }
  if (rest.starts_with("\\{")) rest.remove_prefix(2);
  if (rest == "\\") rest = {};
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  return !rest.empty();
}

// Lines that belong to a condition that does not hold.
void RoffLines::skip_block(std::string_view rest) {
  int open = opened_blocks(rest);
  Line raw;
  while (open > 0 && lines_.next(raw)) open += opened_blocks(raw.text);
}

// ".de NAME [end]" and ".ig [end]": to ".." or ".end".
void RoffLines::skip_definition(const RoffLine& line) {
  const std::vector<std::string> words = roff_arguments(line.rest);
  const bool is_named = line.request != "ig";
  const size_t n_before = is_named ? 1 : 0;
  const std::string_view end = words.size() > n_before ? std::string_view(words[n_before]) : ".";
  bool prints_words = false;
  Line raw;
  while (lines_.next(raw)) {
    const std::string_view called = is_control(raw.text) ? trim(raw.text.substr(1)) : "";  // also ".  ."
    if (called == end || called == ".") break;
    prints_words = prints_words || prints_arguments(raw.text);
  }
  if (is_named && prints_words && !words.empty() && macros_.size() < kMostNames) macros_.insert(words[0]);
}

void RoffLines::define_string(std::string_view rest, bool append) {
  const size_t end = std::min(rest.find_first_of(" \t"), rest.size());
  std::string_view value = without_roff_comment(rest.substr(end));
  value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
  if (value.starts_with('"')) value.remove_prefix(1);
  const std::string_view name = rest.substr(0, end);
  auto found = strings_.find(name);
  if (found == strings_.end()) {
    if (strings_.size() >= kMostNames) return;
    found = strings_.emplace(name, "").first;
  }
  if (!append) found->second.clear();
  if (found->second.size() < (size_t{64} << 10)) found->second += value;
}

}  // namespace mneme::readers

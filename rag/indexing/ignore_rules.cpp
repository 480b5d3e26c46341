#include "rag/indexing/ignore_rules.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>

namespace mneme::rag {

namespace {

constexpr size_t kMaxPattern = 1000;

// The classes of POSIX that git knows, in ASCII as there.
bool is_in_class(std::string_view name, char c) {
  struct Class {
    std::string_view name;
    int (*holds)(int);
  };
  static constexpr Class kClasses[] = {{"alnum", std::isalnum}, {"alpha", std::isalpha}, {"blank", std::isblank},
                                       {"cntrl", std::iscntrl}, {"digit", std::isdigit}, {"graph", std::isgraph},
                                       {"lower", std::islower}, {"print", std::isprint}, {"punct", std::ispunct},
                                       {"space", std::isspace}, {"upper", std::isupper}, {"xdigit", std::isxdigit}};
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x80 && std::any_of(
                            std::begin(kClasses), std::end(kClasses),
                            [&](const Class& one) { return one.name == name && one.holds(byte) != 0; });
}

// The character at pattern[at], which a backslash may stand before; moves `at` past both.
char take_member(std::string_view pattern, size_t& at) {
  if (pattern[at] == '\\' && at + 1 < pattern.size()) ++at;
  return pattern[at++];
}

// Whether `c` is what stands at pattern[at] within a set: a class, a range or a character. Moves `at` past it.
bool match_member(std::string_view pattern, size_t& at, char c) {
  const std::string_view rest = pattern.substr(at);
  if (const size_t end = rest.find(":]"); rest.starts_with("[:") && end != std::string_view::npos && end > 1) {
    at += end + 2;
    return is_in_class(rest.substr(2, end - 2), c);
  }
  const char low = take_member(pattern, at);
  const bool is_range = at + 1 < pattern.size() && pattern[at] == '-' && pattern[at + 1] != ']';
  if (!is_range) return low == c;
  ++at;
  const char high = take_member(pattern, at);
  const auto byte = [](char one) { return static_cast<unsigned char>(one); };
  return low == c || (byte(low) <= byte(c) && byte(c) <= byte(high));  // "z-a" is "z", as in git
}

// A set like [a-z], [!0-9] or [[:digit:]_] at pattern[at] == '['. Gives whether `c` is in it and moves `at` past it;
// nothing when the bracket is never closed, which makes it an ordinary character.
std::optional<bool> match_set(std::string_view pattern, size_t& at, char c) {
  size_t i = at + 1;
  const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (negated) ++i;
  bool found = false;
  const size_t first = i;
  while (i < pattern.size() && (pattern[i] != ']' || i == first)) found |= match_member(pattern, i, c);
  if (i >= pattern.size()) return std::nullopt;
  at = i + 1;
  return found != negated && c != '/';
}

// One pattern element against one character; moves `at` past the element when it fits.
bool match_one(std::string_view pattern, size_t& at, char c) {
  const char p = pattern[at];
  if (p == '[') {
    size_t after = at;
    const std::optional<bool> in_set = match_set(pattern, after, c);
    if (in_set.has_value()) {
      if (*in_set) at = after;
      return *in_set;
    }
  } else if (p == '?') {
    if (c == '/') return false;
    ++at;
    return true;
  } else if (p == '\\' && at + 1 < pattern.size()) {
    if (pattern[at + 1] != c) return false;
    at += 2;
    return true;
  }
  if (p != c) return false;
  ++at;
  return true;
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view path) {
  // Two points to come back to: the last `*` (within a name) and the last `**/` (any number of whole folders).
  struct Star {
    size_t pattern = std::string_view::npos;
    size_t path = 0;
  };
  Star one, many;
  size_t p = 0;
  size_t s = 0;
  while (s < path.size() || p < pattern.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      const bool at_folder = p == 0 || pattern[p - 1] == '/';
      if (at_folder && pattern.substr(p) == "**") return true;
      if (at_folder && pattern.substr(p).starts_with("**/")) {
        many = {p += 3, s};
        one = {};
      } else {
        one = {++p, s};
      }
      continue;
    }
    if (s < path.size() && p < pattern.size() && match_one(pattern, p, path[s])) {
      ++s;
      continue;
    }
    if (one.pattern != std::string_view::npos && one.path < path.size() && path[one.path] != '/') {
      p = one.pattern;
      s = ++one.path;
      continue;
    }
    const size_t folder_end =
        many.pattern == std::string_view::npos ? std::string_view::npos : path.find('/', many.path);
    if (folder_end == std::string_view::npos) return false;
    one = {};
    p = many.pattern;
    s = many.path = folder_end + 1;
  }
  return true;
}

void IgnoreRules::add(std::string_view file_text) {
  if (file_text.starts_with("\xEF\xBB\xBF")) file_text.remove_prefix(3);
  while (!file_text.empty()) {
    const size_t end = std::min(file_text.find('\n'), file_text.size());
    std::string_view line = file_text.substr(0, end);
    file_text.remove_prefix(std::min(end + 1, file_text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    while (line.ends_with(' ') && !line.ends_with("\\ ")) line.remove_suffix(1);
    if (line.empty() || line.front() == '#' || line.size() > kMaxPattern) continue;
    Rule rule;
    if (line.front() == '!') {
      rule.negated = true;
      line.remove_prefix(1);
    }
    if (line.ends_with('/')) {
      rule.folders_only = true;
      line.remove_suffix(1);
    }
    rule.anchored = line.find('/') != std::string_view::npos;
    if (line.starts_with('/')) line.remove_prefix(1);
    if (line.empty()) continue;
    rule.pattern = line;
    rules_.push_back(std::move(rule));
  }
}

IgnoreRules::Verdict IgnoreRules::match(std::string_view path, bool is_folder) const {
  const std::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  for (size_t i = rules_.size(); i-- > 0;) {
    const Rule& rule = rules_[i];
    if (rule.folders_only && !is_folder) continue;
    if (glob_match(rule.pattern, rule.anchored ? path : name)) {
      return rule.negated ? Verdict::kInclude : Verdict::kIgnore;
    }
  }
  return Verdict::kNone;
}

}  // namespace mneme::rag

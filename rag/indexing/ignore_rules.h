// The rules of .gitignore and .mnemeignore files: which paths below a folder are left out. Patterns are those of git:
// `*`, `?`, `[...]`, `**`, a leading `!` takes a path back in, a trailing `/` means folders only, a `/` elsewhere ties
// the pattern to its folder. The last rule that matches decides, and rules of deeper folders come later.
// Threads: immutable after parsing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

class IgnoreRules {
 public:
  // Adds the lines of one file. Unreadable lines (too long, no pattern left) are passed over.
  void add(std::string_view file_text);
  bool empty() const { return rules_.empty(); }

  enum class Verdict { kNone, kIgnore, kInclude };
  // `path`: relative to the folder the rules were found in, with `/`, no leading one.
  Verdict match(std::string_view path, bool is_folder) const;

 private:
  struct Rule {
    std::string pattern;
    bool negated = false;
    bool folders_only = false;
    bool anchored = false;
  };
  std::vector<Rule> rules_;
};

// Whether a whole path fits a pattern: `*` and `?` stop at `/`, `**` does not. Time is bounded by the product of the
// lengths, whatever the pattern.
bool glob_match(std::string_view pattern, std::string_view path);

}  // namespace mneme::rag

#include "rag/readers/tex/tex_expansion.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "rag/readers/tex/tex_commands.h"
#include "rag/readers/tex/tex_cursor.h"

namespace mneme::readers {
namespace {

constexpr int kDeepest = 16;                        // macros within macros
constexpr size_t kMostMacros = 10000;               // of a document
constexpr size_t kLeastExpanded = size_t{1} << 20;  // that macros may add to any document
constexpr size_t kMostExpanded = 4;                 // times its own length, to a longer one

struct Macro {
  int n_arguments = 0;
  std::optional<std::string> standard;  // the first argument is an option, this where it is not given
  std::string body;
};

// Neither comments nor macros in there are any.
bool is_raw(std::string_view environment) {
  const TexEnvironment kind = tex_environment(environment);
  return kind == TexEnvironment::kVerbatim || kind == TexEnvironment::kSilent;
}

class Expander {
 public:
  Expander(std::string_view source, size_t limit, const std::function<Status()>& check, TexExpansion& out)
      : source_(source),
        limit_(limit),
        n_left_(std::min(limit, std::max(kLeastExpanded, kMostExpanded * source.size()))),
        check_(check),
        out_(out) {}

  Status run() {
    out_.line_begins.push_back(0);
    expand(source_, 0);
    return status_;
  }

 private:
  void expand(std::string_view text, int depth) {
    TexCursor cursor(text);
    while (!cursor.done() && goes_on(depth)) {
      const char c = cursor.peek();
      const size_t begin = cursor.at();
      if (c == '%') {
        skip_comment(cursor);
      } else if (c == '\\') {
        take_command(cursor, text, depth);
      } else {
        cursor.skip(1);
        put(text.substr(begin, 1), depth);
      }
      if (depth == 0) note_lines(cursor.at());
    }
  }

  bool goes_on(int depth) {
    constexpr int kStepsBetweenChecks = 4096;
    if (++n_steps_ % kStepsBetweenChecks == 0 && status_.ok()) status_ = check_();
    return status_.ok() && out_.text.size() < limit_ && (depth == 0 || n_left_ > 0);
  }

  void put(std::string_view text, int depth) {
    if (depth > 0) n_left_ -= std::min(n_left_, text.size());
    out_.text += text;
  }

  // Lines of the file that end before `at` begin, at the latest, with what is written next.
  void note_lines(size_t at) {
    for (; noted_ < at; ++noted_)
      if (source_[noted_] == '\n') out_.line_begins.push_back(out_.text.size());
  }

  // With the line break and the white space in front of the next line's text; an empty line stays one.
  static void skip_comment(TexCursor& cursor) {
    while (!cursor.done() && cursor.peek() != '\n') cursor.skip(1);
    cursor.skip(1);
    while (cursor.peek() == ' ' || cursor.peek() == '\t') cursor.skip(1);
  }

  void take_command(TexCursor& cursor, std::string_view text, int depth) {
    const size_t begin = cursor.at();
    const std::string_view name = cursor.command();
    const auto copy = [&] { put(text.substr(begin, cursor.at() - begin), depth); };
    if (name == "verb" || name == "lstinline") {
      skip_verbatim_words(cursor);
      return copy();
    }
    if (name == "begin") {
      const auto environment = cursor.group();
      if (environment && is_raw(*environment)) cursor.environment(*environment);
      return copy();
    }
    if (name == "iffalse") return skip_false(cursor);
    if (take_definition(name, cursor)) return;
    const auto macro = macros_.find(name);
    if (macro == macros_.end() || depth >= kDeepest || n_left_ == 0) return copy();
    const bool had_space = is_space(text[cursor.at() - 1]);
    expand(substituted(macro->second, cursor), depth + 1);
    // "\method is": white space that a name ate parts words where macros are read by people.
    if (had_space && macro->second.n_arguments == 0) put(" ", depth);
  }

  // \verb|...|
  static void skip_verbatim_words(TexCursor& cursor) {
    if (cursor.peek() == '*') cursor.skip(1);
    cursor.option();
    if (cursor.group() || cursor.done()) return;
    const char mark = cursor.peek();
    cursor.skip(1);
    while (!cursor.done() && cursor.peek() != mark && cursor.peek() != '\n') cursor.skip(1);
    cursor.skip(1);
  }

  // \iffalse ... \fi, others within notwithstanding.
  static void skip_false(TexCursor& cursor) {
    for (int open = 1; open > 0 && !cursor.done();) {
      if (cursor.peek() != '\\') {
        cursor.skip(1);
        continue;
      }
      const std::string_view name = cursor.command();
      if (name == "fi" || (open == 1 && name == "else")) --open;
      if (name.starts_with("if") && name != "iff") ++open;
    }
  }

  bool take_definition(std::string_view name, TexCursor& cursor) {
    constexpr std::array<std::string_view, 4> kCommands = {"newcommand", "renewcommand", "providecommand",
                                                           "DeclareRobustCommand"};
    if (std::find(kCommands.begin(), kCommands.end(), name) != kCommands.end()) {
      define_command(cursor);
    } else if (name == "def" || name == "gdef" || name == "edef" || name == "xdef") {
      define_plain(cursor);
    } else if (name == "DeclareMathOperator") {
      skip_star(cursor);
      const std::string called = defined_name(cursor);
      if (const auto body = cursor.group()) remember(called, {0, {}, "\\text{" + std::string(*body) + "}"});
    } else if (name == "newenvironment" || name == "renewenvironment") {
      skip_star(cursor);
      cursor.group();
      while (cursor.option()) {
      }
      cursor.group();
      cursor.group();
    } else if (name == "newtheorem") {
      define_theorem(cursor);
    } else {
      return false;
    }
    return true;
  }

  static void skip_star(TexCursor& cursor) {
    if (cursor.peek() == '*') cursor.skip(1);
  }

  // "{\name}" or "\name".
  static std::string defined_name(TexCursor& cursor) {
    std::string_view argument = cursor.argument();
    while (!argument.empty() && is_space(argument.front())) argument.remove_prefix(1);
    while (!argument.empty() && is_space(argument.back())) argument.remove_suffix(1);
    if (argument.starts_with('\\')) argument.remove_prefix(1);
    return std::string(argument);
  }

  void define_command(TexCursor& cursor) {
    skip_star(cursor);
    const std::string name = defined_name(cursor);
    Macro macro;
    if (const auto count = cursor.option(); count && count->size() == 1 && is_digit((*count)[0]))
      macro.n_arguments = (*count)[0] - '0';
    if (const auto standard = cursor.option()) macro.standard = *standard;
    if (const auto body = cursor.group()) macro.body = *body;
    remember(name, std::move(macro));
  }

  // \def\name#1#2{...}; where other signs part the arguments it is not known.
  void define_plain(TexCursor& cursor) {
    cursor.skip_space();
    if (cursor.peek() != '\\') return;
    const std::string name(cursor.command());
    Macro macro;
    while (cursor.peek() == '#' && cursor.peek(1) == static_cast<char>('1' + macro.n_arguments)) {
      ++macro.n_arguments;
      cursor.skip(2);
    }
    const bool is_simple = cursor.peek() == '{';
    while (!cursor.done() && cursor.peek() != '{') cursor.skip(1);
    const auto body = cursor.group();
    if (!is_simple || !body) return;
    macro.body = *body;
    remember(name, std::move(macro));
  }

  void define_theorem(TexCursor& cursor) {
    skip_star(cursor);
    const auto environment = cursor.group();
    cursor.option();
    const auto called = cursor.group();
    cursor.option();
    if (environment && called && out_.theorems.size() < kMostMacros)
      out_.theorems.emplace(std::string(*environment), std::string(*called));
  }

  void remember(const std::string& name, Macro macro) {
    if (name.empty() || macros_.size() >= kMostMacros) return;
    macros_[name] = std::move(macro);
  }

  std::string substituted(const Macro& macro, TexCursor& cursor) {
    std::array<std::string_view, 9> given;
    for (int i = 0; i < macro.n_arguments; ++i) {
      std::string_view& own = given[static_cast<size_t>(i)];
      if (i > 0 || !macro.standard) {
        own = cursor.argument();
        continue;
      }
      const auto option = cursor.option();
      own = option ? *option : std::string_view(*macro.standard);
    }
    std::string text;
    for (size_t i = 0; i < macro.body.size() && text.size() < n_left_; ++i) {
      const char c = macro.body[i];
      const int number = c == '#' && i + 1 < macro.body.size() ? macro.body[i + 1] - '0' : 0;
      if (number < 1 || number > macro.n_arguments) {
        text += c;
        continue;
      }
      text += given[static_cast<size_t>(number - 1)];
      ++i;
    }
    n_left_ -= std::min(n_left_, text.size());
    return text;
  }

  const std::string_view source_;
  const size_t limit_;
  size_t n_left_;  // bytes that macros may still give
  const std::function<Status()>& check_;
  TexExpansion& out_;
  Status status_;
  int64_t n_steps_ = 0;
  size_t noted_ = 0;  // bytes of the source whose lines are noted
  std::map<std::string, Macro, std::less<>> macros_;
};

}  // namespace

int TexExpansion::line_of(size_t offset) const {
  const auto behind = std::upper_bound(line_begins.begin(), line_begins.end(), offset);
  return std::max(1, static_cast<int>(behind - line_begins.begin()));
}

Result<TexExpansion> expand_tex(std::string_view source, size_t limit_bytes, const std::function<Status()>& check) {
  TexExpansion out;
  MNEME_RETURN_IF_ERROR(Expander(source, limit_bytes, check, out).run());
  return out;
}

}  // namespace mneme::readers

#include "rag/readers/tex/tex_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "rag/readers/accents.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/tex/tex_commands.h"
#include "rag/text/markup/latex_math.h"

namespace mneme::readers {
namespace {

constexpr int kDeepest = 32;         // groups within groups that are read by themselves
constexpr size_t kMostNotes = 1000;  // that wait for the end of a block
constexpr size_t kLongestFormula = size_t{16} << 10;

void put_formula(std::string_view tex, bool is_displayed, std::string& out) {
  std::string formula = clean_text(rag::latex_math_text(tex));
  if (is_displayed && !out.empty()) out += ' ';
  out += formula;
  if (is_displayed) out += ' ';
}

// Runs of hyphens and quotation marks as TeX's fonts join them; false where none begins.
bool take_ligature(TexCursor& cursor, std::string& out) {
  struct Ligature {
    std::string_view written;
    std::string_view printed;
  };
  constexpr std::array kLigatures = {Ligature{"---", "—"}, Ligature{"--", "–"}, Ligature{"``", "“"},
                                     Ligature{"''", "”"},  Ligature{"`", "‘"},  Ligature{"\"`", "„"},
                                     Ligature{"\"'", "“"}};
  for (const Ligature& ligature : kLigatures) {
    if (!cursor.begins(ligature.written)) continue;
    cursor.skip(ligature.written.size());
    out += ligature.printed;
    return true;
  }
  return false;
}

}  // namespace

std::string TexWords::text(std::string_view tex, int depth) {
  std::string out;
  if (depth > kDeepest) return out;
  for (TexCursor cursor(tex); !cursor.done();) take(cursor, out, depth);
  return out;
}

void TexWords::take(TexCursor& cursor, std::string& out, int depth) {
  const char c = cursor.peek();
  if (c == '\\') return take_command(cursor, out, depth);
  if (c == '$') return take_dollars(cursor, out);
  if (take_ligature(cursor, out)) return;
  cursor.skip(1);
  // Arguments of a command that is not known here: "\entry{Rope}{Seil}".
  if (c == '}' && cursor.peek() == '{' && !out.empty()) out += ' ';
  if (c == '{' || c == '}') return;
  out += c == '~' || c == '\n' || c == '\t' ? ' ' : c;
}

void TexWords::take_command(TexCursor& cursor, std::string& out, int depth) {
  const std::string_view name = cursor.command();
  if (const char32_t mark = tex_accent(name)) {
    out += with_accent(text(cursor.argument(), depth + 1), mark);
  } else if (name == "\\") {
    if (cursor.peek() == '*') cursor.skip(1);
    if (cursor.peek() == '[') cursor.option();
    out += kLineBreak;
  } else if (name == "verb" || name == "lstinline") {
    if (cursor.peek() == '*') cursor.skip(1);
    cursor.option();
    const auto inside = cursor.group();
    const std::string mark(1, cursor.peek());
    if (!inside) cursor.skip(1);
    out += inside ? *inside : cursor.until(mark);
  } else if (const auto sign = tex_sign(name)) {
    out += *sign;
    if (is_letter(name[0]) && cursor.begins("{}")) cursor.skip(2);
  } else if (!take_link(name, cursor, out, depth) && !take_formula(name, cursor, out)) {
    if (cursor.peek() == '*') cursor.skip(1);
    while (cursor.peek() == '[' && cursor.option()) {
    }
    if (name == "cmidrule" && cursor.peek() == '(') cursor.until(")");
    for (int i = tex_silent_groups(name); i > 0; --i) cursor.argument();
    while (cursor.peek() == '[' && cursor.option()) {
    }
  }
}

// Commands that lead elsewhere: citations, references, links, footnotes.
bool TexWords::take_link(std::string_view name, TexCursor& cursor, std::string& out, int depth) {
  if (is_tex_citation(name) || is_tex_reference(name)) {
    if (cursor.peek() == '*') cursor.skip(1);
    while (cursor.peek() == '[' && cursor.option()) {
    }
    if (const auto keys = cursor.group()) out += "[" + clean_text(*keys) + "]";
  } else if (name == "href") {
    const auto target = cursor.group();
    const auto words = cursor.group();
    if (words) out += text(*words, depth + 1);
    if (target) out += " (" + std::string(*target) + ")";
  } else if (name == "url" || name == "path" || name == "nolinkurl") {
    if (const auto target = cursor.group()) out += *target;
  } else if (name == "footnote" || name == "thanks" || name == "footnotetext") {
    take_note(cursor, depth);
  } else {
    return false;
  }
  return true;
}

void TexWords::take_note(TexCursor& cursor, int depth) {
  while (cursor.peek() == '[' && cursor.option()) {
  }
  const auto words = cursor.group();
  if (words && notes_.size() < kMostNotes) notes_.push_back(text(*words, depth + 1));
}

bool TexWords::take_formula(std::string_view name, TexCursor& cursor, std::string& out) {
  if (name == "(" || name == "[") {
    put_formula(cursor.until(name == "(" ? "\\)" : "\\]"), name == "[", out);
  } else if (name == "ensuremath") {
    put_formula(cursor.argument(), false, out);
  } else if (name == "begin") {
    take_environment(cursor, out);
  } else if (name == "end") {
    cursor.group();
  } else {
    return false;
  }
  return true;
}

void TexWords::take_environment(TexCursor& cursor, std::string& out) {
  const auto name = cursor.group();
  if (!name) return;
  const TexEnvironment kind = tex_environment(*name);
  for (int i = tex_environment_groups(*name); i > 0; --i) cursor.group();
  if (kind == TexEnvironment::kMath) put_formula(cursor.environment(*name), true, out);
  if (kind == TexEnvironment::kSilent) cursor.environment(*name);
  if (kind == TexEnvironment::kVerbatim) out += cursor.environment(*name);
}

void TexWords::take_dollars(TexCursor& cursor, std::string& out) {
  const bool is_displayed = cursor.begins("$$");
  const std::string_view mark = is_displayed ? "$$" : "$";
  cursor.skip(mark.size());
  TexCursor end = cursor;
  while (!end.done() && !end.begins(mark) && end.at() - cursor.at() < kLongestFormula) {
    if (end.begins("\n\n")) break;  // no formula goes over an empty line: the dollar was a price
    end.skip(end.peek() == '\\' ? 2 : 1);
  }
  if (!end.begins(mark)) {
    out += mark;
    return;
  }
  put_formula(end.since(cursor.at()), is_displayed, out);
  cursor = end;
  cursor.skip(mark.size());
}

}  // namespace mneme::readers

// What LaTeX's own commands are to a reader of the text: a character, an accent, nothing, or words among their
// arguments. Threads: pure functions.
#pragma once

#include <optional>
#include <string_view>

namespace mneme::readers {

// Characters and signs: "ss", "ldots", "&"; nothing for other commands.
std::optional<std::string_view> tex_sign(std::string_view command);

// The combining mark of an accent: "'" in "\'e". 0: it is none.
char32_t tex_accent(std::string_view command);

// How many groups of a command say nothing ("vspace", "label", "includegraphics", the colour of "textcolor"); what
// groups follow are text. 0: all of them are.
int tex_silent_groups(std::string_view command);

// Citations ("cite", "citet", "parencite") and references ("ref", "cref"), told by their keys.
bool is_tex_citation(std::string_view command);
bool is_tex_reference(std::string_view command);

// Headings: 2 for parts to 7; 0: none. "section" is 4.
int tex_heading_level(std::string_view command);

enum class TexEnvironment {
  kOther,     // its content is text, in blocks of its own
  kMath,      // one formula
  kVerbatim,  // shown as written
  kSilent,    // drawings, comments
  kTable,     // rows of cells
  kItems,
  kNumbered,
  kTerms,
  kQuote
};
TexEnvironment tex_environment(std::string_view name);
// How many groups follow "\begin{name}" before its content.
int tex_environment_groups(std::string_view name);
// What LaTeX's classes call an environment of statements: "Theorem"; empty for others.
std::string_view tex_statement(std::string_view name);

}  // namespace mneme::readers

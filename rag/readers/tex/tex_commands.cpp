#include "rag/readers/tex/tex_commands.h"

#include <algorithm>
#include <array>

namespace mneme::readers {
namespace {

template <typename Value>
struct Named {
  std::string_view name;
  Value value;
};

template <typename Value, size_t N>
const Value* find(const std::array<Named<Value>, N>& table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.name == name; });
  return found != table.end() ? &found->value : nullptr;
}

template <size_t N>
bool holds(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

using Sign = Named<std::string_view>;
constexpr std::array kSigns = {
    Sign{"&", "&"},
    Sign{"%", "%"},
    Sign{"$", "$"},
    Sign{"#", "#"},
    Sign{"_", "_"},
    Sign{"{", "{"},
    Sign{"}", "}"},
    Sign{" ", " "},
    Sign{",", " "},
    Sign{";", " "},
    Sign{":", " "},
    Sign{"!", ""},
    Sign{"/", ""},
    Sign{"-", ""},
    Sign{"@", ""},
    Sign{"\n", " "},
    Sign{"ss", "ß"},
    Sign{"SS", "ẞ"},
    Sign{"ae", "æ"},
    Sign{"AE", "Æ"},
    Sign{"oe", "œ"},
    Sign{"OE", "Œ"},
    Sign{"o", "ø"},
    Sign{"O", "Ø"},
    Sign{"l", "ł"},
    Sign{"L", "Ł"},
    Sign{"aa", "å"},
    Sign{"AA", "Å"},
    Sign{"i", "ı"},
    Sign{"j", "ȷ"},
    Sign{"dh", "ð"},
    Sign{"DH", "Ð"},
    Sign{"th", "þ"},
    Sign{"TH", "Þ"},
    Sign{"dj", "đ"},
    Sign{"DJ", "Đ"},
    Sign{"S", "§"},
    Sign{"P", "¶"},
    Sign{"dag", "†"},
    Sign{"ddag", "‡"},
    Sign{"copyright", "©"},
    Sign{"pounds", "£"},
    Sign{"euro", "€"},
    Sign{"texteuro", "€"},
    Sign{"ldots", "…"},
    Sign{"dots", "…"},
    Sign{"textellipsis", "…"},
    Sign{"textendash", "–"},
    Sign{"textemdash", "—"},
    Sign{"textbackslash", "\\"},
    Sign{"textasciitilde", "~"},
    Sign{"textasciicircum", "^"},
    Sign{"textunderscore", "_"},
    Sign{"textbar", "|"},
    Sign{"textless", "<"},
    Sign{"textgreater", ">"},
    Sign{"textquotedblleft", "“"},
    Sign{"textquotedblright", "”"},
    Sign{"textquoteleft", "‘"},
    Sign{"textquoteright", "’"},
    Sign{"textquotesingle", "'"},
    Sign{"textbullet", "•"},
    Sign{"textdegree", "°"},
    Sign{"degree", "°"},
    Sign{"textregistered", "®"},
    Sign{"texttrademark", "™"},
    Sign{"textcopyright", "©"},
    Sign{"textmu", "µ"},
    Sign{"textpm", "±"},
    Sign{"texttimes", "×"},
    Sign{"textonehalf", "½"},
    Sign{"guillemotleft", "«"},
    Sign{"guillemotright", "»"},
    Sign{"glqq", "„"},
    Sign{"grqq", "“"},
    Sign{"quotedblbase", "„"},
    Sign{"LaTeX", "LaTeX"},
    Sign{"TeX", "TeX"},
    Sign{"LaTeXe", "LaTeX2ε"},
    Sign{"BibTeX", "BibTeX"},
    Sign{"slash", "/"},
    Sign{"lq", "‘"},
    Sign{"rq", "’"},
    Sign{"quad", " "},
    Sign{"qquad", " "},
    Sign{"enspace", " "},
    Sign{"thinspace", " "},
    Sign{"space", " "},
    Sign{"nobreakspace", " "},
    Sign{"newline", "\xe2\x80\xa8"},
    Sign{"linebreak", "\xe2\x80\xa8"},
    Sign{"tabularnewline", "\xe2\x80\xa8"},
};

using Accent = Named<char32_t>;
constexpr std::array kAccents = {
    Accent{"'", 0x301}, Accent{"`", 0x300}, Accent{"^", 0x302}, Accent{"\"", 0x308},
    Accent{"~", 0x303}, Accent{"=", 0x304}, Accent{".", 0x307}, Accent{"u", 0x306},
    Accent{"v", 0x30c}, Accent{"H", 0x30b}, Accent{"c", 0x327}, Accent{"k", 0x328},
    Accent{"d", 0x323}, Accent{"b", 0x331}, Accent{"r", 0x30a}, Accent{"t", 0x361},
};

using Count = Named<int>;
constexpr std::array kSilentGroups = {
    Count{"label", 1},           Count{"vspace", 1},
    Count{"vspace*", 1},         Count{"hspace", 1},
    Count{"includegraphics", 1}, Count{"input", 1},
    Count{"include", 1},         Count{"subfile", 1},
    Count{"bibliography", 1},    Count{"bibliographystyle", 1},
    Count{"usepackage", 1},      Count{"documentclass", 1},
    Count{"pagestyle", 1},       Count{"thispagestyle", 1},
    Count{"pagenumbering", 1},   Count{"setlength", 2},
    Count{"addtolength", 2},     Count{"setcounter", 2},
    Count{"addtocounter", 2},    Count{"stepcounter", 1},
    Count{"refstepcounter", 1},  Count{"fontsize", 2},
    Count{"selectlanguage", 1},  Count{"hypersetup", 1},
    Count{"graphicspath", 1},    Count{"cline", 1},
    Count{"cmidrule", 1},        Count{"addlinespace", 0},
    Count{"arraystretch", 0},    Count{"index", 1},
    Count{"glsadd", 1},          Count{"nocite", 1},
    Count{"phantom", 1},         Count{"hphantom", 1},
    Count{"vphantom", 1},        Count{"color", 1},
    Count{"rowcolor", 1},        Count{"cellcolor", 1},
    Count{"columncolor", 1},     Count{"textcolor", 1},
    Count{"colorbox", 1},        Count{"fcolorbox", 2},
    Count{"multicolumn", 2},     Count{"multirow", 2},
    Count{"parbox", 1},          Count{"raisebox", 1},
    Count{"resizebox", 2},       Count{"scalebox", 1},
    Count{"rotatebox", 1},       Count{"makebox", 0},
    Count{"addcontentsline", 3}, Count{"markboth", 2},
    Count{"markright", 1},       Count{"captionsetup", 1},
    Count{"definecolor", 3},     Count{"theoremstyle", 1},
    Count{"numberwithin", 2},    Count{"usetikzlibrary", 1},
    Count{"tikzset", 1},         Count{"pgfplotsset", 1},
    Count{"lstset", 1},          Count{"newlength", 1},
    Count{"newcounter", 1},      Count{"hyphenation", 1},
    Count{"foreignlanguage", 1}, Count{"hyperref", 0},
    Count{"usetheme", 1},        Count{"usecolortheme", 1},
    Count{"addbibresource", 1},  Count{"newtheoremstyle", 9},
    Count{"selectfont", 0},
};

using Level = Named<int>;
constexpr std::array kLevels = {
    Level{"part", 2},          Level{"chapter", 3},   Level{"section", 4},      Level{"subsection", 5},
    Level{"subsubsection", 6}, Level{"paragraph", 7}, Level{"subparagraph", 7}, Level{"frametitle", 6},
    Level{"addchap", 3},       Level{"addsec", 4},
};

using Kind = Named<TexEnvironment>;
constexpr std::array kEnvironments = {
    Kind{"equation", TexEnvironment::kMath},      Kind{"align", TexEnvironment::kMath},
    Kind{"gather", TexEnvironment::kMath},        Kind{"multline", TexEnvironment::kMath},
    Kind{"eqnarray", TexEnvironment::kMath},      Kind{"displaymath", TexEnvironment::kMath},
    Kind{"math", TexEnvironment::kMath},          Kind{"flalign", TexEnvironment::kMath},
    Kind{"alignat", TexEnvironment::kMath},       Kind{"dmath", TexEnvironment::kMath},
    Kind{"verbatim", TexEnvironment::kVerbatim},  Kind{"Verbatim", TexEnvironment::kVerbatim},
    Kind{"BVerbatim", TexEnvironment::kVerbatim}, Kind{"lstlisting", TexEnvironment::kVerbatim},
    Kind{"minted", TexEnvironment::kVerbatim},    Kind{"alltt", TexEnvironment::kVerbatim},
    Kind{"comment", TexEnvironment::kSilent},     Kind{"filecontents", TexEnvironment::kSilent},
    Kind{"tikzpicture", TexEnvironment::kSilent}, Kind{"pgfpicture", TexEnvironment::kSilent},
    Kind{"picture", TexEnvironment::kSilent},     Kind{"axis", TexEnvironment::kSilent},
    Kind{"forest", TexEnvironment::kSilent},      Kind{"tabular", TexEnvironment::kTable},
    Kind{"tabularx", TexEnvironment::kTable},     Kind{"tabulary", TexEnvironment::kTable},
    Kind{"longtable", TexEnvironment::kTable},    Kind{"supertabular", TexEnvironment::kTable},
    Kind{"xltabular", TexEnvironment::kTable},    Kind{"tabu", TexEnvironment::kTable},
    Kind{"itemize", TexEnvironment::kItems},      Kind{"compactitem", TexEnvironment::kItems},
    Kind{"enumerate", TexEnvironment::kNumbered}, Kind{"compactenum", TexEnvironment::kNumbered},
    Kind{"description", TexEnvironment::kTerms},  Kind{"quote", TexEnvironment::kQuote},
    Kind{"quotation", TexEnvironment::kQuote},    Kind{"verse", TexEnvironment::kQuote},
    Kind{"displayquote", TexEnvironment::kQuote},
};

constexpr std::array kEnvironmentGroups = {
    Count{"tabular", 1},   Count{"tabularx", 2},        Count{"tabulary", 2},      Count{"tabular*", 2},
    Count{"longtable", 1}, Count{"supertabular", 1},    Count{"xltabular", 2},     Count{"tabu", 1},
    Count{"minipage", 1},  Count{"thebibliography", 1}, Count{"multicols", 1},     Count{"wrapfigure", 2},
    Count{"wraptable", 2}, Count{"minted", 1},          Count{"alignat", 1},       Count{"subfigure", 1},
    Count{"subtable", 1},  Count{"adjustbox", 1},       Count{"spacing", 1},       Count{"list", 2},
    Count{"columns", 0},   Count{"column", 1},          Count{"otherlanguage", 1}, Count{"filecontents", 1},
};

using Statement = Named<std::string_view>;
constexpr std::array kStatements = {
    Statement{"theorem", "Theorem"},       Statement{"lemma", "Lemma"},
    Statement{"definition", "Definition"}, Statement{"proposition", "Proposition"},
    Statement{"proof", "Proof"},           Statement{"corollary", "Corollary"},
    Statement{"remark", "Remark"},         Statement{"example", "Example"},
    Statement{"conjecture", "Conjecture"}, Statement{"claim", "Claim"},
    Statement{"exercise", "Exercise"},     Statement{"solution", "Solution"},
};

std::string_view without_star(std::string_view name) {
  if (name.ends_with('*')) name.remove_suffix(1);
  return name;
}

}  // namespace

std::optional<std::string_view> tex_sign(std::string_view command) {
  const std::string_view* const sign = find(kSigns, command);
  return sign != nullptr ? std::optional(*sign) : std::nullopt;
}

char32_t tex_accent(std::string_view command) {
  const char32_t* const mark = find(kAccents, command);
  return mark != nullptr ? *mark : 0;
}

int tex_silent_groups(std::string_view command) {
  const int* const count = find(kSilentGroups, command);
  return count != nullptr ? *count : 0;
}

bool is_tex_citation(std::string_view command) {
  constexpr std::array<std::string_view, 14> kCitations = {
      "cite",  "citep",     "citet",    "citealp",  "citealt",  "citeauthor", "citeyear",
      "Citet", "parencite", "textcite", "autocite", "footcite", "supercite",  "citeyearpar"};
  return holds(kCitations, command);
}

bool is_tex_reference(std::string_view command) {
  constexpr std::array<std::string_view, 8> kReferences = {"ref",  "eqref", "pageref", "autoref",
                                                           "cref", "Cref",  "nameref", "vref"};
  return holds(kReferences, command);
}

int tex_heading_level(std::string_view command) {
  const int* const level = find(kLevels, command);
  return level != nullptr ? *level : 0;
}

TexEnvironment tex_environment(std::string_view name) {
  const TexEnvironment* const kind = find(kEnvironments, without_star(name));
  return kind != nullptr ? *kind : TexEnvironment::kOther;
}

int tex_environment_groups(std::string_view name) {
  if (const int* const count = find(kEnvironmentGroups, name)) return *count;
  const int* const count = find(kEnvironmentGroups, without_star(name));
  return count != nullptr ? *count : 0;
}

std::string_view tex_statement(std::string_view name) {
  const std::string_view* const called = find(kStatements, without_star(name));
  return called != nullptr ? *called : std::string_view();
}

}  // namespace mneme::readers

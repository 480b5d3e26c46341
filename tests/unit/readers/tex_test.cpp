#include <gtest/gtest.h>

#include <string>

#include "rag/readers/tex/tex_cursor.h"
#include "rag/readers/tex/tex_expansion.h"
#include "rag/readers/tex/tex_table.h"
#include "rag/readers/tex/tex_words.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using rag::BlockKind;
using test::block_text;
using test::expect_well_formed;
using test::kinds;
using test::read_text;

std::string words(std::string_view tex) {
  return TexWords().text(tex);
}

std::string expanded(std::string_view tex) {
  auto expansion = expand_tex(tex, size_t{1} << 20, [] { return Status(); });
  EXPECT_TRUE(expansion.ok());
  return expansion.ok() ? expansion->text : "";
}

TEST(TexCursor, GroupsBalanceAndEscapesDoNotCount) {
  TexCursor cursor("  {a{b}\\}c}[x{]}y]{never");
  EXPECT_EQ(cursor.group(), "a{b}\\}c");
  EXPECT_FALSE(cursor.group());
  EXPECT_EQ(cursor.option(), "x{]}y");
  EXPECT_FALSE(cursor.group());
  TexCursor end("\\");
  EXPECT_EQ(end.command(), "");
  EXPECT_TRUE(end.done());
  TexCursor nested("\\begin{a}x\\end{a}y\\end{a}z");
  EXPECT_EQ(nested.environment("a"), "\\begin{a}x\\end{a}y");
  EXPECT_EQ(nested.peek(), 'z');
}

TEST(TexWords, SignsAccentsDashesAndQuotations) {
  EXPECT_EQ(words("Erd\\H{o}s, G\\\"odel, \\'Etienne, na\\\"{\\i}ve, \\c{c}a, Stra\\ss e"),
            "Erdős, Gödel, Étienne, naïve, ça, Straße");
  EXPECT_EQ(words("``so''---pages 3--5, 50\\,\\% of \\$10~million"), "“so”—pages 3–5, 50 % of $10 million");
  EXPECT_EQ(words("{\\bf bold} \\emph{and \\textit{both}} \\textcolor{red}{red}"), "bold and both red");
  EXPECT_EQ(words("\\entry[x]{Rope}{Seil}, shelf{}ful"), "Rope Seil, shelfful");
  EXPECT_EQ(words("\\LaTeX{} is \\texttt{a\\_b}\\dots"), "LaTeX is a_b…");
}

TEST(TexWords, FormulasAreText) {
  EXPECT_EQ(words("So $E = mc^2$ and \\(\\alpha \\leq \\frac{1}{2}\\)."), "So E = mc² and α ≤ 1/2.");
  EXPECT_EQ(words("It costs $5.\n\nAnd $6."), "It costs $5.  And $6.");
  EXPECT_EQ(words("\\begin{equation}\\label{eq:a} x_1 \\end{equation}"), "x₁ ");
}

TEST(TexWords, CitationsReferencesAndLinks) {
  EXPECT_EQ(words("as \\citet[p.~3]{knuth84,lamport94} in Section~\\ref{sec:a}"),
            "as [knuth84,lamport94] in Section [sec:a]");
  EXPECT_EQ(words("\\href{https://a.org/x}{here}, \\url{b.org/y_z}, \\verb|a_b{| and \\verb+c+"),
            "here (https://a.org/x), b.org/y_z, a_b{ and c");
  TexWords notes;
  EXPECT_EQ(notes.text("Word\\footnote{A \\emph{note}.} more\\label{x}\\vspace{1cm}."), "Word more.");
  EXPECT_EQ(notes.take_notes(), std::vector<std::string>{"A note."});
}

TEST(TexExpansion, CommentsGoAndMacrosStandForWhatTheySay) {
  EXPECT_EQ(expanded("a % gone\n  b 50\\% c\n"), "a b 50\\% c\n");
  EXPECT_EQ(expanded("\\newcommand{\\tool}{FooNet\\xspace}\\tool is, \\tool{} was"),
            "FooNet\\xspace is, FooNet\\xspace{} was");
  EXPECT_EQ(expanded("\\newcommand{\\pair}[2][x]{(#1,#2)}\\pair{b} \\pair[a]{b}"), "(x,b) (a,b)");
  EXPECT_EQ(expanded("\\def\\sq#1{#1#1}\\sq{ab}\\sq c"), "ababcc");
  EXPECT_EQ(expanded("\\newcommand{\\be}{\\begin{equation}}\\be x"), "\\begin{equation} x");
  EXPECT_EQ(expanded("a\\iffalse b \\if c\\fi d\\fi e"), "ae");
  EXPECT_EQ(expanded("\\begin{verbatim}50% \\tool\n\\end{verbatim}\\verb|%|"),
            "\\begin{verbatim}50% \\tool\n\\end{verbatim}\\verb|%|");
}

TEST(TexExpansion, MacrosOfMacrosEnd) {
  EXPECT_LT(expanded("\\def\\a{\\a\\a}\\a").size(), size_t{4} << 20);
  std::string bomb = "\\def\\a{xxxxxxxxxxxxxxxxxxxx}";
  for (char c = 'b'; c <= 'o'; ++c) {
    bomb += std::string("\\def\\") + c + "{";
    for (int i = 0; i < 20; ++i) bomb += std::string("\\") + static_cast<char>(c - 1);
    bomb += "}";
  }
  EXPECT_LE(expanded(bomb + "\\o").size(), size_t{2} << 20);
}

TEST(TexTable, RowsAndCells) {
  const auto rows = tex_table_rows("a & {b & c} \\\\[2pt] \\hline d\\& & \\begin{x} e & f \\\\ \\end{x}");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0], (std::vector<std::string_view>{"a ", " {b & c} "}));
  EXPECT_EQ(rows[1], (std::vector<std::string_view>{" \\hline d\\& ", " \\begin{x} e & f \\\\ \\end{x}"}));
}

constexpr std::string_view kPaper = R"(\documentclass[11pt]{article}
\usepackage{amsmath}
\newcommand{\crane}{LiftNet}
\newtheorem{thm}{Theorem}[section]
\title{Cranes that \\ Remember\thanks{Funded by nobody.}}
\author{Ruth Amsel \\ Harbour \and Jon Reed}
\date{May 9, 2031}
\begin{document}
\maketitle
\begin{abstract}
We lift. % not this
It works.
\end{abstract}
\section{Introduction}\label{sec:intro}
\crane{} lifts 800~kg\footnote{On a good day.} as
\begin{equation} F = m g \end{equation}
says.

A second paragraph.
\begin{itemize}
  \item one
  \begin{enumerate}
    \item inner
  \end{enumerate}
  \item two

  goes on
\end{itemize}
\begin{description}\item[Rope] holds.\end{description}
\begin{thm}[Lifting] What goes up comes down. \end{thm}
\begin{table}[t]
  \caption{Limits of \crane.}
  \begin{tabular}{lr}
    \toprule
    Rope & Weight \\ \midrule
    thin & \textbf{100} \\
    \multicolumn{2}{c}{none} \\
    \bottomrule
  \end{tabular}
\end{table}
\begin{quote}Heave ho.\end{quote}
\begin{verbatim}
x = 5 % kept
\end{verbatim}
\begin{tikzpicture}\draw (0,0);\end{tikzpicture}
\begin{thebibliography}{9}
\bibitem{reed30} J. Reed, \emph{Ropes}, 2030.
\end{thebibliography}
\end{document}
not this
)";

TEST(Tex, ReadsWhatItsReadersSee) {
  const rag::Document document = read_text("paper.tex", kPaper);
  EXPECT_EQ(document.format, "latex");
  EXPECT_EQ(document.title, "Cranes that Remember");
  EXPECT_EQ(document.author, "Ruth Amsel, Jon Reed");
  EXPECT_EQ(document.date, "2031-05-09");
  EXPECT_EQ(
      document.text,
      "Cranes that Remember\n\nRuth Amsel\nHarbour\nJon Reed\n\nAbstract\n\nWe lift. It works.\n\nIntroduction\n\n"
      "LiftNet lifts 800 kg as F = m g says.\n\nFootnote: On a good day.\n\nA second paragraph.\n\n"
      "- one\n  1. inner\n- two\n\ngoes on\n\nRope: holds.\n\nTheorem (Lifting). What goes up comes down.\n\n"
      "Table: Limits of LiftNet.\n\nRope | Weight\nthin | 100\nnone\n\nHeave ho.\n\nx = 5 % kept\n\nReferences\n\n"
      "[reed30] J. Reed, Ropes, 2030.");
  EXPECT_EQ(document.blocks[5].line_begin, 15);  // "LiftNet lifts ..."
  EXPECT_EQ(document.blocks[5].line_end, 17);
  expect_well_formed(document, false);
}

TEST(Tex, AChapterWithoutPreambleAndAFileOfMacros) {
  const rag::Document chapter = read_text("ch.tex", "\\chapter{Ropes}\nThey hold.\n\\subsection*{Thin ones}\nNot.\n");
  EXPECT_EQ(chapter.text, "Ropes\n\nThey hold.\n\nThin ones\n\nNot.");
  EXPECT_EQ(chapter.blocks[2].heading_level, 5);
  EXPECT_NE(read_text("macros.tex", "\\newcommand{\\rope}{Seil}\n").text.find("Seil"), std::string::npos);
}

TEST(Tex, AnItemWithoutWordsEndsWithItsList) {
  const rag::Document document = read_text("a.tex", "\\begin{itemize}\\item a\\item\n\\end{itemize}\nBehind it.\n");
  EXPECT_EQ(kinds(document), (std::vector{BlockKind::kListItem, BlockKind::kParagraph}));
  EXPECT_EQ(block_text(document, 1), "Behind it.");
}

TEST(Tex, BrokenFilesEnd) {
  for (const std::string_view body : {"\\",
                                      "{",
                                      "}",
                                      "$",
                                      "$$",
                                      "\\begin",
                                      "\\begin{",
                                      "\\begin{tabular}",
                                      "\\begin{equation}x",
                                      "\\end{x}",
                                      "\\item",
                                      "\\item[",
                                      "\\section",
                                      "\\section{",
                                      "\\verb",
                                      "\\verb|",
                                      "\\newcommand",
                                      "\\def",
                                      "\\def\\a#1",
                                      "\\iffalse",
                                      "\\caption",
                                      "\\title{",
                                      "\\'",
                                      "\\footnote",
                                      "[",
                                      "&",
                                      "\\bibitem",
                                      "\\\\[",
                                      "%"}) {
    const auto document = read_document("a.tex", as_bytes("text\n\n" + std::string(body)));
    ASSERT_TRUE(document.ok()) << body;
    expect_well_formed(*document, false);
  }
  for (const std::string_view repeated :
       {"{", "\\begin{a}", "\\begin{itemize}", "\\textbf{", "$", "\\footnote{", "\\'"}) {
    std::string many = "text\n\n";
    for (int i = 0; i < 5000; ++i) many += repeated;
    EXPECT_TRUE(read_document("a.tex", as_bytes(many)).ok()) << repeated;
  }
}

}  // namespace
}  // namespace mneme::readers

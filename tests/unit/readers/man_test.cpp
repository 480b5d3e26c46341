#include <gtest/gtest.h>

#include <string>

#include "rag/readers/accents.h"
#include "rag/readers/roff/mdoc_words.h"
#include "rag/readers/roff/roff_characters.h"
#include "rag/readers/roff/roff_conditions.h"
#include "rag/readers/roff/roff_text.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using rag::BlockKind;
using test::block_text;
using test::expect_well_formed;
using test::kinds;
using test::read_text;

TEST(RoffText, EscapesPrintCharactersOrNothing) {
  const auto text = [](std::string_view line) { return roff_text(line, {{"Aq", "\\(aq"}, {"name", "mneme"}}); };
  EXPECT_EQ(text("\\fB\\-\\-sort\\fR=\\fI\\,WORD\\/\\fR"), "--sort=WORD");
  EXPECT_EQ(text("a\\ b\\~c\\0d\\|e\\&f"), "a b c def");
  EXPECT_EQ(text("\\s-1SMALL\\s0 \\s+2big\\s10 \\f(CWcode\\f[R] \\m[red]x\\m[]"), "SMALL big code x");
  EXPECT_EQ(text("\\(lqyes\\(rq \\[em] \\[u00E9] \\['e] \\(:u \\(<= \\[char233]"), "“yes” — é é ü ≤ é");
  EXPECT_EQ(text("don\\*(Aqt \\*[name] \\*[none]"), "don't mneme ");
  EXPECT_EQ(text("a\\h'2m'b\\v'-1'c\\w'xyz'd"), "abcd");
  EXPECT_EQ(text("C:\\e\\\" a comment"), "C:\\");
  EXPECT_EQ(text("ends\\"), "ends");
  EXPECT_EQ(text("\\f"), "");
  EXPECT_EQ(text("\\["), "");
  EXPECT_EQ(text("\\N'38'"), "&");
}

TEST(RoffText, StringsThatHoldEachOtherEnd) {
  RoffStrings strings;
  std::string many;
  for (int i = 0; i < 100; ++i) many += "\\*a";
  strings["a"] = many;
  EXPECT_EQ(roff_text("\\*a", strings), "");
}

TEST(RoffText, ArgumentsAreWordsOrQuoted) {
  EXPECT_EQ(roff_arguments("LS \"1\" \"User \"\"Commands\"\"\" a\\ b \\\" comment"),
            (std::vector<std::string>{"LS", "1", "User \"Commands\"", "a\\ b"}));
  EXPECT_EQ(roff_arguments("\"open"), std::vector<std::string>{"open"});
  EXPECT_TRUE(roff_arguments("  ").empty());
}

TEST(RoffCharacters, AccentsComposeAndUnknownNamesAreNothing) {
  EXPECT_EQ(with_accent("e", 0x301), "é");
  EXPECT_EQ(with_accent("ıx", 0x308), "ïx");
  EXPECT_EQ(with_accent("q", 0x301), "q\u0301");
  EXPECT_EQ(with_accent("", 0x301), "");
  EXPECT_EQ(roff_character("u0065_0301"), "e\u0301");
  EXPECT_EQ(roff_character("uD800"), "");
  EXPECT_EQ(roff_character("u110000"), "");
  EXPECT_EQ(roff_character("no such"), "");
}

TEST(RoffConditions, AreAsOnATerminal) {
  const auto holds = [](std::string_view condition) {
    std::string_view rest = condition;
    const bool is_so = take_roff_condition(rest);
    EXPECT_EQ(rest, "rest") << condition;
    return is_so;
  };
  EXPECT_TRUE(holds("n rest"));
  EXPECT_FALSE(holds("t rest"));
  EXPECT_TRUE(holds("!t rest"));
  EXPECT_TRUE(holds("\\n(.g rest"));
  EXPECT_FALSE(holds("\\nF>0 rest"));
  EXPECT_FALSE(holds("(\\n(rF:(\\n(.g==0)) rest"));
  EXPECT_TRUE(holds("(\\n[.g]&1) rest"));
  EXPECT_FALSE(holds("d TITLE rest"));
  EXPECT_TRUE(holds("!rzZ rest"));
  EXPECT_FALSE(holds("'a'b' rest"));
  EXPECT_TRUE(holds("'a'a' rest"));
  std::string_view deep = "((((((((((((((((((((((((((((";
  EXPECT_FALSE(take_roff_condition(deep));
}

TEST(MdocWords, MacrosWithinALine) {
  MdocWords words;
  EXPECT_EQ(words.line("Nm", {"tar"}), "tar");
  EXPECT_EQ(words.line("Nm", {}), "tar");
  EXPECT_EQ(words.line("Op", {"Fl", "a", "Ar", "file"}), "[-a file]");
  EXPECT_EQ(words.line("Xr", {"ls", "1", ","}), "ls(1),");
  EXPECT_EQ(words.line("Op", {"Op", "Fl", "x", "."}), "[[-x]].");
  EXPECT_EQ(words.line("Fl", {"f", "Ns", "Ar", "name"}), "-fname");
  EXPECT_EQ(words.line("Fn", {"open", "const char *path", "int flags", ";"}), "open(const char *path, int flags);");
  EXPECT_EQ(words.line("Pq", {"see", "Xr", "sh", "1"}), "(see sh(1))");
  EXPECT_EQ(words.line("Ar", {}), "file ...");
}

constexpr std::string_view kPage = R"('\" t
.\" a comment
.TH CRANE 1 "2031-05-09" "harbour 2.0" "User Commands"
.ie \n(.g .ds Aq \(aq
.el       .ds Aq '
.de URL
\fI\\$2\fP <\\$1>\\$3
..
.als MTO URL
.SH NAME
crane, hoist \- lift what is too heavy
.SH SYNOPSIS
.B crane
[\fIOPTION\fR]... \fIWEIGHT\fR
.SH OPTIONS
.TP
\fB\-l\fR, \fB\-\-limit\fR=\fI\,KG\/\fR
lift no more than KG;
the default is 800
.TP
.B \-n
.TQ
.B \-\-dry\-run
only say what would be lifted
.IP \(bu 2
one
.IP 2.
two
.PP
Don\*(Aqt stand below.
.br
See
.BR winch (1),
.MTO http://example.org "the manual" .
.nf
  crane \-l 800
    anchor
.fi
.SS Limits
.TS
tab(;);
l r.
Rope;Weight
_
thin;T{
up to
100
T}
.TE
.if t ignored
.ig
not shown
..
The end.
)";

TEST(ManPage, ReadsAsATerminalShowsIt) {
  const rag::Document document = read_text("crane.1", kPage);
  EXPECT_EQ(document.format, "man");
  EXPECT_EQ(document.title, "crane(1): lift what is too heavy");
  EXPECT_EQ(document.date, "2031-05-09");
  EXPECT_EQ(document.text,
            "NAME\n\ncrane, hoist - lift what is too heavy\n\nSYNOPSIS\n\ncrane [OPTION]... WEIGHT\n\nOPTIONS\n\n"
            "-l, --limit=KG: lift no more than KG; the default is 800\n"
            "-n, --dry-run: only say what would be lifted\n"
            "- one\n2. two\n\n"
            "Don't stand below.\nSee winch(1), http://example.org the manual .\n\n"
            "  crane -l 800\n    anchor\n\nLimits\n\nRope | Weight\nthin | up to 100\n\nThe end.");
  EXPECT_EQ(document.blocks[0].line_begin, 10);
  EXPECT_EQ(document.blocks[3].line_begin, 13);
  EXPECT_EQ(document.blocks[3].line_end, 14);
  EXPECT_EQ(block_text(document, 5), "-l, --limit=KG: lift no more than KG; the default is 800");
  EXPECT_EQ(document.blocks[5].line_begin, 17);
  EXPECT_EQ(document.blocks[5].line_end, 19);
  expect_well_formed(document, false);
}

TEST(ManPage, Mdoc) {
  const rag::Document document = read_text("winch.8", R"(.\" $Id$
.Dd May 9, 2031
.Dt WINCH 8
.Os
.Sh NAME
.Nm winch
.Nd pull ropes
.Sh SYNOPSIS
.Nm
.Op Fl v
.Ar rope ...
.Nm
.Fl V
.Sh DESCRIPTION
The
.Nm
utility pulls
.Pq slowly .
.Pp
Options:
.Bl -tag -width Ds
.It Fl v , Fl -verbose
Says more.
.It Fl V
Says its version.
.Bl -enum
.It
one
.It
two
.El
.El
.Bd -literal
winch -v anchor
.Ed
.Bl -column a b
.It Sy Rope Ta Sy Weight
.It thin Ta 100
.El
)");
  EXPECT_EQ(document.title, "winch(8): pull ropes");
  EXPECT_EQ(document.date, "2031-05-09");
  EXPECT_EQ(document.text,
            "NAME\n\nwinch - pull ropes\n\nSYNOPSIS\n\nwinch [-v] rope ...\nwinch -V\n\nDESCRIPTION\n\n"
            "The winch utility pulls (slowly).\n\nOptions:\n\n"
            "-v, --verbose: Says more.\n-V: Says its version.\n  1. one\n  2. two\n\nwinch -v anchor\n\n"
            "Rope | Weight\nthin | 100");
}

TEST(ManPage, IsKnownByWhatItHolds) {
  EXPECT_EQ(read_text("page", "\n\n.TH X 1\n.SH NAME\nx \\- y\n").format, "man");
  EXPECT_EQ(read_text("log.1", "plain lines\n.TH is no title here\n").format, "text");
  EXPECT_EQ(read_text("a.txt", ".hidden files\n\nare listed\n").format, "text");
}

TEST(ManPage, BrokenPagesEnd) {
  for (const std::string_view body :
       {".de X\nnever ends", ".if t \\{\nnever ends", ".TS\nl l.\na\tT{\nnever", ".TS\n", ".TP", ".TP\n.TP\n.TP\n",
        ".IP", ".SH", ".ds", ".ie", ".el", "\\", ".", "'", ". ", ".UR\n.UE\n", ".RE\n.RE\ntext\n", ".B", ".MR x"}) {
    const auto document = read_document("a.man", as_bytes(".TH A 1\n.SH NAME\na \\- b\n" + std::string(body)));
    ASSERT_TRUE(document.ok()) << body;
    expect_well_formed(*document, false);
  }
  const std::string nested(100000, '!');
  EXPECT_TRUE(read_document("a.man", as_bytes(".SH X\ntext\n.if " + nested + "n .if n .if n yes\n")).ok());
  std::string conditions = ".SH X\ntext\n";
  for (int i = 0; i < 100000; ++i) conditions += ".if n ";
  EXPECT_TRUE(read_document("a.man", as_bytes(conditions)).ok());
}

}  // namespace
}  // namespace mneme::readers

#include "rag/text/markup/task_mark.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(TaskMark, IsABoxOrWhatTodoTxtHas) {
  struct Case {
    const char* line;
    size_t n_bytes;
    bool done;
  };
  for (const Case& c :
       {Case{"[ ] call", 4, false}, Case{"[x] paid", 4, true}, Case{"[X]  paid", 5, true},
        Case{"\u2610 call", 4, false}, Case{"\u2611paid", 3, true}, Case{"\u2612 paid", 4, true},
        Case{"(A) call", 4, false}, Case{"(C) 2026-03-13 call", 4, false}, Case{"x 2026-03-13 paid", 2, true}}) {
    EXPECT_EQ(task_mark(c.line).n_bytes, c.n_bytes) << c.line;
    EXPECT_EQ(task_mark(c.line).done, c.done) << c.line;
  }
}

TEST(TaskMark, OtherLinesHaveNone) {
  for (const char* line : {"", "[ ]", "[ ] ", "\u2610", "[y] no", "[]", "(C) 2009 ACME", "(C) by Ann", "(a) first",
                           "(A)", "x 2026", "x is a number of 12 digits", "- [ ] call"})
    EXPECT_EQ(task_mark(line).n_bytes, 0U) << line;
}

}  // namespace
}  // namespace mneme::rag

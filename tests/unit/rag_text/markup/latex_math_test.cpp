#include "rag/text/markup/latex_math.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(LatexMath, SignsPowersAndFractionsAreText) {
  EXPECT_EQ(latex_math_text("E = mc^2"), "E = mc²");
  EXPECT_EQ(latex_math_text("\\alpha_{10} \\to \\infty"), "α₁₀ → ∞");
  EXPECT_EQ(latex_math_text("x^{a+b} \\unknown{y}"), "x^(a+b) y");
  EXPECT_EQ(latex_math_text("60^\\circ"), "60°");
  EXPECT_EQ(latex_math_text("60\\,^\\circ C"), "60 ° C");
  EXPECT_EQ(latex_math_text("\\begin{aligned} a &= b \\label{x} \\end{aligned}"), " a = b  ");
}

TEST(LatexMath, WhatIsCutOffOrHostileEnds) {
  EXPECT_EQ(latex_math_text("\\frac{1"), "1/");
  EXPECT_EQ(latex_math_text(std::string(100000, '{')), "");
  EXPECT_EQ(latex_math_text("\\begin"), "");
}

}  // namespace
}  // namespace mneme::rag

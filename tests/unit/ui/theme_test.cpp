// Whether the colours can be read.
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace mneme::ui {
namespace {

double luminance(ImU32 colour) {
  const auto channel = [&](int shift) {
    const double c = static_cast<double>((colour >> shift) & 0xffu) / 255.0;
    return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel(IM_COL32_R_SHIFT) + 0.7152 * channel(IM_COL32_G_SHIFT) + 0.0722 * channel(IM_COL32_B_SHIFT);
}

double contrast(ImU32 a, ImU32 b) {
  const auto [low, high] = std::minmax({luminance(a), luminance(b)});
  return (high + 0.05) / (low + 0.05);
}

constexpr double kReadable = 4.5;  // WCAG 2, level AA, for small letters

TEST(ThemeTest, EveryColourOfLettersIsReadableOnEveryGround) {
  for (const Theme& t : {light_theme(), dark_theme()}) {
    for (const ImU32 letters : {t.text, t.muted, t.accent, t.danger, t.success}) {
      for (const ImU32 ground : {t.background, t.surface, t.raised, t.hover, t.accent_soft, t.passage})
        EXPECT_GE(contrast(letters, ground), kReadable) << std::hex << letters << " on " << ground;
    }
    EXPECT_GE(contrast(t.text, t.highlight), kReadable);
    EXPECT_GE(contrast(t.text, t.selection), kReadable);
    EXPECT_GE(contrast(t.accent_text, t.accent), kReadable);
  }
}

TEST(ThemeTest, WhatCanBePressedWrittenIntoOrMovedIsSeenOnEveryGround) {
  constexpr double kSeen = 3.0;  // WCAG 2.1, level AA, for parts of controls and of diagrams
  for (const Theme& t : {light_theme(), dark_theme()}) {
    for (const ImU32 ground : {t.background, t.surface, t.raised}) {
      EXPECT_GE(contrast(t.outline, ground), kSeen) << std::hex << ground;
      EXPECT_GE(contrast(t.accent, ground), kSeen) << std::hex << ground << ": where the keyboard is";
      for (const ImU32 stage : t.stages) EXPECT_GE(contrast(stage, ground), kSeen) << std::hex << stage;
    }
  }
}

}  // namespace
}  // namespace mneme::ui

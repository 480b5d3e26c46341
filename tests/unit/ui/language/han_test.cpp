// Chinese, Japanese and Korean write some characters of one code differently.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ui/language/tr.h"
#include "ui/shell/frame.h"
#include "ui/text/font_files.h"

namespace mneme::ui {
namespace {

std::vector<uint8_t> drawn(FrameDrawer& drawer, const char* language, const char* character) {
  use_language(language);
  drawer.prepare(1.0f, false);
  drawer.take_uploads();
  EXPECT_TRUE(current_fonts().prepare(character, current_fonts().fonts().title));
  std::vector<uint8_t> pixels;
  for (const GlyphUpload& upload : drawer.take_uploads())
    pixels.insert(pixels.end(), upload.coverage.begin(), upload.coverage.end());
  return pixels;
}

bool has_families() {
  const std::vector<std::string> fonts = find_font_files().fallbacks;
  return std::any_of(fonts.begin(), fonts.end(), [](const auto& font) { return font.ends_with("CJK-Regular.ttc"); });
}

TEST(HanTest, CharactersHaveTheFormsOfTheLanguage) {
  if (!has_families()) GTEST_SKIP() << "Noto CJK is not installed";
  FrameDrawer drawer;
  constexpr const char* kStraight = "直";  // its strokes differ
  const std::vector<uint8_t> usual = drawn(drawer, "", kStraight);
  EXPECT_FALSE(usual.empty());
  EXPECT_NE(drawn(drawer, "zh_CN", kStraight), usual);
  EXPECT_EQ(drawn(drawer, "", kStraight), usual);
}

}  // namespace
}  // namespace mneme::ui

#include "ui/shell/fonts.h"

#include <filesystem>
#include <initializer_list>

#include <imgui.h>
#include <imgui_freetype.h>

#include "base/utf8.h"

namespace mneme::ui {
namespace {

// Where Debian, Ubuntu and Fedora keep them; the first that exists is taken.
std::string first_of(std::initializer_list<const char*> files) {
  for (const char* file : files) {
    std::error_code error;
    if (std::filesystem::exists(file, error)) return file;
  }
  return {};
}

constexpr float kTextPixels = 16.0f;
constexpr float kSmallPixels = 13.0f;
constexpr float kHeadingPixels = 19.0f;
constexpr float kTitlePixels = 25.0f;

}  // namespace

FontLoader::FontLoader() {
  regular_ = first_of(
      {"/usr/share/fonts/opentype/inter/Inter-Regular.otf", "/usr/share/fonts/truetype/inter/Inter-Regular.ttf",
       "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"});
  bold_ = first_of(
      {"/usr/share/fonts/opentype/inter/Inter-SemiBold.otf", "/usr/share/fonts/truetype/inter/Inter-SemiBold.ttf",
       "/usr/share/fonts/truetype/noto/NotoSans-Bold.ttf", "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"});
  italic_ =
      first_of({"/usr/share/fonts/opentype/inter/Inter-Italic.otf", "/usr/share/fonts/truetype/inter/Inter-Italic.ttf",
                "/usr/share/fonts/truetype/noto/NotoSans-Italic.ttf"});
  mono_ = first_of({"/usr/share/fonts/truetype/noto/NotoSansMono-Regular.ttf",
                    "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"});
  for (const std::string& file : {first_of({"/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf"}),
                                  first_of({"/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
                                            "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf"}),
                                  first_of({"/usr/share/fonts/truetype/noto/NotoSansArabic-Regular.ttf"}),
                                  first_of({"/usr/share/fonts/truetype/noto/NotoSansHebrew-Regular.ttf"}),
                                  first_of({"/usr/share/fonts/truetype/noto/NotoSansDevanagari-Regular.ttf"}),
                                  first_of({"/usr/share/fonts/truetype/noto/NotoSansThai-Regular.ttf"}),
                                  first_of({"/usr/share/fonts/truetype/noto/NotoSansSymbols2-Regular.ttf"}),
                                  first_of({"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"})}) {
    if (!file.empty()) fallbacks_.push_back(file);
  }
  for (size_t c = 0x20; c < 0x180; ++c) wanted_.set(c / kBlock);     // Latin
  for (size_t c = 0x2010; c < 0x2040; ++c) wanted_.set(c / kBlock);  // dashes, quotes, ellipsis
  for (const size_t c : {0x2022, 0x2190, 0x2192, 0x2318, 0x2610, 0x2611, 0x25b6, 0xfffd}) wanted_.set(c / kBlock);
  grown_ = true;
}

bool FontLoader::note(std::string_view text) {
  for (size_t offset = 0; offset < text.size();) {
    if (static_cast<unsigned char>(text[offset]) < 0x80) {
      ++offset;
      continue;
    }
    const char32_t c = utf8::next(text, offset);
    if (c >= 0x10000 || wanted_.test(c / kBlock))
      continue;  // beyond the basic plane: drawn as the replacement character
    wanted_.set(c / kBlock);
    grown_ = true;
  }
  return grown_;
}

ImFont* FontLoader::add(ImFontAtlas& atlas, const std::string& file, float pixels) {
  ImFontConfig config;
  config.GlyphRanges = ranges_.data();
  config.OversampleH = 1;
  ImFont* font = nullptr;
  if (!file.empty()) font = atlas.AddFontFromFileTTF(file.c_str(), pixels, &config);
  if (font == nullptr) {
    config.SizePixels = pixels;
    return atlas.AddFontDefault(&config);
  }
  for (const std::string& fallback : fallbacks_) {
    ImFontConfig merge = config;
    merge.MergeMode = true;
    atlas.AddFontFromFileTTF(fallback.c_str(), pixels, &merge);
  }
  return font;
}

void FontLoader::rebuild(ImFontAtlas& atlas, float scale) {
  ranges_.clear();
  for (size_t block = 0; block < wanted_.size(); ++block) {
    if (!wanted_.test(block)) continue;
    const auto first = static_cast<unsigned short>(std::max<size_t>(block * kBlock, 1));
    const auto last = static_cast<unsigned short>(block * kBlock + kBlock - 1);
    if (!ranges_.empty() && ranges_.back() + 1 == first) {
      ranges_.back() = last;
    } else {
      ranges_.push_back(first);
      ranges_.push_back(last);
    }
  }
  ranges_.push_back(0);
  atlas.Clear();
  atlas.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  fonts_.regular = add(atlas, regular_, kTextPixels * scale);
  fonts_.bold = add(atlas, bold_.empty() ? regular_ : bold_, kTextPixels * scale);
  fonts_.italic = add(atlas, italic_.empty() ? regular_ : italic_, kTextPixels * scale);
  fonts_.mono = add(atlas, mono_.empty() ? regular_ : mono_, (kTextPixels - 2.0f) * scale);
  fonts_.small = add(atlas, regular_, kSmallPixels * scale);
  fonts_.heading = add(atlas, bold_.empty() ? regular_ : bold_, kHeadingPixels * scale);
  fonts_.title = add(atlas, bold_.empty() ? regular_ : bold_, kTitlePixels * scale);
  atlas.Build();
  built_scale_ = scale;
  grown_ = false;
}

}  // namespace mneme::ui

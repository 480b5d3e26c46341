// Fonts from the distribution: Inter or Noto Sans for text, Noto Sans Mono for code, Noto CJK and others behind them
// for what they lack. Dear ImGui 1.86 has a static atlas, so characters are collected as texts appear and the atlas
// grows between frames. Complex scripts are drawn unshaped (Arabic letters unjoined): said in the README. Threads: the
// window's thread.
#pragma once

#include <bitset>
#include <string>
#include <string_view>
#include <vector>

struct ImFont;
struct ImFontAtlas;

namespace mneme::ui {

struct Fonts {
  ImFont* regular = nullptr;
  ImFont* bold = nullptr;
  ImFont* italic = nullptr;
  ImFont* mono = nullptr;
  ImFont* small = nullptr;
  ImFont* heading = nullptr;  // one size above the text
  ImFont* title = nullptr;    // two above
};

class FontLoader {
 public:
  FontLoader();

  // Remembers the characters of a text that is about to be shown. Returns true when the atlas lacks some of them.
  bool note(std::string_view text);
  bool needs_rebuild(float scale) const { return grown_ || scale != built_scale_; }

  // (Re)builds the atlas at `scale` (1 = 96 dpi). The renderer must upload the texture anew.
  void rebuild(ImFontAtlas& atlas, float scale);

  const Fonts& fonts() const { return fonts_; }
  bool found_text_font() const { return !regular_.empty(); }  // false: Dear ImGui's own bitmap font

 private:
  ImFont* add(ImFontAtlas& atlas, const std::string& file, float pixels);

  // Ranges are kept per block of 16 characters: small enough to be quick, large enough not to rebuild for every word.
  static constexpr size_t kBlock = 16;
  std::bitset<0x10000 / kBlock> wanted_;
  bool grown_ = false;
  float built_scale_ = 0.0f;
  std::string regular_, bold_, italic_, mono_;
  std::vector<std::string> fallbacks_;
  std::vector<unsigned short> ranges_;  // ImWchar is 16 bits; must outlive the atlas build
  Fonts fonts_;
};

}  // namespace mneme::ui

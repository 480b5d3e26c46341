// The window's fonts, and the characters they can draw. Dear ImGui before 1.92 has a static atlas: here it is built
// with Latin letters and an empty region, and glyphs are drawn into the region by FreeType the moment a text needs
// them, so that a text in any script is complete in the frame it appears in, and growing costs what is new only. Dear
// ImGui draws one character after the other from left to right. Right-to-left text is put in the order it is seen
// (FriBidi), and scripts whose letters join, stack or move are shaped (HarfBuzz); the shaped glyphs, and characters
// beyond 16 bits, stand in strings as private-use characters. Private-use characters of documents are not drawn.
// Threads: the window's thread.
#pragma once

#include <cstdint>
#include <memory>
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
  ImFont* small_mono = nullptr;
};

// New pixels of the atlas texture, one byte of coverage each.
struct GlyphUpload {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  std::vector<uint8_t> coverage;
};

class FontAtlas {
 public:
  FontAtlas();
  ~FontAtlas();
  FontAtlas(const FontAtlas&) = delete;
  FontAtlas& operator=(const FontAtlas&) = delete;

  // Which of the forms that Chinese, Japanese and Korean write one character in: "SC", "JP", "KR", as Noto's families
  // of a collection are called. Another one than before has the fonts built anew.
  void prefer_han(std::string_view region);

  bool needs_build(float scale) const;
  // (Re)builds the fonts at `scale` (1 = 96 dpi), between frames. The renderer must upload the whole texture anew.
  void build(ImFontAtlas& atlas, float scale);
  // What was drawn into the texture since the last call or build; to be uploaded before the frame is rendered.
  std::vector<GlyphUpload> take_uploads();
  const Fonts& fonts() const;
  // Another one after each build: what was shaped for an earlier one is drawn no more.
  uint64_t generation() const;
  // Debian's packages that have letters which were to be drawn and could not be; empty: none would help.
  std::vector<std::string> wanted_packages() const;

  // Sees to it that a font has the glyphs of a text. True when the text can be drawn as it is; false when it must go
  // through visual().
  bool prepare(std::string_view text, ImFont* font);

  // One line of text (no line breaks) as the string to draw, from left to right.
  std::string visual(std::string_view line, ImFont* font, bool paragraph_right_to_left);
  // The same with the direction the line itself begins in; lines of several are done one by one.
  std::string visual(std::string_view text, ImFont* font);
  // What stands for one character, whatever its neighbours are, in a string to draw: itself, but for those beyond 16
  // bits. For measuring where a line of the input field ends.
  char32_t alone(char32_t character, ImFont* font);
  // A stretch of one direction, shaped.
  std::string shaped(std::string_view run, bool right_to_left, ImFont* font);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The fonts of the current Dear ImGui context; its UserData names them (context_data.h).
FontAtlas& current_fonts();

}  // namespace mneme::ui

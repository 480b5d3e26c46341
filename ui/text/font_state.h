// What a FontAtlas is made of: font files, the window's fonts at the current scale, and the empty part of the texture
// into which glyphs are drawn. Internal to ui/text. Threads: the window's thread.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <ft2build.h>
#include FT_FREETYPE_H
#include <hb.h>
#include <imgui.h>

#include "ui/text/font_files.h"
#include "ui/text/fonts.h"

namespace mneme::ui {

constexpr size_t kFontRoles = 8;
constexpr ImWchar kFirstPrivate = 0xe000;
constexpr ImWchar kLastPrivate = 0xf8ff;
constexpr size_t kNoFace = SIZE_MAX;

// Characters of scripts that cannot be drawn one after the other from left to right.
bool needs_shaping(char32_t c);
// Private-use characters, which documents may not have drawn.
bool is_private(char32_t c);

// A glyph as a private-use character stands for it: where it comes from and how it is placed.
struct ShapedGlyph {
  size_t face = 0;
  unsigned id = 0;
  int dx = 0;  // 1/64 pixel
  int dy = 0;
  int advance = 0;
  auto operator<=>(const ShapedGlyph&) const = default;
};

// A font of the window at the current scale.
struct Role {
  ImFont* font = nullptr;
  size_t face = kNoFace;  // its own; kNoFace: Dear ImGui's bitmap font
  float pixels = 0.0f;
  float em = 0.0f;                              // pixels of its em, which fallbacks are fitted to
  std::unordered_map<char32_t, ImWchar> known;  // characters that can be drawn, and what stands for them
  std::map<ShapedGlyph, ImWchar> shaped;
  ImWchar next_private = kFirstPrivate;
};

// A font file, opened when first needed.
struct Face {
  std::string file;
  FT_Face face = nullptr;
  hb_font_t* shaper = nullptr;
  bool tried = false;
  float em = 0.0f;  // size it is set to
};

// The empty part of the atlas: glyphs stand in shelves, each as high as its highest.
struct Region {
  int x = 0, y = 0, width = 0, height = 0;
  int pen_x = 0, shelf_y = 0, shelf_height = 0;
  bool full = false;

  // The corner of a place, with a pixel of distance to its neighbours; false when there is none left.
  bool place(int w, int h, int& out_x, int& out_y) {
    if (pen_x + w + 1 > width) {
      shelf_y += shelf_height;
      pen_x = shelf_height = 0;
    }
    if (w + 1 > width || shelf_y + h + 1 > height) {
      full = true;
      return false;
    }
    out_x = x + pen_x;
    out_y = y + shelf_y;
    pen_x += w + 1;
    shelf_height = std::max(shelf_height, h + 1);
    return true;
  }
};

struct FontAtlas::State {
  std::string han;  // "SC", ...; of files that hold several families
  const FontFiles files = find_font_files();
  FT_Library library = nullptr;
  std::vector<Face> faces;
  std::array<size_t, 4> own_faces{};  // regular, bold, italic, mono
  size_t first_fallback = 0;
  Fonts fonts;
  std::array<Role, kFontRoles> roles;
  Region region;
  ImVec2 texture{1, 1};
  float scale = 0.0f;
  uint64_t generation = 0;
  std::vector<GlyphUpload> uploads;
  std::unordered_map<char32_t, size_t> fallback_of;
  bool lacks_cjk = false;  // letters were met that no file has: of these scripts, or of others
  bool lacks_script = false;

  State();
  ~State();
  size_t add_face(const std::string& file);
  FT_Face open(size_t index);
  void close(Face& face);
  // A font of the atlas, with the letters of `ranges` in it.
  Role add_role(ImFontAtlas& atlas, size_t face, float pixels, const ImWchar* ranges);
  void set_size(size_t index, const Role& role);
  Role& role_of(ImFont* font);
  size_t face_for(const Role& role, char32_t c);
  void note_lack(char32_t c);
  bool draw_glyph(Role& role, const ShapedGlyph& glyph, ImWchar as);
  ImWchar private_for(Role& role, const ShapedGlyph& glyph);
  ImWchar character(Role& role, char32_t c);
  void shape_run(Role& role, std::string_view text, size_t face, hb_script_t script, bool right_to_left,
                 std::string& out);
};

}  // namespace mneme::ui

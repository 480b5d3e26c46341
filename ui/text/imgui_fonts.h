// Dear ImGui's fonts before and after 1.92, which keeps glyphs by font and size instead of by font, and whose renderer
// could fill the atlas by itself. Here it is filled the same way whatever the version (fonts.h): each font has one
// size, all its glyphs stand in one table, and the atlas is built once. Threads: the window's thread.
#pragma once

#include <imgui.h>

namespace mneme::ui {

#if IMGUI_VERSION_NUM >= 19200
using GlyphTable = ImFontBaked;
inline float font_size(const ImFont* font) {
  return font->LegacySize;
}
inline GlyphTable& glyphs_of(ImFont& font) {
  return *font.GetFontBaked(font.LegacySize);
}
#else
using GlyphTable = ImFont;
inline float font_size(const ImFont* font) {
  return font->FontSize;
}
inline GlyphTable& glyphs_of(ImFont& font) {
  return font;
}
#endif

// How far the pen moves behind a character that the font has, or behind what stands for one it has not.
inline float advance_of(ImFont* font, ImWchar character) {
  return glyphs_of(*font).GetCharAdvance(character);
}

// A glyph of the atlas: where it stands beside the pen, and in the texture.
struct GlyphPlace {
  ImVec2 min, max;
  ImVec2 uv_min, uv_max;
  float advance = 0.0f;
};

// Before the atlas is built: as wide as the region, and with one byte a pixel.
void prepare_atlas(ImFontAtlas& atlas, int width);
// A rectangle of the built atlas, in pixels of its texture.
struct AtlasPlace {
  int x = 0, y = 0;  // of the rectangle
  int atlas_width = 0, atlas_height = 0;
};
// Builds it, with an empty rectangle.
AtlasPlace build_atlas(ImFontAtlas& atlas, int width, int height);

// Lookup tables for every character of 16 bits: those without a glyph yet are as wide as the fallback.
void make_room_for_all(ImFont& font);
// Draws `as` with this glyph from now on.
void add_glyph(ImFont& font, ImWchar as, const GlyphPlace& place);

}  // namespace mneme::ui

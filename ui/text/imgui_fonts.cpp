#include "ui/text/imgui_fonts.h"

#include <imgui_freetype.h>

namespace mneme::ui {

#if IMGUI_VERSION_NUM >= 19200

void prepare_atlas(ImFontAtlas& atlas, int width) {
  atlas.SetFontLoader(ImGuiFreeType::GetFontLoader());
  atlas.TexDesiredFormat = ImTextureFormat_Alpha8;
  atlas.TexMinWidth = width;
}

AtlasPlace build_atlas(ImFontAtlas& atlas, int width, int height) {
  const ImFontAtlasRectId id = atlas.AddCustomRect(width, height);
  atlas.Build();
  ImFontAtlasRect rect;
  atlas.GetCustomRect(id, &rect);
  return {rect.x, rect.y, atlas.TexData->Width, atlas.TexData->Height};
}

void make_room_for_all(ImFont& font) {
  font.Flags |= ImFontFlags_NoLoadGlyphs;  // what is missing is drawn by font_state.cpp
  GlyphTable& glyphs = glyphs_of(font);
  constexpr int kCharacters = 0x10000;
  glyphs.IndexLookup.resize(kCharacters, static_cast<ImU16>(-1));
  glyphs.IndexAdvanceX.resize(kCharacters, -1.0f);
  glyphs.FindGlyph(0xffff);  // sees to it that there is a fallback
  for (float& advance : glyphs.IndexAdvanceX) {
    if (advance < 0.0f) advance = glyphs.FallbackAdvanceX;
  }
}

void add_glyph(ImFont& font, ImWchar as, const GlyphPlace& place) {
  GlyphTable& glyphs = glyphs_of(font);
  ImFontGlyph glyph;
  glyph.Codepoint = as;
  glyph.Visible = place.min.x != place.max.x && place.min.y != place.max.y ? 1 : 0;
  glyph.AdvanceX = place.advance;
  glyph.X0 = place.min.x;
  glyph.Y0 = place.min.y;
  glyph.X1 = place.max.x;
  glyph.Y1 = place.max.y;
  glyph.U0 = place.uv_min.x;
  glyph.V0 = place.uv_min.y;
  glyph.U1 = place.uv_max.x;
  glyph.V1 = place.uv_max.y;
  glyphs.IndexLookup[as] = static_cast<ImU16>(glyphs.Glyphs.Size);
  glyphs.IndexAdvanceX[as] = place.advance;
  glyphs.Glyphs.push_back(glyph);
}

#else

void prepare_atlas(ImFontAtlas& atlas, int width) {
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.TexDesiredWidth = width;
}

AtlasPlace build_atlas(ImFontAtlas& atlas, int width, int height) {
  const int id = atlas.AddCustomRectRegular(width, height);
  atlas.Build();
  const ImFontAtlasCustomRect* rect = atlas.GetCustomRectByIndex(id);
  const AtlasPlace place = {rect->X, rect->Y, atlas.TexWidth, atlas.TexHeight};
  atlas.ClearInputData();
  return place;
}

void make_room_for_all(ImFont& font) {
  const int known = font.IndexAdvanceX.Size;
  font.GrowIndex(0x10000);
  for (int c = known; c < font.IndexAdvanceX.Size; ++c) font.IndexAdvanceX[c] = font.FallbackAdvanceX;
}

void add_glyph(ImFont& font, ImWchar as, const GlyphPlace& place) {
  font.AddGlyph(nullptr, as, place.min.x, place.min.y, place.max.x, place.max.y, place.uv_min.x, place.uv_min.y,
                place.uv_max.x, place.uv_max.y, place.advance);
  // The lookup table is kept up by hand: building it anew for every glyph would cost milliseconds.
  font.IndexAdvanceX[as] = place.advance;
  font.IndexLookup[as] = static_cast<ImWchar>(font.Glyphs.Size - 1);
  font.DirtyLookupTables = false;
  font.FallbackGlyph = font.FindGlyphNoFallback(font.FallbackChar);  // the list may have moved
}

#endif

}  // namespace mneme::ui

#include "ui/text/font_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <hb-ft.h>

#include "base/utf8.h"
#include "ui/text/imgui_fonts.h"

namespace mneme::ui {
namespace {

constexpr float kFallbackEm = 1.04f;  // other scripts beside Latin letters of one em: their letters look smaller
constexpr char32_t kReplacement = 0xfffd;

bool in(char32_t c, char32_t first, char32_t last) {
  return c >= first && c <= last;
}

}  // namespace

bool needs_shaping(char32_t c) {
  if (c < 0x300) return false;
  return in(c, 0x300, 0x36f) || in(c, 0x590, 0x10ff) || in(c, 0x135d, 0x135f) || in(c, 0x1700, 0x18af) ||
         in(c, 0x1a00, 0x1cff) || in(c, 0x1dc0, 0x1dff) || in(c, 0x20d0, 0x20ff) || in(c, 0xa800, 0xabff) ||
         in(c, 0xfb1d, 0xfdff) || in(c, 0xfe00, 0xfe0f) || in(c, 0xfe20, 0xfe2f) || in(c, 0xfe70, 0xfefe) ||
         c >= 0x10000;
}

bool is_private(char32_t c) {
  return in(c, kFirstPrivate, kLastPrivate) || c >= 0xf0000;
}

FontAtlas::State::State() {
  FT_Init_FreeType(&library);
  own_faces = {add_face(files.regular), add_face(files.bold), add_face(files.italic), add_face(files.mono)};
  first_fallback = faces.size();
  for (const std::string& file : files.fallbacks) add_face(file);
}

FontAtlas::State::~State() {
  for (Face& face : faces) close(face);
  FT_Done_FreeType(library);
}

void FontAtlas::State::close(Face& face) {
  if (face.shaper != nullptr) hb_font_destroy(face.shaper);
  if (face.face != nullptr) FT_Done_Face(face.face);
  face.shaper = nullptr;
  face.face = nullptr;
  face.tried = false;
  face.em = 0.0f;
}

namespace {

// Of a file with several families the one whose name ends in `region`; else the first.
FT_Face open_face(FT_Library library, const std::string& file, const std::string& region) {
  FT_Face face = nullptr;
  if (FT_New_Face(library, file.c_str(), 0, &face) != 0) return nullptr;
  const FT_Long n_faces = face->num_faces;
  const auto is_sought = [&](const FT_Face one) {
    return one->family_name != nullptr && std::string_view(one->family_name).ends_with(" " + region);
  };
  if (region.empty() || n_faces == 1 || is_sought(face)) return face;
  for (FT_Long i = 1; i < n_faces; ++i) {
    FT_Face other = nullptr;
    if (FT_New_Face(library, file.c_str(), i, &other) != 0) continue;
    if (is_sought(other)) std::swap(face, other);
    FT_Done_Face(other);
    if (is_sought(face)) break;
  }
  return face;
}

}  // namespace

size_t FontAtlas::State::add_face(const std::string& file) {
  if (file.empty()) return kNoFace;
  Face face;
  face.file = file;
  faces.push_back(std::move(face));
  return faces.size() - 1;
}

FT_Face FontAtlas::State::open(size_t index) {
  Face& face = faces[index];
  if (!face.tried) {
    face.tried = true;
    face.face = open_face(library, face.file, han);
  }
  return face.face;
}

Role FontAtlas::State::add_role(ImFontAtlas& atlas, size_t face, float pixels, const ImWchar* ranges) {
  Role role;
  role.face = face;
  role.pixels = pixels;
  ImFontConfig config;
  config.GlyphRanges = ranges;
  config.OversampleH = 1;
  if (face != kNoFace) role.font = atlas.AddFontFromFileTTF(faces[face].file.c_str(), pixels, &config);
  if (role.font == nullptr) {
    role.face = kNoFace;
    role.em = pixels * 0.8f;
    config.SizePixels = pixels;
    role.font = atlas.AddFontDefault(&config);
  } else if (FT_Face file = open(face); file != nullptr) {
    // As Dear ImGui sets it: ascender to descender fill the size.
    role.em = pixels * static_cast<float>(file->units_per_EM) / static_cast<float>(file->ascender - file->descender);
  }
  return role;
}

// Text fonts are as high as Dear ImGui makes them (ascender to descender), fallbacks as wide as the text's em.
void FontAtlas::State::set_size(size_t index, const Role& role) {
  Face& face = faces[index];
  const float em = index == role.face ? role.em : role.em * kFallbackEm;
  if (face.em == em) return;
  face.em = em;
  FT_Size_RequestRec request{};
  request.type = FT_SIZE_REQUEST_TYPE_NOMINAL;
  request.width = request.height = static_cast<FT_Long>(std::lround(em * 64.0f));
  FT_Request_Size(face.face, &request);
  if (face.shaper != nullptr) hb_ft_font_changed(face.shaper);
}

Role& FontAtlas::State::role_of(ImFont* font) {
  for (Role& role : roles) {
    if (role.font == font) return role;
  }
  return roles[0];
}

size_t FontAtlas::State::face_for(const Role& role, char32_t c) {
  if (role.face != kNoFace && open(role.face) != nullptr && FT_Get_Char_Index(faces[role.face].face, c) != 0)
    return role.face;
  if (const auto found = fallback_of.find(c); found != fallback_of.end()) return found->second;
  size_t face = kNoFace;
  for (size_t i = first_fallback; i < faces.size() && face == kNoFace; ++i) {
    if (open(i) != nullptr && FT_Get_Char_Index(faces[i].face, c) != 0) face = i;
  }
  if (face == kNoFace) note_lack(c);
  fallback_of.emplace(c, face);
  return face;
}

// Signs and Latin letters are left out: what they are lacking is seen, and named by no script.
void FontAtlas::State::note_lack(char32_t c) {
  switch (hb_unicode_script(hb_unicode_funcs_get_default(), c)) {
    case HB_SCRIPT_COMMON:
    case HB_SCRIPT_INHERITED:
    case HB_SCRIPT_UNKNOWN:
    case HB_SCRIPT_LATIN: break;
    case HB_SCRIPT_HAN:
    case HB_SCRIPT_HIRAGANA:
    case HB_SCRIPT_KATAKANA:
    case HB_SCRIPT_HANGUL:
    case HB_SCRIPT_BOPOMOFO: lacks_cjk = true; break;
    default: lacks_script = true;
  }
}

// Renders a glyph into the region and tells the font to draw it for the character `as`.
bool FontAtlas::State::draw_glyph(Role& role, const ShapedGlyph& glyph, ImWchar as) {
  set_size(glyph.face, role);
  FT_Face face = faces[glyph.face].face;
  if (FT_Load_Glyph(face, glyph.id, FT_LOAD_NO_BITMAP | FT_LOAD_TARGET_NORMAL) != 0) return false;
  if (FT_Render_Glyph(face->glyph, FT_RENDER_MODE_NORMAL) != 0) return false;
  const FT_Bitmap& bitmap = face->glyph->bitmap;
  const int width = static_cast<int>(bitmap.width);
  const int height = static_cast<int>(bitmap.rows);
  GlyphUpload upload;
  if (width > 0 && height > 0) {
    if (!region.place(width, height, upload.x, upload.y)) return false;
    upload.width = width;
    upload.height = height;
    upload.coverage.resize(static_cast<size_t>(width) * static_cast<size_t>(height));
    for (int row = 0; row < height; ++row) {
      const uint8_t* from = bitmap.buffer + static_cast<std::ptrdiff_t>(row) * bitmap.pitch;
      std::copy(from, from + width, upload.coverage.begin() + static_cast<std::ptrdiff_t>(row) * width);
    }
  }
  const float x0 = static_cast<float>(face->glyph->bitmap_left) + static_cast<float>(glyph.dx) / 64.0f;
  const float y0 = std::round(glyphs_of(*role.font).Ascent) - static_cast<float>(face->glyph->bitmap_top) -
                   static_cast<float>(glyph.dy) / 64.0f;
  const ImVec2 uv0(static_cast<float>(upload.x) / texture.x, static_cast<float>(upload.y) / texture.y);
  const ImVec2 uv1(static_cast<float>(upload.x + width) / texture.x, static_cast<float>(upload.y + height) / texture.y);
  const float advance = static_cast<float>(glyph.advance) / 64.0f;
  const ImVec2 max(x0 + static_cast<float>(width), y0 + static_cast<float>(height));
  add_glyph(*role.font, as, {ImVec2(x0, y0), max, uv0, uv1, advance});
  if (width > 0 && height > 0) uploads.push_back(std::move(upload));
  return true;
}

ImWchar FontAtlas::State::private_for(Role& role, const ShapedGlyph& glyph) {
  if (const auto found = role.shaped.find(glyph); found != role.shaped.end()) return found->second;
  if (role.next_private > kLastPrivate) {
    region.full = true;  // starts over between frames
    return kReplacement;
  }
  const ImWchar as = role.next_private++;
  if (!draw_glyph(role, glyph, as)) return kReplacement;
  role.shaped.emplace(glyph, as);
  return as;
}

// What comes nearest where nothing but Dear ImGui's own font is there, which ends with Latin-1.
char32_t plainest(char32_t c) {
  switch (c) {
    case U'‐':
    case U'‑':
    case U'–':
    case U'—':
    case U'−': return U'-';
    case U'‘':
    case U'’': return U'\'';
    case U'“':
    case U'”':
    case U'„': return U'"';
    case U'•': return U'·';
    case U'…': return U'.';
    default: return c;
  }
}

// What stands for a character in strings that are drawn.
ImWchar FontAtlas::State::character(Role& role, char32_t c) {
  if (const auto found = role.known.find(c); found != role.known.end()) return found->second;
  if (region.full) return static_cast<ImWchar>(kReplacement);  // starts over between frames
  ImWchar as = is_private(c) || c >= 0x10000 ? static_cast<ImWchar>(kReplacement) : static_cast<ImWchar>(c);
  if (glyphs_of(*role.font).FindGlyphNoFallback(as) == nullptr || c >= 0x10000) {
    const size_t face = is_private(c) ? kNoFace : face_for(role, c);
    if (face != kNoFace) {
      set_size(face, role);
      ShapedGlyph glyph{face, FT_Get_Char_Index(faces[face].face, c), 0, 0, 0};
      if (FT_Load_Glyph(faces[face].face, glyph.id, FT_LOAD_NO_BITMAP) == 0)
        glyph.advance = static_cast<int>(faces[face].face->glyph->advance.x);
      if (c >= 0x10000) {
        as = private_for(role, glyph);
      } else if (!draw_glyph(role, glyph, as)) {
        as = kReplacement;
      }
    } else if (c != kReplacement) {
      as = character(role, plainest(c) != c ? plainest(c) : kReplacement);
    }
  }
  if (!region.full) role.known.emplace(c, as);
  return as;
}

void FontAtlas::State::shape_run(Role& role, std::string_view text, size_t face, hb_script_t script, bool right_to_left,
                                 std::string& out) {
  if (face == kNoFace) {
    for (size_t offset = 0; offset < text.size();) utf8::append(out, character(role, utf8::next(text, offset)));
    return;
  }
  set_size(face, role);
  if (faces[face].shaper == nullptr) faces[face].shaper = hb_ft_font_create_referenced(faces[face].face);
  hb_buffer_t* buffer = hb_buffer_create();
  hb_buffer_add_utf8(buffer, text.data(), static_cast<int>(text.size()), 0, static_cast<int>(text.size()));
  hb_buffer_set_direction(buffer, right_to_left ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
  hb_buffer_set_script(buffer, script);
  hb_buffer_set_language(buffer, hb_language_get_default());
  hb_shape(faces[face].shaper, buffer, nullptr, 0);
  unsigned count = 0;
  const hb_glyph_info_t* glyphs = hb_buffer_get_glyph_infos(buffer, &count);
  const hb_glyph_position_t* places = hb_buffer_get_glyph_positions(buffer, &count);
  for (unsigned i = 0; i < count; ++i) {
    const ShapedGlyph glyph{face, glyphs[i].codepoint, places[i].x_offset, places[i].y_offset, places[i].x_advance};
    utf8::append(out, private_for(role, glyph));
  }
  hb_buffer_destroy(buffer);
}

}  // namespace mneme::ui

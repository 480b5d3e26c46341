#include "ui/text/fonts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <ft2build.h>
#include FT_FREETYPE_H
#include <hb-ft.h>
#include <hb.h>
#include <imgui.h>
#include <imgui_freetype.h>
#include <imgui_internal.h>

#include "base/utf8.h"
#include "ui/text/bidi.h"
#include "ui/text/context_data.h"
#include "ui/text/font_files.h"

namespace mneme::ui {
namespace {

constexpr size_t kRoles = 7;
constexpr std::array<float, kRoles> kPixels = {16.0f, 16.0f, 16.0f, 14.0f, 13.0f, 19.0f, 25.0f};  // as in Fonts
constexpr float kFallbackEm = 1.04f;  // other scripts beside Latin letters of one em: their letters look smaller
constexpr int kRegionWidth = 2000;
constexpr ImWchar kFirstPrivate = 0xe000;
constexpr ImWchar kLastPrivate = 0xf8ff;
constexpr char32_t kReplacement = 0xfffd;
constexpr size_t kNoFace = SIZE_MAX;

// What the atlas is built with: letters that nearly every text has.
constexpr std::array<ImWchar, 7> kBaseRanges = {0x20, 0x17f, 0x2010, 0x203a, 0x20ac, 0x20ac, 0};

bool in(char32_t c, char32_t first, char32_t last) {
  return c >= first && c <= last;
}

// Scripts whose characters cannot be drawn one after the other from left to right.
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

// Lookup tables for every character of 16 bits: those without a glyph yet are as wide as the fallback.
void make_room_for_all(ImFont& font) {
  const int known = font.IndexAdvanceX.Size;
  font.GrowIndex(0x10000);
  for (int c = known; c < font.IndexAdvanceX.Size; ++c) font.IndexAdvanceX[c] = font.FallbackAdvanceX;
}

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

}  // namespace

struct FontAtlas::State {
  const FontFiles files = find_font_files();
  FT_Library library = nullptr;
  std::vector<Face> faces;
  std::array<size_t, 4> own_faces{};  // regular, bold, italic, mono
  size_t first_fallback = 0;
  Fonts fonts;
  std::array<Role, kRoles> roles;
  Region region;
  ImVec2 texture{1, 1};
  float scale = 0.0f;
  std::vector<GlyphUpload> uploads;
  std::unordered_map<char32_t, size_t> fallback_of;

  State();
  ~State();
  size_t add_face(const std::string& file);
  FT_Face open(size_t index);
  void set_size(size_t index, const Role& role);
  Role& role_of(ImFont* font);
  size_t face_for(const Role& role, char32_t c);
  bool draw_glyph(Role& role, const ShapedGlyph& glyph, ImWchar as);
  ImWchar private_for(Role& role, const ShapedGlyph& glyph);
  ImWchar character(Role& role, char32_t c);
  void shape_run(Role& role, std::string_view text, size_t face, hb_script_t script, bool right_to_left,
                 std::string& out);
};

FontAtlas::State::State() {
  FT_Init_FreeType(&library);
  own_faces = {add_face(files.regular), add_face(files.bold), add_face(files.italic), add_face(files.mono)};
  first_fallback = faces.size();
  for (const std::string& file : files.fallbacks) add_face(file);
}

FontAtlas::State::~State() {
  for (Face& face : faces) {
    if (face.shaper != nullptr) hb_font_destroy(face.shaper);
    if (face.face != nullptr) FT_Done_Face(face.face);
  }
  FT_Done_FreeType(library);
}

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
    if (FT_New_Face(library, face.file.c_str(), 0, &face.face) != 0) face.face = nullptr;
  }
  return face.face;
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
  fallback_of.emplace(c, face);
  return face;
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
  ImFont& font = *role.font;
  const float x0 = static_cast<float>(face->glyph->bitmap_left) + static_cast<float>(glyph.dx) / 64.0f;
  const float y0 =
      std::round(font.Ascent) - static_cast<float>(face->glyph->bitmap_top) - static_cast<float>(glyph.dy) / 64.0f;
  const ImVec2 uv0(static_cast<float>(upload.x) / texture.x, static_cast<float>(upload.y) / texture.y);
  const ImVec2 uv1(static_cast<float>(upload.x + width) / texture.x, static_cast<float>(upload.y + height) / texture.y);
  const float advance = static_cast<float>(glyph.advance) / 64.0f;
  font.AddGlyph(nullptr, as, x0, y0, x0 + static_cast<float>(width), y0 + static_cast<float>(height), uv0.x, uv0.y,
                uv1.x, uv1.y, advance);
  // The lookup table is kept up by hand: building it anew for every glyph would cost milliseconds.
  font.IndexAdvanceX[as] = advance;
  font.IndexLookup[as] = static_cast<ImWchar>(font.Glyphs.Size - 1);
  font.DirtyLookupTables = false;
  font.FallbackGlyph = font.FindGlyphNoFallback(font.FallbackChar);  // the list may have moved
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

// What stands for a character in strings that are drawn.
ImWchar FontAtlas::State::character(Role& role, char32_t c) {
  if (const auto found = role.known.find(c); found != role.known.end()) return found->second;
  if (region.full) return static_cast<ImWchar>(kReplacement);  // starts over between frames
  ImWchar as = is_private(c) || c >= 0x10000 ? static_cast<ImWchar>(kReplacement) : static_cast<ImWchar>(c);
  if (role.font->FindGlyphNoFallback(as) == nullptr || c >= 0x10000) {
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
      as = character(role, kReplacement);
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

FontAtlas::FontAtlas() : state_(std::make_unique<State>()) {}
FontAtlas::~FontAtlas() = default;

const Fonts& FontAtlas::fonts() const {
  return state_->fonts;
}

bool FontAtlas::needs_build(float scale) const {
  return scale != state_->scale || state_->region.full;
}

std::vector<GlyphUpload> FontAtlas::take_uploads() {
  return std::exchange(state_->uploads, {});
}

void FontAtlas::build(ImFontAtlas& atlas, float scale) {
  State& s = *state_;
  atlas.Clear();
  // Lines are drawn as triangles: as stretches of the texture they would need it filtered.
  atlas.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight | ImFontAtlasFlags_NoBakedLines;
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.TexDesiredWidth = 2048;
  const std::array<size_t, kRoles> face_of = {s.own_faces[0], s.own_faces[1], s.own_faces[2], s.own_faces[3],
                                              s.own_faces[0], s.own_faces[1], s.own_faces[1]};
  for (size_t i = 0; i < kRoles; ++i) {
    Role role;
    role.face = face_of[i];
    role.pixels = std::round(kPixels[i] * scale);
    ImFontConfig config;
    config.GlyphRanges = kBaseRanges.data();
    config.OversampleH = 1;
    if (role.face != kNoFace) {
      role.font = atlas.AddFontFromFileTTF(s.faces[role.face].file.c_str(), role.pixels, &config);
    }
    if (role.font == nullptr) {
      role.face = kNoFace;
      role.em = role.pixels * 0.8f;
      config.SizePixels = role.pixels;
      role.font = atlas.AddFontDefault(&config);
    } else if (FT_Face face = s.open(role.face); face != nullptr) {
      // As Dear ImGui sets it: ascender to descender fill the size.
      role.em =
          role.pixels * static_cast<float>(face->units_per_EM) / static_cast<float>(face->ascender - face->descender);
    }
    s.roles[i] = std::move(role);
  }

  const int height = scale <= 1.5f ? 1024 : 2048;
  const int rect = atlas.AddCustomRectRegular(kRegionWidth, height);
  atlas.Build();
  const ImFontAtlasCustomRect* place = atlas.GetCustomRectByIndex(rect);
  s.region = Region{};
  s.region.x = place->X;
  s.region.y = place->Y;
  s.region.width = kRegionWidth;
  s.region.height = height;
  s.texture = ImVec2(static_cast<float>(atlas.TexWidth), static_cast<float>(atlas.TexHeight));
  s.uploads.clear();
  s.scale = scale;
  for (Role& role : s.roles) make_room_for_all(*role.font);
  s.fonts = {s.roles[0].font, s.roles[1].font, s.roles[2].font, s.roles[3].font,
             s.roles[4].font, s.roles[5].font, s.roles[6].font};
  atlas.ClearInputData();
}

bool FontAtlas::prepare(std::string_view text, ImFont* font) {
  Role* role = nullptr;
  bool plain = true;
  for (size_t offset = 0; offset < text.size();) {
    if (static_cast<unsigned char>(text[offset]) < 0x80) {
      ++offset;
      continue;
    }
    const char32_t c = utf8::next(text, offset);
    if (needs_shaping(c) || is_private(c)) {
      plain = false;
      continue;
    }
    if (role == nullptr) role = &state_->role_of(font);
    if (state_->character(*role, c) != c) plain = false;
  }
  return plain;
}

char32_t FontAtlas::alone(char32_t character, ImFont* font) {
  return state_->character(state_->role_of(font), character);
}

std::string FontAtlas::shaped(std::string_view run, bool right_to_left, ImFont* font) {
  Role& role = state_->role_of(font);
  hb_unicode_funcs_t* unicode = hb_unicode_funcs_get_default();
  // Stretches of one script and one file; marks and spaces go with what stands before them.
  struct Part {
    size_t begin, end, face;
    hb_script_t script;
    bool complex;
  };
  std::vector<Part> parts;
  for (size_t offset = 0; offset < run.size();) {
    const size_t begin = offset;
    const char32_t c = utf8::next(run, offset);
    const hb_script_t script = hb_unicode_script(unicode, c);
    const bool neutral = script == HB_SCRIPT_COMMON || script == HB_SCRIPT_INHERITED;
    const size_t face = is_private(c) ? kNoFace : state_->face_for(role, c);
    if (!parts.empty() && ((neutral && (face == parts.back().face || script == HB_SCRIPT_INHERITED)) ||
                           (face == parts.back().face && script == parts.back().script))) {
      parts.back().end = offset;
      parts.back().complex |= needs_shaping(c);
      continue;
    }
    parts.push_back({begin, offset, face, script, needs_shaping(c) || right_to_left});
  }
  if (right_to_left) std::reverse(parts.begin(), parts.end());
  std::string out;
  for (const Part& part : parts) {
    const std::string_view text = run.substr(part.begin, part.end - part.begin);
    const bool as_it_is = !part.complex && !right_to_left;
    state_->shape_run(role, text, as_it_is ? kNoFace : part.face, part.script, right_to_left, out);
  }
  return out;
}

std::string FontAtlas::visual(std::string_view line, ImFont* font, bool paragraph_right_to_left) {
  if (prepare(line, font)) return std::string(line);
  std::string out;
  for (const BidiRun& run : visual_runs(line, paragraph_right_to_left)) {
    out += shaped(line.substr(run.begin, run.end - run.begin), run.right_to_left, font);
  }
  return out;
}

std::string FontAtlas::visual(std::string_view text, ImFont* font) {
  if (prepare(text, font)) return std::string(text);
  std::string out;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    if (begin > 0) out += '\n';
    out += visual(line, font, reads_right_to_left(line));
    begin = end + 1;
  }
  return out;
}

FontAtlas& current_fonts() {
  return *static_cast<const ContextData*>(ImGui::GetIO().UserData)->fonts;
}

}  // namespace mneme::ui

#include "ui/text/fonts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <imgui_internal.h>

#include "base/utf8.h"
#include "ui/text/bidi.h"
#include "ui/text/context_data.h"
#include "ui/text/font_state.h"
#include "ui/text/imgui_fonts.h"

namespace mneme::ui {
namespace {

constexpr std::array<float, kFontRoles> kPixels = {16.0f, 16.0f, 16.0f, 14.0f,
                                                   13.0f, 19.0f, 25.0f, 12.0f};  // as in Fonts
constexpr int kRegionWidth = 2000;

// What the atlas is built with: letters that nearly every text has.
constexpr std::array<ImWchar, 7> kBaseRanges = {0x20, 0x17f, 0x2010, 0x203a, 0x20ac, 0x20ac, 0};

}  // namespace

FontAtlas::FontAtlas() : state_(std::make_unique<State>()) {}
FontAtlas::~FontAtlas() = default;

const Fonts& FontAtlas::fonts() const {
  return state_->fonts;
}

std::vector<std::string> FontAtlas::wanted_packages() const {
  std::vector<std::string> packages;
  if (state_->lacks_cjk && !state_->files.has_cjk) packages.emplace_back("fonts-noto-cjk");
  if (state_->lacks_script && !state_->files.has_scripts) packages.emplace_back("fonts-noto-core");
  return packages;
}

void FontAtlas::prefer_han(std::string_view region) {
  State& s = *state_;
  if (s.han == region) return;
  s.han = region;
  for (Face& face : s.faces) {
    if (face.file.ends_with(".ttc")) s.close(face);
  }
  s.fallback_of.clear();  // which names files that are to be opened again
  s.scale = 0.0f;
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
  prepare_atlas(atlas, 2048);
  const std::array<size_t, kFontRoles> face_of = {s.own_faces[0], s.own_faces[1], s.own_faces[2], s.own_faces[3],
                                                  s.own_faces[0], s.own_faces[1], s.own_faces[1], s.own_faces[3]};
  for (size_t i = 0; i < kFontRoles; ++i) {
    s.roles[i] = s.add_role(atlas, face_of[i], std::round(kPixels[i] * scale), kBaseRanges.data());
  }

  const int height = scale <= 1.5f ? 1024 : 2048;
  const AtlasPlace place = build_atlas(atlas, kRegionWidth, height);
  s.region = Region{};
  s.region.x = place.x;
  s.region.y = place.y;
  s.region.width = kRegionWidth;
  s.region.height = height;
  s.texture = ImVec2(static_cast<float>(place.atlas_width), static_cast<float>(place.atlas_height));
  s.uploads.clear();
  s.scale = scale;
  ++s.generation;
  for (Role& role : s.roles) make_room_for_all(*role.font);
  s.fonts = {s.roles[0].font, s.roles[1].font, s.roles[2].font, s.roles[3].font,
             s.roles[4].font, s.roles[5].font, s.roles[6].font, s.roles[7].font};
}

uint64_t FontAtlas::generation() const {
  return state_->generation;
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

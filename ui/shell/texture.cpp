#include "ui/shell/texture.h"

#include <GLFW/glfw3.h>

#include <cstdint>
#include <type_traits>

#include <backends/imgui_impl_opengl3.h>

namespace mneme::ui {
namespace {

// Of OpenGL 3.3; gl.h of the distribution ends at 1.x.
#ifndef GL_R8
constexpr GLint GL_R8 = 0x8229;
#endif
#ifndef GL_TEXTURE_SWIZZLE_RGBA
constexpr GLenum GL_TEXTURE_SWIZZLE_RGBA = 0x8E46;
#endif
#ifndef GL_CLAMP_TO_EDGE
constexpr GLint GL_CLAMP_TO_EDGE = 0x812F;
#endif

// A pointer before 1.91.4, a number from then on.
template <typename Id = ImTextureID>
Id as_texture_id(unsigned id) {
  if constexpr (std::is_pointer_v<Id>) {
    return reinterpret_cast<Id>(static_cast<intptr_t>(id));  // NOLINT(performance-no-int-to-ptr): as Dear ImGui has it
  } else {
    return static_cast<Id>(id);
  }
}

void set_filters(GLint filter) {
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

// A page is drawn much smaller than it is: without smaller copies its letters would lose strokes.
void make_smaller_copies() {
  using GenerateMipmap = void (*)(GLenum);
  const auto generate = reinterpret_cast<GenerateMipmap>(glfwGetProcAddress("glGenerateMipmap"));
  if (generate == nullptr) return;
  generate(GL_TEXTURE_2D);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
}

// From 1.92 on the backend would make, and later delete, what is kept here.
void take_from_backend([[maybe_unused]] ImFontAtlas& atlas) {
#if IMGUI_VERSION_NUM >= 19200
  for (ImTextureData* texture : atlas.TexList) {
    if (texture != atlas.TexData) texture->SetTexID(ImTextureID_Invalid);  // of fonts of another size: ours by now
    texture->SetStatus(texture == atlas.TexData ? ImTextureStatus_OK : ImTextureStatus_Destroyed);
  }
#endif
}

}  // namespace

void FontTexture::take_over() {
#if IMGUI_VERSION_NUM >= 19200
  ImGui::GetIO().BackendFlags &= ~ImGuiBackendFlags_RendererHasTextures;
#else
  // Makes its texture now, of Dear ImGui's own small font: the window's atlas as RGBA would take 20 MB on the way to
  // what create() replaces anyway.
  ImGui_ImplOpenGL3_NewFrame();
#endif
}

FontTexture::~FontTexture() {
  if (id_ != 0) glDeleteTextures(1, &id_);
}

void FontTexture::create() {
#if IMGUI_VERSION_NUM < 19200
  ImGui_ImplOpenGL3_DestroyFontsTexture();
#endif
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  unsigned char* pixels = nullptr;
  int width = 0;
  int height = 0;
  atlas.GetTexDataAsAlpha8(&pixels, &width, &height);
  if (id_ == 0) glGenTextures(1, &id_);
  glBindTexture(GL_TEXTURE_2D, id_);
  set_filters(GL_NEAREST);  // glyphs are drawn as large as they are, on whole pixels; four samples would cost more
  // White, with the one channel as opacity.
  const GLint swizzle[] = {GL_ONE, GL_ONE, GL_ONE, GL_RED};
  glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, swizzle);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, width, height, 0, GL_RED, GL_UNSIGNED_BYTE, pixels);
  atlas.SetTexID(as_texture_id(id_));
  atlas.ClearTexData();
  take_from_backend(atlas);
}

void FontTexture::upload(const std::vector<GlyphUpload>& uploads) {
  if (uploads.empty()) return;
  glBindTexture(GL_TEXTURE_2D, id_);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  for (const GlyphUpload& u : uploads) {
    glTexSubImage2D(GL_TEXTURE_2D, 0, u.x, u.y, u.width, u.height, GL_RED, GL_UNSIGNED_BYTE, u.coverage.data());
  }
}

PageTexture::~PageTexture() {
  release();
}

void PageTexture::release() {
  if (id_ != 0) glDeleteTextures(1, &id_);
  id_ = 0;
  image_.reset();
}

ImTextureID PageTexture::of(const std::shared_ptr<const PageImage>& image) {
  if (image_ != image) {
    release();
    image_ = image;
    changed_ = true;
    glGenTextures(1, &id_);
    glBindTexture(GL_TEXTURE_2D, id_);
    set_filters(GL_LINEAR);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, image->width, image->height, 0, GL_RGB, GL_UNSIGNED_BYTE, image->rgb.data());
    make_smaller_copies();
  }
  return as_texture_id(id_);
}

}  // namespace mneme::ui

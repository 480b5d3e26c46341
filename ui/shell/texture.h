// Textures on OpenGL 3: the font atlas as one byte per pixel, and pictures of pages. Threads: the window's thread, with
// its context current.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <imgui.h>

#include "ui/text/fonts.h"
#include "ui/view_model/snapshot.h"

namespace mneme::ui {

// The fonts' coverage as a texture of its own: a quarter of what Dear ImGui's backend would keep.
class FontTexture {
 public:
  // Once, after the backend was set up: it is to make no texture of the fonts by itself, as it does from 1.92 on.
  static void take_over();
  ~FontTexture();
  // After the backend made its own texture: replaces it, and frees the pixels.
  void create();
  void upload(const std::vector<GlyphUpload>& uploads);

 private:
  unsigned id_ = 0;
};

// The picture that is shown; one at a time.
class PageTexture {
 public:
  ~PageTexture();
  ImTextureID of(const std::shared_ptr<const PageImage>& image);
  void release();
  // Whether of() has made a texture since this was asked last: its number may be that of the one before.
  bool take_changed() { return std::exchange(changed_, false); }

 private:
  unsigned id_ = 0;
  bool changed_ = false;
  std::shared_ptr<const PageImage> image_;
};

}  // namespace mneme::ui

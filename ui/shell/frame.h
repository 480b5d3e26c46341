// One frame without a window system: what the shell and the panel tests share. Threads: the window's thread.
#pragma once

#include <functional>
#include <string>

#include "ui/panels/panel.h"

namespace mneme::ui {

class FrameDrawer {
 public:
  // Makes the Dear ImGui context current for this object's life.
  FrameDrawer();
  ~FrameDrawer();
  FrameDrawer(const FrameDrawer&) = delete;
  FrameDrawer& operator=(const FrameDrawer&) = delete;

  struct Hooks {
    std::function<void(Command)> post;
    std::function<void()> choose_folder;
    std::function<void(const std::string&)> open_path;
  };

  // Collects the characters of a snapshot and rebuilds fonts and style when scale or theme changed. True when the
  // renderer must upload the font texture anew. Call between frames.
  bool prepare(const Snapshot& snapshot, float scale, bool dark);

  // Draws the panels; between ImGui::NewFrame and ImGui::Render.
  void draw(const Snapshot& snapshot, const Hooks& hooks);

  WindowState& window() { return window_; }
  const Theme& theme() const { return theme_; }

 private:
  void note_texts(const Snapshot& snapshot);

  FontLoader fonts_;
  Theme theme_;
  WindowState window_;
  float scale_ = 0.0f;
  const void* noted_documents_ = nullptr;  // lists already looked through
  std::string noted_;
};

}  // namespace mneme::ui

// One frame without a window system: what the shell and the panel tests share. Threads: the window's thread.
#pragma once

#include <string>
#include <vector>

#include "ui/panels/panel.h"
#include "ui/shell/window_memory.h"
#include "ui/text/context_data.h"
#include "ui/widgets/focus_order.h"
#include "ui/widgets/tooltip_rest.h"

namespace mneme::ui {

class FrameDrawer {
 public:
  // Makes the Dear ImGui context current for this object's life.
  FrameDrawer();
  ~FrameDrawer();
  FrameDrawer(const FrameDrawer&) = delete;
  FrameDrawer& operator=(const FrameDrawer&) = delete;

  // Rebuilds fonts and style when scale or theme changed. True when the renderer must upload the font texture anew.
  // Call between frames.
  bool prepare(float scale, bool dark);

  // Draws the panels; between ImGui::NewFrame and ImGui::Render.
  void draw(const Snapshot& snapshot, const WindowHooks& hooks);
  // Glyphs that the frame drawn last needs in the font texture; upload them before it is rendered.
  std::vector<GlyphUpload> take_uploads() { return fonts_.take_uploads(); }

  WindowState& window() { return window_; }
  const Theme& theme() const { return theme_; }
  const FocusOrder& focus_order() const { return focus_order_; }

  // What is to be remembered of the window's state, but for its size; and the way back.
  WindowMemory memory(const Snapshot& snapshot) const;
  void restore(const WindowMemory& memory);

 private:
  void tell_of_fonts(const PanelContext& context);

  FontAtlas fonts_;
  FocusOrder focus_order_;
  TooltipRest tooltip_rest_;
  WindowState window_;
  ContextData context_data_{&fonts_, &focus_order_, &window_.composing, &tooltip_rest_};
  Theme theme_;
  float scale_ = 0.0f;
  std::vector<std::string> told_fonts_;  // packages that the user was told of
};

}  // namespace mneme::ui

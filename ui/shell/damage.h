// What of the picture differs from the one drawn before, so that a renderer without a GPU draws no more than that: an
// answer that grows changes a line, a caret a few pixels. The comparison is exact: outside of what it names, both
// frames are drawn from the same triangles in the same order.
// The idea is the damage region of window systems (the X extension DAMAGE, EGL_KHR_partial_update), worked out from
// Dear ImGui's lists of triangles, since its panels are drawn anew in every frame and say nothing of what changed.
// Threads: the window's thread.
#pragma once

#include <vector>

#include <imgui.h>

#include "ui/panels/panel.h"

namespace mneme::ui {

// A rectangle in Dear ImGui's coordinates. Nothing, when it is empty.
struct Damage {
  ImVec2 min{0.0f, 0.0f};
  ImVec2 max{0.0f, 0.0f};

  bool empty() const { return max.x <= min.x || max.y <= min.y; }
  void add(const Damage& other);
  Damage within(const Damage& other) const;
};

class PictureMemory {
 public:
  // What differs from the frame given last, which this one replaces; everything at first.
  Damage update(const ImDrawData& data, ImU32 background, const std::vector<Ground>& grounds);
  // The picture was lost, or a texture shows something else: all of the next frame counts as new.
  void forget() { known_ = false; }

 private:
  // A list of triangles and how it is clipped; what it was when it was drawn.
  struct Command {
    ImVec4 clip;
    ImTextureID texture{};
    unsigned first_index = 0;
    unsigned n_indices = 0;
    bool plain = true;  // false: its indices do not count from the list's first vertex, or it draws by itself
  };
  struct List {
    std::vector<ImDrawVert> vertices;
    std::vector<ImDrawIdx> indices;
    std::vector<Command> commands;
    void copy(const ImDrawList& list);
    bool operator==(const List& other) const;
    Damage clip() const;
    Damage extent() const;
  };
  struct Difference;

  static Damage difference(const List& before, const List& now);
  bool same_surface(const ImDrawData& data, ImU32 background, const std::vector<Ground>& grounds) const;

  bool known_ = false;
  Damage surface_;
  ImVec2 scale_{1.0f, 1.0f};
  ImU32 background_ = 0;
  std::vector<Ground> grounds_;
  std::vector<List> lists_;
  List now_;  // kept for its memory
};

// Draws no more of the frame than `damage`: narrows every command's clip, and takes out the lists that have none left.
void confine(ImDrawData& data, const Damage& damage);

}  // namespace mneme::ui

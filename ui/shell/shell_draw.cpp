// Of a frame that was built: what of it is not on the screen yet, and how that gets there.
#include <GLFW/glfw3.h>

#include <algorithm>
#include <utility>

#include <backends/imgui_impl_opengl3.h>

#include "ui/shell/shell.h"

namespace mneme::ui {
namespace {

// Once the window may have another size: the first swap lets OpenGL learn of it, the second shows a picture of that
// size, and what a swap leaves in the buffer is not known, so that parts are shown of the third only.
constexpr int kWholeFrames = 3;

}  // namespace

void Shell::clear(const Damage& part, ImU32 colour) const {
  if (part.empty()) return;
  const Pixels at = pixels_of(part);
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(colour);
  glScissor(at.x, at.y, at.width, at.height);
  glClearColor(c.x, c.y, c.z, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT);
}

Shell::Pixels Shell::pixels_of(const Damage& part) const {
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  const int left = static_cast<int>(part.min.x * scale.x);
  const int bottom = static_cast<int>(part.max.y * scale.y);
  return {left, extent_.pixels_high - bottom, std::max(0, static_cast<int>(part.max.x * scale.x) - left),
          std::max(0, bottom - static_cast<int>(part.min.y * scale.y))};
}

void Shell::draw_picture(const Damage& damage) {
  glViewport(0, 0, extent_.pixels_wide, extent_.pixels_high);
  glEnable(GL_SCISSOR_TEST);
  clear(damage, drawer_->theme().background);
  for (const Ground& ground : drawer_->window().grounds)
    clear(Damage{ground.min, ground.max}.within(damage), ground.colour);
  glDisable(GL_SCISSOR_TEST);
  ImDrawData& data = *ImGui::GetDrawData();
  confine(data, damage);
  ImGui_ImplOpenGL3_RenderDrawData(&data);
}

void Shell::present(const Damage& damage) {
  const bool swap = !partial_.available() || whole_frames_ > 1;
  whole_frames_ = std::max(0, whole_frames_ - 1);
  frames_left_ = std::max(frames_left_, whole_frames_);
  if (swap) return glfwSwapBuffers(window_);
  const Pixels at = pixels_of(damage);
  partial_.show(at.x, at.y, at.width, at.height);
}

// What of the frame just built is not on the screen yet. Nothing, when a mouse has moved over nothing, or progress was
// made on another page.
Damage Shell::changed_part(bool new_atlas) {
  if (std::exchange(exposed_, false)) whole_frames_ = kWholeFrames;
  const bool new_page = page_texture_.take_changed();
  if (whole_frames_ > 0 || new_page || new_atlas) picture_.forget();
  const ImDrawData& data = *ImGui::GetDrawData();
  const Damage damage = picture_.update(data, drawer_->theme().background, drawer_->window().grounds);
  if (damage.empty() || partial_.available()) return damage;
  return {{0.0f, 0.0f}, data.DisplaySize};
}

}  // namespace mneme::ui

#include "ui/shell/empty_window.h"

#include <GLFW/glfw3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

namespace mneme::ui {
namespace {

uint64_t added(uint64_t now, uint64_t before) {
  return now > before ? now - before : 0;
}

MemoryParts difference(const MemoryParts& now, const MemoryParts& before) {
  MemoryParts d;
  d.own = added(now.own, before.own);
  d.driver = added(now.driver, before.driver);
  d.libraries = added(now.libraries, before.libraries);
  d.program = added(now.program, before.program);
  d.fonts = added(now.fonts, before.fonts);
  d.models = added(now.models, before.models);
  d.shared = added(now.shared, before.shared);
  d.other = added(now.other, before.other);
  return d;
}

void draw_line(GLFWwindow* window) {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
  ImGui::Begin("empty");
  ImGui::TextUnformatted("Nothing is shown here.");
  ImGui::End();
  ImGui::Render();
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  glfwSwapBuffers(window);
  glFinish();
}

// Opens and draws; never closes, since the process ends.
MemoryParts open_and_measure(int width, int height) {
  const MemoryParts before = memory_parts();
  if (glfwInit() != GLFW_TRUE) return {};
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  GLFWwindow* window = glfwCreateWindow(width, height, "empty", nullptr, nullptr);
  if (window == nullptr) return {};
  glfwMakeContextCurrent(window);
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui_ImplGlfw_InitForOpenGL(window, false);
  ImGui_ImplOpenGL3_Init("#version 150");
  for (int i = 0; i < 3; ++i) draw_line(window);
  return difference(memory_parts(), before);
}

}  // namespace

MemoryParts memory_of_empty_window(int width, int height) {
  MemoryParts parts;
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return parts;
  const pid_t child = fork();
  if (child == 0) {
    const MemoryParts measured = open_and_measure(width, height);
    const bool told = write(ends[1], &measured, sizeof(measured)) == sizeof(measured);
    _exit(told ? 0 : 1);
  }
  close(ends[1]);
  MemoryParts told;
  if (child > 0 && read(ends[0], &told, sizeof(told)) == sizeof(told)) parts = told;
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return parts;
}

}  // namespace mneme::ui

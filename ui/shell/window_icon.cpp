#include "ui/shell/window_icon.h"

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include <GLFW/glfw3.h>
#include <stb/stb_image.h>

#include "base/embedded_assets.h"

namespace mneme::ui {
namespace {

constexpr int kChannels = 4;

using Pixels = std::unique_ptr<stbi_uc, void (*)(void*)>;

}  // namespace

void hint_application_name() {
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "mneme");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "mneme");
}

void set_window_icon(GLFWwindow* window) {
  std::vector<Pixels> pictures;  // until GLFW has copied them
  std::vector<GLFWimage> images;
  for (const std::string_view png : {assets::icon_48_png, assets::icon_128_png}) {
    GLFWimage image{};
    pictures.emplace_back(
        stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(png.data()), static_cast<int>(png.size()), &image.width,
                              &image.height, nullptr, kChannels),
        stbi_image_free);
    image.pixels = pictures.back().get();
    if (image.pixels != nullptr) images.push_back(image);
  }
  if (!images.empty()) glfwSetWindowIcon(window, static_cast<int>(images.size()), images.data());
}

}  // namespace mneme::ui

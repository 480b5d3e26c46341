// The window itself: GLFW and OpenGL 3. Redraws on events and when the controller has something new, and sleeps
// otherwise.
#include <GLFW/glfw3.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#include "base/mutex.h"
#include "ui/shell/desktop.h"
#include "ui/shell/frame.h"
#include "ui/ui.h"
#include "ui/view_model/controller.h"
#include "ui/view_model/task_queue.h"

namespace mneme::ui {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kWidth = 1280;
constexpr int kHeight = 800;
constexpr double kIdleWait_s = 0.5;                     // a blinking cursor needs no more
constexpr int kFramesAfterEvent = 3;                    // Dear ImGui settles within a few frames
constexpr std::chrono::microseconds kFrameTime{16000};  // where the swap interval does not throttle

std::string glfw_reason() {
  const char* description = nullptr;
  glfwGetError(&description);
  return description == nullptr ? "unknown reason" : description;
}

class Shell {
 public:
  explicit Shell(const WindowOptions& options) : options_(options) {}
  ~Shell();
  Status open();
  void run();

 private:
  void frame();
  void pace(Clock::time_point begin);
  void choose_folder();
  void take_chosen_folder();
  bool dark() const;
  float scale() const;

  const WindowOptions options_;
  GLFWwindow* window_ = nullptr;
  std::unique_ptr<FrameDrawer> drawer_;
  std::unique_ptr<Controller> controller_;
  std::atomic<bool> system_dark_{false};
  std::atomic<bool> dialog_open_{false};
  int frames_left_ = kFramesAfterEvent;
  std::shared_ptr<const Snapshot> drawn_;

  Mutex mutex_;
  std::string chosen_folder_ MNEME_GUARDED_BY(mutex_);
  bool dialog_missing_ MNEME_GUARDED_BY(mutex_) = false;
  TaskQueue desktop_;  // dialogs block; last, so that it ends first
};

Status Shell::open() {
  if (glfwInit() != GLFW_TRUE) {
    return unsupported("the window cannot be opened: " + glfw_reason() + "; use `mneme chat` in a terminal instead");
  }
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 2);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  window_ = glfwCreateWindow(kWidth, kHeight, "mneme", nullptr, nullptr);
  if (window_ == nullptr) {
    return unsupported("the window cannot be opened: OpenGL 3.2 is not available (" + glfw_reason() +
                       "); use `mneme chat` in a terminal instead");
  }
  glfwSetWindowSizeLimits(window_, 320, 200, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(1);
  drawer_ = std::make_unique<FrameDrawer>();
  glfwSetWindowUserPointer(window_, this);
  glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
    Shell& self = *static_cast<Shell*>(glfwGetWindowUserPointer(window));
    for (int i = 0; i < count; ++i) self.drawer_->window().dropped_paths.emplace_back(paths[i]);
    self.drawer_->window().page = Page::kLibrary;
  });
  ImGui_ImplGlfw_InitForOpenGL(window_, true);
  ImGui_ImplOpenGL3_Init("#version 150");
  controller_ = std::make_unique<Controller>(Controller::Options{options_.workspace, options_.samples_folder},
                                             [] { glfwPostEmptyEvent(); });
  desktop_.post([this] { system_dark_ = prefers_dark(); });
  return {};
}

Shell::~Shell() {
  controller_.reset();
  if (drawer_) {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    drawer_.reset();
  }
  if (window_ != nullptr) glfwDestroyWindow(window_);
  glfwTerminate();
}

bool Shell::dark() const {
  const ThemeChoice choice = controller_->snapshot()->settings.theme;
  return choice == ThemeChoice::kDark || (choice == ThemeChoice::kSystem && system_dark_);
}

float Shell::scale() const {
  float x = 1.0f;
  float y = 1.0f;
  glfwGetWindowContentScale(window_, &x, &y);
  return x * controller_->snapshot()->settings.scale;
}

void Shell::choose_folder() {
  if (dialog_open_.exchange(true)) return;
  desktop_.post([this] {
    bool available = false;
    const std::optional<std::string> folder = ui::choose_folder(available);
    {
      MutexLock lock(mutex_);
      chosen_folder_ = folder.value_or("");
      dialog_missing_ = !available;
    }
    dialog_open_ = false;
    glfwPostEmptyEvent();
  });
}

void Shell::take_chosen_folder() {
  MutexLock lock(mutex_);
  if (dialog_missing_) drawer_->window().browser_open = true;
  dialog_missing_ = false;
  if (!chosen_folder_.empty()) {
    drawer_->window().page = Page::kLibrary;
    controller_->post(AddFolder{chosen_folder_, drawer_->window().new_collection});
  }
  chosen_folder_.clear();
}

void Shell::frame() {
  take_chosen_folder();
  const std::shared_ptr<const Snapshot> snapshot = controller_->snapshot();
  const bool new_atlas = drawer_->prepare(*snapshot, scale(), dark());
  ImGui_ImplOpenGL3_NewFrame();
  if (new_atlas) {
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
  }
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
  FrameDrawer::Hooks hooks;
  hooks.post = [this](Command command) { controller_->post(std::move(command)); };
  hooks.choose_folder = [this] { choose_folder(); };
  hooks.open_path = [this](const std::string& path) { desktop_.post([path] { open_in_desktop(path); }); };
  drawer_->draw(*snapshot, hooks);
  ImGui::Render();
  int width = 0;
  int height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  glViewport(0, 0, width, height);
  const ImVec4 background = ImGui::ColorConvertU32ToFloat4(drawer_->theme().background);
  glClearColor(background.x, background.y, background.z, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  glfwSwapBuffers(window_);
  drawn_ = snapshot;
}

void Shell::pace(Clock::time_point begin) {
  const auto spent = Clock::now() - begin;
  if (spent < kFrameTime) std::this_thread::sleep_for(kFrameTime - spent);
}

void Shell::run() {
  while (glfwWindowShouldClose(window_) == GLFW_FALSE) {
    if (frames_left_ > 0) {
      glfwPollEvents();
      --frames_left_;
    } else {
      const Clock::time_point before = Clock::now();
      glfwWaitEventsTimeout(kIdleWait_s);
      const bool event = Clock::now() - before < std::chrono::duration<double>(kIdleWait_s * 0.98);
      const bool typing = ImGui::GetIO().WantTextInput;
      if (!event && !typing && controller_->snapshot() == drawn_) continue;
      frames_left_ = event ? kFramesAfterEvent : 1;
    }
    const Clock::time_point begin = Clock::now();
    frame();
    pace(begin);
  }
}

}  // namespace

bool display_available() {
  return std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
}

Status run_window(const WindowOptions& options) {
  Shell shell(options);
  MNEME_RETURN_IF_ERROR(shell.open());
  shell.run();
  return {};
}

}  // namespace mneme::ui

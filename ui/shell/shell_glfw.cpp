#include <GLFW/glfw3.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#include "ui/shell/desktop.h"
#include "ui/shell/shell.h"

namespace mneme::ui {
namespace {

constexpr double kIdleWait_s = 0.5;                     // a blinking cursor needs no more
constexpr int kFramesAfterEvent = 3;                    // Dear ImGui settles within a few frames
constexpr std::chrono::microseconds kFrameTime{16000};  // where the swap interval does not throttle
constexpr std::chrono::seconds kRememberEvery{2};
constexpr std::chrono::seconds kBlinkFor{6};  // the caret rests after that
constexpr std::chrono::seconds kLookAroundEvery{2};

std::string glfw_reason() {
  const char* description = nullptr;
  glfwGetError(&description);
  return description == nullptr ? "unknown reason" : description;
}

Shell& shell_of(GLFWwindow* window) {
  return *static_cast<Shell*>(glfwGetWindowUserPointer(window));
}

}  // namespace

Status Shell::open() {
  if (glfwInit() != GLFW_TRUE) {
    return unsupported("the window cannot be opened: " + glfw_reason() + "; use `mneme chat` in a terminal instead");
  }
  memory_ = read_memory(memory_path(options_.workspace.home));
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  glfwWindowHint(GLFW_MAXIMIZED, memory_.maximized ? GLFW_TRUE : GLFW_FALSE);
  window_ = glfwCreateWindow(memory_.width, memory_.height, "mneme", nullptr, nullptr);
  if (window_ == nullptr) {
    return unsupported("the window cannot be opened: OpenGL 3.3 is not available (" + glfw_reason() +
                       "); use `mneme chat` in a terminal instead");
  }
  glfwSetWindowSizeLimits(window_, 320, 200, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(1);
  // Opens the catalogue while the fonts are made.
  controller_ = std::make_unique<Controller>(Controller::Options{options_.workspace, options_.samples_folder},
                                             [] { glfwPostEmptyEvent(); });
  drawer_ = std::make_unique<FrameDrawer>();
  font_texture_ = std::make_unique<FontTexture>();
  drawer_->restore(memory_);
  set_up_window();
  hooks_ = make_hooks();
  look_at_theme();
  return {};
}

void Shell::set_up_window() {
  glfwSetWindowUserPointer(window_, this);
  glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
    WindowState& state = shell_of(window).drawer_->window();
    for (int i = 0; i < count; ++i) state.dropped_paths.emplace_back(paths[i]);
    state.page = Page::kLibrary;
  });
  ImGui_ImplGlfw_InitForOpenGL(window_, true);
  ImGui_ImplOpenGL3_Init("#version 150");
  set_up_input();
}

// In place of Dear ImGui's own callbacks, which these end in.
void Shell::set_up_input() {
  glfwSetWindowFocusCallback(window_, [](GLFWwindow* window, int focused) {
    ImGui_ImplGlfw_WindowFocusCallback(window, focused);
    if (focused != 0) shell_of(window).look_at_theme();
  });
#if IMGUI_VERSION_NUM < 18700
  glfwSetKeyCallback(window_, [](GLFWwindow* window, int key, int scancode, int action, int mods) {
    if (action == GLFW_REPEAT) return;  // Dear ImGui repeats keys itself
    const auto kind = action == GLFW_PRESS ? InputEvent::Kind::kPress : InputEvent::Kind::kRelease;
    shell_of(window).input_.push({kind, key, scancode, mods});
  });
  glfwSetCharCallback(window_, [](GLFWwindow* window, unsigned character) {
    shell_of(window).input_.push({InputEvent::Kind::kCharacter, static_cast<int>(character), 0, 0});
  });
#endif
}

void Shell::feed_input() {
  for (const InputEvent& event : input_.take()) {
    if (event.kind == InputEvent::Kind::kCharacter) {
      ImGui_ImplGlfw_CharCallback(window_, static_cast<unsigned>(event.code));
    } else {
      const int action = event.kind == InputEvent::Kind::kPress ? GLFW_PRESS : GLFW_RELEASE;
      ImGui_ImplGlfw_KeyCallback(window_, event.code, event.scancode, action, event.mods);
    }
  }
  if (!input_.empty()) frames_left_ = std::max(frames_left_, 2);
}

// The desktop's light or dark, which may have changed while the window was not looked at.
void Shell::look_at_theme() {
  desktop_.post([this] {
    const bool is_dark = prefers_dark();
    if (system_dark_.exchange(is_dark) != is_dark) glfwPostEmptyEvent();
  });
}

// What other processes do on this home is shown in the library; looking costs no frame.
void Shell::look_around() {
  if (drawer_->window().page != Page::kLibrary || Clock::now() - looked_around_at_ < kLookAroundEvery) return;
  looked_around_at_ = Clock::now();
  controller_->post(LookAround{});
}

WindowHooks Shell::make_hooks() {
  WindowHooks hooks;
  hooks.post = [this](Command command) { controller_->post(std::move(command)); };
  hooks.choose_folder = [this] { ask_desktop(false); };
  hooks.choose_model = [this] { ask_desktop(true); };
  hooks.open_path = [this](const std::string& path) { desktop_.post([path] { open_in_desktop(path); }); };
  hooks.texture = [this](const std::shared_ptr<const PageImage>& image) { return page_texture_.of(image); };
  return hooks;
}

Shell::~Shell() {
  if (controller_ && drawer_) remember(*controller_->snapshot(), true);
  controller_.reset();
  if (drawer_) {
    page_texture_.release();
    font_texture_.reset();
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    drawer_.reset();
  }
  if (window_ != nullptr) glfwDestroyWindow(window_);
  glfwTerminate();
}

bool Shell::dark(const Snapshot& snapshot) const {
  const ThemeChoice choice = snapshot.settings.theme;
  return choice == ThemeChoice::kDark || (choice == ThemeChoice::kSystem && system_dark_);
}

float Shell::scale(const Snapshot& snapshot) const {
  float x = 1.0f;
  float y = 1.0f;
  glfwGetWindowContentScale(window_, &x, &y);
  return x * snapshot.settings.scale;
}

void Shell::ask_desktop(bool for_model) {
  if (dialog_open_.exchange(true)) return;
  desktop_.post([this, for_model] {
    bool available = false;
    const std::optional<std::string> chosen = for_model ? choose_model_file(available) : choose_folder(available);
    {
      MutexLock lock(mutex_);
      dialog_ = {chosen.value_or(""), !available, for_model};
    }
    dialog_open_ = false;
    glfwPostEmptyEvent();
  });
}

void Shell::take_chosen() {
  Dialog dialog;
  {
    MutexLock lock(mutex_);
    dialog = std::exchange(dialog_, Dialog{});
  }
  WindowState& state = drawer_->window();
  if (dialog.missing) {
    state.browser_open = true;
    state.browser_for_model = dialog.for_model;
  }
  if (dialog.chosen.empty()) return;
  if (dialog.for_model) {
    controller_->post(AddModel{dialog.chosen});
  } else {
    state.page = Page::kLibrary;
    controller_->post(AddFolder{dialog.chosen, state.new_collection});
  }
}

// The chat that was open last, once the chats are known.
void Shell::restore(const Snapshot& snapshot) {
  if (restored_ || !snapshot.ready) return;
  restored_ = true;
  const auto& chats = *snapshot.chats;
  const bool there =
      std::any_of(chats.begin(), chats.end(), [&](const ChatRow& row) { return row.id == memory_.chat; });
  if (there) controller_->post(OpenChat{memory_.chat});
}

void Shell::remember(const Snapshot& snapshot, bool now) {
  if (!restored_ || (!now && Clock::now() - remembered_at_ < kRememberEvery)) return;
  remembered_at_ = Clock::now();
  WindowMemory memory = drawer_->memory(snapshot);
  memory.maximized = glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) != 0;
  memory.width = memory_.width;
  memory.height = memory_.height;
  if (!memory.maximized) glfwGetWindowSize(window_, &memory.width, &memory.height);
  if (memory == memory_) return;
  memory_ = memory;
  const std::string path = memory_path(options_.workspace.home);
  // A disk that is full costs the memory, nothing else: the settings say so when they cannot be saved.
  if (now) {
    static_cast<void>(write_memory(path, memory));
  } else {
    desktop_.post([path, memory] { static_cast<void>(write_memory(path, memory)); });
  }
}

// Tells the desktop when long work has ended and nobody looks.
void Shell::notify(const Snapshot& snapshot) {
  for (const Notice& notice : snapshot.notices) {
    if (notice.id <= last_notice_) continue;
    last_notice_ = notice.id;
    if (!notice.long_work || !snapshot.settings.notify || glfwGetWindowAttrib(window_, GLFW_FOCUSED) != 0) continue;
    glfwRequestWindowAttention(window_);
    desktop_.post([text = notice.text] { notify_desktop(text); });
  }
}

void Shell::frame() {
  take_chosen();
  feed_input();
  const std::shared_ptr<const Snapshot> snapshot = controller_->snapshot();
  restore(*snapshot);
  const bool new_atlas = drawer_->prepare(scale(*snapshot), dark(*snapshot));
  ImGui_ImplOpenGL3_NewFrame();
  if (new_atlas) font_texture_->create();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
  drawer_->draw(*snapshot, hooks_);
  ImGui::Render();
  font_texture_->upload(drawer_->take_uploads());
  int width = 0;
  int height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  glViewport(0, 0, width, height);
  const ImVec4 background = ImGui::ColorConvertU32ToFloat4(drawer_->theme().background);
  glClearColor(background.x, background.y, background.z, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  glfwSwapBuffers(window_);
  if (!snapshot->document) page_texture_.release();
  drawn_ = snapshot;
  remember(*snapshot, false);
  notify(*snapshot);
}

void Shell::pace(Clock::time_point begin) {
  const auto spent = Clock::now() - begin;
  if (spent < kFrameTime) std::this_thread::sleep_for(kFrameTime - spent);
}

// Whether something changes with time alone.
bool Shell::wants_redraw() const {
  const bool blinks = ImGui::GetIO().WantTextInput && Clock::now() - last_event_ < kBlinkFor;
  const WindowState& state = drawer_->window();
  return blinks || state.wants_frame || !drawn_->notices.empty() || state.page == Page::kInsight;
}

bool Shell::turn(double wait_s) {
  if (frames_left_ > 0 || drawer_->window().wants_frame) {
    glfwPollEvents();
    frames_left_ = std::max(0, frames_left_ - 1);
  } else {
    const Clock::time_point before = Clock::now();
    look_around();
    glfwWaitEventsTimeout(wait_s);
    const bool event = Clock::now() - before < std::chrono::duration<double>(wait_s * 0.98);
    if (!event && !wants_redraw() && controller_->snapshot() == drawn_) {
      remember(*drawn_, false);
      return false;
    }
    const bool published = controller_->snapshot() != drawn_;
    if (event && !published) {
      frames_left_ = kFramesAfterEvent;
      last_event_ = Clock::now();
    } else {
      frames_left_ = 1;
    }
  }
  frame();
  return true;
}

void Shell::run() {
  // Ctrl-C and the end of the session close it as its button does.
  const CancelToken* interrupt = options_.workspace.interrupt;
  const auto interrupted = [interrupt] { return interrupt != nullptr && interrupt->cancelled(); };
  while (glfwWindowShouldClose(window_) == GLFW_FALSE && !interrupted()) {
    const Clock::time_point begin = Clock::now();
    if (turn(kIdleWait_s)) pace(begin);
  }
}

bool display_available() {
  const char* x11 = std::getenv("DISPLAY");              // NOLINT(concurrency-mt-unsafe): nobody sets variables here
  const char* wayland = std::getenv("WAYLAND_DISPLAY");  // NOLINT(concurrency-mt-unsafe)
  return (x11 != nullptr && *x11 != '\0') || (wayland != nullptr && *wayland != '\0');
}

Status run_window(const WindowOptions& options) {
  Shell shell(options);
  MNEME_RETURN_IF_ERROR(shell.open());
  shell.run();
  return {};
}

}  // namespace mneme::ui

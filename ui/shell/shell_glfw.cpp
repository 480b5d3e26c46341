#include <GLFW/glfw3.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <utility>

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#include "ui/language/languages.h"
#include "ui/language/tr.h"
#include "ui/shell/input_method.h"
#include "ui/shell/shell.h"
#include "ui/shell/window_icon.h"
#include "ui/view_model/thread_priority.h"

namespace mneme::ui {
namespace {

constexpr double kIdleWait_s = 0.5;                     // a blinking cursor needs no more
constexpr int kFramesAfterEvent = 3;                    // Dear ImGui settles within a few frames
constexpr std::chrono::microseconds kFrameTime{16000};  // where the swap interval does not throttle
constexpr int kNewsShare = 3;                           // frames that only show news take a third of the time at most
constexpr std::chrono::milliseconds kRarestNews{100};   // ... but come this often
constexpr std::chrono::seconds kRestAfter{1};           // without a frame
constexpr std::chrono::seconds kBlinkFor{6};            // the caret rests after that
constexpr std::chrono::seconds kLookAroundEvery{5};
constexpr std::chrono::seconds kLookAtLibraryEvery{2};  // while it is in sight

std::string glfw_reason() {
  const char* description = nullptr;
  glfwGetError(&description);
  return description == nullptr ? "unknown reason" : description;
}

double milliseconds(Shell::Clock::time_point begin, Shell::Clock::time_point end) {
  return std::chrono::duration<double, std::milli>(end - begin).count();
}

std::string_view renderer_name() {
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  return name == nullptr ? "" : name;
}

// Mesa's renderers without a GPU.
bool renders_on_processor() {
  const std::string_view renderer = renderer_name();
  return renderer.find("llvmpipe") != renderer.npos || renderer.find("softpipe") != renderer.npos ||
         renderer.find("swrast") != renderer.npos;
}

// OpenGL over Vulkan, which has buffers of its own behind each swap.
bool renders_through_vulkan() {
  return renderer_name().find("zink") != std::string_view::npos;
}

std::string system_language() {
  return language_of_environment([](const char* name) {
    return static_cast<const char*>(std::getenv(name));  // NOLINT(concurrency-mt-unsafe): nobody sets variables here
  });
}

// A window that was larger than any screen is now (a display was taken away) would have its question out of sight.
void fit_to_screens(WindowMemory& memory) {
  int n = 0;
  GLFWmonitor** const monitors = glfwGetMonitors(&n);
  int width = 0;
  int height = 0;
  for (int i = 0; i < n; ++i) {
    int x = 0;
    int y = 0;
    int w = 0;
    int h = 0;
    float scale = 1.0f;
    glfwGetMonitorWorkarea(monitors[i], &x, &y, &w, &h);
    glfwGetMonitorContentScale(monitors[i], &scale, nullptr);
    width = std::max(width, static_cast<int>(static_cast<float>(w) / std::max(scale, 1.0f)));
    height = std::max(height, static_cast<int>(static_cast<float>(h) / std::max(scale, 1.0f)));
  }
  if (width > 0) memory.width = std::min(memory.width, std::max(width, 320));
  if (height > 0) memory.height = std::min(memory.height, std::max(height, 200));
}

}  // namespace

Status Shell::open() {
  set_priority(Priority::kWindow);  // before the driver starts threads of its own, which draw
  if (glfwInit() != GLFW_TRUE) {
    return unsupported("the window cannot be opened: " + glfw_reason() + "; use `mneme chat` in a terminal instead");
  }
  const Result<WindowMemory> memory = read_memory(memory_path(options_.workspace.home));
  if (memory.ok()) memory_ = *memory;
  fit_to_screens(memory_);
  // Until the settings are known.
  const std::string system = system_language();
  const std::string& last = options_.language.empty() ? memory_.language : options_.language;
  use_language(last.empty() ? system : last);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);  // nothing here has depth: two buffers of the window's size less
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  hint_application_name();
  glfwWindowHint(GLFW_MAXIMIZED, memory_.maximized ? GLFW_TRUE : GLFW_FALSE);
  window_ = glfwCreateWindow(memory_.width, memory_.height, "mneme", nullptr, nullptr);
  if (window_ == nullptr) {
    return unsupported("the window cannot be opened: OpenGL 3.3 is not available (" + glfw_reason() +
                       "); use `mneme chat` in a terminal instead");
  }
  set_window_icon(window_);
  glfwSetWindowSizeLimits(window_, 320, 200, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(1);
  drawn_by_processor_ = renders_on_processor();
  if (drawn_by_processor_ && !renders_through_vulkan()) partial_.find();
  // Opens the catalogue while the fonts are made.
  memory_damaged_ = !memory.ok() && memory.status().code() != StatusCode::kNotFound;
  controller_ =
      std::make_unique<Controller>(Controller::Options{options_.workspace, options_.samples_folder,
                                                       memory_damaged_ ? memory.status().message() : std::string(),
                                                       options_.tidings, options_.unlock, options_.language, system},
                                   [] { glfwPostEmptyEvent(); });
  drawer_ = std::make_unique<FrameDrawer>();
  font_texture_ = std::make_unique<FontTexture>();
  drawer_->restore(memory_);
  system_dark_ = memory_.dark.value_or(false);  // until it has answered
  set_up_window();
  hooks_ = make_hooks();
  if (!memory_.dark) look_at_theme();  // who remembers it asks behind the first picture
  return {};
}

void Shell::set_up_window() {
  glfwSetWindowUserPointer(window_, this);
  look_at_size();
  notice_input();
  ImGui_ImplGlfw_InitForOpenGL(window_, true);
  ImGui_ImplOpenGL3_Init("#version 150");
  FontTexture::take_over();
  set_up_input();
}

void Shell::expose() {
  exposed_ = true;
  stir();
}

void Shell::stir() {
  stirred_ = true;
}

// What other processes do on this home is shown; looking costs no frame.
void Shell::look_around() {
  const auto every = drawer_->window().page == Page::kLibrary ? kLookAtLibraryEvery : kLookAroundEvery;
  if (Clock::now() - looked_around_at_ < every) return;
  looked_around_at_ = Clock::now();
  controller_->post(LookAround{});
}

Shell::~Shell() {
  closing_.cancel();
  if (controller_ && drawer_) remember(*controller_->snapshot(), true);
  controller_.reset();
  input_method::end();
  if (drawer_) {
    page_texture_.release();
    font_texture_.reset();
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    drawer_.reset();
  }
  if (window_ != nullptr) glfwDestroyWindow(window_);
  glfwTerminate();
  set_priority(Priority::kNormal);  // the thread may go on without a window
}

// Before the settings are known, an encrypted home's until its passphrase is typed, all looks as it did last.
bool Shell::dark(const Snapshot& snapshot) const {
  if (!snapshot.ready && memory_.dark) return *memory_.dark;
  const ThemeChoice choice = snapshot.settings.theme;
  return choice == ThemeChoice::kDark || (choice == ThemeChoice::kSystem && system_dark_);
}

void Shell::look_at_size() {
  glfwGetWindowSize(window_, &extent_.width, &extent_.height);
  glfwGetFramebufferSize(window_, &extent_.pixels_wide, &extent_.pixels_high);
  float x = 1.0f;
  float y = 1.0f;
  glfwGetWindowContentScale(window_, &x, &y);
  extent_.scale = x;
  if (extent_.pixels_wide > 0 && extent_.width > 0)
    extent_.scale *= static_cast<float>(extent_.width) / static_cast<float>(extent_.pixels_wide);
}

float Shell::scale(const Snapshot& snapshot) const {
  return extent_.scale * (snapshot.ready ? snapshot.settings.scale : memory_.scale);
}

void Shell::frame() {
  const Clock::time_point begin = Clock::now();
  frame_begun_ = begin;
  const ThreadWaits waits = frame_times_ == nullptr ? ThreadWaits{} : thread_waits();
  glfwPollEvents();  // what came since it was decided to draw belongs to this frame
  take_chosen();
  feed_input();
  std::shared_ptr<const Snapshot> snapshot = controller_->snapshot();
  restore(*snapshot);
  const bool new_atlas = drawer_->prepare(scale(*snapshot), dark(*snapshot));
  ImGui_ImplOpenGL3_NewFrame();
  if (new_atlas) font_texture_->create();
  feed_surroundings();
  ImGui::NewFrame();
  drawer_->draw(*snapshot, hooks_);
  ImGui::Render();
  pointer_shape_.show(window_);
  const Clock::time_point built = Clock::now();
  font_texture_->upload(drawer_->take_uploads());
  const Damage damage = changed_part(new_atlas);
  if (!damage.empty()) draw_picture(damage);
  const Clock::time_point submitted = Clock::now();
  if (!damage.empty()) present(damage);
  const Clock::time_point swapped = Clock::now();
  if (frame_times_ != nullptr && !damage.empty())
    note_frame({milliseconds(begin, built), milliseconds(built, submitted), milliseconds(submitted, swapped)}, waits,
               swapped);
  if (!snapshot->document) page_texture_.release();
  if (drawn_ == nullptr && memory_.dark) look_at_theme();
  show_next(std::move(snapshot));
  // Where the processor draws, an answer that grows would otherwise be slowed by being watched.
  drawn_at_ = Clock::now();
  news_from_ = drawn_at_;
  if (drawn_by_processor_) news_from_ += std::min<Clock::duration>((drawn_at_ - begin) * (kNewsShare - 1), kRarestNews);
  remember(*drawn_, false);
  notify(*drawn_);
  tell_input_method();
}

// Waits until the picture is drawn.
void Shell::note_frame(FrameTime time, const ThreadWaits& before, Clock::time_point swapped) {
  glFinish();
  time.finish = milliseconds(swapped, Clock::now());
  const ThreadWaits now = thread_waits();
  time.ran = now.ran_ms - before.ran_ms;
  time.ready = now.ready_ms - before.ready_ms;
  frame_times_->push_back(time);
}

void Shell::show_next(std::shared_ptr<const Snapshot> snapshot) {
  rested_ = false;
  if (snapshot == drawn_) return;
  drawn_.swap(snapshot);
  if (snapshot) controller_->take_back(std::move(snapshot));
}

void Shell::pace(Clock::time_point begin) {
  const auto spent = Clock::now() - begin;
  if (spent < kFrameTime) std::this_thread::sleep_for(kFrameTime - spent);
}

// Whether something changes with time alone.
bool Shell::wants_redraw() const {
  const bool blinks = ImGui::GetIO().WantTextInput && Clock::now() - last_event_ < kBlinkFor;
  const WindowState& state = drawer_->window();
  return blinks || state.wants_frame || state.tells_time || state.copied_since >= 0.0 || !drawn_->notices.empty() ||
         state.page == Page::kInsight;
}

// Seconds to sleep at most: until the next snapshot may be drawn, when it is there.
double Shell::wait_time(double wait_s) const {
  if (!controller_->has_newer(drawn_.get())) return wait_s;
  return std::clamp(milliseconds(Clock::now(), news_from_) / 1000.0, 0.0, wait_s);
}

// Sleeps until there is something to draw, or `wait_s` have passed; whether there is.
bool Shell::wait_for_frame(double wait_s) {
  if (stirred_ || frames_left_ > 0 || drawer_->window().wants_frame) {  // the last frame may have read what stirred it
    glfwPollEvents();
  } else {
    look_around();
    glfwWaitEventsTimeout(wait_time(wait_s));
  }
  if (stirred_.exchange(false)) {
    frames_left_ = kFramesAfterEvent;
    last_event_ = Clock::now();
  }
  if (frames_left_ > 0 || drawer_->window().wants_frame) return true;
  if (controller_->has_newer(drawn_.get())) return Clock::now() >= news_from_;
  return wants_redraw() && milliseconds(drawn_at_, Clock::now()) >= wait_s * 980.0;
}

// Nothing to draw for a while: what frames have left behind is put away, once.
void Shell::rest() {
  remember(*drawn_, false);
  if (rested_ || Clock::now() - drawn_at_ < kRestAfter) return;
  rested_ = true;
  controller_->post(Rest{});
}

bool Shell::turn(double wait_s) {
  if (!wait_for_frame(wait_s)) {
    rest();
    return false;
  }
  frames_left_ = std::max(0, frames_left_ - 1);
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

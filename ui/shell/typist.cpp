#include "ui/shell/typist.h"

#ifdef MNEME_HAVE_X11
#include <atomic>
#include <thread>

#include "ui/view_model/task_queue.h"

// Last, for its macros.
#include <X11/Xlib.h>
#include <X11/keysym.h>

// As in GLFW/glfw3native.h, which would bring headers along that need not be installed.
extern "C" Window glfwGetX11Window(GLFWwindow* window);
#endif

namespace mneme::ui {

#ifdef MNEME_HAVE_X11

namespace {

// On a connection of its own, so that the server hands the events to the window's as it does with a keyboard's.
class XTypist : public Typist {
 public:
  XTypist(Display* display, Window window)
      : display_(display), window_(window), key_(XKeysymToKeycode(display, XK_a)) {}
  ~XTypist() override {
    thread_.reset();  // ends before its connection
    XCloseDisplay(display_);
  }

  void press_after(std::chrono::microseconds delay) override {
    sent_at_ = 0;
    thread_->post([this, delay] {
      std::this_thread::sleep_for(delay);
      sent_at_ = Clock::now().time_since_epoch().count();
      send(KeyPress);
      XFlush(display_);
      send(KeyRelease);
      XFlush(display_);
    });
  }

  std::optional<Clock::time_point> sent_at() const override {
    const Clock::rep ticks = sent_at_;
    if (ticks == 0) return std::nullopt;
    return Clock::time_point(Clock::duration(ticks));
  }

 private:
  void send(int type) {
    XEvent event{};
    event.xkey.type = type;
    event.xkey.display = display_;
    event.xkey.window = window_;
    event.xkey.root = DefaultRootWindow(display_);
    // GLFW takes a key of the same or an earlier time for one that an input method has sent twice.
    event.xkey.time = ++time_;
    event.xkey.keycode = key_;
    event.xkey.same_screen = True;
    XSendEvent(display_, window_, True, type == KeyPress ? KeyPressMask : KeyReleaseMask, &event);
  }

  Display* const display_;
  const Window window_;
  const KeyCode key_;
  Time time_ = 1;  // on the thread
  std::atomic<Clock::rep> sent_at_{0};
  std::unique_ptr<TaskQueue> thread_ = std::make_unique<TaskQueue>("typist");
};

}  // namespace

std::unique_ptr<Typist> Typist::make(GLFWwindow* window) {
  const Window target = glfwGetX11Window(window);
  Display* display = target == 0 ? nullptr : XOpenDisplay(nullptr);
  return display == nullptr ? nullptr : std::make_unique<XTypist>(display, target);
}

#else

std::unique_ptr<Typist> Typist::make(GLFWwindow*) {
  return nullptr;
}

#endif

}  // namespace mneme::ui

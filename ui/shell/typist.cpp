#include "ui/shell/typist.h"

#ifdef MNEME_HAVE_X11
#include <atomic>
#include <thread>

#include "ui/view_model/task_queue.h"

// Last, for its macros.
#include <X11/Xlib.h>

// As in GLFW/glfw3native.h, which would bring headers along that need not be installed.
extern "C" Window glfwGetX11Window(GLFWwindow* window);
#endif

namespace mneme::ui {

#ifdef MNEME_HAVE_X11

namespace {

// On a connection of its own, so that the server hands the events to the window's as it does with a keyboard's.
class XTypist : public Typist {
 public:
  XTypist(Display* display, Window window) : display_(display), window_(window) {}
  ~XTypist() override {
    thread_.reset();  // ends before its connection
    XCloseDisplay(display_);
  }

  void press_after(std::chrono::microseconds delay, char letter) override {
    sent_at_ = 0;
    arrived_at_ = 0;
    thread_->post([this, delay, letter] {
      std::this_thread::sleep_for(delay);
      // Keysyms of Latin letters are their characters.
      const KeyCode key = XKeysymToKeycode(display_, static_cast<KeySym>(letter));
      stamp(sent_at_);
      send(KeyPress, key);
      // The server answers the first question when it has put the key into the window's buffer, and writes all buffers
      // before it reads again: once it answers a second one, the key has been written.
      XSync(display_, False);
      XSync(display_, False);
      stamp(arrived_at_);
      send(KeyRelease, key);
      XFlush(display_);
    });
  }

  std::optional<Clock::time_point> sent_at() const override { return time_of(sent_at_); }
  std::optional<Clock::time_point> arrived_at() const override { return time_of(arrived_at_); }

 private:
  static void stamp(std::atomic<Clock::rep>& at) { at = Clock::now().time_since_epoch().count(); }
  static std::optional<Clock::time_point> time_of(Clock::rep ticks) {
    if (ticks == 0) return std::nullopt;
    return Clock::time_point(Clock::duration(ticks));
  }
  void send(int type, KeyCode key) {
    XEvent event{};
    event.xkey.type = type;
    event.xkey.display = display_;
    event.xkey.window = window_;
    event.xkey.root = DefaultRootWindow(display_);
    // GLFW takes a key of the same or an earlier time for one that an input method has sent twice.
    event.xkey.time = ++time_;
    event.xkey.keycode = key;
    event.xkey.same_screen = True;
    XSendEvent(display_, window_, True, type == KeyPress ? KeyPressMask : KeyReleaseMask, &event);
  }

  Display* const display_;
  const Window window_;
  // On the thread. No earlier than of a typist before this one.
  Time time_ = static_cast<Time>(
      std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now().time_since_epoch()).count() & 0x3fffffff);
  std::atomic<Clock::rep> sent_at_{0};
  std::atomic<Clock::rep> arrived_at_{0};
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

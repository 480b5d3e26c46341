// The window itself: GLFW and OpenGL 3. Redraws on events and when the controller has something new, and sleeps
// otherwise. Threads: the main thread.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/mutex.h"
#include "ui/shell/damage.h"
#include "ui/shell/frame.h"
#include "ui/shell/input_queue.h"
#include "ui/shell/partial_present.h"
#include "ui/shell/pointer.h"
#include "ui/shell/process_figures.h"
#include "ui/shell/taken_keys.h"
#include "ui/shell/texture.h"
#include "ui/ui.h"
#include "ui/view_model/controller.h"
#include "ui/view_model/task_queue.h"

struct GLFWwindow;

namespace mneme::ui {

// What a frame's time went to, milliseconds.
struct FrameTime {
  double build = 0.0;   // the panels, into lists of triangles
  double submit = 0.0;  // new glyphs and the lists, to OpenGL
  double swap = 0.0;    // until the picture was taken over
  double finish = 0.0;  // until it was drawn, where that is waited for
  // The same time by what the window's thread did in it: computed, and had something to compute but no processor. What
  // is left it waited for others: the renderer's threads, the X server, a lock.
  double ran = 0.0;
  double ready = 0.0;
  double waited() const { return total() - ran - ready; }
  double total() const { return build + submit + swap + finish; }
};

class Shell {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Shell(const WindowOptions& options) : options_(options) {}
  ~Shell();
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;

  // kUnsupported, with what to do instead, when there is no display or no OpenGL 3.
  Status open();
  // Until the window is closed.
  void run();

  // For measuring: one turn of run() without sleeping longer than `wait_s` for something to happen, and whether a frame
  // was drawn; what follows it in run(); and one frame, whatever happened.
  bool turn(double wait_s);
  void pace(Clock::time_point begin);
  void frame();
  // When the last frame began: just before it read what people had done.
  Clock::time_point frame_begun() const { return frame_begun_; }
  GLFWwindow* window() const { return window_; }
  // The next frame is drawn whole, whatever is on the screen.
  void expose();
  // From now on each frame that changes the picture is waited for until it is drawn, and its time is appended here.
  // Null: no longer.
  void time_frames(std::vector<FrameTime>* times) { frame_times_ = times; }
  Controller& controller() { return *controller_; }
  WindowState& window_state() { return drawer_->window(); }

 private:
  // A question to the desktop whose answer comes later, on its own thread.
  struct Dialog {
    std::string chosen;
    bool missing = false;  // the desktop has no dialog: the built-in browser serves
    bool for_model = false;
  };
  // Of the framebuffer, from its lower left.
  struct Pixels {
    int x = 0, y = 0, width = 0, height = 0;
  };

  // As the system said last: to ask it anew in every frame would be to wait for the X server several times.
  struct Extent {
    int width = 0, height = 0;             // in the window's own units
    int pixels_wide = 0, pixels_high = 0;  // of the framebuffer
    // The display's scale of these units: on X11 they are pixels, and a dense display has twice as many; 1 where the
    // system scales the framebuffer instead.
    float scale = 1.0f;
  };

  void set_up_window();
  void notice_input();
  void set_up_input();
  void set_up_pointer();
  void listen_to_input_method();
  void tell_input_method();
  void feed_surroundings();
  void feed_input();
  void look_at_theme();
  void look_around();
  void stir();
  void rest();
  bool wait_for_frame(double wait_s);
  double wait_time(double wait_s) const;
  Damage changed_part(bool new_atlas);
  void draw_picture(const Damage& damage);
  void note_frame(FrameTime time, const ThreadWaits& before, Clock::time_point swapped);
  void present(const Damage& damage);
  void clear(const Damage& part, ImU32 colour) const;
  Pixels pixels_of(const Damage& part) const;
  void show_next(std::shared_ptr<const Snapshot> snapshot);
  void ask_desktop(bool for_model);
  void take_chosen();
  void restore(const Snapshot& snapshot);
  void remember(const Snapshot& snapshot, bool now);
  void notify(const Snapshot& snapshot);
  bool wants_redraw() const;
  bool dark(const Snapshot& snapshot) const;
  void look_at_size();
  float scale(const Snapshot& snapshot) const;
  WindowHooks make_hooks();

  const WindowOptions options_;
  GLFWwindow* window_ = nullptr;
  Extent extent_;
  std::unique_ptr<FrameDrawer> drawer_;
  std::unique_ptr<FontTexture> font_texture_;
  PageTexture page_texture_;
  std::unique_ptr<Controller> controller_;
  WindowHooks hooks_;
  WindowMemory memory_;          // as written last
  bool memory_damaged_ = false;  // the file does not hold it, and is written as soon as may be
  bool restored_ = false;
  Clock::time_point remembered_at_{};
  Clock::time_point last_event_{};
  uint64_t last_notice_ = 0;
  std::atomic<bool> system_dark_{false};
  std::atomic<bool> dialog_open_{false};
  PictureMemory picture_;             // shown last
  PartialPresent partial_;            // looked for where the processor draws
  bool exposed_ = true;               // the system has lost the picture
  int whole_frames_ = 0;              // that follow, because it had
  std::atomic<bool> stirred_{false};  // something happened that no snapshot says
  int frames_left_ = 3;
  std::shared_ptr<const Snapshot> drawn_;
  Clock::time_point frame_begun_{};
  Clock::time_point drawn_at_{};
  Clock::time_point news_from_{};    // a frame that only shows another snapshot is not drawn before
  bool drawn_by_processor_ = false;  // no GPU: the renderer takes its time from what computes
  bool rested_ = true;               // since the last frame
  std::vector<FrameTime>* frame_times_ = nullptr;

  Pointer pointer_;
  PointerShape pointer_shape_;
  Clock::time_point fed_at_ = Clock::now();
  InputQueue input_;
  TakenKeys taken_keys_;
  Clock::time_point looked_around_at_{};

  Mutex mutex_;
  Dialog dialog_ MNEME_GUARDED_BY(mutex_);
  CancelToken closing_;  // raised when the window closes: an open dialog goes with it
  // Last, so that they end first.
  TaskQueue desktop_{"desktop"};
  TaskQueue dialogs_{"dialogs"};  // a person may take minutes
};

}  // namespace mneme::ui

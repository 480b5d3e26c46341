// Types letters into the window from outside: key events that reach it through the X server as those of a keyboard do,
// sent by a thread of its own at a chosen moment. For measuring how long a letter takes to the screen.
// Threads: the window's thread.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

struct GLFWwindow;

namespace mneme::ui {

class Typist {
 public:
  using Clock = std::chrono::steady_clock;

  // Null where the window does not belong to an X server, or this build knows none.
  static std::unique_ptr<Typist> make(GLFWwindow* window);
  virtual ~Typist() = default;

  // Presses and releases the key of a small letter or the space bar after `delay`; returns at once. One at a time: wait
  // for arrived_at().
  virtual void press_after(std::chrono::microseconds delay, char letter) = 0;
  // When the last letter left for the server; nothing while its time has not come.
  virtual std::optional<Clock::time_point> sent_at() const = 0;
  // When it is known to have reached the window's connection: who reads events after that reads it. Nothing until then.
  virtual std::optional<Clock::time_point> arrived_at() const = 0;
};

}  // namespace mneme::ui

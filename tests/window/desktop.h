// A desktop of its own for window tests: an X server without a screen (Xvfb), the program in it, hands (xdotool) and
// eyes (XGetImage). Threads: one object per test.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

struct _XDisplay;

namespace mneme::window {

struct Colour {
  int r = 0, g = 0, b = 0;
};
struct Rect {
  int x = 0, y = 0, width = 0, height = 0;
};

// What is on the screen.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> rgb;
  Colour at(int x, int y) const;
  // Share of a region's pixels that are within `tolerance` of a colour, 0 to 1.
  double share(Rect region, Colour colour, int tolerance = 6) const;
  // The middle of the pixels of a colour within a region: of the topmost rows that hold `least` together, else of all
  // rows. False when there are fewer.
  bool find(Rect region, Colour colour, int least, int& x, int& y) const;
  // Share of pixels that differ between two pictures in a region.
  double difference(const Picture& other, Rect region) const;
  bool write_ppm(const std::string& path) const;
};

class Desktop {
 public:
  // Why window tests cannot run here; empty when they can.
  static std::string missing();

  explicit Desktop(int width = 1280, int height = 800);
  ~Desktop();
  Desktop(const Desktop&) = delete;
  Desktop& operator=(const Desktop&) = delete;

  std::string display() const { return ":" + std::to_string(number_); }

  // Starts `mneme --home HOME gui` and waits until its window has been drawn. False: it never was. `variables` go
  // before the environment it has by default, `runner` before the program: what is to run it in the same process.
  bool start(const std::string& home, const std::vector<std::string>& variables = {},
             const std::vector<std::string>& runner = {});
  bool running();
  // Asks the window to close, as its close button does; the exit status, -1 when it does not end by itself.
  int close();
  void kill_program();  // as a crash would

  void key(const std::string& keys);  // "ctrl+k", "Return"
  void type(const std::string& text, int delay_ms = 15);
  void click(int x, int y, int button = 1);
  void move(int x, int y);
  void drag(int x, int y, int to_x, int to_y);  // with the left button
  void wheel_down(int x, int y, int steps);
  void resize(int width, int height);
  unsigned long program_window();
  void give_keyboard();  // to the program, as a window manager does; until it has it
  void expose();         // takes the window away and brings it back: the server asks for all of it

  Picture look();
  // Looks until `seen`, at most `limit_s`; false when it never came.
  bool wait_for(const std::function<bool(const Picture&)>& seen, double limit_s = 120.0);
  // Waits until two looks in a row are the same.
  Picture settled(double limit_s = 10.0);

 private:
  void hand(const std::vector<std::string>& arguments);
  void wait_until_gone();

  int width_;
  int height_;
  pid_t server_ = -1;
  pid_t program_ = -1;
  int number_ = -1;
  _XDisplay* connection_ = nullptr;
};

}  // namespace mneme::window

// Another program on the desktop of a window test: what it copied lies on the clipboard, and files can be dragged out
// of it (XDND [Drag-and-Drop Protocol for the X Window System, version 5]). It answers only while it is told to.
// Threads: one object per test.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

struct _XDisplay;
union _XEvent;

namespace mneme::window {

class OtherProgram {
 public:
  explicit OtherProgram(const std::string& display);
  ~OtherProgram();
  OtherProgram(const OtherProgram&) = delete;
  OtherProgram& operator=(const OtherProgram&) = delete;

  // Puts a text on the clipboard.
  void copy(std::string text);
  // Answers who asks for it, until somebody took it; false when nobody did in time.
  bool hand_out_copied(double limit_s = 120.0);

  // Drags files onto a window, to a point of the screen, and lets go of them there; true when it took them.
  bool drop_files(unsigned long window, int x, int y, const std::vector<std::string>& paths, double limit_s = 120.0);
  // How dense the display is said to be, as a desktop's settings do; for programs that start from now on.
  void set_dpi(int dpi);
  // The keyboard belongs to no window from now on, as when a person looks at something else.
  void take_keyboard_away();

 private:
  unsigned long atom(const char* name) const;
  void own(const char* selection, const char* type, std::string content);
  void send(unsigned long window, const char* message, const std::vector<long>& data) const;
  // Answers requests until `done` says so of an event, or time is over.
  bool answer_until(const std::function<bool(const _XEvent&)>& done, double limit_s);
  void answer_request(const _XEvent& event);

  struct Offer {
    unsigned long type = 0;
    std::string content;
    bool taken = false;
  };

  _XDisplay* connection_ = nullptr;
  unsigned long window_ = 0;
  std::map<unsigned long, Offer> offers_;  // by selection
};

}  // namespace mneme::window

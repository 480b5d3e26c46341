// An input method (IME) as an X server's programs meet one: letters are gathered instead of written, the space bar
// turns them into others, Enter accepts them, Esc gives them up; what it has no use for it gives back. Threads: one
// object per test; it answers on a thread of its own.
#pragma once

#include <memory>
#include <string>
#include <utility>

namespace mneme::window {

class InputMethodServer {
 public:
  // Why there can be none; empty when there can.
  static std::string missing();

  // Serves until it goes. What `letters` are turned into is `others`.
  InputMethodServer(const std::string& display, std::string letters, std::string others);
  ~InputMethodServer();
  InputMethodServer(const InputMethodServer&) = delete;
  InputMethodServer& operator=(const InputMethodServer&) = delete;

  // The variable by which programs find it.
  static std::string variable() { return "XMODIFIERS=@im=mneme-test"; }
  // Where it was told that the caret is, within the program's window; negative: it was not told.
  std::pair<int, int> caret() const;

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace mneme::window

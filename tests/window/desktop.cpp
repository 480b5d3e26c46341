#include "tests/window/desktop.h"

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/support/checkout/checkout.h"

namespace mneme::window {
namespace {

using Clock = std::chrono::steady_clock;

void rest(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

pid_t launch(std::vector<std::string> words, std::vector<std::string> variables, int keep_fd = -1) {
  std::vector<char*> argv = pointers(words);
  std::vector<char*> envp = pointers(variables);
  const pid_t child = fork();
  if (child == 0) {
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    if (std::getenv("MNEME_WINDOW_TEST_LOG") == nullptr) dup2(nothing, STDERR_FILENO);
    if (keep_fd >= 0) fcntl(keep_fd, F_SETFD, 0);
    execve(argv[0], argv.data(), envp.data());
    _exit(126);
  }
  return child;
}

bool is_there(const std::string& program) {
  return access(("/usr/bin/" + program).c_str(), X_OK) == 0;
}

bool is_drawn(const Picture& picture) {
  // The window's background is not the server's black.
  return picture.share({0, 0, picture.width, picture.height}, {0, 0, 0}, 3) < 0.5;
}

}  // namespace

Colour Picture::at(int x, int y) const {
  if (x < 0 || y < 0 || x >= width || y >= height) return {};
  const uint8_t* p = rgb.data() + (static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)) * 3;
  return {p[0], p[1], p[2]};
}

namespace {

bool near(Colour a, Colour b, int tolerance) {
  return std::abs(a.r - b.r) <= tolerance && std::abs(a.g - b.g) <= tolerance && std::abs(a.b - b.b) <= tolerance;
}

}  // namespace

double Picture::share(Rect region, Colour colour, int tolerance) const {
  int64_t hits = 0;
  for (int y = region.y; y < region.y + region.height; ++y) {
    for (int x = region.x; x < region.x + region.width; ++x) hits += near(at(x, y), colour, tolerance) ? 1 : 0;
  }
  return static_cast<double>(hits) / std::max(1, region.width * region.height);
}

namespace {

struct Pixels {
  int64_t n = 0;
  int64_t sum_x = 0;
  int64_t sum_y = 0;

  void add(const Pixels& more) {
    n += more.n;
    sum_x += more.sum_x;
    sum_y += more.sum_y;
  }
};

}  // namespace

bool Picture::find(Rect region, Colour colour, int least, int& found_x, int& found_y) const {
  Pixels all;
  Pixels group;  // of rows that follow each other
  for (int y = region.y; y < region.y + region.height; ++y) {
    Pixels row;
    for (int x = region.x; x < region.x + region.width; ++x) {
      if (near(at(x, y), colour, 6)) row.add({1, x, y});
    }
    if (row.n == 0 && group.n >= least) break;
    if (row.n == 0) group = {};
    group.add(row);
    all.add(row);
  }
  if (all.n < least) return false;
  const Pixels& found = group.n >= least ? group : all;
  found_x = static_cast<int>(found.sum_x / found.n);
  found_y = static_cast<int>(found.sum_y / found.n);
  return true;
}

double Picture::difference(const Picture& other, Rect region) const {
  int64_t different = 0;
  for (int y = region.y; y < region.y + region.height; ++y) {
    for (int x = region.x; x < region.x + region.width; ++x) different += near(at(x, y), other.at(x, y), 8) ? 0 : 1;
  }
  return static_cast<double>(different) / std::max(1, region.width * region.height);
}

bool Picture::write_ppm(const std::string& path) const {
  std::ofstream file(path, std::ios::binary);
  file << "P6\n" << width << " " << height << "\n255\n";
  file.write(reinterpret_cast<const char*>(rgb.data()), static_cast<std::streamsize>(rgb.size()));
  return file.good();
}

std::string Desktop::missing() {
  for (const char* program : {"Xvfb", "xdotool"}) {
    if (!is_there(program)) return std::string(program) + " is not installed";
  }
  return {};
}

Desktop::Desktop(int width, int height) : width_(width), height_(height) {
  int ends[2];
  if (pipe(ends) != 0) return;
  const std::string screen = std::to_string(width) + "x" + std::to_string(height) + "x24";
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  // -r: where a machine is busy a key would be repeated before it is let go.
  server_ = launch({"/usr/bin/Xvfb", "-displayfd", std::to_string(ends[1]), "-screen", "0", screen, "-noreset", "-r",
                    "-nolisten", "tcp"},
                   {"PATH=/usr/bin:/bin"}, ends[1]);
  ::close(ends[1]);
  std::string said;
  pollfd wait{ends[0], POLLIN, 0};
  while (said.find('\n') == std::string::npos && poll(&wait, 1, 120'000) > 0) {
    char buffer[32];
    const ssize_t n = read(ends[0], buffer, sizeof(buffer));
    if (n <= 0) break;
    said.append(buffer, static_cast<size_t>(n));
  }
  ::close(ends[0]);
  number_ = said.empty() ? -1 : std::atoi(said.c_str());
  // What is asked of a window that goes at that moment is an error that ends the program, where nobody takes it.
  XSetErrorHandler([](Display*, XErrorEvent*) { return 0; });
  if (number_ >= 0) connection_ = XOpenDisplay(display().c_str());
}

Desktop::~Desktop() {
  kill_program();
  if (connection_ != nullptr) XCloseDisplay(connection_);
  if (server_ > 0) {
    ::kill(server_, SIGTERM);
    waitpid(server_, nullptr, 0);
  }
}

bool Desktop::start(const std::string& home, const std::vector<std::string>& variables,
                    const std::vector<std::string>& runner) {
  if (connection_ == nullptr) return false;
  std::vector<std::string> environment = variables;
  for (const std::string& variable : {std::string("PATH=/usr/bin:/bin"), "HOME=" + home, std::string("LC_ALL=C.UTF-8"),
                                      "DISPLAY=" + display(), std::string("LIBGL_ALWAYS_SOFTWARE=1")}) {
    // Of two of one name, shells take the last.
    const std::string name = variable.substr(0, variable.find('=') + 1);
    const auto is_named = [&](const std::string& one) { return one.starts_with(name); };
    if (std::none_of(variables.begin(), variables.end(), is_named)) environment.push_back(variable);
  }
  for (const char* passed : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "MNEME_ASSETS"}) {
    if (const char* value = std::getenv(passed)) environment.push_back(std::string(passed) + "=" + value);
  }
  std::vector<std::string> words = runner;
  words.insert(words.end(), {checkout::program(), "--home", home, "gui"});
  program_ = launch(words, environment);
  if (!wait_for(is_drawn)) return false;
  // There is no window manager to give it the keyboard.
  give_keyboard();
  settled();
  return running();
}

bool Desktop::running() {
  return program_ > 0 && waitpid(program_, nullptr, WNOHANG) == 0;
}

unsigned long Desktop::program_window() {
  Window root = 0;
  Window parent = 0;
  Window* children = nullptr;
  unsigned count = 0;
  XQueryTree(connection_, DefaultRootWindow(connection_), &root, &parent, &children, &count);
  unsigned long found = 0;
  for (unsigned i = 0; i < count; ++i) {
    XWindowAttributes attributes;
    if (XGetWindowAttributes(connection_, children[i], &attributes) != 0 && attributes.map_state == IsViewable)
      found = children[i];
  }
  if (children != nullptr) XFree(children);
  return found;
}

int Desktop::close() {
  XEvent event;
  std::memset(&event, 0, sizeof(event));
  event.xclient.type = ClientMessage;
  event.xclient.window = program_window();
  event.xclient.message_type = XInternAtom(connection_, "WM_PROTOCOLS", False);
  event.xclient.format = 32;
  event.xclient.data.l[0] = static_cast<long>(XInternAtom(connection_, "WM_DELETE_WINDOW", False));
  XSendEvent(connection_, event.xclient.window, False, NoEventMask, &event);
  XFlush(connection_);
  for (int i = 0; i < 6000; ++i) {
    int status = 0;
    if (waitpid(program_, &status, WNOHANG) == program_) {
      program_ = -1;
      wait_until_gone();
      return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    rest(20);
  }
  return -1;
}

void Desktop::kill_program() {
  if (program_ <= 0) return;
  ::kill(program_, SIGKILL);
  waitpid(program_, nullptr, 0);
  program_ = -1;
  wait_until_gone();
}

// The server takes a program's window away some time after the program has ended; until then it looks like the next
// one's.
void Desktop::wait_until_gone() {
  for (int i = 0; i < 12'000 && connection_ != nullptr && program_window() != 0; ++i) rest(10);
}

void Desktop::hand(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{"/usr/bin/xdotool"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const pid_t child = launch(words, {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "DISPLAY=" + display()});
  waitpid(child, nullptr, 0);
}

void Desktop::key(const std::string& keys) {
  hand({"key", keys});
  rest(120);
}
void Desktop::type(const std::string& text, int delay_ms) {
  hand({"type", "--delay", std::to_string(delay_ms), text});
  rest(120);
}
void Desktop::move(int x, int y) {
  hand({"mousemove", std::to_string(x), std::to_string(y)});
  rest(80);
}
void Desktop::click(int x, int y, int button) {
  move(x, y);
  hand({"mousedown", std::to_string(button)});
  rest(60);
  hand({"mouseup", std::to_string(button)});
  rest(80);
}
void Desktop::drag(int x, int y, int to_x, int to_y) {
  move(x, y);
  hand({"mousedown", "1"});
  rest(80);
  move((x + to_x) / 2, (y + to_y) / 2);
  move(to_x, to_y);
  hand({"mouseup", "1"});
  rest(80);
}
void Desktop::wheel_down(int x, int y, int steps) {
  move(x, y);
  for (int i = 0; i < steps; ++i) hand({"click", "5"});
}
void Desktop::resize(int width, int height) {
  hand({"windowsize", std::to_string(program_window()), std::to_string(width), std::to_string(height)});
  rest(200);
}

void Desktop::give_keyboard() {
  for (int i = 0; i < 1200; ++i) {
    const Window window = program_window();
    hand({"windowfocus", std::to_string(window)});
    Window focused = 0;
    int falls_back_to = 0;
    XGetInputFocus(connection_, &focused, &falls_back_to);
    if (window != 0 && focused == window) return;
    rest(100);
  }
}

void Desktop::expose() {
  const std::string window = std::to_string(program_window());
  hand({"windowunmap", "--sync", window});
  hand({"windowmap", "--sync", window});
  give_keyboard();
  rest(200);
}

Picture Desktop::look() {
  Picture picture;
  if (connection_ == nullptr) return picture;
  XImage* image = XGetImage(connection_, DefaultRootWindow(connection_), 0, 0, static_cast<unsigned>(width_),
                            static_cast<unsigned>(height_), AllPlanes, ZPixmap);
  if (image == nullptr) return picture;
  picture.width = width_;
  picture.height = height_;
  picture.rgb.resize(static_cast<size_t>(width_) * static_cast<size_t>(height_) * 3);
  uint8_t* out = picture.rgb.data();
  for (int y = 0; y < height_; ++y) {
    const auto* row =
        reinterpret_cast<const uint8_t*>(image->data) + static_cast<std::ptrdiff_t>(y) * image->bytes_per_line;
    for (int x = 0; x < width_; ++x) {  // 24 bits as BGRX
      *out++ = row[x * 4 + 2];
      *out++ = row[x * 4 + 1];
      *out++ = row[x * 4];
    }
  }
  XDestroyImage(image);
  return picture;
}

bool Desktop::wait_for(const std::function<bool(const Picture&)>& seen, double limit_s) {
  const Clock::time_point begin = Clock::now();
  do {
    if (seen(look())) return true;
    if (program_ > 0 && !running()) return false;
    rest(100);
  } while (std::chrono::duration<double>(Clock::now() - begin).count() < limit_s);
  return false;
}

Picture Desktop::settled(double limit_s) {
  Picture last = look();
  const Clock::time_point begin = Clock::now();
  while (std::chrono::duration<double>(Clock::now() - begin).count() < limit_s) {
    rest(250);
    Picture now = look();
    if (now.difference(last, {0, 0, width_, height_}) < 0.0005) return now;  // a caret may blink
    last = std::move(now);
  }
  return last;
}

}  // namespace mneme::window

#include "tests/window/other_program.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <poll.h>

#include <chrono>
#include <cstdio>
#include <utility>

namespace mneme::window {
namespace {

using Clock = std::chrono::steady_clock;

constexpr long kDndVersion = 5;

// As a file manager names a file: all but letters, digits and a few marks as %XX.
std::string uri_of(const std::string& path) {
  std::string uri = "file://";
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
                       c == '.' || c == '-' || c == '_';
    char escaped[4];
    std::snprintf(escaped, sizeof(escaped), "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
    uri += plain ? std::string(1, c) : std::string(escaped);
  }
  return uri;
}

}  // namespace

OtherProgram::OtherProgram(const std::string& display) : connection_(XOpenDisplay(display.c_str())) {
  if (connection_ == nullptr) return;
  // Never shown: it owns selections and gets messages all the same.
  window_ = XCreateSimpleWindow(connection_, DefaultRootWindow(connection_), 0, 0, 10, 10, 0, 0, 0);
  XSync(connection_, False);
}

OtherProgram::~OtherProgram() {
  if (connection_ != nullptr) XCloseDisplay(connection_);
}

unsigned long OtherProgram::atom(const char* name) const {
  return XInternAtom(connection_, name, False);
}

void OtherProgram::own(const char* selection, const char* type, std::string content) {
  if (connection_ == nullptr) return;
  offers_[atom(selection)] = {atom(type), std::move(content), false};
  XSetSelectionOwner(connection_, atom(selection), window_, CurrentTime);
  XSync(connection_, False);
}

void OtherProgram::copy(std::string text) {
  own("CLIPBOARD", "UTF8_STRING", std::move(text));
}

bool OtherProgram::hand_out_copied(double limit_s) {
  const Atom clipboard = connection_ == nullptr ? 0 : atom("CLIPBOARD");
  return answer_until([&](const XEvent&) { return offers_[clipboard].taken; }, limit_s);
}

void OtherProgram::set_dpi(int dpi) {
  if (connection_ == nullptr) return;
  const std::string resources = "Xft.dpi:\t" + std::to_string(dpi) + "\n";
  XChangeProperty(connection_, DefaultRootWindow(connection_), XA_RESOURCE_MANAGER, XA_STRING, 8, PropModeReplace,
                  reinterpret_cast<const unsigned char*>(resources.data()), static_cast<int>(resources.size()));
  XSync(connection_, False);
}

void OtherProgram::take_keyboard_away() {
  XSetInputFocus(connection_, None, RevertToNone, CurrentTime);
  XSync(connection_, False);
}

void OtherProgram::send(unsigned long window, const char* message, const std::vector<long>& data) const {
  XEvent event{};
  event.xclient.type = ClientMessage;
  event.xclient.window = window;
  event.xclient.message_type = atom(message);
  event.xclient.format = 32;
  for (size_t i = 0; i < data.size() && i < 5; ++i) event.xclient.data.l[i] = data[i];
  XSendEvent(connection_, window, False, NoEventMask, &event);
  XFlush(connection_);
}

bool OtherProgram::drop_files(unsigned long window, int x, int y, const std::vector<std::string>& paths,
                              double limit_s) {
  if (connection_ == nullptr) return false;
  std::string list;
  for (const std::string& path : paths) list += uri_of(path) + "\r\n";
  own("XdndSelection", "text/uri-list", std::move(list));
  const auto said = [&](const XEvent& event, const char* message) {
    return event.type == ClientMessage && event.xclient.message_type == atom(message);
  };
  const long self = static_cast<long>(window_);
  const long target = static_cast<long>(window);
  const long copy_action = static_cast<long>(atom("XdndActionCopy"));
  send(window, "XdndEnter", {self, kDndVersion << 24, static_cast<long>(atom("text/uri-list"))});
  send(window, "XdndPosition", {self, 0, (static_cast<long>(x) << 16) | y, CurrentTime, copy_action});
  bool wanted = false;
  const bool answered = answer_until(
      [&](const XEvent& event) {
        if (!said(event, "XdndStatus") || event.xclient.data.l[0] != target) return false;
        wanted = (event.xclient.data.l[1] & 1) != 0;
        return true;
      },
      limit_s);
  if (!answered || !wanted) return false;
  send(window, "XdndDrop", {self, 0, CurrentTime});
  bool taken = false;
  answer_until(
      [&](const XEvent& event) {
        if (!said(event, "XdndFinished")) return false;
        taken = event.xclient.data.l[1] != 0;  // a flag; GLFW 3.3 puts the number of bytes there
        return true;
      },
      limit_s);
  return taken;
}

bool OtherProgram::answer_until(const std::function<bool(const XEvent&)>& done, double limit_s) {
  if (connection_ == nullptr) return false;
  const Clock::time_point begin = Clock::now();
  while (std::chrono::duration<double>(Clock::now() - begin).count() < limit_s) {
    while (XPending(connection_) > 0) {
      XEvent event;
      XNextEvent(connection_, &event);
      if (event.type == SelectionRequest) answer_request(event);
      if (done(event)) return true;
    }
    pollfd wait{ConnectionNumber(connection_), POLLIN, 0};
    poll(&wait, 1, 100);
  }
  return false;
}

// In one piece, however large: the server takes requests of 16 MB.
void OtherProgram::answer_request(const XEvent& event) {
  const XSelectionRequestEvent& request = event.xselectionrequest;
  XEvent answer{};
  answer.xselection.type = SelectionNotify;
  answer.xselection.requestor = request.requestor;
  answer.xselection.selection = request.selection;
  answer.xselection.target = request.target;
  answer.xselection.time = request.time;
  const auto offer = offers_.find(request.selection);
  if (offer != offers_.end() && request.target == offer->second.type) {
    const std::string& content = offer->second.content;
    XChangeProperty(connection_, request.requestor, request.property, request.target, 8, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(content.data()), static_cast<int>(content.size()));
    answer.xselection.property = request.property;
    offer->second.taken = true;
  }
  XSendEvent(connection_, request.requestor, False, NoEventMask, &answer);
  XFlush(connection_);
}

}  // namespace mneme::window

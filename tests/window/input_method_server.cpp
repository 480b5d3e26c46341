#include "tests/window/input_method_server.h"

#ifdef MNEME_HAVE_XCB_IMDKIT
#include <poll.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include <xcb-imdkit/encoding.h>
#include <xcb-imdkit/imdkit.h>
#endif

namespace mneme::window {

#ifndef MNEME_HAVE_XCB_IMDKIT

class InputMethodServer::Server {};

std::string InputMethodServer::missing() {
  return "this build has no xcb-imdkit";
}

InputMethodServer::InputMethodServer(const std::string&, std::string, std::string) {}
InputMethodServer::~InputMethodServer() = default;

std::pair<int, int> InputMethodServer::caret() const {
  return {-1, -1};
}

#else

namespace {

// Of the keyboard; letters are their characters.
constexpr uint32_t kBackspace = 0xff08;
constexpr uint32_t kEnter = 0xff0d;
constexpr uint32_t kEscape = 0xff1b;
constexpr uint32_t kUnderlined = 2;  // XIMUnderline

std::string compound(const std::string& utf8) {
  size_t size = 0;
  char* const text = xcb_utf8_to_compound_text(utf8.data(), utf8.size(), &size);
  std::string result(text == nullptr ? "" : text, text == nullptr ? 0 : size);
  std::free(text);
  return result;
}

uint32_t characters_in(const std::string& utf8) {
  uint32_t n = 0;
  for (const char c : utf8) n += (static_cast<unsigned char>(c) & 0xc0) == 0x80 ? 0 : 1;
  return n;
}

}  // namespace

class InputMethodServer::Server {
 public:
  Server(const std::string& display, std::string letters, std::string others)
      : letters_(std::move(letters)), others_(std::move(others)) {
    xcb_compound_text_init();
    int screen = 0;
    connection_ = xcb_connect(display.c_str(), &screen);
    const xcb_screen_t* root = xcb_setup_roots_iterator(xcb_get_setup(connection_)).data;
    window_ = xcb_generate_id(connection_);
    xcb_create_window(connection_, XCB_COPY_FROM_PARENT, window_, root->root, 0, 0, 1, 1, 1,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, root->root_visual, 0, nullptr);
    read_keyboard();
    std::array<uint32_t, 2> styles{XCB_IM_PreeditCallbacks | XCB_IM_StatusNothing,
                                   XCB_IM_PreeditNothing | XCB_IM_StatusNothing};
    const xcb_im_styles_t offered{styles.size(), styles.data()};
    std::string encoding = "COMPOUND_TEXT";
    std::array<xcb_im_encoding_t, 1> names{encoding.data()};
    const xcb_im_encodings_t encodings{names.size(), names.data()};
    const xcb_im_trigger_keys_t no_keys{0, nullptr};
    method_ =
        xcb_im_create(connection_, screen, window_, "mneme-test", XCB_IM_ALL_LOCALES, &offered, &no_keys, &no_keys,
                      &encodings, XCB_EVENT_MASK_KEY_PRESS | XCB_EVENT_MASK_KEY_RELEASE, &Server::told, this);
    xcb_im_open_im(method_);
    thread_ = std::thread([this] { serve(); });
  }
  ~Server() {
    ending_ = true;
    thread_.join();
    xcb_im_close_im(method_);
    xcb_im_destroy(method_);
    xcb_disconnect(connection_);
  }
  std::pair<int, int> caret() const { return {x_, y_}; }

 private:
  void read_keyboard() {
    const xcb_setup_t* setup = xcb_get_setup(connection_);
    const auto n = static_cast<uint8_t>(setup->max_keycode - setup->min_keycode + 1);
    xcb_get_keyboard_mapping_reply_t* mapping = xcb_get_keyboard_mapping_reply(
        connection_, xcb_get_keyboard_mapping(connection_, setup->min_keycode, n), nullptr);
    if (mapping == nullptr) return;
    const xcb_keysym_t* symbols = xcb_get_keyboard_mapping_keysyms(mapping);
    for (int i = 0; i < n; ++i)
      symbol_of_[static_cast<uint8_t>(setup->min_keycode + i)] = symbols[i * mapping->keysyms_per_keycode];
    std::free(mapping);
  }

  void serve() {
    while (!ending_) {
      xcb_flush(connection_);
      while (xcb_generic_event_t* event = xcb_poll_for_event(connection_)) {
        xcb_im_filter_event(method_, event);
        std::free(event);
      }
      pollfd wait{xcb_get_file_descriptor(connection_), POLLIN, 0};
      poll(&wait, 1, 20);
    }
  }

  static void told(xcb_im_t*, xcb_im_client_t*, xcb_im_input_context_t* context,
                   const xcb_im_packet_header_fr_t* header, void*, void* event, void* self) {
    auto& server = *static_cast<Server*>(self);
    if (header->major_opcode == XCB_XIM_SET_IC_VALUES && context != nullptr) {
      const xcb_point_t spot = xcb_im_input_context_get_preedit_attr(context)->spot_location;
      server.x_ = spot.x;
      server.y_ = spot.y;
    } else if (header->major_opcode == XCB_XIM_FORWARD_EVENT && context != nullptr) {
      auto* key = static_cast<xcb_key_press_event_t*>(event);
      const bool pressed = (key->response_type & 0x7f) == XCB_KEY_PRESS;
      const bool shortcut = (key->state & XCB_MOD_MASK_CONTROL) != 0;
      if (!pressed || shortcut || !server.take(context, server.symbol_of_[key->detail]))
        xcb_im_forward_event(server.method_, context, key);
    }
  }

  // Whether it has a use for a key.
  bool take(xcb_im_input_context_t* context, uint32_t symbol) {
    const bool letter = symbol >= 'a' && symbol <= 'z';
    if (!letter && composed_.empty()) return false;
    if (letter) {
      if (composed_.empty()) xcb_im_preedit_start_callback(method_, context);
      show(context, composed_ + static_cast<char>(symbol));
    } else if (symbol == ' ') {
      if (composed_ == letters_) show(context, others_);
    } else if (symbol == kBackspace) {
      composed_.size() > 1 ? show(context, composed_.substr(0, composed_.size() - 1)) : finish(context, "");
    } else if (symbol == kEnter) {
      finish(context, composed_);
    } else if (symbol == kEscape) {
      finish(context, "");
    } else {
      return false;
    }
    return true;
  }

  void show(xcb_im_input_context_t* context, const std::string& text) {
    std::string encoded = compound(text);
    std::vector<uint32_t> looks(characters_in(text), kUnderlined);
    xcb_im_preedit_draw_fr_t frame{};
    frame.caret = characters_in(text);
    frame.chg_length = characters_in(composed_);
    frame.status = text.empty() ? 3 : 0;  // no text, no looks
    frame.length_of_preedit_string = static_cast<uint16_t>(encoded.size());
    frame.preedit_string = reinterpret_cast<uint8_t*>(encoded.data());
    frame.feedback_array.size = static_cast<uint32_t>(looks.size());
    frame.feedback_array.items = looks.data();
    xcb_im_preedit_draw_callback(method_, context, &frame);
    composed_ = text;
  }

  void finish(xcb_im_input_context_t* context, std::string written) {
    show(context, "");
    xcb_im_preedit_done_callback(method_, context);
    if (written.empty()) return;
    const std::string encoded = compound(written);
    xcb_im_commit_string(method_, context, XCB_XIM_LOOKUP_CHARS, encoded.data(), static_cast<uint32_t>(encoded.size()),
                         0);
  }

  const std::string letters_, others_;
  xcb_connection_t* connection_ = nullptr;
  xcb_window_t window_ = 0;
  xcb_im_t* method_ = nullptr;
  std::map<uint8_t, uint32_t> symbol_of_;  // by keycode
  std::string composed_;
  std::atomic<int> x_{-1}, y_{-1};
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

std::string InputMethodServer::missing() {
  return {};
}

InputMethodServer::InputMethodServer(const std::string& display, std::string letters, std::string others)
    : server_(std::make_unique<Server>(display, std::move(letters), std::move(others))) {}
InputMethodServer::~InputMethodServer() = default;

std::pair<int, int> InputMethodServer::caret() const {
  return server_->caret();
}

#endif

}  // namespace mneme::window

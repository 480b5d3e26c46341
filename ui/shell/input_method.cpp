#include "ui/shell/input_method.h"

#include <utility>

#ifdef MNEME_HAVE_X11
#include <dlfcn.h>

#include <algorithm>
#include <clocale>
#include <cstdarg>
#include <cstring>
#include <cwchar>
#include <optional>
#include <string>
#include <string_view>

// Last, for its macros.
#include <X11/Xlib.h>
#endif

namespace mneme::ui::input_method {
namespace {

// GLFW has one, and makes one input context in it for its window.
struct Method {
  Listener listener;
  Composition composition;
  bool taken = false;
  TakenKeys::Time time = 0;
#ifdef MNEME_HAVE_X11
  XIC context = nullptr;
  XIMCallback of_glfw{};        // to be told when the method ends
  bool at_work = false;         // has taken a key since it was told where the caret is
  std::optional<XPoint> caret;  // as told
#endif
};

Method& method() {
  static Method one;
  return one;
}

}  // namespace

void listen(Listener listener) {
  method().listener = std::move(listener);
}

void end() {
  method() = Method();
}

const Composition& composition() {
  return method().composition;
}

bool has_taken_key() {
  return method().taken;
}

TakenKeys::Time time_of_key() {
  return method().time;
}

#ifndef MNEME_HAVE_X11

void tell_caret(int, int) {}

#else

void tell_caret(int x, int y) {
  Method& m = method();
  if (m.context == nullptr || !std::exchange(m.at_work, false)) return;
  XPoint spot{static_cast<short>(std::clamp(x, 0, 32767)), static_cast<short>(std::clamp(y, 0, 32767))};
  if (m.caret && m.caret->x == spot.x && m.caret->y == spot.y) return;
  m.caret = spot;
  const XVaNestedList place = XVaCreateNestedList(0, XNSpotLocation, &spot, nullptr);
  XSetICValues(m.context, XNPreeditAttributes, place, nullptr);
  XFree(place);
}

namespace {

void tell_composed() {
  if (method().listener.composed) method().listener.composed();
}

// In the encoding of the process's locale, or wide.
std::u32string characters_of(const XIMText& text) {
  std::u32string characters;
  if (text.encoding_is_wchar) {
    for (size_t i = 0; i < text.length && text.string.wide_char[i] != L'\0'; ++i)
      characters += static_cast<char32_t>(text.string.wide_char[i]);
    return characters;
  }
  std::string_view rest = text.string.multi_byte;
  std::mbstate_t state{};
  wchar_t character = 0;
  while (!rest.empty()) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): it is with a state of one's own
    const size_t bytes = std::mbrtowc(&character, rest.data(), rest.size(), &state);
    if (bytes == 0 || bytes > rest.size()) break;  // the end, or nothing that this locale knows
    characters += static_cast<char32_t>(character);
    rest.remove_prefix(bytes);
  }
  return characters;
}

size_t index_of(int position) {
  return static_cast<size_t>(std::max(0, position));
}

Bool begin_composing(XIC, XPointer, XPointer) {
  method().composition.clear();
  return -1;  // as long as it likes
}

void end_composing(XIM, XPointer, XPointer) {
  method().composition.clear();
  tell_composed();
}

void compose(XIM, XPointer, XPointer data) {
  const auto& change = *reinterpret_cast<const XIMPreeditDrawCallbackStruct*>(data);
  Composition& composition = method().composition;
  if (change.text == nullptr) {
    composition.replace(index_of(change.chg_first), index_of(change.chg_length), {});
  } else if (change.text->string.multi_byte != nullptr) {  // else only its colours are others
    composition.replace(index_of(change.chg_first), index_of(change.chg_length), characters_of(*change.text));
  }
  composition.move_caret(index_of(change.caret));
  tell_composed();
}

void move_caret(XIM, XPointer, XPointer data) {
  const auto& move = *reinterpret_cast<const XIMPreeditCaretCallbackStruct*>(data);
  if (move.direction != XIMAbsolutePosition) return;
  method().composition.move_caret(index_of(move.position));
  tell_composed();
}

// The method's program has ended.
void forget_context(XIM context, XPointer, XPointer data) {
  Method& m = method();
  m.context = nullptr;
  m.composition.clear();
  tell_composed();
  if (m.of_glfw.callback != nullptr) m.of_glfw.callback(context, m.of_glfw.client_data, data);
}

constexpr XIMStyle kShownHere = XIMPreeditCallbacks | XIMStatusNothing;

bool lets_others_show(XIM input) {
  XIMStyles* styles = nullptr;
  if (XGetIMValues(input, XNQueryInputStyle, &styles, nullptr) != nullptr || styles == nullptr) return false;
  const XIMStyle* const end = styles->supported_styles + styles->count_styles;
  const bool lets = std::find<const XIMStyle*>(styles->supported_styles, end, kShownHere) != end;
  XFree(styles);
  return lets;
}

using MakeContext = XIC (*)(XIM, ...);

XIC make_context_shown_here(MakeContext make, XIM input, Window window) {
  XIMCallback gone{nullptr, forget_context};
  XICCallback begin{nullptr, begin_composing};
  XIMCallback end{nullptr, end_composing};
  XIMCallback draw{nullptr, compose};
  XIMCallback caret{nullptr, move_caret};
  const XVaNestedList callbacks =
      XVaCreateNestedList(0, XNPreeditStartCallback, &begin, XNPreeditDoneCallback, &end, XNPreeditDrawCallback, &draw,
                          XNPreeditCaretCallback, &caret, nullptr);
  XIC context = make(input, XNInputStyle, kShownHere, XNClientWindow, window, XNFocusWindow, window, XNDestroyCallback,
                     &gone, XNPreeditAttributes, callbacks, nullptr);
  XFree(callbacks);
  return context;
}

XIC make_context(XIM input, Window window, const XIMCallback* gone) {
  static const auto make = reinterpret_cast<MakeContext>(::dlsym(RTLD_NEXT, "XCreateIC"));
  if (make == nullptr) return nullptr;
  Method& m = method();
  m.of_glfw = gone == nullptr ? XIMCallback{} : *gone;
  m.caret.reset();
  m.context = lets_others_show(input) ? make_context_shown_here(make, input, window) : nullptr;
  if (m.context == nullptr) {
    XIMCallback end{nullptr, forget_context};
    m.context = make(input, XNInputStyle, XIMPreeditNothing | XIMStatusNothing, XNClientWindow, window, XNFocusWindow,
                     window, XNDestroyCallback, &end, nullptr);
  }
  return m.context;
}

void note_key(unsigned keycode, TakenKeys::Time time, bool taken) {
  Method& m = method();
  m.taken = taken;
  m.time = time;
  m.at_work = m.at_work || taken;
  if (!taken && m.listener.key_given_back) m.listener.key_given_back(static_cast<int>(keycode), time);
}

}  // namespace

#endif

}  // namespace mneme::ui::input_method

#ifdef MNEME_HAVE_X11

// In place of Xlib's, for the whole program: a library finds the program's functions before those of other libraries.
// GLFW asks for a context of its window, with a callback for its end; all of Xlib's values are as wide as a pointer.
extern "C" __attribute__((visibility("default"))) XIC XCreateIC(XIM input, ...) {
  Window window = None;
  const XIMCallback* gone = nullptr;
  va_list values;
  va_start(values, input);
  for (const char* name = va_arg(values, const char*); name != nullptr; name = va_arg(values, const char*)) {
    const auto value = va_arg(values, unsigned long);
    if (std::strcmp(name, XNClientWindow) == 0) window = value;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): Xlib's lists of arguments are what they are
    if (std::strcmp(name, XNDestroyCallback) == 0) gone = reinterpret_cast<const XIMCallback*>(value);
  }
  va_end(values);
  return mneme::ui::input_method::make_context(input, window, gone);
}

extern "C" __attribute__((visibility("default"))) int XFilterEvent(XEvent* event, Window window) {
  static const auto filter = reinterpret_cast<int (*)(XEvent*, Window)>(::dlsym(RTLD_NEXT, "XFilterEvent"));
  const XEvent before = *event;  // methods change it
  const int taken = filter == nullptr ? False : filter(event, window);
  if (before.type == KeyPress && before.xkey.keycode != 0)
    mneme::ui::input_method::note_key(before.xkey.keycode, before.xkey.time, taken != False);
  return taken;
}

#endif

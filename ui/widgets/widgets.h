// Small parts that panels share: buttons, labels, numbers for people. Threads: the window's thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include <imgui.h>

#include "ui/text/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

namespace mneme::ui {

// A square button with an icon and a tooltip (which also is its name for tests). True when clicked.
bool icon_button(Icon icon, const char* name, const Theme& theme, float scale, bool enabled = true);

// A filled button in the accent colour.
bool plain_button(const char* label);
bool primary_button(const char* label, const Theme& theme);

// A button for second thoughts: small letters, no frame until the mouse is over it.
bool small_button(const char* label, ImU32 colour, float scale);

// A line of small letters with an arrow that points to what it opens and shuts. True when clicked.
bool disclosure(const char* id, const std::string& text, bool open, ImU32 colour, const Theme& theme, float scale);

// Goes on in this line, if something of this width has room there.
void same_line_if_room(float width);
// Goes on in this line, so that buttons of these names end at the right border.
void align_right(std::initializer_list<const char*> buttons);

// A message of the program as a sentence: a capital (unless it begins with a name) and a full stop.
std::string as_sentence(const std::string& message);

// A choice among several, as ImGui::BeginCombo: when it is open, ImGui::Selectable()s and ImGui::EndCombo() follow.
// What stands behind "##" of `id` is not shown.
bool begin_choice(const char* id, const std::string& shown, float width, const Theme& theme, float scale);

// A row of a list that fills the width: icon, text cut to fit, selected or not, and `aside` muted at its right. True
// when clicked.
bool list_row(const char* id, Icon icon, const std::string& text, bool selected, const Theme& theme, float scale,
              const std::string& aside = {});

// A tooltip in the window's style, wrapped.
void tooltip(const std::string& text);

// A frame around the last item while the keyboard is on it.
void focus_ring(const Theme& theme, float scale);

// A text as it is to be drawn in a font (control characters out, one direction, shaped): for Dear ImGui's own widgets.
std::string drawable(const std::string& text, ImFont* font);

// Text in a font and colour, cut with an ellipsis when wider than `width` (0: what is left of the line).
void label(const std::string& text, ImFont* font, ImU32 colour, float width = 0.0f);
// Text broken into lines of `width` (0: to the end of the content region).
void wrapped(const std::string& text, ImFont* font, ImU32 colour, float width = 0.0f);

// The same, and a menu (right button) that copies it.
void copyable(const char* id, const std::string& text, ImFont* font, ImU32 colour, float width = 0.0f);
// What wrapped() takes; text that is shaped may take a line more or less.
float wrapped_height(const std::string& text, ImFont* font, float width);

// A thin progress bar; fraction < 0 is "unknown".
void progress_bar(float fraction, const Theme& theme, float scale);

// Whether a text holds a part, without regard to ASCII case.
bool contains_folded(const std::string& text, const std::string& part);

std::string human_seconds(double seconds);  // "45 s", "3 min 20 s"
std::string human_milliseconds(double ms);  // "231 ms", "1.4 s"
std::string file_name(const std::string& path);
std::string cut_to_width(const std::string& text, ImFont* font, float width);
// The end of a text that fits, behind an ellipsis where it is not all: of a path the names that tell it from others.
std::string end_within(const std::string& text, ImFont* font, float width);
// Of a text as it is drawn.
float text_width(const std::string& drawn, ImFont* font);

}  // namespace mneme::ui

// Buttons, and where they stand in their line. Threads: the window's thread.
#pragma once

#include <initializer_list>
#include <string>

#include <imgui.h>

#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

namespace mneme::ui {

// A square button with an icon and a tooltip (what it is called). True when clicked.
bool icon_button(Icon icon, const char* name, const Theme& theme, float scale, bool enabled = true);

// A filled button in the accent colour.
bool plain_button(const char* label);
bool primary_button(const char* label, const Theme& theme);

// A button for second thoughts: small letters, no frame until the mouse is over it.
bool small_button(const char* label, ImU32 colour, float scale);

// A line of small letters with an arrow that points to what it opens and shuts; what has no room stands in its tooltip.
// True when clicked.
bool disclosure(const char* id, const std::string& text, bool open, ImU32 colour, const Theme& theme, float scale);

// Goes on in this line, if something of this width has room there.
void same_line_if_room(float width);
void same_line_if_room(const char* button);  // of this name
// Of buttons with these names side by side, in the current font.
float width_of_buttons(std::initializer_list<const char*> names);
// Goes on in this line, so that buttons of these names end at the right border.
void align_right(std::initializer_list<const char*> buttons);

// A frame around the last item while the keyboard is on it.
void focus_ring(const Theme& theme, float scale);

}  // namespace mneme::ui

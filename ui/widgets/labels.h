// Text in lines: cut to a width, or broken. Threads: the window's thread.
#pragma once

#include <string>

#include <imgui.h>

namespace mneme::ui {

// A text as it is to be drawn in a font (control characters out, one direction, shaped): for Dear ImGui's own widgets.
std::string drawable(const std::string& text, ImFont* font);

// The same in the current font, for what is pressed: Dear ImGui's id of it is that of its English text, so that it
// stays the same when the language changes.
std::string named_item(const char* name);

// Text in a font and colour, cut with an ellipsis when wider than `width` (0: what is left of the line).
void label(const std::string& text, ImFont* font, ImU32 colour, float width = 0.0f);
// Text broken into lines of `width` (0: to the end of the content region).
void wrapped(const std::string& text, ImFont* font, ImU32 colour, float width = 0.0f);

// The same, and a menu (right button) that copies it.
void copyable(const char* id, const std::string& text, ImFont* font, ImU32 colour, float width = 0.0f);
// What wrapped() takes; text that is shaped may take a line more or less.
float wrapped_height(const std::string& text, ImFont* font, float width);

std::string cut_to_width(const std::string& text, ImFont* font, float width);
// The end of a text that fits, behind an ellipsis where it is not all: of a path the names that tell it from others.
std::string end_within(const std::string& text, ImFont* font, float width);
// Of a text as it is drawn.
float text_width(const std::string& drawn, ImFont* font);

// A tooltip in the window's style, wrapped, once the mouse has rested where it is (tooltip_rest.h).
void tooltip(const std::string& text);

}  // namespace mneme::ui

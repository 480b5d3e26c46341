// What settings are changed with: sliders, choices of few, switches. All can be reached and changed by keys, as Dear
// ImGui's own. Threads: the window's thread.
#pragma once

#include <span>
#include <string>

#include "ui/widgets/theme.h"

namespace mneme::ui {

// A thin track with a knob, `width` pixels wide, and what the value means behind it. `format` is printf's, and says to
// how many digits the value is kept. True when the knob was let go elsewhere: until then `value` follows the mouse.
bool slider(const char* id, int& value, int low, int high, const char* format, const std::string& meaning, float width,
            const Theme& theme, float scale);
bool slider(const char* id, float& value, float low, float high, const char* format, const std::string& meaning,
            float width, const Theme& theme, float scale);

struct Option {
  const char* name;
  const char* meaning = nullptr;  // a tooltip
};

// One of a few, side by side, in as many lines as the width asks for. `chosen` of -1: none of them. True when another
// was chosen.
bool choose_one(const char* id, std::span<const Option> options, int& chosen, const Theme& theme, float scale);

// On or off, with what it does behind it. True when it was switched.
bool toggle(const char* name, bool& on, const Theme& theme, float scale);

}  // namespace mneme::ui

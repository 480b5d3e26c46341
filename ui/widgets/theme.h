// Colours and measures of the window, light and dark, on a grid of four pixels. Threads: values.
#pragma once

#include <imgui.h>

namespace mneme::ui {

struct Theme {
  bool dark = false;
  ImU32 background = 0;  // of the conversation
  ImU32 surface = 0;     // side panels
  ImU32 raised = 0;      // cards, inputs
  ImU32 border = 0;      // between what is told apart by its text too
  ImU32 outline = 0;     // of what can be pressed, written into or moved: seen by weak eyes too
  ImU32 text = 0;
  ImU32 muted = 0;        // second-rank text
  ImU32 accent = 0;       // one colour for what acts
  ImU32 accent_text = 0;  // on accent
  ImU32 accent_soft = 0;  // chips, selection of rows
  ImU32 hover = 0;
  ImU32 danger = 0;
  ImU32 success = 0;
  ImU32 passage = 0;     // the ground of a passage in its document
  ImU32 highlight = 0;   // the words of it that an answer says, and a bar beside it
  ImU32 selection = 0;   // of text
  ImU32 stages[8] = {};  // retrieve, load, decode, recompute, read, generate, open, measure
};

Theme light_theme();
Theme dark_theme();

// Sets Dear ImGui's style from the theme at a scale.
void apply(const Theme& theme, float scale);

}  // namespace mneme::ui

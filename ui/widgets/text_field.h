// A framed field for one line of text. It has the keyboard in the frame in which it was asked to take it, so that
// nothing typed right behind a shortcut is lost. Threads: the window's thread.
#pragma once

#include <string>

#include "ui/widgets/text_editor.h"
#include "ui/widgets/theme.h"

namespace mneme::ui {

class TextField {
 public:
  // For a text of its own: what was done to the one before cannot be undone in it.
  void reset(const std::string& text) { editor_.reset(text); }

  // When it is drawn next; with everything selected, what is typed replaces it.
  void focus(bool select_all = false);

  // Draws it `width` wide (0: what is left of the line) and edits `text`, of which 4,000 bytes are taken at most.
  TextEditor::Outcome draw(const char* id, std::string& text, float width, const char* hint, const Theme& theme,
                           float scale);

 private:
  TextEditor editor_{TextEditor::Lines::kOne};
  bool select_all_ = false;
};

// The border of what is written into: on whole pixels, and wider where the keyboard is and where letters are large.
void draw_field_border(ImVec2 at, ImVec2 end, float rounding, bool active, const Theme& theme, float scale);

}  // namespace mneme::ui

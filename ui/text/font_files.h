// Which font files the window draws with: the distribution's Inter or Noto Sans for text, Noto Sans Mono for code, and
// behind them Noto CJK and the Noto fonts of other scripts for the characters they lack. Threads: values.
#pragma once

#include <string>
#include <vector>

namespace mneme::ui {

struct FontFiles {
  std::string regular;  // empty: none is installed, Dear ImGui's own bitmap font serves
  std::string bold;
  std::string italic;
  std::string mono;
  std::vector<std::string> fallbacks;  // in the order they are asked
  bool has_cjk = false;                // among them: Chinese, Japanese and Korean
  bool has_scripts = false;            // any of the Noto fonts for one script
};

FontFiles find_font_files();

}  // namespace mneme::ui

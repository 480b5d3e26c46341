// What a person may set. Threads: values.
#pragma once

#include <string>

namespace mneme::ui {

enum class ThemeChoice { kSystem, kLight, kDark };

struct SettingsView {
  std::string language;  // "de", "en", ...; empty: as the system
  ThemeChoice theme = ThemeChoice::kSystem;
  float scale = 1.0f;        // 0.75 .. 2.5, on top of the display's own
  std::string collection;    // asked; empty: all
  std::string instructions;  // the user's own, sent with every question
  int top_k = 6;
  float temperature = 0.0f;
  float top_p = 1.0f;
  int max_tokens = 512;
  std::string mode;  // empty: the best the model has been measured for; full, prefix, reuse, blend
  std::string kv_level = "medium";
  bool show_sources = true;
  bool show_sidebar = true;
  bool notify = true;    // the desktop, when long work ends while the window is not looked at
  int long_work_s = 20;  // what counts as long
  // The language model, device and context to answer with; empty model: as the program was started.
  std::string model;
  std::string device = "auto";
  int context_tokens = 0;
  bool operator==(const SettingsView&) const = default;
};

}  // namespace mneme::ui

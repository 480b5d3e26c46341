// What every panel draws with: the snapshot, fonts and theme, a way to post commands, and the window's own small state
// (what is open, what is typed). Panels hold no data of the program. Threads: the window's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ui/shell/fonts.h"
#include "ui/view_model/command.h"
#include "ui/view_model/snapshot.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/theme.h"

namespace mneme::ui {

enum class Page { kChat, kLibrary, kModels, kSettings };

// A message's layout, kept while its text, width and fonts stay the same.
struct CachedLayout {
  size_t text_bytes = 0;
  float width = 0.0f;
  float scale = 0.0f;
  ImFont* font = nullptr;
  RichTextLayout layout;
  uint64_t last_frame = 0;
};

struct WindowState {
  Page page = Page::kChat;
  std::string input;
  std::vector<std::string> input_history;
  size_t history_at = 0;
  bool focus_input = true;
  bool stick_to_bottom = true;  // the conversation follows what is being written
  int selected_message = -1;    // whose sources are shown; -1: the last answer's
  int selected_source = 0;      // n; 0: none
  int hovered_source = 0;
  bool scroll_to_source = false;
  int editing_message = -1;
  std::string edit_text;
  int64_t renaming_chat = 0;
  std::string rename_text;
  std::string chat_filter;
  std::string document_filter;
  bool palette_open = false;
  std::string palette_text;
  int palette_index = 0;
  bool browser_open = false;
  std::string browser_folder;
  std::string new_collection = "default";
  float sidebar_width = 264.0f;  // at scale 1
  float sources_width = 380.0f;
  std::map<const void*, bool> open_insight;
  TextSelection selection;
  std::map<const void*, CachedLayout> layouts;
  uint64_t frame = 0;
  std::vector<std::string> dropped_paths;  // from drag and drop, taken by the library
};

struct PanelContext {
  const Snapshot& snapshot;
  const Theme& theme;
  const Fonts& fonts;
  float scale = 1.0f;
  WindowState& window;
  std::function<void(Command)> post;
  std::function<void()> choose_folder;                     // opens a dialog, or the built-in browser
  std::function<void(const std::string& path)> open_path;  // in the desktop's own program

  float px(float at_scale_one) const { return at_scale_one * scale; }
};

// The whole window; decides which panels stand where. The list of panels is here, in the order they are drawn.
void draw_window(PanelContext& context);

void draw_sidebar(PanelContext& context);
void draw_conversation(PanelContext& context);
void draw_input(PanelContext& context);
void draw_sources(PanelContext& context);
void draw_library(PanelContext& context);
void draw_models(PanelContext& context);
void draw_settings(PanelContext& context);
void draw_insight(PanelContext& context, const AnswerFacts& facts, const void* owner);
void draw_palette(PanelContext& context);
void draw_folder_browser(PanelContext& context);
void draw_notices(PanelContext& context);

// The answer whose sources are shown, or null.
const MessageView* selected_answer(const PanelContext& context);

}  // namespace mneme::ui

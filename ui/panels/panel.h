// What every panel draws with: the snapshot, fonts and theme, a way to post commands, and the window's own small state
// (window_state.h). Panels hold no data of the program. Threads: the window's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "ui/language/tr.h"
#include "ui/panels/window_state.h"
#include "ui/text/fonts.h"
#include "ui/view_model/command.h"
#include "ui/view_model/snapshot.h"
#include "ui/widgets/text_editor.h"
#include "ui/widgets/text_field.h"
#include "ui/widgets/theme.h"

namespace mneme::ui {

// What answers where no model does, wherever it is named.
inline constexpr const char* kQuotePassages = tr_noop("Quote passages (no model)");

// What the panels ask of the window system.
struct WindowHooks {
  std::function<void(Command)> post;
  std::function<void()> choose_folder;                     // opens a dialog, or the built-in browser
  std::function<void()> choose_model;                      // likewise, for a GGUF file
  std::function<void(const std::string& path)> open_path;  // in the desktop's own program
  std::function<ImTextureID(const std::shared_ptr<const PageImage>&)> texture;
};

struct PanelContext {
  const Snapshot& snapshot;
  const Theme& theme;
  const Fonts& fonts;
  float scale = 1.0f;
  WindowState& window;
  const WindowHooks& hooks;

  float px(float at_scale_one) const { return at_scale_one * scale; }
  void post(Command command) const { hooks.post(std::move(command)); }
  // Changes the settings at once.
  template <typename Change>
  void change_settings(const Change& change) const {
    SettingsView settings = snapshot.settings;
    change(settings);
    post(ChangeSettings{std::move(settings)});
  }
};

// The whole window; decides which panels stand where. The list of panels is here, in the order they are drawn.
void draw_window(PanelContext& context);

void draw_sidebar(PanelContext& context, float width);
void draw_unlock(PanelContext& context, float width);
void draw_conversation(PanelContext& context);
void draw_input(PanelContext& context);
void draw_sources(PanelContext& context);
void draw_document(PanelContext& context);
// The page of a PDF that the document's panel shows.
void draw_document_page(PanelContext& context, const DocumentTextView& view);
// The field that finds words in the document, where it was asked for.
void draw_find_bar(PanelContext& context, const DocumentTextView& view);
// The place of what was found that is shown; null: none.
const FoundInDocument::Place* found_place(const PanelContext& context, const DocumentTextView& view);
void close_find(PanelContext& context);
void draw_library(PanelContext& context);
void draw_documents(PanelContext& context);
void draw_models(PanelContext& context);
void draw_activity(PanelContext& context);
// Asks for figures of what goes on, once a second while they change or are looked at.
void sample_activity(PanelContext& context);
void draw_settings(PanelContext& context);
void draw_palette(PanelContext& context);
void draw_file_browser(PanelContext& context);
void draw_notices(PanelContext& context);
// What can be done about a notice, in the window's language; null: nothing.
const char* notice_action_name(NoticeAction action);
void act_on_notice(PanelContext& context, const Notice& notice);

// A passage's beginning, and where it stands ("house/notes.md · lines 3–5 · Care"); both with its document's title
// where a citation is pointed at.
void draw_excerpt(PanelContext& context, const SourceView& source, float width);
void source_tooltip(PanelContext& context, const SourceView& source);
std::string place_of(const SourceView& source);

// Under an answer: what it cost and reused. True when its headline was pressed, which is to open or close it.
bool draw_insight(PanelContext& context, const MessageView& answer, float width, bool open);
// Its stages over time, what became of the tokens, and the facts.
void draw_cost(PanelContext& context, const AnswerFacts& facts, float width);

float input_height(PanelContext& context, float width);
bool asks_something(const std::string& question);  // more than blanks
// Who types with nothing chosen means the question.
bool types_question(const PanelContext& context);

// A field that filters a list (0: as wide as there is room), with a button that empties it.
TextEditor::Outcome draw_filter(PanelContext& context, TextField& field, const char* id, std::string& text, float width,
                                const char* hint);

// Lays a ground under the child window just begun.
void lay_ground(PanelContext& context, ImU32 colour);

// The answer whose sources are shown, or null.
const MessageView* selected_answer(const PanelContext& context);

// Within a page or panel that scrolls: does what keys have asked for, and no more of it.
void take_scroll(float& asked);
// Within a document that has just come: the panel may have been scrolled in the one before.
void begin_at_top(PanelContext& context);
// Within a list that scrolls by itself: no further than brings a row in sight, which begins `y` below the list's first.
void scroll_row_into_sight(PanelContext& context, float y, float height);

// Whether a document is open beside the page, or in its place.
bool shows_document(const PanelContext& context);

// To the clipboard, and says so for a moment.
void copy_text(PanelContext& context, const std::string& text);

// A link in an answer or a document: opened in the browser, or copied where it is not for one.
void follow_link(PanelContext& context, const std::string& link);

// What keys do wherever the keyboard is.
void take_shortcuts(PanelContext& context);
bool any_popup_open();

bool window_is_narrow(const PanelContext& context);  // no room for anything beside the page

// Whether an answer is being made, or waits, in a chat that is not shown.
bool is_answered_elsewhere(const Snapshot& snapshot, int64_t chat);

// What several places can start.
void start_new_chat(PanelContext& context);
void open_chat(PanelContext& context, int64_t chat);
void open_source(PanelContext& context, int message, const SourceView& source);
void open_listed(PanelContext& context, const DocumentRow& row);  // of the library
void begin_find(PanelContext& context);                           // in the open document
void go_to(PanelContext& context, Page page);
void go_to_question(PanelContext& context);  // also where a document stands in its place
void show_sidebar(PanelContext& context);    // in place of the page, where there is no room beside it
void toggle_sidebar(PanelContext& context);
void toggle_palette(WindowState& window);
void edit_question(PanelContext& context, size_t message);
void answer_again(PanelContext& context, std::optional<size_t> question = std::nullopt);  // nothing: the last one
void follow_question(WindowState& window);                                                // that is being asked
void remember_question(PanelContext& context, const std::string& text);                   // arrows bring it back
void begin_rename(PanelContext& context, int64_t chat, const std::string& title);
// In the document that is open, else of documents in the library, else of chats.
void begin_search(PanelContext& context);
// Puts the cursor behind a heading just drawn, `width` before the panel's right border, for icon buttons at its height.
void beside_heading(const PanelContext& context, float width);
// Where an exported chat goes: the person's home folder, by its title; the extension (".md", ".json") chooses the
// format.
std::string export_path(const std::string& title, const char* extension);

}  // namespace mneme::ui

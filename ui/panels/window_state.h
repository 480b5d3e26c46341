// The window's own small state: what is open, what is typed, what was drawn last. None of it is data of the program.
// Threads: the window's thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ui/panels/chat_list.h"
#include "ui/view_model/snapshot.h"
#include "ui/widgets/composition.h"
#include "ui/widgets/marked_text.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/splitter.h"
#include "ui/widgets/text_editor.h"
#include "ui/widgets/text_field.h"

namespace mneme::ui {

enum class Page { kChat, kLibrary, kModels, kInsight, kSettings };

// Of the side panels.
constexpr SplitterRange kSidebarWidths = {180.0f, 480.0f, 264.0f};
constexpr SplitterRange kSourcesWidths = {260.0f, 720.0f, 380.0f};
constexpr SplitterRange kPageWidths = {260.0f, 1600.0f, 560.0f};  // the same panel, for the page of a PDF to be read in

// What the view of the conversation keeps to, until somebody scrolls: the question just asked, at the top, with its
// answer growing below it; the end; or the words for which the chat was found.
enum class Follow { kNothing, kQuestion, kEnd, kFound };

// Words for which a chat was found in the list of chats.
struct FoundInChat {
  int64_t chat = 0;
  std::string text;
  int message = -1;  // the first that says them; -1: not looked for yet
  float y = 0.0f;    // where it says them, in the conversation
};

// A message as it was drawn last: laid out again only when its text, width or fonts change, drawn only where visible.
struct MessageBox {
  GrowingLayout layout;
  float height = 0.0f;    // of all of it, with what stands below the text
  bool measured = false;  // false: height is a guess
  bool insight_open = false;
  bool reasoning_open = false;
  GrowingLayout reasoning;
  double waits_since = -1.0;  // an answer of which nothing is written yet
  uint64_t last_frame = 0;
};

// What is sought in the document that is looked at.
struct DocumentFind {
  bool open = false;
  TextField field;
  std::string text;
  const FoundInDocument* seen = nullptr;  // what `at` counts in
  size_t at = 0;                          // the place that is shown
  bool scroll = false;                    // to it
  bool turned = false;                    // to the page behind the one that its passage begins on
};

// A part of a document's text, laid out.
struct DocumentPart {
  GrowingLayout layout;
  size_t begin = 0;  // bytes of the text
  size_t end = 0;
};

// The document that is looked at, laid out.
struct DocumentBox {
  const void* text = nullptr;
  DocumentPart before, passage, after;
  bool show_text = false;  // of a PDF, instead of the page
  bool scroll_to_passage = true;
  uint64_t scrolled_at = 0;     // the frame in which something was last scrolled to
  size_t around = 8000;         // bytes of text before and after the passage that are laid out
  std::vector<TextMark> marks;  // in the passage
  float marked_width = 0.0f;    // that they hold for
  float zoom = 1.0f;            // of a page: 1 has its text as wide as the panel
  bool begun = false;           // it does not stand where the document before it was scrolled to
  int placed = 0;               // the page that was scrolled to its text
  int sharpened_page = 0;       // that was asked for in more dots an inch
  int sharpened_dpi = 0;
  DocumentFind find;

  // The fonts are others now.
  void forget_layout() {
    before = after = passage = DocumentPart();
    marks.clear();
    marked_width = 0.0f;
    scroll_to_passage = true;
    placed = 0;
  }
};

// A side panel's ground: opaque, so that the shell clears it instead of blending it, which without a GPU costs a tenth.
struct Ground {
  ImVec2 min, max;
  ImU32 colour = 0;
};

struct ModelDraft {  // what is chosen before “Use” is pressed
  std::string name;
  std::string device = "auto";
  int context_tokens = 0;
};

// The folder that the built-in browser has asked the controller for, and when.
struct AskedFolder {
  std::string folder;
  bool with_models = false;
  double at = -10.0;
};

inline constexpr size_t kPassphraseRoom = 1024;

struct WindowState {
  std::array<char, kPassphraseRoom> passphrase{};  // being typed
  int passphrase_waits = 3;                        // frames in which its field has yet to take the keyboard, at most
  Composing composing;                             // with an input method, wherever the keyboard is
  Page page = Page::kChat;
  TextEditor question;
  std::vector<std::string> question_history;  // asked since the start, behind those of the chat that was shown first
  size_t history_at = 0;                      // what arrows have brought back; at its end the question being typed
  std::string left_question;                  // that was being typed when they went back
  double cut_since = -100.0;                  // when a question was cut off at its longest
  bool focus_question = true;
  float question_top = 0.0f;  // on the screen, where it was drawn last
  Follow follow = Follow::kEnd;
  FoundInChat found_in_chat;
  uint64_t unfolded_at = 0;          // the frame in which something in it was, while its end was followed
  bool room_below = false;           // of the last answer, so that its question can stand at the top
  float scroll_conversation = 0.0f;  // pixels to scroll by in this frame
  float scroll_page = 0.0f;          // likewise any other page
  float scroll_document = 0.0f;      // likewise the opened document, or the sources
  int64_t shown_chat = 0;            // the conversation that what follows belongs to
  int selected_message = -1;         // whose sources are shown; -1: the last answer's
  int selected_source = 0;           // n; 0: none
  int hovered_source = 0;
  bool scroll_to_source = false;
  int editing_message = -1;
  bool scroll_to_editing = false;
  TextEditor edited;
  int64_t renaming_chat = 0;
  TextField rename_field;
  int64_t sought_chat = 0;  // in the list: it is scrolled to once it stands there
  std::string rename_text;
  std::vector<int64_t> answered_elsewhere;  // chats, in the frame before
  std::set<int64_t> unseen_answers;         // chats that were answered while another one was shown
  TextField chat_filter_field;
  std::string chat_filter;
  ChatList chat_list;
  std::string searched_chats;  // what was asked of the catalogue last
  TextField document_filter_field;
  std::string document_filter;
  std::string* filter_typed = nullptr;  // the filter that has the keyboard, of this state: Esc empties it
  DocumentOrder asked_order;            // of documents, which the controller works out
  bool palette_open = false;
  TextField palette_field;
  std::string palette_text;
  int palette_index = 0;
  bool browser_open = false;
  bool browser_for_model = false;  // a GGUF file is looked for, not a folder
  TextField browser_field;
  std::string browser_folder;
  AskedFolder browser_asked;
  TextField collection_field;
  std::string new_collection;                  // that added folders go into; empty: of their own names
  std::string seen_collection;                 // of the library's list, scrolled to when it came to be shown
  std::string seen_asked;                      // likewise of the sidebar's, when it came to be asked
  std::string collection_to_remove;            // if the answer to the question that comes is yes
  float sidebar_width = kSidebarWidths.usual;  // at scale 1
  float sources_width = kSourcesWidths.usual;
  float page_width = kPageWidths.usual;  // of the same panel, while it shows the page of a PDF
  bool sources_shown = false;            // beside the page
  bool sidebar_alone = false;            // where there is no room beside it: in place of the page
  bool popup_open = false;               // in the frame before
  bool failed_open = false;
  ModelDraft model_draft;
  bool looked_for_models = false;  // of other programs
  SettingsView edited_settings;    // between the begin of a change and its end
  TextEditor instructions{TextEditor::Lines::kText};
  std::string kept_instructions;            // as the settings had them last
  double instructions_changed_at = -1.0;    // and not kept yet; negative: they are
  double quota_gb = 0.0;                    // being edited; 0: not
  std::map<uint64_t, double> notice_since;  // when a notice came into sight
  double copied_since = -1.0;               // when something was copied, while that is said; negative: it is not
  size_t insight_answer = 0;                // of the recent ones, newest first: whose cost is shown
  double sampled_at = -10.0;                // when the activity was sampled last
  bool sampled_work = false;                // and something was going on then
  TextSelection selection;
  float messages_width = 0.0f;                                // that their heights hold for
  std::map<std::pair<int64_t, size_t>, MessageBox> messages;  // by chat and place
  DocumentBox document;
  Page document_page = Page::kChat;  // beside which it was opened
  std::vector<Ground> grounds;       // of this frame, under all that is drawn
  uint64_t frame = 0;
  bool wants_frame = false;                // something is not finished in this one
  bool tells_time = false;                 // seconds that pass are shown, or waited for
  std::vector<std::string> dropped_paths;  // from drag and drop, taken by the library
};

}  // namespace mneme::ui

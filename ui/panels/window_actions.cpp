// What several places of the window can start: keys, palette, menus and buttons.
#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <imgui.h>

#include "base/utf8.h"
#include "rag/answering/citations/cited_words.h"
#include "rag/document.h"
#include "ui/panels/panel.h"
#include "ui/widgets/printable.h"

namespace mneme::ui {
namespace {

constexpr float kNarrowWindow = 720.0f;  // below this the side panels give way

// Of a conversation that was not just asked something.
void follow_end(WindowState& w) {
  w.follow = Follow::kEnd;
  w.room_below = false;
}

}  // namespace

bool window_is_narrow(const PanelContext& c) {
  return ImGui::GetIO().DisplaySize.x < c.px(kNarrowWindow);
}

bool shows_document(const PanelContext& c) {
  return c.snapshot.document.has_value() && c.window.page == c.window.document_page;
}

const MessageView* selected_answer(const PanelContext& c) {
  const auto& messages = c.snapshot.conversation.messages;
  const int selected = c.window.selected_message;
  if (selected >= 0 && selected < static_cast<int>(messages.size()) &&
      !messages[static_cast<size_t>(selected)]->from_user) {
    return messages[static_cast<size_t>(selected)].get();
  }
  for (size_t i = messages.size(); i-- > 0;) {
    if (!messages[i]->from_user) return messages[i].get();
  }
  return nullptr;
}

bool is_answered_elsewhere(const Snapshot& s, int64_t chat) {
  return std::any_of(s.elsewhere.begin(), s.elsewhere.end(),
                     [&](const auto& c) { return c.answering && c.chat == chat; });
}

void copy_text(PanelContext& c, const std::string& text) {
  ImGui::SetClipboardText(text.c_str());
  c.window.copied_since = ImGui::GetTime();
}

void follow_link(PanelContext& c, const std::string& link) {
  if (opens_in_browser(link)) return c.hooks.open_path(link);
  copy_text(c, link);
}

void go_to(PanelContext& c, Page page) {
  c.window.palette_open = false;  // what is gone to is not to lie behind it
  c.window.page = page;
  c.window.sidebar_alone = false;
  if (page == Page::kChat) c.window.focus_question = true;
}

void go_to_question(PanelContext& c) {
  if (c.window.page == Page::kChat && shows_document(c) && !c.window.sources_shown) c.post(CloseDocument{});
  go_to(c, Page::kChat);
}

void show_sidebar(PanelContext& c) {
  c.window.sidebar_alone = window_is_narrow(c);
  if (!c.window.sidebar_alone && !c.snapshot.settings.show_sidebar)
    c.change_settings([](SettingsView& s) { s.show_sidebar = true; });
}

void toggle_sidebar(PanelContext& c) {
  if (window_is_narrow(c)) {
    c.window.sidebar_alone = !c.window.sidebar_alone;
  } else {
    c.change_settings([](SettingsView& s) { s.show_sidebar = !s.show_sidebar; });
  }
}

void begin_rename(PanelContext& c, int64_t chat, const std::string& title) {
  c.window.palette_open = false;
  c.window.renaming_chat = chat;
  c.window.rename_text = title;
  c.window.rename_field.reset(title);
  c.window.rename_field.focus(/*select_all=*/true);
  c.window.focus_question = false;
  c.window.sought_chat = chat;
  c.window.chat_filter.clear();
  show_sidebar(c);
}

void begin_find(PanelContext& c) {
  c.window.focus_question = false;
  c.window.document.find.open = true;
  c.window.document.find.field.focus(/*select_all=*/true);
}

void begin_search(PanelContext& c) {
  c.window.palette_open = false;
  c.window.focus_question = false;
  if (shows_document(c)) {
    begin_find(c);
  } else if (c.window.page == Page::kLibrary) {
    c.window.sidebar_alone = false;
    c.window.document_filter_field.focus(/*select_all=*/true);
  } else {
    show_sidebar(c);
    c.window.chat_filter_field.focus(/*select_all=*/true);
  }
}

std::string export_path(const std::string& title, const char* extension) {
  constexpr size_t kLongestName = 80;      // bytes
  const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): nobody sets variables here
  std::string name = one_line(title);
  // What file systems and shells take for something else.
  std::replace_if(
      name.begin(), name.end(),
      [](char ch) { return std::string_view("/\\:*?\"<>|$`").find(ch) != std::string_view::npos; }, ' ');
  name.resize(utf8::floor_boundary(name, std::min(name.size(), kLongestName)));
  while (name.ends_with(' ') || name.ends_with('.')) name.pop_back();
  return std::string(home == nullptr ? "." : home) + "/mneme - " + (name.empty() ? tr_c("file name", "chat") : name) +
         extension;
}

void edit_question(PanelContext& c, size_t message) {
  c.window.palette_open = false;
  c.window.page = Page::kChat;
  c.window.focus_question = false;
  c.window.editing_message = static_cast<int>(message);
  c.window.scroll_to_editing = true;
  c.window.edited = TextEditor();
  c.window.edited.reset(c.snapshot.conversation.messages[message]->text);
  c.window.edited.focus();
}

void follow_question(WindowState& w) {
  w.follow = Follow::kQuestion;
  w.room_below = true;
}

void answer_again(PanelContext& c, std::optional<size_t> question) {
  const auto& messages = c.snapshot.conversation.messages;
  const size_t behind = question ? *question + 1 : messages.size();
  const bool last = std::none_of(messages.begin() + static_cast<std::ptrdiff_t>(std::min(behind, messages.size())),
                                 messages.end(), [](const auto& message) { return message->from_user; });
  if (last) follow_question(c.window);
  if (!last) c.window.follow = Follow::kNothing;
  c.post(RegenerateAnswer{question});
}

void start_new_chat(PanelContext& c) {
  follow_end(c.window);
  c.post(NewChat{});
  go_to(c, Page::kChat);
}

void open_chat(PanelContext& c, int64_t chat) {
  go_to(c, Page::kChat);
  follow_end(c.window);
  c.window.found_in_chat = {chat, c.window.chat_filter, -1, 0.0f};
  if (chat != c.snapshot.conversation.chat) c.post(OpenChat{chat});
}

void open_source(PanelContext& c, int message, const SourceView& source) {
  c.window.palette_open = false;
  c.window.page = c.window.document_page = Page::kChat;
  c.window.selected_message = message;
  c.window.selected_source = source.n;
  c.window.scroll_to_source = true;
  if (!c.snapshot.settings.show_sources) c.change_settings([](SettingsView& s) { s.show_sources = true; });
  const MessageView* answer = selected_answer(c);
  std::string said = source.quotes;
  if (said.empty() && answer != nullptr) said = rag::words_citing(answer->text, source.n);
  c.post(ShowDocument{source, std::move(said)});
}

void open_listed(PanelContext& c, const DocumentRow& row) {
  c.window.document_page = Page::kLibrary;
  SourceView source;
  source.title = row.name();
  source.document = row.path;
  source.is_code = row.format == rag::kSourceFormat || row.format == "csv" || row.format == "json";
  c.post(ShowDocument{std::move(source)});
}

void toggle_palette(WindowState& w) {
  w.palette_open = !w.palette_open;
  w.palette_text.clear();
  w.palette_index = 0;
  if (w.palette_open) {
    w.palette_field.reset("");
    w.palette_field.focus();
  } else {
    w.focus_question = true;
  }
}

}  // namespace mneme::ui

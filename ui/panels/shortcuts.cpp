// What keys do wherever the keyboard is.
#include <algorithm>

#include <imgui_internal.h>

#include "ui/panels/panel.h"
#include "ui/panels/quoting.h"
#include "ui/widgets/keys.h"

namespace mneme::ui {
namespace {

// Esc closes what is on top, one thing at a time. Dear ImGui has closed a popup already, if it could.
void escape(PanelContext& c) {
  if (c.window.popup_open) {
    if (any_popup_open()) ImGui::ClosePopupToLevel(0, true);
  } else if (c.window.palette_open) {
    c.window.palette_open = false;
    c.window.focus_question = true;
  } else if (c.window.browser_open) {
    c.window.browser_open = false;
  } else if (c.window.renaming_chat != 0) {
    c.window.renaming_chat = 0;
  } else if (c.window.filter_typed != nullptr && !c.window.filter_typed->empty()) {
    c.window.filter_typed->clear();
  } else if (c.window.document.find.open && shows_document(c)) {
    close_find(c);
  } else if (c.window.sidebar_alone) {
    c.window.sidebar_alone = false;
    c.window.focus_question = c.window.page == Page::kChat;
  } else if (c.window.editing_message >= 0) {
    c.window.editing_message = -1;
  } else if (c.snapshot.conversation.answering) {
    c.post(StopAnswer{});
  } else if (shows_document(c)) {
    c.post(CloseDocument{});
  } else if (c.window.page != Page::kChat) {
    go_to(c, Page::kChat);
  }
}

void scale_by(PanelContext& c, float change) {
  c.change_settings(
      [&](SettingsView& s) { s.scale = change == 0.0f ? 1.0f : std::clamp(s.scale + change, 0.75f, 2.5f); });
}

void edit_last_question(PanelContext& c) {
  const auto& messages = c.snapshot.conversation.messages;
  for (size_t i = messages.size(); i-- > 0;) {
    if (messages[i]->from_user) return edit_question(c, i);
  }
}

// The chat above or below the shown one in the list.
void step_chat(PanelContext& c, int step) {
  const std::vector<ChatRow>& chats = *c.snapshot.chats;
  if (chats.empty()) return;
  int index = step > 0 ? -1 : 0;
  for (size_t i = 0; i < chats.size(); ++i) {
    if (chats[i].id == c.snapshot.conversation.chat) index = static_cast<int>(i);
  }
  const int n = static_cast<int>(chats.size());
  open_chat(c, chats[static_cast<size_t>((index + step + n) % n)].id);
}

// The open document's quotation, else the answer.
void copy_what_is_read(PanelContext& c) {
  if (shows_document(c)) return copy_quotation(c, *c.snapshot.document);
  if (const MessageView* answer = selected_answer(c)) copy_text(c, answer->text);
}

void size_shortcuts(PanelContext& c) {
  if (plus_pressed()) scale_by(c, 0.1f);
  if (minus_pressed()) scale_by(c, -0.1f);
  if (digit_pressed('0')) scale_by(c, 0.0f);
}

// Answers again only where the answer is seen.
void answer_again_by_key(PanelContext& c) {
  const bool seen = c.window.page == Page::kChat && !c.window.palette_open;
  if (seen && !c.snapshot.conversation.answering && !c.snapshot.conversation.messages.empty()) answer_again(c);
}

void control_shortcuts(PanelContext& c) {
  const ImGuiIO& io = ImGui::GetIO();
  const auto pressed = [](char letter) { return letter_pressed(letter, false); };
  if (pressed('K')) toggle_palette(c.window);
  if (pressed('N')) start_new_chat(c);
  if (pressed('L')) go_to_question(c);
  if (pressed('F')) begin_search(c);
  if (pressed('B')) toggle_sidebar(c);
  if (pressed('J')) c.change_settings([](SettingsView& s) { s.show_sources = !s.show_sources; });
  if (pressed('R')) answer_again_by_key(c);
  if (pressed('E') && !c.snapshot.conversation.answering) edit_last_question(c);
  if (pressed('C') && io.KeyShift) copy_what_is_read(c);
  if (key_pressed(ImGuiKey_PageDown)) step_chat(c, 1);
  if (key_pressed(ImGuiKey_PageUp)) step_chat(c, -1);
  if (digit_pressed('1')) go_to_question(c);
  constexpr Page kPages[] = {Page::kLibrary, Page::kModels, Page::kInsight, Page::kSettings};
  for (int i = 0; i < 4; ++i) {
    if (digit_pressed(static_cast<char>('2' + i))) go_to(c, kPages[i]);
  }
}

// Sources of the answer by their numbers.
void source_shortcuts(PanelContext& c) {
  const MessageView* answer = selected_answer(c);
  for (int n = 1; answer != nullptr && n < 10; ++n) {
    if (!digit_pressed(static_cast<char>('0' + n))) continue;
    for (const SourceView& source : answer->sources) {
      if (source.n == n) open_source(c, c.window.selected_message, source);
    }
  }
}

void scroll_shortcuts(PanelContext& c) {
  WindowState& w = c.window;
  const float screen = 0.8f * ImGui::GetIO().DisplaySize.y;
  const float by = (key_pressed(ImGuiKey_PageDown) ? screen : 0.0f) - (key_pressed(ImGuiKey_PageUp) ? screen : 0.0f);
  if (by == 0.0f) return;
  if (ImGui::GetIO().KeyShift) {
    w.scroll_document = by;
  } else {
    (w.page == Page::kChat ? w.scroll_conversation : w.scroll_page) = by;
  }
}

}  // namespace

void take_shortcuts(PanelContext& c) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool behind = c.window.browser_open;  // the rest of the window, which is not to be changed unseen
  if (io.KeyCtrl && !io.KeyAlt) {
    size_shortcuts(c);
    if (!behind) control_shortcuts(c);
  }
  if (io.KeyAlt && !io.KeyCtrl && !behind) source_shortcuts(c);
  if (function_key_pressed(2) && c.snapshot.conversation.chat != 0 && !behind)
    begin_rename(c, c.snapshot.conversation.chat, c.snapshot.conversation.title);
  if (!io.KeyCtrl && !c.window.palette_open && !behind && !c.window.popup_open) scroll_shortcuts(c);
  if (key_pressed(ImGuiKey_Escape, false)) escape(c);
}

bool any_popup_open() {
  return ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

}  // namespace mneme::ui

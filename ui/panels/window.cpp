// Where the panels stand: sidebar, page, sources; splitters between them; what floats above.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include <imgui_internal.h>

#include "rag/answering/cited_words.h"
#include "ui/panels/panel.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr float kNarrowWindow = 720.0f;  // below this the side panels give way
constexpr float kSplitter = 6.0f;

bool any_popup_open() {
  return ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

// A draggable border that changes a panel's width; `sign` says on which side of it the panel lies.
void splitter(const char* id, float& width_at_scale_one, float sign, float low, float high, PanelContext& c) {
  ImGui::SameLine(0, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::InvisibleButton(id, ImVec2(c.px(kSplitter), -1));
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    const ImVec2 min = ImGui::GetItemRectMin();
    const ImVec2 max = ImGui::GetItemRectMax();
    const float x = (min.x + max.x) * 0.5f;
    ImGui::GetWindowDrawList()->AddLine(ImVec2(x, min.y), ImVec2(x, max.y), c.theme.accent, c.px(2));
  }
  if (ImGui::IsItemActive()) {
    width_at_scale_one = std::clamp(width_at_scale_one + sign * ImGui::GetIO().MouseDelta.x / c.scale, low, high);
  }
  ImGui::SameLine(0, 0);
  ImGui::PopStyleVar();
}

bool is_narrow(const PanelContext& c) {
  return ImGui::GetIO().DisplaySize.x < c.px(kNarrowWindow);
}

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
  } else if (c.window.sidebar_alone) {
    c.window.sidebar_alone = false;
    c.window.focus_question = c.window.page == Page::kChat;
  } else if (c.window.editing_message >= 0) {
    c.window.editing_message = -1;
  } else if (c.snapshot.answering) {
    c.post(StopAnswer{});
  } else if (c.snapshot.document) {
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

void toggle_palette(WindowState& w) {
  w.palette_open = !w.palette_open;
  w.palette_text.clear();
  w.palette_index = 0;
  if (w.palette_open) {
    w.palette_field.focus();
  } else {
    w.focus_question = true;
  }
}

void control_shortcuts(PanelContext& c) {
  const ImGuiIO& io = ImGui::GetIO();
  const auto pressed = [](char letter) { return letter_pressed(letter, false); };
  if (pressed('K')) toggle_palette(c.window);
  if (pressed('N')) start_new_chat(c);
  if (pressed('L')) {
    go_to(c, Page::kChat);
    c.window.focus_question = true;
  }
  if (pressed('F')) begin_search(c);
  if (pressed('B')) toggle_sidebar(c);
  if (pressed('J')) c.change_settings([](SettingsView& s) { s.show_sources = !s.show_sources; });
  if (pressed('R') && !c.snapshot.answering && !c.snapshot.conversation.messages.empty()) c.post(RegenerateAnswer{});
  if (pressed('E') && !c.snapshot.answering) edit_last_question(c);
  if (pressed('C') && io.KeyShift) {
    if (const MessageView* answer = selected_answer(c)) ImGui::SetClipboardText(answer->text.c_str());
  }
  if (key_pressed(ImGuiKey_PageDown)) step_chat(c, 1);
  if (key_pressed(ImGuiKey_PageUp)) step_chat(c, -1);
  constexpr Page kPages[] = {Page::kChat, Page::kLibrary, Page::kModels, Page::kInsight, Page::kSettings};
  for (int i = 0; i < 5; ++i) {
    if (digit_pressed(static_cast<char>('1' + i))) go_to(c, kPages[i]);
  }
  if (plus_pressed()) scale_by(c, 0.1f);
  if (minus_pressed()) scale_by(c, -0.1f);
  if (digit_pressed('0')) scale_by(c, 0.0f);
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

void shortcuts(PanelContext& c) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyCtrl && !io.KeyAlt) control_shortcuts(c);
  if (io.KeyAlt && !io.KeyCtrl) {
    const MessageView* answer = selected_answer(c);
    for (int n = 1; answer != nullptr && n < 10; ++n) {
      if (!digit_pressed(static_cast<char>('0' + n))) continue;
      for (const SourceView& source : answer->sources) {
        if (source.n == n) open_source(c, c.window.selected_message, source);
      }
    }
  }
  if (function_key_pressed(2) && c.snapshot.conversation.chat != 0)
    begin_rename(c, c.snapshot.conversation.chat, c.snapshot.conversation.title);
  if (!io.KeyCtrl && !c.window.palette_open && !c.window.browser_open && !c.window.popup_open) scroll_shortcuts(c);
  if (key_pressed(ImGuiKey_Escape, false)) escape(c);
}

void draw_page(PanelContext& c) {
  switch (c.window.page) {
    case Page::kChat: draw_conversation(c); break;
    case Page::kLibrary: draw_library(c); break;
    case Page::kModels: draw_models(c); break;
    case Page::kInsight: draw_activity(c); break;
    case Page::kSettings: draw_settings(c); break;
  }
}

// Without the sidebar, the palette leads everywhere.
void draw_menu_button(PanelContext& c) {
  ImGui::SetCursorPos(ImVec2(ImGui::GetWindowWidth() - c.px(44), 0.0f));
  ImGui::BeginChild("menu", ImVec2(c.px(32), c.px(32)), false, ImGuiWindowFlags_NoScrollbar);
  if (icon_button(Icon::kMore, "Everything (Ctrl+K)", c.theme, c.scale)) toggle_palette(c.window);
  ImGui::EndChild();
}

void draw_waiting(PanelContext& c) {
  ImGui::SetCursorPos(ImVec2(c.px(48), c.px(48)));
  ImGui::BeginGroup();
  label("mneme", c.fonts.title, c.theme.text);
  if (c.snapshot.fatal.empty()) {
    label("Opening your library…", c.fonts.regular, c.theme.muted);
  } else {
    wrapped("The library cannot be opened: " + c.snapshot.fatal, c.fonts.regular, c.theme.danger,
            ImGui::GetWindowWidth() - c.px(96));
  }
  ImGui::EndGroup();
}

// Layouts not asked for in a while are of chats no longer shown.
void forget_old_layouts(WindowState& window) {
  if (window.frame % 600 != 0) return;
  std::erase_if(window.messages, [&](const auto& entry) { return entry.second.last_frame + 600 < window.frame; });
}

// What was selected or edited belongs to the chat that was shown.
void follow_conversation(PanelContext& c) {
  if (c.window.shown_chat == c.snapshot.conversation.chat) return;
  // A new chat gets its number when its first question is saved: that is the same conversation.
  const bool same = c.window.shown_chat == 0 && c.snapshot.answering;
  c.window.shown_chat = c.snapshot.conversation.chat;
  if (same) return;
  std::erase_if(c.window.messages, [](const auto& entry) { return entry.first.first == 0; });  // of an unsaved one
  c.window.selected_message = -1;
  c.window.selected_source = 0;
  c.window.editing_message = -1;
  c.window.selection = {};
  c.window.stick_to_bottom = true;
}

// What was typed in the settings just before they were left.
void keep_instructions(PanelContext& c) {
  if (c.window.page == Page::kSettings || std::exchange(c.window.instructions_changed_at, -1.0) < 0.0) return;
  c.change_settings([&](SettingsView& s) { s.instructions = c.window.instructions.text(); });
}

}  // namespace

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

void lay_ground(PanelContext& c, ImU32 colour) {
  const ImVec2 at = ImGui::GetWindowPos();
  const ImVec2 size = ImGui::GetWindowSize();
  c.window.grounds.push_back({at, ImVec2(at.x + size.x, at.y + size.y), colour});
}

void take_scroll(float& asked) {
  const float by = std::exchange(asked, 0.0f);
  if (by != 0.0f) ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + by, 0.0f, ImGui::GetScrollMaxY()));
}

void go_to(PanelContext& c, Page page) {
  c.window.page = page;
  c.window.sidebar_alone = false;
  if (page == Page::kChat) c.window.focus_question = true;
}

void show_sidebar(PanelContext& c) {
  c.window.sidebar_alone = is_narrow(c);
  if (!c.window.sidebar_alone && !c.snapshot.settings.show_sidebar)
    c.change_settings([](SettingsView& s) { s.show_sidebar = true; });
}

void toggle_sidebar(PanelContext& c) {
  if (is_narrow(c)) {
    c.window.sidebar_alone = !c.window.sidebar_alone;
  } else {
    c.change_settings([](SettingsView& s) { s.show_sidebar = !s.show_sidebar; });
  }
}

void begin_rename(PanelContext& c, int64_t chat, const std::string& title) {
  c.window.renaming_chat = chat;
  c.window.rename_text = title;
  c.window.rename_field.focus(/*select_all=*/true);
  c.window.focus_question = false;
  c.window.scroll_to_renamed = true;
  c.window.chat_filter.clear();
  show_sidebar(c);
}

void begin_search(PanelContext& c) {
  c.window.focus_question = false;
  if (c.window.page == Page::kLibrary) {
    c.window.sidebar_alone = false;
    c.window.document_filter_field.focus(/*select_all=*/true);
  } else {
    show_sidebar(c);
    c.window.chat_filter_field.focus(/*select_all=*/true);
  }
}

void beside_heading(const PanelContext& c, float width) {
  ImGui::SameLine(ImGui::GetWindowWidth() - width);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - c.px(6));
}

std::string export_path(int64_t chat, const char* extension) {
  const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): nobody sets variables here
  return std::string(home == nullptr ? "." : home) + "/mneme-chat-" + std::to_string(chat) + extension;
}

void edit_question(PanelContext& c, size_t message) {
  c.window.page = Page::kChat;
  c.window.focus_question = false;
  c.window.editing_message = static_cast<int>(message);
  c.window.scroll_to_editing = true;
  c.window.edited = TextEditor();
  c.window.edited.set_text(c.snapshot.conversation.messages[message]->text);
  c.window.edited.focus();
}

void start_new_chat(PanelContext& c) {
  c.post(NewChat{});
  go_to(c, Page::kChat);
}

void open_chat(PanelContext& c, int64_t chat) {
  go_to(c, Page::kChat);
  c.window.stick_to_bottom = true;
  if (chat != c.snapshot.conversation.chat) c.post(OpenChat{chat});
}

void open_source(PanelContext& c, int message, const SourceView& source) {
  c.window.page = Page::kChat;
  c.window.selected_message = message;
  c.window.selected_source = source.n;
  c.window.scroll_to_source = true;
  if (!c.snapshot.settings.show_sources) c.change_settings([](SettingsView& s) { s.show_sources = true; });
  const MessageView* answer = selected_answer(c);
  c.post(ShowDocument{source, answer == nullptr ? "" : rag::words_citing(answer->text, source.n)});
}

namespace {

// Side by side, as far as there is room.
void draw_panels(PanelContext& c) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  // Narrow windows show one thing: the page, or for a while the sidebar.
  c.window.sidebar_alone = c.window.sidebar_alone && is_narrow(c);
  if (c.window.sidebar_alone) return draw_sidebar(c, size.x);
  const bool sidebar = c.snapshot.settings.show_sidebar && !is_narrow(c);
  if (sidebar) {
    draw_sidebar(c, c.px(c.window.sidebar_width));
    splitter("##sidebar", c.window.sidebar_width, 1.0f, 180.0f, 480.0f, c);
  }
  const bool has_sources = selected_answer(c) != nullptr || c.snapshot.document;
  const bool sources = c.window.page == Page::kChat && c.snapshot.settings.show_sources && has_sources &&
                       size.x > c.px(sidebar ? 980.0f : 720.0f);
  // The document takes the place of the conversation where there is no room beside it.
  const bool document_alone = !sources && c.window.page == Page::kChat && c.snapshot.document.has_value();
  const float reserved = sources ? c.px(c.window.sources_width + kSplitter) : 0.0f;
  if (!document_alone) {
    ImGui::BeginChild("page", ImVec2(ImGui::GetContentRegionAvail().x - reserved, 0));
    draw_page(c);
    if (!sidebar) draw_menu_button(c);
    ImGui::EndChild();
  }
  if (sources) splitter("##sources", c.window.sources_width, -1.0f, 260.0f, 720.0f, c);
  if (sources || document_alone) draw_sources(c);
}

}  // namespace

void draw_window(PanelContext& c) {
  ++c.window.frame;
  c.window.wants_frame = false;
  c.window.grounds.clear();
  forget_old_layouts(c.window);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  // No background of its own: the picture was cleared to it, and to blend a whole screen again costs time without a
  // GPU.
  ImGui::Begin("mneme", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoScrollWithMouse |
                   ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar(2);
  if (!c.snapshot.ready) {
    draw_waiting(c);
    ImGui::End();
    return;
  }
  follow_conversation(c);
  shortcuts(c);
  keep_instructions(c);
  sample_activity(c);
  draw_panels(c);
  ImGui::End();
  draw_palette(c);
  draw_file_browser(c);
  draw_notices(c);
  c.window.popup_open = any_popup_open();
}

}  // namespace mneme::ui

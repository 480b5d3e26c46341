// Where the panels stand: sidebar, page, sources; splitters between them; what floats above.
#include <algorithm>
#include <utility>

#include <imgui_internal.h>

#include "ui/panels/panel.h"
#include "ui/widgets/key_focus.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr float kSplitter = 6.0f;
constexpr float kLeastConversation = 320.0f;  // what a page leaves beside it

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
  if (icon_button(Icon::kMore, tr("Everything (Ctrl+K)"), c.theme, c.scale)) toggle_palette(c.window);
  ImGui::EndChild();
}

// Where a conversation without messages begins.
void draw_waiting(PanelContext& c) {
  ImGui::BeginChild("waiting");
  const ImVec2 window = ImGui::GetWindowSize();
  const float width = std::min(c.px(440), window.x - c.px(32));
  ImGui::SetCursorPos(ImVec2((window.x - width) * 0.5f, std::max(c.px(16), window.y * 0.28f)));
  ImGui::BeginGroup();
  label("mneme", c.fonts.title, c.theme.text);
  if (c.snapshot.locked) {
    draw_unlock(c, width);
  } else if (c.snapshot.fatal.empty()) {
    label(tr("Opening your library…"), c.fonts.regular, c.theme.muted);
  } else {
    copyable("fatal", as_sentence(filled(tr("The library cannot be opened: {0}"), c.snapshot.fatal)), c.fonts.regular,
             c.theme.danger, width);
  }
  ImGui::EndGroup();
  ImGui::EndChild();
}

// Layouts not asked for in a while are of chats no longer shown.
void forget_old_layouts(WindowState& window) {
  if (window.frame % 600 != 0) return;
  std::erase_if(window.messages, [&](const auto& entry) { return entry.second.last_frame + 600 < window.frame; });
}

// Dear ImGui takes Esc as “out of this panel”, and puts a ring around all of it.
void hide_rings_of_panels() {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  for (const ImGuiWindow* window : g.Windows) {
    if (g.NavId != 0 && window->ChildId == g.NavId) show_ring(g, false);
  }
}

// What was selected or edited belongs to the chat that was shown.
void follow_conversation(PanelContext& c) {
  if (c.window.shown_chat == c.snapshot.conversation.chat) return;
  // A new chat gets its number when its first question is saved: that is the same conversation, unless one was opened.
  const bool opened = c.window.found_in_chat.chat == c.snapshot.conversation.chat;
  const bool gets_number = c.window.shown_chat == 0 && c.snapshot.conversation.answering;
  const bool kept_at_last = c.window.shown_chat < 0 && c.snapshot.conversation.chat > 0;
  const bool same = (gets_number || kept_at_last) && !opened;
  c.window.shown_chat = c.window.sought_chat = c.snapshot.conversation.chat;
  if (same) return;
  std::erase_if(c.window.messages, [](const auto& entry) { return entry.first.first == 0; });  // of an unsaved one
  c.window.selected_message = -1;
  c.window.selected_source = 0;
  c.window.editing_message = -1;
  c.window.selection = {};
  // A question that is edited goes on in a chat of another number.
  if (c.window.follow == Follow::kNothing) c.window.follow = Follow::kEnd;
}

// Of answers that are made while another chat is shown: their chats are marked until they are looked at.
void follow_answers(PanelContext& c) {
  WindowState& w = c.window;
  for (const int64_t chat : w.answered_elsewhere) {
    if (!is_answered_elsewhere(c.snapshot, chat)) w.unseen_answers.insert(chat);
  }
  w.answered_elsewhere.clear();
  for (const ConversationView& conversation : c.snapshot.elsewhere) {
    if (conversation.answering) w.answered_elsewhere.push_back(conversation.chat);
  }
  w.unseen_answers.erase(c.snapshot.conversation.chat);
}

// What was typed in the settings just before they were left.
void keep_instructions(PanelContext& c) {
  if (c.window.page == Page::kSettings || std::exchange(c.window.instructions_changed_at, -1.0) < 0.0) return;
  c.change_settings([&](SettingsView& s) { s.instructions = c.window.instructions.text(); });
}

}  // namespace

void lay_ground(PanelContext& c, ImU32 colour) {
  const ImVec2 at = ImGui::GetWindowPos();
  const ImVec2 size = ImGui::GetWindowSize();
  c.window.grounds.push_back({at, ImVec2(at.x + size.x, at.y + size.y), colour});
}

void take_scroll(float& asked) {
  const float by = std::exchange(asked, 0.0f);
  if (by != 0.0f) ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + by, 0.0f, ImGui::GetScrollMaxY()));
}

void begin_at_top(PanelContext& c) {
  ImGui::SetScrollY(0.0f);
  c.window.document.scrolled_at = c.window.frame;
}

void scroll_row_into_sight(PanelContext& c, float y, float height) {
  const float top = y - ImGui::GetScrollY();
  const float bottom = top + height;
  if (top >= 0.0f && bottom <= ImGui::GetWindowHeight()) return;
  ImGui::SetScrollFromPosY(top < 0.0f ? top : bottom, top < 0.0f ? 0.0f : 1.0f);
  c.window.wants_frame = true;  // it is seen in the next
}

void beside_heading(const PanelContext& c, float width) {
  // Not by SameLine: from 1.89 on what follows on the line would go back to the heading's height.
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - ImGui::GetCurrentWindow()->ScrollbarSizes.x;
  ImGui::SetCursorScreenPos(ImVec2(right - width, ImGui::GetItemRectMin().y - c.px(6)));
}

namespace {

// Side by side, as far as there is room.
void draw_panels(PanelContext& c) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  // Narrow windows show one thing: the page, or for a while the sidebar.
  c.window.sidebar_alone = c.window.sidebar_alone && window_is_narrow(c);
  if (c.window.sidebar_alone) return draw_sidebar(c, size.x);
  const bool sidebar = c.snapshot.settings.show_sidebar && !window_is_narrow(c);
  if (sidebar) {
    draw_sidebar(c, c.px(c.window.sidebar_width));
    splitter("##sidebar", c.window.sidebar_width, 1.0f, kSidebarWidths, c.px(kSplitter), c.theme, c.scale);
  }
  const bool document = shows_document(c);
  const bool of_chat = c.window.page == Page::kChat && c.snapshot.settings.show_sources;
  const bool wanted = of_chat ? document || selected_answer(c) != nullptr : document && c.window.page != Page::kChat;
  const bool sources = wanted && size.x > c.px(sidebar ? 980.0f : 720.0f);
  c.window.sources_shown = sources;
  // The document takes the place of the page where there is no room beside it.
  bool document_alone = !sources && document;
  if (document_alone && c.window.page == Page::kChat && types_question(c)) {
    c.post(CloseDocument{});
    document_alone = false;
  }
  const bool page_shown = document && c.snapshot.document->page_image && !c.window.document.show_text;
  float& width = page_shown ? c.window.page_width : c.window.sources_width;
  const SplitterRange& range = page_shown ? kPageWidths : kSourcesWidths;
  const float most = std::max(c.px(range.low), ImGui::GetContentRegionAvail().x - c.px(kLeastConversation));
  const float reserved = sources ? std::min(c.px(width), most) + c.px(kSplitter) : 0.0f;
  if (!document_alone) {
    ImGui::BeginChild("page", ImVec2(ImGui::GetContentRegionAvail().x - reserved, 0));
    draw_page(c);
    if (!sidebar) draw_menu_button(c);
    ImGui::EndChild();
  }
  if (sources) {
    const float shown = std::min(width, most / c.scale);
    float dragged = shown;  // begins where the border is; a window that is small for a while changes nothing
    splitter("##sources", dragged, -1.0f, range, c.px(kSplitter), c.theme, c.scale);
    if (dragged != shown) width = dragged;
  }
  if (sources || document_alone) draw_sources(c);
}

}  // namespace

void draw_window(PanelContext& c) {
  ++c.window.frame;
  c.window.wants_frame = false;
  c.window.tells_time = false;
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
  follow_answers(c);
  hide_rings_of_panels();
  take_shortcuts(c);
  c.window.filter_typed = nullptr;
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

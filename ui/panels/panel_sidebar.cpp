// Left: chats, and the ways to the other pages.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include <imgui.h>
#include <imgui_stdlib.h>

#include "ui/panels/panel.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

std::string export_path(const ChatRow& chat, const char* extension) {
  const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): nobody sets variables here
  return std::string(home == nullptr ? "." : home) + "/mneme-chat-" + std::to_string(chat.id) + extension;
}

void begin_rename(PanelContext& c, const ChatRow& chat) {
  c.window.renaming_chat = chat.id;
  c.window.rename_text = chat.title;
  c.window.focus_rename = true;
}

void chat_menu(PanelContext& c, const ChatRow& chat) {
  if (!ImGui::BeginPopupContextItem("chat menu")) return;
  if (ImGui::MenuItem("Rename", "F2")) begin_rename(c, chat);
  if (ImGui::MenuItem(chat.pinned ? "Unpin" : "Pin")) c.post(PinChat{chat.id, !chat.pinned});
  if (ImGui::MenuItem("Export as Markdown")) c.post(ExportChat{chat.id, export_path(chat, ".md")});
  if (ImGui::MenuItem("Export as JSON")) c.post(ExportChat{chat.id, export_path(chat, ".json")});
  ImGui::Separator();
  if (ImGui::MenuItem("Delete")) c.post(DeleteChat{chat.id});
  ImGui::EndPopup();
}

void rename_field(PanelContext& c, const ChatRow& chat) {
  ImGui::SetNextItemWidth(-1);
  if (std::exchange(c.window.focus_rename, false)) ImGui::SetKeyboardFocusHere();
  const bool done = ImGui::InputText("##rename", &c.window.rename_text,
                                     ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  if (done && !c.window.rename_text.empty()) c.post(RenameChat{chat.id, c.window.rename_text});
  if (done || ImGui::IsItemDeactivated()) c.window.renaming_chat = 0;
}

void chat_row(PanelContext& c, const ChatRow& chat) {
  ImGui::PushID(static_cast<int>(chat.id));
  if (c.window.renaming_chat == chat.id) {
    rename_field(c, chat);
  } else {
    const bool selected = c.window.page == Page::kChat && chat.id == c.snapshot.conversation.chat;
    if (list_row("chat", chat.pinned ? Icon::kPin : Icon::kChat, chat.title, selected, c.theme, c.scale))
      open_chat(c, chat.id);
    chat_menu(c, chat);
  }
  ImGui::PopID();
}

// Titles are filtered at once; what is said in chats is searched by the controller and joins when it is there.
std::vector<const ChatRow*> shown_chats(PanelContext& c) {
  const std::string& filter = c.window.chat_filter;
  if (filter != c.window.searched_chats) {
    c.window.searched_chats = filter;
    c.post(SearchChats{filter});
  }
  const ChatMatches* matches = c.snapshot.chat_matches.get();
  if (matches != nullptr && matches->text != filter) matches = nullptr;
  std::vector<const ChatRow*> shown;
  for (const ChatRow& chat : *c.snapshot.chats) {
    const bool said = matches != nullptr && std::binary_search(matches->chats.begin(), matches->chats.end(), chat.id);
    if (filter.empty() || said || contains_folded(chat.title, filter)) shown.push_back(&chat);
  }
  return shown;
}

void draw_chats(PanelContext& c, float height) {
  ImGui::BeginChild("chats", ImVec2(0, height));
  const std::vector<const ChatRow*> shown = shown_chats(c);
  if (c.snapshot.chats->empty()) {
    wrapped("Your questions and their answers will be kept here.", c.fonts.small, c.theme.muted);
  } else if (shown.empty()) {
    wrapped("No chat says that.", c.fonts.small, c.theme.muted);
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(shown.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) chat_row(c, *shown[static_cast<size_t>(i)]);
  }
  ImGui::EndChild();
}

void page_row(PanelContext& c, Icon icon, const char* name, Page page, const char* keys) {
  if (list_row(name, icon, name, c.window.page == page, c.theme, c.scale)) go_to(c, page);
  if (ImGui::IsItemHovered()) tooltip(keys);
}

// What is going on in the background, always in sight.
void draw_background_work(PanelContext& c) {
  const IndexingView& indexing = c.snapshot.indexing;
  if (!indexing.running && !indexing.paused) return;
  const float fraction = indexing.total == 0 || indexing.counting
                             ? -1.0f
                             : static_cast<float>(indexing.done) / static_cast<float>(indexing.total);
  std::string text = indexing.paused ? "Indexing is paused" : indexing.pausing ? "Pausing… " : "Indexing ";
  if (!indexing.paused) {
    text += human_count(static_cast<int64_t>(indexing.done));
    if (!indexing.counting) text += " of " + human_count(static_cast<int64_t>(indexing.total));
    if (indexing.eta_s >= 0.0) text += ", " + human_seconds(indexing.eta_s) + " left";
  }
  label(text, c.fonts.small, c.theme.muted);
  progress_bar(fraction, c.theme, c.scale);
}

}  // namespace

void draw_sidebar(PanelContext& c) {
  ImGui::PushStyleColor(ImGuiCol_ChildBg, c.theme.surface);
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, 0.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(c.px(12), c.px(16)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(c.px(8), c.px(4)));
  ImGui::BeginChild("sidebar", ImVec2(c.px(c.window.sidebar_width), -1), false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar);
  label("mneme", c.fonts.heading, c.theme.text, c.px(120));
  ImGui::SameLine(ImGui::GetWindowWidth() - c.px(44));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - c.px(4));
  if (icon_button(Icon::kPlus, "New chat (Ctrl+N)", c.theme, c.scale)) start_new_chat(c);
  if (std::exchange(c.window.focus_chat_filter, false)) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##filter", "Search chats", &c.window.chat_filter);
  ImGui::Dummy(ImVec2(0, c.px(4)));
  const bool working = c.snapshot.indexing.running || c.snapshot.indexing.paused;
  draw_chats(c, -c.px(working ? 206.0f : 164.0f));
  draw_background_work(c);
  ImGui::Dummy(ImVec2(0, c.px(2)));
  page_row(c, Icon::kFolder, "Library", Page::kLibrary, "Ctrl+2");
  page_row(c, Icon::kChip, "Models", Page::kModels, "Ctrl+3");
  page_row(c, Icon::kChart, "Insight", Page::kInsight, "Ctrl+4");
  page_row(c, Icon::kGear, "Settings", Page::kSettings, "Ctrl+5");
  ImGui::EndChild();
  ImGui::PopStyleVar(3);
  ImGui::PopStyleColor();
}

}  // namespace mneme::ui

// Left: chats, and the ways to the other pages.
#include <algorithm>
#include <cctype>

#include <imgui.h>
#include <imgui_stdlib.h>

#include "ui/panels/panel.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

bool contains_folded(const std::string& text, const std::string& part) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

void chat_menu(PanelContext& c, const ChatRow& chat) {
  if (!ImGui::BeginPopupContextItem("chat menu")) return;
  if (ImGui::MenuItem("Rename")) {
    c.window.renaming_chat = chat.id;
    c.window.rename_text = chat.title;
  }
  if (ImGui::MenuItem(chat.pinned ? "Unpin" : "Pin")) c.post(PinChat{chat.id, !chat.pinned});
  const char* home = std::getenv("HOME");
  const std::string base = std::string(home == nullptr ? "." : home) + "/mneme-chat-" + std::to_string(chat.id);
  if (ImGui::MenuItem("Export as Markdown")) c.post(ExportChat{chat.id, base + ".md"});
  if (ImGui::MenuItem("Export as JSON")) c.post(ExportChat{chat.id, base + ".json"});
  ImGui::Separator();
  if (ImGui::MenuItem("Delete")) c.post(DeleteChat{chat.id});
  ImGui::EndPopup();
}

void chat_row(PanelContext& c, const ChatRow& chat) {
  ImGui::PushID(static_cast<int>(chat.id));
  if (c.window.renaming_chat == chat.id) {
    ImGui::SetNextItemWidth(-1);
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    const bool done = ImGui::InputText("##rename", &c.window.rename_text, ImGuiInputTextFlags_EnterReturnsTrue);
    if (done && !c.window.rename_text.empty()) c.post(RenameChat{chat.id, c.window.rename_text});
    if (done || ImGui::IsItemDeactivated()) c.window.renaming_chat = 0;
  } else {
    const bool selected = c.window.page == Page::kChat && chat.id == c.snapshot.conversation.chat;
    if (list_row("chat", chat.pinned ? Icon::kPin : Icon::kChat, chat.title, selected, c.theme, c.scale)) {
      c.post(OpenChat{chat.id});
      c.window.page = Page::kChat;
      c.window.selected_message = -1;
      c.window.stick_to_bottom = true;
    }
    chat_menu(c, chat);
  }
  ImGui::PopID();
}

void draw_chats(PanelContext& c, float height) {
  ImGui::BeginChild("chats", ImVec2(0, height));
  if (c.snapshot.chats.empty())
    wrapped("Your questions and their answers will be kept here.", c.fonts.small, c.theme.muted);
  std::vector<const ChatRow*> shown;
  for (const ChatRow& chat : c.snapshot.chats) {
    if (contains_folded(chat.title, c.window.chat_filter)) shown.push_back(&chat);
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(shown.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) chat_row(c, *shown[static_cast<size_t>(i)]);
  }
  ImGui::EndChild();
}

void page_row(PanelContext& c, Icon icon, const char* name, Page page) {
  if (list_row(name, icon, name, c.window.page == page, c.theme, c.scale)) c.window.page = page;
}

// What is going on in the background, always in sight.
void draw_activity(PanelContext& c) {
  const IndexingView& indexing = c.snapshot.indexing;
  if (!indexing.running) return;
  const float fraction = indexing.total == 0 || indexing.counting
                             ? -1.0f
                             : static_cast<float>(indexing.done) / static_cast<float>(indexing.total);
  std::string text = indexing.pausing ? "Pausing… " : "Indexing ";
  text += human_count(static_cast<int64_t>(indexing.done));
  if (!indexing.counting) text += " of " + human_count(static_cast<int64_t>(indexing.total));
  if (indexing.eta_s >= 0.0) text += ", " + human_seconds(indexing.eta_s) + " left";
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
                    ImGuiWindowFlags_AlwaysUseWindowPadding);
  label("mneme", c.fonts.heading, c.theme.text, c.px(120));
  ImGui::SameLine(ImGui::GetWindowWidth() - c.px(44));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - c.px(4));
  if (icon_button(Icon::kPlus, "New chat (Ctrl+N)", c.theme, c.scale)) {
    c.post(NewChat{});
    c.window.page = Page::kChat;
    c.window.focus_input = true;
  }
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##filter", "Search chats", &c.window.chat_filter);
  ImGui::Dummy(ImVec2(0, c.px(4)));
  const float footer = c.px(c.snapshot.indexing.running ? 168.0f : 126.0f);
  draw_chats(c, -footer);
  draw_activity(c);
  ImGui::Dummy(ImVec2(0, c.px(2)));
  page_row(c, Icon::kFolder, "Library", Page::kLibrary);
  page_row(c, Icon::kChip, "Models", Page::kModels);
  page_row(c, Icon::kGear, "Settings", Page::kSettings);
  ImGui::EndChild();
  ImGui::PopStyleVar(3);
  ImGui::PopStyleColor();
}

}  // namespace mneme::ui

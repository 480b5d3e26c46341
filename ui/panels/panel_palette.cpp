// The palette (Ctrl+K): everything the window can do, by name.
#include <algorithm>

#include <imgui.h>
#include <imgui_stdlib.h>

#include "ui/panels/overlay.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr size_t kMostRows = 60;

struct Action {
  Icon icon;
  std::string name;
  std::string keys;
  std::function<void()> run;
};

void add_pages(PanelContext& c, std::vector<Action>& actions) {
  actions.push_back({Icon::kChat, "Go to the conversation", "Ctrl+1", [&c] {
                       go_to(c, Page::kChat);
                       c.window.focus_question = true;
                     }});
  actions.push_back({Icon::kFolder, "Go to the library", "Ctrl+2", [&c] { go_to(c, Page::kLibrary); }});
  actions.push_back({Icon::kChip, "Go to the models", "Ctrl+3", [&c] { go_to(c, Page::kModels); }});
  actions.push_back({Icon::kChart, "Go to the insight", "Ctrl+4", [&c] { go_to(c, Page::kInsight); }});
  actions.push_back({Icon::kGear, "Go to the settings", "Ctrl+5", [&c] { go_to(c, Page::kSettings); }});
}

void add_chat_actions(PanelContext& c, std::vector<Action>& actions) {
  const ConversationView& conversation = c.snapshot.conversation;
  if (c.snapshot.answering) actions.push_back({Icon::kStop, "Stop the answer", "Esc", [&c] { c.post(StopAnswer{}); }});
  if (const MessageView* answer = selected_answer(c); answer != nullptr && !c.snapshot.answering) {
    actions.push_back({Icon::kCopy, "Copy the answer", "Ctrl+Shift+C",
                       [text = answer->text] { ImGui::SetClipboardText(text.c_str()); }});
    actions.push_back({Icon::kRetry, "Answer again", "Ctrl+R", [&c] { c.post(RegenerateAnswer{}); }});
    actions.push_back({Icon::kBranch, "Branch the chat after its last answer", "",
                       [&c] { c.post(BranchChat{c.snapshot.conversation.messages.size() - 1}); }});
    for (const SourceView& source : answer->sources) {
      actions.push_back({Icon::kBook, "Open source " + std::to_string(source.n) + ": " + source.title,
                         source.n < 10 ? "Alt+" + std::to_string(source.n) : "",
                         [&c, source] { open_source(c, c.window.selected_message, source); }});
    }
  }
  if (conversation.chat == 0) return;
  const int64_t chat = conversation.chat;
  actions.push_back({Icon::kEdit, "Rename this chat", "F2", [&c, chat] {
                       c.window.renaming_chat = chat;
                       c.window.rename_text = c.snapshot.conversation.title;
                       c.window.focus_rename = true;
                     }});
  actions.push_back({Icon::kTrash, "Delete this chat", "", [&c, chat] { c.post(DeleteChat{chat}); }});
}

void add_looks(PanelContext& c, std::vector<Action>& actions) {
  const auto change = [&c](auto set) { return [&c, set] { c.change_settings(set); }; };
  actions.push_back({Icon::kPanel, "Show or hide the sources", "Ctrl+J",
                     change([](SettingsView& s) { s.show_sources = !s.show_sources; })});
  actions.push_back({Icon::kPanel, "Show or hide the sidebar", "Ctrl+B",
                     change([](SettingsView& s) { s.show_sidebar = !s.show_sidebar; })});
  actions.push_back({Icon::kGear, "Light theme", "", change([](SettingsView& s) { s.theme = ThemeChoice::kLight; })});
  actions.push_back({Icon::kGear, "Dark theme", "", change([](SettingsView& s) { s.theme = ThemeChoice::kDark; })});
  actions.push_back(
      {Icon::kGear, "Theme of the system", "", change([](SettingsView& s) { s.theme = ThemeChoice::kSystem; })});
}

std::vector<Action> palette_actions(PanelContext& c) {
  std::vector<Action> actions;
  actions.push_back({Icon::kPlus, "New chat", "Ctrl+N", [&c] { start_new_chat(c); }});
  actions.push_back({Icon::kFolder, "Add a folder…", "", [&c] { c.hooks.choose_folder(); }});
  add_pages(c, actions);
  add_chat_actions(c, actions);
  const IndexingView& indexing = c.snapshot.indexing;
  if (indexing.running) actions.push_back({Icon::kPause, "Pause indexing", "", [&c] { c.post(PauseIndexing{}); }});
  if (indexing.paused) actions.push_back({Icon::kPlay, "Resume indexing", "", [&c] { c.post(ResumeIndexing{}); }});
  if (c.snapshot.engine.state == EngineView::State::kOpen)
    actions.push_back({Icon::kChip, "Unload the model", "", [&c] { c.post(UnloadModel{}); }});
  add_looks(c, actions);
  for (const ChatRow& chat : *c.snapshot.chats)
    actions.push_back({Icon::kChat, "Chat: " + chat.title, "", [&c, id = chat.id] { open_chat(c, id); }});
  return actions;
}

}  // namespace

void draw_palette(PanelContext& c) {
  if (!c.window.palette_open) return;
  begin_overlay(c, "palette", ImVec2(c.px(600), c.px(440)));
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  const bool enter = ImGui::InputTextWithHint("##command", "What would you like to do?", &c.window.palette_text,
                                              ImGuiInputTextFlags_EnterReturnsTrue);
  std::vector<Action> actions = palette_actions(c);
  std::erase_if(actions, [&](const Action& a) { return !contains_folded(a.name, c.window.palette_text); });
  if (actions.size() > kMostRows) actions.resize(kMostRows);
  int& index = c.window.palette_index;
  const bool moved = key_pressed(ImGuiKey_DownArrow) || key_pressed(ImGuiKey_UpArrow);
  if (key_pressed(ImGuiKey_DownArrow)) ++index;
  if (key_pressed(ImGuiKey_UpArrow)) --index;
  index = std::clamp(index, 0, std::max(0, static_cast<int>(actions.size()) - 1));
  ImGui::BeginChild("actions");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(c.px(8), c.px(2)));
  for (size_t i = 0; i < actions.size(); ++i) {
    const bool selected = static_cast<int>(i) == index;
    const bool clicked = list_row(("##" + std::to_string(i)).c_str(), actions[i].icon, actions[i].name, selected,
                                  c.theme, c.scale, actions[i].keys);
    if (selected && moved) ImGui::SetScrollHereY(0.5f);
    if (clicked || (enter && selected)) {
      actions[i].run();
      c.window.palette_open = false;
      if (c.window.page == Page::kChat && c.window.renaming_chat == 0) c.window.focus_question = true;
    }
  }
  if (actions.empty()) label("Nothing is called that.", c.fonts.regular, c.theme.muted);
  ImGui::PopStyleVar();
  ImGui::EndChild();
  end_overlay();
}

}  // namespace mneme::ui

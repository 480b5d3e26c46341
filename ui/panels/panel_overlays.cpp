// What floats above the pages: the palette (Ctrl+K), the built-in folder browser, notices.
#include <algorithm>
#include <cctype>
#include <filesystem>

#include <imgui.h>
#include <imgui_stdlib.h>

#include "ui/panels/panel.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

struct Action {
  std::string name;
  std::function<void()> run;
};

std::vector<Action> palette_actions(PanelContext& c) {
  std::vector<Action> actions = {
      {"New chat",
       [&] {
         c.post(NewChat{});
         c.window.page = Page::kChat;
         c.window.focus_input = true;
       }},
      {"Add a folder…", [&] { c.choose_folder(); }},
      {"Go to the conversation",
       [&] {
         c.window.page = Page::kChat;
         c.window.focus_input = true;
       }},
      {"Go to the library", [&] { c.window.page = Page::kLibrary; }},
      {"Go to the models", [&] { c.window.page = Page::kModels; }},
      {"Go to the settings", [&] { c.window.page = Page::kSettings; }},
      {"Show or hide sources",
       [&] {
         SettingsView s = c.snapshot.settings;
         s.show_sources = !s.show_sources;
         c.post(ChangeSettings{s});
       }},
      {"Light theme",
       [&] {
         SettingsView s = c.snapshot.settings;
         s.theme = ThemeChoice::kLight;
         c.post(ChangeSettings{s});
       }},
      {"Dark theme",
       [&] {
         SettingsView s = c.snapshot.settings;
         s.theme = ThemeChoice::kDark;
         c.post(ChangeSettings{s});
       }},
  };
  if (c.snapshot.answering) actions.push_back({"Stop the answer", [&] { c.post(StopAnswer{}); }});
  if (c.snapshot.indexing.running) actions.push_back({"Pause indexing", [&] { c.post(PauseIndexing{}); }});
  for (const ChatRow& chat : c.snapshot.chats) {
    actions.push_back({"Chat: " + printable(chat.title), [&c, id = chat.id] {
                         c.post(OpenChat{id});
                         c.window.page = Page::kChat;
                       }});
  }
  return actions;
}

bool matches(const std::string& text, const std::string& part) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

bool begin_overlay(PanelContext& c, const char* id, ImVec2 size) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  size.x = std::min(size.x, display.x - c.px(32));
  size.y = std::min(size.y, display.y - c.px(64));
  ImGui::SetNextWindowPos(ImVec2((display.x - size.x) * 0.5f, std::max(c.px(24), display.y * 0.14f)));
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, c.theme.raised);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, c.px(12));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0f);
  return ImGui::Begin(id, nullptr,
                      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
}

void end_overlay() {
  ImGui::End();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
}

std::vector<std::string> folders_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    const std::string name = it->path().filename().string();
    if (!name.starts_with('.') && it->is_directory(ignored)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

void draw_palette(PanelContext& c) {
  if (!c.window.palette_open) return;
  begin_overlay(c, "palette", ImVec2(c.px(560), c.px(420)));
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  const bool enter = ImGui::InputTextWithHint("##command", "What would you like to do?", &c.window.palette_text,
                                              ImGuiInputTextFlags_EnterReturnsTrue);
  std::vector<Action> actions = palette_actions(c);
  std::erase_if(actions, [&](const Action& a) { return !matches(a.name, c.window.palette_text); });
  if (key_pressed(ImGuiKey_DownArrow)) ++c.window.palette_index;
  if (key_pressed(ImGuiKey_UpArrow)) --c.window.palette_index;
  c.window.palette_index = std::clamp(c.window.palette_index, 0, std::max(0, static_cast<int>(actions.size()) - 1));
  ImGui::BeginChild("actions");
  for (size_t i = 0; i < actions.size(); ++i) {
    const bool selected = static_cast<int>(i) == c.window.palette_index;
    const bool clicked =
        list_row(("##" + std::to_string(i)).c_str(), Icon::kChat, actions[i].name, selected, c.theme, c.scale);
    if (clicked || (enter && selected)) {
      actions[i].run();
      c.window.palette_open = false;
    }
  }
  ImGui::EndChild();
  end_overlay();
}

void draw_folder_browser(PanelContext& c) {
  WindowState& w = c.window;
  if (!w.browser_open) return;
  if (w.browser_folder.empty()) {
    const char* home = std::getenv("HOME");
    w.browser_folder = home == nullptr ? "/" : home;
  }
  begin_overlay(c, "folders", ImVec2(c.px(640), c.px(520)));
  label("Add a folder", c.fonts.heading, c.theme.text);
  ImGui::SetNextItemWidth(-1);
  ImGui::InputText("##folder", &w.browser_folder);
  ImGui::BeginChild("folders", ImVec2(0, -c.px(56)));
  const std::filesystem::path current = w.browser_folder;
  if (current.has_parent_path() && current != current.parent_path() &&
      list_row("##up", Icon::kFolder, "..", false, c.theme, c.scale)) {
    w.browser_folder = current.parent_path().string();
  }
  for (const std::string& name : folders_in(w.browser_folder)) {
    if (list_row(("##" + name).c_str(), Icon::kFolder, name, false, c.theme, c.scale)) {
      w.browser_folder = (current / name).string();
    }
  }
  ImGui::EndChild();
  if (primary_button("Index this folder", c.theme)) {
    c.post(AddFolder{w.browser_folder, w.new_collection});
    w.browser_open = false;
  }
  ImGui::SameLine();
  if (ImGui::Button("Cancel")) w.browser_open = false;
  end_overlay();
}

void draw_notices(PanelContext& c) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  float bottom = display.y - c.px(24);
  // The newest few; older ones wait until these are dismissed.
  const size_t n = c.snapshot.notices.size();
  for (size_t i = n; i-- > (n > 3 ? n - 3 : 0);) {
    const Notice& notice = c.snapshot.notices[i];
    const float width = std::min(c.px(420), display.x - c.px(32));
    const ImVec2 text =
        c.fonts.regular->CalcTextSizeA(c.fonts.regular->FontSize, FLT_MAX, width - c.px(72), notice.text.c_str());
    const float height = text.y + c.px(28);
    ImGui::SetNextWindowPos(ImVec2(display.x - width - c.px(24), bottom - height));
    ImGui::SetNextWindowSize(ImVec2(width, height));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, c.theme.raised);
    ImGui::PushStyleColor(ImGuiCol_Border, notice.is_error ? c.theme.danger : c.theme.border);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, c.px(10));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0f);
    ImGui::Begin(("notice " + std::to_string(notice.id)).c_str(), nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing);
    wrapped(notice.text, c.fonts.regular, notice.is_error ? c.theme.danger : c.theme.text, width - c.px(72));
    ImGui::SetCursorPos(ImVec2(width - c.px(40), c.px(6)));
    if (icon_button(Icon::kClose, "Dismiss", c.theme, c.scale)) c.post(DismissNotice{notice.id});
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor(2);
    bottom -= height + c.px(8);
  }
}

}  // namespace mneme::ui

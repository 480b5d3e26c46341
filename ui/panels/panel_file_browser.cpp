// The built-in browser for folders and GGUF files, where the desktop has no dialog.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <imgui.h>

#include "ui/panels/overlay.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

using Entry = FolderListing::Entry;

constexpr double kReadEvery_s = 2.0;  // what appears in the folder meanwhile is seen then

// Visible folders, and model files when those are looked for; folders first.
std::vector<Entry> entries_in(const std::string& folder, bool with_models) {
  std::vector<Entry> entries;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    const std::string name = it->path().filename().string();
    const bool is_folder = it->is_directory(ignored);
    if (name.starts_with('.') || !(is_folder || (with_models && name.ends_with(".gguf")))) continue;
    entries.push_back({name, is_folder});
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.is_folder != b.is_folder ? a.is_folder : a.name < b.name; });
  return entries;
}

const std::vector<Entry>& listing_of(WindowState& w) {
  FolderListing& listing = w.browser_listing;
  const bool same = listing.folder == w.browser_folder && listing.with_models == w.browser_for_model;
  if (!same || ImGui::GetTime() - listing.read_at > kReadEvery_s)
    listing = {w.browser_folder, w.browser_for_model, ImGui::GetTime(),
               entries_in(w.browser_folder, w.browser_for_model)};
  return listing.entries;
}

void take_folder(PanelContext& c) {
  c.post(AddFolder{c.window.browser_folder, c.window.new_collection});
  c.window.browser_open = false;
  go_to(c, Page::kLibrary);
}

void take_model(PanelContext& c) {
  c.post(AddModel{c.window.browser_folder});
  c.window.browser_open = false;
  c.window.browser_folder.clear();  // begins at home the next time
}

}  // namespace

void draw_file_browser(PanelContext& c) {
  WindowState& w = c.window;
  if (!w.browser_open) return;
  if (w.browser_folder.empty()) {
    const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): nobody sets variables here
    w.browser_folder = home == nullptr ? "/" : home;
  }
  begin_overlay(c, "browser", ImVec2(c.px(640), c.px(520)));
  label(w.browser_for_model ? "Add a model file (GGUF)" : "Add a folder", c.fonts.heading, c.theme.text);
  if (ImGui::IsWindowAppearing()) w.browser_field.focus();
  const char* hint = w.browser_for_model ? "Path of a GGUF file or its folder" : "Path of a folder";
  const bool enter = w.browser_field.draw("##folder", w.browser_folder, 0.0f, hint, c.theme, c.scale).submitted;
  ImGui::BeginChild("entries", ImVec2(0, -c.px(56)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(c.px(8), c.px(2)));
  const std::filesystem::path current = w.browser_folder;
  if (current.has_parent_path() && current != current.parent_path() &&
      list_row("##up", Icon::kFolder, "..", false, c.theme, c.scale)) {
    w.browser_folder = current.parent_path().string();
  }
  for (const Entry& entry : listing_of(w)) {
    const Icon icon = entry.is_folder ? Icon::kFolder : Icon::kChip;
    if (!list_row(("##" + entry.name).c_str(), icon, entry.name, false, c.theme, c.scale)) continue;
    w.browser_folder = (current / entry.name).string();
    if (!entry.is_folder) take_model(c);
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
  if (!w.browser_for_model) {
    if (primary_button("Index this folder", c.theme) || enter) take_folder(c);
    ImGui::SameLine();
  } else if (enter && w.browser_folder.ends_with(".gguf")) {
    take_model(c);
  }
  if (ImGui::Button("Cancel")) w.browser_open = false;
  end_overlay();
}

}  // namespace mneme::ui

// The built-in browser for folders and GGUF files, where the desktop has no dialog. The controller lists them.
#include <cstdlib>
#include <filesystem>

#include <imgui.h>

#include "ui/panels/overlay.h"
#include "ui/view_model/folder_listing.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr double kReadEvery_s = 2.0;  // what appears in the folder meanwhile is seen then

std::string home_folder() {
  const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): nobody sets variables here
  return home == nullptr ? "/" : home;
}

// The folder, or file, that is named now.
std::string named_now(const WindowState& w) {
  return typed_path(w.browser_folder, home_folder());
}

// The listing of `folder`; null until it is there.
const FolderView* listing_of(PanelContext& c, const std::string& folder) {
  WindowState& w = c.window;
  AskedFolder& asked = w.browser_asked;
  const bool same = asked.folder == folder && asked.with_models == w.browser_for_model;
  if (!same || ImGui::GetTime() - asked.at > kReadEvery_s) {
    asked = {folder, w.browser_for_model, ImGui::GetTime()};
    c.post(ListFolder{asked.folder, asked.with_models});
  }
  const FolderView* view = c.snapshot.folder.get();
  const bool known = view != nullptr && view->folder == folder && view->with_models == w.browser_for_model;
  return known ? view : nullptr;
}

void take_folder(PanelContext& c) {
  c.post(AddFolder{named_now(c.window), c.window.new_collection});
  c.window.browser_open = false;
  go_to(c, Page::kLibrary);
}

void take_model(PanelContext& c) {
  c.post(AddModel{named_now(c.window)});
  c.window.browser_open = false;
  c.window.browser_folder.clear();  // begins at home the next time
}

// Who has clicked on a folder takes it with Enter; who goes through the list by keys goes on in it.
void open_folder(WindowState& w, const std::filesystem::path& folder) {
  w.browser_folder = folder.string();
  if (ImGui::IsMouseReleased(ImGuiMouseButton_Left)) w.browser_field.focus();
}

std::string folder_name(const std::filesystem::path& folder) {
  return folder.has_filename() ? folder.filename().string() : folder.string();
}

void draw_entries(PanelContext& c, const FolderView* listing) {
  WindowState& w = c.window;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(c.px(8), c.px(2)));
  const std::filesystem::path current = named_now(w);
  if (current.has_parent_path() && current != current.parent_path() &&
      list_row("##up", Icon::kPrevious, filled(tr("Back to {0}"), folder_name(current.parent_path())), false, c.theme,
               c.scale)) {
    open_folder(w, current.parent_path());
  }
  if (listing != nullptr && listing->error.empty() && listing->entries.empty()) {
    ImGui::Indent(c.px(34));
    label(listing->is_file      ? tr("This is a file, which is taken by itself.")
          : w.browser_for_model ? tr("No folders and no GGUF files in here.")
                                : tr("No folders in here."),
          c.fonts.regular, c.theme.muted);
    ImGui::Unindent(c.px(34));
  }
  if (listing != nullptr && !listing->error.empty()) {
    ImGui::Indent(c.px(34));  // where the names of folders begin
    wrapped(listing->error, c.fonts.regular, c.theme.danger);
    ImGui::Unindent(c.px(34));
  }
  ImGuiListClipper clipper;
  clipper.Begin(listing == nullptr ? 0 : static_cast<int>(listing->entries.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const FolderView::Entry& entry = listing->entries[static_cast<size_t>(i)];
      const Icon icon = entry.is_folder ? Icon::kFolder : Icon::kChip;
      if (!list_row(("##" + entry.name).c_str(), icon, entry.name, false, c.theme, c.scale)) continue;
      open_folder(w, (listing->within.empty() ? current : std::filesystem::path(listing->within)) / entry.name);
      if (!entry.is_folder) take_model(c);
    }
  }
  ImGui::PopStyleVar();
}

// The button that takes what is named, as Enter does.
void draw_taking(PanelContext& c, const FolderView* listing, bool enter) {
  const bool is_file = listing != nullptr && listing->is_file;
  const bool none = listing != nullptr && !(listing->error.empty() && listing->within.empty());
  const bool model = c.window.browser_for_model;
  const bool can = model ? named_now(c.window).ends_with(".gguf") : !none;
  ImGui::BeginDisabled(!can);
  const char* name = model ? tr("Add this model") : is_file ? tr("Index this file") : tr("Index this folder");
  if (primary_button(name, c.theme) || (enter && can)) model ? take_model(c) : take_folder(c);
  ImGui::EndDisabled();
  ImGui::SameLine();
}

}  // namespace

void draw_file_browser(PanelContext& c) {
  WindowState& w = c.window;
  if (!w.browser_open) return;
  const bool clicked_beside = begin_overlay(c, "browser", ImVec2(c.px(640), c.px(520)));
  label(w.browser_for_model ? tr("Add a model file (GGUF)") : tr("Add a folder"), c.fonts.heading, c.theme.text);
  if (ImGui::IsWindowAppearing()) {
    if (w.browser_folder.empty()) w.browser_folder = home_folder();
    w.browser_field.focus(/*select_all=*/true);  // who has a path to type or to paste begins at once
  }
  if (clicked_beside) w.browser_field.focus();
  const char* hint = w.browser_for_model ? tr("Path of a GGUF file or its folder") : tr("Path of a folder");
  const bool enter = w.browser_field.draw("##folder", w.browser_folder, 0.0f, hint, c.theme, c.scale).submitted;
  const FolderView* listing = listing_of(c, named_now(w));
  // Down to the buttons, which stand at the lower border.
  ImGui::BeginChild("entries", ImVec2(0, -ImGui::GetFrameHeightWithSpacing()));
  draw_entries(c, listing);
  ImGui::EndChild();
  draw_taking(c, listing, enter);
  if (plain_button(tr("Cancel"))) w.browser_open = false;
  end_overlay();
}

}  // namespace mneme::ui

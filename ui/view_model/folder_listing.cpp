#include "ui/view_model/folder_listing.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <tuple>

#include "ui/language/tr.h"

namespace mneme::ui {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostEntries = 20'000;  // nobody scrolls through more: the path can be typed

}  // namespace

namespace {

// What stands in a folder that is there.
void list_entries(const std::string& folder, FolderView& view) {
  std::error_code error;
  fs::directory_iterator it(folder, error);
  if (error) view.error = filled(tr("This folder cannot be read: {0}."), error.message());
  for (const fs::directory_iterator end; !error && it != end && view.entries.size() < kMostEntries;
       it.increment(error)) {
    std::error_code ignored;
    std::string name = it->path().filename().string();
    const bool is_folder = it->is_directory(ignored);
    if (name.starts_with('.') || !(is_folder || (view.with_models && name.ends_with(".gguf")))) continue;
    view.entries.push_back({std::move(name), is_folder});
  }
  const auto key = [](const FolderView::Entry& e) { return std::tuple(!e.is_folder, std::string_view(e.name)); };
  std::sort(view.entries.begin(), view.entries.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
}

bool begins_alike(std::string_view name, std::string_view begun) {
  return name.size() >= begun.size() && std::equal(begun.begin(), begun.end(), name.begin(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
         });
}

// A name that is being typed: what it may become.
void list_begun(const fs::path& folder, FolderView& view) {
  std::error_code ignored;
  if (folder.has_filename() && fs::is_directory(folder.parent_path(), ignored)) {
    list_entries(folder.parent_path().string(), view);
    const std::string begun = folder.filename().string();
    std::erase_if(view.entries, [&](const FolderView::Entry& entry) { return !begins_alike(entry.name, begun); });
    if (!view.entries.empty()) view.within = folder.parent_path().string();
  }
  if (view.entries.empty() && view.error.empty()) view.error = tr("There is no folder of this name.");
}

}  // namespace

FolderView list_folder(const std::string& folder, bool with_models) {
  FolderView view{folder, with_models, {}, {}};
  if (!fs::path(folder).is_absolute()) {
    view.error = tr("Type the whole path: it begins with / or with ~ for your home.");
    return view;
  }
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (fs::is_directory(status)) {
    list_entries(folder, view);
  } else if (!fs::exists(status)) {
    list_begun(folder, view);
  } else {
    view.is_file = true;
  }
  return view;
}

std::string typed_path(const std::string& typed, const std::string& home) {
  const size_t first = typed.find_first_not_of(" \t\n");
  if (first == typed.npos) return "";
  std::string path = typed.substr(first, typed.find_last_not_of(" \t\n") - first + 1);
  if (path == "~" || path.starts_with("~/")) path.replace(0, 1, home);
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

}  // namespace mneme::ui

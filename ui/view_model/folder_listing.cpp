#include "ui/view_model/folder_listing.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

namespace mneme::ui {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostEntries = 20'000;  // nobody scrolls through more: the path can be typed

}  // namespace

FolderView list_folder(const std::string& folder, bool with_models) {
  FolderView view{folder, with_models, {}, {}};
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (!fs::exists(status)) view.error = "There is no folder of this name.";
  if (!fs::is_directory(status)) return view;
  fs::directory_iterator it(folder, error);
  if (error) view.error = "This folder cannot be read: " + error.message() + ".";
  for (const fs::directory_iterator end; !error && it != end && view.entries.size() < kMostEntries;
       it.increment(error)) {
    std::error_code ignored;
    std::string name = it->path().filename().string();
    const bool is_folder = it->is_directory(ignored);
    if (name.starts_with('.') || !(is_folder || (with_models && name.ends_with(".gguf")))) continue;
    view.entries.push_back({std::move(name), is_folder});
  }
  const auto key = [](const FolderView::Entry& e) { return std::tuple(!e.is_folder, std::string_view(e.name)); };
  std::sort(view.entries.begin(), view.entries.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  return view;
}

}  // namespace mneme::ui

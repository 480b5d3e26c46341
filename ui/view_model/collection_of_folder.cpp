#include "ui/view_model/collection_of_folder.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/utf8.h"
#include "rag/text/documents/path_names.h"

namespace mneme::ui {

std::string collection_of_folder(const std::string& path, const std::vector<CollectionRow>& collections) {
  for (const CollectionRow& row : collections) {
    if (std::any_of(row.roots.begin(), row.roots.end(), [&](const auto& root) { return rag::lies_in(path, root); }))
      return row.name;
  }
  std::filesystem::path folder = std::filesystem::path(path).lexically_normal();
  std::error_code error;
  if (!folder.has_filename() || std::filesystem::is_regular_file(folder, error)) folder = folder.parent_path();
  const std::string name = folder.filename().string();
  const bool printable = std::none_of(name.begin(), name.end(), [](char c) { return c >= 0 && c < ' '; });
  return name.empty() || !printable || !utf8::valid(name) ? "default" : name;
}

}  // namespace mneme::ui

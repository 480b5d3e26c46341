#include "rag/text/documents/path_names.h"

#include <algorithm>
#include <vector>

#include "base/utf8.h"

namespace mneme::rag {

namespace {

constexpr size_t kMostNames = 8;      // of the lowest folders and the file
constexpr size_t kLongestName = 120;  // bytes
constexpr std::string_view kBelow = " > ";

// "report.final.pdf" is "report.final"; ".profile" is itself.
std::string_view without_extension(std::string_view name) {
  const size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
}

// Where the name of the indexed folder begins in the path.
size_t begin_of_names(std::string_view path, std::span<const std::string> roots) {
  size_t shortest = path.size();
  for (const std::string& root : roots) {
    if (lies_in(path, root)) shortest = std::min(shortest, root.size());
  }
  const bool is_file = shortest == path.size() || path.substr(shortest).starts_with(kMemberMark);
  std::string_view folder = path.substr(0, shortest);
  if (is_file) folder = folder.substr(0, std::max<size_t>(1, folder.rfind('/') + 1) - 1);
  const size_t slash = folder.rfind('/');
  return slash == std::string_view::npos ? 0 : slash + 1;
}

std::vector<std::string_view> names_in(std::string_view path) {
  std::vector<std::string_view> names;
  for (size_t begin = 0; begin < path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    std::string_view name = path.substr(begin, end - begin);
    begin = end + 1;
    const bool is_archive = end < path.size() && name.ends_with('!');
    if (is_archive) name.remove_suffix(1);
    if (is_archive || end == path.size()) name = without_extension(name);
    if (!name.empty() && (names.empty() || names.back() != name)) names.push_back(name);
  }
  return names;
}

}  // namespace

bool lies_in(std::string_view path, std::string_view folder) {
  if (folder == "/") return path.starts_with('/');
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/' ||
                                      path.substr(folder.size()).starts_with(kMemberMark));
}

std::string path_names(std::string_view path, std::span<const std::string> roots, std::string_view title) {
  std::vector<std::string_view> names = names_in(path.substr(begin_of_names(path, roots)));
  const std::string_view file = path.substr(path.rfind('/') + 1);
  if (names.size() > 1 && (names.back() == title || file == title)) names.pop_back();
  if (names.size() > kMostNames) names.erase(names.begin(), names.end() - static_cast<std::ptrdiff_t>(kMostNames));
  std::string joined;
  for (const std::string_view name : names) {
    if (!joined.empty()) joined += kBelow;
    joined += utf8::sanitise(name.substr(0, utf8::floor_boundary(name, kLongestName)));
  }
  return joined;
}

std::string title_with_folders(std::string_view title, std::string_view path, std::string_view names) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  const size_t below_root = names.find(kBelow);
  if (below_root == std::string_view::npos || (file != title && without_extension(file) != title)) {
    return std::string(title);
  }
  names.remove_prefix(below_root + kBelow.size());
  if (const size_t lowest = names.rfind(kBelow); lowest != std::string_view::npos) {
    const size_t second = names.substr(0, lowest).rfind(kBelow);
    if (second != std::string_view::npos) names.remove_prefix(second + kBelow.size());
  }
  return std::string(names).append(kBelow).append(title);
}

}  // namespace mneme::rag

#include "storage/env/free_name.h"

#include <string_view>

namespace mneme::storage {
namespace {

// Whoever has so many copies of one name wants them tidied, not another.
constexpr int kMostCopies = 9999;

// Where the extension of a path's last name begins, or its end: ".profile" and "a.d/name" have none.
size_t extension_begin(std::string_view path) {
  const size_t slash = path.rfind('/');
  const size_t name = slash == std::string_view::npos ? 0 : slash + 1;
  const size_t dot = path.rfind('.');
  return dot == std::string_view::npos || dot <= name ? path.size() : dot;
}

}  // namespace

Result<std::string> free_name(FileEnv& env, const std::string& path) {
  const size_t extension = extension_begin(path);
  std::string candidate = path;
  for (int copy = 2; copy <= kMostCopies + 1; ++copy) {
    const Result<FileStat> there = env.stat(candidate);
    if (!there.ok() && there.status().code() == StatusCode::kNotFound) return candidate;
    if (!there.ok()) return there.status();
    candidate = path.substr(0, extension) + " (" + std::to_string(copy) + ")" + path.substr(extension);
  }
  return usage_error("cannot write another copy of " + path + ": there are " + std::to_string(kMostCopies) +
                     " already; remove some or move them elsewhere.");
}

}  // namespace mneme::storage

#include "tests/faults/folder_digest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace mneme::faults {
namespace {

namespace fs = std::filesystem;

bool is_passing(const std::string& path) {
  return path.ends_with("-shm") || path.ends_with(".lock");
}

void add_text(Hasher128& hasher, const std::string& text) {
  hasher.add(as_bytes(text));
}

void add_content(Hasher128& hasher, const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_TRUE(stream.good() || stream.eof()) << path;
  add_text(hasher, bytes);
}

}  // namespace

Hash128 digest_of(const std::string& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  Hasher128 hasher;
  for (const fs::path& path : paths) {
    if (is_passing(path.string())) continue;
    const fs::file_status status = fs::symlink_status(path);
    add_text(hasher, path.lexically_relative(folder).string());
    add_text(hasher, std::to_string(static_cast<int>(status.type())) + " " +
                         std::to_string(static_cast<int>(status.permissions())));
    if (fs::is_regular_file(status)) add_content(hasher, path);
  }
  return hasher.finish();
}

}  // namespace mneme::faults

#include "tests/faults/memory_files.h"

#include <gtest/gtest.h>

namespace mneme::faults {

void collect(storage::MemoryEnv& env, const std::string& folder, Files& files) {
  const auto names = env.list(folder);
  ASSERT_TRUE(names.ok()) << folder;
  for (const std::string& name : *names) {
    const std::string path = folder + "/" + name;
    const auto stat = env.stat(path);
    ASSERT_TRUE(stat.ok()) << path;
    if (stat->kind == storage::FileKind::kDirectory) {
      collect(env, path, files);
      continue;
    }
    if (path.ends_with("-shm") || path.ends_with(".lock")) continue;
    const auto bytes = storage::read_whole(env, path, 1 << 28);
    ASSERT_TRUE(bytes.ok()) << path;
    files[path] = *bytes;
  }
}

void lay(storage::MemoryEnv& env, const Files& files) {
  for (const auto& [path, bytes] : files) {
    ASSERT_TRUE(env.make_directories(path.substr(0, path.rfind('/'))).ok());
    ASSERT_TRUE(storage::write_atomically(env, path, bytes).ok());
  }
}

}  // namespace mneme::faults

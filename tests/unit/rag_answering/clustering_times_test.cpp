#include "rag/kv_reuse/clustering_times.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "storage/env/file_env.h"
#include "storage/env/memory_env.h"
#include "tests/support/process_folder.h"

namespace mneme::rag {
namespace {

TEST(ClusteringTimesFile, OneFilePerModelAndNoneAtFirst) {
  const std::string folder = test::process_folder() + "/clustering_times";
  std::filesystem::create_directories(folder);
  storage::FileEnv& env = storage::FileEnv::posix();
  ClusteringTimesFile one(env, folder, "/models/a.gguf");
  ClusteringTimesFile other(env, folder, "/models/b.gguf");
  EXPECT_EQ(one.load().status().code(), StatusCode::kNotFound);
  ASSERT_TRUE(one.save("clustering 1\nlayer 2\n").ok());
  EXPECT_EQ(*one.load(), "clustering 1\nlayer 2\n");
  EXPECT_EQ(other.load().status().code(), StatusCode::kNotFound);
  std::filesystem::remove_all(folder);
}

TEST(ClusteringTimesFile, WhatTheDiskChangedIsNotUsed) {
  storage::MemoryEnv env;
  ASSERT_TRUE(env.make_directories("/models").ok());
  ClusteringTimesFile file(env, "/models", "/models/a.gguf");
  ASSERT_TRUE(file.save("clustering 1\nlayer 2\n").ok());
  const std::string path = "/models/" + env.list("/models")->front();
  std::vector<std::byte> bytes = *storage::read_whole(env, path, 4096);
  bytes[11] ^= std::byte{4};  // the 1 becomes a 5
  ASSERT_TRUE(storage::write_atomically(env, path, bytes).ok());
  EXPECT_EQ(file.load().status().code(), StatusCode::kCorruption);
}

}  // namespace
}  // namespace mneme::rag

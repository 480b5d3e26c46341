#include "rag/kv_reuse/clustering_times.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "storage/env/file_env.h"

namespace mneme::rag {
namespace {

TEST(ClusteringTimesFile, OneFilePerModelAndNoneAtFirst) {
  const std::string folder = ::testing::TempDir() + "/clustering_times";
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

}  // namespace
}  // namespace mneme::rag

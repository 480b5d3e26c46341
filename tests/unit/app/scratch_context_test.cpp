// Measurements in a home of their own leave the user's alone.
#include "app/scratch_context.h"

#include <gtest/gtest.h>

#include "app/session.h"
#include "rag/workspace.h"

namespace mneme::app {
namespace {

TEST(ScratchContextTest, KnowsNothingOfTheUsersKvStore) {
  CancelToken cancel;
  Context context{{}, {.data = "/home/a/data", .config = "/home/a/config"}, Output(true, Verbosity::kVerbose), cancel};
  context.options.kv_roots = {"/big/disk"};
  context.options.kv_quota_gb = 100;
  context.options.model = "small";
  context.options.threads = 3;
  const Context scratch = scratch_context(context, "/tmp/home");
  const auto workspace = plain_workspace_options(scratch);
  ASSERT_TRUE(workspace.ok()) << workspace.status().message();
  EXPECT_EQ(workspace->home, "/tmp/home");
  EXPECT_TRUE(workspace->kv.roots.empty());
  EXPECT_EQ(workspace->kv.quota_bytes, 0u);
  EXPECT_EQ(workspace->model, "small") << "what is measured";
  EXPECT_EQ(workspace->n_threads, 3);
  EXPECT_EQ(scratch.directories.config, "/tmp/home");
  EXPECT_EQ(&scratch.cancel, &cancel);
}

}  // namespace
}  // namespace mneme::app

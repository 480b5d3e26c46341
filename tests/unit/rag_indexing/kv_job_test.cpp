// `index --kv now`: what is computed, what is there already, and where it stops.
#include "rag/indexing/kv_job.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "rag/indexing/indexer.h"
#include "rag/kv_reuse/kv_library.h"
#include "rag/workspace.h"
#include "tests/support/random_gguf.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

using engine::KvLevel;

class KvJobTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto model = testing::random_gguf({.vocab_size = 320, .context = 4096, .vocabulary = true});
    const std::string path = home_.write("model.gguf", as_text(model));
    workspace_ = open_plain_workspace(home_ / "home", 2, "hashed", path);
    ASSERT_NE(workspace_, nullptr);
    for (const char* word : {"One", "Two", "Ten"})
      docs_.write(std::string(word) + ".md", std::string(word) + " ferry.\n");
    IndexOptions options;
    options.paths = {docs_.path()};
    ASSERT_EQ(Indexer(*workspace_).run(options)->chunks, 3u);
  }

  KvReport compute(const KvCallbacks& callbacks = {}, const CancelToken& cancel = never_cancelled()) {
    const auto report = compute_collection_kv(*workspace_, "default", KvLevel::kExact, callbacks, cancel);
    EXPECT_TRUE(report.ok()) << report.status().message();
    return report.ok() ? *report : KvReport{};
  }

  TemporaryFolder home_;
  TemporaryFolder docs_;
  std::unique_ptr<Workspace> workspace_;
};

TEST_F(KvJobTest, ComputesWhatIsNotStoredYetAndSaysBeforehandHowMuchThatIs) {
  std::vector<KvEstimate> estimates;
  std::vector<KvProgress> steps;
  KvCallbacks callbacks;
  callbacks.estimated = [&](const KvEstimate& estimate) {
    EXPECT_TRUE(steps.empty() || !estimates.empty()) << "before the first is computed";
    estimates.push_back(estimate);
  };
  callbacks.progress = [&](const KvProgress& progress) { steps.push_back(progress); };
  const KvReport first = compute(callbacks);
  EXPECT_EQ(first.computed, 3);
  EXPECT_EQ(first.already_stored, 0);
  EXPECT_GT(first.bytes, 0u);
  EXPECT_GT(first.seconds, 0);
  EXPECT_FALSE(first.interrupted || first.quota_reached);
  ASSERT_EQ(estimates.size(), 1u);
  EXPECT_EQ(estimates[0].chunks, 3);
  EXPECT_EQ(estimates[0].stored, 0);
  EXPECT_EQ(estimates[0].tokens, first.tokens);
  EXPECT_GT(estimates[0].seconds, 0);
  EXPECT_GT(estimates[0].quota_bytes, first.bytes);
  ASSERT_EQ(steps.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(steps[i].done, static_cast<int64_t>(i) + 1);
    EXPECT_EQ(steps[i].total, 3);
  }
  const KvReport nothing_new = compute(callbacks);
  EXPECT_EQ(nothing_new.computed, 0);
  EXPECT_EQ(nothing_new.already_stored, 3);
  EXPECT_EQ(nothing_new.bytes, first.bytes);
  EXPECT_EQ(estimates.size(), 1u) << "there is nothing to estimate";
  docs_.write("four.md", "Four ferries.\n");
  IndexOptions options;
  options.paths = {docs_.path()};
  ASSERT_TRUE(Indexer(*workspace_).run(options).ok());
  const KvReport one_more = compute(callbacks);
  EXPECT_EQ(one_more.computed, 1);
  EXPECT_EQ(one_more.already_stored, 3);
  EXPECT_EQ(estimates.back().stored, 3);
}

TEST_F(KvJobTest, InterruptedItKeepsWhatIsDone) {
  CancelToken cancel;
  KvCallbacks callbacks;
  callbacks.progress = [&](const KvProgress& progress) {
    if (progress.done == 2) cancel.cancel();
  };
  const KvReport cut = compute(callbacks, cancel);
  EXPECT_TRUE(cut.interrupted);
  EXPECT_FALSE(cut.quota_reached);
  EXPECT_EQ(cut.computed, 2);
  const KvReport rest = compute();
  EXPECT_EQ(rest.already_stored, 2);
  EXPECT_EQ(rest.computed, 1);
  EXPECT_EQ(compute_collection_kv(*workspace_, "letters", KvLevel::kExact).status().code(), StatusCode::kNotFound);
  EXPECT_FALSE(rest.interrupted);
}

// Going on would throw out what it has computed itself.
TEST_F(KvJobTest, StopsWhereTheStoreIsFull) {
  compute();
  const auto kv = workspace_->kv();
  ASSERT_TRUE(kv.ok()) << kv.status().message();
  const uint64_t of_three = kv->library->store().meter()->bytes;
  ASSERT_TRUE(kv->library->store().erase_all().ok());
  kv->library->store().set_quota(of_three / 10 * 9);
  const KvReport report = compute();
  EXPECT_TRUE(report.quota_reached);
  EXPECT_FALSE(report.interrupted);
  EXPECT_EQ(report.computed, 2);
  EXPECT_EQ(kv->library->store().meter()->chunks, 2);
}

}  // namespace
}  // namespace mneme::rag

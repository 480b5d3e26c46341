#include "rag/retrieval/reranker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/encoder.h"
#include "rag/indexing/indexer.h"
#include "rag/kv_reuse/kv_library.h"
#include "rag/retrieval/cross_encoder_reranker.h"
#include "rag/retrieval/likelihood_reranker.h"
#include "rag/retrieval/retriever.h"
#include "rag/workspace.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const auto kFarOff = Reranker::Clock::now() + std::chrono::hours(1);

class RerankerTest : public ::testing::Test {
 protected:
  void open(const std::string& model) {
    workspace_ = open_plain_workspace(home_.path(), 1, "hashed", model);
    ASSERT_NE(workspace_, nullptr);
  }

  std::string write_model(mneme::testing::RandomModel model) {
    model.vocab_size = 320;
    model.vocabulary = true;
    return mneme::testing::write_temporary(mneme::testing::random_gguf(model), "reranker.gguf");
  }

  TemporaryFolder home_;
  TemporaryFolder docs_;
  std::unique_ptr<Workspace> workspace_;
};

TEST(Standardised, HasMeanZeroAndDeviationOne) {
  const double scores[] = {1.0, 3.0};
  EXPECT_EQ(standardised(scores), (std::vector<double>{-1.0, 1.0}));
  const double equal[] = {2.0, 2.0, 2.0};
  EXPECT_EQ(standardised(equal), (std::vector<double>{0.0, 0.0, 0.0}));
  EXPECT_TRUE(standardised({}).empty());
}

TEST_F(RerankerTest, StoredKvGivesTheLikelihoodThatComputingGives) {
  open(write_model({.n_layers = 3}));
  auto reranker = open_reranker(*workspace_, "model");
  ASSERT_TRUE(reranker.ok()) << reranker.status().message();
  auto& likelihood = dynamic_cast<LikelihoodReranker&>(**reranker);
  const std::string_view passages[] = {"the kettle is red and stands on the stove", "a pump lifts water", "ferry"};
  const auto computed = likelihood.score("where is the kettle", passages, kFarOff, never_cancelled());
  ASSERT_TRUE(computed.ok()) << computed.status().message();
  ASSERT_THAT(*computed, SizeIs(3));
  EXPECT_EQ(likelihood.n_loaded(), 0);
  const auto kv = workspace_->kv();
  ASSERT_TRUE(kv.ok());
  for (const std::string_view passage : passages) {
    const Status stored =
        kv->library->compute(kv->library->tokens_of(passage), engine::KvLevel::kExact, never_cancelled());
    ASSERT_TRUE(stored.ok()) << stored.message();
  }
  const auto loaded = likelihood.score("where is the kettle", passages, kFarOff, never_cancelled());
  ASSERT_TRUE(loaded.ok()) << loaded.status().message();
  EXPECT_EQ(likelihood.n_loaded(), 3);
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR((*loaded)[i], (*computed)[i], 5e-3) << i;
}

TEST_F(RerankerTest, StopsAtTheDeadlineButReadsOne) {
  open(write_model({}));
  auto reranker = open_reranker(*workspace_, "model");
  ASSERT_TRUE(reranker.ok());
  const std::string_view passages[] = {"one", "two", "three"};
  const auto scores = (*reranker)->score("which", passages, Reranker::Clock::now(), never_cancelled());
  ASSERT_TRUE(scores.ok());
  EXPECT_THAT(*scores, SizeIs(1));
  CancelToken cancel;
  cancel.cancel();
  EXPECT_EQ((*reranker)->score("which", passages, kFarOff, cancel).status().code(), StatusCode::kCancelled);
}

TEST(RerankerTime, NothingIsBegunThatWouldEndTooLate) {
  using std::chrono::milliseconds;
  const Reranker::Clock::time_point begun{};
  const auto now = begun + milliseconds(100);
  EXPECT_TRUE(time_for_more(begun, now, 0, 4, begun)) << "the first are always read";
  EXPECT_TRUE(time_for_more(begun, now, 2, 1, begun + milliseconds(151)));
  EXPECT_FALSE(time_for_more(begun, now, 2, 1, begun + milliseconds(149)));
  EXPECT_FALSE(time_for_more(begun, now, 2, 3, begun + milliseconds(249)));
  EXPECT_FALSE(time_for_more(begun, now, 2, 1, begun));
}

// Looking for stored KV is no reason to calibrate.
TEST_F(RerankerTest, ANewHomeIsNotCalibratedForAnOrder) {
  open(write_model({}));
  auto reranker = open_reranker(*workspace_, "model");
  ASSERT_TRUE(reranker.ok());
  const std::string_view passages[] = {"one"};
  ASSERT_TRUE((*reranker)->score("which", passages, kFarOff, never_cancelled()).ok());
  const auto kv = workspace_->kv();
  ASSERT_TRUE(kv.ok());
  EXPECT_EQ(kv->library->calibration(engine::KvLevel::kMedium), Hash128{});
}

TEST_F(RerankerTest, ACrossEncoderScoresPairs) {
  open("none");
  const std::string path = write_model({.architecture = "bert", .n_kv_heads = 4, .context = 128, .pooling = 4});
  auto reranker = open_reranker(*workspace_, path);
  ASSERT_TRUE(reranker.ok()) << reranker.status().message();
  auto encoder = engine::Encoder::open(path, {.device = {.device = "cpu", .n_threads = 1}});
  ASSERT_TRUE(encoder.ok());
  const std::string_view passages[] = {"the kettle is red", "a pump lifts water", "ferry", "", "the ferry leaves"};
  const auto scores = (*reranker)->score("when does the ferry leave", passages, kFarOff, never_cancelled());
  const auto expected = (*encoder)->rank("when does the ferry leave", passages);
  ASSERT_TRUE(scores.ok() && expected.ok());
  ASSERT_THAT(*scores, SizeIs(5));
  for (size_t i = 0; i < scores->size(); ++i) EXPECT_NEAR((*scores)[i], (*expected)[i], 1e-4);
}

TEST_F(RerankerTest, RefusesWhatCannotRank) {
  open("none");
  EXPECT_EQ(open_reranker(*workspace_, "model").status().code(), StatusCode::kUnsupported);
  EXPECT_EQ(open_reranker(*workspace_, "no-such-model").status().code(), StatusCode::kNotFound);
  const std::string embedder = write_model({.architecture = "bert", .n_kv_heads = 4, .context = 128});
  const Status refused = open_reranker(*workspace_, embedder).status();
  EXPECT_EQ(refused.code(), StatusCode::kUnsupported);
  EXPECT_THAT(refused.message(), HasSubstr("classification head"));
}

// Likes texts with one word, reads a number of them, or fails.
class FakeReranker final : public Reranker {
 public:
  const std::string& name() const override { return name_; }
  double weight() const override { return 50.0; }
  Result<std::vector<double>> score(std::string_view, std::span<const std::string_view> passages, Clock::time_point,
                                    const CancelToken&) override {
    if (fails) return io_error("the model is gone");
    std::vector<double> scores;
    for (const std::string_view passage : passages) {
      if (scores.size() < reads) scores.push_back(passage.find("favourite") != std::string_view::npos ? 1.0 : 0.0);
    }
    return scores;
  }

  size_t reads = 100;
  bool fails = false;

 private:
  const std::string name_ = "a fake";
};

TEST_F(RerankerTest, ItsWordDecidesAmongWhatItRead) {
  docs_.write("a.txt", "The ferry leaves at noon. The ferry is white, the ferry is fast.\n");
  docs_.write("b.txt", "A favourite walk goes past the ferry.\n");
  docs_.write("c.txt", "The ferry to Kelby leaves late.\n");
  open("none");
  IndexOptions index;
  index.paths = {docs_.path()};
  index.kv = KvPolicy::kOff;
  ASSERT_TRUE(Indexer(*workspace_).run(index, {}).ok());
  FakeReranker fake;
  SearchOptions options;
  const auto search = [&] { return *Retriever(*workspace_).search("When does the ferry leave?", options); };
  const std::string before = search().hits.front().document;
  ASSERT_NE(before, docs_ / "b.txt");
  options.reranker = &fake;
  SearchResult result = search();
  EXPECT_EQ(result.hits.front().document, docs_ / "b.txt");
  EXPECT_EQ(result.read_by_model, 3);
  EXPECT_THAT(result.hits, SizeIs(3));
  fake.reads = 1;
  EXPECT_EQ(search().hits.front().document, before) << "what was not read stays behind";
  fake.fails = true;
  result = search();
  EXPECT_EQ(result.hits.front().document, before);
  EXPECT_THAT(result.notes, Contains(HasSubstr("the model is gone")));
}

}  // namespace
}  // namespace mneme::rag

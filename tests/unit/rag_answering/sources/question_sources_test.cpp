// In which order passages are given to what answers.
#include "rag/answering/sources/question_sources.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "engine/language_model.h"
#include "rag/answering/exchange/asked.h"
#include "rag/indexing/indexer.h"
#include "rag/indexing/passage_size.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

std::unique_ptr<engine::LanguageModel> any_model() {
  mneme::testing::RandomModel shape;
  shape.vocab_size = 320;
  shape.vocabulary = true;
  const std::string path = mneme::testing::write_temporary(mneme::testing::random_gguf(shape), "any.gguf");
  auto model = engine::LanguageModel::open(path, {.device = {.device = "cpu", .n_threads = 1}});
  std::remove(path.c_str());
  EXPECT_TRUE(model.ok()) << model.status().message();
  return model.ok() ? *std::move(model) : nullptr;
}

TEST(QuestionSources, AModelReadsWhatFollowsEachOtherInOrder) {
  TemporaryFolder home;
  TemporaryFolder docs;
  const auto workspace = open_plain_workspace(home.path());
  ASSERT_NE(workspace, nullptr);
  std::string filler;
  for (int i = 0; i < 12; ++i) filler += "Screw number " + std::to_string(i) + " is turned by a quarter. ";
  docs.write("boiler.md", "# Boiler\n\n## Pump\n\nThe pump feeds the boiler. " + filler +
                              "\n\n## Valve\n\nThe safety valve of the boiler opens at six bar of pressure. " + filler);
  docs.write("garden.md", "# Garden\n\nThe hose has a valve. " + filler);
  ASSERT_TRUE(set_passage_tokens(workspace->catalogue(), 64).ok());
  IndexOptions index;
  index.paths = {docs.path()};
  index.kv = KvPolicy::kOff;
  ASSERT_TRUE(Indexer(*workspace).run(index, {}).ok());

  const auto ordinals = [&](engine::LanguageModel* model) {
    const std::string question = "At which pressure does the safety valve of the boiler with the pump open?";
    AskOptions options;
    const AskCallbacks callbacks;
    const auto found = find_sources(*workspace, {question, options, callbacks, never_cancelled()}, model);
    EXPECT_TRUE(found.ok()) << found.status().message();
    std::vector<int> read;
    for (const Hit& hit : found.ok() ? found->hits : std::vector<Hit>{}) {
      if (hit.document == docs / "boiler.md") read.push_back(hit.ordinal);
    }
    return read;
  };
  const auto model = any_model();
  ASSERT_NE(model, nullptr);
  const std::vector<int> by_rank = ordinals(nullptr);
  ASSERT_GE(by_rank.size(), 2u);
  EXPECT_FALSE(std::is_sorted(by_rank.begin(), by_rank.end()));
  const std::vector<int> by_place = ordinals(model.get());
  EXPECT_EQ(by_place.size(), by_rank.size());
  EXPECT_TRUE(std::is_sorted(by_place.begin(), by_place.end()));
}

TEST(QuestionSources, OfALongDocumentAModelReadsTheBeginningAndSomeToTheEnd) {
  TemporaryFolder home;
  TemporaryFolder docs;
  const auto workspace = open_plain_workspace(home.path());
  ASSERT_NE(workspace, nullptr);
  std::string text = "# Manual\n";
  for (int i = 0; i < 12; ++i) {
    text += "\n## Part " + std::to_string(i) + "\n";
    for (int k = 0; k < 5; ++k) text += "\nScrew number " + std::to_string(i * 10 + k) + " is turned by a quarter.";
    text += "\n";
  }
  docs.write("manual.md", text);
  ASSERT_TRUE(set_passage_tokens(workspace->catalogue(), 64).ok());
  IndexOptions index;
  index.paths = {docs.path()};
  index.kv = KvPolicy::kOff;
  ASSERT_TRUE(Indexer(*workspace).run(index, {}).ok());
  const auto model = any_model();
  ASSERT_NE(model, nullptr);
  const auto read = [&](int top_k, std::string& note) {
    AskOptions options;
    options.search.top_k = top_k;
    const AskCallbacks callbacks;
    const auto found =
        find_sources(*workspace, {"Summarise the manual", options, callbacks, never_cancelled()}, model.get());
    EXPECT_TRUE(found.ok()) << found.status().message();
    std::vector<int> ordinals;
    for (const Hit& hit : found->hits) ordinals.push_back(hit.ordinal);
    note = found->notes.empty() ? "" : found->notes[0];
    return ordinals;
  };
  std::string note;
  const std::vector<int> all = read(1000, note);
  const int last = static_cast<int>(all.size()) - 1;
  ASSERT_GE(last, 8) << "one passage a part at least";
  EXPECT_EQ(note, "") << "all of it is read";
  for (int i = 0; i <= last; ++i) EXPECT_EQ(all[static_cast<size_t>(i)], i);
  EXPECT_EQ(read(static_cast<int>(all.size()), note), all);
  const std::vector<int> five = read(5, note);
  ASSERT_EQ(five.size(), 5U);
  EXPECT_EQ((std::vector<int>{five.begin(), five.begin() + 3}), (std::vector<int>{0, 1, 2}));
  EXPECT_GT(five[3], 3);
  EXPECT_LT(five[3], last - 1);
  EXPECT_EQ(five[4], last);
  EXPECT_TRUE(note.starts_with("5 of the " + std::to_string(all.size()) + " passages of Manual were read")) << note;
  EXPECT_EQ(read(1, note), std::vector<int>{0});
  EXPECT_EQ(read(2, note), (std::vector<int>{0, last}));
}

TEST(QuestionSources, APartThatNothingAnswersDoesNotKeepTheOtherFromIt) {
  TemporaryFolder home;
  TemporaryFolder docs;
  const auto workspace = open_plain_workspace(home.path());
  ASSERT_NE(workspace, nullptr);
  docs.write("kettle.md", "# Kettle\n\nTo descale the kettle, boil citric acid in it.\n\nThe cord is 75 cm long.\n");
  docs.write("garden.md", "# Garden\n\nThe roses are cut in March. The president of the club is Anna Holm.\n");
  IndexOptions index;
  index.paths = {docs.path()};
  index.kv = KvPolicy::kOff;
  ASSERT_TRUE(Indexer(*workspace).run(index, {}).ok());

  const auto sources = [&](const std::string& question) {
    AskOptions options;
    const AskCallbacks callbacks;
    auto found = find_sources(*workspace, {question, options, callbacks, never_cancelled()}, nullptr);
    EXPECT_TRUE(found.ok()) << found.status().message();
    return found.ok() ? *std::move(found) : QuestionSources();
  };
  for (const std::string question : {"How do I descale the kettle, and what is the capital of Peru?",
                                     "What is the capital of Peru, and how do I descale the kettle?"}) {
    const QuestionSources found = sources(question);
    EXPECT_TRUE(found.answerable) << question;
    ASSERT_FALSE(found.hits.empty());
    EXPECT_EQ(found.hits[0].document, docs / "kettle.md");
    ASSERT_FALSE(found.notes.empty());
    EXPECT_NE(found.notes.back().find("hat is the capital of Peru"), std::string::npos) << found.notes.back();
  }
  EXPECT_TRUE(sources("What is the capital of Peru, and who is president of the club?").answerable);
  // It leans on the part of which nothing is known.
  EXPECT_TRUE(sources("Who is its president?").answerable);
  EXPECT_FALSE(sources("What is the capital of Peru, and who is its president?").answerable);
}

}  // namespace
}  // namespace mneme::rag

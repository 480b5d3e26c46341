#include "storage/catalogue/lexical_scoring.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/random.h"
#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/lexical_terms.h"
#include "temporary_home.h"

namespace mneme::storage {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::shared_ptr<const PostingList> list(const std::map<uint64_t, uint64_t>& frequencies) {
  PostingList postings;
  for (const auto& [chunk, frequency] : frequencies) postings.push_back({chunk, frequency});
  return std::make_shared<const PostingList>(std::move(postings));
}

// Every chunk scored by itself, by the formula.
std::vector<LexicalHit> plain_scores(std::span<const ScoredTerm> terms, const LexicalScoring& scoring, size_t limit) {
  std::map<uint64_t, double> scores;
  std::map<uint64_t, size_t> n_required;
  for (const ScoredTerm& term : terms) {
    for (const Posting& posting : *term.postings) {
      const double length = *scoring.length(static_cast<ChunkId>(posting.chunk));
      const double norm = scoring.k1 * (1 - scoring.b + scoring.b * length / scoring.average_length);
      const auto frequency = static_cast<double>(posting.frequency);
      scores[posting.chunk] += term.weight * frequency * (scoring.k1 + 1) / (frequency + norm);
      n_required[posting.chunk] += term.required ? 1 : 0;
    }
  }
  const auto wanted = static_cast<size_t>(
      std::count_if(terms.begin(), terms.end(), [](const ScoredTerm& term) { return term.required; }));
  std::vector<LexicalHit> hits;
  for (const auto& [chunk, score] : scores) {
    const auto id = static_cast<ChunkId>(chunk);
    if (n_required[chunk] == wanted && *scoring.admits(id)) hits.push_back({id, score});
  }
  std::sort(hits.begin(), hits.end(), [](const LexicalHit& a, const LexicalHit& b) {
    return a.score != b.score ? a.score > b.score : a.chunk < b.chunk;
  });
  if (hits.size() > limit) hits.resize(limit);
  return hits;
}

uint32_t length_of(ChunkId chunk) {
  return static_cast<uint32_t>(20 + static_cast<int64_t>(chunk) * 37 % 3000);
}

LexicalScoring all_admitted() {
  LexicalScoring scoring;
  scoring.average_length = 100.0;
  scoring.length = [](ChunkId chunk) { return length_of(chunk); };
  scoring.admits = [](ChunkId) { return true; };
  return scoring;
}

std::shared_ptr<const ChunkLengths> lengths_up_to(ChunkId last) {
  auto lengths = std::make_shared<ChunkLengths>();
  for (int64_t row = 1; row <= static_cast<int64_t>(last); ++row) lengths->add(ChunkId{row}, length_of(ChunkId{row}));
  return lengths;
}

TEST(LexicalScoring, EqualsScoringEveryChunk) {
  Random random(3);
  for (const uint64_t last : {uint64_t{30}, uint64_t{4096}, uint64_t{60'000}, kLastChunk}) {
    for (int round = 0; round < 12; ++round) {
      std::vector<ScoredTerm> terms;
      for (uint64_t t = 0; t < 1 + random.below(7); ++t) {
        std::map<uint64_t, uint64_t> frequencies;
        for (uint64_t n = random.below(2000); n > 0; --n) frequencies[random.below(last)] = 1 + random.below(5);
        terms.push_back({list(frequencies), 0.5 + random.uniform() * 8, round % 4 == 3 && t < 2});
      }
      LexicalScoring scoring = all_admitted();
      if (round % 2 == 1) scoring.lengths = lengths_up_to(ChunkId{20'000});
      if (round % 3 == 1) scoring.admits = [](ChunkId chunk) { return static_cast<int64_t>(chunk) % 3 != 0; };
      for (const size_t limit : {size_t{0}, size_t{1}, size_t{10}, size_t{5000}}) {
        const auto hits = score_postings(terms, scoring, limit);
        ASSERT_TRUE(hits.ok());
        const std::vector<LexicalHit> expected = plain_scores(terms, scoring, limit);
        ASSERT_EQ(hits->size(), expected.size());
        for (size_t i = 0; i < expected.size(); ++i) {
          ASSERT_EQ((*hits)[i].chunk, expected[i].chunk) << "place " << i << " of " << limit << ", last " << last;
          ASSERT_DOUBLE_EQ((*hits)[i].score, expected[i].score);
        }
      }
    }
  }
}

TEST(LexicalScoring, AsksOnlyForLengthsThatAreNotKnown) {
  std::map<uint64_t, uint64_t> everywhere;
  for (uint64_t chunk = 1; chunk <= 10'000; ++chunk) everywhere[chunk] = 1;
  const ScoredTerm terms[] = {{list(everywhere), 1.0, false}};
  LexicalScoring scoring = all_admitted();
  scoring.lengths = lengths_up_to(ChunkId{9'990});
  std::vector<ChunkId> asked;
  scoring.length = [&](ChunkId chunk) {
    asked.push_back(chunk);
    return length_of(chunk);
  };
  ASSERT_TRUE(score_postings(terms, scoring, 10).ok());
  ASSERT_EQ(asked.size(), 10u);
  EXPECT_EQ(asked.front(), ChunkId{9'991});
}

TEST(LexicalScoring, NothingToScoreAndErrors) {
  LexicalScoring scoring = all_admitted();
  EXPECT_THAT(*score_postings({}, scoring, 10), IsEmpty());
  const ScoredTerm required[] = {{list({}), 1.0, true}, {list({{5, 1}}), 1.0, false}};
  EXPECT_THAT(*score_postings(required, scoring, 10), IsEmpty());
  scoring.length = [](ChunkId) { return Result<uint32_t>(corruption("no length")); };
  EXPECT_EQ(score_postings(std::span(required).last(1), scoring, 10).status().code(), StatusCode::kCorruption);
}

// An index of hostile bytes may list chunks in any order.
TEST(LexicalScoring, ListsOutOfOrderEnd) {
  auto postings = std::make_shared<const PostingList>(PostingList{{9000, 1}, {3, 1}, {3, 2}, {kLastChunk, 1}, {0, 1}});
  const ScoredTerm terms[] = {{postings, 1.0, false}, {list({{3, 1}, {9000, 2}}), 2.0, false}};
  EXPECT_TRUE(score_postings(terms, all_admitted(), 10).ok());
}

NewDocument document_of(CollectionId collection, const std::string& path, const std::vector<std::string>& texts) {
  NewDocument document;
  document.record.collection = collection;
  document.record.path = path;
  document.record.format = "text";
  for (const std::string& text : texts) {
    NewChunk& chunk = document.chunks.emplace_back();
    chunk.byte_begin = document.chunks.size() * 100;
    chunk.byte_end = chunk.byte_begin + text.size();
    chunk.text = text;
  }
  return document;
}

class SearchedCatalogue : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = Catalogue::open({.path = home_.path() + "/catalog.db"});
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    catalogue_ = std::move(opened).value();
    collection_ = *catalogue_->ensure_collection("default");
  }
  std::vector<std::string> found(const std::string& query, int limit = 10) {
    const auto hits = catalogue_->search_lexical(query, {}, limit);
    EXPECT_TRUE(hits.ok()) << hits.status().message();
    std::vector<std::string> texts;
    if (!hits.ok()) return texts;
    for (const LexicalHit& hit : *hits) texts.push_back(catalogue_->chunk(hit.chunk)->text);
    return texts;
  }

  TemporaryHome home_;
  std::unique_ptr<Catalogue> catalogue_;
  CollectionId collection_{};
};

// What was read for one question is remembered, and forgotten when the catalogue changes.
TEST_F(SearchedCatalogue, RemembersOnlyTheNewestState) {
  const auto first = catalogue_->put_document(document_of(collection_, "/1", {"heron and reed"}));
  EXPECT_THAT(found("heron"), ElementsAre("heron and reed"));
  EXPECT_THAT(found("heron"), ElementsAre("heron and reed"));
  const auto second = catalogue_->put_document(document_of(collection_, "/2", {"heron heron"}));
  EXPECT_THAT(found("heron"), ElementsAre("heron heron", "heron and reed"));
  ASSERT_TRUE(catalogue_->remove_document(*second).ok());
  EXPECT_THAT(found("heron"), ElementsAre("heron and reed"));
  ASSERT_TRUE(catalogue_->remove_document(*first).ok());
  EXPECT_THAT(found("heron"), IsEmpty());
  const CollectionId other = *catalogue_->ensure_collection("other");
  ASSERT_TRUE(catalogue_->put_document(document_of(other, "/3", {"a heron elsewhere"})).ok());
  EXPECT_THAT(found("heron"), ElementsAre("a heron elsewhere"));
  ASSERT_TRUE(catalogue_->delete_collection(other).ok());
  EXPECT_THAT(found("heron"), IsEmpty());
}

// What the catalogue finds with all it remembers is what BM25 says of every text by itself, before and after changes.
class PlainBm25 {
 public:
  void add(const std::string& text) {
    std::map<std::string, double> counts;
    for (const std::string& term : lexical_terms(text, TermPurpose::kDocument)) {
      counts[term] += 1;
      ++n_terms_;
    }
    for (const auto& [term, count] : counts) ++frequency_[term];
    texts_.emplace(text, std::move(counts));
  }
  double score(const std::string& text, const std::vector<std::string>& question) const {
    const auto n = static_cast<double>(texts_.size());
    double length = 0;
    for (const auto& [term, count] : texts_.at(text)) length += count;
    double sum = 0;
    for (const std::string& word : question) {
      const std::string term = lexical_terms(word).front();
      const auto at = texts_.at(text).find(term);
      if (at == texts_.at(text).end()) continue;
      const double idf = std::log(1 + (n - frequency_.at(term) + 0.5) / (frequency_.at(term) + 0.5));
      const double norm = 1.2 * (0.25 + 0.75 * length * n / n_terms_);
      sum += idf * at->second * 2.2 / (at->second + norm);
    }
    return sum;
  }
  std::vector<double> best(const std::vector<std::string>& question, size_t limit) const {
    std::vector<double> scores;
    for (const auto& [text, counts] : texts_) {
      if (const double score = this->score(text, question); score > 0) scores.push_back(score);
    }
    std::sort(scores.rbegin(), scores.rend());
    scores.resize(std::min(limit, scores.size()));
    return scores;
  }

 private:
  std::map<std::string, std::map<std::string, double>> texts_;
  std::map<std::string, double> frequency_;
  double n_terms_ = 0;
};

TEST_F(SearchedCatalogue, EqualsPlainBm25OnRandomQuestions) {
  Random random(11);
  const auto word = [&] {  // distributed as in language
    return "q" + std::string(1 + random.below(3), static_cast<char>('b' + random.below(1 + random.below(20))));
  };
  const auto text = [&](size_t document, size_t chunk) {
    std::string made = "doc" + std::to_string(document * 100 + chunk);  // no two are alike
    for (uint64_t n = 3 + random.below(60); n > 0; --n) made += " " + word();
    return made;
  };
  PlainBm25 plain;
  for (size_t round = 0; round < 3; ++round) {
    const auto gone = catalogue_->put_document(document_of(collection_, "/gone", {"qb qc qd", "qbb qcc"}));
    for (size_t d = 0; d < 10; ++d) {
      std::vector<std::string> texts;
      for (size_t c = 0; c < 20; ++c) texts.push_back(text(round * 10 + d, c));
      for (const std::string& made : texts) plain.add(made);
      const std::string path = "/" + std::to_string(round) + "/" + std::to_string(d);
      ASSERT_TRUE(catalogue_->put_document(document_of(collection_, path, texts)).ok());
    }
    ASSERT_TRUE(catalogue_->remove_document(*gone).ok());
    for (int asked = 0; asked < 40; ++asked) {
      std::vector<std::string> question;
      std::string joined;
      for (uint64_t n = 1 + random.below(5); n > 0; --n) joined += question.emplace_back(word()) + " ";
      const auto hits = catalogue_->search_lexical(joined, {}, 10);
      ASSERT_TRUE(hits.ok());
      const std::vector<double> best = plain.best(question, 10);
      ASSERT_EQ(hits->size(), best.size()) << joined;
      for (size_t i = 0; i < best.size(); ++i) {
        EXPECT_NEAR((*hits)[i].score, best[i], 1e-9) << joined << i;
        EXPECT_NEAR(plain.score(catalogue_->chunk((*hits)[i].chunk)->text, question), best[i], 1e-9) << joined << i;
      }
    }
  }
}

// A single character stands for every pair that begins with it.
TEST_F(SearchedCatalogue, SingleCharactersArePrefixes) {
  ASSERT_TRUE(catalogue_->put_document(document_of(collection_, "/1", {"猫咪睡觉", "小狗", "黑猫"})).ok());
  EXPECT_EQ(found("猫").size(), 2u);
  EXPECT_THAT(found("狗"), ElementsAre("小狗"));
}

// More chunks have one of the words than the commonest that is left out of a large collection.
TEST_F(SearchedCatalogue, CommonTermsScoreBesideRareOnes) {
  std::vector<std::string> texts;
  const std::string words[] = {"reed", "moss", "clay", "kelp", "fern"};
  for (size_t i = 0; i < 16'500; ++i) texts.push_back(words[i % 5] + (i % 500 < 5 ? " sand" : ""));
  ASSERT_TRUE(catalogue_->put_document(document_of(collection_, "/a.txt", texts)).ok());
  for (const std::string& word : words) {
    const std::vector<std::string> best = found(word + " sand reed moss clay kelp fern", 40);
    ASSERT_EQ(best.size(), 40u);
    EXPECT_EQ(best.front(), word + " sand") << "asked for twice, it counts twice";
  }
}

}  // namespace
}  // namespace mneme::storage

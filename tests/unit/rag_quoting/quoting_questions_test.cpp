// Questions a new user may ask of the sample documents and of a small collection made for this test, answered by
// quoting alone, from folder to answer. tests/data/quoting/questions.tsv says what each answer must hold; half of the
// questions were never looked at while the rules were changed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iostream>
#include <sstream>

#include "rag/answering/answerer.h"
#include "rag/answering/citations/citation_check.h"
#include "rag/indexing/indexer.h"
#include "rag/retrieval/retriever.h"
#include "rag/workspace.h"
#include "tests/support/checkout/checkout.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

const std::string kData = checkout::test_data("quoting");
const std::string kRoot = checkout::path("");

// Shares of the questions of a split: the answer holds what it must, and its first quotation does.
constexpr double kFoundTuned = 0.90;
constexpr double kFirstTuned = 0.80;
constexpr double kFoundHeld = 0.75;
constexpr double kFirstHeld = 0.65;
// Of the questions that nothing answers, so many may be answered.
constexpr int kAbsentTuned = 1;
constexpr int kAbsentHeld = 3;
// Of citations of a wrong passage, so many must be marked, and of right ones so few may be.
constexpr double kPlantedCaught = 0.95;
constexpr double kRightMarked = 0.05;

struct QuotedQuestion {
  bool held = false;
  std::string text;
  std::string file;
  std::vector<std::vector<std::string>> expected;  // all of them, each in any of its wordings
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::vector<QuotedQuestion> load_questions() {
  std::vector<QuotedQuestion> questions;
  std::ifstream file(kData + "/questions.tsv");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> fields = split(line, '\t');
    EXPECT_EQ(fields.size(), 4u) << line;
    QuotedQuestion question{fields[0] == "held", fields[1], fields[2], {}};
    for (const std::string& part : split(fields[3], ';')) question.expected.push_back(split(part, '|'));
    questions.push_back(std::move(question));
  }
  return questions;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool holds(const std::string& answer, const QuotedQuestion& question) {
  const std::string text = lower(answer);
  return std::all_of(question.expected.begin(), question.expected.end(), [&](const std::vector<std::string>& wordings) {
    return std::any_of(wordings.begin(), wordings.end(),
                       [&](const std::string& wording) { return text.find(lower(wording)) != std::string::npos; });
  });
}

// Up to the first "[n]" at the end of a line.
std::string first_quotation(const std::string& answer) {
  return answer.substr(0, answer.find("]\n"));
}

struct Shares {
  int asked = 0;
  int found = 0;
  int first = 0;
};

class QuotingQuestions : public ::testing::Test {
 protected:
  void SetUp() override {
    workspace_ = open_plain_workspace(home_.path(), 1, kRoot + "/assets/models/mneme-embed.gguf");
    ASSERT_NE(workspace_, nullptr);
    IndexOptions index;
    index.paths = {kRoot + "/assets/samples", kData + "/documents"};
    index.kv = KvPolicy::kOff;
    const auto report = Indexer(*workspace_).run(index, {});
    ASSERT_TRUE(report.ok()) << report.status().message();
  }

  Answer ask(const std::string& question) {
    auto answer = Answerer(*workspace_).ask(question, {});
    EXPECT_TRUE(answer.ok()) << answer.status().message();
    return answer.ok() ? *std::move(answer) : Answer{};
  }

  TemporaryFolder home_;
  std::unique_ptr<Workspace> workspace_;
};

TEST_F(QuotingQuestions, AreAnswered) {
  Shares tuned;
  Shares held;
  for (const QuotedQuestion& question : load_questions()) {
    const Answer answer = ask(question.text);
    Shares& shares = question.held ? held : tuned;
    const bool found = holds(answer.text, question);
    const bool first = holds(first_quotation(answer.text), question);
    ++shares.asked;
    shares.found += found ? 1 : 0;
    shares.first += first ? 1 : 0;
    // What is held out is only counted.
    if (!first && !question.held)
      std::cout << (found ? "later: " : "missed: ") << question.text << "\n" << answer.text << "\n";
  }
  const auto share = [](int part, const Shares& all) { return static_cast<double>(part) / all.asked; };
  std::cout << "tuned " << tuned.found << " and first " << tuned.first << " of " << tuned.asked << ", held out "
            << held.found << " and first " << held.first << " of " << held.asked << "\n";
  EXPECT_GE(share(tuned.found, tuned), kFoundTuned);
  EXPECT_GE(share(tuned.first, tuned), kFirstTuned);
  EXPECT_GE(share(held.found, held), kFoundHeld);
  EXPECT_GE(share(held.first, held), kFirstHeld);
}

TEST_F(QuotingQuestions, AreRefusedWhereNothingAnswers) {
  std::ifstream file(kData + "/absent.tsv");
  Shares tuned;
  Shares held;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> fields = split(line, '\t');
    ASSERT_EQ(fields.size(), 2u) << line;
    Shares& shares = fields[0] == "held" ? held : tuned;
    const Answer answer = ask(fields[1]);
    ++shares.asked;
    shares.found += answer.in_documents ? 1 : 0;
    if (answer.in_documents && fields[0] == "tune")
      std::cout << "answered: " << fields[1] << "\n" << answer.text << "\n";
  }
  std::cout << "answered though absent: tuned " << tuned.found << " of " << tuned.asked << ", held out " << held.found
            << " of " << held.asked << "\n";
  EXPECT_LE(tuned.found, kAbsentTuned);
  EXPECT_LE(held.found, kAbsentHeld);
}

// The same sentence with the number of another passage that was found, which does not hold it.
// Sentences are only read in passages that can still come among the first; `explain` reads those of all.
TEST_F(QuotingQuestions, ReadingFewerSentencesChangesNothing) {
  Retriever retriever(*workspace_);
  for (const QuotedQuestion& question : load_questions()) {
    SearchOptions options;
    const auto some = retriever.search(question.text, options);
    options.explain = true;
    const auto all = retriever.search(question.text, options);
    ASSERT_TRUE(some.ok() && all.ok()) << question.text;
    ASSERT_EQ(some->hits.size(), all->hits.size()) << question.text;
    for (size_t i = 0; i < all->hits.size(); ++i) {
      EXPECT_EQ(some->hits[i].chunk, all->hits[i].chunk) << question.text << ", place " << i;
      EXPECT_NEAR(some->hits[i].score, all->hits[i].score, 1e-9) << question.text << ", place " << i;
    }
  }
}

TEST_F(QuotingQuestions, PlantedWrongCitationsAreMarked) {
  int right = 0;
  int right_marked = 0;
  int planted = 0;
  int caught = 0;
  for (const QuotedQuestion& question : load_questions()) {
    const Answer answer = ask(question.text);
    if (answer.citations.empty() || !holds(first_quotation(answer.text), question)) continue;
    const std::string sentence = answer.text.substr(0, answer.text.find_first_of("[\n"));
    if (!holds(sentence, question)) continue;  // a list: its heading says nothing
    std::vector<std::string_view> texts;
    for (const Citation& source : answer.sources) texts.push_back(source.source.text);
    const auto marks = [&](size_t i) {
      const std::string cited = sentence + " [" + std::to_string(i + 1) + "]";
      return !check_citations(cited, question.text, texts, false).unsupported.empty();
    };
    for (size_t i = 0; i < texts.size(); ++i) {
      const bool held = holds(std::string(texts[i]), question);
      if (answer.sources[i].cited && held) {
        ++right;
        right_marked += marks(i) ? 1 : 0;
      } else if (!held) {
        ++planted;
        caught += marks(i) ? 1 : 0;
      }
    }
  }
  std::cout << "planted " << planted << ", caught " << caught << "; right " << right << ", marked " << right_marked
            << "\n";
  ASSERT_GE(right, 40);
  ASSERT_GE(planted, 100);
  EXPECT_GE(caught, kPlantedCaught * planted);
  EXPECT_LE(right_marked, kRightMarked * right);
}

TEST_F(QuotingQuestions, StepsComeWholeAndInOrderWithTheReasonBehind) {
  const std::string text = ask("How do I descale the Lumen kettle, and why not with vinegar?").text;
  size_t at = 0;
  for (const char* step : {"1. Fill in half a litre", "2. Start the 60", "3. Leave the solution", "4. Pour it away",
                           "5. Hold TEMP and START", "Do not use vinegar"}) {
    const size_t found = text.find(step, at);
    ASSERT_NE(found, std::string::npos) << step << " in\n" << text;
    at = found;
  }
}

}  // namespace
}  // namespace mneme::rag

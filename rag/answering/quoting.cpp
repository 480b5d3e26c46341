#include "rag/answering/quoting.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_set>

#include "rag/answering/passage_outline.h"
#include "rag/answering/quote_candidates.h"
#include "rag/text/question_kind.h"
#include "rag/text/words.h"

namespace mneme::rag {

namespace {

// In log odds: a further sentence is quoted when it is at most so much less likely than the best, and one that adds
// none of the question's words only when it is nearly as likely.
constexpr double kFurtherWithin = 1.5;
constexpr double kRepeatWithin = 0.4;

// The quotations chosen so far, for all parts of the question.
class Choice {
 public:
  explicit Choice(const QuotingOptions& options) : options_(options) {}

  // Takes from the candidates of one part of the question, best first, until it has `most`.
  void take(std::vector<QuoteCandidate>& candidates, int most) {
    std::set<std::string> covered;
    int taken = 0;
    double best = 0.0;
    for (QuoteCandidate& candidate : candidates) {
      if (taken >= most) break;
      const double behind = taken == 0 ? 0.0 : best - candidate.quote.score;
      if (behind > kFurtherWithin) break;
      const bool adds = std::any_of(candidate.found.begin(), candidate.found.end(),
                                    [&](const std::string& stem) { return !covered.contains(stem); });
      if (taken > 0 && !adds && behind > kRepeatWithin) continue;
      if (taken > 0 && bytes_ + candidate.quote.text.size() > options_.max_bytes) continue;
      if (overlaps(candidate.quote)) {
        if (taken == 0) {  // the answer to another part is the answer to this one, too
          best = candidate.quote.score;
          covered = std::move(candidate.found);
          taken = 1;
        }
        continue;
      }
      if (!said_.insert(folded_text(candidate.quote.text)).second) continue;
      covered.insert(candidate.found.begin(), candidate.found.end());
      if (taken++ == 0) best = candidate.quote.score;
      bytes_ += candidate.quote.text.size();
      const bool whole = candidate.evidence.whole > 0.0;
      chosen_.push_back(std::move(candidate.quote));
      if (whole) break;  // a list that was asked for is the answer
    }
  }

  std::vector<QuotedSentence> result() { return std::move(chosen_); }

 private:
  bool overlaps(const QuotedSentence& quote) const {
    return std::any_of(chosen_.begin(), chosen_.end(), [&](const QuotedSentence& other) {
      return other.passage == quote.passage && other.byte_begin < quote.byte_end && quote.byte_begin < other.byte_end;
    });
  }

  const QuotingOptions& options_;
  std::vector<QuotedSentence> chosen_;
  std::unordered_set<std::string> said_;
  size_t bytes_ = 0;
};

}  // namespace

std::vector<QuotedSentence> quote_sentences(std::string_view question, std::span<const QuotePassage> passages,
                                            const QuotingOptions& options) {
  std::vector<PassageOutline> outlines;
  for (const QuotePassage& passage : passages) {
    outlines.emplace_back(passage.text, passage.context, passage.title, passage.form);
  }
  const std::vector<std::string_view> parts = question_parts(question);
  const int most = std::max(1, options.max_sentences / static_cast<int>(parts.size()));
  Choice choice(options);
  for (const std::string_view part : parts) {
    std::vector<QuoteCandidate> candidates = QuoteFinder(part, question, outlines, options.embedder).find();
    choice.take(candidates, most);
  }
  return choice.result();
}

std::string quoted_answer(std::span<const QuotedSentence> sentences) {
  std::string answer;
  for (const QuotedSentence& sentence : sentences) {
    if (!answer.empty()) answer += "\n";
    answer += sentence.text + (sentence.text.ends_with("```") ? "\n" : " ");  // behind a fence is no room
    answer += "[" + std::to_string(sentence.passage + 1) + "]";
  }
  return answer;
}

}  // namespace mneme::rag

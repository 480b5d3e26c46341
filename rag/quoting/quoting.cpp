#include "rag/quoting/quoting.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>

#include "rag/quoting/outline/passage_outline.h"
#include "rag/quoting/place_quotes.h"
#include "rag/quoting/quote_candidates.h"
#include "rag/text/asked/extremes.h"
#include "rag/text/asked/price.h"
#include "rag/text/asked/question_kind.h"
#include "rag/text/asked/question_parts.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/quantities/money.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

// In log odds: a further sentence is quoted when it is at most so much less likely than the best, and one that adds
// none of the question's words only when it is nearly as likely.
constexpr double kFurtherWithin = 1.5;
constexpr size_t kMostRows = 12;
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

  // All rows of tables that hold of the question what the first quotation holds: what is to be reckoned from them.
  void take_rows_like_first(const std::vector<QuoteCandidate>& candidates) {
    if (candidates.empty() || !candidates.front().evidence.of_table) return;
    const QuoteCandidate& first = candidates.front();
    for (const QuoteCandidate& candidate : candidates) {
      if (chosen_.size() >= kMostRows) return;
      const bool alike = candidate.evidence.of_table && candidate.found == first.found &&
                         candidate.quote.passage == first.quote.passage;
      if (!alike || overlaps(candidate.quote)) continue;
      chosen_.push_back(candidate.quote);
    }
  }

  // Of rows, items and lines of one passage that each name a sum, the one with the lowest or highest first, and behind
  // it others that it is compared to. False where no two do.
  bool take_by_price(const std::vector<QuoteCandidate>& candidates, PriceWanted wanted) {
    std::vector<std::pair<double, const QuoteCandidate*>> priced;
    for (const QuoteCandidate& candidate : candidates) {
      const bool beside = priced.empty() || candidate.quote.passage == priced.front().second->quote.passage;
      const bool line = candidate.evidence.is_row || candidate.evidence.of_heading;
      const std::optional<double> sum = line && beside ? sum_in(candidate.quote.text) : std::nullopt;
      if (sum) priced.emplace_back(*sum, &candidate);
    }
    if (priced.size() < 2) return false;
    std::stable_sort(priced.begin(), priced.end(), [&](const auto& a, const auto& b) {
      return wanted == PriceWanted::kLowest ? a.first < b.first : a.first > b.first;
    });
    for (const auto& [sum, candidate] : priced) {
      if (chosen_.size() >= static_cast<size_t>(options_.max_sentences)) break;
      if (!overlaps(candidate->quote)) chosen_.push_back(candidate->quote);
    }
    return true;
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

// Whether a passage speaks of all that a question names: of "Box in Rust" what knows no Rust tells of another box.
bool speaks_of_all(const PassageOutline& outline, std::string_view question) {
  std::unordered_set<std::string> there(outline.context_stems().begin(), outline.context_stems().end());
  for (const OutlinePart& part : outline.parts()) there.insert(part.stems.begin(), part.stems.end());
  const std::vector<std::string> words = words_of(question);
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    return is_stop_word(word, language_of(question)) || there.contains(stem_of(word));
  });
}

// "Whom do I pay?" of "Whom do I pay? (the rent)".
std::string_view without_topic(std::string_view question, std::string_view topic) {
  constexpr std::string_view kMark = "：";
  if (topic.empty()) return question;
  if (question.ends_with(" (" + std::string(topic) + ")"))
    return question.substr(0, question.size() - topic.size() - 3);
  if (question.starts_with(std::string(topic) + std::string(kMark)))
    return question.substr(topic.size() + kMark.size());
  return question;
}

// Of each of two things that are compared the sentence that says what it is; empty where one of them has none.
std::vector<QuoteCandidate> definitions_of(std::span<const std::string> compared,
                                           std::span<const PassageOutline> outlines, const Embedder* embedder) {
  std::vector<QuoteCandidate> definitions;
  for (const std::string& question : compared) {
    std::vector<QuoteCandidate> candidates = quote_candidates(question, question, outlines, embedder);
    const auto says = std::find_if(candidates.begin(), candidates.end(), [&](const QuoteCandidate& candidate) {
      const bool defines = candidate.evidence.defines || candidate.evidence.leads;
      return defines && speaks_of_all(outlines[static_cast<size_t>(candidate.quote.passage)], question);
    });
    if (says == candidates.end()) return {};
    definitions.push_back(std::move(*says));
  }
  return definitions;
}

// A sentence that states the difference, where there is one, and what the two are.
void take_compared(std::vector<QuoteCandidate>&& comparing, std::vector<QuoteCandidate>&& definitions, Choice& choice) {
  std::erase_if(comparing, [](const QuoteCandidate& candidate) { return !candidate.evidence.contrasts; });
  choice.take(comparing, 1);
  for (QuoteCandidate& definition : definitions) {
    std::vector<QuoteCandidate> alone;
    alone.push_back(std::move(definition));
    choice.take(alone, 1);
  }
}

std::vector<PassageOutline> outlines_of(std::span<const QuotePassage> passages) {
  std::vector<PassageOutline> outlines;
  for (const QuotePassage& passage : passages) {
    outlines.emplace_back(passage.text, passage.context, passage.title, passage.form, passage.of_records, passage.file);
    outlines.back().set_properties(passage.author, passage.date);
  }
  return outlines;
}

// What may be quoted for one of several parts that stands alone: what its own words ask for. The others say which of it
// is meant ("the rent of the flat, and what is the deposit?"), where that leaves anything.
std::vector<QuoteCandidate> candidates_alone(std::string_view part, std::string_view question,
                                             std::span<const PassageOutline> outlines, const QuotingOptions& options) {
  std::vector<QuoteCandidate> alone = quote_candidates(part, part, outlines, options.embedder, options.leaned_on);
  if (alone.empty()) return alone;
  std::vector<QuoteCandidate> meant = quote_candidates(part, question, outlines, options.embedder, options.leaned_on);
  return meant.empty() ? alone : meant;
}

// Of what may be quoted for one part of the question.
void take_for(std::string_view part, std::vector<QuoteCandidate> candidates, std::vector<QuoteCandidate> definitions,
              int most, Choice& choice) {
  const PriceWanted wanted = price_wanted(part);
  if (wanted != PriceWanted::kAny && choice.take_by_price(candidates, wanted)) return;
  if (!definitions.empty()) {
    take_compared(std::move(candidates), std::move(definitions), choice);
  } else if (asks_to_reckon(part)) {
    const std::vector<QuoteCandidate> rows = candidates;  // taking moves out of them
    choice.take(candidates, 1);
    choice.take_rows_like_first(rows);
  } else {
    choice.take(candidates, most);
  }
}

}  // namespace

Quotations quote_parts(std::string_view question, std::span<const QuotePassage> passages,
                       const QuotingOptions& options) {
  const std::vector<PassageOutline> outlines = outlines_of(passages);
  if (const AskedPlace place = asked_place(question); !place.empty()) {
    std::vector<QuotedSentence> quotes = quotes_of_place(place, outlines);
    if (!quotes.empty()) return {std::move(quotes), {}};
  }
  const std::vector<std::string_view> parts = question_parts(without_topic(question, options.leaned_on));
  const int most = std::max(1, options.max_sentences / static_cast<int>(parts.size()));
  Choice choice(options);
  std::vector<std::string> untold;
  for (const std::string_view part : parts) {
    const bool alone = parts.size() > 1 && options.leans_on_others != nullptr && !options.leans_on_others(part);
    std::vector<QuoteCandidate> candidates =
        alone ? candidates_alone(part, question, outlines, options)
              : quote_candidates(part, question, outlines, options.embedder, options.leaned_on);
    std::vector<QuoteCandidate> definitions = definitions_of(options.compared, outlines, options.embedder);
    if (alone && candidates.empty() && definitions.empty()) untold.emplace_back(without_joiners(part));
    take_for(part, std::move(candidates), std::move(definitions), most, choice);
  }
  return {choice.result(), std::move(untold)};
}

std::vector<QuotedSentence> quote_sentences(std::string_view question, std::span<const QuotePassage> passages,
                                            const QuotingOptions& options) {
  return quote_parts(question, passages, options).sentences;
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

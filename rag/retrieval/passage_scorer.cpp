#include "rag/retrieval/passage_scorer.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_set>

#include "rag/text/asked/quantity.h"
#include "storage/catalogue/lexical_terms.h"
#include "storage/catalogue/stop_words.h"

namespace mneme::rag {

namespace {

constexpr size_t kMaxTerms = 64;       // of a question; more say no more
constexpr uint32_t kWindowTerms = 40;  // a few sentences
constexpr uint32_t kNearTerms = 8;
constexpr uint32_t kLeadTerms = 20;
constexpr double kGrammarPair = 0.1;  // what a pair weighs beside the mean of its words

}  // namespace

// The terms of a passage as they come: the last two, and what of the question was found so far.
struct PassageScorer::Reading {
  std::vector<Occurrence> occurrences;
  std::vector<bool> has;                       // by term
  std::unordered_set<std::string_view> found;  // keys of pairs_ and triples_
  std::string before_last;
  std::string last;
  std::string key;
  double pairs = 0.0;
  double triples = 0.0;

  // A word that is in no sequence ends every one.
  void interrupt() {
    last.clear();
    before_last.clear();
  }
  void follow(const PassageScorer& scorer, std::string_view term) {
    if (!last.empty()) {
      key.assign(last).append(" ").append(term);
      pairs += take(scorer.pairs_);
      if (!before_last.empty() && !scorer.triples_.weight.empty()) {
        key.insert(0, before_last + " ");
        triples += take(scorer.triples_);
      }
    }
    std::swap(before_last, last);
    last.assign(term);
  }
  double take(const Sequences& sequences) {
    const auto at = sequences.weight.find(key);
    return at != sequences.weight.end() && found.insert(at->first).second ? at->second : 0.0;
  }
};

void PassageScorer::Sequences::add(std::string text, double value) {
  if (weight.size() < kMaxTerms && weight.emplace(std::move(text), value).second) total += value;
}

std::vector<std::string> PassageScorer::terms_of(std::string_view question) {
  std::vector<std::string> terms;
  const storage::StopTerms stops = storage::StopTerms::of(question);
  const std::string measure = storage::term_of_word(asked_measure(question));  // "large" of "how large" only asks
  storage::for_each_term(question, storage::TermPurpose::kQuery, [&](const storage::LexicalTerm& term) {
    if (stops.contains(term.term) || (term.term == measure && !measure.empty())) return true;
    if (std::find(terms.begin(), terms.end(), term.term) == terms.end()) terms.emplace_back(term.term);
    return terms.size() < kMaxTerms;
  });
  return terms;
}

PassageScorer::PassageScorer(std::string_view question, const std::function<double(std::string_view)>& idf,
                             Reads reads) {
  for (const std::string& term : terms_of(question)) {
    index_.emplace(term, static_cast<uint32_t>(weight_.size()));
    asked_.insert(term);
    weight_.push_back(idf(term));
    total_ += weight_.back();
    total_squared_ += weight_.back() * weight_.back();
  }
  if (reads == Reads::kAll) find_sequences(question);
}

double PassageScorer::weight_of(std::string_view term) const {
  const auto at = index_.find(term);
  return at == index_.end() ? 0.0 : weight_[at->second];
}

// Neighbours that are both grammar words say nothing, and neither do three of which two are.
void PassageScorer::find_sequences(std::string_view question) {
  std::string before_last;
  std::string last;
  std::optional<uint32_t> last_meaning;
  const storage::StopTerms stops = storage::StopTerms::of(question);
  storage::for_each_term(question, storage::TermPurpose::kQuery, [&](const storage::LexicalTerm& term) {
    if (term.colocated) return true;
    asked_.emplace(term.term);
    const auto grammar = [&](std::string_view t) { return stops.contains(t) ? 1 : 0; };
    const int n_grammar = grammar(last) + grammar(term.term);
    if (!last.empty() && n_grammar < 2) {
      const double weight = kGrammarPair + (weight_of(last) + weight_of(term.term)) / 2;
      pairs_.add(last + " " + std::string(term.term), weight);
    }
    if (!before_last.empty() && n_grammar + grammar(before_last) < 2) {
      const double weight = (weight_of(before_last) + weight_of(last) + weight_of(term.term)) / 3;
      triples_.add(before_last + " " + last + " " + std::string(term.term), weight);
    }
    if (const auto at = index_.find(term.term); at != index_.end()) {
      if (last_meaning.has_value() && *last_meaning != at->second && couples_.size() < kMaxTerms) {
        couples_.push_back({*last_meaning, at->second, (weight_[*last_meaning] + weight_[at->second]) / 2});
        couples_total_ += couples_.back().weight;
      }
      last_meaning = at->second;
    }
    before_last = std::move(last);
    last.assign(term.term);
    return true;
  });
}

// The most weight of different terms within any stretch of `width` positions, as a share of the question's.
double PassageScorer::share_within(const std::vector<Occurrence>& occurrences, uint32_t width) const {
  std::vector<uint32_t> count(weight_.size());
  double inside = 0.0;
  double best = 0.0;
  size_t begin = 0;
  for (const Occurrence& o : occurrences) {
    if (count[o.term]++ == 0) inside += weight_[o.term];
    while (o.position - occurrences[begin].position > width) {
      if (--count[occurrences[begin].term] == 0) inside -= weight_[occurrences[begin].term];
      ++begin;
    }
    best = std::max(best, inside);
  }
  return best / total_;
}

// Unordered windows of the sequential dependence model (Metzler and Croft 2005).
double PassageScorer::share_near(const std::vector<Occurrence>& occurrences) const {
  if (couples_total_ <= 0.0) return 0.0;
  double together = 0.0;
  for (const Couple& couple : couples_) {
    std::optional<uint32_t> first;
    std::optional<uint32_t> second;
    for (const Occurrence& o : occurrences) {
      if (o.term == couple.first) first = o.position;
      if (o.term == couple.second) second = o.position;
      if (!first.has_value() || !second.has_value()) continue;
      if (std::max(*first, *second) - std::min(*first, *second) > kNearTerms) continue;
      together += couple.weight;
      break;
    }
  }
  return together / couples_total_;
}

double PassageScorer::share_in(std::string_view text) const {
  if (empty()) return 0.0;
  std::vector<bool> has(weight_.size());
  double held = 0.0;
  storage::for_each_term(text, storage::TermPurpose::kDocument, [&](const storage::LexicalTerm& term) {
    const auto at = index_.find(term.term);
    if (at == index_.end() || has[at->second]) return true;
    has[at->second] = true;
    held += weight_[at->second];
    return true;
  });
  return held / total_;
}

void PassageScorer::score(std::string_view passage, PassageEvidence& evidence) const {
  if (empty()) return;
  Reading reading;
  reading.has.resize(weight_.size());
  uint32_t position = 0;
  storage::for_each_term(passage, storage::TermPurpose::kDocument, [&](const storage::LexicalTerm& term) {
    position += term.colocated ? 0 : 1;
    if (!asked_.contains(term.term)) {
      if (!term.colocated) reading.interrupt();
      return true;
    }
    if (!term.colocated && !pairs_.weight.empty()) reading.follow(*this, term.term);
    if (const auto at = index_.find(term.term); at != index_.end()) {
      reading.occurrences.push_back({position, at->second});
      reading.has[at->second] = true;
    }
    return true;
  });
  double covered = 0.0;
  double covered_squared = 0.0;
  for (size_t t = 0; t < weight_.size(); ++t) {
    if (!reading.has[t]) continue;
    covered += weight_[t];
    covered_squared += weight_[t] * weight_[t];
  }
  evidence.coverage = covered / total_;
  evidence.rare = covered_squared / total_squared_;
  evidence.window = share_within(reading.occurrences, kWindowTerms);
  const auto beyond = std::find_if(reading.occurrences.begin(), reading.occurrences.end(),
                                   [](const Occurrence& o) { return o.position > kLeadTerms; });
  evidence.lead = share_within({reading.occurrences.begin(), beyond}, kLeadTerms);
  evidence.pairs = pairs_.share(reading.pairs);
  evidence.triples = triples_.share(reading.triples);
  evidence.near = share_near(reading.occurrences);
  evidence.first =
      reading.occurrences.empty() ? 1.0 : static_cast<double>(reading.occurrences.front().position) / position;
  evidence.log_terms = std::log1p(static_cast<double>(position));
}

}  // namespace mneme::rag

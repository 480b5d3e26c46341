#include "rag/answering/quoting.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "rag/answering/sentences.h"
#include "rag/text/words.h"

namespace mneme::rag {

namespace {

constexpr double kLeastCoverage = 0.25;  // of the question's weight, for a sentence to be worth quoting
constexpr double kNextShare = 0.6;       // of the best sentence's score, for a further one
constexpr size_t kLongSentence = 400;

// The question's words with their weights.
struct Wanted {
  std::unordered_map<std::string, double> weight;
  double total = 0.0;
  bool asks_number = false;  // "how many", "when": a sentence with a figure is likelier
};

struct Scored {
  QuotedSentence quote;
  std::set<std::string> found;
};

class Quoter {
 public:
  Quoter(std::string_view question, std::span<const QuotePassage> passages, const QuotingOptions& options)
      : passages_(passages), options_(options) {
    split();
    weigh(question);
  }

  std::vector<QuotedSentence> choose() {
    std::vector<QuotedSentence> chosen;
    if (wanted_.total <= 0.0) return chosen;
    std::vector<Scored> scored;
    for (size_t p = 0; p < passages_.size(); ++p) score_passage(p, scored);
    std::stable_sort(scored.begin(), scored.end(),
                     [](const Scored& a, const Scored& b) { return a.quote.score > b.quote.score; });
    std::unordered_set<std::string> covered;
    std::unordered_set<std::string> said;
    size_t bytes = 0;
    for (Scored& candidate : scored) {
      if (chosen.size() >= static_cast<size_t>(options_.max_sentences)) break;
      if (!chosen.empty() && candidate.quote.score < kNextShare * chosen.front().score) break;
      if (!chosen.empty() && bytes + candidate.quote.text.size() > options_.max_bytes) continue;
      const bool adds = std::any_of(candidate.found.begin(), candidate.found.end(),
                                    [&](const std::string& stem) { return !covered.contains(stem); });
      if (!chosen.empty() && !adds && candidate.quote.score < 0.85 * chosen.front().score) continue;
      if (!said.insert(folded_text(candidate.quote.text)).second) continue;
      covered.insert(candidate.found.begin(), candidate.found.end());
      bytes += candidate.quote.text.size();
      chosen.push_back(std::move(candidate.quote));
    }
    return chosen;
  }

 private:
  struct Stems {
    std::vector<std::string> in_order;
    bool has_number = false;
    int heading = -1;  // index of the heading the sentence stands under
  };

  void split() {
    for (const QuotePassage& entry : passages_) {
      const std::string_view passage = entry.text;
      sentences_.push_back(split_sentences(passage));
      std::vector<Stems> stems;
      int heading = -1;
      for (const Sentence& sentence : sentences_.back()) {
        Stems s;
        s.heading = heading;
        if (sentence.is_heading) heading = static_cast<int>(stems.size());
        WordScanner scanner(passage.substr(sentence.byte_begin, sentence.byte_end - sentence.byte_begin));
        Word word;
        while (scanner.next(word)) {
          s.has_number |= word.text.front() >= '0' && word.text.front() <= '9';
          s.in_order.emplace_back(stem_of(word.text));
        }
        for (const std::string& stem : std::unordered_set<std::string>(s.in_order.begin(), s.in_order.end())) {
          ++sentences_with_[stem];
        }
        stems.push_back(std::move(s));
        ++n_sentences_;
      }
      stems_.push_back(std::move(stems));
    }
  }

  // Rarity is taken from the passages themselves: words of the topic are in all of them and decide little between them.
  void weigh(std::string_view question) {
    WordScanner scanner(question);
    Word word;
    while (scanner.next(word)) {
      static const std::unordered_set<std::string_view> kNumberWords = {
          "many", "much", "when", "old", "long", "far", "year", "wann", "combien", "cuantos", "wieviel", "viele"};
      wanted_.asks_number |= kNumberWords.contains(word.text);
      if (is_stop_word(word.text)) continue;
      const std::string stem(stem_of(word.text));
      const auto at = sentences_with_.find(stem);
      const double df = at == sentences_with_.end() ? 0.0 : at->second;
      if (df == 0.0) continue;  // nowhere here: cannot tell one sentence from another
      const double idf = std::log(1.0 + (n_sentences_ + 1.0) / (df + 0.5));
      if (wanted_.weight.emplace(stem, idf).second) wanted_.total += idf;
    }
  }

  void score_passage(size_t p, std::vector<Scored>& scored) {
    // What the passage is about counts a little for each of its sentences.
    std::unordered_set<std::string> passage_stems;
    for (const Stems& s : stems_[p]) passage_stems.insert(s.in_order.begin(), s.in_order.end());
    double about = 0.0;
    for (const auto& [stem, weight] : wanted_.weight) about += passage_stems.contains(stem) ? weight : 0.0;
    about /= wanted_.total;
    context_.clear();
    WordScanner scanner(passages_[p].context);
    Word word;
    while (scanner.next(word)) context_.emplace(stem_of(word.text));
    for (size_t i = 0; i < sentences_[p].size(); ++i) {
      if (sentences_[p][i].is_heading) continue;
      Scored candidate = score(p, i);
      const double coverage = candidate.quote.score;
      if (coverage < kLeastCoverage) continue;
      const double place = 1.0 / (1.0 + 0.15 * static_cast<double>(p));  // retrieval's own opinion
      candidate.quote.score = (coverage + 0.35 * about) * place;
      if (wanted_.asks_number && stems_[p][i].has_number) candidate.quote.score *= 1.25;
      scored.push_back(std::move(candidate));
    }
  }

  // The share of the question's weight in a sentence, with half of what its neighbours add: an answer often stands in
  // the sentence after the one that names its subject.
  Scored score(size_t p, size_t i) {
    Scored candidate;
    const Sentence& sentence = sentences_[p][i];
    const std::string_view raw = view_of(p, i);
    candidate.quote = {static_cast<int>(p), sentence.byte_begin, sentence.byte_end, 0.0, plain_sentence(raw)};
    double held = 0.0;
    for (const std::string& stem : stems_[p][i].in_order) {
      const auto at = wanted_.weight.find(stem);
      if (at != wanted_.weight.end() && candidate.found.insert(stem).second) held += at->second;
    }
    double near = 0.0;
    std::set<std::string> nearby;
    const double under = from_heading(p, i, candidate, nearby);
    double above = 0.0;  // the subject may stand in the title alone
    for (const auto& [stem, weight] : wanted_.weight) {
      if (context_.contains(stem) && !candidate.found.contains(stem) && nearby.insert(stem).second) above += weight;
    }
    for (const size_t j : {i - 1, i + 1}) {
      if (j >= stems_[p].size()) continue;
      for (const std::string& stem : stems_[p][j].in_order) {
        const auto at = wanted_.weight.find(stem);
        if (at != wanted_.weight.end() && !candidate.found.contains(stem) && nearby.insert(stem).second) {
          near += at->second;
        }
      }
    }
    const bool silent = candidate.found.empty() && under <= 0.0;
    double score = silent ? 0.0 : (held + 0.3 * near + under + 0.6 * above) / wanted_.total;
    const size_t n_words = stems_[p][i].in_order.size();
    if (candidate.quote.text.empty()) score = 0.0;  // an image, a rule
    if (n_words < 4 && under <= 0.0) score *= 0.5;  // a heading in all but form
    if (candidate.quote.text.ends_with(':')) append_next(p, i, candidate.quote);
    if (candidate.quote.text.size() > kLongSentence) score *= 0.8;
    if (raw.ends_with('?') || raw.ends_with("？")) score *= 0.6;  // a question is no answer
    candidate.quote.score = score;
    return candidate;
  }

  // Items of a list or table are read under their heading: "Population" says what "total: 364,036" counts. What the
  // heading adds to the weight held, and its words before the quotation.
  double from_heading(size_t p, size_t i, Scored& candidate, std::set<std::string>& nearby) const {
    const int heading = stems_[p][i].heading;
    const std::string_view sentence = view_of(p, i);
    const bool item = sentence.starts_with("- ") || sentence.starts_with("* ") || sentence.starts_with("|") ||
                      (sentence.front() >= '0' && sentence.front() <= '9');
    if (heading < 0 || !item) return 0.0;
    double weight = 0.0;
    bool asked_for = true;  // the whole heading is in the question: this is the place
    for (const std::string& stem : stems_[p][static_cast<size_t>(heading)].in_order) {
      const auto at = wanted_.weight.find(stem);
      asked_for &= at != wanted_.weight.end();
      if (at != wanted_.weight.end() && !candidate.found.contains(stem) && nearby.insert(stem).second) {
        weight += at->second;
      }
    }
    if (weight > 0.0) {
      candidate.quote.text = plain_sentence(view_of(p, static_cast<size_t>(heading))) + ": " + candidate.quote.text;
    }
    return asked_for ? 1.6 * weight : 0.7 * weight;
  }

  // "List all files:" is half a sentence: the line after it is the other.
  void append_next(size_t p, size_t i, QuotedSentence& quote) const {
    if (i + 1 >= sentences_[p].size() || sentences_[p][i + 1].is_heading) return;
    const std::string next = plain_sentence(view_of(p, i + 1));
    if (next.empty() || next.size() > kLongSentence) return;
    quote.text += " " + next;
    quote.byte_end = sentences_[p][i + 1].byte_end;
  }

  std::string_view view_of(size_t p, size_t i) const {
    const Sentence& sentence = sentences_[p][i];
    return passages_[p].text.substr(sentence.byte_begin, sentence.byte_end - sentence.byte_begin);
  }

  std::span<const QuotePassage> passages_;
  const QuotingOptions& options_;
  std::vector<std::vector<Sentence>> sentences_;
  std::vector<std::vector<Stems>> stems_;
  std::unordered_set<std::string> context_;  // of the passage being scored
  std::unordered_map<std::string, int> sentences_with_;
  double n_sentences_ = 0;
  Wanted wanted_;
};

}  // namespace

std::vector<QuotedSentence> quote_sentences(std::string_view question, std::span<const QuotePassage> passages,
                                            const QuotingOptions& options) {
  return Quoter(question, passages, options).choose();
}

std::string quoted_answer(std::span<const QuotedSentence> sentences) {
  std::string answer;
  for (const QuotedSentence& sentence : sentences) {
    if (!answer.empty()) answer += "\n";
    answer += sentence.text + " [" + std::to_string(sentence.passage + 1) + "]";
  }
  return answer;
}

}  // namespace mneme::rag

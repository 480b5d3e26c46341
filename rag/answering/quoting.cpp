#include "rag/answering/quoting.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "rag/answering/question_kind.h"
#include "rag/answering/sentence_evidence.h"
#include "rag/answering/sentences.h"
#include "rag/embedding/embedder.h"
#include "rag/text/symbols.h"
#include "rag/text/trigrams.h"
#include "rag/text/words.h"

namespace mneme::rag {

namespace {

// In log odds: a further sentence is quoted when it is at most so much less likely than the best, and one that adds
// none of the question's words only when it is nearly as likely.
constexpr double kFurtherWithin = 1.5;
constexpr double kRepeatWithin = 0.4;
constexpr size_t kLongSentence = 400;

// What a cue of each kind is worth beside the question's words.
double cue_weight(QuestionKind kind) {
  switch (kind) {
    case QuestionKind::kDate: return 2.7;
    case QuestionKind::kReason:
    case QuestionKind::kDefinition: return 2.1;
    case QuestionKind::kPerson: return 1.9;
    case QuestionKind::kNumber: return 1.1;
    case QuestionKind::kManner: return 0.8;
    case QuestionKind::kPlace: return 0.7;
    case QuestionKind::kOther: return 0.0;
  }
  return 0.0;
}

// The question's words with their weights.
struct Wanted {
  std::unordered_map<std::string, double> weight;
  double total = 0.0;
  bool spaced = true;  // written with spaces between words
};

// One sentence of a passage, taken apart.
struct Part {
  Sentence span;
  std::string_view raw;
  std::vector<std::string> stems;
  int heading = -1;  // the part that is the heading it stands under
};

struct Candidate {
  QuotedSentence quote;
  SentenceEvidence evidence;
  std::set<std::string> found;
};

class Quoter {
 public:
  Quoter(std::string_view question, std::span<const QuotePassage> passages, const QuotingOptions& options)
      : question_(question), passages_(passages), options_(options), kind_(kind_of_question(question)) {
    for (const QuotePassage& passage : passages) split(passage.text);
    weigh();
    symbols_ = lone_symbols(question);
  }

  std::vector<QuotedSentence> choose() {
    if (wanted_.total <= 0.0 && symbols_.empty()) return {};
    std::vector<Candidate> candidates;
    for (size_t p = 0; p < passages_.size(); ++p) look_at_passage(p, candidates);
    compare_spelling(candidates);
    compare_meaning(candidates);
    for (Candidate& candidate : candidates) candidate.quote.score = sentence_score(candidate.evidence);
    std::erase_if(candidates, [](const Candidate& c) { return !worth_quoting(c.evidence) || c.quote.text.empty(); });
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.quote.score > b.quote.score; });
    return take_best(candidates);
  }

 private:
  void split(std::string_view passage) {
    std::vector<Part> parts;
    int heading = -1;
    for (const Sentence& sentence : split_sentences(passage)) {
      Part part{sentence, passage.substr(sentence.byte_begin, sentence.byte_end - sentence.byte_begin), {}, heading};
      if (sentence.is_heading) heading = static_cast<int>(parts.size());
      WordScanner scanner(part.raw);
      Word word;
      while (scanner.next(word)) part.stems.emplace_back(stem_of(word.text));
      for (const std::string& stem : std::unordered_set<std::string>(part.stems.begin(), part.stems.end())) {
        ++sentences_with_[stem];
      }
      parts.push_back(std::move(part));
      ++n_sentences_;
    }
    parts_.push_back(std::move(parts));
  }

  // Rarity is taken from the passages themselves: words of the topic are in all of them and decide little between them.
  void weigh() {
    WordScanner scanner(question_);
    Word word;
    while (scanner.next(word)) {
      std::string stem(stem_of(word.text));
      asked_.insert(stem);
      if (is_stop_word(word.text)) continue;
      wanted_.spaced &= !word.pair;
      const auto at = sentences_with_.find(stem);
      if (at == sentences_with_.end()) continue;  // nowhere here: cannot tell one sentence from another
      const double idf = std::log(1.0 + (n_sentences_ + 1.0) / (at->second + 0.5));
      if (wanted_.weight.emplace(std::move(stem), idf).second) wanted_.total += idf;
    }
  }

  // The share of the question's weight among these stems that is not in `known` yet; they are then.
  double share_of(const std::vector<std::string>& stems, std::set<std::string>& known) const {
    double weight = 0.0;
    for (const std::string& stem : stems) {
      const auto at = wanted_.weight.find(stem);
      if (at != wanted_.weight.end() && known.insert(stem).second) weight += at->second;
    }
    return wanted_.total > 0.0 ? weight / wanted_.total : 0.0;
  }

  void look_at_passage(size_t p, std::vector<Candidate>& candidates) {
    std::vector<std::string> context;
    WordScanner scanner(passages_[p].context);
    Word word;
    while (scanner.next(word)) context.emplace_back(stem_of(word.text));
    for (size_t i = 0; i < parts_[p].size(); ++i) {
      if (!parts_[p][i].span.is_heading) candidates.push_back(look_at(p, i, context));
    }
  }

  Candidate look_at(size_t p, size_t i, const std::vector<std::string>& context) {
    const Part& part = parts_[p][i];
    Candidate candidate;
    candidate.quote = {static_cast<int>(p), part.span.byte_begin, part.span.byte_end, 0.0, plain_sentence(part.raw)};
    SentenceEvidence& evidence = candidate.evidence;
    evidence.held = share_of(part.stems, candidate.found);
    std::set<std::string> known = candidate.found;
    read_heading(p, i, candidate, known);
    evidence.above = share_of(context, known) + share_of(parts_[p].front().stems, known);
    if (part.heading >= 0) evidence.above += share_of(parts_[p][static_cast<size_t>(part.heading)].stems, known);
    if (i > 0) evidence.near += share_of(parts_[p][i - 1].stems, known);
    if (i + 1 < parts_[p].size()) evidence.near += share_of(parts_[p][i + 1].stems, known);
    for (const std::string& symbol : symbols_) {
      evidence.symbols += has_lone_symbol(part.raw, symbol) ? 1.0 / static_cast<double>(symbols_.size()) : 0.0;
    }
    evidence.cue = cue_weight(kind_) * answer_cue(kind_, candidate.quote.text, asked_);
    evidence.is_question = part.raw.ends_with('?') || part.raw.ends_with("？");
    evidence.is_first = i == 0;
    evidence.position = static_cast<double>(i) / static_cast<double>(parts_[p].size());
    evidence.passage = static_cast<int>(p);
    if (candidate.quote.text.ends_with(':')) append_next(p, i, candidate.quote);
    evidence.n_words = static_cast<int>(words_of(candidate.quote.text).size());
    return candidate;
  }

  // Items of a list or table are read under their heading: "Population" says what "total: 364,036" counts. Its words
  // then stand before the quotation.
  void read_heading(size_t p, size_t i, Candidate& candidate, std::set<std::string>& known) const {
    const Part& part = parts_[p][i];
    if (part.heading < 0) return;
    const Part& heading = parts_[p][static_cast<size_t>(part.heading)];
    candidate.evidence.heading_asked = std::all_of(heading.stems.begin(), heading.stems.end(),
                                                   [&](const auto& stem) { return wanted_.weight.contains(stem); });
    const bool item = part.raw.starts_with("- ") || part.raw.starts_with("* ") || part.raw.starts_with("|") ||
                      (part.raw.front() >= '0' && part.raw.front() <= '9');
    if (!item) return;
    const double weight = share_of(heading.stems, known);
    if (weight <= 0.0) return;
    candidate.quote.text = plain_sentence(heading.raw) + ": " + candidate.quote.text;
    candidate.evidence.under = weight;
  }

  // "List all files:" is half a sentence: the line after it is the other.
  void append_next(size_t p, size_t i, QuotedSentence& quote) const {
    if (i + 1 >= parts_[p].size() || parts_[p][i + 1].span.is_heading) return;
    const std::string next = plain_sentence(parts_[p][i + 1].raw);
    if (next.empty() || next.size() > kLongSentence) return;
    quote.text += " " + next;
    quote.byte_end = parts_[p][i + 1].span.byte_end;
  }

  void compare_spelling(std::vector<Candidate>& candidates) const {
    if (!wanted_.spaced) return;
    const TrigramQuery query(question_);
    std::vector<TrigramCounts> counts;
    for (const Candidate& candidate : candidates) counts.push_back(query.count(candidate.quote.text));
    const std::vector<double> scores = query.scores(counts, false);
    for (size_t i = 0; i < candidates.size(); ++i) candidates[i].evidence.spelling = scores[i];
  }

  // A failing embedder leaves the words to decide.
  void compare_meaning(std::vector<Candidate>& candidates) const {
    if (options_.embedder == nullptr || candidates.empty()) return;
    const size_t width = static_cast<size_t>(options_.embedder->dim());
    std::vector<std::string_view> texts;
    for (const Candidate& candidate : candidates) texts.push_back(candidate.quote.text);
    std::vector<float> rows(texts.size() * width);
    std::vector<float> question(width);
    if (!options_.embedder->embed(texts, EmbedKind::kPassage, rows).ok()) return;
    if (!options_.embedder->embed({&question_, 1}, EmbedKind::kQuery, question).ok()) return;
    for (size_t i = 0; i < candidates.size(); ++i) {
      double dot = 0.0;
      for (size_t d = 0; d < width; ++d) dot += double{rows[i * width + d]} * question[d];
      candidates[i].evidence.meaning = dot;
    }
  }

  std::vector<QuotedSentence> take_best(std::vector<Candidate>& candidates) const {
    std::vector<QuotedSentence> chosen;
    std::unordered_set<std::string> covered;
    std::unordered_set<std::string> said;
    size_t bytes = 0;
    for (Candidate& candidate : candidates) {
      if (chosen.size() >= static_cast<size_t>(options_.max_sentences)) break;
      const double behind = chosen.empty() ? 0.0 : chosen.front().score - candidate.quote.score;
      if (behind > kFurtherWithin) break;
      if (!chosen.empty() && bytes + candidate.quote.text.size() > options_.max_bytes) continue;
      const bool adds = std::any_of(candidate.found.begin(), candidate.found.end(),
                                    [&](const std::string& stem) { return !covered.contains(stem); });
      if (!chosen.empty() && !adds && behind > kRepeatWithin) continue;
      if (!said.insert(folded_text(candidate.quote.text)).second) continue;
      covered.insert(candidate.found.begin(), candidate.found.end());
      bytes += candidate.quote.text.size();
      chosen.push_back(std::move(candidate.quote));
    }
    return chosen;
  }

  const std::string_view question_;
  const std::span<const QuotePassage> passages_;
  const QuotingOptions& options_;
  const QuestionKind kind_;
  std::vector<std::string> symbols_;
  std::unordered_set<std::string> asked_;  // stems of all the question's words
  std::vector<std::vector<Part>> parts_;   // by passage
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

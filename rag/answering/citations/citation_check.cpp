#include "rag/answering/citations/citation_check.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "rag/chunking/text_units.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

// Measured with planted wrong citations (tests/unit/rag_answering): below this share of the weight a passage does not
// bear a sentence out, and a passage that holds this much more is the one that should have been named.
constexpr double kSupportShare = 0.55;
constexpr double kClearlyMore = 0.25;
constexpr double kClearlyTogether = 0.4;  // ... of the sentence's neighbouring words
constexpr double kClearlyAbout = 0.25;    // ... of the question's weight, for an answer of a few words
constexpr size_t kFewWords = 5;
constexpr int kMaxNumber = 999;
constexpr int kLongestRange = 50;  // "[1-999]" names no thousand passages

using WordSet = std::unordered_set<std::string>;

// The words of a text and its pairs of neighbours.
struct Terms {
  WordSet stems;
  WordSet pairs;  // "a b"
};

Terms terms_of(std::string_view text) {
  Terms terms;
  std::string last;
  WordScanner scanner(text);
  Word word;
  while (scanner.next(word)) {
    std::string stem(stem_of(word.text));
    if (!last.empty()) terms.pairs.insert(last + " " + stem);
    terms.stems.insert(stem);
    last = std::move(stem);
  }
  return terms;
}

bool is_number(std::string_view word) {
  return !word.empty() && word.front() >= '0' && word.front() <= '9';
}

// A sentence of the answer: its text without marks, and what it names.
struct AnswerSentence {
  size_t begin = 0;
  size_t end = 0;
  std::vector<int> named;
  std::string text;
};

std::vector<AnswerSentence> split_answer(std::string_view answer) {
  std::vector<AnswerSentence> sentences;
  size_t begin = 0;
  std::vector<size_t> ends = chunking::sentence_ends(answer);
  for (size_t i = 0; i < answer.size(); ++i) {
    if (answer[i] == '\n') ends.push_back(i + 1);
  }
  std::sort(ends.begin(), ends.end());
  for (size_t end : ends) {
    if (end <= begin) continue;
    // Marks after the full stop belong to the sentence before it: "It is so. [1]"
    for (size_t at = end; at < answer.size();) {
      size_t mark = at;
      while (mark < answer.size() && answer[mark] == ' ') ++mark;
      if (parse_citation(answer, mark).empty()) break;
      at = end = mark;
      if (end < answer.size() && answer[end] == '.') at = ++end;
    }
    AnswerSentence sentence{begin, end, {}, {}};
    for (size_t at = begin; at < end;) {
      if (answer[at] == '[') {
        const std::vector<int> numbers = parse_citation(answer, at);
        if (!numbers.empty()) {
          sentence.named.insert(sentence.named.end(), numbers.begin(), numbers.end());
          continue;
        }
      }
      sentence.text.push_back(answer[at++]);
    }
    begin = end;
    sentences.push_back(std::move(sentence));
  }
  return sentences;
}

class Checker {
 public:
  Checker(std::string_view question, std::span<const std::string_view> passages) : question_(terms_of(question).stems) {
    for (const std::string_view passage : passages) {
      passages_.push_back(terms_of(passage));
      for (const std::string& stem : passages_.back().stems) ++holders_[stem];
    }
    about_ = shares(weights(std::string(question), Weighing::kQuestion));
  }

  size_t n_passages() const { return passages_.size(); }

  // How well each passage bears a sentence out.
  struct Support {
    std::vector<double> held;      // weighted share of its words; empty when it has no words at all
    std::vector<double> together;  // share of its pairs of neighbouring words
    size_t n_words = 0;
    double best() const { return held.empty() ? 0.0 : *std::max_element(held.begin(), held.end()); }
  };
  Support support(const std::string& sentence) const {
    Support result;
    std::map<std::string, double> weight = weights(sentence, Weighing::kAnswer);
    // "No", "The Who": all grammar words, and all there is to go by.
    if (weight.empty()) weight = weights(sentence, Weighing::kEveryWord);
    if (weight.empty()) return result;
    result.n_words = weight.size();
    result.held = shares(weight);
    const WordSet pairs = terms_of(sentence).pairs;
    for (const Terms& passage : passages_) {
      double found = 0.0;
      for (const std::string& pair : pairs) found += passage.pairs.contains(pair) ? 1.0 : 0.0;
      result.together.push_back(pairs.empty() ? 1.0 : found / static_cast<double>(pairs.size()));
    }
    return result;
  }

  // Whether another passage is clearly the one that should have been named instead of `p`.
  bool another_is_meant(const Support& support, size_t p) const {
    for (size_t other = 0; other < passages_.size(); ++other) {
      if (other == p) continue;
      if (support.held[other] - support.held[p] > kClearlyMore) return true;
      const bool holds_it = support.held[other] >= support.held[p] && support.together[other] >= support.together[p];
      if (!holds_it) continue;
      if (support.together[other] - support.together[p] > kClearlyTogether) return true;
      const bool few = support.n_words <= kFewWords && !about_.empty();
      if (few && about_[other] - about_[p] > kClearlyAbout) return true;
    }
    return false;
  }

 private:
  enum class Weighing { kAnswer, kQuestion, kEveryWord };

  std::map<std::string, double> weights(const std::string& sentence, Weighing weighing) const {
    std::map<std::string, double> result;
    WordScanner scanner(sentence);
    Word word;
    while (scanner.next(word)) {
      if (weighing != Weighing::kEveryWord && is_stop_word(word.text)) continue;
      std::string stem(stem_of(word.text));
      const auto holders = holders_.find(stem);
      const double n = static_cast<double>(passages_.size());
      const double df = holders == holders_.end() ? 0.0 : holders->second;
      double weight = 0.3 + std::log(1.0 + (n + 1.0) / (df + 0.5));
      if (is_number(word.text)) weight *= 2.0;
      if (weighing == Weighing::kAnswer && question_.contains(stem)) weight *= 0.25;
      result[std::move(stem)] = weight;
    }
    return result;
  }

  // The share of a weight that each passage holds; empty for no weight.
  std::vector<double> shares(const std::map<std::string, double>& weights) const {
    std::vector<double> held(passages_.size());
    double total = 0.0;
    for (const auto& [stem, weight] : weights) {
      total += weight;
      for (size_t p = 0; p < passages_.size(); ++p) held[p] += passages_[p].stems.contains(stem) ? weight : 0.0;
    }
    if (total <= 0.0) return {};
    for (double& share : held) share /= total;
    return held;
  }

  WordSet question_;
  std::vector<Terms> passages_;
  std::unordered_map<std::string, int> holders_;
  std::vector<double> about_;  // share of the question's weight in each passage
};

}  // namespace

std::vector<int> parse_citation(std::string_view text, size_t& at) {
  std::vector<int> numbers;
  if (at >= text.size() || text[at] != '[') return numbers;
  size_t i = at + 1;
  bool range = false;
  while (i < text.size()) {
    while (i < text.size() && text[i] == ' ') ++i;
    int n = 0;
    size_t digits = 0;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9' && digits < 4) {
      n = n * 10 + (text[i] - '0');
      ++i;
      ++digits;
    }
    if (digits == 0 || n < 1 || n > kMaxNumber) return {};
    if (range) {
      const int first = numbers.back() + 1;
      for (int between = first; between < std::min(n, first + kLongestRange); ++between) numbers.push_back(between);
    }
    numbers.push_back(n);
    range = false;
    while (i < text.size() && text[i] == ' ') ++i;
    if (i >= text.size()) return {};
    if (text[i] == ']') {
      at = i + 1;
      return numbers;
    }
    if (text[i] == '-') {
      range = true;
    } else if (text[i] != ',' && text[i] != ';') {
      return {};
    }
    ++i;
  }
  return {};
}

CitationCheck check_citations(std::string_view answer, std::string_view question,
                              std::span<const std::string_view> passages, bool says_no) {
  CitationCheck check;
  const Checker checker(question, passages);
  std::map<int, CitationCheck::Named> named;
  for (const AnswerSentence& sentence : split_answer(answer)) {
    const Checker::Support support = checker.support(sentence.text);
    const bool has_words = !support.held.empty();
    bool borne_out = sentence.named.empty() && support.best() >= kSupportShare;
    double together = 0.0;
    for (const int n : sentence.named) {
      CitationCheck::Named& entry = named[n];
      entry.n = n;
      if (n > static_cast<int>(passages.size())) {
        entry.refuted = true;
        continue;
      }
      const size_t passage = static_cast<size_t>(n - 1);
      const double share = has_words ? support.held[passage] : 1.0;
      together += share;
      // A sentence that names several passages draws on each of them in part.
      const double needed = sentence.named.size() > 1 ? kSupportShare / 2 : kSupportShare;
      const bool alone = sentence.named.size() == 1 && has_words;
      const bool stands = share >= needed && !(alone && checker.another_is_meant(support, passage));
      entry.supported |= stands;
      entry.refuted |= !stands;
      borne_out |= stands;
    }
    if (sentence.named.size() > 1 && together < kSupportShare) borne_out = false;
    if (!says_no && !borne_out && has_words) {
      size_t begin = sentence.begin;
      while (begin < sentence.end && (answer[begin] == ' ' || answer[begin] == '\n')) ++begin;
      check.unsupported.push_back({begin, sentence.end});
    }
  }
  for (const auto& [n, entry] : named) check.named.push_back(entry);
  return check;
}

}  // namespace mneme::rag

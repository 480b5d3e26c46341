#include "rag/answering/citation_check.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "rag/chunking/text_units.h"
#include "rag/text/words.h"

namespace mneme::rag {

namespace {

// Measured with planted wrong citations (tests/unit/rag_answering): below this share of the weight a passage does not
// bear a sentence out, and a passage that holds this much more is the one that should have been named.
constexpr double kSupportShare = 0.55;
constexpr double kClearlyMore = 0.25;
constexpr int kMaxNumber = 999;

using WordSet = std::unordered_set<std::string>;

WordSet stems_of(std::string_view text) {
  WordSet stems;
  WordScanner scanner(text);
  Word word;
  while (scanner.next(word)) stems.emplace(stem_of(word.text));
  return stems;
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
    // Marks after the full stop belong to the sentence before it: "It is so. [1]"
    for (size_t at = std::max(end, begin); at < answer.size();) {
      size_t mark = at;
      while (mark < answer.size() && answer[mark] == ' ') ++mark;
      if (parse_citation(answer, mark).empty()) break;
      at = end = mark;
      if (end < answer.size() && answer[end] == '.') at = ++end;
    }
    if (end <= begin) continue;
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
  Checker(std::string_view question, std::span<const std::string_view> passages) : question_(stems_of(question)) {
    for (const std::string_view passage : passages) {
      passages_.push_back(stems_of(passage));
      for (const std::string& stem : passages_.back()) ++holders_[stem];
    }
  }

  size_t n_passages() const { return passages_.size(); }

  // Weighted share of the sentence's words in each passage; empty when it has no words to speak of.
  std::vector<double> support(const std::string& sentence) const {
    std::vector<double> held(passages_.size());
    double total = 0.0;
    for (const auto& [stem, weight] : weights(sentence)) {
      total += weight;
      for (size_t p = 0; p < passages_.size(); ++p) {
        if (passages_[p].contains(stem)) held[p] += weight;
      }
    }
    if (total <= 0.0) return {};
    for (double& share : held) share /= total;
    return held;
  }

 private:
  std::map<std::string, double> weights(const std::string& sentence) const {
    std::map<std::string, double> result;
    WordScanner scanner(sentence);
    Word word;
    while (scanner.next(word)) {
      if (is_stop_word(word.text)) continue;
      std::string stem(stem_of(word.text));
      const auto holders = holders_.find(stem);
      const double n = static_cast<double>(passages_.size());
      const double df = holders == holders_.end() ? 0.0 : holders->second;
      double weight = 0.3 + std::log(1.0 + (n + 1.0) / (df + 0.5));
      if (is_number(word.text)) weight *= 2.0;
      if (question_.contains(stem)) weight *= 0.25;
      result[std::move(stem)] = weight;
    }
    return result;
  }

  WordSet question_;
  std::vector<WordSet> passages_;
  std::unordered_map<std::string, int> holders_;
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
      for (int between = numbers.back() + 1; between < n && between - numbers.back() < 50; ++between) {
        numbers.push_back(between);
      }
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

std::string without_citations(std::string_view answer) {
  std::string text;
  for (size_t at = 0; at < answer.size();) {
    if (answer[at] == '[' && !parse_citation(answer, at).empty()) {
      while (text.ends_with(' ')) text.pop_back();
      continue;
    }
    text.push_back(answer[at++]);
  }
  return text;
}

CitationCheck check_citations(std::string_view answer, std::string_view question,
                              std::span<const std::string_view> passages, bool says_no) {
  CitationCheck check;
  const Checker checker(question, passages);
  std::map<int, CitationCheck::Named> named;
  for (const AnswerSentence& sentence : split_answer(answer)) {
    const std::vector<double> support = checker.support(sentence.text);
    const double best = support.empty() ? 0.0 : *std::max_element(support.begin(), support.end());
    bool borne_out = sentence.named.empty() && best >= kSupportShare;
    double together = 0.0;
    for (const int n : sentence.named) {
      CitationCheck::Named& entry = named[n];
      entry.n = n;
      if (n > static_cast<int>(passages.size())) {
        entry.refuted = true;
        continue;
      }
      const double share = support.empty() ? 1.0 : support[static_cast<size_t>(n - 1)];
      together += share;
      // A sentence that names several passages draws on each of them in part.
      const double needed = sentence.named.size() > 1 ? kSupportShare / 2 : kSupportShare;
      const bool stands = share >= needed && (sentence.named.size() > 1 || best - share <= kClearlyMore);
      entry.supported |= stands;
      entry.refuted |= !stands;
      borne_out |= stands;
    }
    if (sentence.named.size() > 1 && together < kSupportShare) borne_out = false;
    if (!says_no && !borne_out && !support.empty()) {
      size_t begin = sentence.begin;
      while (begin < sentence.end && (answer[begin] == ' ' || answer[begin] == '\n')) ++begin;
      check.unsupported.push_back({begin, sentence.end});
    }
  }
  for (const auto& [n, entry] : named) check.named.push_back(entry);
  return check;
}

}  // namespace mneme::rag

#include "rag/answering/exchanged_thing.h"

#include <algorithm>
#include <span>
#include <vector>

#include "rag/text/quantities.h"
#include "rag/text/stop_words.h"
#include "rag/text/words.h"

namespace mneme::rag {

namespace {

using Strings = std::span<const std::string_view>;

constexpr size_t kMostWords = 4;  // of what is named

struct PlacedWord {
  std::string text;  // folded
  size_t begin = 0;
  size_t end = 0;
};

bool one_of(std::string_view word, Strings words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_determiner(std::string_view word) {
  constexpr std::string_view kDeterminers[] = {"the", "a",   "an",  "my",  "our", "your", "his",   "her",   "their",
                                               "der", "die", "das", "den", "dem", "mein", "meine", "unser", "unsere"};
  return one_of(word, kDeterminers);
}

// "And in winter?", "and who pays?", "and it?": no thing is named.
bool names_no_thing(std::string_view word) {
  constexpr std::string_view kWords[] = {
      "in",     "on",     "at",    "for",   "with", "without", "from",  "to",    "of",   "by",   "after",
      "before", "during", "since", "until", "if",   "when",    "where", "who",   "what", "why",  "how",
      "which",  "is",     "are",   "does",  "do",   "did",     "can",   "not",   "then", "it",   "its",
      "they",   "them",   "he",    "she",   "this", "that",    "these", "those", "im",   "auf",  "fur",
      "mit",    "ohne",   "nach",  "vor",   "wer",  "wie",     "was",   "wann",  "wo",   "wenn", "warum",
      "ist",    "sind",   "es",    "sie",   "er",   "there",   "else",  "also",  "about"};
  return one_of(word, kWords);
}

std::vector<PlacedWord> placed_words(std::string_view text) {
  std::vector<PlacedWord> words;
  WordScanner scanner(text);
  for (Word word; scanner.next(word);) {
    if (word.pair) return {};  // scripts without spaces show no words to exchange
    words.push_back({std::string(word.text), word.byte_begin, word.byte_end});
  }
  return words;
}

// What is named behind "and" or "what about", and nothing else.
std::span<const PlacedWord> named_thing(std::span<const PlacedWord> words) {
  constexpr std::string_view kAnd[] = {"and", "but", "or", "und", "oder", "aber"};
  constexpr std::string_view kWhat[] = {"what", "how"};
  size_t first = 0;
  if (words.size() > 1 && one_of(words[0].text, kAnd)) first = 1;
  if (words.size() > first + 2 && one_of(words[first].text, kWhat) && words[first + 1].text == "about") first += 2;
  const std::span<const PlacedWord> thing = words.subspan(first);
  const bool names =
      first > 0 && !thing.empty() && thing.size() <= kMostWords &&
      std::none_of(thing.begin(), thing.end(), [](const PlacedWord& w) { return names_no_thing(w.text); });
  return names ? thing : std::span<const PlacedWord>();
}

enum class Shape { kPlain, kCode, kName };

Shape shape_of(std::string_view text, const PlacedWord& word) {
  if (has_digits(word.text)) return Shape::kCode;
  return text[word.begin] >= 'A' && text[word.begin] <= 'Z' ? Shape::kName : Shape::kPlain;
}

// The last run of words of one shape behind the first word of a question: "F28", "New York".
std::span<const PlacedWord> run_of_shape(std::string_view text, std::span<const PlacedWord> words, Shape shape) {
  size_t end = words.size();
  while (end > 1 && shape_of(text, words[end - 1]) != shape) --end;
  size_t begin = end;
  while (begin > 1 && shape_of(text, words[begin - 1]) == shape) --begin;
  return words.subspan(begin, end - begin);
}

// "the rent" of "How much is the rent?", "the museum" of "When does the museum open?": up to the next grammar word or
// the verb that an auxiliary leaves for the end.
std::span<const PlacedWord> determined_run(std::span<const PlacedWord> words) {
  constexpr std::string_view kAuxiliaries[] = {"do", "does", "did", "can", "will", "would", "should", "must", "may"};
  const auto first =
      std::find_if(words.begin(), words.end(), [](const PlacedWord& w) { return is_determiner(w.text); });
  if (first == words.end()) return {};
  const auto begin = static_cast<size_t>(first - words.begin());
  size_t end = begin + 1;
  while (end < words.size() && !is_stop_word(words[end].text)) ++end;
  const bool verb_last = begin > 0 && one_of(words[begin - 1].text, kAuxiliaries);
  if (verb_last && end == words.size()) --end;
  return end > begin + 1 ? words.subspan(begin, end - begin) : std::span<const PlacedWord>();
}

}  // namespace

std::optional<std::string> with_thing_exchanged(std::string_view before, std::string_view follow_up) {
  const std::vector<PlacedWord> asked = placed_words(before);
  const std::vector<PlacedWord> words = placed_words(follow_up);
  const std::span<const PlacedWord> thing = named_thing(words);
  if (thing.empty() || asked.empty()) return std::nullopt;
  const Shape shape = shape_of(follow_up, thing.back());
  const std::span<const PlacedWord> old = is_determiner(thing.front().text) ? determined_run(asked)
                                          : shape != Shape::kPlain          ? run_of_shape(before, asked, shape)
                                                                            : std::span<const PlacedWord>();
  if (old.empty()) return std::nullopt;
  std::string exchanged(before.substr(0, old.front().begin));
  exchanged += follow_up.substr(thing.front().begin, thing.back().end - thing.front().begin);
  exchanged += before.substr(old.back().end);
  return exchanged;
}

}  // namespace mneme::rag

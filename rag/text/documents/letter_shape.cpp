#include "rag/text/documents/letter_shape.h"

#include <algorithm>
#include <span>
#include <vector>

#include "base/trim.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/words/placed_words.h"
#include "rag/text/words/word_sequences.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

using Words = std::span<const PlacedWord>;
using List = std::string_view PaperWords::*;

constexpr size_t kMostText = 64 * 1024;
constexpr size_t kGreetedWithin = 3000;  // bytes: what stands before is the head of the letter
constexpr size_t kMostBehind = 3000;     // bytes behind the closing: name, enclosures, a postscript
constexpr size_t kLongestLine = 100;     // bytes of a line that greets
constexpr size_t kMostGreeted = 8;       // words behind the salutation
constexpr size_t kMostClosing = 6;       // words behind the closing
constexpr size_t kMostPolite = 14;       // ... of one that is a sentence: "Veuillez agréer, Madame, ..."
constexpr size_t kMostShort = 3;         // words of a line that closes with one word: "Love, Bea"
constexpr size_t kMostName = 6;          // words

std::string all_phrases(List list, bool wide) {
  std::string all;
  for (const LanguageFacts* facts : all_languages()) {
    if (facts->papers == nullptr) continue;
    for_each_part(facts->papers->*list, ", ", [&](std::string_view phrase) {
      if (written_without_spaces(phrase) == wide) all.append(all.empty() ? "" : ", ").append(phrase);
    });
  }
  return all;
}

// Phrases of scripts with spaces, and of the others.
struct Phrases {
  explicit Phrases(List list) : spaced(all_phrases(list, false), ", ") {
    const std::string all = all_phrases(list, true);
    for_each_part(all, ", ", [&](std::string_view phrase) { wide.emplace_back(phrase); });
  }
  // Such a line begins with one, or ends with it: 您好, 佐藤様.
  bool at_edge(std::string_view line) const {
    constexpr std::string_view kMarks[] = {"，", "：", "。", "、", "！", ",", ":", "."};
    for (const std::string_view mark : kMarks) {
      if (line.ends_with(mark)) line.remove_suffix(mark.size());
    }
    return std::any_of(wide.begin(), wide.end(),
                       [&](const std::string& phrase) { return line.starts_with(phrase) || line.ends_with(phrase); });
  }

  WordSequences spaced;
  std::vector<std::string> wide;
};

const Phrases& salutations() {
  static const Phrases kAll(&PaperWords::salutations);
  return kAll;
}

const Phrases& closings() {
  static const Phrases kAll(&PaperWords::closings);
  return kAll;
}

std::string_view line_at(std::string_view text, size_t begin) {
  return trimmed(text.substr(begin, text.find('\n', begin) - begin));
}

// "Dear Ms Whitfield,", also where the letter goes on in the same line.
bool greets(std::string_view line) {
  const std::string_view greeting = line.substr(0, line.find_first_of(",!:"));
  if (greeting.empty() || greeting.size() > kLongestLine) return false;
  if (written_without_spaces(greeting)) return salutations().at_edge(line.substr(0, kLongestLine));
  const std::vector<PlacedWord> words = placed_words(greeting);
  const size_t n = salutations().spaced.at_front(words);
  // Without a mark behind it a name follows, not "fi for beginners".
  const bool goes_on = words.size() > n && greeting.size() == line.size();
  return n > 0 && words.size() <= n + kMostGreeted && !greeting.ends_with('.') &&
         (!goes_on || begins_large(greeting, words[n]));
}

// What a line, or a sentence of it, closes with; the rest of it behind the closing.
struct Closing {
  bool closes = false;
  std::string_view rest;
};

Closing closing_in(std::string_view line) {
  if (line.empty()) return {};
  if (written_without_spaces(line)) return {line.size() <= kLongestLine && closings().at_edge(line), {}};
  const std::vector<PlacedWord> words = placed_words(line.substr(0, 2 * kLongestLine));
  const size_t n = closings().spaced.at_front(words);
  if (n == 0) return {};
  const size_t n_behind = words.size() - n;
  if (n == 1 && words.size() > kMostShort) return {};
  if (n_behind > (n > 1 && line.ends_with('.') ? kMostPolite : kMostClosing)) return {};
  return {true, n_behind == 0 ? std::string_view() : line.substr(words[n].begin)};
}

bool is_name(std::string_view text) {
  const std::vector<PlacedWord> words = placed_words(text);
  return !words.empty() && words.size() <= kMostName && begins_large(text, words.front());
}

// Behind the closing: in its line, or in the next one that says anything.
std::string sender_in(std::string_view rest, std::string_view below) {
  if (is_name(rest) && !rest.ends_with('.')) return std::string(trimmed(rest));
  for (size_t at = 0; at < below.size(); at = std::min(below.find('\n', at), below.size() - 1) + 1) {
    const std::string_view line = line_at(below, at);
    if (!line.empty()) return is_name(line) ? std::string(line) : std::string();
  }
  return {};
}

// Where the line, or a sentence in it, closes a letter.
Closing closing_within(std::string_view line) {
  Closing closing = closing_in(line);
  for (size_t at = line.find(". "); !closing.closes && at != std::string_view::npos; at = line.find(". ", at + 1))
    closing = closing_in(trimmed(line.substr(at + 2)));
  return closing;
}

// The first byte behind the line that greets; npos where none does.
size_t end_of_greeting(std::string_view text) {
  for (size_t at = 0; at < std::min(text.size(), kGreetedWithin);) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = line_at(text, at);
    // In one paragraph with what follows: that is looked at for the closing, too.
    if (greets(line)) return line.size() <= kLongestLine ? end : at + line.find_first_of(",!:");
    at = end + 1;
  }
  return std::string_view::npos;
}

}  // namespace

LetterShape letter_shape(std::string_view text) {
  text = text.substr(0, kMostText);
  const size_t greeted = end_of_greeting(text);
  if (greeted == std::string_view::npos) return {};
  LetterShape letter;
  for (size_t at = greeted; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const Closing closing = closing_within(line_at(text, at));
    if (closing.closes && text.size() - end <= kMostBehind)  // the last one: others close what is enclosed
      letter = {true, sender_in(closing.rest, text.substr(std::min(end + 1, text.size())))};
    if (letter.is_letter && !letter.sender.empty()) break;
    at = end + 1;
  }
  return letter;
}

}  // namespace mneme::rag

#include "rag/text/introduced_person.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "rag/text/phrases.h"
#include "rag/text/placed_words.h"
#include "rag/text/stop_words.h"
#include "rag/text/words.h"

namespace mneme::rag {

namespace {

using Words = std::span<const PlacedWord>;

constexpr size_t kMostNames = 4;
constexpr size_t kMostOfKind = 5;  // words between "a" and the name: "the well known consulting detective"
constexpr double kIs = 1.0;        // "Queequeg was a native"
constexpr double kBeside = 0.9;    // "Fix, the detective", "a man named Fix"
constexpr double kOfItself = 0.6;  // "my name is Fix"
constexpr std::string_view kTitles[] = {"mr",   "mrs",     "miss",      "ms",   "dr",   "sir", "lord",
                                        "lady", "captain", "professor", "herr", "frau", "von", "van",
                                        "de",   "du",      "la",        "le",   "the"};
constexpr std::string_view kWas[] = {"is", "was", "are", "were", "ist", "war"};
constexpr std::string_view kKinds[] = {"a",    "an",  "the", "one",  "my",    "his",  "her",   "our", "their", "ein",
                                       "eine", "der", "die", "mein", "meine", "sein", "seine", "ihr", "ihre"};
constexpr std::string_view kNaming[] = {"named", "called", "genannt", "namens"};

bool begins_large(std::string_view text, const PlacedWord& word) {
  const auto byte = static_cast<unsigned char>(text[word.begin]);
  return (byte >= 'A' && byte <= 'Z') || byte >= 0xC3;
}

// "Who is", "qui est": how many words; 0: not so.
size_t n_asking(Words words) {
  struct Asking {
    std::string_view who;
    std::string_view is;
  };
  constexpr Asking kAskings[] = {{"who", "is"},  {"who", "was"}, {"who", "s"},    {"who", "are"},   {"wer", "ist"},
                                 {"wer", "war"}, {"qui", "est"}, {"quien", "es"}, {"quien", "era"}, {"chi", "e"},
                                 {"chi", "era"}, {"quem", "e"},  {"quem", "foi"}, {"qui", "etait"}};
  if (words.size() < 3) return 0;
  const bool asks = std::any_of(std::begin(kAskings), std::end(kAskings), [&](const Asking& asking) {
    return words[0].text == asking.who && words[1].text == asking.is;
  });
  return asks ? 2 : 0;
}

bool is_name(const PlacedWord& word, const std::unordered_set<std::string>& asked) {
  return !is_stop_word(word.text) && asked.contains(stem_of(word.text));
}

// What stands between two words: "" or " ", ", ", ". ".
std::string_view between(std::string_view text, const PlacedWord& a, const PlacedWord& b) {
  return text.substr(a.end, b.begin - a.end);
}

bool is_comma(std::string_view between) {
  return between == ", " || between == ",\n";
}

// Behind the name, which ends before words[next].
double told_behind(std::string_view sentence, Words words, size_t next) {
  if (next + 1 >= words.size()) return 0.0;
  const std::string_view border = between(sentence, words[next - 1], words[next]);
  const bool kind_follows = one_of(words[next + 1].text, kKinds);
  if (border == " " && one_of(words[next].text, kWas) && kind_follows) return kIs;
  return is_comma(border) && one_of(words[next].text, kKinds) ? kBeside : 0.0;
}

// Before the name, which begins at words[first].
double told_before(std::string_view sentence, Words words, size_t first) {
  while (first > 0 && one_of(words[first - 1].text, kTitles)) --first;  // "a man called Dr. Livesey"
  if (first == 0) return 0.0;
  const std::string& before = words[first - 1].text;
  if (one_of(before, kNaming)) return kBeside;
  const bool says_itself =
      first > 2 && before == "is" && words[first - 2].text == "name" && words[first - 3].text == "my";
  if (says_itself) return kOfItself;
  if (!is_comma(between(sentence, words[first - 1], words[first]))) return 0.0;
  for (size_t i = first; i > 0 && first - i < kMostOfKind; --i) {  // "the chief mate, Starbuck"
    const bool parted = i < first && between(sentence, words[i - 1], words[i]) != " ";
    if (parted) break;
    if (one_of(words[i - 1].text, kKinds)) return first - i > 0 ? kBeside : 0.0;
  }
  return 0.0;
}

// "John Straker" is not Long John Silver, nor is "Mary Silver".
bool is_of_another(std::string_view sentence, Words words, size_t first, size_t next) {
  const auto joins = [&](size_t a, size_t b, size_t other) {
    return between(sentence, words[a], words[b]) == " " && begins_large(sentence, words[other]) &&
           !one_of(words[other].text, kTitles) && !is_stop_word(words[other].text);
  };
  if (next < words.size() && joins(next - 1, next, next)) return true;
  return first > 1 && joins(first - 1, first, first - 1);
}

}  // namespace

std::string asked_person(std::string_view question) {
  const std::vector<PlacedWord> all = placed_words(question);
  const Words words(all);
  const size_t first = n_asking(words);
  if (first == 0 || words.size() - first > kMostNames) return {};
  const Words name = words.subspan(first);
  const bool named = std::all_of(name.begin(), name.end(), [&](const PlacedWord& word) {
    return begins_large(question, word) || one_of(word.text, kTitles);
  });
  const bool says = std::any_of(name.begin(), name.end(), [](const PlacedWord& w) { return !one_of(w.text, kTitles); });
  return named && says && name.front().text != "the" ? std::string(spanned(question, name)) : std::string();
}

double introducing_cue(std::string_view sentence, const std::unordered_set<std::string>& asked) {
  const std::vector<PlacedWord> all = placed_words(sentence);
  const Words words(all);
  double best = 0.0;
  for (size_t i = 0; i < words.size(); ++i) {
    if (!is_name(words[i], asked)) continue;
    size_t next = i + 1;
    while (next < words.size() && is_name(words[next], asked)) ++next;
    if (!is_of_another(sentence, words, i, next))
      best = std::max({best, told_behind(sentence, words, next), told_before(sentence, words, i)});
    i = next - 1;
  }
  return best;
}

}  // namespace mneme::rag

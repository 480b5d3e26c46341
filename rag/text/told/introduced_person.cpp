#include "rag/text/told/introduced_person.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "rag/text/asked/person.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/placed_words.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

using Words = std::span<const PlacedWord>;

constexpr size_t kMostOfKind = 5;  // words between "a" and the name: "the well known consulting detective"
constexpr double kIs = 1.0;        // "Queequeg was a native"
constexpr double kBeside = 0.9;    // "Fix, the detective", "a man named Fix"
constexpr double kOfItself = 0.6;  // "my name is Fix"
constexpr std::string_view kWas[] = {"is", "was", "are", "were", "ist", "war"};
constexpr std::string_view kKinds[] = {"a",    "an",  "the", "one",  "my",    "his",  "her",   "our", "their", "ein",
                                       "eine", "der", "die", "mein", "meine", "sein", "seine", "ihr", "ihre"};
constexpr std::string_view kNaming[] = {"named", "called", "genannt", "namens"};

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
  while (first > 0 && is_title_of_person(words[first - 1].text)) --first;  // "a man called Dr. Livesey"
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
           !is_title_of_person(words[other].text) && !is_stop_word(words[other].text);
  };
  if (next < words.size() && joins(next - 1, next, next)) return true;
  return first > 1 && joins(first - 1, first, first - 1);
}

}  // namespace

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

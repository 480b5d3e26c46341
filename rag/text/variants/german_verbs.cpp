#include "rag/text/variants/german_verbs.h"

#include <algorithm>
#include <vector>

#include "rag/text/variants/related_words.h"
#include "rag/text/words/phrases.h"

namespace mneme::rag {

namespace {

constexpr size_t kLeastRoot = 4;  // letters: "zahl", "wohn"

// Parts that come off their verb ("ich bringe mit"), longer ones first.
constexpr std::string_view kParts[] = {"zusammen", "zuruck", "wieder", "unter", "durch", "heim", "nach", "teil",
                                       "uber",     "auf",    "aus",    "bei",   "ein",   "her",  "hin",  "los",
                                       "mit",      "vor",    "weg",    "ab",    "an",    "um",   "zu"};

std::string_view part_of(std::string_view word) {
  const auto part = std::find_if(std::begin(kParts), std::end(kParts), [&](std::string_view p) {
    return word.starts_with(p) && word.size() >= p.size() + kLeastRoot;
  });
  return part == std::end(kParts) ? std::string_view() : *part;
}

std::string_view without_ending(std::string_view word) {
  for (const std::string_view ending : {"ungen", "ung", "ten", "en", "et", "st", "te", "n", "t", "e"}) {
    if (word.ends_with(ending) && word.size() >= ending.size() + kLeastRoot) {
      word.remove_suffix(ending.size());
      break;
    }
  }
  return word;
}

// "zubringen" and "bringen" of "mitzubringen": what may stand behind the part that comes off.
std::vector<std::string_view> rests(std::string_view rest) {
  std::vector<std::string_view> all{rest};
  if ((rest.starts_with("zu") || rest.starts_with("ge")) && rest.size() >= 2 + kLeastRoot)
    all.push_back(rest.substr(2));
  return all;
}

bool are_of_one_verb(std::string_view a, std::string_view b) {
  if (without_ending(a) == without_ending(b)) return true;
  const std::vector<std::string_view> related = related_words(a);
  return std::find(related.begin(), related.end(), b) != related.end();
}

bool is_noun_of_verb(std::string_view noun, std::string_view verb) {
  if (!noun.ends_with("ung") || noun.size() < kLeastRoot + 3) return false;
  const std::string_view root = noun.substr(0, noun.size() - 3);
  if (!verb.starts_with(root)) return false;
  constexpr std::string_view kEndings[] = {"en", "n", "e", "t", "et", "te", "st"};
  return one_of(verb.substr(root.size()), kEndings);
}

// "Mitversichert" is "versichert", too.
bool is_with_others(std::string_view joined, std::string_view word) {
  constexpr size_t kLeastWord = 7;  // letters
  return word.size() >= kLeastWord && joined.size() == word.size() + 3 && joined.starts_with("mit") &&
         joined.ends_with(word);
}

// "geputzt" of "putzen", "gemietet" of "mieten".
bool is_german_participle_of(std::string_view participle, std::string_view verb) {
  constexpr std::string_view kEndings[] = {"et", "t", "en"};
  constexpr size_t kLeastRoot = 4;
  constexpr size_t kEnding = 2;  // letters of "-en"
  if (!participle.starts_with("ge")) return false;
  return std::any_of(std::begin(kEndings), std::end(kEndings), [&](std::string_view ending) {
    if (!participle.ends_with(ending) || participle.size() < 2 + kLeastRoot + ending.size()) return false;
    const std::string_view root = participle.substr(2, participle.size() - 2 - ending.size());
    return verb.starts_with(root) && verb.size() <= root.size() + kEnding;
  });
}

}  // namespace

bool is_german_verb_form(std::string_view a, std::string_view b) {
  if (is_with_others(a, b) || is_with_others(b, a)) return true;
  if (is_german_participle_of(a, b) || is_german_participle_of(b, a)) return true;
  if (a.substr(0, 2) != b.substr(0, 2)) return false;
  if (is_noun_of_verb(a, b) || is_noun_of_verb(b, a)) return true;
  const std::string_view part = part_of(a);
  if (part.empty() || part_of(b) != part) return false;
  const std::vector<std::string_view> of_a = rests(a.substr(part.size()));
  const std::vector<std::string_view> of_b = rests(b.substr(part.size()));
  return std::any_of(of_a.begin(), of_a.end(), [&](std::string_view one) {
    return std::any_of(of_b.begin(), of_b.end(), [&](std::string_view other) { return are_of_one_verb(one, other); });
  });
}

}  // namespace mneme::rag

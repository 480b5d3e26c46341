#include "rag/text/asked_predicate.h"

#include <algorithm>
#include <span>
#include <vector>

#include "rag/text/phrases.h"
#include "rag/text/stop_words.h"
#include "rag/text/word_forms.h"
#include "rag/text/words.h"

namespace mneme::rag {

namespace {

constexpr std::string_view kDeterminers[] = {"the", "a", "an", "my", "our", "your", "his", "her", "their"};
constexpr std::string_view kPronouns[] = {"i", "we", "you", "they", "he", "she", "it"};

// "Who makes the cake?"
std::string behind_who(const std::vector<std::string>& words) {
  constexpr std::string_view kWho[] = {"who", "what"};
  const bool shown =
      words.size() > 3 && one_of(words[0], kWho) && !is_stop_word(words[1]) && one_of(words[2], kDeterminers);
  return shown ? words[1] : std::string();
}

// Where the auxiliary stands that a subject and a verb follow: first ("Do I have to ..."), or behind a question word.
// Of "how" only where it measures: what is to be done in "How do I descale it?" is the matter.
size_t place_of_auxiliary(const std::vector<std::string>& words) {
  constexpr std::string_view kAsking[] = {"when", "where", "why", "what", "which"};
  constexpr std::string_view kMeasures[] = {"much", "many", "long", "often", "far"};
  constexpr std::string_view kAuxiliaries[] = {"do", "does", "did", "will", "can", "should", "must", "may"};
  const bool measures = words.size() > 1 && words[0] == "how" && one_of(words[1], kMeasures);
  const size_t at = measures ? 2 : one_of(words[0], kAsking) ? 1 : 0;
  return at < words.size() && one_of(words[at], kAuxiliaries) ? at : std::string::npos;
}

// "When did my salary arrive?", "When do we plant tomatoes?", "Do I have to bring towels?"
std::string behind_auxiliary(const std::vector<std::string>& words) {
  const size_t at = place_of_auxiliary(words);
  if (at == std::string::npos || words.size() < at + 3) return {};
  const std::string& subject = words[at + 1];
  size_t verb = at + 2;
  if (one_of(subject, kPronouns)) {
    if (words.size() > verb + 2 && words[verb] == "have" && words[verb + 1] == "to") verb += 2;
  } else if (one_of(subject, kDeterminers) && words.size() == at + 4) {
    verb = at + 3;
  } else if (at > 0 || words.size() != 3) {  // "May Milo swim?"
    return {};
  }
  return is_stop_word(words[verb]) ? std::string() : words[verb];
}

// "Where is the descaler stored?"
std::string participle_last(const std::vector<std::string>& words) {
  constexpr std::string_view kBe[] = {"is", "are", "was", "were", "been", "be"};
  const bool passive =
      std::any_of(words.begin(), words.end(), [&](const std::string& word) { return one_of(word, kBe); });
  return passive && is_participle(words.back()) ? words.back() : std::string();
}

// "Quand faut-il payer le loyer ?", "¿Cuándo tengo que pagar?": the infinitive behind what somebody must or may.
std::string infinitive(const std::vector<std::string>& words) {
  constexpr std::string_view kModals[] = {"faut", "doit", "dois", "peut", "peux", "devons", "que", "debo", "puedo"};
  constexpr std::string_view kBetween[] = {"il", "on", "je", "nous", "le", "la", "les"};
  constexpr std::string_view kEndings[] = {"er", "ir", "re", "ar"};
  for (size_t i = 1; i < words.size(); ++i) {
    const bool ends = words[i].size() > 4 && std::any_of(std::begin(kEndings), std::end(kEndings),
                                                         [&](auto ending) { return words[i].ends_with(ending); });
    if (!ends) continue;
    size_t before = i - 1;
    while (before > 0 && one_of(words[before], kBetween)) --before;
    if (one_of(words[before], kModals) && before > 0) return words[i];
  }
  return {};
}

// "Bis wann muss ich die Rechnung bezahlen?"
std::string german_verb_last(const std::vector<std::string>& words) {
  constexpr std::string_view kModals[] = {"muss", "mussen", "kann", "konnen", "darf", "durfen", "soll", "sollen"};
  const bool modal =
      std::any_of(words.begin(), words.end(), [&](const std::string& word) { return one_of(word, kModals); });
  return modal && words.size() > 3 && words.back().ends_with("en") && !is_stop_word(words.back()) ? words.back()
                                                                                                  : std::string();
}

}  // namespace

bool is_verb_of_asker(std::string_view folded) {
  constexpr std::string_view kEndings[] = {"amos", "emos", "imos", "iamo", "ем", "им", "емся", "имся", "ете", "ите"};
  constexpr size_t kLeastBefore = 2;
  return std::any_of(std::begin(kEndings), std::end(kEndings), [&](std::string_view ending) {
    return folded.ends_with(ending) && folded.size() >= ending.size() + kLeastBefore;
  });
}

std::string asked_predicate(std::string_view question) {
  const std::vector<std::string> words = words_of(question.substr(0, question.find(" (")));
  if (words.empty()) return {};
  std::string predicate = behind_who(words);
  if (predicate.empty()) predicate = behind_auxiliary(words);
  if (predicate.empty()) predicate = infinitive(words);
  if (predicate.empty()) predicate = german_verb_last(words);
  return predicate.empty() ? participle_last(words) : predicate;
}

}  // namespace mneme::rag

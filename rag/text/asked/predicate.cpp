#include "rag/text/asked/predicate.h"

#include <algorithm>
#include <span>
#include <vector>

#include "rag/text/asked/german_predicate.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/variants/word_forms.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

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

// Where the auxiliary stands that a subject and a verb follow: first ("Do I have to ..."), or behind a question word
// and what it asks for ("How much luggage can we take?"). Of "how" only where it measures: what is to be done in "How
// do I descale it?" is the matter.
size_t place_of_auxiliary(const std::vector<std::string>& words) {
  constexpr std::string_view kAsking[] = {"when", "where", "why"};
  constexpr std::string_view kAskingFor[] = {"what", "which"};
  constexpr std::string_view kMeasures[] = {"much", "many", "long", "often", "far"};
  constexpr std::string_view kAuxiliaries[] = {"do", "does", "did", "will", "can", "should", "must", "may", "had"};
  constexpr size_t kMostAskedFor = 2;  // words: "which heat pump"
  const bool measures = words.size() > 1 && words[0] == "how" && one_of(words[1], kMeasures);
  const bool names = measures || one_of(words[0], kAskingFor);
  size_t at = measures ? 2 : names || one_of(words[0], kAsking) ? 1 : 0;
  const size_t last = at + (names ? kMostAskedFor : 0);
  while (at < std::min(last, words.size()) && !is_stop_word(words[at])) ++at;
  return at < words.size() && one_of(words[at], kAuxiliaries) ? at : std::string::npos;
}

// "When did my salary arrive?", "When does the Larkfield agreement end?", "Do I have to bring towels?"
std::string behind_auxiliary(const std::vector<std::string>& words) {
  const size_t at = place_of_auxiliary(words);
  if (at == std::string::npos || words.size() < at + 3) return {};
  const std::string& subject = words[at + 1];
  if (one_of(subject, kPronouns)) {
    size_t verb = at + 2;
    if (words.size() > verb + 2 && words[verb] == "have" && words[verb + 1] == "to") verb += 2;
    return is_stop_word(words[verb]) ? std::string() : words[verb];
  }
  const bool determined = one_of(subject, kDeterminers);
  size_t end = at + (determined ? 2 : 1);
  const size_t first = end;
  while (end < words.size() && !is_stop_word(words[end])) ++end;
  // What does something may do it to something else, which stands behind the verb: "May Milo eat grapes?"
  const size_t most = determined && at > 0 ? 3 : 2;
  const bool whole = at > 0 || end == words.size();
  return end - first >= 2 && end - first <= most && whole ? words[end - 1] : std::string();
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
  constexpr std::string_view kModals[] = {"faut", "doit", "dois",    "peut",  "peux",   "puis",    "devons",
                                          "que",  "debo", "puedo",   "puede", "pueden", "podemos", "posso",
                                          "puo",  "devo", "bisogna", "pode",  "preciso"};
  constexpr std::string_view kBetween[] = {"il", "on", "je", "nous", "le", "la", "les"};
  constexpr std::string_view kEndings[] = {"er", "ir", "re", "ar"};
  for (size_t i = 1; i < words.size(); ++i) {
    const bool ends = words[i].size() > 4 && std::any_of(std::begin(kEndings), std::end(kEndings),
                                                         [&](auto ending) { return words[i].ends_with(ending); });
    if (!ends) continue;
    size_t before = i - 1;
    while (before > 0 && one_of(words[before], kBetween)) --before;
    if (one_of(words[before], kModals) && (before > 0 || words[before] != "que")) return words[i];
  }
  return {};
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
  if (predicate.empty()) predicate = german_predicate(question);
  return predicate.empty() ? participle_last(words) : predicate;
}

}  // namespace mneme::rag

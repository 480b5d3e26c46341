#include "rag/text/asked/matter.h"

#include <algorithm>
#include <span>

#include "rag/text/languages/stop_words.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr std::string_view kAsks[] = {"what", "was", "welche", "which"};
// Without diacritics, as words are folded.
constexpr std::string_view kTells[] = {"say",   "says",   "said",   "state",    "states",       "tell",
                                       "tells", "write",  "writes", "written",  "recommend",    "recommends",
                                       "rule",  "rules",  "policy", "policies", "regulations",  "steht",
                                       "sagt",  "regeln", "regel",  "regelt",   "vorschriften", "geregelt"};
constexpr std::string_view kAbout[] = {"about", "on", "for", "regarding", "concerning", "uber",
                                       "ueber", "zu", "zum", "zur",       "fur",        "fuer"};
// What the text is, behind what it tells of: "about pets in the lease".
constexpr std::string_view kWithin[] = {"in", "im", "within", "by", "there"};
constexpr size_t kMostBetween = 5;  // words: "steht im neuen Mietvertrag zu"
constexpr size_t kMostWords = 5;

bool is_one_of(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::vector<std::string> told_matter(std::string_view question) {
  const std::vector<std::string> words = words_of(question);
  if (words.empty() || !is_one_of(kAsks, words.front())) return {};
  const auto tells = std::find_if(words.begin(), words.end(), [](const auto& word) { return is_telling_word(word); });
  if (tells == words.end()) return {};
  const auto within = tells + std::min<std::ptrdiff_t>(words.end() - tells, kMostBetween + 2);
  const auto about = std::find_if(tells, within, [](const auto& word) { return is_one_of(kAbout, word); });
  if (about == within) return {};
  std::vector<std::string> matter;
  for (auto word = about + 1; word != words.end() && !is_one_of(kWithin, *word); ++word)
    if (!is_stop_word(*word)) matter.push_back(*word);
  return matter.size() <= kMostWords ? matter : std::vector<std::string>();
}

bool is_telling_word(std::string_view folded) {
  return is_one_of(kTells, folded);
}

}  // namespace mneme::rag

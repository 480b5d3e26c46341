#include "rag/text/asked/members.h"

#include <span>

#include "rag/text/languages/stop_words.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kMostWords = 3;
constexpr size_t kLeastPlural = 4;  // letters: "gas" is one

constexpr std::string_view kVerbs[] = {"are", "were", "do", "does", "did", "can", "may", "have", "has", "will"};
constexpr std::string_view kGermanVerbs[] = {"gibt", "sind", "waren", "hat", "haben", "kann", "konnen"};

bool is_plural(std::string_view word) {
  return word.size() >= kLeastPlural && word.ends_with('s') && stem_of(word) != word;
}

// Where the kind is named: behind "which", or behind "what are the".
size_t kind_at(std::span<const std::string> words) {
  const bool states = words.size() > 3 && words[0] == "what" && words[1] == "are" && words[2] == "the";
  return states ? 3 : 1;
}

}  // namespace

std::vector<std::string> asked_members(std::string_view question) {
  const std::vector<std::string> words = words_of(question);
  const bool german = !words.empty() && words[0] == "welche";
  if (words.size() < 3 || !(german || words[0] == "which" || words[0] == "what")) return {};
  const size_t first = kind_at(words);
  size_t end = first;
  while (end < words.size() && !is_stop_word(words[end]) && !(german && one_of(words[end], kGermanVerbs))) ++end;
  if (end == first || end - first > kMostWords) return {};
  // In German "welche" asks for one as well; what there is, and what something has, are several.
  const std::span<const std::string_view> verbs = german ? std::span<const std::string_view>(kGermanVerbs) : kVerbs;
  const bool asks = first == 3 || (end < words.size() && one_of(words[end], verbs));
  if (!asks || !(german || is_plural(words[end - 1]))) return {};
  std::vector<std::string> kind;
  for (size_t i = first; i < end; ++i) kind.emplace_back(stem_of(words[i]));
  return kind;
}

}  // namespace mneme::rag

#include "rag/text/documents/asked_gist.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "rag/text/documents/asked_place.h"
#include "rag/text/documents/document_kinds.h"
#include "rag/text/documents/document_vocabulary.h"
#include "rag/text/documents/unspaced_asked.h"
#include "rag/text/words/placed_words.h"

namespace mneme::rag {

namespace {

using Words = std::span<const PlacedWord>;
using Phrase = std::vector<std::string>;

bool are_all(Words words, const WordSequences& of) {
  return std::all_of(words.begin(), words.end(), [&](const PlacedWord& word) { return of.has(word.text); });
}

// Where the words of a phrase follow each other, from the front on; the number of words where they do not.
size_t find_phrase(Words words, const Phrase& phrase) {
  const auto same = [](const PlacedWord& word, const std::string& other) { return word.text == other; };
  return static_cast<size_t>(std::search(words.begin(), words.end(), phrase.begin(), phrase.end(), same) -
                             words.begin());
}

// What stands between the two phrases, if nothing else does around them.
std::optional<Words> between(Words words, const DocumentVocabulary::GistPhrase& asking, const DocumentVocabulary& v) {
  const size_t before = find_phrase(words, asking.before);
  if (before == words.size() || !are_all(words.first(before), v.around)) return std::nullopt;
  Words rest = words.subspan(before + asking.before.size());
  if (!asking.after.empty()) {
    const size_t after = find_phrase(rest, asking.after);
    if (after == rest.size() || !are_all(rest.subspan(after + asking.after.size()), v.around)) return std::nullopt;
    rest = rest.first(after);
  }
  return without_back(rest, v.around);
}

// The name of a document, or that of the one at hand: "this document".
AskedGist gist_of(std::string_view question, Words name, bool may_be_empty, const DocumentVocabulary& v) {
  const auto points_to_one = [&](const PlacedWord& word) {
    return v.this_one.has(word.text) || is_any_document(word.text, v.language);
  };
  const bool at_hand = std::all_of(name.begin(), name.end(), points_to_one) ||
                       (name.size() == 2 && v.articles.has(name[0].text) && is_any_document(name[1].text, v.language));
  if (name.empty() || at_hand) return {!name.empty() || may_be_empty, {}};
  name = without_front(name, v.articles);
  if (name.empty() || v.asking.has_any(name)) return {};  // a question of its own
  return {true, std::string(spanned(question, name))};
}

AskedGist gist_in(std::string_view question, Words words, const DocumentVocabulary& v) {
  for (const DocumentVocabulary::GistPhrase& asking : v.gist) {
    const std::optional<Words> name = between(words, asking, v);
    if (!name) continue;
    const AskedGist gist = gist_of(question, *name, asking.after.empty(), v);
    if (gist.is_asked) return gist;
  }
  return {};
}

}  // namespace

AskedGist asked_gist(std::string_view question) {
  if (!asked_place(question).empty()) return {};
  const std::vector<PlacedWord> words = placed_words(question);
  const AskedGist gist = asked_in_any_language(
      question, [&](const DocumentVocabulary& vocabulary) { return gist_in(question, words, vocabulary); });
  return gist.is_asked ? gist : unspaced_gist(question);
}

}  // namespace mneme::rag

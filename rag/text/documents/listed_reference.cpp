#include "rag/text/documents/listed_reference.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <string>
#include <vector>

#include "rag/text/documents/asked_gist.h"
#include "rag/text/documents/document_kinds.h"
#include "rag/text/documents/document_vocabulary.h"
#include "rag/text/quantities/named_period.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/placed_words.h"

namespace mneme::rag {

namespace {

using Words = std::span<const PlacedWord>;

constexpr int kLast = -1;
constexpr std::string_view kOnes[] = {"one", "ones"};  // other languages need no word for it

// 0: the word is no ordinal.
int place_of(std::string_view word, const DocumentVocabulary& v) {
  if (v.last_one.has(word)) return kLast;
  for (size_t i = 0; i < v.ordinals.size(); ++i) {
    if (v.ordinals[i].has(word)) return static_cast<int>(i) + 1;
  }
  return 0;
}

// "2" of "number 2".
int number_of(std::string_view word, const DocumentVocabulary& v) {
  int n = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
  if (error == std::errc() && end == word.data() + word.size()) return n > 0 && n < 100 ? n : 0;
  return number_called(word, v.language);
}

// How many words behind an ordinal belong to it; npos where it is said of something else.
size_t n_behind(Words behind, const DocumentVocabulary& v) {
  if (behind.empty()) return 0;
  const std::string& word = behind.front().text;
  if (v.of.has(word) && behind.size() > 1) return std::min<size_t>(2, behind.size());
  const bool is_kind = is_document_kind(word, v.language);
  if (v.page.has(word) || (v.sections.has(word) && !is_kind)) return std::string_view::npos;  // "the first chapter"
  if (one_of(word, kOnes) || is_kind || is_any_document(word, v.language)) return 1;
  return v.closing.has(word) || v.showing.has(word) ? 0 : std::string_view::npos;
}

struct FoundReference {
  ListedReference reference{};
  bool is_asked = false;
};

FoundReference reference_in(Words words, const DocumentVocabulary& v) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (v.numbered.has(words[i].text) && i + 2 == words.size()) {
      if (const int n = number_of(words[i + 1].text, v); n > 0) return {{words[i].begin, words[i + 1].end, n}, true};
    }
    const int place = place_of(words[i].text, v);
    const bool pointed = i > 0 && v.articles.has(words[i - 1].text);
    if (place == 0 || (!pointed && words.size() > 2)) continue;
    const size_t n = n_behind(words.subspan(i + 1), v);
    if (n == std::string_view::npos) continue;
    return {{words[pointed ? i - 1 : i].begin, words[i + n].end, place}, true};
  }
  return {};
}

// Nothing is asked of what is pointed at.
bool only_shows(Words words, const DocumentVocabulary& v) {
  return std::all_of(words.begin(), words.end(), [&](const PlacedWord& word) {
    const auto has = [&](const WordSequences* list) { return list->has(word.text); };
    const auto lists = {&v.lead, &v.closing, &v.showing, &v.around, &v.finding};
    return std::any_of(lists.begin(), lists.end(), has);
  });
}

}  // namespace

std::optional<ListedReference> listed_reference(std::string_view question) {
  const std::vector<PlacedWord> words = placed_words(question);
  const FoundReference found = asked_in_any_language(
      question, [&](const DocumentVocabulary& vocabulary) { return reference_in(words, vocabulary); });
  return found.is_asked ? std::optional(found.reference) : std::nullopt;
}

bool wants_listed_whole(std::string_view question, const ListedReference& reference) {
  const std::string around =
      std::string(question.substr(0, reference.begin)) + " " + std::string(question.substr(reference.end));
  const std::vector<PlacedWord> words = placed_words(around);
  const auto vocabularies = document_vocabularies();
  if (std::any_of(vocabularies.begin(), vocabularies.end(),
                  [&](const DocumentVocabulary& v) { return only_shows(words, v); }))
    return true;
  std::string named(question);  // any name will do
  named.replace(reference.begin, reference.end - reference.begin, "Xylo");
  return asked_gist(named).document == "Xylo";
}

}  // namespace mneme::rag

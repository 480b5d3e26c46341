#include "rag/text/documents/asked_senders.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "rag/text/documents/document_vocabulary.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/words/placed_words.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

using Words = std::span<const PlacedWord>;

constexpr size_t kMostMatter = 8;  // words

bool are(Words words, const std::vector<std::string>& phrase) {
  return words.size() == phrase.size() &&
         std::equal(words.begin(), words.end(), phrase.begin(),
                    [](const PlacedWord& word, const std::string& other) { return word.text == other; });
}

// What stands between the two parts of the phrase, which are all else that the question says.
std::optional<Words> matter_between(Words words, const DocumentVocabulary::GistPhrase& phrase) {
  const size_t n = phrase.before.size() + phrase.after.size();
  if (words.size() < n || !are(words.first(phrase.before.size()), phrase.before) ||
      !are(words.last(phrase.after.size()), phrase.after))
    return std::nullopt;
  return words.subspan(phrase.before.size(), words.size() - n);
}

AskedSenders senders_in(std::string_view question, Words words, const DocumentVocabulary& v) {
  words = without_back(words, v.closing);
  AskedSenders asked;
  size_t longest = 0;
  for (const DocumentVocabulary::GistPhrase& phrase : v.writers) {
    const size_t n = phrase.before.size() + phrase.after.size();
    std::optional<Words> matter = matter_between(words, phrase);
    if (!matter || n <= longest || matter->size() > kMostMatter) continue;
    longest = n;
    const Words named = without_front(*matter, v.articles);
    asked = {true, named.empty() ? std::string() : std::string(spanned(question, named))};
  }
  return asked;
}

// Chinese, Japanese and Korean: where the signs of a phrase stand in the question's text.
AskedSenders unspaced_senders(std::string_view question) {
  const LanguageFacts& facts = facts_of(language_of(question));
  if (facts.documents == nullptr || !written_without_spaces(question)) return {};
  constexpr std::string_view kMarks[] = {"。", "？", "！", "?", "!", ".", " ", "か"};
  for (bool cut = true; cut;) {
    cut = false;
    for (const std::string_view mark : kMarks) {
      if (question.ends_with(mark)) question.remove_suffix(mark.size()), cut = true;
    }
  }
  AskedSenders asked;
  for_each_part(facts.documents->writers, ", ", [&](std::string_view phrase) {
    const size_t mark = phrase.find('#');
    if (asked.is_asked || mark == std::string_view::npos) return;
    std::string_view after = phrase.substr(mark + 1);
    if (after.ends_with("か")) after.remove_suffix(std::string_view("か").size());
    const std::string_view before = phrase.substr(0, mark);
    const size_t at = question.find(after, before.size());
    if (!question.starts_with(before) || at == std::string_view::npos || at == before.size()) return;
    asked = {true, std::string(question.substr(before.size(), at - before.size()))};
  });
  return asked;
}

}  // namespace

AskedSenders asked_senders(std::string_view question) {
  const std::vector<PlacedWord> words = placed_words(question);
  const AskedSenders asked = asked_in_any_language(
      question, [&](const DocumentVocabulary& vocabulary) { return senders_in(question, words, vocabulary); });
  return asked.is_asked ? asked : unspaced_senders(question);
}

}  // namespace mneme::rag

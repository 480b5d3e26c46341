#include "rag/follow_ups/named_topic.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "rag/follow_ups/follow_up_words.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/quantities/numbers.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

using Words = std::span<const PlacedWord>;

// The question without "and" before a question of its own: "And how much is it?".
std::string without_continuation(std::string_view question, Words words) {
  size_t n = 0;
  while (n < words.size() && is_continuation(words[n].text)) ++n;
  if (n == 0 || n + 2 > words.size() || !is_stop_word(words[n].text) || is_preposition(words[n].text) ||
      is_determiner(words[n].text)) {
    return std::string(question);
  }
  std::string rest(question.substr(words[n].begin));
  if (rest.front() >= 'a' && rest.front() <= 'z') rest.front() = static_cast<char>(rest.front() - 'a' + 'A');
  return question.starts_with("¿") ? "¿" + rest : rest;
}

bool names_already(std::string_view question, std::string_view topic) {
  std::set<std::string, std::less<>> said;
  for (const std::string& word : words_of(question)) said.emplace(stem_of(word));
  const std::vector<std::string> words = words_of(topic);
  return std::all_of(words.begin(), words.end(),
                     [&](const std::string& word) { return is_stop_word(word) || said.contains(stem_of(word)); });
}

// "the advanced one" after "Oscar's swimming course": the word that "one" stands for.
std::string_view head_noun(std::string_view topic) {
  const std::vector<PlacedWord> words = spaced_words(topic);
  if (words.empty()) return {};
  const auto behind =
      std::find_if(words.begin() + 1, words.end(), [](const PlacedWord& word) { return is_preposition(word.text); });
  return spanned(topic, Words(&*(behind - 1), 1));
}

struct Stand {
  size_t begin = 0;
  size_t end = 0;
  std::string_view text;
};

// The word that stands for the topic, and what is said in its place.
std::optional<Stand> stand_in(std::string_view question, Words words, const AskedTopic& topic) {
  static constexpr std::string_view kDoing[] = {"do", "did", "does", "done"};
  static constexpr std::string_view kPointing[] = {"that", "this", "those", "these"};
  if (!topic.is_thing) return std::nullopt;
  const std::vector<PlacedWord> named = spaced_words(topic.text);
  if (named.empty()) return std::nullopt;
  for (size_t i = 1; i < words.size(); ++i) {
    const PlacedWord& word = words[i];
    const bool last = i + 1 == words.size();
    const std::string_view before = words[i - 1].text;
    if (word.text == "one" && (last || is_stop_word(words[i + 1].text)) && !is_stop_word(before)) {
      return Stand{word.begin, word.end, head_noun(topic.text)};
    }
    const bool done = i > 1 && one_of(before, kDoing);  // "Who did that?"
    const bool points = one_of(word.text, kPointing);
    const bool alone = !points || last || is_stop_word(words[i + 1].text);  // not "that day"
    const bool gendered =
        stands_for_gender(word.text, named.front().text) && (word.text != "das" || is_lone_article(question, words, i));
    const bool named_only = named.size() == 1 && !has_digits(named.front().text);  // "Can we cancel it?" is not Lisbon
    if ((stands_for_thing(word.text) && !done && alone && !named_only) || gendered)
      return Stand{word.begin, word.end, topic.text};
  }
  return std::nullopt;
}

}  // namespace

std::string with_topic_named(std::string_view question, const AskedTopic& topic) {
  if (topic.text.empty()) return std::string(question);
  const std::vector<PlacedWord> all = spaced_words(question);
  if (names_already(question, topic.text)) return without_continuation(question, all);
  if (const std::optional<Stand> stand = stand_in(question, all, topic)) {
    std::string said(question);
    said.replace(stand->begin, stand->end - stand->begin, stand->text);
    return without_continuation(said, spaced_words(said));
  }
  return without_continuation(question, all) + " (" + std::string(topic.text) + ")";
}

}  // namespace mneme::rag

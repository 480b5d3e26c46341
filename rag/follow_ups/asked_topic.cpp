#include "rag/follow_ups/asked_topic.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "rag/follow_ups/follow_up_words.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/quantities/numbers.h"
#include "rag/text/words/phrases.h"

namespace mneme::rag {

namespace {

using Words = std::span<const PlacedWord>;

bool is_content(const PlacedWord& word) {
  return !is_stop_word(word.text) && !is_determiner(word.text) && !is_preposition(word.text) &&
         !is_asking_verb(word.text) && !is_person_word(word.text) && !is_pronoun(word.text) && word.text.size() > 1;
}

// What is said of a thing at the end of a question: "due" of "When is the rent due?", "opened".
bool is_predicate(std::string_view folded) {
  constexpr std::string_view kWords[] = {"due",  "open",  "valid",   "free",  "over",  "ready", "available", "paid",
                                         "held", "made",  "done",    "built", "sold",  "sent",  "fallig",    "payable",
                                         "back", "begin", "beginnt", "statt", "endet", "dure"};
  return one_of(folded, kWords) || (folded.size() > 5 && folded.ends_with("ed"));
}

bool is_rate(Words words) {
  constexpr std::string_view kEvery[] = {"a", "per", "pro", "im", "par", "al", "por"};
  constexpr std::string_view kTimes[] = {"year", "month", "week", "day", "hour", "night", "jahr",  "monat", "tag",
                                         "an",   "mois",  "ano",  "mes", "nuit", "noche", "woche", "person"};
  return words.size() == 2 && one_of(words[0].text, kEvery) && one_of(words[1].text, kTimes);
}

// "le payer" of "Quand faut-il le payer ?" is no thing.
bool is_clitic(Words words, size_t i) {
  constexpr std::string_view kBefore[] = {"il", "on", "je", "tu", "nous", "vous", "dois", "peut", "peux", "faut"};
  const bool short_form = words[i].text.starts_with('l');  // "le", "la", "les"
  return i > 0 && short_form && one_of(words[i - 1].text, kBefore);
}

bool begins_thing(std::string_view question, Words words, size_t i) {
  return i > 0 && i + 1 < words.size() && is_determiner(words[i].text) && is_content(words[i + 1]) &&
         !is_clitic(words, i) && !is_lone_article(question, words, i);
}

// Where the thing begins: at its determiner, at what is named before it ("error F22 of the boiler"), or at the first
// word that says something.
size_t thing_begin(std::string_view question, Words words, size_t first) {
  for (size_t i = std::max<size_t>(first, 1); i + 1 < words.size(); ++i) {
    if (!begins_thing(question, words, i)) continue;
    const bool of_other = i > first + 1 && is_preposition(words[i - 1].text) && is_content(words[i - 2]);
    return of_other ? first : i;
  }
  return first;
}

// One past the thing's last word, without what is said of it.
size_t thing_end(std::string_view question, Words words, size_t begin) {
  size_t end = begin + 1;
  bool noun_of_german = false;
  const bool german =
      is_determiner(words[begin].text) && words[begin].text.starts_with("d") && words[begin].text.size() == 3;
  for (size_t i = begin + 1; i < words.size(); ++i) {
    if (is_auxiliary(words[i].text) || is_person_word(words[i].text)) break;  // "days of leave | do I get"
    if (i > begin + 1 && end == i && is_predicate(words[i].text)) break;      // "the museum | open in winter"
    noun_of_german |= german && begins_with_capital(question, words[i]);
    if (is_content(words[i])) end = i + 1;
  }
  const bool verb_last = begin > 0 && is_auxiliary(words[begin - 1].text) && end == words.size() && end > begin + 2 &&
                         !is_preposition(words[end - 2].text) && !is_determiner(words[end - 2].text);
  if (verb_last) --end;
  while (end > begin + 2 && (is_rate(words.subspan(end - 2, 2)) || is_predicate(words[end - 1].text) ||
                             (noun_of_german && !begins_with_capital(question, words[end - 1])))) {
    end -= is_rate(words.subspan(end - 2, 2)) ? 2 : 1;
  }
  while (end > begin + 1 && !is_content(words[end - 1])) --end;
  return end;
}

// "Whom do I pay? (the rent)"
AskedTopic in_brackets(std::string_view question) {
  const size_t open = question.rfind(" (");
  if (open == std::string_view::npos || !question.ends_with(")")) return {};
  return {question.substr(open + 2, question.size() - open - 3), true};
}

// "lease" of "What is lease about?": a document may be called as it likes.
AskedTopic told_about(std::string_view question) {
  constexpr std::string_view kBegin = "What is ";
  constexpr std::string_view kEnd = " about?";
  if (!question.starts_with(kBegin) || !question.ends_with(kEnd)) return {};
  if (question.size() <= kBegin.size() + kEnd.size()) return {};
  const std::string_view document = question.substr(kBegin.size(), question.size() - kBegin.size() - kEnd.size());
  const std::vector<PlacedWord> words = spaced_words(document);
  const bool points = words.size() == 1 && (is_pronoun(words[0].text) || is_stop_word(words[0].text));
  return points ? AskedTopic() : AskedTopic{document, true};
}

// The topic in these words of the question; none where one word names nothing that is the only one of its kind.
AskedTopic topic_in(std::string_view question, Words words, size_t begin, size_t end) {
  const Words topic = words.subspan(begin, end - begin);
  const auto n_content = std::count_if(topic.begin(), topic.end(), is_content);
  const bool to_name = n_content > 1 && topic.size() > 2 && is_preposition(topic[topic.size() - 2].text) &&
                       !is_determiner(topic.front().text) && is_content(topic.front()) &&
                       topic.front().text.find_first_of("0123456789") == std::string::npos &&
                       begins_with_capital(question, topic.back()) && !begins_with_capital(question, topic.front());
  if (to_name) return {spanned(question, topic.last(1)), true};  // "Lisbon" of "When do we fly to Lisbon?"
  const bool determined = is_determiner(topic.front().text) && n_content > 0;
  const bool named = topic.size() > 1 && topic[1].text == "s" && question[topic[1].begin - 1] != ' ';  // "Oscar's"
  const bool coded = std::any_of(topic.begin(), topic.end(), [](const PlacedWord& w) { return has_digits(w.text); });
  const bool name = begin > 0 && begins_with_capital(question, topic.front());
  if (!determined && !named && !coded && !name && n_content < 2) return {};
  return {spanned(question, topic), determined || named || coded || name};
}

}  // namespace

AskedTopic topic_of(std::string_view question) {
  if (const AskedTopic told = in_brackets(question); !told.text.empty()) return told;
  if (const AskedTopic told = told_about(question); !told.text.empty()) return told;
  const std::vector<PlacedWord> all = spaced_words(question);
  const Words words(all);
  size_t first = n_continuing(words, language_of(question));
  while (first < words.size() && !is_content(words[first]) && !begins_thing(question, words, first) &&
         !is_name_like_article(question, words, first)) {
    ++first;
  }
  if (first >= words.size()) return {};
  const size_t begin = thing_begin(question, words, first);
  const size_t end = thing_end(question, words, begin);
  if (const AskedTopic topic = topic_in(question, words, begin, end); !topic.text.empty()) return topic;
  // "the cake" of "How many eggs do I need for the cake?"
  for (size_t i = end; i + 1 < words.size(); ++i) {
    if (begins_thing(question, words, i)) return topic_in(question, words, i, thing_end(question, words, i));
  }
  return {};
}

}  // namespace mneme::rag

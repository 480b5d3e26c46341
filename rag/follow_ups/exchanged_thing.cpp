#include "rag/follow_ups/exchanged_thing.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "rag/follow_ups/asked_topic.h"
#include "rag/follow_ups/follow_up_words.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/quantities/numbers.h"
#include "rag/text/words/phrases.h"

namespace mneme::rag {

namespace {

using Words = std::span<const PlacedWord>;

constexpr size_t kMostWords = 4;  // of what is named

// "And who pays?", "and it?": no thing is named.
bool names_no_thing(std::string_view word, Language language) {
  constexpr std::string_view kWords[] = {
      "if",      "when", "where", "who",   "what",   "why",     "how",    "which",  "is",     "are",   "does",
      "do",      "did",  "can",   "not",   "then",   "it",      "its",    "they",   "them",   "he",    "she",
      "this",    "that", "these", "those", "wer",    "wie",     "was",    "wann",   "wo",     "wenn",  "warum",
      "ist",     "sind", "es",    "sie",   "er",     "there",   "else",   "also",   "about",  "qui",   "quand",
      "combien", "ou",   "est",   "il",    "elle",   "quien",   "cuando", "cuanto", "cuanta", "donde", "que",
      "es",      "por",  "wen",   "wem",   "welche", "welcher", "quel",   "quelle", "comment"};
  return is_preposition(word) || one_of(word, kWords) || only_asks_in(word, language);
}

// "dépôt de garantie"
bool is_romance_of(std::string_view word) {
  return word == "de" || word == "d" || word == "di";
}

enum class Shape { kPlain, kCode, kName, kOwner, kCyrillic };

struct NamedThing {
  std::string_view preposition;  // "for" of "and for the garage?"
  Words words;
  Shape shape = Shape::kPlain;
};

bool is_capital(std::string_view text, const PlacedWord& word) {
  return text[word.begin] >= 'A' && text[word.begin] <= 'Z';
}

bool is_owner(std::string_view text, Words words) {
  return words.size() > 1 && words.back().text == "s" && text[words.back().begin - 1] != ' ';
}

// "Oscar's", "the garage", "F28", "залог"
Shape shape_of(std::string_view text, Words words) {
  if (is_owner(text, words)) return Shape::kOwner;
  if (has_digits(words.back().text)) return Shape::kCode;
  if (static_cast<unsigned char>(words.front().text.front()) >= 0xD0) return Shape::kCyrillic;
  return is_capital(text, words.back()) ? Shape::kName : Shape::kPlain;
}

// What is named behind "and" or "what about", and nothing else.
NamedThing named_thing(std::string_view text, Words words) {
  const Language language = language_of(text);
  const size_t n = n_continuing(words, language);
  if (n == 0 || n == words.size()) return {};
  NamedThing thing{.preposition = {}, .words = words.subspan(n)};
  if (thing.words.size() > 1 && is_preposition(thing.words.front().text)) {
    thing.preposition = thing.words.front().text;
    thing.words = thing.words.subspan(1);
  }
  bool names = thing.words.size() <= kMostWords;
  for (size_t i = 0; i < thing.words.size(); ++i) {
    const bool of = i > 0 && i + 1 < thing.words.size() && is_romance_of(thing.words[i].text);
    names = names && (of || !names_no_thing(thing.words[i].text, language));
  }
  if (!names) return {};
  thing.shape = shape_of(text, thing.words);
  return thing;
}

// The last run of codes or names behind the first word of a question: "F28", "New York".
Words run_of_shape(std::string_view text, Words words, Shape shape) {
  const auto has_shape = [&](const PlacedWord& word) {
    return has_digits(word.text) ? shape == Shape::kCode : shape == Shape::kName && is_capital(text, word);
  };
  size_t end = words.size();
  while (end > 1 && !has_shape(words[end - 1])) --end;
  size_t begin = end;
  while (begin > 1 && has_shape(words[begin - 1])) --begin;
  return words.subspan(begin, end - begin);
}

// "Lena's" of "When is Lena's appointment?"
Words owner_in(std::string_view text, Words words) {
  for (size_t i = 1; i < words.size(); ++i) {
    if (is_owner(text, words.subspan(i - 1, 2)) && words[i - 1].text != "what") return words.subspan(i - 1, 2);
  }
  return {};
}

// From a determiner to the next grammar word; in French and the like with what it is of ("cambio de correa").
Words determined_run(std::string_view text, Words words) {
  if (words.empty() || !is_determiner(words.front().text)) return words;
  size_t end = 1;
  while (end < words.size() && !is_stop_word(words[end].text) && !is_preposition(words[end].text)) ++end;
  // In German what follows the noun is the verb.
  const bool german = words.front().text.size() == 3 && words.front().text.starts_with("d");
  const auto noun = [&](const PlacedWord& word) { return begins_with_capital(text, word); };
  if (german && std::any_of(words.begin() + 1, words.begin() + static_cast<std::ptrdiff_t>(end), noun)) {
    while (end > 1 && !noun(words[end - 1])) --end;
  }
  if (end + 1 < words.size() && is_romance_of(words[end].text) && !is_stop_word(words[end + 1].text)) end += 2;
  return end > 1 ? words.first(end) : Words();
}

// The words of the topic among those of the question.
Words topic_words(std::string_view text, Words words) {
  const std::string_view topic = topic_of(text).text;
  if (topic.empty()) return {};
  const auto begin = static_cast<size_t>(topic.data() - text.data());
  const auto first = std::find_if(words.begin(), words.end(), [&](const PlacedWord& w) { return w.begin >= begin; });
  const auto last =
      std::find_if(first, words.end(), [&](const PlacedWord& w) { return w.begin >= begin + topic.size(); });
  return words.subspan(static_cast<size_t>(first - words.begin()), static_cast<size_t>(last - first));
}

// What stands behind the same preposition ("für den Ölwechsel", "und für die Bremsen?"), else what the topic is of
// ("the rent of the flat", "and for the garage?").
Words behind_preposition(std::string_view text, std::string_view preposition, Words words, Words topic) {
  constexpr std::string_view kOf[] = {"of", "de", "du", "del", "von", "vom", "di", "della", "do", "da"};
  constexpr std::string_view kFor[] = {"for", "fur", "pour", "para", "per", "von", "bei", "de", "du", "del", "of"};
  for (size_t i = words.size(); i-- > 2;) {
    if (words[i - 1].text == preposition) return determined_run(text, words.subspan(i));
  }
  if (!one_of(preposition, kFor)) return {};
  for (size_t i = topic.size(); i-- > 2;) {
    if (one_of(topic[i - 1].text, kOf)) return determined_run(text, topic.subspan(i));
  }
  return {};
}

// In Russian a genitive is told of in place of one: "замена масла", "а колодок?".
Words cyrillic_run(const NamedThing& thing, Words topic) {
  constexpr std::string_view kGenitive[] = {"ов", "ев", "еи", "ок", "ек"};
  const bool genitive = std::any_of(std::begin(kGenitive), std::end(kGenitive),
                                    [&](std::string_view end) { return thing.words.back().text.ends_with(end); });
  return genitive && topic.size() > 1 ? topic.last(1) : topic;
}

Words exchanged_words(std::string_view before, Words asked, const NamedThing& thing) {
  const Words topic = topic_words(before, asked);
  // Who somebody is cannot be asked of a thing: "Who is the landlord?", "and the deposit?".
  constexpr std::string_view kWho[] = {"who", "whose", "whom", "wer", "wem", "wen", "qui", "quien", "кто"};
  const bool who = one_of(asked.front().text, kWho) && !topic.empty() && topic.data() <= asked.data() + 2;
  if (who && thing.shape == Shape::kPlain) return {};
  if (thing.shape == Shape::kOwner) return owner_in(before, asked);
  if (thing.shape == Shape::kCode) return run_of_shape(before, asked, Shape::kCode);
  if (!thing.preposition.empty()) return behind_preposition(before, thing.preposition, asked, topic);
  if (thing.shape == Shape::kCyrillic) return cyrillic_run(thing, topic);
  if (is_determiner(thing.words.front().text)) return determined_run(before, topic);
  return thing.shape == Shape::kName ? run_of_shape(before, asked, Shape::kName) : Words();
}

}  // namespace

std::optional<std::string> with_thing_exchanged(std::string_view before, std::string_view follow_up) {
  const std::vector<PlacedWord> asked = spaced_words(before);
  const std::vector<PlacedWord> words = spaced_words(follow_up);
  const NamedThing thing = named_thing(follow_up, words);
  if (thing.words.empty() || asked.empty()) return std::nullopt;
  const Words old = exchanged_words(before, asked, thing);
  if (old.empty()) return std::nullopt;
  std::string exchanged(before.substr(0, old.front().begin));
  exchanged += spanned(follow_up, thing.words);
  exchanged += before.substr(old.back().end);
  return exchanged;
}

}  // namespace mneme::rag

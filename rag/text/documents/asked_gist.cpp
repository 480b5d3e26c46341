#include "rag/text/documents/asked_gist.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "rag/text/documents/asked_place.h"
#include "rag/text/documents/document_kinds.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/placed_words.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

// The document stands between two phrases, either of which may be empty.
struct Asking {
  std::string_view before;
  std::string_view after;
};
constexpr std::array kAskings = {
    Asking{"what is", "all about"},
    Asking{"what is", "about"},
    Asking{"what s", "all about"},
    Asking{"what s", "about"},
    Asking{"what are", "about"},
    Asking{"what was", "about"},
    Asking{"what does", "say"},
    Asking{"what does", "deal with"},
    Asking{"what does", "contain"},
    Asking{"what do", "say"},
    Asking{"summarize", ""},
    Asking{"summarise", ""},
    Asking{"sum up", ""},
    Asking{"summary of", ""},
    Asking{"overview of", ""},
    Asking{"outline of", ""},
    Asking{"gist of", ""},
    Asking{"tell me about", ""},
    Asking{"tell me more about", ""},
    Asking{"main points of", ""},
    Asking{"main points in", ""},
    Asking{"key points of", ""},
    Asking{"key points in", ""},
    Asking{"main idea of", ""},
    Asking{"tl dr of", ""},
    Asking{"tldr of", ""},
    Asking{"worum geht es in", ""},
    Asking{"worum geht s in", ""},
    Asking{"worum geht es im", ""},
    Asking{"um was geht es in", ""},
    Asking{"um was geht es im", ""},
    Asking{"wovon handelt", ""},
    Asking{"fasse", "zusammen"},
    Asking{"zusammenfassung von", ""},
    Asking{"zusammenfassung des", ""},
    Asking{"zusammenfassung der", ""},
    Asking{"was steht in", ""},
    Asking{"was steht im", ""},
    Asking{"de quoi parle", ""},
    Asking{"de quoi parlent", ""},
    Asking{"de quoi s agit il dans", ""},
    Asking{"resume moi", ""},
    Asking{"resumer", ""},
    Asking{"resume de", ""},
    Asking{"resume du", ""},
    Asking{"de que trata", ""},
    Asking{"resumen de", ""},
    Asking{"resumen del", ""},
    Asking{"di cosa parla", ""},
    Asking{"di cosa tratta", ""},
    Asking{"riassumi", ""},
    Asking{"riassunto di", ""},
    Asking{"riassunto del", ""},
    Asking{"do que trata", ""},
    Asking{"sobre o que e", ""},
    Asking{"resumo de", ""},
    Asking{"resumo do", ""},
    Asking{"о чем", ""},
    Asking{"краткое содержание", ""},
    // "Lease summary", "summary lease", as people type
    Asking{"summary", ""},
    Asking{"", "summary"},
    Asking{"overview", ""},
    Asking{"", "overview"},
    Asking{"tldr", ""},
    Asking{"", "tldr"},
    Asking{"synopsis", ""},
    Asking{"", "synopsis"},
    Asking{"zusammenfassung", ""},
    Asking{"", "zusammenfassung"},
    Asking{"kurzfassung", ""},
    Asking{"uberblick", ""},
    Asking{"inhaltsangabe", ""},
    Asking{"resumen", ""},
    Asking{"", "resumen"},
    Asking{"riassunto", ""},
    Asking{"resumo", ""},
};
// Of writings without spaces, as they are written; the document before, behind or between.
constexpr std::array kWideAskings = {
    Asking{"", "讲的是什么"}, Asking{"", "讲了什么"},     Asking{"", "讲什么"},   Asking{"", "说了什么"},
    Asking{"", "的主要内容"}, Asking{"", "的摘要"},       Asking{"总结一下", ""}, Asking{"总结", ""},
    Asking{"概括一下", ""},   Asking{"概括", ""},         Asking{"を要約", ""},   Asking{"", "を要約して"},
    Asking{"", "の要約"},     Asking{"", "は何について"}, Asking{"", "の概要"},
};
// Before and behind it nothing of the matter is said: "Can you please", "in three sentences", "for me".
constexpr std::string_view kAround[] = {
    "can",       "could",   "you",      "please",    "give",  "me",     "a",      "an",      "the",     "short",
    "brief",     "briefly", "quick",    "write",     "make",  "for",    "in",     "few",     "one",     "two",
    "three",     "five",    "sentence", "sentences", "words", "points", "bullet", "quickly", "shortly", "bitte",
    "kurz",      "mir",     "eine",     "kurze",     "gib",   "want",   "i",      "need",    "some",    "of",
    "paragraph", "detail",  "general",  "then",      "now",   "und",    "and",    "so"};
constexpr std::string_view kArticles[] = {"the", "a",    "an",  "my", "our", "your", "der", "die", "das", "dem",  "den",
                                          "des", "mein", "le",  "la", "les", "l",    "un",  "une", "el",  "los",  "las",
                                          "il",  "lo",   "gli", "i",  "o",   "os",   "as",  "du",  "del", "della"};
constexpr std::string_view kThis[] = {"it",   "this",   "that",   "these", "those", "them", "es",
                                      "dies", "dieses", "diesem", "ihn",   "sie",   "ce",   "cela",
                                      "ca",   "esto",   "eso",    "esso",  "isto",  "isso", "это"};
// A question of its own, not the name of something.
constexpr std::string_view kOther[] = {"what",  "who",   "how", "why", "when", "where",
                                       "which", "about", "was", "wie", "warum"};

using Words = std::span<const PlacedWord>;

bool are_all(Words words, std::span<const std::string_view> of) {
  return std::all_of(words.begin(), words.end(), [&](const PlacedWord& word) { return one_of(word.text, of); });
}

// Where the words of a phrase follow each other, from the front on; the number of words where they do not.
size_t find_phrase(Words words, std::string_view phrase) {
  const std::vector<std::string> wanted = words_of(phrase);
  const auto same = [](const PlacedWord& word, const std::string& other) { return word.text == other; };
  return static_cast<size_t>(std::search(words.begin(), words.end(), wanted.begin(), wanted.end(), same) -
                             words.begin());
}

// What stands between the two phrases, if nothing else does around them.
std::optional<Words> between(Words words, const Asking& asking) {
  const size_t before = find_phrase(words, asking.before);
  if (before == words.size() || !are_all(words.first(before), kAround)) return std::nullopt;
  Words rest = words.subspan(before + words_of(asking.before).size());
  if (!asking.after.empty()) {
    const size_t after = find_phrase(rest, asking.after);
    if (after == rest.size() || !are_all(rest.subspan(after + words_of(asking.after).size()), kAround)) {
      return std::nullopt;
    }
    rest = rest.first(after);
  }
  while (!rest.empty() && one_of(rest.back().text, kAround)) rest = rest.first(rest.size() - 1);
  return rest;
}

bool points_to_one(const PlacedWord& word) {
  return one_of(word.text, kThis) || is_any_document(word.text);
}

// The name of a document, or that of the one at hand: "this document".
AskedGist gist_of(std::string_view question, Words name, bool may_be_empty) {
  const bool at_hand = std::all_of(name.begin(), name.end(), points_to_one) ||
                       (name.size() == 2 && one_of(name[0].text, kArticles) && is_any_document(name[1].text));
  if (name.empty() || at_hand) return {!name.empty() || may_be_empty, {}};
  while (!name.empty() && one_of(name.front().text, kArticles)) name = name.subspan(1);
  const bool asks = std::any_of(name.begin(), name.end(), [](const PlacedWord& w) { return one_of(w.text, kOther); });
  if (name.empty() || asks) return {};
  return {true, std::string(spanned(question, name))};
}

AskedGist wide_gist(std::string_view question) {
  constexpr std::string_view kMarks[] = {"。", "？", "！", "?", "!", ".", " ", "吗", "请", "ください", "一下"};
  constexpr std::string_view kTheOneAtHand[] = {"这", "此", "本", "この", "これ"};
  for (bool cut = true; cut;) {
    cut = false;
    for (const std::string_view mark : kMarks) {
      if (question.ends_with(mark)) question.remove_suffix(mark.size()), cut = true;
      if (question.starts_with(mark)) question.remove_prefix(mark.size()), cut = true;
    }
  }
  for (const Asking& asking : kWideAskings) {
    const bool asks = !question.empty() && question.starts_with(asking.before) && question.ends_with(asking.after) &&
                      question.size() >= asking.before.size() + asking.after.size();
    if (!asks) continue;
    const std::string_view name =
        question.substr(asking.before.size(), question.size() - asking.before.size() - asking.after.size());
    const bool at_hand = std::any_of(std::begin(kTheOneAtHand), std::end(kTheOneAtHand),
                                     [&](std::string_view word) { return name.starts_with(word); });
    return {true, at_hand ? std::string() : std::string(name)};
  }
  return {};
}

}  // namespace

AskedGist asked_gist(std::string_view question) {
  if (!asked_place(question).empty()) return {};
  const std::vector<PlacedWord> words = placed_words(question);
  for (const Asking& asking : kAskings) {
    const std::optional<Words> name = between(words, asking);
    if (!name) continue;
    const AskedGist gist = gist_of(question, *name, asking.after.empty());
    if (gist.is_asked) return gist;
  }
  return wide_gist(question);
}

}  // namespace mneme::rag

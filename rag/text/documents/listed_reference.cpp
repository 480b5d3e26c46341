#include "rag/text/documents/listed_reference.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "rag/text/documents/asked_gist.h"
#include "rag/text/documents/document_kinds.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/placed_words.h"

namespace mneme::rag {

namespace {

using Words = std::span<const PlacedWord>;

struct Ordinal {
  std::string_view word;
  int place;
};
constexpr int kLast = -1;
constexpr Ordinal kOrdinals[] = {
    {"first", 1},       {"1st", 1},          {"second", 2},   {"2nd", 2},        {"third", 3},      {"3rd", 3},
    {"fourth", 4},      {"4th", 4},          {"fifth", 5},    {"5th", 5},        {"sixth", 6},      {"6th", 6},
    {"seventh", 7},     {"7th", 7},          {"eighth", 8},   {"8th", 8},        {"last", kLast},   {"erste", 1},
    {"ersten", 1},      {"erstes", 1},       {"erster", 1},   {"zweite", 2},     {"zweiten", 2},    {"zweites", 2},
    {"zweiter", 2},     {"dritte", 3},       {"dritten", 3},  {"drittes", 3},    {"vierte", 4},     {"vierten", 4},
    {"funfte", 5},      {"funften", 5},      {"sechste", 6},  {"sechsten", 6},   {"letzte", kLast}, {"letzten", kLast},
    {"letztes", kLast}, {"premier", 1},      {"premiere", 1}, {"deuxieme", 2},   {"troisieme", 3},  {"quatrieme", 4},
    {"dernier", kLast}, {"derniere", kLast}, {"primero", 1},  {"primera", 1},    {"segundo", 2},    {"segunda", 2},
    {"tercero", 3},     {"tercera", 3},      {"cuarto", 4},   {"primo", 1},      {"prima", 1},      {"secondo", 2},
    {"seconda", 2},     {"terzo", 3},        {"terza", 3},    {"ultimo", kLast}, {"ultima", kLast}};
constexpr Ordinal kNumbers[] = {{"one", 1},  {"two", 2},  {"three", 3}, {"four", 4}, {"five", 5}, {"six", 6},
                                {"eins", 1}, {"zwei", 2}, {"drei", 3},  {"vier", 4}, {"funf", 5}, {"sechs", 6}};
constexpr std::string_view kArticles[] = {"the", "that", "der", "die", "das", "den", "dem", "le",
                                          "la",  "el",   "il",  "los", "las", "du",  "del", "al"};
constexpr std::string_view kNumbered[] = {"number", "no", "nr", "nummer", "numero"};
constexpr std::string_view kOnes[] = {"one", "ones"};
constexpr std::string_view kOfThem[] = {"of", "von", "de"};
constexpr std::string_view kEnding[] = {"please", "bitte", "then", "now", "too", "zusammen", "say", "about", "again"};
constexpr std::string_view kShowing[] = {
    "open",   "show", "me",     "and",   "what",   "about",   "is",  "see",   "display", "read", "tell",
    "then",   "give", "please", "now",   "how",    "let",     "can", "you",   "i",       "want", "to",
    "look",   "at",   "und",    "offne", "zeig",   "zeige",   "mir", "bitte", "was",     "ist",  "mit",
    "steht",  "in",   "et",     "ouvre", "montre", "moi",     "y",   "abre",  "muestra", "e",    "apri",
    "mostra", "says", "does",   "say",   "more",   "contain", "too", "again"};

int place_of(std::span<const Ordinal> ordinals, std::string_view word) {
  const auto* const at = std::find_if(ordinals.data(), ordinals.data() + ordinals.size(),
                                      [&](const Ordinal& one) { return one.word == word; });
  return at == ordinals.data() + ordinals.size() ? 0 : at->place;
}

// "2" of "number 2".
int number_of(std::string_view word) {
  int n = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
  const bool is_number = error == std::errc() && end == word.data() + word.size() && n > 0 && n < 100;
  return is_number ? n : place_of(kNumbers, word);
}

// How many words behind an ordinal belong to it; npos where it is said of something else.
size_t n_behind(Words behind) {
  if (behind.empty() || one_of(behind.front().text, kEnding)) return 0;
  if (one_of(behind.front().text, kOfThem) && behind.size() > 1) return std::min<size_t>(2, behind.size());
  constexpr std::string_view kParts[] = {"chapter", "page", "pages", "text"};
  if (one_of(behind.front().text, kParts)) return std::string_view::npos;
  const bool names = one_of(behind.front().text, kOnes) || is_any_document(behind.front().text) ||
                     is_document_kind(behind.front().text);
  return names ? 1 : std::string_view::npos;
}

}  // namespace

std::optional<ListedReference> listed_reference(std::string_view question) {
  const std::vector<PlacedWord> all = placed_words(question);
  const Words words(all);
  for (size_t i = 0; i < words.size(); ++i) {
    if (one_of(words[i].text, kNumbered) && i + 2 == words.size()) {
      if (const int n = number_of(words[i + 1].text); n > 0)
        return ListedReference{words[i].begin, words[i + 1].end, n};
    }
    const int place = place_of(kOrdinals, words[i].text);
    const bool pointed = i > 0 ? one_of(words[i - 1].text, kArticles) : words.size() <= 2;
    if (place == 0 || !pointed) continue;
    const size_t n = n_behind(words.subspan(i + 1));
    if (n == std::string_view::npos) continue;
    return ListedReference{i > 0 ? words[i - 1].begin : words[i].begin, words[i + n].end, place};
  }
  return std::nullopt;
}

bool wants_listed_whole(std::string_view question, const ListedReference& reference) {
  const std::string around =
      std::string(question.substr(0, reference.begin)) + " " + std::string(question.substr(reference.end));
  const std::vector<PlacedWord> words = placed_words(around);
  if (std::all_of(words.begin(), words.end(), [](const PlacedWord& word) { return one_of(word.text, kShowing); }))
    return true;
  std::string named(question);  // any name will do
  named.replace(reference.begin, reference.end - reference.begin, "Xylo");
  return asked_gist(named).document == "Xylo";
}

}  // namespace mneme::rag

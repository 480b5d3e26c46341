#include "rag/follow_ups/follow_up_words.h"

#include <algorithm>
#include <initializer_list>
#include <unordered_set>

#include "rag/text/languages/language_facts.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

// Words as people write them, folded once.
class WordSet {
 public:
  WordSet(std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words) words_.insert(folded_text(word));
  }
  bool contains(std::string_view folded) const { return words_.contains(std::string(folded)); }

 private:
  std::unordered_set<std::string> words_;
};

// Phrases that are longer than a word, as words.
class LongPhrases {
 public:
  LongPhrases(std::initializer_list<std::string_view> phrases) {
    for (const std::string_view phrase : phrases) phrases_.push_back(words_of(phrase));
  }
  // The words of the longest phrase that these words begin with.
  size_t begins(std::span<const PlacedWord> words) const {
    size_t longest = 0;
    for (const std::vector<std::string>& phrase : phrases_) {
      const bool begins = phrase.size() <= words.size() &&
                          std::equal(phrase.begin(), phrase.end(), words.begin(),
                                     [](const std::string& a, const PlacedWord& b) { return a == b.text; });
      if (begins) longest = std::max(longest, phrase.size());
    }
    return longest;
  }

 private:
  std::vector<std::vector<std::string>> phrases_;
};

}  // namespace

std::vector<PlacedWord> spaced_words(std::string_view text) {
  std::vector<PlacedWord> words = placed_words(text);
  if (std::any_of(words.begin(), words.end(), [](const PlacedWord& word) { return word.pair; })) words.clear();
  return words;
}

bool begins_with_capital(std::string_view text, const PlacedWord& word) {
  const auto byte = static_cast<unsigned char>(text[word.begin]);
  if (byte < 0x80) return byte >= 'A' && byte <= 'Z';
  const auto next = word.begin + 1 < text.size() ? static_cast<unsigned char>(text[word.begin + 1]) : 0U;
  return (byte == 0xC3 && next < 0xA0) || (byte == 0xD0 && next >= 0x90 && next < 0xB0);  // "Ö", "К"
}

bool is_determiner(std::string_view folded) {
  static const WordSet kWords = {
      "the",   "a",      "an",     "my",    "our",     "your",    "his",     "her",   "their", "der",
      "die",   "das",    "den",    "dem",   "ein",     "eine",    "einen",   "einem", "einer", "mein",
      "meine", "meinen", "meinem", "unser", "unsere",  "unseren", "unserem", "le",    "la",    "les",
      "l",     "un",     "une",    "mon",   "ma",      "mes",     "notre",   "nos",   "el",    "los",
      "las",   "una",    "mi",     "mis",   "nuestro", "nuestra", "il",      "lo",    "gli",   "mio",
      "mia",   "nostro", "os",     "um",    "uma",     "meu",     "minha"};
  return kWords.contains(folded);
}

bool is_preposition(std::string_view folded) {
  static const WordSet kWords = {"in",    "on",     "at",     "for",   "with",  "without", "from", "to",  "of",  "by",
                                 "after", "before", "during", "since", "until", "im",      "auf",  "fur", "mit", "ohne",
                                 "nach",  "vor",    "bei",    "beim",  "von",   "vom",     "zum",  "zur", "am",  "an",
                                 "aus",   "seit",   "pour",   "avec",  "sans",  "de",      "du",   "des", "d",   "dans",
                                 "en",    "a",      "au",     "aux",   "chez",  "para",    "con",  "sin", "del", "al",
                                 "por",   "per",    "di",     "della", "del",   "com",     "sem",  "do",  "da",  "для",
                                 "с",     "без",    "в",      "на",    "за",    "от",      "из",   "по"};
  return kWords.contains(folded);
}

bool is_asking_verb(std::string_view folded) {
  static const WordSet kWords = {
      "cost",   "costs",    "mean",    "means",     "happen",   "long",    "high",  "big",       "old",
      "often",  "far",      "tall",    "early",     "late",     "soon",    "time",  "day",       "days",
      "kostet", "kosten",   "betragt", "bedeutet",  "heisst",   "hoch",    "lange", "oft",       "gross",
      "spat",   "teuer",    "alt",     "lautet",    "findet",   "eleve",   "coute", "coutent",   "veut",
      "dire",   "signifie", "lieu",    "temps",     "cuesta",   "cuestan", "costo", "significa", "quiere",
      "decir",  "vale",     "costa",   "costano",   "custa",    "custam",  "стоит", "стоят",     "стоила",
      "стоило", "стоили",   "стоил",   "значит",    "означает", "такое",   "есть",  "будет",     "составляет",
      "надо",   "нужно",    "можно",   "называется"};
  return kWords.contains(folded);
}

bool is_person_word(std::string_view folded) {
  static const WordSet kWords = {"i",    "we", "you",      "ich", "wir", "man", "du", "je", "nous", "on", "tu",
                                 "vous", "yo", "nosotros", "io",  "noi", "eu",  "я",  "мы", "ты",   "вы"};
  return kWords.contains(folded);
}

bool is_pronoun(std::string_view folded) {
  static const WordSet kWords = {
      "it",    "its",     "they", "them",   "their", "this",  "that",  "these",  "those", "he",    "she",
      "him",   "her",     "his",  "hers",   "there", "one",   "ones",  "both",   "er",    "ihn",   "ihm",
      "diese", "sie",     "es",   "dieser", "dort",  "davon", "damit", "dessen", "deren", "dafur", "dazu",
      "dabei", "dagegen", "il",   "elle",   "ils",   "elles", "ca",    "cela",   "lui",   "eux",   "leur",
      "ello",  "esto",    "eso",  "alli",   "он",    "она",   "оно",   "они",    "его",   "ее",    "их",
      "ей",    "ему",     "им",   "там",    "туда",  "это",   "этот",  "эта",    "того",  "этого"};
  return kWords.contains(folded);
}

bool is_pronoun(std::string_view folded, Language language) {
  static const PhrasesOfLanguages kOwn([](const LanguageFacts& facts) { return facts.talk.pronouns; }, " ");
  return is_pronoun(folded) || kOwn.of(language).holds(folded);
}

bool is_asking_adverb(std::string_view folded, Language language) {
  static const PhrasesOfLanguages kOwn([](const LanguageFacts& facts) { return facts.talk.asking; }, " ");
  static const WordSet kWords = {"how",    "when",  "where", "why",     "wann",     "wo",     "wie",    "warum",
                                 "wieso",  "quand", "ou",    "comment", "pourquoi", "cuando", "donde",  "como",
                                 "quando", "dove",  "onde",  "когда",   "где",      "как",    "почему", "зачем"};
  return kWords.contains(folded) || kOwn.of(language).holds(folded);
}

bool only_asks_in(std::string_view folded, Language language) {
  return !facts_of(language).talk.continuing.empty() && is_stop_word(folded, language) && !is_determiner(folded);
}

namespace {

// Typed in small letters, all but the first of them perhaps.
bool has_small_nouns(std::string_view text, std::span<const PlacedWord> words) {
  return std::none_of(words.begin() + 1, words.end(),
                      [&](const PlacedWord& word) { return begins_with_capital(text, word); });
}

}  // namespace

// German nouns have capitals: an article that none follows stands for one. Where no word has, "die kaution" is a thing
// all the same; what follows "das" may as well be said of it ("ist das teuer").
bool is_lone_article(std::string_view text, std::span<const PlacedWord> words, size_t i) {
  constexpr size_t kWithin = 3;  // words: "das alte rote Auto"
  if (i == 0 || (words[i].text != "das" && words[i].text != "die")) return false;
  const std::span<const PlacedWord> behind = words.subspan(i + 1, std::min(kWithin, words.size() - i - 1));
  const bool has_thing = words[i].text == "die" && !behind.empty() && !is_stop_word(behind.front().text) &&
                         !is_preposition(behind.front().text) && !is_asking_verb(behind.front().text);
  if (has_thing && has_small_nouns(text, words)) return false;
  for (const PlacedWord& word : behind) {
    if (is_preposition(word.text)) return true;  // "Ist das mit Mehrwertsteuer?"
    if (begins_with_capital(text, word)) return false;
  }
  return true;
}

bool is_name_like_article(std::string_view text, std::span<const PlacedWord> words, size_t i) {
  return i > 0 && i + 1 == words.size() && is_determiner(words[i].text) && begins_with_capital(text, words[i]);
}

bool is_auxiliary(std::string_view folded) {
  static const WordSet kWords = {"do", "does", "did", "can", "will", "would", "should", "must", "may", "could"};
  return kWords.contains(folded);
}

bool is_continuation(std::string_view folded) {
  static const WordSet kWords = {"and",  "but", "or",   "then", "also", "so", "und", "oder", "aber", "et",
                                 "mais", "y",   "pero", "e",    "а",    "и",  "но",  "ok",   "okay"};
  return kWords.contains(folded);
}

bool stands_for_thing(std::string_view folded) {
  static const WordSet kWords = {"it", "they", "them", "that", "this", "those", "these"};
  return kWords.contains(folded);
}

bool stands_for_gender(std::string_view pronoun, std::string_view determiner) {
  struct Pair {
    std::string_view pronoun;
    std::string_view determiners;
  };
  // Where subject and object look alike, so that nothing else in the sentence changes.
  static constexpr Pair kPairs[] = {{"sie", " die eine meine unsere "},
                                    {"es", " das "},
                                    {"er", " der "},
                                    {"ihn", " den "},
                                    {"das", " das "},
                                    {"elle", " la une ma "},
                                    {"elles", " les mes nos "},
                                    {"ils", " les mes nos "}};
  const std::string sought = " " + std::string(determiner) + " ";
  return std::any_of(std::begin(kPairs), std::end(kPairs), [&](const Pair& pair) {
    return pair.pronoun == pronoun && pair.determiners.find(sought) != std::string_view::npos;
  });
}

size_t n_continuing(std::span<const PlacedWord> words, Language language) {
  static const PhrasesOfLanguages kOwn([](const LanguageFacts& facts) { return facts.talk.continuing; }, " ");
  static const LongPhrases kPhrases = {"what about",     "how about",        "what else",
                                       "why not",        "what if",          "was ist mit",
                                       "wie ist es mit", "wie sieht es mit", "wie steht es mit",
                                       "et pour",        "qu'en est-il de",  "qu'en est-il du",
                                       "quid de",        "quid du",          "que hay de",
                                       "que tal",        "que pasa con",     "e quanto a",
                                       "как насчёт",     "что насчёт",       "что с",
                                       "как с"};
  size_t n = 0;
  if (words.size() > 1 && words[0].text == "y" && words[1].text == "a") return 0;  // "Y a-t-il ...?", French
  while (n < words.size() && (is_continuation(words[n].text) || kOwn.of(language).holds(words[n].text))) ++n;
  return n + kPhrases.begins(words.subspan(n));
}

}  // namespace mneme::rag

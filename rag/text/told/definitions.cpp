#include "rag/text/told/definitions.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/apostrophe.h"
#include "base/utf8.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/quantities/numbers.h"
#include "rag/text/told/introduced_thing.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/placed_words.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

using Stems = std::unordered_set<std::string>;

constexpr double kSpelledOut = 0.7;
constexpr double kNamedSo = 0.85;     // "... is called borrowing", "a _borrow checker_ that ..."
constexpr double kToldOf = 0.75;      // what a thing does says less than what it is
constexpr double kHalfDefined = 0.5;  // "is built by", not "is a"; "the wheel cache is a", of something else
constexpr double kShortForm = 0.65;   // "the GIL is an obstacle": what its letters stand for says more
constexpr size_t kLongestShortForm = 8;
constexpr size_t kFewestSpelled = 2;  // words that a short form stands for
constexpr size_t kDefinedWithin = 4;  // a definition names its subject among the first words
constexpr size_t kCopulaWithin = 6;   // ... and says what it is soon after
constexpr size_t kKindWithin = 3;     // words: "are vendor-neutral programs"
constexpr std::ptrdiff_t kWordsBehindThe = 3;
constexpr size_t kOpening = 160;         // bytes of an entry that hold what its name stands for
constexpr size_t kLongestEmphasis = 60;  // bytes of a term
constexpr size_t kLastWord = 12;         // bytes that hold the last short word of a text
constexpr double kTermShare = 0.3;       // of the question's words that a term must hold: "a crate in Rust" is a crate

constexpr std::string_view kCopulas[] = {"is", "are", "was", "were", "does", "ist", "sind", "est", "sont", "es", "son"};
constexpr std::string_view kDefiningVerbs[] = {"means", "refers", "denotes", "stands", "bedeutet"};
constexpr std::string_view kTellingVerbs[] = {
    "describes", "defines",    "provides", "allows",   "lets",      "returns",  "specifies", "represents", "contains",
    "consists",  "prevents",   "ensures",  "enforces", "protects",  "compares", "enables",   "handles",    "controls",
    "tells",     "guarantees", "serves",   "checks",   "generates", "creates",  "adds",      "runs",       "reads",
    "writes",    "sets",       "gives",    "takes",    "makes",     "converts", "shows",     "stores",     "holds"};
constexpr std::string_view kArticles[] = {"a",    "an",  "the", "one", "any", "another", "how", "what", "like", "ein",
                                          "eine", "der", "die", "das", "un",  "une",     "le",  "la",   "una",  "el"};
// "This trait is the interface that we need" tells of one of them.
constexpr std::string_view kParticular[] = {"this", "that", "these", "those", "my",   "our",
                                            "your", "his",  "her",   "its",   "their"};
constexpr std::string_view kWideCopulas[] = {"是", "指", "とは", "である", "です"};
constexpr std::string_view kWordsForWords[] = {"term", "word", "name", "expression", "keyword", "begriff", "wort"};
constexpr std::string_view kNaming[] = {"called", "named", "termed", "dubbed", "genannt", "heisst", "appele"};

bool asks_for(std::string_view word, const Stems& asked) {
  return !is_stop_word(word) && !one_of(word, kDefiningVerbs) && asked.contains(stem_of(word));
}

// A short form as it is written: two to eight capitals.
bool is_in_capitals(std::string_view sentence, const PlacedWord& word) {
  const std::string_view written = sentence.substr(word.begin, word.text.size());
  return word.text.size() >= 2 && word.text.size() <= kLongestShortForm &&
         std::all_of(written.begin(), written.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

// Whether the letters are those of all these words, in order: each word gives its first, and may give further ones,
// as "hypertext transfer protocol" does for HTTP.
bool are_letters_of(std::string_view letters, std::span<const PlacedWord> words) {
  if (words.empty()) return letters.empty();
  const std::string_view word = words.front().text;
  if (letters.empty() || word.front() != letters.front()) return false;
  size_t at = 0;  // in the word, of the last letter taken
  for (size_t taken = 1; taken <= letters.size(); ++taken) {
    if (are_letters_of(letters.substr(taken), words.subspan(1))) return true;
    if (taken == letters.size()) break;
    at = word.find(letters[taken], at + 1);
    if (at == std::string_view::npos) break;
  }
  return false;
}

// How many words from `first` on, or up to `first`, are what the letters stand for; 0: none.
size_t n_spelling(std::string_view letters, const std::vector<PlacedWord>& words, size_t first) {
  for (size_t n = letters.size(); n >= kFewestSpelled; --n) {
    if (first + n <= words.size() && are_letters_of(letters, std::span(words).subspan(first, n))) return n;
  }
  return 0;
}
size_t n_spelling_before(std::string_view letters, const std::vector<PlacedWord>& words, size_t end) {
  for (size_t n = letters.size(); n >= kFewestSpelled; --n) {
    if (n <= end && are_letters_of(letters, std::span(words).subspan(end - n, n))) return n;
  }
  return 0;
}

// "global interpreter lock ("GIL") prevents", "RIP (raster image processor)": the asked word is in capitals, and words
// before or behind it begin with its letters. Mentioned so in passing, it is only half the truth.
double spells_out(std::string_view sentence, const std::vector<PlacedWord>& words, const Stems& asked) {
  if (sentence.find('(') == std::string_view::npos) return 0.0;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& letters = words[i].text;
    if (!is_in_capitals(sentence, words[i]) || !asked.contains(stem_of(letters))) continue;
    const bool is_link = sentence.substr(words[i].end).starts_with("](");  // "[API](application-programming-interface)"
    if (!is_link && n_spelling(letters, words, i + 1) > 0) return 1.0;
    if (n_spelling_before(letters, words, i) == 0) continue;
    const std::string_view next = i + 1 < words.size() ? std::string_view(words[i + 1].text) : std::string_view();
    const bool told_of = one_of(next, kCopulas) || one_of(next, kTellingVerbs) || one_of(next, kDefiningVerbs);
    return told_of || next.empty() ? 1.0 : kSpelledOut;
  }
  return 0.0;
}

// "packages' path", "packages's path".
bool begins_with_possessive(std::string_view text) {
  if (text.empty()) return false;
  size_t end = 0;
  if (!is_apostrophe(utf8::next(text, end))) return false;
  text.remove_prefix(end);
  return text.starts_with(' ') || text.starts_with("s ");
}

// Whether the thing's name ends before words[next]: the "metaclass" of "metaclass conflict" is not all of the name, and
// neither are the "packages" of "packages' path".
bool ends_name(std::string_view sentence, const std::vector<PlacedWord>& words, size_t next) {
  const size_t end = words[next - 1].end;
  const std::string_view behind = sentence.substr(end);
  if (begins_with_possessive(behind)) return false;
  if (next >= words.size() || is_stop_word(words[next].text)) return true;
  const std::string_view between = sentence.substr(end, words[next].begin - end);
  return between != "-" && between.find_first_not_of(' ') != std::string_view::npos;  // "trace-based"
}

// Whether the name that begins at words[first] is made of asked words only, up to a verb.
bool is_all_of_name(std::string_view sentence, const std::vector<PlacedWord>& words, size_t first, const Stems& asked) {
  size_t next = first + 1;
  while (next < words.size() && asks_for(words[next].text, asked)) ++next;
  const bool verb =
      next < words.size() && (one_of(words[next].text, kCopulas) || one_of(words[next].text, kTellingVerbs) ||
                              one_of(words[next].text, kDefiningVerbs));
  return verb || ends_name(sentence, words, next);
}

// "The opportunity cost of a bus ticket is ..." says what that of one thing is.
bool is_of_one_thing(const std::vector<PlacedWord>& words, size_t first, const Stems& asked) {
  constexpr std::string_view kOf[] = {"of", "von", "de"};
  size_t next = first + 1;
  while (next < words.size() && asks_for(words[next].text, asked)) ++next;
  if (next + 1 >= words.size() || !one_of(words[next].text, kOf)) return false;
  do ++next;
  while (next + 1 < words.size() && one_of(words[next].text, kArticles));
  return !asks_for(words[next].text, asked);
}

// "Implicit namespace packages are ...", "num_traces is ...": the word before the subject makes it another.
bool is_of_another(std::string_view sentence, const std::vector<PlacedWord>& words, size_t subject) {
  if (subject == 0 || words[subject].pair) return false;
  if (is_stop_word(words[subject - 1].text) || one_of(words[subject - 1].text, kWordsForWords)) return false;
  const size_t end = words[subject - 1].end;
  const std::string_view between = sentence.substr(end, words[subject].begin - end);
  return between == "_" || between == "-" || between.find_first_not_of(' ') == std::string_view::npos;
}

// "Tariffs are taxes that ...", "are anonymous functions": what several are is of their kind, by its plural.
bool are_of_a_kind(const std::vector<PlacedWord>& words, size_t behind_are) {
  constexpr std::string_view kNoKinds[] = {"always", "sometimes", "perhaps", "besides", "less", "plus", "thus"};
  const size_t end = std::min(behind_are + kKindWithin, words.size());
  for (size_t i = behind_are; i < end && !is_stop_word(words[i].text); ++i) {
    const std::string_view word = words[i].text;
    if (word.ends_with("ed") || word.ends_with("ly")) return false;  // "are closely related concepts", "are called"
    if (word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") && !one_of(word, kNoKinds)) return true;
  }
  return false;
}

// "A wheel is an archive ...": the subject first, then what it is; "A wheel is built ..." says less.
double said_of_subject(std::string_view sentence, const std::vector<PlacedWord>& words, const Stems& asked) {
  const auto begin = words.begin();
  const auto early = begin + static_cast<std::ptrdiff_t>(std::min(kDefinedWithin, words.size()));
  const auto subject = std::find_if(begin, early, [&](const PlacedWord& word) { return asks_for(word.text, asked); });
  if (subject == early) return 0.0;
  if (subject->pair) {
    return std::any_of(std::begin(kWideCopulas), std::end(kWideCopulas),
                       [&](std::string_view copula) { return sentence.find(copula) != std::string_view::npos; })
               ? 1.0
               : 0.0;
  }
  double share = is_in_capitals(sentence, *subject) ? kShortForm : 1.0;
  if (subject != begin && one_of((subject - 1)->text, kParticular)) return 0.0;
  const bool of_another = is_of_another(sentence, words, static_cast<size_t>(subject - begin));
  if (of_another) share *= kHalfDefined;
  const auto left = static_cast<size_t>(words.end() - subject) - 1;
  const auto last = subject + 1 + static_cast<std::ptrdiff_t>(std::min(kCopulaWithin, left));
  for (auto at = subject + 1; at != last; ++at) {
    const auto first = static_cast<size_t>(subject - begin);
    if (one_of(at->text, kDefiningVerbs)) {  // "PEP stands for", not "a trait bound means"
      const bool follows = at + 1 != words.end() && (at + 1)->text == "that";  // "inflation means that prices say less"
      return of_another || follows || !is_all_of_name(sentence, words, first, asked) ? kHalfDefined : 1.0;
    }
    if (one_of(at->text, kTellingVerbs)) return share * kToldOf;
    if (!one_of(at->text, kCopulas) || at + 1 == words.end()) continue;
    if (!is_all_of_name(sentence, words, first, asked) || is_of_one_thing(words, first, asked)) return kHalfDefined;
    // "The lock is the cause" says which one it is, not what it is.
    const bool which_one = (at + 1)->text == "the" && words.end() - (at + 2) < kWordsBehindThe;
    const bool at_once = subject - begin <= 1 && !of_another && asks_for((at - 1)->text, asked);
    if (at_once && at->text == "are" && are_of_a_kind(words, static_cast<size_t>(at - begin) + 1)) return share;
    return one_of((at + 1)->text, kArticles) && !which_one ? share : kHalfDefined;
  }
  return 0.0;
}

// The word behind "called" or "known as", articles aside, is what is asked for.
bool is_named_so(std::string_view sentence, const std::vector<PlacedWord>& words, const Stems& asked) {
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    const bool known_as =
        i > 0 && words[i].text == "as" && (words[i - 1].text == "known" || words[i - 1].text == "abbreviated");
    if (!known_as && !one_of(words[i].text, kNaming)) continue;
    size_t thing = i + 1;
    while (thing + 1 < words.size() && one_of(words[thing].text, kArticles)) ++thing;
    if (asks_for(words[thing].text, asked) && is_all_of_name(sentence, words, thing, asked)) return true;
  }
  return false;
}

// All words of a term are asked for, and they are most of what is.
bool is_asked_term(std::string_view term, const Stems& asked) {
  size_t held = 0;
  WordScanner scanner(term);
  for (Word word; scanner.next(word); ++held) {
    if (!asks_for(word.text, asked)) return false;
  }
  const auto matter =
      std::count_if(asked.begin(), asked.end(), [](const std::string& stem) { return !is_stop_word(stem); });
  return held > 0 && static_cast<double>(held) >= kTermShare * static_cast<double>(matter);
}

// "Two _types_ that implement one _trait_": emphasis that sets apart, and introduces nothing.
bool contrasts(std::string_view before) {
  constexpr std::string_view kCounts[] = {"one", "two", "same", "this", "that", "each", "every", "both", "not", "only"};
  const std::vector<std::string> words = words_of(before.substr(before.size() - std::min(before.size(), kLastWord)));
  return !words.empty() && one_of(words.back(), kCounts);
}

// "_borrow checker_", "*closure*", "**trait**".
}  // namespace

bool emphasises(std::string_view sentence, const Stems& asked) {
  for (size_t open = sentence.find_first_of("_*"); open != std::string_view::npos;) {
    const char mark = sentence[open];
    const size_t first = std::min(sentence.find_first_not_of(mark, open), sentence.size());
    const size_t close = sentence.find(mark, first);
    if (close == std::string_view::npos) return false;
    const bool at_word = !contrasts(sentence.substr(0, open)) &&
                         (open == 0 || !((sentence[open - 1] | 0x20) >= 'a' && (sentence[open - 1] | 0x20) <= 'z'));
    if (at_word && close - first <= kLongestEmphasis && is_asked_term(sentence.substr(first, close - first), asked)) {
      return true;
    }
    open = sentence.find_first_of("_*", first);
  }
  return false;
}

namespace {

// "We present CacheBlend, a scheme that ...".
double is_introduced(std::string_view sentence, const std::vector<PlacedWord>& words, const Stems& asked) {
  double best = 0.0;
  for (size_t first = 0; first < words.size(); ++first) {
    if (!asks_for(words[first].text, asked)) continue;
    size_t end = first + 1;
    while (end < words.size() && asks_for(words[end].text, asked)) ++end;
    if (is_all_of_name(sentence, words, first, asked))
      best = std::max(best, introduces_thing(sentence, words, first, end));
    first = end - 1;
  }
  return best;
}

}  // namespace

double defining_cue(std::string_view sentence, const Stems& asked) {
  const std::vector<PlacedWord> words = placed_words(sentence);
  const double said = std::max({spells_out(sentence, words, asked), said_of_subject(sentence, words, asked),
                                is_introduced(sentence, words, asked)});
  if (said >= kNamedSo) return said;
  const bool emphasised = emphasises(sentence, asked);
  if (emphasised && said >= kToldOf) return 1.0;
  return emphasised || is_named_so(sentence, words, asked) ? kNamedSo : said;
}

namespace {

// The thing's words, from the scanner's next one on, and behind them a border and something told.
bool is_entry_from(std::string_view line, WordScanner& scanner, const std::vector<std::string>& thing) {
  constexpr std::string_view kBorders[] = {"|", ":", "\t", " - ", " – ", " — ", " = ", ",", ";"};
  Word word;
  size_t end = 0;
  for (const std::string& wanted : thing) {
    if (!scanner.next(word) || (word.text != wanted && stem_of(word.text) != stem_of(wanted))) return false;
    end = word.byte_end;
  }
  std::string_view behind = line.substr(end);
  behind.remove_prefix(std::min(behind.find_first_not_of("*_`\")'"), behind.size()));
  const auto parts = [&](std::string_view border) {
    return behind.starts_with(border) || (border.front() != ' ' && behind.starts_with(" " + std::string(border)));
  };
  const bool bordered = std::any_of(std::begin(kBorders), std::end(kBorders), parts);
  const bool within_sentence = behind.starts_with(", ") || behind.starts_with("; ");
  if (!bordered || within_sentence) return false;
  while (scanner.next(word)) {  // "PEP: 1" tells nothing
    if (!has_digits(word.text)) return true;
  }
  return false;
}

}  // namespace

bool is_entry_of(std::string_view line, const std::vector<std::string>& thing) {
  if (thing.empty()) return false;
  WordScanner from_first(line);
  if (is_entry_from(line, from_first, thing)) return true;
  WordScanner from_second(line);  // "Error E18: the water does not drain"
  Word kind;
  return has_digits(thing.front()) && from_second.next(kind) && is_entry_from(line, from_second, thing);
}

bool opens_with_long_form(std::string_view text, std::string_view short_form) {
  constexpr std::string_view kSaying[] = {"short", "stands", "for", "abbreviation", "acronym", "of", "an", "the"};
  const std::vector<PlacedWord> words = placed_words(text.substr(0, kOpening));
  size_t first = 0;
  while (first < words.size() && one_of(words[first].text, kSaying)) ++first;
  return n_spelling(short_form, words, first) > 0;
}

std::string long_form(std::string_view text, std::string_view short_form) {
  const std::vector<PlacedWord> words = placed_words(text);
  for (size_t i = kFewestSpelled; i < words.size(); ++i) {
    if (words[i].text != short_form || !is_in_capitals(text, words[i])) continue;
    const std::string_view between = text.substr(words[i - 1].end, words[i].begin - words[i - 1].end);
    const size_t n = n_spelling_before(short_form, words, i);
    if (between.find('(') == std::string_view::npos || n == 0) continue;
    std::string spelled;
    for (size_t w = i - n; w < i; ++w) spelled += (spelled.empty() ? "" : " ") + words[w].text;
    return spelled;
  }
  return {};
}

}  // namespace mneme::rag

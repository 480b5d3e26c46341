#include "rag/text/documents/called_document.h"

#include <algorithm>
#include <string>
#include <vector>

#include "rag/text/documents/document_kinds.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/variants/compounds.h"
#include "rag/text/variants/synonyms.h"
#include "rag/text/variants/word_forms.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr std::string_view kGrammar[] = {"my",   "our", "your", "der", "die", "das", "dem", "den", "des",
                                         "mein", "le",  "la",   "les", "l",   "un",  "une", "el",  "los",
                                         "las",  "il",  "lo",   "gli", "os",  "as",  "du",  "del", "della"};

// Numbers are the same whatever zeros they begin with: "PEP 8" is pep-0008.
std::string comparable(std::string_view word) {
  const size_t digits = word.find_first_not_of('0');
  const bool number = word.find_first_not_of("0123456789") == std::string_view::npos;
  return number && digits != std::string_view::npos ? std::string(word.substr(digits)) : stem_of(word);
}

class SaidWords {
 public:
  void add(std::string_view text) {
    for (const std::string& word : words_of(text)) {
      words_.push_back(comparable(word));
      folded_.push_back(word);
    }
  }
  bool say(std::string_view folded) const {
    const std::string wanted = comparable(folded);
    return std::any_of(words_.begin(), words_.end(),
                       [&](const std::string& word) { return word == wanted || is_form(word, wanted); });
  }
  bool say_alike(std::string_view folded) const {
    const std::vector<std::string_view> alike = synonyms_of(folded);
    return say(folded) || std::any_of(alike.begin(), alike.end(), [&](std::string_view word) { return say(word); });
  }
  // A kind of document by any of its words, also at the end of a German one: "Werkstattrechnung".
  bool say_kind(std::string_view folded) const {
    const std::vector<std::string_view> alike = kinds_alike(folded);
    return say(folded) || std::any_of(alike.begin(), alike.end(), [&](std::string_view kind) {
             return say(kind) || std::any_of(folded_.begin(), folded_.end(),
                                             [&](const std::string& word) { return is_kind_of(word, kind); });
           });
  }

 private:
  std::vector<std::string> words_;  // as they are compared
  std::vector<std::string> folded_;
};

// What stands where a title would.
std::string_view first_line(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text.substr(0, text.find('\n'));
}

struct Wanted {
  std::vector<std::string> words;
  std::vector<std::string> kinds;  // need not be said, if there are words
  bool names_document = false;     // a word for documents is among them
};

Wanted wanted_of(std::string_view called) {
  Wanted wanted;
  std::vector<std::string> any;
  for (const std::string& word : words_of(called)) {
    if (is_stop_word(word) || one_of(word, kGrammar)) continue;
    const bool is_any = is_any_document(word);
    const bool is_kind = !is_any && is_document_kind(word);
    wanted.names_document |= is_any || is_kind;
    (is_any ? any : is_kind ? wanted.kinds : wanted.words).push_back(word);
  }
  if (wanted.words.empty() && wanted.kinds.empty()) wanted.kinds = std::move(any);
  return wanted;
}

}  // namespace

Called called_so(std::string_view called, const DocumentNaming& document) {
  const Wanted wanted = wanted_of(called);
  SaidWords own;
  own.add(document.title);
  own.add(document.file);
  if (folded_text(document.title) == folded_text(document.file)) own.add(first_line(document.beginning));
  SaidWords all = own;
  all.add(document.folders);
  const auto is_said = [&](const SaidWords& by, const std::string& word) {
    return by.say(word) || (wanted.names_document && by.say_alike(word));
  };
  SaidWords kinds = all;
  kinds.add(document.beginning);
  const auto says_kind = [&](const std::string& kind) {
    return kinds.say_kind(kind) || is_of_format(kind, document.format);
  };
  // Of "license agreement" one will do.
  const bool of_kind = wanted.kinds.empty() || std::any_of(wanted.kinds.begin(), wanted.kinds.end(), says_kind);
  const auto own_kind = [&](const std::string& kind) { return own.say_kind(kind); };
  if (wanted.words.empty()) {
    const bool is_it = of_kind && std::any_of(wanted.kinds.begin(), wanted.kinds.end(), own_kind);
    return is_it ? Called::kSo : Called::kNot;
  }
  const bool named = std::all_of(wanted.words.begin(), wanted.words.end(),
                                 [&](const std::string& word) { return is_said(all, word); });
  const bool by_itself =
      std::any_of(wanted.words.begin(), wanted.words.end(), [&](const std::string& w) { return is_said(own, w); }) ||
      std::any_of(wanted.kinds.begin(), wanted.kinds.end(), own_kind);
  if (!named || !by_itself) return Called::kNot;
  return of_kind ? Called::kSo : Called::kButForKind;
}

bool is_among(std::string_view called, const DocumentNaming& document) {
  SaidWords own;
  for (const std::string_view text : {document.title, document.file}) own.add(text);
  SaidWords names = own;
  for (const std::string_view text : {document.folders, document.author}) names.add(text);
  SaidWords said = names;
  said.add(document.beginning);
  const std::vector<std::string> words = words_of(called);
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    if (is_stop_word(word) || one_of(word, kGrammar)) return true;
    if (is_of_format(word, document.format)) return true;
    // What lies in a folder "mail", or names an address, need not be one.
    if (is_told_by_format(word)) return own.say_kind(word);
    if (is_letter_word(word)) return document.is_letter || names.say_kind(word);
    return is_document_kind(word) ? said.say_kind(word) : said.say_alike(word);
  });
}

}  // namespace mneme::rag

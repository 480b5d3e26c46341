// What is known of each language, a file each in facts/ (notes/ and documents/ hold what is long). To add one: a file
// like these, and its name in Language (language.h), below, and in language_facts.cpp.
//
// Words and phrases are as people write them, with diacritics or without: they are folded (rag/text/words/words.h)
// before anything is compared with them. What a language lacks is empty. Threads: immutable data, and pure functions.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "rag/text/languages/document_words.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/notes.h"
#include "rag/text/languages/paper_words.h"
#include "rag/text/words/phrases.h"

namespace mneme::rag {

// Phrases apart by ", ".
using PhraseList = std::string_view;
// Words apart by one space.
using WordList = std::string_view;

struct MonthNames {
  WordList names{};   // say a date wherever they stand
  WordList others{};  // "mar", "ocak": short ones, and what means something else as well
};

// Words by which questions ask. One that begins with '^' asks only where it begins the question.
struct AskingPhrases {
  PhraseList date{};           // or time of day
  PhraseList in_which_case{};  // "when should I": not at what time
  PhraseList number{};
  PhraseList duration{};
  PhraseList frequency{};
  PhraseList person{};
  PhraseList place{};
  PhraseList reason{};
  PhraseList manner{};
  PhraseList steps{};
  PhraseList list{};
  PhraseList definition{};
  PhraseList deed{};  // "what do we sing": what somebody does
  PhraseList difference{};
};

// What people ask of prices.
struct PriceWords {
  PhraseList asking{};     // "what does ... cost"
  PhraseList how_much{};   // asks for one together with one of `words` or `earning`
  WordList words{};        // "cost", "pay": of these an answer need say none
  WordList earning{};      // what somebody earns is told by money, too
  PhraseList priced{};     // 租金: in scripts without spaces, beside 多少
  PhraseList reckoning{};  // "in total": a sum or an average is asked for
};

// What was paid or received altogether, and how tables of payments head their columns.
struct PaymentWords {
  PhraseList spent{};           // asks for the one: "did we spend"
  PhraseList received{};        // ... for the other: "did we earn"
  PhraseList otherwise{};       // "on average", "the most": no sum is asked for
  PhraseList average{};         // ... but what comes to one payment, or
  PhraseList weekly{};          // "a week",
  PhraseList monthly{};         // "per month" or
  PhraseList yearly{};          // "per year"
  PhraseList most{};            // ... the largest of them,
  PhraseList least{};           // or the smallest: beside a phrase of `spent`, or a word of the next two
  WordList expenses{};          // "expense", "purchase"
  WordList paid{};              // "paid", "bought"
  PhraseList spending{};        // asks like `spent`; words may stand at a '#': "geben wir # aus"
  PhraseList paying{};          // "did I pay #": likewise what rows come to, or
  WordList paying_for{};        // ... with "for" the price of one thing
  WordList amount_columns{};    // "amount"
  WordList balance_columns{};   // what is left on an account is no payment
  WordList received_columns{};  // of two columns of amounts
};

// Whether something may be done, or has to be.
struct RuleWords {
  PhraseList asking_may{};     // how such questions begin
  PhraseList asking_must{};    // ... and those for what has to be done
  WordList permits{};          // "allowed", "forbidden": ask by themselves
  WordList permits_closing{};  // ... behind "is", and at the end of three words at most
  // In scripts without spaces, anywhere in a question that asks for yes or no.
  PhraseList may_within{};
  PhraseList must_within{};
  PhraseList yes_or_no{};
  PhraseList may_rules{};  // how a rule says what may be done or may not
  PhraseList must_rules{};
  WordList light_deeds{};  // "keep", "have": of these a rule need say none, if one is what is asked to be done
};

struct ContactWords {
  PhraseList asking{};  // for a telephone number
  WordList words{};     // "number", "call": of these an answer need say none
};

// How a conversation goes on, in questions in this language alone.
struct TalkWords {
  WordList continuing{};  // "and"
  WordList pronouns{};    // that stand for what was talked about, and for nothing else
  WordList asking{};      // "where", "when": any may stand for another
};

// How words change.
struct WordShapes {
  WordList endings{};      // what stands behind the root of a word, or of another form of it; nothing may, too
  int most_endings = 1;    // that stand behind each other
  bool compounds = false;  // words are put together without a space, as German does it
};

struct LanguageFacts {
  Language language = Language::kUnknown;

  // Words that say little about a text's subject: articles, prepositions, question words. They tell the language.
  WordList grammar{};
  // Such words that mean something in other languages ("var", "man", "hat"): they are grammar in texts in this language
  // alone.
  WordList own_grammar{};
  // Further words that tell it, and say something.
  WordList telling{};
  // Words of grammar of other languages that texts in this one hold: one of them alone tells no other language.
  WordList words_of_others{};
  std::string_view marked_letters{};         // beyond ASCII, small
  const NoteTexts* notes = nullptr;          // what is said beside answers
  const DocumentWords* documents = nullptr;  // how documents themselves are asked for
  const PaperWords* papers = nullptr;        // how letters, bills and notes are written
  // Said to nobody's question ("Ok, thanks!"); what is said back is a note.
  PhraseList thanks{};
  PhraseList greetings{};

  // Numbers and times, as sentences tell them.
  WordList numbers{};
  PhraseList numbered{};  // "한 대", "이틀": of scripts in which the number alone is part of other words
  std::array<MonthNames, 12> months{};
  PhraseList months_beside_numbers{};  // say a date only where the sentence holds a number
  PhraseList other_dates{};            // "century"
  PhraseList weekdays{};
  PhraseList day_marks{};       // 月, 日: beside numbers
  PhraseList recurring_days{};  // "the first working day": days that come again
  PhraseList time_units{};
  PhraseList often{};      // "every", "monthly"
  PhraseList within{};     // "within 14 days": a day that depends on another
  PhraseList until{};      // "by 3 May": a day that is the last one
  PhraseList own_until{};  // ... in sentences in this language alone
  PhraseList hours{};      // at once behind the number of a time of day
  WordList before_hour{};  // before it

  // How questions ask.
  PhraseList asking_hour{};      // "what time"
  PhraseList asking_deadline{};  // "until when"
  AskingPhrases asking{};
  AskingPhrases own_asking{};  // in questions in this language alone
  WordList how{};              // before a measure: "how high"
  WordList measures{};         // behind it they only ask, and a number answers
  WordList large{};            // those of them that ask how large something is
  WordList areas{};            // ... which is told under these names and in these units
  WordList heat{};             // "degrees", "temperature": ask for it, and an answer need say none of them
  WordList values{};           // "amount", "number": what is told need not be called so
  WordList sums{};             // "rent", "fee": a sum that is asked for by its name
  WordList date_labels{};      // "date", "when": a line under one says when it is of which the document is
  WordList place_labels{};     // ... and where
  WordList codes{};            // "error": before what stands by its code
  WordList lasting{};          // "valid", "lasts": who asks how long or until when need not be told in these
  WordList takes_time{};       // ... who asks how long
  WordList terms{};            // in which that may be told: "term", "duration"

  // What something costs.
  PhraseList free_of_charge{};
  PhraseList percent{};
  WordList rents{};                  // "two months' rent"
  PhraseList rents_behind_number{};  // か月分: at once behind it
  PhraseList currencies{};
  PriceWords price{};
  PriceWords own_price{};  // in questions in this language alone

  RuleWords rules{};
  RuleWords
      own_rules{};      // in questions in this language alone; how a rule says it is read in any, and so are its deeds
  PhraseList causes{};  // "because"
  ContactWords contact{};
  TalkWords talk{};
  WordShapes forms{};
  PhraseList families{};  // groups apart by ", ": forms of one word, or words for one thing, that endings do not join
  PhraseList synonyms{};  // groups apart by ", ": where no document has a word, any of its group stands for it
  PhraseList asking_state{};  // "what is wrong with #": what is asked of stands at the '#'
  PaymentWords payments{};
  PeriodWords periods{};
};

namespace languages {

extern const LanguageFacts kEnglish, kGerman, kFrench, kSpanish, kItalian, kPortuguese, kDutch, kPolish, kTurkish,
    kRussian, kArabic, kChinese, kJapanese, kKorean, kSwedish, kCzech, kUkrainian, kFinnish, kHungarian, kRomanian,
    kDanish, kNorwegian;

}  // namespace languages

// Of those that a text may be in alike, it is taken for the first.
std::span<const LanguageFacts* const> all_languages();

// None of an unknown language: then empty facts.
const LanguageFacts& facts_of(Language language);

// Visits what `separator` parts.
template <typename Visit>
void for_each_part(std::string_view list, std::string_view separator, const Visit& visit) {
  while (!list.empty()) {
    const size_t end = std::min(list.find(separator), list.size());
    visit(list.substr(0, end));
    list.remove_prefix(std::min(end + separator.size(), list.size()));
  }
}

// The phrases of all languages, each once. list_of: of one language's facts.
template <typename ListOf>
std::vector<std::string_view> phrases_of_all(const ListOf& list_of) {
  std::vector<std::string_view> all;
  for (const LanguageFacts* facts : all_languages()) {
    for_each_part(std::invoke(list_of, *facts), ", ", [&](std::string_view phrase) { all.push_back(phrase); });
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// The phrases, or words, of one list, each language's by themselves, folded once.
class PhrasesOfLanguages {
 public:
  template <typename ListOf>
  explicit PhrasesOfLanguages(const ListOf& list_of, std::string_view separator = ", ") {
    for (const LanguageFacts* facts : all_languages()) {
      std::vector<std::string_view> phrases;
      const auto list = std::invoke(list_of, *facts);
      for_each_part(list, separator, [&](std::string_view phrase) { phrases.push_back(phrase); });
      phrases_.emplace(facts->language, FoldedPhrases(phrases));
    }
    phrases_.emplace(Language::kUnknown, FoldedPhrases({}));
  }
  const FoldedPhrases& of(Language language) const { return phrases_.at(language); }

 private:
  std::map<Language, FoldedPhrases> phrases_;
};

// Those of one list, and of one list of all languages, folded.
std::vector<std::string> folded_words(WordList list);
template <typename ListOf>
std::unordered_set<std::string> words_of_all(const ListOf& list_of) {
  std::unordered_set<std::string> words;
  for (const LanguageFacts* facts : all_languages()) {
    for (std::string& word : folded_words(std::invoke(list_of, *facts))) words.insert(std::move(word));
  }
  return words;
}

// The groups of a table, and those of one list of all languages, folded.
std::vector<std::string> groups_of_all(std::span<const std::string_view> table, PhraseList LanguageFacts::* list);

}  // namespace mneme::rag

// How people ask for documents themselves, not for what these tell: "my newest invoice", "the files I changed this
// week", "how many contracts do I have", "which notes mention tides". A table for each language in documents/; which
// is whose stands in its facts.
//
// Words and phrases as in language_facts.h: as people write them, phrases apart by ", ". In scripts written without
// spaces, and in Korean, they may stand anywhere. Threads: immutable data.
#pragma once

#include <string_view>

namespace mneme::rag {

struct KindNames {
  std::string_view one{};   // words for one of them
  std::string_view many{};  // ... and for several
};

// By what people call documents, whatever those are called.
struct DocumentKinds {
  KindNames document{};  // of any kind: "file"
  KindNames text{};      // hardly less: "book"; and what may stand for any of them: "paper", "letter"
  KindNames invoice{}, receipt{}, contract{}, accord{}, lease{}, licence{}, letter{}, mail{}, report{}, article{},
      policy{}, certificate{}, statement{}, minutes{}, manual{}, offer{}, note{}, recipe{}, form{}, presentation{},
      spreadsheet{}, cv{}, chat{}, notice{}, payslip{}, prescription{}, plan{}, newsletter{}, transcript{}, pdf{};
};

// How people ask for what there is to do: "what is left to do in the garden", "my open tasks".
struct TaskWords {
  std::string_view tasks{};     // phrases: "tasks", "to do list"
  std::string_view headings{};  // phrases: what stands under these is to be done, without a box as well
  std::string_view open{};      // around them: "open", "left"
  std::string_view done{};
  std::string_view all{};          // ... both
  std::string_view around{};       // what else stands around them, and says nothing: "still", "on my"
  std::string_view asking_open{};  // phrases that need no word for tasks: "what is left to do"
  std::string_view asking_done{};
};

struct DocumentWords {
  DocumentKinds kinds{};
  std::string_view own_kinds{};  // those words of `kinds` that mean something else in other languages

  // Around the documents that are asked for; nothing is said of them.
  std::string_view lead{};         // "show me the", "which are my"
  std::string_view closing{};      // behind them: "please"; in languages whose verb comes last, it
  std::string_view articles{};     // "the", "my": before a name
  std::string_view joins{};        // between them and what is said of them: "from", "that are"
  std::string_view of{};           // those of `joins` behind which stands whose they are
  std::string_view asking{};       // "when", "who": something else is asked
  std::string_view before_deed{};  // "to": behind "which notes are about" no matter, but "about to expire"
  bool names_first = false;        // whose they are stands before them: "Aquan laskut"

  // In the order of their dates.
  std::string_view newest{};  // phrases, before or behind them
  std::string_view oldest{};
  std::string_view last{};  // right beside a word for documents: "my last letter", not "the last chapter of ..."
  std::string_view told{};  // "total": behind a document it is what is asked for, not a name

  // By what somebody did.
  std::string_view changed{};
  std::string_view taken_in{};
  std::string_view doing{};      // "did I", "have been"
  std::string_view last_done{};  // "recently"
  std::string_view first_done{};

  // All of a kind.
  std::string_view listing{};   // "list", "all": where the question begins, or ends if its verb comes last
  std::string_view how_many{};  // phrases
  std::string_view have{};      // phrases: "do I have", "are there"
  std::string_view held{};      // phrases for all documents that there are, '#' for a word for documents

  // Which speak of something, or are called so.
  std::string_view which{};            // how such questions begin
  std::string_view telling{};          // phrases: "mention", "are about"
  std::string_view where_mentioned{};  // phrases: "where is", before it ...
  std::string_view mentioned{};        // ... and behind it
  std::string_view finding{};          // phrases: "open", "where is"

  // Who wrote to somebody.
  std::string_view writers{};  // phrases, '#' for what about: "who wrote to me about #"

  // What one says as a whole.
  std::string_view gist{};      // phrases, '#' for it: "what is # about", "summarise #"
  std::string_view around{};    // before and behind such a phrase: "can you please", "in three sentences"
  std::string_view this_one{};  // the document at hand: "it", "this"

  // What stands in a numbered place, or on a page.
  std::string_view sections{};      // whose headings mostly bear the number alone
  std::string_view annexes{};       // called by their word
  std::string_view place_asking{};  // phrases: "what is in"
  std::string_view page{};
  std::string_view showing{};  // around a page, besides words of grammar: "show", "says"

  // One of a list, by its place.
  std::string_view ordinals{};  // phrases: "first" and on, words for one place apart by a space
  std::string_view last_one{};
  std::string_view numbered{};  // "number"

  TaskWords tasks{};
};

namespace documents {

extern const DocumentWords kEnglish, kGerman, kFrench, kSpanish, kItalian, kPortuguese, kDutch, kPolish, kTurkish,
    kRussian, kArabic, kChinese, kJapanese, kKorean, kSwedish, kCzech, kUkrainian, kFinnish, kHungarian, kRomanian,
    kDanish, kNorwegian;

}  // namespace documents

// How periods are named: "last week", "since Monday", "2025 roku".
struct PeriodWords {
  std::string_view today{};  // phrases
  std::string_view yesterday{};
  std::string_view current{};  // "this": beside a unit
  std::string_view past{};     // "last"
  std::string_view days{}, weeks{}, months{}, years{};
  // Phrases that are not so made: "i fjor", 去年.
  std::string_view this_week{}, last_week{}, this_month{}, last_month{}, this_year{}, last_year{};
  std::string_view around{};  // "in", "from", "of the": beside a period
  std::string_view since{};
  std::string_view until{};  // before it
  std::string_view after{};
  std::string_view numbers{};   // one to twelve
  std::string_view weekdays{};  // phrases: Monday to Sunday, words for one day apart by a space
};

}  // namespace mneme::rag

// How the papers of a household are written: how letters greet and close, where bills tell what they come to, how notes
// say that something is broken. A table for each language in papers/; which is whose stands in its facts.
//
// Phrases as in language_facts.h: as people write them, apart by ", ". Threads: immutable data.
#pragma once

#include <string_view>

namespace mneme::rag {

struct PaperWords {
  std::string_view salutations{};  // "dear": a line begins with it; in scripts without spaces it may end with it
  std::string_view closings{};     // "yours sincerely"
  std::string_view totals{};       // "amount due": before the sum that a bill comes to
  std::string_view defects{};      // "broken", "leaks", "does not": of a thing that is not as it should be
};

namespace papers {

extern const PaperWords kEnglish, kGerman, kFrench, kSpanish, kItalian, kPortuguese, kDutch, kPolish, kTurkish,
    kRussian, kArabic, kChinese, kJapanese, kKorean, kSwedish, kCzech, kUkrainian, kFinnish, kHungarian, kRomanian,
    kDanish, kNorwegian;

}  // namespace papers

}  // namespace mneme::rag

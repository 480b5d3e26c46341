// Which form of a plural a number takes: "1 документ, 2 документа, 5 документов". [Unicode CLDR, Language Plural Rules;
// GNU gettext manual, "Plural forms"]. Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mneme::ui {

struct PluralRule {
  size_t n_forms = 2;
  size_t (*form)(uint64_t n) = nullptr;  // 0 .. n_forms - 1
  const char* header = "";               // what the Plural-Forms of the PO file says
};

namespace plural {

extern const PluralRule kNone;      // Chinese, Japanese, Korean, and Turkish and Hungarian behind a number
extern const PluralRule kOne;       // one, other
extern const PluralRule kUpToOne;   // none and one, other: French, Portuguese
extern const PluralRule kPolish;    // 1; 2 to 4, 22 to 24, ...; other
extern const PluralRule kCzech;     // 1; 2 to 4; other
extern const PluralRule kRussian;   // 1, 21, 31, ...; 2 to 4, 22 to 24, ...; other: Ukrainian as well
extern const PluralRule kRomanian;  // 1; 0, 2 to 19, 101 to 119, ...; other
extern const PluralRule kArabic;    // 0; 1; 2; 3 to 10, ...; 11 to 99, ...; other

}  // namespace plural

}  // namespace mneme::ui

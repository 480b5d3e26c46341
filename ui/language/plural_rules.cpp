#include "ui/language/plural_rules.h"

namespace mneme::ui::plural {
namespace {

// 2 to 4 at the end, but for 12 to 14.
bool is_few(uint64_t n) {
  return n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14);
}

size_t polish(uint64_t n) {
  if (n == 1) return 0;
  return is_few(n) ? 1 : 2;
}

size_t czech(uint64_t n) {
  if (n == 1) return 0;
  return n >= 2 && n <= 4 ? 1 : 2;
}

size_t russian(uint64_t n) {
  if (n % 10 == 1 && n % 100 != 11) return 0;
  return is_few(n) ? 1 : 2;
}

size_t romanian(uint64_t n) {
  if (n == 1) return 0;
  return n == 0 || (n % 100 > 0 && n % 100 < 20) ? 1 : 2;
}

size_t arabic(uint64_t n) {
  if (n < 3) return static_cast<size_t>(n);
  if (n % 100 >= 3 && n % 100 <= 10) return 3;
  return n % 100 >= 11 ? 4 : 5;
}

}  // namespace

const PluralRule kNone = {1, [](uint64_t) -> size_t { return 0; }, "nplurals=1; plural=0;"};
const PluralRule kOne = {2, [](uint64_t n) -> size_t { return n != 1 ? 1 : 0; }, "nplurals=2; plural=(n != 1);"};
const PluralRule kUpToOne = {2, [](uint64_t n) -> size_t { return n > 1 ? 1 : 0; }, "nplurals=2; plural=(n > 1);"};
const PluralRule kPolish = {3, polish,
                            "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"};
const PluralRule kCzech = {3, czech, "nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;"};
const PluralRule kRussian = {
    3, russian,
    "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"};
const PluralRule kRomanian = {3, romanian,
                              "nplurals=3; plural=(n==1 ? 0 : (n==0 || (n%100 > 0 && n%100 < 20)) ? 1 : 2);"};
const PluralRule kArabic = {
    6, arabic, "nplurals=6; plural=n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5;"};

}  // namespace mneme::ui::plural

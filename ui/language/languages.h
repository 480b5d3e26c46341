// The languages that the window speaks beside English: what is peculiar to each, and which one the system asks for.
// Threads: immutable data and pure functions.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "ui/language/plural_rules.h"

namespace mneme::ui {

struct WindowLanguage {
  std::string_view code;  // as locales are called: "de", "zh_CN"
  const char* name;       // in itself: "Deutsch"
  std::string_view po;    // its PO file
  const PluralRule& plural;
  const char* group;      // between the thousands of a number
  const char* decimal;    // before its fractions
  int least_grouped = 4;  // digits of the shortest number that is grouped
};

// English, where it is chosen though the system asks for another.
inline constexpr const char* kEnglishCode = "en";

// All, English left out, ordered by their names.
std::span<const WindowLanguage> window_languages();

// Null: English, or none that is offered.
const WindowLanguage* find_language(std::string_view code);

// What LC_ALL, LC_MESSAGES, LANG and LANGUAGE ask for, as gettext reads them [GNU gettext manual, "Setting the POSIX
// Locale", "Specifying a Priority List of Languages"]: the code of a language that is offered; empty: English.
// `variable`: the value of one, or null.
std::string language_of_environment(const std::function<const char*(const char* name)>& variable);

}  // namespace mneme::ui

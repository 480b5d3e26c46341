// Periods as people name them: "2023", "May 2026", "last week", "since Monday", "die letzten drei Tage", "l'année
// dernière", in the languages of rag/text/languages. Threads: pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string_view>

#include "rag/text/languages/language.h"
#include "rag/text/words/placed_words.h"

namespace mneme::rag {

struct NamedPeriod {
  std::optional<std::chrono::sys_days> since;   // this day or later
  std::optional<std::chrono::sys_days> before;  // earlier than this day
  bool holds(std::chrono::sys_days day) const { return (!since || day >= *since) && (!before || day < *before); }
};

// The period that these words name, all of them; nothing where they name none. A month without its year is the last
// one of that name that has begun, a weekday the last one, today included.
std::optional<NamedPeriod> named_period(std::span<const PlacedWord> words, std::chrono::sys_days today,
                                        Language language);

// "Two", "drei": 1 to 12 by its name in the language, folded; 0: the word is none.
int number_called(std::string_view folded, Language language);

}  // namespace mneme::rag

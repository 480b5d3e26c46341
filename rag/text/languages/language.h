// Which language a text is in. Threads: pure functions.
#pragma once

#include <cstdint>
#include <string_view>

namespace mneme::rag {

// What is known of each: language_facts.h.
enum class Language : uint8_t {
  kUnknown,
  kEnglish,
  kGerman,
  kFrench,
  kSpanish,
  kItalian,
  kPortuguese,
  kDutch,
  kPolish,
  kTurkish,
  kRussian,
  kArabic,
  kChinese,
  kJapanese,
  kKorean,
  kSwedish,
  kCzech,
  kUkrainian,
  kFinnish,
  kHungarian,
  kRomanian,
  kDanish,
  kNorwegian,
};

// By its script, and in Latin letters by its words of grammar: each speaks for the languages that have it, the more the
// fewer these are; Cyrillic is Ukrainian by its letters or words, else Russian. kUnknown where nothing tells ("leasing
// rate"), and in languages that are none of these. Made for questions and single sentences.
Language language_of(std::string_view text);

// French, Spanish, Italian or Portuguese.
bool is_romance(Language language);

}  // namespace mneme::rag

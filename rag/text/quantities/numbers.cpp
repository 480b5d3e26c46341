#include "rag/text/quantities/numbers.h"

#include <algorithm>
#include <iterator>

#include "base/ascii.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr std::string_view kNumberWords[] = {
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "dozen",
    "hundred", "thousand", "million", "billion", "once", "twice", "half",
    // German
    "eins", "zwei", "drei", "vier", "funf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwolf", "zwanzig",
    "dreissig", "hundert", "tausend", "einmal", "zweimal", "dreimal", "halbe", "halben",
    // French
    "deux", "trois", "quatre", "cinq", "huit", "neuf", "dix", "onze", "douze", "quinze", "vingt", "trente", "cent",
    "mille",
    // Spanish
    "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "doce", "quince", "veinte", "treinta",
    "cien",
    // Italian and Portuguese
    "quattro", "cinque", "sette", "nove", "dieci", "dodici", "quindici", "venti", "trenta", "quatro", "sete", "oito",
    "dez", "doze", "vinte", "trinta",
    // Russian
    "один", "одна", "одну", "одного", "два", "две", "двух", "три", "трех", "четыре", "пять", "шесть", "семь", "восемь",
    "девять", "десять", "двадцать", "тридцать", "сто", "тысяча", "раз", "полгода",
    // Arabic, folded; two of something has an ending of its own
    "واحد", "واحده", "اثنان", "اثنين", "ثلاثه", "ثلاث", "ثلاثون", "ثلاثين", "اربعه", "اربع", "اربعون", "اربعين", "خمسه",
    "خمس", "خمسون", "سته", "ست", "ستون", "سبعه", "سبع", "ثمانيه", "ثماني", "تسعه", "تسع", "تسعون", "تسعين", "عشره",
    "عشر", "عشرون", "عشرين", "مئه", "الف", "نصف", "يومان", "يومين", "شهران", "شهرين", "سنتان", "سنتين", "اسبوعان",
    "اسبوعين", "مرتين", "ساعتان", "ساعتين",
    // Dutch, Polish, Turkish
    "twee", "drie", "vijf", "zes", "zeven", "acht", "negen", "tien", "dwa", "dwie", "trzy", "cztery", "piec", "szesc",
    "dziesiec", "iki", "alti", "yedi", "sekiz",
    // Chinese and Japanese
    "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "百", "千", "万", "两", "半"};

bool is_wide(std::string_view text) {
  return static_cast<unsigned char>(text.front()) >= 0xE0;
}

}  // namespace

bool has_digits(std::string_view text) {
  if (text.find_first_of("0123456789") != std::string_view::npos) return true;
  constexpr std::string_view kWide = "\xef\xbc";  // of the wide digits U+FF10 to U+FF19
  for (size_t at = text.find(kWide); at != std::string_view::npos; at = text.find(kWide, at + 1)) {
    if (at + 2 < text.size() && text[at + 2] >= '\x90' && text[at + 2] <= '\x99') return true;
  }
  return false;
}

bool is_number(std::string_view folded) {
  return (!folded.empty() && is_digit(folded.front())) || one_of(folded, kNumberWords);
}

bool has_number(std::string_view sentence) {
  const bool spelled = std::any_of(std::begin(kNumberWords), std::end(kNumberWords), [&](std::string_view number) {
    return is_wide(number) && sentence.find(number) != std::string_view::npos;
  });
  if (spelled) return true;
  WordScanner scanner(sentence);
  for (Word word; scanner.next(word);) {
    if (is_number(word.text)) return true;
  }
  return false;
}

bool ends_with_wide_number(std::string_view text) {
  return std::any_of(std::begin(kNumberWords), std::end(kNumberWords),
                     [&](std::string_view number) { return is_wide(number) && text.ends_with(number); });
}

}  // namespace mneme::rag

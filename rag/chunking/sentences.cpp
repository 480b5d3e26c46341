#include <unicode/uchar.h>

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/utf8.h"
#include "rag/chunking/text_units.h"

namespace mneme::chunking {
namespace {

// In any script that knows small letters.
bool begins_small(std::string_view text, size_t at) {
  return u_islower(static_cast<UChar32>(utf8::next(text, at))) != 0;
}

// Bytes of a sentence-ending character outside ASCII at `i`; 0: none.
size_t wide_stop(std::string_view text, size_t i) {
  static constexpr std::array<std::string_view, 9> kStops = {
      "\xe3\x80\x82",  // 。
      "\xef\xbc\x81",  // ！
      "\xef\xbc\x9f",  // ？
      "\xef\xbd\xa1",  // ｡
      "\xe0\xa5\xa4",  // danda
      "\xd8\x9f",      // Arabic question mark
      "\xdb\x94",      // Urdu full stop
      "\xe1\x8d\xa2",  // Ethiopic full stop
      "\xe2\x80\xbc",  // double exclamation mark
  };
  for (const std::string_view stop : kStops) {
    if (text.substr(i, stop.size()) == stop) return stop.size();
  }
  return 0;
}

// Bytes of a closing quotation mark or bracket at `i`; 0: none.
size_t closing_mark(std::string_view text, size_t i) {
  if (i >= text.size()) return 0;
  const char c = text[i];
  if (c == '"' || c == '\'' || c == ')' || c == ']' || c == '*' || c == '_') return 1;
  for (const std::string_view mark :
       {"\xe2\x80\x9d", "\xe2\x80\x99", "\xc2\xbb", "\xe3\x80\x8d", "\xe3\x80\x8f", "\xef\xbc\x89", "\xe3\x80\x91"}) {
    if (text.substr(i, mark.size()) == mark) return mark.size();
  }
  return 0;
}

// "вул. Шевченка", "кв. 15", "ул. Ленина": of letters of two bytes.
bool abbreviates_in_cyrillic(std::string_view text, size_t dot) {
  const size_t begin = text.find_last_of(" \n,(", dot - 1) + 1;  // npos + 1 is 0
  const std::string_view word = text.substr(begin, dot - begin);
  for (const std::string_view known : {"вул", "кв", "буд", "просп", "бул", "пров", "ул", "пер", "стр", "рис", "тел"}) {
    if (word == known) return true;
  }
  return false;
}

// True when the full stop at `dot` ends an abbreviation or an initial rather than a sentence.
bool abbreviates(std::string_view text, size_t dot) {
  // "А. П. Кузнецов": a letter of two bytes behind a space is an initial, too.
  const auto lead = dot >= 2 ? static_cast<unsigned char>(text[dot - 2]) : 0;
  if (lead >= 0xC3 && lead <= 0xD1 && (dot == 2 || is_space(text[dot - 3]))) return true;
  if (lead >= 0xD0 && lead <= 0xD1 && abbreviates_in_cyrillic(text, dot)) return true;
  size_t begin = dot;
  while (begin > 0 && ((text[begin - 1] | 0x20) >= 'a' && (text[begin - 1] | 0x20) <= 'z')) --begin;
  const std::string_view word = text.substr(begin, dot - begin);
  if (word.size() == 1 && word != "I") return true;
  for (const std::string_view known :
       {"Mr", "Mrs", "Ms",   "Dr",  "med",  "Prof", "St",  "vs",   "Fig",    "fig", "No",  "Vol", "Eq",  "Sec",
        "Jr", "Sr",  "al",   "cf",  "ca",   "bzw",  "Nr",  "Abs",  "approx", "Inc", "Ltd", "Str", "Tel", "str",
        "ul", "Mme", "Mlle", "Sra", "Srta", "Dra",  "Sig", "Dott", "Art",    "art", "av",  "Av"}) {
    if (word == known) return true;
  }
  return false;
}

// "cellar no. 4", "geb. 12.08.1984", "Art. 5": short for a word that a number follows, and no end of a sentence there.
bool abbreviates_before_number(std::string_view text, size_t dot, size_t next) {
  if (!is_digit(text[next])) return false;
  size_t begin = dot;
  while (begin > 0 && ((text[begin - 1] | 0x20) >= 'a' && (text[begin - 1] | 0x20) <= 'z')) --begin;
  const std::string_view word = text.substr(begin, dot - begin);
  for (const std::string_view known :
       {"no",     "nos", "nr",  "geb", "gest", "p",    "pp",  "vol", "ch",    "sec", "tel", "ext",
        "approx", "Ext", "Geb", "Kap", "Bd",   "Ziff", "num", "pag", "telef", "kl",  "tlf"}) {
    if (word == known) return true;
  }
  return false;
}

// "am 1. Juli 2023": the full stop at `dot` makes the number before it the day of the month at `next`.
bool is_day_of_month(std::string_view text, size_t dot, size_t next) {
  size_t begin = dot;
  while (begin > 0 && is_digit(text[begin - 1])) --begin;
  if (begin == dot || dot - begin > 2) return false;
  constexpr std::string_view kMonths[] = {"Januar", "Jänner", "Februar",   "März",    "April",    "Mai",     "Juni",
                                          "Juli",   "August", "September", "Oktober", "November", "Dezember"};
  return std::any_of(std::begin(kMonths), std::end(kMonths),
                     [&](std::string_view month) { return text.substr(next).starts_with(month); });
}

}  // namespace

std::vector<size_t> sentence_ends(std::string_view text) {
  std::vector<size_t> ends;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    const bool narrow = c == '.' || c == '!' || c == '?';
    const size_t wide = (c & 0x80) != 0 ? wide_stop(text, i) : 0;
    if (!narrow && wide == 0) {
      ++i;
      continue;
    }
    size_t end = i + (narrow ? 1 : wide);
    while (end < text.size() && (text[end] == '.' || text[end] == '!' || text[end] == '?')) ++end;
    while (const size_t close = closing_mark(text, end)) end += close;
    const size_t stop = i;
    i = end;
    if (end >= text.size()) break;
    if (narrow) {
      if (!is_space(text[end])) continue;
      size_t next = end;
      while (next < text.size() && is_space(text[next])) ++next;
      if (next == text.size() || begins_small(text, next)) continue;
      const bool goes_on =
          abbreviates(text, stop) || abbreviates_before_number(text, stop, next) || is_day_of_month(text, stop, next);
      if (c == '.' && goes_on) continue;
    }
    ends.push_back(end);
  }
  ends.push_back(text.size());
  return ends;
}

}  // namespace mneme::chunking

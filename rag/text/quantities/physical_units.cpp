#include "rag/text/quantities/physical_units.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/ascii.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/quantities/dates.h"
#include "rag/text/quantities/numbers.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr double kOnlyNamed = 0.5;  // a number beside the quantity's name
constexpr size_t kLeastYear = 1500;
constexpr size_t kMostYear = 2200;

struct Physical {
  std::string_view code;
  std::vector<std::string_view> adjectives;  // "how heavy"
  std::vector<std::string_view> names;       // ask by themselves
  std::vector<std::string_view> units;       // words behind a number
  std::vector<std::string_view> signs;       // ... or signs anywhere
};

const std::vector<Physical>& physicals() {
  static const std::vector<Physical> kAll = {
      {kMass,
       {"heavy", "schwer"},
       {"weight", "weigh", "weighs", "weighed", "mass", "gewicht", "wiegt", "wiegen"},
       {"kg",        "g",     "mg",        "t",     "gram",   "grams",  "kilo",  "kilos", "kilogram",
        "kilograms", "gramm", "kilogramm", "pound", "pounds", "lb",     "lbs",   "ounce", "ounces",
        "oz",        "stone", "ton",       "tons",  "tonne",  "tonnes", "tonnen"},
       {}},
      {kHeat,
       {"hot", "warm", "heiss"},
       {"temperature", "temperatur"},
       {"degree", "degrees", "grad", "celsius", "fahrenheit", "c", "f"},
       {"°"}},
      {kSpeed,
       {"fast", "schnell"},
       {"speed", "geschwindigkeit"},
       {"kmh", "mph", "rpm", "knots", "knot", "bps", "kbps", "mbps", "gbps", "knoten", "kbit", "mbit", "gbit", "times"},
       {"/s", "/h", "/min", " per second", " per hour", " per minute", " an hour", " a second", " a minute",
        " pro Sekunde", " pro Stunde", " pro Minute"}},
      {kLoudness, {"loud", "laut"}, {"loudness", "lautstarke"}, {"db", "dba", "decibel", "decibels", "dezibel"}, {}},
      {kTorque, {"tight"}, {"torque", "drehmoment", "anzugsmoment", "anziehmoment"}, {"nm", "ncm"}, {}},
      {kExtent,
       {"tall", "wide", "thick", "deep", "breit", "dick", "tief"},
       {"width", "thickness", "depth", "breite"},
       {"m",      "cm",        "mm",          "km",     "nm",     "ft",         "foot",       "feet",
        "inch",   "inches",    "yards",       "miles",  "mile",   "metre",      "metres",     "meter",
        "meters", "kilometer", "centimetres", "zoll",   "bit",    "bits",       "pixel",      "pixels",
        "px",     "columns",   "characters",  "levels", "layers", "zentimeter", "millimeter", "spalten"},
       {"′", "″"}},
      {kSize,
       {"large", "big", "gross"},
       {"size", "grosse"},
       {"byte",  "bytes",  "b",          "kb",       "kib",          "mb",        "mib",       "gb",       "gib",
        "tb",    "tib",    "octet",      "octets",   "bit",          "bits",      "pixel",     "pixels",   "px",
        "m2",    "qm",     "sq",         "square",   "acre",         "acres",     "hectare",   "hectares", "ha",
        "km2",   "m",      "cm",         "mm",       "inch",         "inches",    "ft",        "feet",     "tokens",
        "lines", "pages",  "characters", "entries",  "litre",        "litres",    "liter",     "l",        "ml",
        "rooms", "zimmer", "people",     "personen", "quadratmeter", "kilobytes", "megabytes", "gigabytes"},
       {}}};
  return kAll;
}

const Physical* physical_of(std::string_view code) {
  const auto it =
      std::find_if(physicals().begin(), physicals().end(), [&](const Physical& p) { return p.code == code; });
  return it == physicals().end() ? nullptr : &*it;
}

bool is_area(std::string_view folded) {
  static const std::unordered_set<std::string> kAreas = words_of_all(&LanguageFacts::areas);
  return kAreas.contains(std::string(folded));
}

// "23kg" tells its unit in the word itself.
std::string_view glued_unit(std::string_view folded) {
  return folded.substr(std::min(folded.find_first_not_of("0123456789"), folded.size()));
}

bool is_year(std::string_view folded) {
  if (folded.size() != 4 || !std::all_of(folded.begin(), folded.end(), is_digit)) return false;
  const size_t year = std::stoul(std::string(folded));
  return year >= kLeastYear && year <= kMostYear;
}

// A number that tells how large something may be, whatever its unit: not when, not how long it takes.
bool has_number_but_of_time(std::string_view sentence) {
  constexpr std::string_view kTimes[] = {"ms", "us", "ns", "s", "h", "min"};
  const std::vector<std::string> words = words_of(sentence);
  for (size_t i = 0; i < words.size(); ++i) {
    if (!is_number(words[i]) || is_year(words[i])) continue;
    const std::string behind = i + 1 < words.size() ? words[i + 1] : std::string();
    const std::string unit = " " + (glued_unit(words[i]).empty() ? behind : std::string(glued_unit(words[i]))) + " ";
    if (!has_time_unit(unit) && !says_any(unit, kTimes) && !is_time_word(behind)) return true;
  }
  return false;
}

}  // namespace

std::string_view asked_physical(std::string_view question) {
  static const PhrasesOfLanguages kHow(&LanguageFacts::how, " ");
  static const PhrasesOfLanguages kLarge(&LanguageFacts::large, " ");
  static const PhrasesOfLanguages kHeatWords(&LanguageFacts::heat, " ");
  const Language language = language_of(question);
  const std::vector<std::string> words = words_of(question);
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0 && kHow.of(language).holds(words[i - 1]) && kLarge.of(language).holds(words[i])) return kSize;
    if (kHeatWords.of(language).holds(words[i])) return kHeat;
    const bool how = i > 0 && (words[i - 1] == "how" || words[i - 1] == "wie");
    if (words[i] == "mass" && language_of(question) == Language::kGerman) continue;  // "Maß"
    for (const Physical& physical : physicals()) {
      if (one_of(words[i], physical.names) || (how && one_of(words[i], physical.adjectives))) return physical.code;
    }
  }
  return {};
}

bool is_physical_name(std::string_view folded) {
  return std::any_of(physicals().begin(), physicals().end(),
                     [&](const Physical& physical) { return one_of(folded, physical.names); });
}

bool is_physical(std::string_view unit) {
  return physical_of(unit) != nullptr;
}

double physical_cue(std::string_view sentence, std::string_view unit) {
  const Physical& physical = *physical_of(unit);
  const auto holds = [&](std::string_view sign) { return sentence.find(sign) != std::string_view::npos; };
  if (has_number(sentence) && std::any_of(physical.signs.begin(), physical.signs.end(), holds)) return 1.0;
  bool behind_number = false;
  bool named = false;
  WordScanner scanner(sentence);
  for (Word word; scanner.next(word);) {
    const std::string_view glued = glued_unit(word.text);
    const bool of_number = behind_number || glued.size() < word.text.size();
    if (of_number && !glued.empty() && one_of(glued, physical.units)) return 1.0;
    if (unit == kSize && of_number && is_area(glued)) return 1.0;
    if (unit == kHeat && of_number && !glued.empty() && is_quantity_word(kHeat, glued)) return 1.0;
    named |= one_of(word.text, physical.names) || (unit != kSize && one_of(word.text, physical.adjectives));
    behind_number = is_number(word.text);
  }
  // "How fast must it be returned?": within 30 days.
  const bool soon = unit == kSpeed && sets_deadline(sentence, " " + folded_text(sentence) + " ");
  const bool tells = named || soon || (unit == kSize && has_number_but_of_time(sentence));
  return tells ? kOnlyNamed : 0.0;
}

bool is_quantity_word(std::string_view unit, std::string_view folded) {
  if (unit != kHeat) return false;
  const Physical& heat = *physical_of(kHeat);
  static const std::unordered_set<std::string> kOfLanguages = words_of_all(&LanguageFacts::heat);
  return kOfLanguages.contains(std::string(folded)) || one_of(folded, heat.names) || one_of(folded, heat.adjectives);
}

}  // namespace mneme::rag

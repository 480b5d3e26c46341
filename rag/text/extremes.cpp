#include "rag/text/extremes.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/ascii.h"
#include "rag/text/phrases.h"
#include "rag/text/told_price.h"
#include "rag/text/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kBesideSum = 8;  // bytes, before or behind a number, that may say which money it is
constexpr size_t kCents = 2;

// "18,400" of "18,400 €": as much as digits and what parts them reach.
std::string_view number_at(std::string_view text, size_t begin) {
  size_t end = begin;
  while (end < text.size() && (is_digit(text[end]) || text[end] == ',' || text[end] == '.' || text[end] == '\'')) ++end;
  while (!is_digit(text[end - 1])) --end;
  return text.substr(begin, end - begin);
}

bool has_cents(std::string_view number) {
  const size_t sign = number.find_last_of(",.");
  return sign != std::string_view::npos && number.size() - sign - 1 == kCents;
}

// Every sign but that before cents parts thousands.
double value_of(std::string_view number) {
  double value = 0.0;
  for (const char c : number) value = is_digit(c) ? value * 10.0 + (c - '0') : value;
  return has_cents(number) ? value / 100.0 : value;
}

}  // namespace

bool is_superlative(std::string_view folded) {
  constexpr std::string_view kWords[] = {"cheapest", "dearest",     "largest",    "biggest",    "smallest", "longest",
                                         "shortest", "fastest",     "slowest",    "highest",    "lowest",   "heaviest",
                                         "lightest", "newest",      "oldest",     "best",       "worst",    "quietest",
                                         "loudest",  "nearest",     "gunstigste", "billigste",  "teuerste", "grosste",
                                         "kleinste", "langste",     "kurzeste",   "schnellste", "beste",    "alteste",
                                         "neueste",  "gunstigsten", "billigsten", "teuersten"};
  return one_of(folded, kWords);
}

PriceWanted price_wanted(std::string_view question) {
  constexpr std::string_view kLowest[] = {"cheapest",    "least expensive", "lowest price", "gunstigste", "gunstigsten",
                                          "gunstigster", "billigste",       "billigsten",   "moins cher", "moins chere",
                                          "mas barato",  "mas barata",      "meno caro",    "meno cara"};
  constexpr std::string_view kHighest[] = {"most expensive", "dearest",   "highest price", "teuerste",
                                           "teuersten",      "teuerster", "plus cher",     "plus chere",
                                           "mas caro",       "mas cara",  "piu caro",      "piu cara"};
  const std::string folded = " " + folded_text(question) + " ";
  if (says_any(folded, kLowest)) return PriceWanted::kLowest;
  return says_any(folded, kHighest) ? PriceWanted::kHighest : PriceWanted::kAny;
}

std::optional<double> sum_in(std::string_view text) {
  constexpr std::string_view kBorders = "0123456789;";  // "9 kW; 18,400": what stands behind one is of another number
  for (size_t at = text.find_first_of("0123456789"); at != std::string_view::npos;) {
    const std::string_view number = number_at(text, at);
    const size_t end = at + number.size();
    std::string_view before = text.substr(at - std::min(at, kBesideSum), std::min(at, kBesideSum));
    before = before.substr(before.find_last_of(kBorders) + 1);  // all of it where there is none
    std::string_view behind = text.substr(end, kBesideSum);
    behind = behind.substr(0, behind.find_first_of(kBorders));
    if (says_money(behind) || says_money(before) || has_cents(number)) return value_of(number);
    at = text.find_first_of("0123456789", end);
  }
  return std::nullopt;
}

}  // namespace mneme::rag

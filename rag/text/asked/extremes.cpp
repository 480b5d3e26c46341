#include "rag/text/asked/extremes.h"

#include <string>

#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

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

}  // namespace mneme::rag

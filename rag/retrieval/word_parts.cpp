#include "rag/retrieval/word_parts.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "rag/retrieval/commonest_spelling.h"
#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/lexical_terms.h"

namespace mneme::rag {

namespace {

constexpr size_t kLeastCompound = 9;  // letters
constexpr size_t kLeastPart = 4;
constexpr size_t kMostTried = 3;  // places to part it at

// "wolle" for "woll", "rechnung" for "rechnungs": what is left away and put between when two words are joined.
std::vector<std::string> first_words(std::string_view part) {
  std::vector<std::string> words{std::string(part) + "e", std::string(part), std::string(part) + "en"};
  for (const std::string_view link : {"s", "n", "en", "es", "er"}) {
    if (part.ends_with(link) && part.size() >= kLeastPart + link.size())
      words.emplace_back(part.substr(0, part.size() - link.size()));
  }
  return words;
}

std::vector<std::string> second_words(std::string_view part) {
  return {std::string(part), std::string(part) + "n", std::string(part) + "en"};
}

struct Parting {
  std::vector<std::string> first;
  std::vector<std::string> second;
  int64_t held = 0;  // by so many passages the rarer of both words
};

Result<int64_t> most_passages(storage::Catalogue& catalogue, const std::vector<std::string>& words) {
  std::vector<std::string> terms;
  for (const std::string& word : words) terms.push_back(storage::term_of_word(word));
  MNEME_ASSIGN_OR_RETURN(const std::vector<int64_t> counts, catalogue.term_document_counts(terms));
  return *std::max_element(counts.begin(), counts.end());
}

// Those of which passages have both words, the commonest first.
Result<std::vector<Parting>> partings_of(storage::Catalogue& catalogue, std::string_view folded) {
  std::vector<Parting> partings;
  for (size_t at = kLeastPart; at + kLeastPart <= folded.size(); ++at) {
    Parting parting{first_words(folded.substr(0, at)), second_words(folded.substr(at))};
    MNEME_ASSIGN_OR_RETURN(const int64_t second, most_passages(catalogue, parting.second));
    if (second == 0) continue;
    MNEME_ASSIGN_OR_RETURN(const int64_t first, most_passages(catalogue, parting.first));
    parting.held = std::min(first, second);
    if (parting.held > 0) partings.push_back(std::move(parting));
  }
  std::stable_sort(partings.begin(), partings.end(),
                   [](const Parting& a, const Parting& b) { return a.held > b.held; });
  return partings;
}

}  // namespace

Result<std::string> parts_of_compound(storage::Catalogue& catalogue, std::string_view folded) {
  const bool letters = std::all_of(folded.begin(), folded.end(), [](char c) { return is_letter(c); });
  if (folded.size() < kLeastCompound || !letters) return std::string();
  MNEME_ASSIGN_OR_RETURN(const std::vector<Parting> partings, partings_of(catalogue, folded));
  for (size_t i = 0; i < std::min(partings.size(), kMostTried); ++i) {
    MNEME_ASSIGN_OR_RETURN(const std::string first, commonest_spelling(catalogue, partings[i].first));
    MNEME_ASSIGN_OR_RETURN(const std::string second, commonest_spelling(catalogue, partings[i].second));
    if (!first.empty() && !second.empty()) return first + " " + second;
  }
  return std::string();
}

}  // namespace mneme::rag

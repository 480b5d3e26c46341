#include "rag/retrieval/excerpt_place.h"

#include <algorithm>
#include <vector>

#include "rag/quoting/outline/sentences.h"
#include "storage/catalogue/lexical_terms.h"

namespace mneme::rag {

namespace {

constexpr size_t kExcerptBytes = 240;  // three lines of a terminal, four of a card

struct Occurrence {
  size_t byte = 0;
  size_t term = 0;
};

std::vector<Occurrence> occurrences_of(std::string_view passage, std::span<const std::string> terms) {
  std::vector<Occurrence> found;
  storage::for_each_term(passage, storage::TermPurpose::kDocument, [&](const storage::LexicalTerm& term) {
    const auto asked = std::find(terms.begin(), terms.end(), term.term);
    if (asked != terms.end()) found.push_back({term.byte_begin, static_cast<size_t>(asked - terms.begin())});
    return true;
  });
  return found;
}

// What an excerpt that begins there holds. found: in the order of their places.
double held_from(size_t begin, std::span<const Occurrence> found, std::span<const double> weights) {
  std::vector<bool> held(weights.size());
  double sum = 0.0;
  auto at = std::lower_bound(found.begin(), found.end(), begin,
                             [](const Occurrence& one, size_t byte) { return one.byte < byte; });
  for (; at != found.end() && at->byte < begin + kExcerptBytes; ++at) {
    if (!held[at->term]) sum += weights[at->term];
    held[at->term] = true;
  }
  return sum;
}

}  // namespace

size_t excerpt_place(std::string_view passage, TextForm form, std::span<const std::string> terms,
                     const std::function<double(std::string_view)>& weight) {
  const std::vector<Occurrence> found = occurrences_of(passage, terms);
  if (found.empty() || found.back().byte < kExcerptBytes) return 0;
  std::vector<double> weights;
  for (const std::string& term : terms) weights.push_back(weight(term));
  size_t place = 0;
  double most = held_from(0, found, weights);
  bool goes_on = false;  // the sentence before is the best so far
  for (const Sentence& sentence : split_sentences(passage, form)) {
    const double held = held_from(sentence.byte_begin, found, weights);
    // What stands before the first word that counts is left out.
    const bool better = held > most || (held == most && goes_on);
    if (better) place = sentence.byte_begin;
    goes_on = better;
    most = std::max(most, held);
  }
  return place;
}

}  // namespace mneme::rag

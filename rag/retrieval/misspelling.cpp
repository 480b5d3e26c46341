#include "rag/retrieval/misspelling.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "rag/embedding/embedder.h"
#include "rag/retrieval/commonest_spelling.h"
#include "storage/catalogue/lexical_terms.h"

namespace mneme::rag {

namespace {

constexpr size_t kLeastLetters = 5;  // of shorter ones too many words are one slip away
constexpr size_t kMostLetters = 24;

// Two letters that changed places.
void add_swaps(std::string_view word, std::vector<std::string>& spellings) {
  for (size_t i = 0; i + 1 < word.size(); ++i) {
    if (word[i] == word[i + 1]) continue;
    std::string& spelling = spellings.emplace_back(word);
    std::swap(spelling[i], spelling[i + 1]);
  }
}

// Whether one letter is written for the other: its neighbour on the keyboard, another vowel, or one that sounds alike.
// Other pairs make other words: "Aufzug" is no slip of "Auszug".
bool may_be_slip(char a, char b) {
  constexpr std::string_view kRows[] = {"qwertyuiop", "asdfghjkl", "zxcvbnm"};
  constexpr std::string_view kAlike[] = {"aeiouy", "ck", "cs", "cz", "sz", "xs", "gj", "ij", "bp", "dt", "vw",
                                         "fv",     "mn", "qk", "gk", "uv", "yz", "bv", "lr", "tz", "hj"};
  const auto has_both = [&](std::string_view letters) {
    return letters.find(a) != std::string_view::npos && letters.find(b) != std::string_view::npos;
  };
  if (std::any_of(std::begin(kAlike), std::end(kAlike), has_both)) return true;
  // A row stands half a key to the right of the one above: a key touches the one of its number there, and the next.
  for (size_t row = 0; row < std::size(kRows); ++row) {
    const size_t at = kRows[row].find(a);
    if (at == std::string_view::npos) continue;
    const auto is_at = [&](size_t other_row, size_t place) {
      return other_row < std::size(kRows) && place < kRows[other_row].size() && kRows[other_row][place] == b;
    };
    return is_at(row, at + 1) || is_at(row, at - 1) || is_at(row - 1, at) || is_at(row - 1, at + 1) ||
           is_at(row + 1, at) || is_at(row + 1, at - 1);
  }
  return false;
}

// One letter less, one more, another one.
void add_slips(std::string_view word, std::vector<std::string>& spellings) {
  for (size_t i = 0; i < word.size(); ++i) spellings.emplace_back(word).erase(i, 1);
  for (char letter = 'a'; letter <= 'z'; ++letter) {
    for (size_t i = 0; i <= word.size(); ++i) spellings.emplace_back(word).insert(i, 1, letter);
    for (size_t i = 0; i < word.size(); ++i) {
      if (word[i] != letter && may_be_slip(word[i], letter)) spellings.emplace_back(word)[i] = letter;
    }
  }
}

}  // namespace

Result<std::string> as_documents_spell(storage::Catalogue& catalogue, const Embedder& embedder,
                                       std::string_view folded) {
  if (folded.size() < kLeastLetters || folded.size() > kMostLetters) return std::string();
  if (!std::all_of(folded.begin(), folded.end(), [](char c) { return is_letter(c); })) return std::string();
  std::vector<std::string> spellings;
  add_swaps(folded, spellings);
  add_slips(folded, spellings);
  const std::vector<std::string> all = spellings;
  const auto unknown = std::stable_partition(spellings.begin(), spellings.end(),
                                             [&](const std::string& word) { return embedder.knows_word(word); });
  const std::vector<std::string> known(std::make_move_iterator(spellings.begin()), std::make_move_iterator(unknown));
  spellings.erase(spellings.begin(), unknown);
  MNEME_ASSIGN_OR_RETURN(std::string spelled, commonest_spelling(catalogue, known));
  if (spelled.empty()) return commonest_spelling(catalogue, spellings);
  // Its plural may be the nearer slip: "pupils", not "pupil", where two letters of "pupisl" changed places.
  const std::string term = storage::term_of_word(spelled);
  const auto same = [&](const std::string& spelling) { return storage::term_of_word(spelling) == term; };
  return *std::find_if(all.begin(), all.end(), same);
}

}  // namespace mneme::rag

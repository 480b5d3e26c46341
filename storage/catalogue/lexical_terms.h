// Text into search terms, the same for chunks and questions, in any script: words case-folded, without diacritics,
// lightly stemmed; scripts written without spaces (Chinese, Japanese, Thai, ...) as single characters and overlapping
// pairs; identifiers, and words with a marked letter ("Lis[t]"), whole and in parts; numbers without leading zeros;
// signs that stand alone, and boxes before tasks (lexical_signs.h). Threads: pure functions.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::storage {

// One term and the bytes it came from. `colocated`: stands at the same place as the term before it (a part or a
// variant), so that phrases still match.
struct LexicalTerm {
  std::string_view term;  // valid during the call
  size_t byte_begin = 0;
  size_t byte_end = 0;
  bool colocated = false;
};

enum class TermPurpose { kDocument, kQuery };

// Calls `visit` per term in order, until it returns false. Any bytes are accepted; malformed UTF-8 separates words.
void for_each_term(std::string_view text, TermPurpose purpose, const std::function<bool(const LexicalTerm&)>& visit);

// The terms as strings, in order, with repeats.
std::vector<std::string> lexical_terms(std::string_view text, TermPurpose purpose = TermPurpose::kQuery);

// One word as a term: the first of lexical_terms(); "" for what is none.
std::string term_of_word(std::string_view word);

}  // namespace mneme::storage

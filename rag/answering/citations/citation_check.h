// Which passages an answer names, and whether they bear its sentences out.
//
// A sentence is held against a passage by its words that matter: stems, weighted by how few of the passages hold them,
// numbers most of all, words of the question hardly. A citation stands when most of that weight occurs in the passage
// and no other passage holds clearly more, holds the words together where this one has them strewn about, or, for an
// answer of few words, holds them all beside much more of the question. `mneme eval SET --citations` measures it with
// planted wrong numbers. Threads: pure functions.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "rag/answering/exchange/answer.h"

namespace mneme::rag {

struct CitationCheck {
  struct Named {
    int n = 0;               // as written; may name no passage
    bool supported = false;  // by at least one sentence that names it
    bool refuted = false;    // some sentence that names it is not borne out by it
  };
  std::vector<Named> named;  // by n
  std::vector<UnsupportedSpan> unsupported;
};

// `passages[n - 1]` is what [n] names. `says_no`: the answer says that the documents do not hold it; nothing is marked.
CitationCheck check_citations(std::string_view answer, std::string_view question,
                              std::span<const std::string_view> passages, bool says_no);

// The numbers in [1], [1, 2], [1][2], [1-3] from `at` on, moving `at` behind the bracket; empty when none stands there.
std::vector<int> parse_citation(std::string_view text, size_t& at);

}  // namespace mneme::rag

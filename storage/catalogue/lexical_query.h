// What a person typed, as terms and phrases to look for. Any text gives a valid query. Threads: values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::storage {

struct QueryTerm {
  std::string term;
  double weight = 1;    // how often and how surely it was asked for
  bool prefix = false;  // a single character of an unspaced script: everything that begins with it
  bool stop = false;    // carries no meaning of its own
};

struct LexicalQuery {
  std::vector<QueryTerm> terms;                   // distinct; any may match
  std::vector<std::vector<std::string>> phrases;  // "in quotes": each must match, its terms side by side
};

LexicalQuery parse_lexical_query(std::string_view text);

// One FTS5 string of terms as they are: quoted, safe for any term.
std::string fts_string(const std::vector<std::string>& terms);

}  // namespace mneme::storage

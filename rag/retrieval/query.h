// The query language: words, "quoted phrases" that must occur, and filters `path:PART`, `type:EXTENSION`,
// `after:YYYY-MM-DD`, `before:YYYY-MM-DD`. A filter's value may be quoted. What does not parse as a filter is text and
// noted, so every input is a query. Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

struct Query {
  std::string text;                     // without filters; quotation marks kept
  std::vector<std::string> phrases;     // folded (rag/text/words/words.h); each must occur
  std::vector<std::string> path_parts;  // in lower case; each must occur in the path, whatever its case
  std::vector<std::string> types;       // extensions or formats in lower case, without the dot; one must fit
  std::optional<int64_t> after_ns;      // a message was written then or later, a file changed
  std::optional<int64_t> before_ns;     // earlier than this
  std::vector<std::string> notes;       // for people: what looks like a filter, but is none, and why

  bool filters() const {
    return !path_parts.empty() || !types.empty() || after_ns.has_value() || before_ns.has_value();
  }
};

Query parse_query(std::string_view input);

// What of a document the filters look at.
struct DocumentFacts {
  std::string_view path;
  std::string_view format;
  int64_t mtime_ns = 0;
  std::string_view date = {};  // ISO 8601, as the document itself says; may be empty
};
bool passes_filters(const Query& query, const DocumentFacts& document);
bool has_phrases(const Query& query, std::string_view passage);

// Midnight UTC of a date as nanoseconds since 1970; nothing for what is not a date.
std::optional<int64_t> parse_date_ns(std::string_view text);

}  // namespace mneme::rag

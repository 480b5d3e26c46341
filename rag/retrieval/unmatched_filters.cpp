#include "rag/retrieval/unmatched_filters.h"

#include <vector>

#include "base/ascii.h"
#include "rag/retrieval/query.h"
#include "rag/text/languages/notes.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

namespace {

struct WrittenFilter {
  std::string_view written;  // `path:"my docs"`
  Query query;               // of it alone
  bool is_matched = false;
};

std::vector<WrittenFilter> filters_in(std::string_view input) {
  std::vector<WrittenFilter> filters;
  for (size_t at = 0; at < input.size();) {
    const size_t begin = at;
    for (bool quoted = false; at < input.size() && (quoted || !is_space(input[at])); ++at) quoted ^= input[at] == '"';
    const std::string_view word = input.substr(begin, at - begin);
    if (Query query = parse_query(word); query.filters()) filters.push_back({word, std::move(query)});
    ++at;
  }
  return filters;
}

std::string joined(const std::vector<std::string_view>& words, std::string_view by) {
  std::string text;
  for (const std::string_view word : words) text.append(text.empty() ? "" : by).append(word);
  return text;
}

}  // namespace

Result<std::string> why_filters_left_nothing(storage::Catalogue& catalogue,
                                             std::span<const storage::CollectionRecord> collections,
                                             std::string_view input) {
  const Query all = parse_query(input);
  std::vector<WrittenFilter> filters = filters_in(input);
  if (!all.filters() || filters.empty()) return std::string();
  bool any_document = false;
  for (const storage::CollectionRecord& collection : collections) {
    MNEME_ASSIGN_OR_RETURN(const std::vector<storage::DocumentRecord> documents,
                           catalogue.list_documents(collection.id));
    for (const storage::DocumentRecord& document : documents) {
      const DocumentFacts facts{document.path, document.format, document.file.mtime_ns, document.date};
      for (WrittenFilter& filter : filters) filter.is_matched |= passes_filters(filter.query, facts);
      any_document |= passes_filters(all, facts);
    }
  }
  std::vector<std::string_view> written;
  std::vector<std::string_view> unmatched;
  for (const WrittenFilter& filter : filters) {
    written.push_back(filter.written);
    if (!filter.is_matched) unmatched.push_back(filter.written);
  }
  const std::string& words = all.text;
  if (!unmatched.empty())
    return note_for(words, &NoteTexts::no_match, {{"filters", joined(unmatched, note_for(words, &NoteTexts::either))}});
  const Note note = any_document ? &NoteTexts::no_passage_of_match : &NoteTexts::no_match_of_all;
  return note_for(words, note, {{"filters", joined(written, " ")}});
}

}  // namespace mneme::rag

#include "rag/retrieval/commonest_spelling.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include "rag/text/words/words.h"
#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/lexical_terms.h"

namespace mneme::rag {

namespace {

constexpr int kMostTried = 6;  // spellings
constexpr int kMostRead = 8;   // passages of each

// The spelling as a passage writes it, capitals aside; empty where none of those with its term does.
Result<std::string> as_written(storage::Catalogue& catalogue, std::string_view spelling) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::CollectionRecord> collections, catalogue.list_collections());
  std::vector<storage::CollectionId> ids;
  ids.reserve(collections.size());
  for (const storage::CollectionRecord& collection : collections) ids.push_back(collection.id);
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::LexicalHit> hits,
                         catalogue.search_lexical(spelling, ids, kMostRead));
  std::vector<storage::ChunkId> chunks;
  chunks.reserve(hits.size());
  for (const storage::LexicalHit& hit : hits) chunks.push_back(hit.chunk);
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ChunkRecord> passages, catalogue.chunks(chunks));
  const std::string folded = folded_text(spelling);
  for (const storage::ChunkRecord& passage : passages) {
    WordScanner scanner(passage.text);
    for (Word word; scanner.next(word);) {
      if (word.text != folded) continue;
      const std::string written = passage.text.substr(word.byte_begin, word.byte_end - word.byte_begin);
      // Where only capitals differ, as at the beginning of a sentence, it stays as it was asked.
      return written.size() == spelling.size() ? std::string(spelling) : written;
    }
  }
  return std::string();
}

}  // namespace

Result<std::string> commonest_spelling(storage::Catalogue& catalogue, std::span<const std::string> spellings) {
  if (spellings.empty()) return std::string();
  std::vector<std::string> terms;
  terms.reserve(spellings.size());
  for (const std::string& spelling : spellings) terms.push_back(storage::term_of_word(spelling));
  MNEME_ASSIGN_OR_RETURN(const std::vector<int64_t> counts, catalogue.term_document_counts(terms));
  std::vector<size_t> order(spellings.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return counts[a] > counts[b]; });
  int n_tried = 0;
  for (const size_t i : order) {
    if (counts[i] == 0 || n_tried++ == kMostTried) break;
    MNEME_ASSIGN_OR_RETURN(std::string written, as_written(catalogue, spellings[i]));
    if (!written.empty()) return written;
    // "sudtirol", though only "Südtirols" is written: the word itself, as far as stems tell.
    if (terms[i] == folded_text(spellings[i])) return spellings[i];
  }
  return std::string();
}

}  // namespace mneme::rag

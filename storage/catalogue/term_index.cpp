#include "storage/catalogue/term_index.h"

#include <algorithm>
#include <utility>

namespace mneme::storage {
namespace {

constexpr size_t kReadUncounted = 20'000;
constexpr size_t kLongestList = 300'000;

std::shared_ptr<const PostingList> shared(PostingList postings) {
  postings.shrink_to_fit();
  return std::make_shared<const PostingList>(std::move(postings));
}

}  // namespace

Result<ReadPostings> TermIndex::read(std::span<const std::string> phrases, size_t most_rows) {
  MNEME_ASSIGN_OR_RETURN(ReadPostings found, read_postings(database_, phrases, most_rows));
  if (found.average_length > 0.0) cache_.keep_average_length(now_, found.average_length);
  return found;
}

Result<std::vector<int64_t>> TermIndex::frequencies(std::span<const QueryTerm> terms) {
  std::vector<int64_t> counts(terms.size());
  std::vector<size_t> unknown;
  std::vector<std::string> names;
  for (size_t i = 0; i < terms.size(); ++i) {
    std::string name = fts_term(terms[i]);
    if (const std::optional<LexicalCache::Term> known = cache_.term(now_, name); known.has_value()) {
      counts[i] = known->frequency;
    } else {
      unknown.push_back(i);
      names.push_back(std::move(name));
    }
  }
  if (unknown.empty()) return counts;
  MNEME_ASSIGN_OR_RETURN(ReadPostings found, read(names, kReadUncounted));
  for (size_t u = 0; u < unknown.size(); ++u) {
    PostingRequest::Found& rows = found.phrases[u];
    int64_t& count = counts[unknown[u]];
    count = static_cast<int64_t>(rows.postings.size());
    if (!rows.whole) {
      MNEME_ASSIGN_OR_RETURN(const int64_t estimate, sample_frequency(database_, terms[unknown[u]]));
      count = std::max(count, estimate);
    }
    cache_.keep_term(now_, names[u], {count, rows.whole ? shared(std::move(rows.postings)) : nullptr});
  }
  return counts;
}

Result<std::shared_ptr<const PostingList>> TermIndex::postings(const QueryTerm& term) {
  const std::string name = fts_term(term);
  const std::optional<LexicalCache::Term> known = cache_.term(now_, name);
  if (known.has_value() && known->postings != nullptr) return known->postings;
  MNEME_ASSIGN_OR_RETURN(ReadPostings found, read({&name, 1}, kLongestList));
  std::shared_ptr<const PostingList> postings = shared(std::move(found.phrases.front().postings));
  const int64_t frequency = known.has_value() ? known->frequency : static_cast<int64_t>(postings->size());
  cache_.keep_term(now_, name, {frequency, postings});
  return postings;
}

Result<std::shared_ptr<const PostingList>> TermIndex::postings(const std::vector<std::string>& phrase) {
  const std::string text = fts_string(phrase);
  MNEME_ASSIGN_OR_RETURN(ReadPostings found, read({&text, 1}, kLongestList));
  return shared(std::move(found.phrases.front().postings));
}

Result<uint32_t> TermIndex::chunk_length(ChunkId chunk) {
  if (const uint32_t known = cache_.length(now_, chunk); known > 0) return known;
  MNEME_ASSIGN_OR_RETURN(const uint32_t length, storage::chunk_length(database_, chunk));
  cache_.keep_length(now_, chunk, length);
  return length;
}

Result<double> TermIndex::average_length(const std::string& phrase) {
  if (const double known = cache_.average_length(now_); known > 0.0) return known;
  MNEME_ASSIGN_OR_RETURN(const ReadPostings found, read({&phrase, 1}, 0));
  return std::max(1.0, found.average_length);
}

}  // namespace mneme::storage

#include "storage/catalogue/term_index.h"

#include <algorithm>
#include <utility>

namespace mneme::storage {
namespace {

constexpr size_t kReadUncounted = 25'000;

std::shared_ptr<const PostingList> shared(PostingList postings) {
  postings.shrink_to_fit();
  return std::make_shared<const PostingList>(std::move(postings));
}

}  // namespace

Result<ReadPostings> TermIndex::read(std::span<const std::string> phrases, size_t most_rows, const RowRange& rows) {
  MNEME_ASSIGN_OR_RETURN(ReadPostings found, read_postings(database_, phrases, most_rows, rows));
  if (found.average_length > 0.0) cache_.keep_average_length(now_, found.average_length);
  return found;
}

Result<std::vector<int64_t>> TermIndex::frequencies(std::span<const QueryTerm> terms) {
  std::vector<int64_t> frequencies(terms.size());
  std::vector<size_t> places;
  std::vector<QueryTerm> unknown;
  for (size_t i = 0; i < terms.size(); ++i) {
    if (const std::optional<LexicalCache::Term> known = cache_.term(now_, fts_term(terms[i])); known.has_value()) {
      frequencies[i] = known->frequency;
    } else {
      places.push_back(i);
      unknown.push_back(terms[i]);
    }
  }
  if (unknown.empty()) return frequencies;
  MNEME_ASSIGN_OR_RETURN(std::vector<LexicalCache::Term> counted, count(unknown));
  for (size_t u = 0; u < unknown.size(); ++u) {
    frequencies[places[u]] = counted[u].frequency;
    cache_.keep_term(now_, fts_term(unknown[u]), std::move(counted[u]));
  }
  return frequencies;
}

// Reads what is worth reading without knowing yet whether it will be scored, and samples the rest.
Result<std::vector<LexicalCache::Term>> TermIndex::count(std::span<const QueryTerm> terms) {
  std::vector<std::string> names;
  for (const QueryTerm& term : terms) names.push_back(fts_term(term));
  MNEME_ASSIGN_OR_RETURN(const RowRange rows, chunk_rows(database_));
  MNEME_ASSIGN_OR_RETURN(ReadPostings read_now, read(names, kReadUncounted, rows));
  std::vector<LexicalCache::Term> counted(terms.size());
  for (size_t i = 0; i < terms.size(); ++i) {
    PostingRequest::Found& found = read_now.phrases[i];
    counted[i].frequency = static_cast<int64_t>(found.postings.size());
    if (found.whole) {
      counted[i].postings = shared(std::move(found.postings));
    } else {
      MNEME_ASSIGN_OR_RETURN(const int64_t estimate, sample_frequency(database_, terms[i], rows));
      counted[i].frequency = std::max(counted[i].frequency, estimate);
    }
  }
  return counted;
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

Result<std::shared_ptr<const ChunkLengths>> TermIndex::lengths() {
  LexicalCache::Lengths known = cache_.lengths(now_);
  if (known.complete) return std::move(known.lengths);
  auto all = std::make_shared<ChunkLengths>(*known.lengths);
  MNEME_RETURN_IF_ERROR(read_lengths(database_, *all));
  cache_.keep_lengths(now_, all);
  return std::shared_ptr<const ChunkLengths>(std::move(all));
}

Result<uint32_t> TermIndex::chunk_length(ChunkId chunk) {
  return storage::chunk_length(database_, chunk);
}

Result<double> TermIndex::average_length(const std::string& phrase) {
  if (const double known = cache_.average_length(now_); known > 0.0) return known;
  MNEME_ASSIGN_OR_RETURN(const ReadPostings found, read({&phrase, 1}, 0));
  return std::max(1.0, found.average_length);
}

}  // namespace mneme::storage

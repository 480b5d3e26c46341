#include "storage/catalogue/lexical_scoring.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace mneme::storage {
namespace {

bool better(const LexicalHit& a, const LexicalHit& b) {
  return a.score != b.score ? a.score > b.score : a.chunk < b.chunk;
}

// The best `limit` hits, and the score below which nothing enters any more.
class TopHits {
 public:
  explicit TopHits(size_t limit) : limit_(limit) {}
  void add(LexicalHit hit) {
    heap_.push_back(hit);
    std::push_heap(heap_.begin(), heap_.end(), better);
    if (heap_.size() <= limit_) return;
    std::pop_heap(heap_.begin(), heap_.end(), better);
    heap_.pop_back();
  }
  double threshold() const { return heap_.size() < limit_ ? 0 : heap_.front().score; }
  std::vector<LexicalHit> take() {
    std::sort(heap_.begin(), heap_.end(), better);
    return std::move(heap_);
  }

 private:
  size_t limit_;
  std::vector<LexicalHit> heap_;  // the worst in front
};

// What a length adds to the frequency in the denominator; that of usual lengths is looked up.
class LengthNorm {
 public:
  explicit LengthNorm(const LexicalScoring& scoring) : scoring_(scoring) {
    for (uint32_t length = 0; length < kUsual; ++length) usual_.push_back(of_any(length));
  }
  double of(uint32_t length) const { return length < kUsual ? usual_[length] : of_any(length); }

 private:
  static constexpr uint32_t kUsual = 1024;
  double of_any(uint32_t length) const {
    return scoring_.k1 * (1 - scoring_.b + scoring_.b * length / scoring_.average_length);
  }

  const LexicalScoring& scoring_;
  std::vector<double> usual_;
};

class PageScorer {
 public:
  PageScorer(std::span<const ScoredTerm> terms, const LexicalScoring& scoring, size_t limit)
      : scoring_(scoring), norm_(scoring), top_(limit), sums_(kPageRows), required_(kPageRows) {
    for (const ScoredTerm& term : terms) {
      n_required_ += term.required ? 1 : 0;
      cursors_.push_back({&term, term.postings->begin()});
    }
  }

  Result<std::vector<LexicalHit>> run() {
    for (std::optional<uint64_t> number = next_page(); number.has_value(); number = next_page()) {
      lengths_ = scoring_.lengths == nullptr ? nullptr : scoring_.lengths->page(*number);
      for (Cursor& cursor : cursors_) MNEME_RETURN_IF_ERROR(add_page(cursor, *number));
      MNEME_RETURN_IF_ERROR(take_page(*number));
    }
    return top_.take();
  }

 private:
  static constexpr uint64_t kPageRows = ChunkLengths::kPageRows;  // their sums stay in the first cache

  struct Cursor {
    const ScoredTerm* term = nullptr;
    PostingList::const_iterator next;
  };

  // The next page that has any of the terms.
  std::optional<uint64_t> next_page() const {
    std::optional<uint64_t> number;
    for (const Cursor& cursor : cursors_) {
      if (cursor.next == cursor.term->postings->end()) continue;
      number = std::min<uint64_t>(number.value_or(kLastChunk), cursor.next->chunk / kPageRows);
    }
    return number;
  }

  Status add_page(Cursor& cursor, uint64_t number) {
    const ScoredTerm& term = *cursor.term;
    const auto end = term.postings->end();
    for (; cursor.next != end && cursor.next->chunk / kPageRows == number; ++cursor.next) {
      const auto at = static_cast<size_t>(cursor.next->chunk % kPageRows);
      uint32_t length = lengths_ == nullptr ? 0 : (*lengths_)[at];
      if (length == 0) {
        MNEME_ASSIGN_OR_RETURN(length, scoring_.length(static_cast<ChunkId>(cursor.next->chunk)));
      }
      const auto frequency = static_cast<double>(cursor.next->frequency);
      sums_[at] += term.weight * frequency * (scoring_.k1 + 1) / (frequency + norm_.of(length));
      required_[at] = static_cast<uint16_t>(required_[at] + (term.required ? 1 : 0));
    }
    return {};
  }

  // Takes the best of the page and leaves it empty.
  Status take_page(uint64_t number) {
    for (size_t at = 0; at < kPageRows; ++at) {
      const double score = std::exchange(sums_[at], 0.0);
      const uint16_t n_required = std::exchange(required_[at], uint16_t{0});
      if (score <= top_.threshold() || n_required != n_required_) continue;
      const auto chunk = static_cast<ChunkId>(number * kPageRows + at);
      MNEME_ASSIGN_OR_RETURN(const bool admitted, scoring_.admits(chunk));
      if (admitted) top_.add({chunk, score});
    }
    return {};
  }

  const LexicalScoring& scoring_;
  const LengthNorm norm_;
  TopHits top_;
  std::vector<Cursor> cursors_;
  const ChunkLengths::Page* lengths_ = nullptr;  // of the page at hand
  std::vector<double> sums_;                     // by place in the page
  std::vector<uint16_t> required_;               // required terms that were met there
  uint16_t n_required_ = 0;
};

}  // namespace

Result<std::vector<LexicalHit>> score_postings(std::span<const ScoredTerm> terms, const LexicalScoring& scoring,
                                               size_t limit) {
  if (limit == 0) return std::vector<LexicalHit>();
  return PageScorer(terms, scoring, limit).run();
}

}  // namespace mneme::storage

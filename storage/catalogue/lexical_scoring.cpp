#include "storage/catalogue/lexical_scoring.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace mneme::storage {
namespace {

constexpr uint64_t kWindow = 4096;  // rows; their sums stay in the first cache

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

class WindowScorer {
 public:
  WindowScorer(std::span<const ScoredTerm> terms, const LexicalScoring& scoring, size_t limit)
      : scoring_(scoring), limit_(limit), sums_(kWindow), required_(kWindow) {
    for (const ScoredTerm& term : terms) {
      n_required_ += term.required ? 1 : 0;
      cursors_.push_back({&term, {}, {}});
    }
  }

  Result<std::vector<LexicalHit>> run() {
    MNEME_ASSIGN_OR_RETURN(const double floor, sure_score());
    TopHits top(limit_);
    // What a chunk would score if it had no length.
    MNEME_RETURN_IF_ERROR(walk(norm_of(0.0), [&](uint64_t chunk, double bound) -> Status {
      if (bound < floor || bound <= top.threshold()) return {};
      const auto id = static_cast<ChunkId>(chunk);
      MNEME_ASSIGN_OR_RETURN(const double score, exact_score(chunk));
      if (score <= top.threshold()) return {};
      MNEME_ASSIGN_OR_RETURN(const bool admitted, scoring_.admits(id));
      if (admitted) top.add({id, score});
      return {};
    }));
    return top.take();
  }

 private:
  // The postings of a term in the window: [first, next).
  struct Cursor {
    const ScoredTerm* term = nullptr;
    PostingList::const_iterator first;
    PostingList::const_iterator next;
  };

  // A score that so many chunks as are wanted reach: the least of those that look best while all are of average length.
  Result<double> sure_score() {
    TopHits likely(limit_);
    MNEME_RETURN_IF_ERROR(walk(norm_of(scoring_.average_length), [&](uint64_t chunk, double estimate) -> Status {
      if (estimate > likely.threshold()) likely.add({static_cast<ChunkId>(chunk), estimate});
      return {};
    }));
    for (Cursor& cursor : cursors_) cursor.first = cursor.term->postings->begin();  // all of it
    double least = std::numeric_limits<double>::max();
    size_t n_admitted = 0;
    for (const LexicalHit& hit : likely.take()) {
      MNEME_ASSIGN_OR_RETURN(const bool admitted, scoring_.admits(hit.chunk));
      if (!admitted) break;
      MNEME_ASSIGN_OR_RETURN(const double score, exact_score(static_cast<uint64_t>(hit.chunk)));
      least = std::min(least, score);
      ++n_admitted;
    }
    return n_admitted == limit_ ? least : 0.0;
  }

  // Calls visit(chunk, sum) for every chunk that has a term and all required ones; sum: its score with this norm.
  template <typename Visit>
  Status walk(double norm, Visit visit) {
    for (Cursor& cursor : cursors_) cursor.first = cursor.next = cursor.term->postings->begin();
    for (std::optional<uint64_t> begin = next_window(); begin.has_value(); begin = next_window()) {
      for (Cursor& cursor : cursors_) add_window(cursor, *begin, norm);
      for (size_t at = 0; at < kWindow; ++at) {
        const double sum = std::exchange(sums_[at], 0.0);
        const uint16_t n_required = std::exchange(required_[at], uint16_t{0});
        if (sum > 0.0 && n_required == n_required_) MNEME_RETURN_IF_ERROR(visit(*begin + at, sum));
      }
    }
    return {};
  }

  // The next chunk that has any of the terms.
  std::optional<uint64_t> next_window() {
    std::optional<uint64_t> begin;
    for (Cursor& cursor : cursors_) {
      cursor.first = cursor.next;
      if (cursor.next == cursor.term->postings->end()) continue;
      begin = std::min<uint64_t>(begin.value_or(kLastChunk), cursor.next->chunk);
    }
    return begin;
  }

  void add_window(Cursor& cursor, uint64_t begin, double norm) {
    const auto end = cursor.term->postings->end();
    for (; cursor.next != end && cursor.next->chunk - begin < kWindow; ++cursor.next) {
      const auto at = static_cast<size_t>(cursor.next->chunk - begin);
      sums_[at] += contribution(*cursor.term, *cursor.next, norm);
      required_[at] = static_cast<uint16_t>(required_[at] + (cursor.term->required ? 1 : 0));
    }
  }

  double norm_of(double length) const {
    return scoring_.k1 * (1 - scoring_.b + scoring_.b * length / scoring_.average_length);
  }

  double contribution(const ScoredTerm& term, const Posting& posting, double norm) const {
    const auto frequency = static_cast<double>(posting.frequency);
    return term.weight * frequency * (scoring_.k1 + 1) / (frequency + norm);
  }

  // In the order in which the bounds were added, so that rounding cannot lift a score above its bound.
  Result<double> exact_score(uint64_t chunk) const {
    MNEME_ASSIGN_OR_RETURN(const uint32_t length, scoring_.length(static_cast<ChunkId>(chunk)));
    const double norm = norm_of(length);
    double score = 0.0;
    for (const Cursor& cursor : cursors_) {
      const auto at = std::lower_bound(cursor.first, cursor.next, chunk,
                                       [](const Posting& posting, uint64_t wanted) { return posting.chunk < wanted; });
      if (at != cursor.next && at->chunk == chunk) score += contribution(*cursor.term, *at, norm);
    }
    return score;
  }

  const LexicalScoring& scoring_;
  const size_t limit_;
  std::vector<Cursor> cursors_;
  std::vector<double> sums_;        // by place in the window
  std::vector<uint16_t> required_;  // required terms that were met there
  uint16_t n_required_ = 0;
};

}  // namespace

Result<std::vector<LexicalHit>> score_postings(std::span<const ScoredTerm> terms, const LexicalScoring& scoring,
                                               size_t limit) {
  if (limit == 0) return std::vector<LexicalHit>();
  return WindowScorer(terms, scoring, limit).run();
}

}  // namespace mneme::storage

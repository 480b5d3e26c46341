#include "engine/pq/head_budgets.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace mneme::engine {
namespace {

// How many keys of each head reach a threshold.
struct Reached {
  int threshold = 0;
  std::vector<int> counts;  // (n_heads)
};

// The bracket of a search: at `low` the heads would take at least as many keys as they may, at `high` fewer.
class Search {
 public:
  // Counts all candidates, and around the guess at once: from one step to the next the threshold moves little.
  Search(const HeadScores& heads, int k, int guess)
      : heads_(heads),
        n_heads_(static_cast<size_t>(heads.n_heads())),
        wanted_(int64_t{heads.n_heads()} * k),
        guess_(std::clamp(guess, 1 + kNear, kScoreEnd - 1 - kFar)) {
    high_ = {kScoreEnd, std::vector<int>(n_heads_, 0)};
    if (is_counted_near()) {
      look_near(k);
      return;
    }
    std::vector<Reached> around = count({0, guess_ - kNear, guess_ + kNear, guess_ + kFar});
    begin_with(std::move(around.front()), k);
    for (size_t t = 1; t < around.size(); ++t) narrow(std::move(around[t]));
  }

  void run() {
    if (low_.threshold == 0 && total(low_) <= wanted_) return;  // all are taken
    int tries[kThresholds] = {guess_ - 8 * kFar, guess_ - 2 * kFar, guess_ - kFar, guess_ - kNear};
    if (low_.threshold > 0) interpolate(tries);
    for (int round = 0; high_.threshold - low_.threshold > 1; ++round) {
      for (int& one : tries) one = std::clamp(one, low_.threshold + 1, high_.threshold - 1);
      for (Reached& one : count(tries)) narrow(std::move(one));
      round < kInterpolated ? interpolate(tries) : divide(tries);
    }
  }

  // What reaches `high`, and of what reaches `low` as much as may still be taken. What a head takes as its least share
  // counts once it is beyond.
  HeadSplit split() const {
    HeadSplit result{.taken = least_, .threshold = static_cast<int16_t>(low_.threshold), .last_scores = {}};
    int64_t left = wanted_;
    for (size_t h = 0; h < n_heads_; ++h) left -= result.taken[h] = std::max(least_[h], high_.counts[h]);
    for (size_t h = 0; h < n_heads_ && left > 0; ++h) {
      const auto more = std::min<int64_t>(left, std::max(0, low_.counts[h] - result.taken[h]));
      result.taken[h] += static_cast<int>(more);
      left -= more;
    }
    for (size_t h = 0; h < n_heads_; ++h) result.last_scores.push_back(last_score(h, result.taken[h]));
    return result;
  }

 private:
  static constexpr int kNear = 8;  // a sixteenth of an octave
  static constexpr int kFar = 128;
  static constexpr int kInterpolated = 6;  // rounds, after which counts that mislead cost no more

  void begin_with(Reached all, int k) {
    low_ = std::move(all);
    for (const int available : low_.counts) least_.push_back(std::min(k / kLeastShare, available));
  }

  bool is_counted_near() const {
    for (size_t h = 0; h < n_heads_; ++h)
      if (heads_.near(static_cast<int>(h)) == nullptr) return false;
    return n_heads_ > 0;
  }

  // Halves what was counted until its scores lie side by side, or the bracket lies beyond them.
  void look_near(int k) {
    Reached all{0, std::vector<int>(n_heads_)};
    for (size_t h = 0; h < n_heads_; ++h) all.counts[h] = heads_.near(static_cast<int>(h))->n_all;
    begin_with(std::move(all), k);
    int below = -1;
    int above = kNearScores + 1;
    while (above - below > 1) {
      const int middle = (below + above) / 2;
      Reached one{heads_.near(0)->first + middle, std::vector<int>(n_heads_)};
      for (size_t h = 0; h < n_heads_; ++h) one.counts[h] = heads_.near(static_cast<int>(h))->reaching[middle];
      (total(one) >= wanted_ ? below : above) = middle;
      narrow(std::move(one));
    }
  }

  // Where the bracket's ends tell it.
  std::optional<KthScore> last_score(size_t head, int n_taken) const {
    for (const Reached* end : {&high_, &low_})
      if (n_taken == end->counts[head]) return KthScore{end->threshold, n_taken};
    if (high_.threshold - low_.threshold > 1 || n_taken < high_.counts[head] || n_taken > low_.counts[head])
      return std::nullopt;
    return KthScore{low_.threshold, low_.counts[head]};
  }

  // Takes it for the bracket's end on its side, where it is nearer.
  void narrow(Reached one) {
    Reached& end = total(one) >= wanted_ ? low_ : high_;
    if (&end == &low_ ? one.threshold > low_.threshold : one.threshold < high_.threshold) end = std::move(one);
  }

  // Between two thresholds that lie close together counts change evenly: around where the wanted one then lies.
  void interpolate(int (&tries)[kThresholds]) const {
    const int range = high_.threshold - low_.threshold;
    const auto above = static_cast<double>(total(low_) - wanted_);
    const auto all = static_cast<double>(std::max<int64_t>(1, total(low_) - total(high_)));
    const int at = low_.threshold + static_cast<int>(range * above / all);
    const int step = 1 + range / 16;
    for (int t = 0; t < kThresholds; ++t) tries[t] = at + (t - 1) * step;
  }
  void divide(int (&tries)[kThresholds]) const {
    const int range = high_.threshold - low_.threshold;
    for (int t = 0; t < kThresholds; ++t) tries[t] = low_.threshold + std::max(1, range * (t + 1) / (kThresholds + 1));
  }

  std::vector<Reached> count(const int (&tries)[kThresholds]) const {
    int16_t thresholds[kThresholds];
    std::vector<Reached> reached(kThresholds);
    for (size_t t = 0; t < kThresholds; ++t) {
      thresholds[t] = static_cast<int16_t>(tries[t]);
      reached[t] = {tries[t], std::vector<int>(n_heads_)};
    }
    for (size_t h = 0; h < n_heads_; ++h) {
      int counts[kThresholds];
      heads_.count(static_cast<int>(h), thresholds, counts);
      for (size_t t = 0; t < kThresholds; ++t) reached[t].counts[h] = counts[t];
    }
    return reached;
  }

  int64_t total(const Reached& reached) const {
    int64_t sum = 0;
    for (size_t h = 0; h < n_heads_; ++h) sum += std::max(least_[h], reached.counts[h]);
    return sum;
  }

  const HeadScores& heads_;
  const size_t n_heads_;
  const int64_t wanted_;
  const int guess_;
  std::vector<int> least_;  // (n_heads) that a head takes whatever they weigh
  Reached low_;
  Reached high_;
};

}  // namespace

int16_t NearCounts::first_near(int16_t guess) {
  return static_cast<int16_t>(std::clamp(guess - kNearScores / 2, 0, kScoreEnd - 1 - kNearScores));
}

HeadSplit split_among_heads(const HeadScores& heads, int k, std::optional<int16_t> guess) {
  constexpr int16_t kUsual = 120 * kScoreUnit;  // a weight of 1/128
  Search search(heads, k, guess.value_or(kUsual));
  search.run();
  return search.split();
}

}  // namespace mneme::engine

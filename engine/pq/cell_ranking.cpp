#include "engine/pq/cell_ranking.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace mneme::engine {
namespace {

constexpr size_t kSlack = 64;                 // what kernels may write beyond their result
constexpr int kOctave = 128;                  // scores to a factor of two of weight
constexpr int kFirstSteps[] = {0, 4, 8, 16};  // octaves below the bound of the k-th weight, tried first
constexpr int kStepsFromGuess[] = {-64, 0, 1, 64};

int score_of(float weight) {
  return static_cast<int>(std::bit_cast<uint32_t>(weight) >> 16);
}
float weight_of(int16_t score) {
  return std::bit_cast<float>(static_cast<uint32_t>(static_cast<uint16_t>(score)) << 16);
}

}  // namespace

void count_cells(const CodePair& codes, TokenPos begin, TokenPos end, float change, std::span<float> counts) {
  float* const cells = counts.data();
  for (TokenPos i = begin; i < end; ++i) cells[codes.cell(i)] += change;
}

CellRanking::CellRanking(const PqKernels& kernels)
    : kernels_(kernels), own_counts_(kCells), counts_(own_counts_.data()), scores_(kCells) {}

void CellRanking::clear(int n_heads) {
  std::fill(own_counts_.begin(), own_counts_.end(), 0.0f);
  use_counts(n_heads, own_counts_);
}

void CellRanking::use_counts(int n_heads, std::span<const float> counts) {
  assert(counts.size() == kCells);
  counts_ = counts.data();
  n_heads_ = n_heads;
  weights_.resize(static_cast<size_t>(n_heads) * 2 * kTableEntries);
  sums_.resize(static_cast<size_t>(n_heads));
}

std::span<float> CellRanking::weights(int head) {
  constexpr size_t kOfHead = size_t{2} * kTableEntries;
  return std::span(weights_).subspan(static_cast<size_t>(head) * kOfHead, kOfHead);
}

std::span<const float> CellRanking::head_sums(const CodePair& codes, TokenPos begin, TokenPos end) {
  kernels_.sum_cells({.n_heads = n_heads_, .weights = weights_.data()}, counts_, sums_.data());
  // Heads in the inner loop: no addition waits for the one before it.
  for (TokenPos i = begin; i < end; ++i) {
    const float* first = weights_.data() + codes.first[i];
    const float* second = weights_.data() + kTableEntries + codes.second[i];
    for (float& sum : sums_) {
      sum += *first * *second;
      first += 2 * kTableEntries;
      second += 2 * kTableEntries;
    }
  }
  return sums_;
}

void CellRanking::score(std::span<const float> factors, bool maximum) {
  for (int h = 0; h < n_heads_; ++h)
    for (float& weight : weights(h).first(kTableEntries)) weight *= factors[static_cast<size_t>(h)];
  kernels_.score_cells(
      {.weights = {.n_heads = n_heads_, .weights = weights_.data()}, .maximum = maximum, .scores = scores_.data()});
}

// The k-th best score: the largest that at least k keys reach, or one that k keys reach. Without a better guess: all
// weights together are about 1 per head, so that the k-th is at most n_heads / k.
KthScore CellRanking::find_kth(int k, int n_keys, std::optional<int16_t> guess) const {
  KthScore low{0, n_keys};  // reached by at least k
  int high = kScoreEnd;
  const int bound = score_of(static_cast<float>(n_heads_) / static_cast<float>(k)) + 1;
  int tries[kThresholds];
  for (int t = 0; t < kThresholds; ++t)
    tries[t] = guess ? *guess + kStepsFromGuess[t] : bound - kFirstSteps[t] * kOctave;
  while (high - low.score > 1) {
    int16_t thresholds[kThresholds];
    int counts[kThresholds];
    for (int t = 0; t < kThresholds; ++t)
      thresholds[t] = static_cast<int16_t>(std::clamp(tries[t], low.score, high - 1));
    count_reaching(thresholds, counts);
    for (int t = 0; t < kThresholds; ++t) {
      if (counts[t] == k) return {thresholds[t], k};
      if (counts[t] > k && thresholds[t] >= low.score) low = {thresholds[t], counts[t]};
      if (counts[t] < k) high = std::min<int>(high, thresholds[t]);
    }
    const int range = high - low.score;
    for (int t = 0; t < kThresholds; ++t) tries[t] = low.score + std::max(1, range * (t + 1) / (kThresholds + 1));
  }
  return low;
}

void CellRanking::count_reaching(const int16_t (&thresholds)[kThresholds], int (&counts)[kThresholds]) const {
  float sums[kThresholds];
  kernels_.count_cells(scores_.data(), counts_, thresholds, sums);
  for (int t = 0; t < kThresholds; ++t) counts[t] = static_cast<int>(sums[t]);
}

void CellRanking::count_near(int16_t first, int (&reaching)[kNearScores + 1]) const {
  float sums[kNearScores + 1];
  kernels_.count_near(scores_.data(), counts_, first, sums);
  std::transform(std::begin(sums), std::end(sums), reaching, [](float sum) { return static_cast<int>(sum); });
}

int CellRanking::count_for_mass(double share, int floor, int ceiling) const {
  constexpr int kShift = 2;  // bins of a thirty-second of an octave
  std::vector<float> bins((kScoreEnd >> kShift) + 1, 0.0f);
  double total = 0;
  for (size_t i = 0; i < scores_.size(); ++i) {
    bins[static_cast<size_t>(scores_[i] >> kShift)] += counts_[i];
    total += double{counts_[i]} * weight_of(scores_[i]);
  }
  double held = 0;
  double n = 0;
  for (int bin = kScoreEnd >> kShift; bin > 0 && held < share * total; --bin) {
    const double available = bins[static_cast<size_t>(bin)];
    if (available <= 0) continue;
    const double weight = weight_of(static_cast<int16_t>(bin << kShift));
    const double taken = std::min(available, std::max(1.0, std::ceil((share * total - held) / weight)));
    n += taken;
    held += taken * weight;
  }
  return std::clamp(static_cast<int>(std::min<double>(n, ceiling)), std::min(floor, ceiling), ceiling);
}

// More keys than wanted only where cells score as the threshold does: of those whole cells go, the last ones first, by
// a score below it. What is left to drop is less than one cell, which is named.
CellRanking::Surplus CellRanking::drop_cells(int surplus) {
  if (surplus <= 0) return {};
  Surplus left{surplus, 0};
  found_.resize(std::max(found_.size(), kCells + kSlack));
  const auto threshold = static_cast<int16_t>(threshold_);
  for (int i = kernels_.collect(scores_.data(), kCells, threshold, 0, found_.data()) - 1; i >= 0 && left.n > 0; --i) {
    const auto cell = static_cast<size_t>(found_[static_cast<size_t>(i)]);
    if (scores_[cell] != threshold || counts_[cell] == 0) continue;
    if (counts_[cell] > static_cast<float>(left.n)) {
      left.cell = cell;
    } else {
      left.n -= static_cast<int>(counts_[cell]);
      scores_[cell] = static_cast<int16_t>(threshold - 1);
    }
  }
  return left;
}

// Takes the last keys of a cell out of those found. Gives how many are left.
int CellRanking::drop_keys(const CodePair& codes, TokenPos begin, TokenPos end, const Surplus& surplus,
                           std::span<TokenPos> found) {
  dropped_.resize(static_cast<size_t>(surplus.n));
  const int n = kernels_.last_of_cell(
      {.codes = {codes.first + begin, codes.second + begin},
       .cell = {static_cast<uint8_t>(surplus.cell / kTableEntries), static_cast<uint8_t>(surplus.cell % kTableEntries)},
       .n_keys = end - begin,
       .first_index = begin,
       .n_wanted = surplus.n,
       .out = dropped_.data()});
  auto read = found.begin();
  auto write = read;
  for (int i = n - 1; i >= 0; --i) {
    const auto at = std::lower_bound(read, found.end(), dropped_[static_cast<size_t>(i)]);
    write = write == read ? at : std::copy(read, at, write);
    read = at + 1;
  }
  write = write == read ? found.end() : std::copy(read, found.end(), write);
  dropped_cell_ = surplus.cell;
  dropped_.resize(static_cast<size_t>(n));
  return static_cast<int>(write - found.begin());
}

void CellRanking::take(const CodePair& codes, TokenPos begin, TokenPos end, int k, std::optional<int16_t> guess,
                       std::vector<TokenPos>& out) {
  const int n_keys = end - begin;
  const KthScore kth = k > 0 && k < n_keys ? find_kth(k, n_keys, guess) : KthScore{0, n_keys};
  take_by(codes, begin, end, k, kth, out);
}

void CellRanking::take_by(const CodePair& codes, TokenPos begin, TokenPos end, int k, const KthScore& kth,
                          std::vector<TokenPos>& out) {
  const int n_keys = end - begin;
  threshold_ = kScoreEnd;
  dropped_.clear();
  if (k <= 0 || n_keys <= 0) return;
  threshold_ = kth.score;
  const Surplus surplus = drop_cells(kth.n_reaching - k);
  const size_t n_before = out.size();
  out.resize(n_before + static_cast<size_t>(kth.n_reaching) + kSlack);  // room for all that reach the threshold
  TokenPos* const found = out.data() + n_before;
  int n = kernels_.collect_cells({.scores = scores_.data(),
                                  .threshold = static_cast<int16_t>(threshold_),
                                  .codes = {codes.first + begin, codes.second + begin},
                                  .n_keys = n_keys,
                                  .first_index = begin,
                                  .out = found});
  if (surplus.n > 0) n = drop_keys(codes, begin, end, surplus, {found, static_cast<size_t>(n)});
  out.resize(n_before + static_cast<size_t>(n));
}

void CellRanking::weigh_rest(std::span<const float> factors, std::vector<float>& first, std::vector<float>& second) {
  const auto n = static_cast<size_t>(n_heads_) * kTableEntries;
  first.resize(n);
  second.resize(n);
  kernels_.weigh_tail({.weights = {.n_heads = n_heads_, .weights = weights_.data()},
                       .counts = counts_,
                       .scores = scores_.data(),
                       .threshold = static_cast<int16_t>(threshold_),
                       .first = first.data(),
                       .second = second.data()});
  if (!dropped_.empty()) {
    const size_t a = dropped_cell_ / kTableEntries;
    const size_t b = dropped_cell_ % kTableEntries;
    for (int h = 0; h < n_heads_; ++h) {
      const float weight = static_cast<float>(dropped_.size()) * weights(h)[a] * weights(h)[kTableEntries + b];
      first[static_cast<size_t>(h) * kTableEntries + a] += weight;
      second[static_cast<size_t>(h) * kTableEntries + b] += weight;
    }
  }
  for (size_t i = 0; i < n; ++i) {
    const float factor = factors[i / kTableEntries];
    first[i] /= factor;
    second[i] /= factor;
  }
}

}  // namespace mneme::engine

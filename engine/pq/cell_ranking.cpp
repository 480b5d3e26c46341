#include "engine/pq/cell_ranking.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace mneme::engine {
namespace {

constexpr size_t kSlack = 64;                 // what PqKernels::collect_cells may write beyond its result
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

CellRanking::CellRanking(const PqKernels& kernels) : kernels_(kernels), counts_(kCells), scores_(kCells) {}

void CellRanking::clear(int n_heads) {
  n_heads_ = n_heads;
  std::fill(counts_.begin(), counts_.end(), 0.0f);
  weights_.resize(static_cast<size_t>(n_heads) * 2 * kTableEntries);
  sums_.resize(static_cast<size_t>(n_heads));
}

void CellRanking::set_counts(std::span<const float> counts) {
  assert(counts.size() == counts_.size());
  std::copy(counts.begin(), counts.end(), counts_.begin());
}

std::span<float> CellRanking::weights(int head) {
  constexpr size_t kOfHead = size_t{2} * kTableEntries;
  return std::span(weights_).subspan(static_cast<size_t>(head) * kOfHead, kOfHead);
}

std::span<const float> CellRanking::head_sums() {
  kernels_.sum_cells({.n_heads = n_heads_, .weights = weights_.data()}, counts_.data(), sums_.data());
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
int CellRanking::find_threshold(int k, std::optional<int16_t> guess) const {
  int low = 0;  // reached by at least k
  int high = kScoreEnd;
  const int bound = score_of(static_cast<float>(n_heads_) / static_cast<float>(k)) + 1;
  int tries[kThresholds];
  for (int t = 0; t < kThresholds; ++t)
    tries[t] = guess ? *guess + kStepsFromGuess[t] : bound - kFirstSteps[t] * kOctave;
  while (high - low > 1) {
    int16_t thresholds[kThresholds];
    float sums[kThresholds];
    for (int t = 0; t < kThresholds; ++t) thresholds[t] = static_cast<int16_t>(std::clamp(tries[t], low, high - 1));
    kernels_.count_cells(scores_.data(), counts_.data(), thresholds, sums);
    for (int t = 0; t < kThresholds; ++t) {
      if (sums[t] == static_cast<float>(k)) return thresholds[t];
      if (sums[t] > static_cast<float>(k)) {
        low = std::max<int>(low, thresholds[t]);
      } else {
        high = std::min<int>(high, thresholds[t]);
      }
    }
    const int range = high - low;
    for (int t = 0; t < kThresholds; ++t) tries[t] = low + std::max(1, range * (t + 1) / (kThresholds + 1));
  }
  return low;
}

void CellRanking::count_reaching(const int16_t (&thresholds)[kThresholds], int (&counts)[kThresholds]) const {
  float sums[kThresholds];
  kernels_.count_cells(scores_.data(), counts_.data(), thresholds, sums);
  for (int t = 0; t < kThresholds; ++t) counts[t] = static_cast<int>(sums[t]);
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

void CellRanking::take(const CodePair& codes, TokenPos begin, TokenPos end, int k, std::optional<int16_t> guess,
                       std::vector<TokenPos>& out) {
  const int n_keys = end - begin;
  threshold_ = kScoreEnd;
  dropped_.clear();
  if (k <= 0 || n_keys <= 0) return;
  threshold_ = k < n_keys ? find_threshold(k, guess) : 0;
  // Room for all: how many equal the threshold is not known. Kept between calls, as filling it anew costs a pass.
  if (found_.size() < static_cast<size_t>(n_keys) + kSlack) found_.resize(static_cast<size_t>(n_keys) + kSlack);
  const int found = kernels_.collect_cells({.scores = scores_.data(),
                                            .threshold = static_cast<int16_t>(threshold_),
                                            .codes = {codes.first + begin, codes.second + begin},
                                            .n_keys = n_keys,
                                            .first_index = begin,
                                            .out = found_.data()});
  // More than k only where scores equal the threshold: the last of those go.
  const auto first = found_.begin();
  int read = found;
  int write = found;
  for (int surplus = found - k; surplus > 0;) {
    const TokenPos position = first[--read];
    const size_t cell = codes.cell(position);
    if (scores_[cell] == threshold_) {
      dropped_.push_back(cell);
      --surplus;
    } else {
      first[--write] = position;
    }
  }
  out.insert(out.end(), first, first + read);
  out.insert(out.end(), first + write, first + found);
}

void CellRanking::weigh_rest(std::span<const float> factors, std::vector<float>& first, std::vector<float>& second) {
  const auto n = static_cast<size_t>(n_heads_) * kTableEntries;
  first.resize(n);
  second.resize(n);
  kernels_.weigh_tail({.weights = {.n_heads = n_heads_, .weights = weights_.data()},
                       .counts = counts_.data(),
                       .scores = scores_.data(),
                       .threshold = static_cast<int16_t>(threshold_),
                       .first = first.data(),
                       .second = second.data()});
  for (const size_t cell : dropped_) {
    for (int h = 0; h < n_heads_; ++h) {
      const size_t a = cell / kTableEntries;
      const size_t b = cell % kTableEntries;
      const float weight = weights(h)[a] * weights(h)[kTableEntries + b];
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

#include "engine/pq/top_k.h"

#include <algorithm>
#include <cmath>

namespace mneme::engine {
namespace {

constexpr size_t kSampleSize = 2048;
constexpr int kSlack = 16;  // what PqKernels::collect may write beyond its result
constexpr int kSampleBins = 512;

// The bin, from above, at which `rank` values are reached; below 0 where there are fewer.
int find_bin(const std::vector<int>& counts, int rank) {
  int bin = static_cast<int>(counts.size()) - 1;
  for (int above = 0; bin >= 0; --bin) {
    above += counts[static_cast<size_t>(bin)];
    if (above >= rank) break;
  }
  return bin;
}

}  // namespace

// Likely bounds, to be checked: between the sample's scores some deviations of its rank above and below.
TopK::Bracket TopK::guess(std::span<const int16_t> scores, int k) {
  // Every stride-th score from the middle of its stretch; the tokens of a text are not periodic.
  const size_t stride = std::max<size_t>(1, scores.size() / kSampleSize);
  sample_.clear();
  for (size_t i = stride / 2; i < scores.size(); i += stride) sample_.push_back(scores[i]);
  const double n = static_cast<double>(sample_.size());
  const double share = static_cast<double>(k) / static_cast<double>(scores.size());
  const double margin = stride == 1 ? 1 : 3 * std::sqrt(n * share * (1 - share)) + 2;
  const auto [low, high] = std::minmax_element(sample_.begin(), sample_.end());
  int shift = 0;
  while (((*high - *low) >> shift) >= kSampleBins) ++shift;
  counts_.assign(kSampleBins, 0);
  for (const int16_t score : sample_) ++counts_[static_cast<size_t>((score - *low) >> shift)];
  Bracket bracket;
  const int lower = find_bin(counts_, static_cast<int>(std::ceil(n * share + margin)));
  if (lower >= 0) bracket.low = *low + (lower << shift);
  const int rank_above = static_cast<int>(std::floor(n * share - margin));
  if (rank_above > 0) bracket.high = *low + ((find_bin(counts_, rank_above) + 1) << shift);
  bracket.high = std::max(bracket.high, bracket.low + 1);
  return bracket;
}

// The k-th largest score: the largest that at least k scores reach.
int TopK::find_threshold(std::span<const int16_t> scores, int k) {
  const Bracket guessed = guess(scores, k);
  Bracket bracket;
  // The guess is tried like any other threshold, so that a sample that deceives costs time and nothing else.
  int tries[kThresholds] = {guessed.low, guessed.high, guessed.low, guessed.high};
  for (int t = 1; t + 1 < kThresholds; ++t)
    tries[t] = guessed.low + (guessed.high - guessed.low) * t / (kThresholds - 1);
  tries[kThresholds - 1] = guessed.high;
  while (bracket.high - bracket.low > 1) {
    int16_t thresholds[kThresholds];
    int counts[kThresholds];
    for (int t = 0; t < kThresholds; ++t)
      thresholds[t] = static_cast<int16_t>(std::clamp(tries[t], bracket.low, bracket.high - 1));
    kernels_.count(scores.data(), static_cast<int>(scores.size()), thresholds, counts);
    for (int t = 0; t < kThresholds; ++t) {
      if (counts[t] >= k) {
        bracket.low = std::max<int>(bracket.low, thresholds[t]);
      } else {
        bracket.high = std::min<int>(bracket.high, thresholds[t]);
      }
    }
    const int range = bracket.high - bracket.low;
    for (int t = 0; t < kThresholds; ++t) tries[t] = bracket.low + std::max(1, range * (t + 1) / (kThresholds + 1));
  }
  return bracket.low;
}

void TopK::select(std::span<const int16_t> scores, int k, int32_t first_index, std::vector<int32_t>& out) {
  const int n = static_cast<int>(scores.size());
  if (k <= 0 || n == 0) return;
  if (k >= n) {
    for (int i = 0; i < n; ++i) out.push_back(first_index + i);
    return;
  }
  const auto threshold = static_cast<int16_t>(find_threshold(scores, k));
  // Room for all: how many equal the threshold is not known. Kept between calls, as filling it anew costs a pass.
  if (found_.size() < scores.size() + kSlack) found_.resize(scores.size() + kSlack);
  const int found = kernels_.collect(scores.data(), n, threshold, first_index, found_.data());
  // More than k only where scores equal the threshold: the last of those go.
  const auto begin = found_.begin();
  int read = found;
  int write = found;
  for (int surplus = found - k; surplus > 0;) {
    const int32_t index = begin[--read];
    if (scores[static_cast<size_t>(index - first_index)] == threshold) {
      --surplus;
    } else {
      begin[--write] = index;
    }
  }
  out.insert(out.end(), begin, begin + read);
  out.insert(out.end(), begin + write, begin + found);
}

int TopK::count_for_mass(std::span<const int16_t> scores, double share, int floor, int ceiling) {
  constexpr int kShift = 3;  // bins of a sixteenth of a halving
  constexpr int kBins = 65536 >> kShift;
  std::vector<int> counts(kBins, 0);
  for (const int16_t score : scores) ++counts[static_cast<size_t>((score + 32768) >> kShift)];
  // Relative to the largest, so that nothing overflows.
  int top = kBins - 1;
  while (top > 0 && counts[static_cast<size_t>(top)] == 0) --top;
  const auto weight = [&](int bin) { return std::exp2(static_cast<double>((bin - top) << kShift) / kScoreUnit); };
  double total = 0;
  for (int bin = top; bin >= 0; --bin) total += counts[static_cast<size_t>(bin)] * weight(bin);
  double held = 0;
  int n = 0;
  for (int bin = top; bin >= 0 && held < share * total; --bin) {
    if (counts[static_cast<size_t>(bin)] == 0) continue;
    const double wanted = std::ceil((share * total - held) / weight(bin));
    const int taken = static_cast<int>(std::min<double>(counts[static_cast<size_t>(bin)], std::max(1.0, wanted)));
    n += taken;
    held += taken * weight(bin);
  }
  return std::clamp(n, std::min(floor, ceiling), ceiling);
}

}  // namespace mneme::engine

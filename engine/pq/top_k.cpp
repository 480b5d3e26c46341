#include "engine/pq/top_k.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace mneme::engine {
namespace {

constexpr size_t kSampleSize = 2048;
constexpr int kSlack = 16;  // what PqKernels::collect may write beyond its result
constexpr int kFineBits = 6;
constexpr int kCoarseBins = 65536 >> kFineBits;

}  // namespace

// A threshold that very likely at least k scores reach, and few more.
int TopK::guess(std::span<const int16_t> scores, int k) {
  // Every stride-th score from the middle of its stretch; the tokens of a text are not periodic.
  const size_t stride = std::max<size_t>(1, scores.size() / kSampleSize);
  sample_.clear();
  for (size_t i = stride / 2; i < scores.size(); i += stride) sample_.push_back(scores[i]);
  const double n = static_cast<double>(sample_.size());
  const double share = static_cast<double>(k) / static_cast<double>(scores.size());
  const double margin = stride == 1 ? 0 : 3 * std::sqrt(n * share * (1 - share)) + 4;
  const auto rank = static_cast<size_t>(std::min(n, std::ceil(n * share + margin)));
  if (rank >= sample_.size()) return INT16_MIN;
  const auto at = sample_.begin() + static_cast<std::ptrdiff_t>(std::max<size_t>(rank, 1) - 1);
  std::nth_element(sample_.begin(), at, sample_.end(), std::greater<>());
  return *at;
}

// The k-th largest score of the candidates: counted by the upper bits, then by the lower ones within one bin.
int16_t TopK::threshold_among_candidates(std::span<const int16_t> scores, int16_t at_least, int n_candidates, int k) {
  const auto bin_of = [&](int32_t index) {
    return static_cast<unsigned>(scores[static_cast<size_t>(index)] - at_least);
  };
  counts_.assign(kCoarseBins, 0);
  for (int i = 0; i < n_candidates; ++i) ++counts_[bin_of(candidates_[static_cast<size_t>(i)]) >> kFineBits];
  int above = 0;
  int coarse = kCoarseBins - 1;
  for (; coarse > 0 && above + counts_[static_cast<size_t>(coarse)] < k; --coarse)
    above += counts_[static_cast<size_t>(coarse)];
  std::array<int, 1 << kFineBits> fine{};
  for (int i = 0; i < n_candidates; ++i) {
    const unsigned bin = bin_of(candidates_[static_cast<size_t>(i)]);
    if (static_cast<int>(bin >> kFineBits) == coarse) ++fine[bin & ((1u << kFineBits) - 1)];
  }
  int last = (1 << kFineBits) - 1;
  for (; last > 0 && above + fine[static_cast<size_t>(last)] < k; --last) above += fine[static_cast<size_t>(last)];
  return static_cast<int16_t>(at_least + (coarse << kFineBits) + last);
}

void TopK::select(std::span<const int16_t> scores, int k, int32_t first_index, std::vector<int32_t>& out) {
  const int n = static_cast<int>(scores.size());
  if (k <= 0 || n == 0) return;
  if (k >= n) {
    for (int i = 0; i < n; ++i) out.push_back(first_index + i);
    return;
  }
  candidates_.resize(scores.size() + kSlack);
  int16_t threshold = static_cast<int16_t>(guess(scores, k));
  int found = kernels_.collect(scores.data(), n, threshold, 0, candidates_.data());
  if (found < k) {
    threshold = INT16_MIN;
    found = kernels_.collect(scores.data(), n, threshold, 0, candidates_.data());
  }
  const int16_t exact = threshold_among_candidates(scores, threshold, found, k);
  const size_t before = out.size();
  out.resize(before + static_cast<size_t>(found) + kSlack);
  int chosen = kernels_.collect(scores.data(), n, exact, first_index, out.data() + before);
  // More than k only where scores equal the threshold: the last of those go.
  if (chosen > k) {
    int surplus = chosen - k;
    int write = chosen;
    int read = chosen;
    while (surplus > 0) {
      const int32_t index = out[before + static_cast<size_t>(--read)];
      if (scores[static_cast<size_t>(index - first_index)] == exact) {
        --surplus;
      } else {
        out[before + static_cast<size_t>(--write)] = index;
      }
    }
    // What was kept of the tail moves down to where reading stopped.
    const auto begin = out.begin() + static_cast<std::ptrdiff_t>(before);
    std::copy(begin + write, begin + chosen, begin + read);
    chosen = k;
  }
  out.resize(before + static_cast<size_t>(chosen));
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

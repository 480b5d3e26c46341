// Ranking keys by cells. Two parts of at most six bits make at most 4096 pairs of codes; keys with the same pair have
// the same score, so cells are weighed, counted and ranked, and of the keys only the codes of those that are taken are
// looked at twice. The choice is that of scoring every key: the k best, of equals the lowest. Work per key is a bit's
// look-up, whatever the number of query heads; the softmax over all keys costs nothing per key.
//
// What is not taken can be estimated from the same counts: its weight per cell, and by that the weight per code of
// either part, which the mean values of the codes turn into an output [the estimation zone of RetroInfer 2505.02922,
// with codes in place of its clusters].
//
// Use: clear() and add(), or use_counts(); weights() of all heads; head_sums(); score(); take().
// Threads: one object per thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/fetch_ahead.h"
#include "engine/pq/pq_kernels.h"
#include "engine/types.h"

namespace mneme::engine {

// Codes of both parts of a head's keys, by position.
struct CodePair {
  const uint8_t* first = nullptr;
  const uint8_t* second = nullptr;

  size_t cell(TokenPos position) const { return size_t{first[position]} * kTableEntries + second[position]; }
};

// counts[cell] += change for keys [begin, end).
void count_cells(const CodePair& codes, TokenPos begin, TokenPos end, float change, std::span<float> counts);

// The k-th best score: the largest that at least k keys reach, or one that k keys reach.
struct KthScore {
  int score = 0;
  int n_reaching = 0;  // keys
};

class CellRanking {
 public:
  explicit CellRanking(const PqKernels& kernels);
  CellRanking(CellRanking&&) = default;  // not copied: counts may be its own

  // No key is counted.
  void clear(int n_heads);
  // After clear().
  void add(const CodePair& codes, TokenPos begin, TokenPos end) { count_cells(codes, begin, end, 1.0f, own_counts_); }
  // Instead of clear() and add(): (kCells) counts that somebody keeps. They are read where they lie, by every call up
  // to the next clear() or use_counts(): neither copied nor changed.
  void use_counts(int n_heads, std::span<const float> counts);

  // (2, kTableEntries) of a head, to be filled: weights of the codes of either part, from e^kCellFloor to 1.
  std::span<float> weights(int head);
  // The sum of a head's weights over all keys counted, and over those of [begin, end), which are not.
  std::span<const float> head_sums(const CodePair& codes = {}, TokenPos begin = 0, TokenPos end = 0);

  // To ask for the memory that score() will write.
  [[gnu::always_inline]] FetchAhead ahead() const {
    return {scores_.data(), static_cast<int64_t>(scores_.size() * sizeof(int16_t))};
  }

  // Scores the cells: the sum, or the largest, of the heads' weights times factors, which are within [1e-9, 1e28].
  void score(std::span<const float> factors, bool maximum);

  // counts[t] = how many keys score >= thresholds[t], which are >= 0; after score().
  void count_reaching(const int16_t (&thresholds)[kThresholds], int (&counts)[kThresholds]) const;

  // reaching[i] = how many keys score >= first + i, which is as PqKernels::count_near() wants it; after score().
  void count_near(int16_t first, int (&reaching)[kNearScores + 1]) const;

  // How many of the best keys hold `share` of all weight, to 3 %, within [floor, ceiling].
  int count_for_mass(double share, int floor, int ceiling) const;

  // Appends the positions, ascending, of the k best keys of [begin, end), which are those counted; of cells that score
  // alike the first, of a cell the first keys. guess: what the k-th may score; it costs or saves time and changes
  // nothing. Cells that are dropped score less afterwards.
  void take(const CodePair& codes, TokenPos begin, TokenPos end, int k, std::optional<int16_t> guess,
            std::vector<TokenPos>& out);
  // The same for one who knows the k-th score already.
  void take_by(const CodePair& codes, TokenPos begin, TokenPos end, int k, const KthScore& kth,
               std::vector<TokenPos>& out);

  // After take(): the weights of the keys counted but not taken, per head and code (n_heads, kTableEntries), in units
  // of weights().
  void weigh_rest(std::span<const float> factors, std::vector<float>& first, std::vector<float>& second);

 private:
  struct Surplus {
    int n = 0;  // keys of `cell`
    size_t cell = 0;
  };
  KthScore find_kth(int k, int n_keys, std::optional<int16_t> guess) const;
  Surplus drop_cells(int surplus);
  int drop_keys(const CodePair& codes, TokenPos begin, TokenPos end, const Surplus& surplus, std::span<TokenPos> found);

  const PqKernels& kernels_;
  int n_heads_ = 0;
  std::vector<float> own_counts_;  // (kCells)
  const float* counts_ = nullptr;  // (kCells): own_counts_, or those that somebody keeps
  std::vector<int16_t> scores_;    // (kCells)
  std::vector<float> weights_;     // (n_heads, 2, kTableEntries)
  std::vector<float> sums_;
  std::vector<int32_t> found_;  // cells
  // Of the last take():
  int threshold_ = 0;
  std::vector<int32_t> dropped_;  // keys that reached it and were not taken, the last first
  size_t dropped_cell_ = 0;       // which is theirs
};

}  // namespace mneme::engine

// The reference of the retrieval kernels.
#include "engine/pq/pq_kernels_impl.h"
#include "engine/simd/scalar_vector.h"

namespace mneme::engine {
namespace {

struct Lanes : simd::ScalarVector {
  static int first_equal(F a, float b) { return a == b ? 0 : -1; }
  static void store_upper(int16_t* p, F x) { *p = static_cast<int16_t>(std::bit_cast<uint32_t>(x) >> 16); }
  static int load_scores(const int16_t* p) { return *p; }
  static F add_reaching(F sum, F n, int score, int16_t threshold) { return score >= threshold ? sum + n : sum; }
  static uint64_t near_scores(const int16_t* scores, int16_t first) {
    uint64_t near = 0;
    for (int i = 0; i < kTableEntries; ++i)
      near |= uint64_t{scores[i] >= first && scores[i] < first + kNearScores} << i;
    return near;
  }
  static F keep_below(F n, int score, int16_t threshold) { return score < threshold ? n : 0.0f; }
};
using Loops = PqLoops<Lanes>;

void scan(const ScanRun& run) {
  Loops::scan_keys(run, 0, run.n_keys);
}
void combine(const CombineRun& run) {
  Loops::combine_keys(run, 0, run.n_keys);
}
void count(const int16_t* scores, int n, const int16_t (&thresholds)[kThresholds], int (&counts)[kThresholds]) {
  for (int& one : counts) one = 0;
  Loops::count_keys(scores, 0, n, thresholds, counts);
}
int collect(const int16_t* scores, int n, int16_t threshold, int32_t first_index, int32_t* out) {
  return Loops::collect_keys(scores, 0, n, threshold, first_index, out);
}

int collect_cells(const CellCollectRun& run) {
  uint64_t rows[kTableEntries] = {};
  for (int cell = 0; cell < kCells; ++cell)
    rows[cell / kTableEntries] |= uint64_t{run.scores[cell] >= run.threshold} << cell % kTableEntries;
  return Loops::collect_marked(run, rows, 0, 0);
}

}  // namespace

const PqKernels& pq_kernels_scalar() {
  static constexpr PqKernels table = [] {
    PqKernels kernels = Loops::shared_part("scalar");
    kernels.scan = scan;
    kernels.combine = combine;
    kernels.collect = collect;
    kernels.count = count;
    kernels.collect_cells = collect_cells;
    return kernels;
  }();
  return table;
}

}  // namespace mneme::engine

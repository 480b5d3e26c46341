// The reference of the retrieval kernels.
#include "engine/backend/cpu/simd_scalar.h"
#include "engine/pq/pq_kernels_impl.h"

namespace mneme::engine {
namespace {

struct Lanes : cpu::ScalarVector {
  static int first_equal(F a, float b) { return a == b ? 0 : -1; }
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

}  // namespace

const PqKernels& pq_kernels_scalar() {
  static constexpr PqKernels table = {"scalar", scan, combine, collect, count, Loops::nearest, Loops::products};
  return table;
}

}  // namespace mneme::engine

#include "base/fetch_ahead.h"

namespace mneme {

#if defined(__x86_64__)
const int64_t FetchAhead::kUsualRuns = (__builtin_cpu_init(), __builtin_cpu_is("amd")) ? 1 : kMostRuns;
#else
const int64_t FetchAhead::kUsualRuns = kMostRuns;
#endif

}  // namespace mneme

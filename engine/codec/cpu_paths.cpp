#include "engine/codec/cpu_paths.h"

namespace mneme::engine {

std::vector<std::string_view> codec_paths() {
  std::vector<std::string_view> paths = {"scalar"};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c")) {
    paths.push_back("avx2");
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vnni")) {
      paths.push_back("avx512");
    }
  }
#endif
  return paths;
}

std::string_view best_codec_path() {
  static const std::string_view best = codec_paths().back();
  return best;
}

}  // namespace mneme::engine

// fuzz_replay SEEDS: every target over its seeds (SEEDS/<target>/*) and over deterministic mutations of them. The
// regression run of the fuzz targets, in any build: inputs that once broke something lie among the seeds.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/random.h"
#include "tests/fuzz/target_list.h"

namespace {

namespace fs = std::filesystem;

constexpr int kMutationsPerSeed = 20;
// A slow target stops mutating after this; its seeds are always all run.
constexpr double kSecondsPerTarget = 2.0;

std::vector<std::string> seeds_of(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(folder, absent)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds = {""};
  for (const fs::path& path : paths) {
    std::ifstream stream(path, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return seeds;
}

// Flips, overwrites, cuts and repeats, as a fuzzer begins.
std::string mutate(std::string bytes, mneme::Random& random) {
  for (uint64_t n = 1 + random.below(4); n > 0 && !bytes.empty(); --n) {
    const size_t at = random.below(bytes.size());
    switch (random.below(5)) {
      case 0: bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8))); break;
      case 1: bytes[at] = static_cast<char>(random.below(256)); break;
      case 2: bytes.resize(at); break;
      case 3: bytes.insert(at, bytes.substr(at, random.below(32))); break;
      default: bytes.erase(at, random.below(8)); break;
    }
  }
  return bytes;
}

void run(const mneme::fuzz::Target& target, const std::string& bytes) {
  target.run(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: fuzz_replay SEEDS\n");
    return 2;
  }
  for (const mneme::fuzz::Target& target : mneme::fuzz::all_targets()) {
    const std::vector<std::string> seeds = seeds_of(fs::path(argv[1]) / target.name);
    const auto begin = std::chrono::steady_clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    mneme::Random random(1);
    int64_t runs = 0;
    for (const std::string& seed : seeds) {
      run(target, seed);
      ++runs;
      for (int i = 0; i < kMutationsPerSeed && seconds() < kSecondsPerTarget; ++i, ++runs) {
        run(target, mutate(seed, random));
      }
    }
    std::printf("%.*s: %zu seeds, %lld runs, %.1f s\n", static_cast<int>(target.name.size()), target.name.data(),
                seeds.size() - 1, static_cast<long long>(runs), seconds());
    std::fflush(stdout);
  }
  return 0;
}

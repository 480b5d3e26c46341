// fuzz_replay SEEDS [--seconds N] [--number N] [--findings FOLDER] [TARGET...]: every target, or those named, over its
// seeds (SEEDS/<target>/*) and over mutations of them. The regression run of the fuzz targets, in any build: inputs
// that once broke something lie among the seeds.
//   --seconds N       mutations for so long each, instead of some of each seed; what they are does not depend on the
//                     clock, only how many
//   --number N        other mutations (1), so that runs after each other add up
//   --findings FOLDER where the input goes that ends the program (the current folder)
//   --list            the names of the targets
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory_limit.h"
#include "tests/fuzz/finding.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/target_list.h"

namespace {

namespace fs = std::filesystem;
using mneme::fuzz::Target;

constexpr size_t kMutationsPerSeed = 200;
// Without --seconds a slow target stops mutating after this; its seeds are always all run.
constexpr double kSecondsPerTarget = 2.0;
// An input that takes longer, or needs more memory, is a finding; libFuzzer is told the same (scripts/soak).
constexpr unsigned kSecondsPerInput = 25;
constexpr uint64_t kBytesPerInput = uint64_t{4} << 30;

struct Options {
  fs::path seeds;
  double seconds = 0;  // 0: some mutations of each seed
  uint64_t number = 1;
  std::string findings = ".";
  std::vector<const Target*> targets;
};

[[noreturn]] void end_with(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(2);
}

void list_targets() {
  for (const Target& target : mneme::fuzz::all_targets()) {
    std::printf("%.*s\n", static_cast<int>(target.name.size()), target.name.data());
  }
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--list") {
      list_targets();
      std::exit(0);
    } else if (word == "--seconds" && i + 1 < argc) {
      options.seconds = std::atof(argv[++i]);
    } else if (word == "--number" && i + 1 < argc) {
      options.number = std::strtoull(argv[++i], nullptr, 10);
    } else if (word == "--findings" && i + 1 < argc) {
      options.findings = argv[++i];
    } else if (options.seeds.empty()) {
      options.seeds = word;
    } else if (const Target* target = mneme::fuzz::find_target(word)) {
      options.targets.push_back(target);
    } else {
      end_with("there is no fuzz target " + std::string(word) + "; --list names them");
    }
  }
  if (options.seeds.empty()) {
    end_with("usage: fuzz_replay SEEDS [--seconds N] [--number N] [--findings FOLDER] [TARGET...]");
  }
  if (options.targets.empty()) {
    for (const Target& target : mneme::fuzz::all_targets()) options.targets.push_back(&target);
  }
  return options;
}

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

void run(const Target& target, const std::string& bytes) {
  mneme::fuzz::begin_input(bytes);
  target.run(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
}

void run_target(const Target& target, const Options& options) {
  const std::vector<std::string> seeds = seeds_of(options.seeds / target.name);
  mneme::fuzz::keep_findings(options.findings, target.name, kSecondsPerInput);
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  for (const std::string& seed : seeds) run(target, seed);
  mneme::fuzz::Mutator mutator(seeds, options.number);
  const size_t most = options.seconds > 0 ? SIZE_MAX : kMutationsPerSeed * seeds.size();
  const double limit_s = options.seconds > 0 ? options.seconds : kSecondsPerTarget;
  size_t mutations = 0;
  for (; mutations < most && seconds() < limit_s; ++mutations) run(target, mutator.next(mutations % seeds.size()));
  mneme::fuzz::end_inputs();
  std::printf("%.*s: %zu seeds, %zu runs, %.1f s\n", static_cast<int>(target.name.size()), target.name.data(),
              seeds.size() - 1, seeds.size() + mutations, seconds());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  // On top of what is there: sanitizers have taken their shadow memory by now.
  if (const uint64_t taken = mneme::taken_memory_bytes(); taken > 0) {
    if (!mneme::limit_memory(taken + kBytesPerInput).ok()) end_with("cannot limit the memory of an input");
  }
  for (const Target* target : options.targets) run_target(*target, options);
  return 0;
}

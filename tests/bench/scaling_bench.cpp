// What a second thread brings: reading and arithmetic alone, which tell what the hardware has to give, and beside them
// prefill and decode of shape bench-336m. One and two threads in turn; medians. Two threads of one core share its
// arithmetic units, so that products cannot gain much there; two cores share nothing but the memory.
//   scaling_bench [ROUNDS] [TYPE]      5 rounds, Q8_0
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/measure/ceilings.h"
#include "engine/gguf/tensor_type.h"
#include "engine/language_model.h"

namespace {

using namespace mneme;          // NOLINT: a tool
using namespace mneme::engine;  // NOLINT

using Clock = std::chrono::steady_clock;

constexpr int kPrefillTokens = 512;
constexpr int kDecodeTokens = 64;
constexpr int kThreadCounts[] = {1, 2};

enum Measure { kRead, kF32, kInt8, kTiles, kPrefill, kDecode, kMeasures };
constexpr const char* kNames[kMeasures] = {"reading, GB/s",     "f32 multiply-adds, GFLOP/s", "8-bit products, GOP/s",
                                           "bf16 tiles, GOP/s", "prefill 512, tokens/s",      "decode 64, tokens/s"};
using Rates = std::vector<double>[kMeasures];

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<TokenId> some_tokens(int n) {
  std::vector<TokenId> ids(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) ids[static_cast<size_t>(i)] = (i * 7919 + 13) % 32000;
  return ids;
}

void measure_machine(int n_threads, Rates& rates) {
  const app::Ceilings ceilings = app::measure_ceilings(n_threads);
  rates[kRead].push_back(ceilings.read_gb_s);
  rates[kF32].push_back(ceilings.f32_gflop_s);
  rates[kInt8].push_back(ceilings.int8_gop_s);
  rates[kTiles].push_back(ceilings.tile_gop_s);
}

Status measure_model(LanguageModel& model, Rates& rates) {
  const std::vector<TokenId> prompt = some_tokens(kPrefillTokens);
  MNEME_ASSIGN_OR_RETURN(auto sequence, model.new_sequence(kPrefillTokens));
  Clock::time_point start = Clock::now();
  MNEME_RETURN_IF_ERROR(sequence->append(prompt));
  rates[kPrefill].push_back(kPrefillTokens / seconds_since(start));
  sequence->truncate(0);
  start = Clock::now();
  for (int i = 0; i < kDecodeTokens; ++i)
    MNEME_RETURN_IF_ERROR(sequence->append(std::span(prompt).subspan(static_cast<size_t>(i), 1)));
  rates[kDecode].push_back(kDecodeTokens / seconds_since(start));
  return {};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int fail(const Status& status) {
  std::fprintf(stderr, "scaling_bench: %s\n", status.message().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const int n_rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 5;
  const auto type = gguf::tensor_type_from_name(argc > 2 ? argv[2] : "Q8_0");
  if (!type) return fail(usage_error("unknown tensor type " + std::string(argv[2])));
  std::unique_ptr<LanguageModel> models[std::size(kThreadCounts)];
  Rates rates[std::size(kThreadCounts)];
  for (size_t i = 0; i < std::size(kThreadCounts); ++i) {
    ModelOptions options;
    options.device = {.device = "cpu", .n_threads = kThreadCounts[i]};
    auto model = LanguageModel::make_random("bench-336m", *type, options, 1);
    if (!model.ok()) return fail(model.status());
    models[i] = std::move(*model);
    Rates first_use;  // new memory is slow
    if (const Status status = measure_model(*models[i], first_use); !status.ok()) return fail(status);
  }
  for (int round = 0; round < n_rounds; ++round) {
    for (size_t i = 0; i < std::size(kThreadCounts); ++i) {
      measure_machine(kThreadCounts[i], rates[i]);
      if (const Status status = measure_model(*models[i], rates[i]); !status.ok()) return fail(status);
    }
  }
  std::printf("%-28s %10s %10s %8s\n", "", "1 thread", "2 threads", "ratio");
  for (int measure = 0; measure < kMeasures; ++measure) {
    const double one = median(rates[0][measure]);
    const double two = median(rates[1][measure]);
    if (one > 0) std::printf("%-28s %10.1f %10.1f %8.2f\n", kNames[measure], one, two, two / one);
  }
  return 0;
}

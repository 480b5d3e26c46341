// What an answer loses by what is computed behind it: decoding alone, and beside a thread that computes passages in the
// background, in turn; medians. Shape bench-336m, two threads.
//   beside_bench [ROUNDS] [TYPE]      5 rounds, Q8_0
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/cancel.h"
#include "base/stopwatch.h"
#include "engine/gguf/tensor_type.h"
#include "engine/language_model.h"

namespace {

using namespace mneme;          // NOLINT: a tool
using namespace mneme::engine;  // NOLINT

constexpr int kPassageTokens = 512;
constexpr int kDecodeTokens = 64;

std::vector<TokenId> some_tokens(int n) {
  std::vector<TokenId> ids(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) ids[static_cast<size_t>(i)] = (i * 7919 + 13) % 32000;
  return ids;
}

Result<double> decode(LanguageModel& model) {
  const std::vector<TokenId> ids = some_tokens(kDecodeTokens + 1);
  MNEME_ASSIGN_OR_RETURN(auto sequence, model.new_sequence(kDecodeTokens + 1));
  MNEME_RETURN_IF_ERROR(sequence->append(std::span(ids).first(1)));
  const auto start = std::chrono::steady_clock::now();
  for (size_t i = 0; i < kDecodeTokens; ++i) MNEME_RETURN_IF_ERROR(sequence->append(std::span(ids).subspan(i + 1, 1)));
  return kDecodeTokens / seconds_since(start);
}

// Passage after passage until it is cancelled.
Status compute_passages(LanguageModel& model, std::atomic<bool>& begun, const CancelToken& cancel) {
  const std::vector<TokenId> ids = some_tokens(kPassageTokens);
  MNEME_ASSIGN_OR_RETURN(auto sequence, model.new_sequence(kPassageTokens));
  sequence->set_priority(Priority::kBackground);
  while (!cancel.cancelled()) {
    begun = true;
    const Status status = sequence->append(ids, cancel);
    if (!status.ok() && !cancel.cancelled()) return status;
    sequence->truncate(0);
  }
  return {};
}

Result<double> decode_beside_passages(LanguageModel& model) {
  CancelToken cancel;
  std::atomic<bool> begun{false};
  Status computed;
  std::thread background([&] { computed = compute_passages(model, begun, cancel); });
  while (!begun) std::this_thread::yield();
  Result<double> rate = decode(model);
  cancel.cancel();
  background.join();
  MNEME_RETURN_IF_ERROR(computed);
  return rate;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Status run(int n_rounds, gguf::TensorType type) {
  ModelOptions options;
  options.device = {.device = "cpu", .n_threads = 2};
  MNEME_ASSIGN_OR_RETURN(auto model, LanguageModel::make_random("bench-336m", type, options, 1));
  MNEME_RETURN_IF_ERROR(decode(*model).status());  // new memory is slow
  std::vector<double> alone, beside;
  for (int round = 0; round < n_rounds; ++round) {
    MNEME_ASSIGN_OR_RETURN(double rate, decode(*model));
    alone.push_back(rate);
    MNEME_ASSIGN_OR_RETURN(rate, decode_beside_passages(*model));
    beside.push_back(rate);
  }
  std::printf("decode 64, tokens/s: alone %.1f, beside passages in the background %.1f (%.2f)\n", median(alone),
              median(beside), median(beside) / median(alone));
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const int n_rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 5;
  const auto type = gguf::tensor_type_from_name(argc > 2 ? argv[2] : "Q8_0");
  const Status status = type ? run(n_rounds, *type) : usage_error("unknown tensor type " + std::string(argv[2]));
  if (status.ok()) return 0;
  std::fprintf(stderr, "beside_bench: %s\n", status.message().c_str());
  return 1;
}

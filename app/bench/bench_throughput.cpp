// bench throughput: questions per second with random reuse of passages. The time of every question is measured one
// after the other; what a queue of them does at a rate of arrivals is then computed exactly (Lindley's recursion) from
// those times, since one engine answers one question at a time.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/bench/bench.h"
#include "app/bench/fusion_bed.h"
#include "app/measure/envelope.h"
#include "app/measure/statistics.h"
#include "app/output/progress.h"
#include "app/output/result_file.h"
#include "base/random.h"

namespace mneme::app {
namespace {

using nlohmann::json;

constexpr uint64_t kSeed = 1;
constexpr int kDefaultChunks = 6;
constexpr int kPoolFactor = 4;  // passages there are, for each that a question uses
constexpr int kQuestionsPerRep = 8;
constexpr int kArrivals = 4000;
constexpr int kDefaultAnswerTokens = 16;
// Rates, relative to what full prefill can bear.
constexpr double kRates[] = {0.25, 0.5, 0.75, 0.9, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0};
// First-token time at which modes are compared, relative to full prefill without a queue.
constexpr double kPatience = 2.0;

struct Service {
  double first_token_s = 0.0;
  double total_s = 0.0;
};

struct Measured {
  FusionLane lane;
  std::vector<Service> questions;
  double mean_s() const {
    double sum = 0;
    for (const Service& one : questions) sum += one.total_s;
    return sum / static_cast<double>(questions.size());
  }
};

// Passages of a question: drawn at random, in random order.
std::vector<int> draw(Random& random, int n, int pool) {
  std::vector<int> all(static_cast<size_t>(pool));
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  for (size_t i = 0; i < static_cast<size_t>(n); ++i) std::swap(all[i], all[i + random.below(all.size() - i)]);
  all.resize(static_cast<size_t>(n));
  return all;
}

// First-token times, waiting included, of questions that arrive at random (Poisson) at `rate` per second.
std::vector<double> queue_first_tokens(const std::vector<Service>& services, double rate) {
  Random random(kSeed);
  std::vector<double> times;
  double wait = 0.0;
  for (int i = 0; i < kArrivals; ++i) {
    const Service& service = services[random.below(services.size())];
    times.push_back((wait + service.first_token_s) * 1e3);
    const double until_next = -std::log(1.0 - random.uniform()) / rate;
    wait = std::max(0.0, wait + service.total_s - until_next);
  }
  return times;
}

// The highest rate at which half of the questions get their first token within the limit. The median grows with it.
double bearable_rate(const std::vector<Service>& services, double mean_s, double limit_ms) {
  double low = 0.0;
  double high = 1.0 / mean_s;
  for (int i = 0; i < 30; ++i) {
    const double rate = (low + high) / 2;
    (quantile(queue_first_tokens(services, rate), 0.5) <= limit_ms ? low : high) = rate;
  }
  return low;
}

json lane_json(const Measured& measured, double full_rate, double limit_ms) {
  std::vector<double> alone;
  alone.reserve(measured.questions.size());
  for (const Service& one : measured.questions) alone.push_back(one.first_token_s * 1e3);
  json rates = json::array();
  for (const double share : kRates) {
    const double rate = share * full_rate;
    const bool bearable = rate * measured.mean_s() < 1.0;  // else the queue grows without end
    const std::vector<double> times = bearable ? queue_first_tokens(measured.questions, rate) : std::vector<double>();
    rates.push_back({{"rate_qps", rate},
                     {"ttft_ms", bearable ? json(quantile(times, 0.5)) : json(nullptr)},
                     {"ttft_p95_ms", bearable ? json(quantile(times, 0.95)) : json(nullptr)}});
  }
  return {{"mode", measured.lane.name()},
          {"questions", measured.questions.size()},
          {"ttft_ms", spread_json(alone)},
          {"capacity_qps", 1.0 / measured.mean_s()},
          {"rate_qps", bearable_rate(measured.questions, measured.mean_s(), limit_ms)},
          {"at_ttft_ms", limit_ms},
          {"rates", std::move(rates)}};
}

Status measure(Context& context, FusionBed& bed, const BenchOptions& options, int chunks,
               std::vector<Measured>& lanes) {
  const int n_answer = options.tokens > 0 ? options.tokens : kDefaultAnswerTokens;
  const int n_questions = options.reps * kQuestionsPerRep;
  Random random(kSeed);
  Progress bar(context.output, "questions");
  uint64_t done = 0;
  for (int i = -1; i < n_questions; ++i) {
    const rag::Prompt prompt = bed.prompt(draw(random, chunks, bed.n_passages()));
    for (Measured& one : lanes) {
      MNEME_ASSIGN_OR_RETURN(const FusionRun run, bed.run(prompt, one.lane));
      MNEME_ASSIGN_OR_RETURN(const double decode_ms, bed.decode(run.first_token, n_answer - 1));
      bar.update(++done, static_cast<uint64_t>(n_questions + 1) * lanes.size(), one.lane.name());
      if (i < 0) continue;  // the first question warms up
      one.questions.push_back({run.first_token_ms / 1e3, (run.first_token_ms + decode_ms) / 1e3});
    }
  }
  return {};
}

}  // namespace

Result<json> bench_throughput(Context& context, const BenchOptions& options) {
  BenchOptions chosen = options;
  if (chosen.modes.empty()) chosen.modes = {"full", "prefix", "blend"};
  chosen.tokens = chosen.tokens > 0 ? chosen.tokens : kDefaultAnswerTokens;
  MNEME_ASSIGN_OR_RETURN(const std::vector<FusionLane> lanes, fusion_lanes(chosen));
  const int chunks = options.n_chunks(kDefaultChunks);
  MNEME_ASSIGN_OR_RETURN(json model, kept_model(context, options));
  const json identity = {{"bench", "throughput"},     {"shape", chosen.shape},
                         {"model", std::move(model)}, {"type", chosen.type},
                         {"chunks", chunks},          {"chunk_tokens", chosen.chunk_tokens},
                         {"modes", chosen.modes},     {"recompute", chosen.recompute},
                         {"level", chosen.kv_level},  {"reps", chosen.reps},
                         {"tokens", chosen.tokens},   {"cold", chosen.cold}};
  MNEME_ASSIGN_OR_RETURN(ResultFile kept, ResultFile::open(options.results_file, identity));
  note_kept(context.output, kept);
  if (const json* known = kept.find("results")) return *known;
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<FusionBed> bed, FusionBed::make(context, chosen, chunks * kPoolFactor));
  std::vector<Measured> measured;
  measured.reserve(lanes.size());
  for (const FusionLane& lane : lanes) measured.push_back({.lane = lane, .questions = {}});
  MNEME_RETURN_IF_ERROR(measure(context, *bed, chosen, chunks, measured));
  const auto full = std::find_if(measured.begin(), measured.end(),
                                 [](const Measured& one) { return one.lane.mode == rag::AnswerMode::kFull; });
  const Measured& baseline = full != measured.end() ? *full : measured.front();
  std::vector<double> baseline_ms;
  baseline_ms.reserve(baseline.questions.size());
  for (const Service& one : baseline.questions) baseline_ms.push_back(one.first_token_s * 1e3);
  const double limit_ms = kPatience * quantile(baseline_ms, 0.5);
  json results = json::array();
  for (const Measured& one : measured) results.push_back(lane_json(one, 1.0 / baseline.mean_s(), limit_ms));
  MNEME_RETURN_IF_ERROR(kept.add("results", results));
  return results;
}

}  // namespace mneme::app

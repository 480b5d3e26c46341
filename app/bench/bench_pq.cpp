// bench pq: decoding with retrieval against full attention, by context and budget, lane by lane in turn; with what
// clustering costs, how fast the scan is and what it finds.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/bench/bench.h"
#include "app/bench/pq_plots.h"
#include "app/bench/synthetic_kv.h"
#include "app/measure/envelope.h"
#include "app/measure/statistics.h"
#include "app/output/output_path.h"
#include "app/output/progress.h"
#include "app/output/result_file.h"
#include "base/random.h"
#include "base/stopwatch.h"
#include "engine/language_model.h"

namespace mneme::app {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr uint64_t kSeed = 1;
constexpr int kDefaultTokens = 8;
constexpr int kShortContext = 4096;  // what a token at length is compared with as well
constexpr int kCheckedTokens = 2;    // whose exact scores are computed, for recall and mass
constexpr int kPrefillRows = 512;
constexpr int kLongestTimedPrefill = 65536;  // beyond, one step of a prefill takes too long to be worth measuring
constexpr double kCacheBytes = 64e6;         // a processor's last-level cache, generously

// A way to decode that is measured: full attention, or a method at a budget.
struct Lane {
  std::string method;  // empty: full attention
  std::string budget;
  engine::RetrievalOptions options;
  engine::Sequence* sequence = nullptr;
  std::vector<double> milliseconds;                 // per token
  engine::RetrievalReport report;                   // of the timed steps
  engine::RetrievalReport checked;                  // of those with exact scores
  engine::RetrievalReport prepared;                 // after the first token that retrieved: what making the index took
  std::optional<double> second_token_seconds = {};  // from a prompt's first token to the next, the index included

  // Where blocks are copied to a GPU it is that of the timed steps, else what a cache would have had.
  std::optional<double> block_cache_hit_rate() const {
    return report.block_cache_hit_rate ? report.block_cache_hit_rate : checked.block_cache_hit_rate;
  }
};

class PqBench {
 public:
  PqBench(Context& context, const BenchOptions& options, const Ceilings& ceilings, engine::LanguageModel& model)
      : context_(context), options_(options), ceilings_(ceilings), model_(model), random_(kSeed) {
    const int n = options.tokens > 0 ? options.tokens : kDefaultTokens;
    ids_ = random_ids(n);
  }

  Result<json> measure(int n_context) {
    MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::Sequence> short_one, filled(kShortContext));
    MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::Sequence> full, filled(n_context));
    MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::Sequence> few, filled(n_context));
    MNEME_ASSIGN_OR_RETURN(std::vector<Lane> lanes, make_lanes(*few));
    Lane full_lane{.method = "",
                   .budget = "",
                   .options = {},
                   .sequence = full.get(),
                   .milliseconds = {},
                   .report = {},
                   .checked = {},
                   .prepared = {}};
    Lane short_lane = full_lane;
    short_lane.sequence = short_one.get();
    Progress bar(context_.output, "context " + std::to_string(n_context));
    for (int rep = -1; rep < options_.reps; ++rep) {
      MNEME_RETURN_IF_ERROR(time_lane(short_lane, kShortContext, rep));
      MNEME_RETURN_IF_ERROR(time_lane(full_lane, n_context, rep));
      for (Lane& lane : lanes) MNEME_RETURN_IF_ERROR(time_lane(lane, n_context, rep));
      bar.update(static_cast<uint64_t>(rep) + 2, static_cast<uint64_t>(options_.reps) + 1, "");
    }
    for (Lane& lane : lanes) MNEME_RETURN_IF_ERROR(check_lane(lane, n_context));
    MNEME_ASSIGN_OR_RETURN(const std::optional<double> prefill, prefill_seconds(*full, n_context));
    json results = json::array();
    for (const Lane& lane : lanes) results.push_back(result_json(n_context, lane, full_lane, short_lane, prefill));
    return results;
  }

 private:
  std::vector<engine::TokenId> random_ids(int n) {
    std::vector<engine::TokenId> ids(static_cast<size_t>(n));
    for (engine::TokenId& id : ids)
      id = static_cast<engine::TokenId>(random_.below(static_cast<uint64_t>(model_.config().vocab_size)));
    return ids;
  }

  Result<std::unique_ptr<engine::Sequence>> filled(int n_context) {
    const int room = n_context + std::max(kPrefillRows, static_cast<int>(ids_.size())) + 1;
    MNEME_ASSIGN_OR_RETURN(std::unique_ptr<engine::Sequence> sequence, model_.new_sequence(room));
    if (options_.kv == "synthetic") {
      MNEME_RETURN_IF_ERROR(place_structured_kv(model_, *sequence, n_context, kSeed));
    } else {
      const Clock::time_point start = Clock::now();
      MNEME_RETURN_IF_ERROR(sequence->append(random_ids(n_context), context_.cancel));
      prefilled_seconds_ = seconds_since(start);  // that of the context itself comes last
    }
    return sequence;
  }

  Result<std::vector<Lane>> make_lanes(engine::Sequence& sequence) const {
    const std::vector<std::string> methods =
        options_.methods.empty() ? std::vector<std::string>{"pq"} : options_.methods;
    const std::vector<std::string> budgets =
        options_.budgets.empty() ? std::vector<std::string>{"0.1", "4096"} : options_.budgets;
    std::vector<Lane> lanes;
    for (const std::string& method : methods) {
      for (const std::string& budget : budgets) {
        Lane lane{.method = method,
                  .budget = budget,
                  .options = options_.retrieval,
                  .sequence = &sequence,
                  .milliseconds = {},
                  .report = {},
                  .checked = {},
                  .prepared = {}};
        lane.options.kind = engine::AttentionKind::kPq;
        if (sequence.kv().in_host_memory()) lane.options.block_cache_tokens = kShortContext;
        MNEME_RETURN_IF_ERROR(engine::parse_retrieval_variant(method, lane.options));
        MNEME_ASSIGN_OR_RETURN(lane.options.budget, engine::parse_retrieval_budget(budget));
        lanes.push_back(std::move(lane));
      }
    }
    return lanes;
  }

  Status decode(Lane& lane, size_t n) {
    for (size_t i = 0; i < n; ++i)
      MNEME_RETURN_IF_ERROR(lane.sequence->append(std::span(&ids_[i % ids_.size()], 1), context_.cancel));
    return {};
  }

  // The first token of a run is not timed: it brings the index up to date.
  Status time_lane(Lane& lane, int n_context, int rep) {
    MNEME_RETURN_IF_ERROR(lane.sequence->set_retrieval(lane.options));
    const Clock::time_point first_start = Clock::now();
    MNEME_RETURN_IF_ERROR(decode(lane, 1));
    if (rep < 0) note_preparation(lane, seconds_since(first_start));
    const Clock::time_point start = Clock::now();
    MNEME_RETURN_IF_ERROR(decode(lane, ids_.size()));
    const double ms = seconds_since(start) * 1000 / static_cast<double>(ids_.size());
    if (rep >= 0) {
      lane.milliseconds.push_back(ms);
      lane.report = lane.sequence->retrieval_report();
    }
    lane.sequence->truncate(n_context);
    return {};
  }

  // What the lane's first token took, if it made the index; lanes that found one made have what was noted then.
  void note_preparation(Lane& lane, double first_token_seconds) {
    const engine::RetrievalReport report = lane.sequence->retrieval_report();
    if (report.prepare_seconds > 0) {
      lane.second_token_seconds = first_token_seconds;
      prepared_ = report;
    }
    lane.prepared = prepared_;
  }

  Status check_lane(Lane& lane, int n_context) {
    engine::RetrievalOptions options = lane.options;
    options.check = true;
    options.block_cache_tokens = kShortContext;
    MNEME_RETURN_IF_ERROR(lane.sequence->set_retrieval(options));
    MNEME_RETURN_IF_ERROR(decode(lane, kCheckedTokens));
    lane.checked = lane.sequence->retrieval_report();
    lane.sequence->truncate(n_context);
    return {};
  }

  // Measured where the context was prefilled; else from the time of one step at its start and one at its end, between
  // which it grows with the length. Nothing where that would take too long.
  Result<std::optional<double>> prefill_seconds(engine::Sequence& sequence, int n_context) {
    if (prefilled_seconds_) return prefilled_seconds_;
    if (n_context > kLongestTimedPrefill) return std::optional<double>();
    const std::vector<engine::TokenId> ids = random_ids(kPrefillRows);
    MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::Sequence> empty, model_.new_sequence(kPrefillRows));
    const Clock::time_point start = Clock::now();
    MNEME_RETURN_IF_ERROR(empty->append(ids, context_.cancel));
    const double first = seconds_since(start);
    const Clock::time_point second_start = Clock::now();
    MNEME_RETURN_IF_ERROR(sequence.append(ids, context_.cancel));
    const double last = seconds_since(second_start);
    sequence.truncate(n_context);
    return std::optional(n_context / double{kPrefillRows} * (first + last) / 2);
  }

  json result_json(int n_context, const Lane& lane, const Lane& full, const Lane& short_lane,
                   std::optional<double> prefill) const {
    const auto median = [](const Lane& l) { return spread_of(l.milliseconds).median; };
    const double kv_bytes = static_cast<double>(model_.config().kv_bytes_per_token()) * n_context;
    const double bytes = static_cast<double>(model_.weight_bytes()) + kv_bytes;
    const bool from_memory = bytes > kCacheBytes && ceilings_.read_gb_s > 0;
    const engine::RetrievalReport& report = lane.report;
    const auto or_null = [](const std::optional<double>& value) { return value ? json(*value) : json(nullptr); };
    const bool is_pq = lane.options.method == engine::RetrievalMethod::kPq;
    // From the first token to the second, clustering included; the prefill that stands before both is not.
    const json second_token = lane.second_token_seconds ? json(*lane.second_token_seconds * 1000) : json(nullptr);
    const double prepare_seconds = lane.prepared.prepare_seconds;
    const json share = prefill && is_pq ? json(prepare_seconds / *prefill) : json(nullptr);
    return {{"context", n_context},
            {"budget", lane.budget},
            {"method", lane.method},
            {"full_ms", spread_json(full.milliseconds)},
            {"pq_ms", spread_json(lane.milliseconds)},
            {"speedup", median(full) / median(lane)},
            {"full_ms_at_4096", spread_json(short_lane.milliseconds)},
            {"ratio_to_4096", median(lane) / median(short_lane)},
            {"full_share_of_bandwidth",
             from_memory ? json(bytes / (ceilings_.read_gb_s * 1e9) / (median(full) / 1000)) : json(nullptr)},
            {"attended", report.mean_attended},
            {"lookups_per_s",
             is_pq && report.select_seconds > 0 ? json(report.lookups / report.select_seconds) : json(nullptr)},
            {"recall", or_null(lane.checked.recall)},
            {"mass", or_null(lane.checked.mass)},
            {"block_cache_hit_rate", or_null(lane.block_cache_hit_rate())},
            {"kv_in_host_memory", lane.sequence->kv().in_host_memory()},
            {"kmeans_ms", is_pq ? json(prepare_seconds * 1000) : json(nullptr)},
            {"second_token_ms", second_token},
            {"kmeans_iterations", lane.prepared.iterations},
            {"kmeans_share", share},
            {"prefill_ms", prefill ? json(*prefill * 1000) : json(nullptr)},
            {"prefill_measured", prefilled_seconds_.has_value()},
            {"code_bytes_share", report.indexed_kv_bytes > 0 ? json(static_cast<double>(report.index_bytes) /
                                                                    static_cast<double>(report.indexed_kv_bytes))
                                                             : json(nullptr)}};
  }

  Context& context_;
  const BenchOptions& options_;
  const Ceilings& ceilings_;
  engine::LanguageModel& model_;
  Random random_;
  std::vector<engine::TokenId> ids_;
  std::optional<double> prefilled_seconds_;
  engine::RetrievalReport prepared_;  // of the index that was made last
};

// What decides the rows of a context: those of another measurement must not be mixed with them.
json identity_json(Context& context, const BenchOptions& options, json model) {
  return {{"bench", "pq"},
          {"shape", options.shape},
          {"model", std::move(model)},
          {"type", options.type},
          {"device", context.options.device},
          {"threads", context.options.threads},
          {"kv", options.kv},
          {"reps", options.reps},
          {"tokens", options.tokens},
          {"budgets", options.budgets},
          {"methods", options.methods},
          {"m", options.retrieval.n_parts},
          {"b", options.retrieval.n_bits},
          {"iterations", options.retrieval.iterations}};
}

// Time per token to the file, time to the second token beside it.
Status write_plots(const json& results, const std::string& file) {
  const PqPlots plots = pq_plots(results);
  std::filesystem::path second(file);
  second.replace_filename(second.stem().string() + "-second-token" + second.extension().string());
  MNEME_RETURN_IF_ERROR(write_output_file(file, plots.per_token));
  return write_output_file(second.string(), plots.second_token);
}

}  // namespace

Result<json> bench_pq(Context& context, const BenchOptions& options, const Ceilings& ceilings) {
  const std::vector<int> contexts = options.contexts.empty() ? std::vector<int>{8192, 32768} : options.contexts;
  MNEME_ASSIGN_OR_RETURN(json kept_of, kept_model(context, options));
  MNEME_ASSIGN_OR_RETURN(ResultFile kept,
                         ResultFile::open(options.results_file, identity_json(context, options, std::move(kept_of))));
  note_kept(context.output, kept);
  std::unique_ptr<engine::LanguageModel> model;  // opened when something is left to measure
  json results = json::array();
  for (const int n_context : contexts) {
    const std::string key = std::to_string(n_context);
    json some;
    if (const json* known = kept.find(key)) {
      some = *known;
    } else {
      if (model == nullptr) {
        MNEME_ASSIGN_OR_RETURN(model, bench_model(context, options));
      }
      // Each context with fresh sequences: long ones take gigabytes.
      PqBench bench(context, options, ceilings, *model);
      MNEME_ASSIGN_OR_RETURN(some, bench.measure(n_context));
      MNEME_RETURN_IF_ERROR(kept.add(key, some));
    }
    for (json& result : some) results.push_back(std::move(result));
  }
  if (!options.plot_file.empty()) MNEME_RETURN_IF_ERROR(write_plots(results, options.plot_file));
  return results;
}

}  // namespace mneme::app

// mneme bench: measurements, in the envelope of the contract.
#include <algorithm>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "app/bench/bench.h"
#include "app/bench/bench_kv.h"
#include "app/commands/answer_options.h"
#include "app/commands/commands.h"
#include "app/commands/trace_file.h"
#include "app/context.h"
#include "app/measure/envelope.h"
#include "app/output/output_path.h"
#include "app/output/result_file.h"
#include "app/output/terminal_text.h"
#include "app/session.h"
#include "engine/pq/code_limits.h"

namespace mneme::app {
namespace {

using nlohmann::json;

constexpr int kMaxReps = 10000;
constexpr int kMaxTokens = 1 << 24;
constexpr int kMaxChunks = 1 << 24;
constexpr int kMaxLayers = 1024;
constexpr double kLeastBandwidth = 1e3;
constexpr double kMostBandwidth = 1e12;

struct BenchArguments {
  std::string what;
  BenchOptions options;
  std::string cache = "warm";
  std::string trace_file;
};

KvBenchOptions kv_options(const BenchArguments& arguments) {
  const BenchOptions& options = arguments.options;
  return {.reps = options.reps,
          .tokens = options.tokens,
          .chunks = options.n_chunks(0),
          .synthetic = options.kv == "synthetic",
          .shape = options.shape,
          .path = options.path};
}

// What every measurement of a group is told by, and reports of itself.
enum class Group { kModel, kFusion, kKv, kInsight, kCorpus };

// What --results keeps: the measurement as a whole, or each of its parts as it is finished (the measurement does that).
enum class Keeps { kWhole, kParts };

struct Measurement {
  std::string_view name;
  Group group;
  Keeps keeps;
  Result<json> (*run)(Context& context, const BenchArguments& arguments, const Ceilings& ceilings);
};

template <Result<json> (*Run)(Context&, const BenchOptions&)>
Result<json> with_options(Context& context, const BenchArguments& arguments, const Ceilings&) {
  return Run(context, arguments.options);
}
template <Result<json> (*Run)(Context&, const BenchOptions&, const Ceilings&)>
Result<json> with_ceilings(Context& context, const BenchArguments& arguments, const Ceilings& ceilings) {
  return Run(context, arguments.options, ceilings);
}
template <Result<json> (*Run)(Context&, const KvBenchOptions&)>
Result<json> with_kv_options(Context& context, const BenchArguments& arguments, const Ceilings&) {
  return Run(context, kv_options(arguments));
}

// Every measurement, in the order --help shows them.
constexpr Measurement kMeasurements[] = {
    {"prefill", Group::kModel, Keeps::kWhole, with_ceilings<bench_prefill>},
    {"decode", Group::kModel, Keeps::kWhole, with_ceilings<bench_decode>},
    {"ttft", Group::kFusion, Keeps::kParts, with_options<bench_ttft>},
    {"throughput", Group::kFusion, Keeps::kParts, with_options<bench_throughput>},
    {"chat", Group::kFusion, Keeps::kWhole, with_options<bench_chat>},
    {"codec", Group::kKv, Keeps::kWhole, with_kv_options<bench_codec>},
    {"fetch", Group::kKv, Keeps::kWhole, with_kv_options<bench_fetch>},
    {"stream", Group::kKv, Keeps::kWhole, with_kv_options<bench_stream>},
    {"pq", Group::kModel, Keeps::kParts, with_ceilings<bench_pq>},
    {"insight", Group::kInsight, Keeps::kWhole, with_options<bench_insight>},
    {"index", Group::kCorpus, Keeps::kWhole, with_options<bench_index>},
    {"search", Group::kCorpus, Keeps::kWhole, with_options<bench_search>},
    {"rag", Group::kCorpus, Keeps::kWhole, with_options<bench_rag>},
    {"watch", Group::kCorpus, Keeps::kWhole, with_options<bench_watch>},
    {"window", Group::kCorpus, Keeps::kWhole, with_options<bench_window>},
};

const Measurement* find_measurement(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kMeasurements), std::end(kMeasurements),
                                         [&](const Measurement& measurement) { return measurement.name == name; });
  return found == std::end(kMeasurements) ? nullptr : found;
}

std::string measurement_names(std::string_view separator) {
  std::string names;
  for (const Measurement& measurement : kMeasurements) {
    if (!names.empty()) names += separator;
    names += measurement.name;
  }
  return names;
}

json model_params_json(const Context& context, const BenchArguments& arguments) {
  const BenchOptions& options = arguments.options;
  json params = {{"shape", options.shape.empty() ? json(nullptr) : json(options.shape)},
                 {"model", options.shape.empty() ? json(context.options.model) : json(nullptr)},
                 {"type", options.shape.empty() ? json(nullptr) : json(options.type)},
                 {"tokens", options.tokens > 0 ? json(options.tokens) : json(nullptr)},
                 {"ctx", options.room > 0 ? json(options.room) : json(nullptr)},
                 {"context", options.contexts},
                 {"kv", options.kv}};
  if (arguments.what == "pq") {
    params["budgets"] = options.budgets;
    params["methods"] = options.methods;
    params["m"] = options.retrieval.n_parts;
    params["b"] = options.retrieval.n_bits;
    params["iterations"] = options.retrieval.iterations;
  }
  return params;
}

json fusion_params_json(const Context& context, const BenchArguments& arguments) {
  const BenchOptions& options = arguments.options;
  return {{"shape", options.shape.empty() ? json(nullptr) : json(options.shape)},
          {"model", options.shape.empty() ? json(context.options.model) : json(nullptr)},
          {"type", options.shape.empty() ? json(nullptr) : json(options.type)},
          {"chunks", options.chunks},
          {"chunk_tokens", options.chunk_tokens},
          {"modes", options.modes},
          {"recompute", options.recompute},
          {"selector", options.selector.empty() ? json(nullptr) : json(options.selector)},
          {"full_layers", options.full_layers},
          {"level", options.kv_level},
          {"cache", arguments.cache},
          {"storage_bandwidth", options.bandwidths},
          {"tokens", options.tokens > 0 ? json(options.tokens) : json(nullptr)}};
}

json kv_params_json(const Context& context, const BenchArguments& arguments) {
  const KvBenchOptions options = kv_options(arguments);
  return {{"model", options.synthetic ? json(nullptr) : json(context.options.model)},
          {"kv", options.synthetic ? "synthetic" : "prefill"},
          {"shape", options.shape.empty() ? json(nullptr) : json(options.shape)},
          {"tokens", options.tokens > 0 ? json(options.tokens) : json(nullptr)},
          {"chunks", options.chunks > 0 ? json(options.chunks) : json(nullptr)},
          {"path", options.path.empty() ? json(nullptr) : json(options.path)}};
}

json corpus_params_json(const BenchOptions& options) {
  return {{"chunks", options.chunks.empty() ? json(nullptr) : json(options.chunks.front())},
          {"path", options.path.empty() ? json(nullptr) : json(options.path)}};
}

json insight_params_json(const Context& context, const BenchOptions& options) {
  json params = corpus_params_json(options);
  params["model"] = context.options.model;
  params["chunk_tokens"] = options.chunk_tokens;
  params["insights"] = options.insights;
  return params;
}

json group_params_json(const Context& context, const BenchArguments& arguments, Group group) {
  switch (group) {
    case Group::kModel: return model_params_json(context, arguments);
    case Group::kFusion: return fusion_params_json(context, arguments);
    case Group::kKv: return kv_params_json(context, arguments);
    case Group::kInsight: return insight_params_json(context, arguments.options);
    case Group::kCorpus: {
      json params = corpus_params_json(arguments.options);
      params["embedder"] = context.options.embedder.empty() ? json(nullptr) : json(context.options.embedder);
      if (arguments.what == "search") params["cache"] = arguments.cache;
      if (arguments.what == "rag") {
        params["model"] = context.options.model;
        params["level"] = arguments.options.kv_level;
        params["recompute"] = arguments.options.recompute;
      }
      return params;
    }
  }
  return json::object();
}

json params_json(const Context& context, const BenchArguments& arguments, Group group) {
  json params = group_params_json(context, arguments, group);
  params["device"] = context.options.device;
  params["gpu_layers"] = context.options.gpu_layers;
  params["threads"] = context.options.threads;
  return params;
}

// Numbers of a result as people read them: one line of names and values.
std::string result_text(const json& result) {
  std::string text;
  for (const auto& [key, value] : result.items()) {
    if (value.is_null()) continue;
    char number[64];
    if (value.is_object()) {
      std::snprintf(number, sizeof number, "%.4g (%.4g..%.4g)", value.value("median", 0.0), value.value("min", 0.0),
                    value.value("max", 0.0));
    } else if (value.is_number_float()) {
      std::snprintf(number, sizeof number, "%.4g", value.get<double>());
    } else {
      std::snprintf(number, sizeof number, "%s",
                    value.is_string() ? value.get<std::string>().c_str() : value.dump().c_str());
    }
    text += (text.empty() ? "" : "  ") + key + " " + number;
  }
  return text + "\n";
}

// The measurement in its envelope.
Result<json> measured_report(Context& context, const BenchArguments& arguments, const Measurement& measurement) {
  const bool has_ceilings = measurement.group == Group::kModel;
  Ceilings ceilings;
  if (has_ceilings) ceilings = measure_ceilings(context.options.threads, context.cancel);
  if (context.cancel.cancelled()) return cancelled();
  MNEME_ASSIGN_OR_RETURN(json results, measurement.run(context, arguments, ceilings));
  const int reps = measurement.group == Group::kInsight ? 1 : arguments.options.reps;  // the same every time
  return envelope_json(arguments.what, params_json(context, arguments, measurement.group), reps,
                       machine_json(context.options.threads, has_ceilings ? &ceilings : nullptr), std::move(results));
}

// With --results a finished measurement, or part of one, is not repeated.
Result<json> report_or_kept(Context& context, const BenchArguments& arguments, const Measurement& measurement) {
  const BenchOptions& options = arguments.options;
  if (options.results_file.empty() || measurement.keeps == Keeps::kParts) {
    return measured_report(context, arguments, measurement);
  }
  json identity = params_json(context, arguments, measurement.group);
  identity["bench"] = arguments.what;
  identity["reps"] = options.reps;
  if (arguments.what == "rag") {
    MNEME_ASSIGN_OR_RETURN(const std::string path, bench_rag_model(context));
    MNEME_ASSIGN_OR_RETURN(identity["model"], model_file_fingerprint(path));
  } else if (identity.contains("model") && !identity["model"].is_null()) {
    MNEME_ASSIGN_OR_RETURN(identity["model"], kept_model(context, options));
  }
  MNEME_ASSIGN_OR_RETURN(ResultFile kept, ResultFile::open(options.results_file, identity));
  note_kept(context.output, kept);
  if (const json* known = kept.find("report")) return *known;
  MNEME_ASSIGN_OR_RETURN(json report, measured_report(context, arguments, measurement));
  MNEME_RETURN_IF_ERROR(kept.add("report", report));
  return report;
}

std::string ceilings_text(const json& ceilings) {
  const auto value = [&](const char* key) { return ceilings[key].is_number() ? ceilings[key].get<double>() : 0.0; };
  char text[160];
  std::snprintf(text, sizeof text, "(ceilings: read %.1f GB/s, f32 %.0f GFLOP/s, int8 %.0f GOP/s", value("read_gb_s"),
                value("f32_gflop_s"), value("int8_gop_s"));
  std::string line = text;
  if (value("tile_gop_s") > 0) {
    std::snprintf(text, sizeof text, ", bf16 tiles %.0f GFLOP/s", value("tile_gop_s"));
    line += text;
  }
  return line + ")";
}

Result<ExitCode> run_bench(Context& context, const BenchArguments& arguments) {
  const Measurement* const measurement = find_measurement(arguments.what);
  if (measurement == nullptr) {
    return usage_error("there is nothing to measure called " + arguments.what + "; there are " +
                       measurement_names(", ") + ".");
  }
  MNEME_RETURN_IF_ERROR(check_output_path("--trace", arguments.trace_file));
  MNEME_RETURN_IF_ERROR(check_output_path("--plot", arguments.options.plot_file));
  TraceFile trace(arguments.trace_file);
  const Result<json> measured = report_or_kept(context, arguments, *measurement);
  MNEME_RETURN_IF_ERROR(trace.write());
  MNEME_ASSIGN_OR_RETURN(const json report, measured);
  if (context.output.json()) {
    context.output.print_json(report);
    return ExitCode::kDone;
  }
  for (const json& result : report["results"]) context.output.print(result_text(result));
  const json& ceilings = report["machine"]["ceilings"];
  if (!ceilings.is_null()) context.output.note(ceilings_text(ceilings));
  return ExitCode::kDone;
}

}  // namespace

void add_bench(Command root) {
  auto arguments = std::make_shared<BenchArguments>();
  BenchOptions& options = arguments->options;
  Command command = root.subcommand("bench", "Measure speed: " + measurement_names(" "));
  command.positional("WHAT", arguments->what, "What to measure");
  command.option("--shape NAME", options.shape, "A model of random weights, such as bench-336m, instead of --model");
  command.option("--type T", options.type, "Tensor type of the shape");
  command.integer("--reps N", options.reps, 1, kMaxReps, "Measured repetitions");
  command.integer("--tokens N", options.tokens, 0, kMaxTokens, "Tokens per run");
  command.list("--context N,N", options.contexts, 0, kMaxTokens, "Tokens that stand before those measured");
  command.choice("--kv", options.kv, {"synthetic", "prefill"}, "How the tokens before come to be there");
  command.list("--chunks N,N", options.chunks, 1, kMaxChunks, "Passages");
  command.option("--path FOLDER", options.path,
                 "index, rag: measure on this folder; fetch: read there; codec, insight: a text to measure on");
  command.integer("--ctx N", options.room, 0, kMaxTokens,
                  "prefill, decode: tokens that there is memory for (else as many as are measured)");
  command.choice("--cache", arguments->cache, {"cold", "warm"},
                 "ttft, throughput, chat, search: the page cache before each run");
  command.integer("--chunk-tokens N", options.chunk_tokens, 1, kMaxTokens, "Tokens per passage");
  command.option("--profiles FOLDER", options.profiles,
                 "ttft, throughput, chat: keep what is learned of the model's KV there, and use it the next time");
  command.list("--modes M,M", options.modes,
               "Answer modes: full, prefix, reuse, blend, auto (blend as the controller chooses)");
  command.list("--recompute R,R", options.recompute, 0, 1, "Shares of tokens that blend repairs");
  command.choice("--selector", options.selector, selector_names(), "How blend chooses them");
  command.list(
      "--full-layers N,N", options.full_layers, 0, kMaxLayers,
      "ttft: first layers that blend computes for the whole prompt while the others are loaded, each measured");
  add_kv_level_option(command, options.kv_level);
  command.list("--storage-bandwidth B,B", options.bandwidths, kLeastBandwidth, kMostBandwidth,
               "Pretend that storage gives B bytes a second");
  command.option("--results FILE", options.results_file, "Keep finished results there, and go on where it was stopped");
  command.option("--trace FILE", arguments->trace_file, "Write a Chrome trace of the work to FILE");
  command.list("--insight I,I", options.insights,
               "insight: deviation, correlation, repair, delta, entropy, sensitivity, attention; all without it");
  command.list("--budget B,B", options.budgets, "pq: what retrieval attends to, as shares, counts or mass:P");
  add_pq_method_option(command, options.methods, "pq: each measured");
  command.option("--plot FILE", options.plot_file,
                 "pq: write time per token against the context as SVG, and beside it the time to the second token");
  command.integer("--pq-m M", options.retrieval.n_parts, 1, engine::kMaxKeyParts, "pq: parts of a key");
  command.integer("--pq-b B", options.retrieval.n_bits, 1, engine::kMaxKeyCodeBits, "pq: bits of a part's code");
  command.integer("--pq-iterations N", options.retrieval.iterations, 0, kMaxReps,
                  "pq: of k-means; 0 by measured times");
  command.action([arguments](Context& context) {
    arguments->options.cold = arguments->cache == "cold";
    return run_bench(context, *arguments);
  });
}

}  // namespace mneme::app

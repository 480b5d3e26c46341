// mneme perplexity: how well the model predicts a text, over disjoint windows.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/bench/envelope.h"
#include "app/commands/answer_options.h"
#include "app/commands/commands.h"
#include "app/context.h"
#include "app/eval/level_perplexity.h"
#include "app/eval/retrieval_perplexity.h"
#include "app/output/progress.h"
#include "app/session.h"
#include "app/text_ids.h"
#include "app/text_input.h"
#include "engine/language_model.h"
#include "engine/transformer/distribution.h"
#include "rag/kv_reuse/kv_codecs.h"

namespace mneme::app {
namespace {

constexpr uint64_t kMaxTextBytes = uint64_t{1} << 30;
constexpr int kMaxWindow = 1 << 20;
constexpr int kDefaultWindow = 512;
constexpr size_t kBatch = 128;  // tokens whose logits are held at once

struct PerplexityArguments {
  std::string file;
  int window = 0;
  std::string kv_level;
  std::vector<std::string> kv_codecs;
  AttentionArguments attention{.kind = "full"};
  std::vector<std::string> methods{"pq"};
};

struct Score {
  double nll = 0;
  int64_t tokens = 0;
};

// Every token of the window but the first is predicted from those before it; BOS stands before them where the model
// wants one, and then the first is predicted as well.
Status score_window(engine::LanguageModel& model, std::span<const engine::TokenId> window, const CancelToken& cancel,
                    Score& score) {
  std::vector<engine::TokenId> ids;
  const engine::Tokenizer& tokenizer = model.tokenizer();
  if (tokenizer.add_bos() && tokenizer.bos() != engine::kNoToken) ids.push_back(tokenizer.bos());
  ids.insert(ids.end(), window.begin(), window.end());
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::Sequence> sequence,
                         model.new_sequence(static_cast<int>(ids.size())));
  const auto vocab = static_cast<size_t>(model.config().vocab_size);
  std::vector<float> logits;
  for (size_t begin = 0; begin + 1 < ids.size(); begin += kBatch) {
    const size_t n = std::min(kBatch, ids.size() - 1 - begin);
    MNEME_RETURN_IF_ERROR(sequence->append_with_logits(std::span(ids).subspan(begin, n), logits, cancel));
    for (size_t i = 0; i < n; ++i) {
      score.nll -= engine::token_log_probability(std::span(logits).subspan(i * vocab, vocab), ids[begin + i + 1]);
      ++score.tokens;
    }
  }
  return {};
}

Status check_supported(const PerplexityArguments& arguments) {
  if (arguments.attention.kind != "full" && (!arguments.kv_level.empty() || !arguments.kv_codecs.empty())) {
    return unsupported("perplexity is measured under KV compression or under retrieval, not both; leave one out.");
  }
  return {};
}

// The codecs asked for: a level is the one that users get for it.
Result<std::vector<KvCodecChoice>> codec_choices(const PerplexityArguments& arguments) {
  std::vector<std::string> names = arguments.kv_codecs;
  if (!arguments.kv_level.empty()) {
    names.insert(names.begin(), arguments.kv_level == "exact" ? "exact" : "transform:" + arguments.kv_level);
  }
  return parse_kv_codecs(names);
}

nlohmann::json level_json(const LevelPerplexity& measured, const KvCodecChoice& choice, const LevelScore& score) {
  const double exact = measured.perplexity(measured.exact());
  const double perplexity = measured.perplexity(score);
  const Interval increase = measured.increase_95(score);
  return {{"codec", choice.codec},
          {"level", choice.codec.starts_with("uniform") ? nlohmann::json(nullptr)
                                                        : nlohmann::json(engine::kv_level_name(choice.level))},
          {"bits_per_element", 8.0 * static_cast<double>(score.encoded_bytes) / static_cast<double>(score.elements)},
          {"ratio", 2.0 * static_cast<double>(score.elements) / static_cast<double>(score.encoded_bytes)},
          {"perplexity", perplexity},
          {"perplexity_exact", exact},
          {"increase", perplexity / exact - 1},
          {"increase_ci95", {increase.low, increase.high}}};
}

// Perplexity of the second halves of windows, behind first halves whose KV was coded.
Result<ExitCode> run_levels(Context& context, engine::LanguageModel& model, std::span<const engine::TokenId> ids,
                            int window, const std::vector<KvCodecChoice>& choices) {
  const std::vector<std::string> passages = rag::calibration_passages();
  MNEME_ASSIGN_OR_RETURN(const KvCodecSet set, KvCodecSet::calibrate(model, passages, choices, context.cancel));
  std::vector<std::unique_ptr<engine::KvCodec>> codecs;
  for (const KvCodecChoice& choice : choices) {
    MNEME_ASSIGN_OR_RETURN(std::unique_ptr<engine::KvCodec> codec, set.make(choice));
    codecs.push_back(std::move(codec));
  }
  LevelPerplexity measured(model, std::move(codecs));
  Progress bar(context.output, "tokens");
  // A shorter window at the end would weigh its few tokens with less context than the others.
  for (size_t begin = 0; begin + static_cast<size_t>(window) <= ids.size(); begin += static_cast<size_t>(window)) {
    MNEME_RETURN_IF_ERROR(measured.add_window(ids.subspan(begin, static_cast<size_t>(window)), context.cancel));
    bar.update(begin + static_cast<size_t>(window), ids.size(), "");
  }
  if (measured.tokens() == 0) return usage_error("the text is shorter than one window; give a longer text.");
  nlohmann::json levels = nlohmann::json::array();
  for (size_t i = 0; i < choices.size(); ++i) {
    levels.push_back(level_json(measured, choices[i], measured.scores()[i]));
    const nlohmann::json& own = levels.back();
    char text[240];
    std::snprintf(text, sizeof text, "%-26s %6.3f bits  %5.2fx  perplexity %.4f (%+.3f %%, 95 %%: %+.3f to %+.3f)\n",
                  kv_codec_label(choices[i]).c_str(), own["bits_per_element"].get<double>(), own["ratio"].get<double>(),
                  own["perplexity"].get<double>(), 100 * own["increase"].get<double>(),
                  100 * own["increase_ci95"][0].get<double>(), 100 * own["increase_ci95"][1].get<double>());
    if (!context.output.json()) context.output.print(text);
  }
  if (context.output.json()) {
    // With one codec the figure is its; with several it is the uncompressed one, and each has its own.
    const double perplexity =
        choices.size() == 1 ? levels[0]["perplexity"].get<double>() : measured.perplexity(measured.exact());
    context.output.print_json(with_machine(
        {{"perplexity", perplexity}, {"tokens", measured.tokens()}, {"window", window}, {"kv", std::move(levels)}},
        context.options.threads));
  }
  return ExitCode::kDone;
}

nlohmann::json lane_json(const PerplexityLane& lane, const PerplexityScore& full) {
  const auto per_step = [&](double sum) {
    return lane.steps > 0 ? nlohmann::json(sum / static_cast<double>(lane.steps)) : nlohmann::json(nullptr);
  };
  const double mean = lane.nll / static_cast<double>(lane.tokens);
  return {{"method", lane.method},
          {"budget", lane.budget},
          {"m", lane.options.n_parts},
          {"b", lane.options.n_bits},
          {"perplexity", std::exp(mean)},
          {"loss", std::exp(mean - full.nll / static_cast<double>(full.tokens)) - 1},
          {"kl", lane.kl / static_cast<double>(lane.tokens)},
          {"steps", lane.steps},
          {"attended", per_step(lane.attended_sum)},
          {"recall", per_step(lane.recall_sum)},
          {"mass", per_step(lane.mass_sum)}};
}

void print_lanes(Output& output, const nlohmann::json& report) {
  for (const nlohmann::json& lane : report["lanes"]) {
    char line[256];
    std::snprintf(line, sizeof line, "%-8s %-8s perplexity %.4f (%+.2f %%)  KL %.5f",
                  lane["method"].get<std::string>().c_str(), lane["budget"].get<std::string>().c_str(),
                  lane["perplexity"].get<double>(), 100 * lane["loss"].get<double>(), lane["kl"].get<double>());
    output.print(line);
    if (!lane["mass"].is_null()) {
      std::snprintf(line, sizeof line, "  mass %.4f  recall %.4f  attended %.0f", lane["mass"].get<double>(),
                    lane["recall"].get<double>(), lane["attended"].get<double>());
      output.print(line);
    }
    output.print("\n");
  }
}

// The second halves of the windows, under full attention and under every method and budget.
Result<ExitCode> run_retrieval_lanes(Context& context, const PerplexityArguments& arguments,
                                     engine::LanguageModel& model, std::span<const engine::TokenId> ids, int window) {
  MNEME_ASSIGN_OR_RETURN(const engine::RetrievalOptions base,
                         retrieval_options({.kind = arguments.attention.kind,
                                            .budget = "",
                                            .n_parts = arguments.attention.n_parts,
                                            .n_bits = arguments.attention.n_bits}));
  MNEME_ASSIGN_OR_RETURN(std::vector<PerplexityLane> lanes,
                         perplexity_lanes(arguments.methods, arguments.attention.budget, base));
  PerplexityScore full;
  {
    Progress bar(context.output, "tokens");
    for (size_t begin = 0; begin + 4 < ids.size(); begin += static_cast<size_t>(window)) {
      const size_t n = std::min(static_cast<size_t>(window), ids.size() - begin);
      MNEME_RETURN_IF_ERROR(score_retrieval_window(model, ids.subspan(begin, n), context.cancel, full, lanes));
      bar.update(begin + n, ids.size(), "");
    }
  }
  if (full.tokens == 0) return usage_error(arguments.file + " is too short to measure perplexity on.");
  nlohmann::json list = nlohmann::json::array();
  for (const PerplexityLane& lane : lanes) list.push_back(lane_json(lane, full));
  const nlohmann::json report = {{"perplexity", list.front()["perplexity"]},
                                 {"perplexity_full", std::exp(full.nll / static_cast<double>(full.tokens))},
                                 {"tokens", full.tokens},
                                 {"window", window},
                                 {"lanes", std::move(list)}};
  if (context.output.json()) {
    context.output.print_json(with_machine(report, context.options.threads));
  } else {
    context.output.print("full perplexity " + report["perplexity_full"].dump() + " over the " +
                         std::to_string(full.tokens) + " tokens of second halves of windows of " +
                         std::to_string(window) + "\n");
    print_lanes(context.output, report);
  }
  return ExitCode::kDone;
}

Result<ExitCode> run_perplexity(Context& context, const PerplexityArguments& arguments) {
  MNEME_RETURN_IF_ERROR(check_supported(arguments));
  MNEME_ASSIGN_OR_RETURN(const std::vector<KvCodecChoice> choices, codec_choices(arguments));
  if (arguments.file.empty()) return usage_error("there is no text to measure on; give --file FILE.");
  MNEME_ASSIGN_OR_RETURN(const std::string text, read_text_file(arguments.file, kMaxTextBytes));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::LanguageModel> model, open_model(context));
  MNEME_ASSIGN_OR_RETURN(const std::vector<engine::TokenId> ids, encode_text(*model, text));
  const int limit = model->config().context_length > 1 ? model->config().context_length - 1 : kMaxWindow;
  const int window = arguments.window > 0 ? std::min(arguments.window, limit) : std::min(kDefaultWindow, limit);
  if (ids.size() < 2) return usage_error(arguments.file + " is too short to measure perplexity on.");
  if (!choices.empty()) return run_levels(context, *model, ids, window, choices);
  if (arguments.attention.kind != "full") return run_retrieval_lanes(context, arguments, *model, ids, window);

  Score score;
  Progress bar(context.output, "tokens");
  for (size_t begin = 0; begin + 1 < ids.size(); begin += static_cast<size_t>(window)) {
    const size_t n = std::min(static_cast<size_t>(window), ids.size() - begin);
    MNEME_RETURN_IF_ERROR(score_window(*model, std::span(ids).subspan(begin, n), context.cancel, score));
    bar.update(begin + n, ids.size(), "");
  }
  const double perplexity = std::exp(score.nll / static_cast<double>(score.tokens));
  if (context.output.json()) {
    context.output.print_json(with_machine({{"perplexity", perplexity}, {"tokens", score.tokens}, {"window", window}},
                                           context.options.threads));
  } else {
    context.output.print("perplexity " + std::to_string(perplexity) + " over " + std::to_string(score.tokens) +
                         " tokens in windows of " + std::to_string(window) + "\n");
  }
  return ExitCode::kDone;
}

}  // namespace

void add_perplexity(Command root) {
  auto arguments = std::make_shared<PerplexityArguments>();
  Command command = root.subcommand("perplexity", "How well the model predicts a text");
  command.option("--file F", arguments->file, "The text");
  command.integer("--window N", arguments->window, 0, kMaxWindow, "Tokens per window; 0: 512 or the model's context");
  add_kv_level_option(command, arguments->kv_level);
  command.list("--kv-codecs C,C", arguments->kv_codecs, "Measure KV codecs side by side: all, transform:low, ...");
  add_attention_options(command, arguments->attention);
  add_pq_method_option(command, arguments->methods, "With --attention pq: each measured at each budget");
  command.action([arguments](Context& context) { return run_perplexity(context, *arguments); });
}

}  // namespace mneme::app

// mneme perplexity: how well the model predicts a text, over disjoint windows.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands/answer_options.h"
#include "app/commands/commands.h"
#include "app/context.h"
#include "app/eval/perplexity_records.h"
#include "app/eval/perplexity_report.h"
#include "app/measure/envelope.h"
#include "app/output/progress.h"
#include "app/output/result_file.h"
#include "app/session.h"
#include "app/text_ids.h"
#include "app/text_input.h"
#include "base/hash.h"
#include "engine/language_model.h"
#include "engine/transformer/distribution.h"
#include "rag/kv_reuse/kv_codecs.h"

namespace mneme::app {
namespace {

using nlohmann::json;

constexpr uint64_t kMaxTextBytes = uint64_t{1} << 30;
constexpr int kMaxWindow = 1 << 20;
constexpr int kDefaultWindow = 512;
constexpr size_t kBatch = 128;  // tokens whose logits are held at once
constexpr size_t kLeastTokens = 2;
constexpr size_t kLeastTokensOfHalves = 4;

struct PerplexityArguments {
  std::string file;
  int window = 0;
  std::string kv_level;
  std::vector<std::string> kv_codecs;
  AttentionArguments attention{.kind = "full"};
  std::vector<std::string> methods{"pq"};
  std::string results_file;
};

// A text cut into windows, with the file that keeps what was scored of them.
struct Windows {
  std::span<const engine::TokenId> ids;
  int size;
  ResultFile& kept;
};

// What decides the windows' scores: those of another measurement must not be mixed with them.
json identity_json(Context& context, const PerplexityArguments& arguments, const engine::LanguageModel& model,
                   const std::string& text, int window) {
  return {{"perplexity", xxh3_128(as_bytes(text)).hex()},
          {"model", model.identity().hex()},
          {"device", context.options.device},
          {"window", window},
          {"level", arguments.kv_level},
          {"kv_codecs", arguments.kv_codecs},
          {"attention",
           {arguments.attention.kind, arguments.attention.budget, arguments.attention.n_parts,
            arguments.attention.n_bits, arguments.methods}}};
}

// What every window came to: as it was kept where it was, else as it is scored now. Windows of fewer tokens than
// `least` are left out.
template <typename Window, typename Score, typename Parse>
Result<std::vector<Window>> scored_windows(Context& context, const Windows& windows, size_t least, Score score,
                                           Parse parse) {
  std::vector<Window> scored;
  Progress bar(context.output, "tokens");
  const auto size = static_cast<size_t>(windows.size);
  for (size_t begin = 0; begin + least <= windows.ids.size(); begin += size) {
    const size_t n = std::min(size, windows.ids.size() - begin);
    const std::string key = std::to_string(begin);
    const json* const known = windows.kept.find(key);
    std::optional<Window> one = known != nullptr ? parse(*known) : std::nullopt;
    if (!one) {
      MNEME_ASSIGN_OR_RETURN(one, score(windows.ids.subspan(begin, n)));
      MNEME_RETURN_IF_ERROR(windows.kept.add(key, window_json(*one)));
    }
    scored.push_back(std::move(*one));
    bar.update(begin + n, windows.ids.size(), "");
  }
  return scored;
}

// Every token of the window but the first is predicted from those before it; BOS stands before them where the model
// wants one, and then the first is predicted as well.
Result<PlainWindow> score_window(engine::LanguageModel& model, std::span<const engine::TokenId> window,
                                 const CancelToken& cancel) {
  std::vector<engine::TokenId> ids;
  const engine::Tokenizer& tokenizer = model.tokenizer();
  if (tokenizer.add_bos() && tokenizer.bos() != engine::kNoToken) ids.push_back(tokenizer.bos());
  ids.insert(ids.end(), window.begin(), window.end());
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::Sequence> sequence,
                         model.new_sequence(static_cast<int>(ids.size())));
  const auto vocab = static_cast<size_t>(model.config().vocab_size);
  std::vector<float> logits;
  PlainWindow score;
  for (size_t begin = 0; begin + 1 < ids.size(); begin += kBatch) {
    const size_t n = std::min(kBatch, ids.size() - 1 - begin);
    MNEME_RETURN_IF_ERROR(sequence->append_with_logits(std::span(ids).subspan(begin, n), logits, cancel));
    for (size_t i = 0; i < n; ++i) {
      score.nll -= engine::token_log_probability(std::span(logits).subspan(i * vocab, vocab), ids[begin + i + 1]);
      ++score.tokens;
    }
  }
  return score;
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

void print_report(Context& context, const json& report, const std::string& text) {
  if (context.output.json()) {
    context.output.print_json(with_machine(report, context.options.threads));
  } else {
    context.output.print(text);
  }
}

// Perplexity of the second halves of windows, behind first halves whose KV was coded.
Result<ExitCode> run_levels(Context& context, engine::LanguageModel& model, const Windows& windows,
                            const std::vector<KvCodecChoice>& choices) {
  const std::vector<std::string> passages = rag::calibration_passages();
  MNEME_ASSIGN_OR_RETURN(const KvCodecSet set, KvCodecSet::calibrate(model, passages, choices, context.cancel));
  std::vector<std::unique_ptr<engine::KvCodec>> codecs;
  for (const KvCodecChoice& choice : choices) {
    MNEME_ASSIGN_OR_RETURN(std::unique_ptr<engine::KvCodec> codec, set.make(choice));
    codecs.push_back(std::move(codec));
  }
  LevelPerplexity measured(model, std::move(codecs));
  const auto score = [&](std::span<const engine::TokenId> ids) { return measured.score_window(ids, context.cancel); };
  const auto parse = [&](const json& record) { return level_window(record, choices.size()); };
  // A shorter window at the end would weigh its few tokens with less context than the others.
  const auto least = static_cast<size_t>(windows.size);
  MNEME_ASSIGN_OR_RETURN(const std::vector<LevelWindow> scored,
                         scored_windows<LevelWindow>(context, windows, least, score, parse));
  for (const LevelWindow& window : scored) measured.add(window);
  if (measured.tokens() == 0) return usage_error("the text is shorter than one window; give a longer text.");
  const json report = level_report(measured, choices, windows.size);
  print_report(context, report, level_report_text(report, choices));
  return ExitCode::kDone;
}

// The second halves of the windows, under full attention and under every method and budget.
Result<ExitCode> run_retrieval_lanes(Context& context, const PerplexityArguments& arguments,
                                     engine::LanguageModel& model, const Windows& windows) {
  MNEME_ASSIGN_OR_RETURN(const engine::RetrievalOptions base,
                         retrieval_options({.kind = arguments.attention.kind,
                                            .budget = "",
                                            .n_parts = arguments.attention.n_parts,
                                            .n_bits = arguments.attention.n_bits}));
  MNEME_ASSIGN_OR_RETURN(const std::vector<PerplexityLane> lanes,
                         perplexity_lanes(arguments.methods, arguments.attention.budget, base));
  const auto score = [&](std::span<const engine::TokenId> ids) {
    return score_retrieval_window(model, ids, lanes, context.cancel);
  };
  const auto parse = [&](const json& record) { return retrieval_window(record, lanes.size()); };
  MNEME_ASSIGN_OR_RETURN(const std::vector<RetrievalWindow> scored,
                         scored_windows<RetrievalWindow>(context, windows, kLeastTokensOfHalves, score, parse));
  if (sum_of(scored).tokens == 0) return usage_error(arguments.file + " is too short to measure perplexity on.");
  const json report = retrieval_report(scored, lanes, windows.size);
  print_report(context, report, retrieval_report_text(report));
  return ExitCode::kDone;
}

Result<ExitCode> run_plain(Context& context, engine::LanguageModel& model, const Windows& windows) {
  const auto score = [&](std::span<const engine::TokenId> ids) { return score_window(model, ids, context.cancel); };
  MNEME_ASSIGN_OR_RETURN(const std::vector<PlainWindow> scored,
                         scored_windows<PlainWindow>(context, windows, kLeastTokens, score, plain_window));
  PlainWindow sum;
  for (const PlainWindow& window : scored) {
    sum.nll += window.nll;
    sum.tokens += window.tokens;
  }
  if (sum.tokens == 0) return usage_error("windows of one token predict nothing; give a larger --window.");
  const double perplexity = std::exp(sum.nll / static_cast<double>(sum.tokens));
  print_report(context, {{"perplexity", perplexity}, {"tokens", sum.tokens}, {"window", windows.size}},
               "perplexity " + std::to_string(perplexity) + " over " + std::to_string(sum.tokens) +
                   " tokens in windows of " + std::to_string(windows.size) + "\n");
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
  if (ids.size() < kLeastTokens) return usage_error(arguments.file + " is too short to measure perplexity on.");
  MNEME_ASSIGN_OR_RETURN(ResultFile kept, ResultFile::open(arguments.results_file,
                                                           identity_json(context, arguments, *model, text, window)));
  note_kept(context.output, kept);
  const Windows windows{.ids = ids, .size = window, .kept = kept};
  if (!choices.empty()) return run_levels(context, *model, windows, choices);
  if (arguments.attention.kind != "full") return run_retrieval_lanes(context, arguments, *model, windows);
  return run_plain(context, *model, windows);
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
  command.option("--results FILE", arguments->results_file,
                 "Keep the windows' scores there, and go on where it was stopped");
  command.action([arguments](Context& context) { return run_perplexity(context, *arguments); });
}

}  // namespace mneme::app

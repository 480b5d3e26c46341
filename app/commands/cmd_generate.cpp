// mneme generate: the model alone, no documents.
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/commands/answer_options.h"
#include "app/commands/commands.h"
#include "app/context.h"
#include "app/generation.h"
#include "app/output/terminal_text.h"
#include "app/session.h"
#include "app/text_ids.h"
#include "app/text_input.h"
#include "engine/tokenizer/chat_template.h"

namespace mneme::app {
namespace {

constexpr uint64_t kMaxPromptBytes = uint64_t{64} << 20;
constexpr int kMaxTokens = 1 << 24;
constexpr int kMaxLogprobs = 1 << 20;
constexpr double kMaxTemperature = 100;

struct GenerateArguments {
  std::vector<std::string> words;
  std::optional<std::string> prompt;
  std::optional<std::string> prompt_file;
  bool raw = false;
  int max_tokens = 512;
  double temperature = 0;
  double top_p = 1;
  int top_k = 0;
  double repetition_penalty = 1;
  uint64_t seed = 0;
  int top_logprobs = 0;
  int max_drafted = engine::DraftedDecoder::kMostDrafted;
  AttentionArguments attention;
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

Result<std::string> prompt_text(const GenerateArguments& arguments) {
  if ((arguments.prompt ? 1 : 0) + (arguments.prompt_file ? 1 : 0) + (arguments.words.empty() ? 0 : 1) > 1) {
    return usage_error("the prompt stands behind `mneme generate`, in --prompt or in --prompt-file; give one of them.");
  }
  if (!arguments.words.empty()) return joined(arguments.words);
  if (arguments.prompt) return *arguments.prompt;
  if (arguments.prompt_file) return read_text_file(*arguments.prompt_file, kMaxPromptBytes);
  return read_standard_input(kMaxPromptBytes);
}

Result<std::vector<engine::TokenId>> prompt_ids(const engine::LanguageModel& model, const std::string& text, bool raw) {
  const engine::Tokenizer& tokenizer = model.tokenizer();
  if (!raw && model.chat_template() != nullptr) {
    return model.chat_template()->encode({{.role = "user", .content = text}}, true, tokenizer);
  }
  std::vector<engine::TokenId> ids;
  if (tokenizer.add_bos() && tokenizer.bos() != engine::kNoToken) ids.push_back(tokenizer.bos());
  MNEME_ASSIGN_OR_RETURN(const std::vector<engine::TokenId> encoded, encode_text(model, text));
  ids.insert(ids.end(), encoded.begin(), encoded.end());
  return ids;
}

nlohmann::json attention_json(const Generation& result) {
  const engine::RetrievalReport& report = result.retrieval;
  const bool used = report.used;
  const auto& hits = report.block_cache_hit_rate;
  return {{"kind", used ? "pq" : "full"},
          {"budget", used ? nlohmann::json(report.budget_tokens) : nlohmann::json(nullptr)},
          {"attended", used ? nlohmann::json(std::lround(report.mean_attended)) : nlohmann::json(nullptr)},
          {"block_cache_hit_rate", hits ? nlohmann::json(*hits) : nlohmann::json(nullptr)},
          {"kv_in_host_memory", result.kv_in_host_memory}};
}

nlohmann::json generation_json(const Generation& result, size_t prompt_tokens, bool with_logprobs) {
  nlohmann::json logprobs = nullptr;
  if (with_logprobs) {
    logprobs = nlohmann::json::array();
    for (const auto& step : result.top_logprobs) {
      nlohmann::json list = nlohmann::json::array();
      for (const engine::TokenLogprob& one : step) list.push_back({{"id", one.id}, {"logprob", one.logprob}});
      logprobs.push_back(std::move(list));
    }
  }
  return {{"text", result.text},
          {"tokens", result.tokens},
          {"prompt_tokens", prompt_tokens},
          {"decode_steps", result.drafts.steps},
          {"finish", result.finish},
          {"top_logprobs", std::move(logprobs)},
          {"attention", attention_json(result)},
          {"timing_ms", {{"prefill", result.prefill_ms}, {"ttft", result.first_token_ms}, {"total", result.total_ms}}}};
}

Result<GenerationOptions> generation_options(const GenerateArguments& arguments) {
  GenerationOptions options;
  options.max_tokens = arguments.max_tokens;
  options.top_logprobs = arguments.top_logprobs;
  options.sampler.temperature = static_cast<float>(arguments.temperature);
  options.sampler.top_p = static_cast<float>(arguments.top_p);
  options.sampler.top_k = arguments.top_k;
  options.sampler.repetition_penalty = static_cast<float>(arguments.repetition_penalty);
  options.sampler.seed = arguments.seed;
  options.max_drafted = arguments.max_drafted;
  MNEME_ASSIGN_OR_RETURN(options.retrieval, retrieval_options(arguments.attention));
  return options;
}

Result<ExitCode> run_generate(Context& context, const GenerateArguments& arguments) {
  MNEME_ASSIGN_OR_RETURN(const GenerationOptions options, generation_options(arguments));
  MNEME_ASSIGN_OR_RETURN(const std::string text, prompt_text(arguments));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::LanguageModel> model, open_model(context));
  MNEME_ASSIGN_OR_RETURN(const std::vector<engine::TokenId> prompt, prompt_ids(*model, text, arguments.raw));
  Output& output = context.output;
  const std::string note = arguments.raw ? std::string() : engine::chat_template_note(*model);
  if (!note.empty()) output.note("note: " + terminal_safe(note));
  const auto stream = [&output](std::string_view piece) { output.print(terminal_safe(piece)); };
  MNEME_ASSIGN_OR_RETURN(const Generation result,
                         generate(*model, prompt, options,
                                  output.json() ? std::function<void(std::string_view)>() : stream, context.cancel));
  if (output.json()) {
    output.print_json(generation_json(result, prompt.size(), arguments.top_logprobs > 0));
  } else {
    output.print("\n");
  }
  return result.finish == "interrupted" ? ExitCode::kInterrupted : ExitCode::kDone;
}

}  // namespace

void add_generate(Command root) {
  auto arguments = std::make_shared<GenerateArguments>();
  Command command = root.subcommand("generate", "Let the model write, without documents");
  command.words("TEXT", arguments->words, "What it goes on from (else --prompt, else standard input)",
                Presence::kOptional);
  command.option("--prompt TEXT", arguments->prompt, "What it goes on from, as one argument");
  command.option("--prompt-file FILE", arguments->prompt_file, "Read the prompt from FILE; - is standard input");
  command.exclusive({"TEXT", "--prompt", "--prompt-file"});
  command.flag("--raw", arguments->raw, "Send the text as it is, without the chat template");
  command.integer("--max-tokens N", arguments->max_tokens, 1, kMaxTokens, "Longest text");
  command.number("--temperature T", arguments->temperature, 0, kMaxTemperature,
                 "0 takes the likeliest token each time");
  command.number("--top-p P", arguments->top_p, 0, 1, "Sample from the likeliest tokens that sum to P");
  command.integer("--sample-top-k N", arguments->top_k, 0, kMaxTokens, "Sample from the N likeliest tokens; 0: all");
  command.number("--repetition-penalty X", arguments->repetition_penalty, 0.01, 100, "Above 1 discourages repeating");
  command.seed("--seed S", arguments->seed, "Equal seeds give equal text");
  add_draft_option(command, arguments->max_drafted);
  command.integer("--top-logprobs N", arguments->top_logprobs, 0, kMaxLogprobs,
                  "With --json: the N likeliest tokens of each step");
  add_attention_options(command, arguments->attention);
  command.action([arguments](Context& context) { return run_generate(context, *arguments); });
}

}  // namespace mneme::app

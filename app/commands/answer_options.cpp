#include "app/commands/answer_options.h"

#include "engine/fusion/selector.h"

namespace mneme::app {
namespace {

constexpr int kMaxTopK = 1000;
constexpr int kMaxTokens = 1 << 20;
constexpr int kMaxBudget = 1 << 24;
constexpr double kMaxTemperature = 100;

}  // namespace

std::vector<std::string> selector_names() {
  std::vector<std::string> names;
  for (const engine::Selector& selector : engine::selectors()) names.emplace_back(selector.name);
  return names;
}

void add_kv_level_option(Command& command, std::string& level) {
  command.choice("--kv-level", level, {"exact", "high", "medium", "low"}, "How finely KV caches are stored");
}

void add_attention_options(Command& command, std::string& attention, int& pq_budget) {
  command.choice("--attention", attention, {"full", "pq"}, "Attend to every token, or to those retrieved by PQ");
  command.integer("--pq-budget B", pq_budget, 0, kMaxBudget, "Tokens that PQ retrieval attends to; 0 chooses");
}

void add_answer_options(Command& command, AnswerArguments& arguments) {
  command.option("--collection NAME", arguments.collection, "Search this collection; all without it");
  command.integer("--top-k N", arguments.top_k, 1, kMaxTopK, "Passages to answer from");
  command.choice("--mode", arguments.mode, {"auto", "full", "prefix", "reuse", "blend"},
                 "Recompute everything, reuse the exact prefix, reuse all caches, or repair a share of their tokens; "
                 "auto blends where the model was measured to bear it");
  command.number("--recompute R", arguments.recompute, 0, 1, "Share of tokens that blend repairs");
  command.choice("--selector", arguments.selector, selector_names(), "How blend chooses them");
  add_kv_level_option(command, arguments.kv_level);
  add_attention_options(command, arguments.attention, arguments.pq_budget);
  command.integer("--max-tokens N", arguments.max_tokens, 1, kMaxTokens, "Longest answer");
  command.number("--temperature T", arguments.temperature, 0, kMaxTemperature, "0 takes the likeliest token each time");
  command.number("--top-p P", arguments.top_p, 0, 1, "Sample from the likeliest tokens that sum to P");
  command.seed("--seed S", arguments.seed, "Equal seeds give equal answers");
}

Result<rag::AskOptions> ask_options(const AnswerArguments& arguments) {
  rag::AskOptions options;
  options.search.collection = arguments.collection;
  options.search.top_k = arguments.top_k;
  if (!arguments.mode.empty() && arguments.mode != "auto") {
    MNEME_ASSIGN_OR_RETURN(options.mode, rag::parse_answer_mode(arguments.mode));
  }
  options.recompute_ratio = arguments.recompute;
  options.selector = arguments.selector;
  options.kv_level = arguments.kv_level;
  options.attention = arguments.attention;
  options.pq_budget = arguments.pq_budget;
  options.max_tokens = arguments.max_tokens;
  options.temperature = static_cast<float>(arguments.temperature);
  options.top_p = static_cast<float>(arguments.top_p);
  options.seed = arguments.seed;
  return options;
}

}  // namespace mneme::app

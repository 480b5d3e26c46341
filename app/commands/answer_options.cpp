#include "app/commands/answer_options.h"

#include "engine/fusion/selector.h"
#include "engine/pq/code_limits.h"

namespace mneme::app {
namespace {

constexpr int kMaxTopK = 1000;
constexpr int kMaxTokens = 1 << 20;
constexpr int kBlockCacheTokens = 4096;  // whose hit rate is reported
constexpr double kMaxTemperature = 100;
constexpr double kMaxGoalMs = 1e9;
constexpr int kMaxLayers = 1024;

}  // namespace

std::vector<std::string> selector_names() {
  std::vector<std::string> names;
  for (const engine::Selector& selector : engine::selectors()) names.emplace_back(selector.name);
  return names;
}

void add_full_layers_option(Command& command, std::optional<int>& full_layers) {
  command.integer("--full-layers N", full_layers, 0, kMaxLayers,
                  "First layers of the model that blend computes for the whole prompt while the others are loaded; "
                  "without it as many as is soonest, none beside --recompute; with --first-token-goal none");
}

void add_kv_level_option(Command& command, std::string& level) {
  command.choice("--kv-level", level, {"exact", "high", "medium", "low"}, "How finely KV caches are stored");
}

void add_choice_options(Command& command, int& neighbours, double& diversity) {
  command.integer("--neighbours N", neighbours, 0, kMaxTopK,
                  "The passages before and after the N best come along, in place of the last");
  command.number("--diversity D", diversity, 0, 1,
                 "0 takes passages by score alone, towards 1 those unlike each other");
}

void add_rerank_by_option(Command& command, std::string& who) {
  command.option("--rerank-by WHO", who,
                 "Let a model read the best candidates, within 300 ms: model (the likelihood of the question under the "
                 "language model) or a cross-encoder's GGUF file or name");
}

void add_attention_options(Command& command, AttentionArguments& arguments) {
  command.choice("--attention", arguments.kind, {"full", "pq", "auto"},
                 "Attend to every token, or to those that PQ retrieves; auto retrieves in long contexts");
  command.option("--pq-budget B", arguments.budget,
                 "What PQ retrieval attends to: a share (0.1, 1/10; 1 is everything), a count (4096) or mass:P");
  command.integer("--pq-m M", arguments.n_parts, 1, engine::kMaxKeyParts, "Parts a key is cut into");
  command.integer("--pq-b B", arguments.n_bits, 1, engine::kMaxKeyCodeBits, "Bits of each part's code");
}

void add_draft_option(Command& command, int& max_drafted) {
  command.integer("--draft N", max_drafted, 0, engine::DraftedDecoder::kMostDrafted,
                  "Tokens that a step may run ahead where the text seems to repeat its sources; what is written is the "
                  "same, sooner");
}

void add_pq_method_option(Command& command, std::vector<std::string>& methods, const std::string& use) {
  constexpr const char* kMethods =
      ": pq, exact, window, h2o, sparq, quest, infllm; pq also as pq:4x8 (parts and bits), and with +cut, +even, "
      "+centre, +max, +rerankN, +shareN, +windowN, +sinksN, +iterationsN behind it";
  command.list("--pq-method M,M", methods, use + kMethods);
}

Result<engine::RetrievalOptions> retrieval_options(const AttentionArguments& arguments) {
  engine::RetrievalOptions options;
  MNEME_ASSIGN_OR_RETURN(options.kind, engine::parse_attention_kind(arguments.kind));
  MNEME_ASSIGN_OR_RETURN(options.budget, engine::parse_retrieval_budget(arguments.budget));
  options.n_parts = arguments.n_parts;
  options.n_bits = arguments.n_bits;
  options.block_cache_tokens = kBlockCacheTokens;
  return options;
}

void add_answer_options(Command& command, AnswerArguments& arguments) {
  command.section("What is searched");
  command.option("--collection NAME", arguments.collection, "Search this collection; all without it");
  command.integer("--top-k N", arguments.top_k, 1, kMaxTopK, "Passages to answer from");
  add_choice_options(command, arguments.neighbours, arguments.diversity);
  add_rerank_by_option(command, arguments.rerank_by);
  command.section("What of passages is computed anew");
  command.choice("--mode", arguments.mode, {"auto", "full", "prefix", "reuse", "blend"},
                 "Recompute everything, reuse the exact prefix, reuse all caches, or repair a share of their tokens; "
                 "auto blends where the model was measured to bear it");
  command.number("--recompute R", arguments.recompute, 0, 1, "Share of tokens that blend repairs");
  command.choice("--selector", arguments.selector, selector_names(), "How blend chooses them");
  add_full_layers_option(command, arguments.full_layers);
  add_kv_level_option(command, arguments.kv_level);
  command.number("--first-token-goal MS", arguments.first_token_goal_ms, 1, kMaxGoalMs,
                 "Milliseconds until the first token: caches come at the finest stored level that keeps them");
  command.section("Attention");
  add_attention_options(command, arguments.attention);
  command.section("Writing");
  command.integer("--max-tokens N", arguments.max_tokens, 1, kMaxTokens, "Longest answer");
  command.number("--temperature T", arguments.temperature, 0, kMaxTemperature, "0 takes the likeliest token each time");
  command.number("--top-p P", arguments.top_p, 0, 1, "Sample from the likeliest tokens that sum to P");
  command.seed("--seed S", arguments.seed, "Equal seeds give equal answers");
  add_draft_option(command, arguments.max_drafted);
  command.section("Options");
}

Result<rag::AskOptions> ask_options(const AnswerArguments& arguments) {
  rag::AskOptions options;
  options.search.collection = arguments.collection;
  options.search.top_k = arguments.top_k;
  options.search.neighbours = arguments.neighbours;
  options.search.diversity = arguments.diversity;
  if (!arguments.mode.empty() && arguments.mode != "auto") {
    MNEME_ASSIGN_OR_RETURN(options.mode, rag::parse_answer_mode(arguments.mode));
  }
  options.recompute_ratio = arguments.recompute;
  options.full_layers = arguments.full_layers;
  options.selector = arguments.selector;
  options.kv_level = arguments.kv_level;
  options.first_token_goal_ms = arguments.first_token_goal_ms;
  MNEME_ASSIGN_OR_RETURN(options.retrieval, retrieval_options(arguments.attention));
  options.max_tokens = arguments.max_tokens;
  options.temperature = static_cast<float>(arguments.temperature);
  options.top_p = static_cast<float>(arguments.top_p);
  options.seed = arguments.seed;
  options.max_drafted = arguments.max_drafted;
  return options;
}

}  // namespace mneme::app

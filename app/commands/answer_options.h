// The options of answering that `ask` and `chat` share. Threads: the main thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command_line.h"
#include "engine/pq/retrieval_options.h"
#include "rag/answering/exchange/ask_options.h"

namespace mneme::app {

// The longest question that is read from standard input.
inline constexpr uint64_t kMaxQuestionBytes = 1 << 20;

// How decoding attends (engine/pq/retrieval_options.h).
struct AttentionArguments {
  std::string kind = "auto";
  std::string budget = {};  // empty: the default share
  int n_parts = 2;
  int n_bits = 6;
};

struct AnswerArguments {
  std::string collection;  // empty: all
  int top_k = 6;
  std::string rerank_by;  // empty: the second look alone
  int neighbours = 0;
  double diversity = 0;
  std::string mode;  // empty or auto: blend where the model's quality gate passes, else full
  std::optional<double> recompute;
  std::optional<int> full_layers;
  std::string selector;
  std::string kv_level = "medium";
  std::optional<double> first_token_goal_ms;
  AttentionArguments attention;
  int max_tokens = 512;
  double temperature = 0;
  double top_p = 1;
  uint64_t seed = 0;
  int max_drafted = engine::DraftedDecoder::kMostDrafted;
};

void add_answer_options(Command& command, AnswerArguments& arguments);
Result<rag::AskOptions> ask_options(const AnswerArguments& arguments);

// Names of the ways to choose the rows that are recomputed.
std::vector<std::string> selector_names();

// First layers computed for the whole prompt while those behind them are loaded.
void add_full_layers_option(Command& command, std::optional<int>& full_layers);
// Shared by every command that approximates.
void add_kv_level_option(Command& command, std::string& level);
// How many of the best passages bring their neighbours along, and how unlike each other passages should be.
void add_choice_options(Command& command, int& neighbours, double& diversity);
// Who reads the best candidates again (rag/retrieval/reranker.h).
void add_rerank_by_option(Command& command, std::string& who);
void add_attention_options(Command& command, AttentionArguments& arguments);
void add_draft_option(Command& command, int& max_drafted);
// Ways of retrieval side by side (engine::parse_retrieval_variant); `use` says what is done with each.
void add_pq_method_option(Command& command, std::vector<std::string>& methods, const std::string& use);
Result<engine::RetrievalOptions> retrieval_options(const AttentionArguments& arguments);

}  // namespace mneme::app

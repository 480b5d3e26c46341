// The options of answering that `ask` and `chat` share. Threads: the main thread.
#pragma once

#include <optional>
#include <string>

#include "app/cli/command_line.h"
#include "rag/answering/answerer.h"

namespace mneme::app {

struct AnswerArguments {
  std::string collection;  // empty: all
  int top_k = 6;
  std::string mode;  // empty or auto: blend where the model's quality gate passes, else full
  std::optional<double> recompute;
  std::string selector;
  std::string kv_level = "medium";
  std::string attention = "full";
  int pq_budget = 0;
  int max_tokens = 512;
  double temperature = 0;
  double top_p = 1;
  uint64_t seed = 0;
};

void add_answer_options(Command& command, AnswerArguments& arguments);
Result<rag::AskOptions> ask_options(const AnswerArguments& arguments);

// Names of the ways to choose the rows that are recomputed.
std::vector<std::string> selector_names();

// Shared by every command that approximates.
void add_kv_level_option(Command& command, std::string& level);
void add_attention_options(Command& command, std::string& attention, int& pq_budget);

}  // namespace mneme::app

// What a question comes with. Threads: values.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/decoding/drafted_decoder.h"
#include "engine/pq/retrieval_options.h"
#include "rag/answering/exchange/answer.h"
#include "rag/prompt/turn.h"
#include "rag/retrieval/retriever.h"

namespace mneme::rag {

class ChatKv;

// A passage given by the caller instead of retrieved (`--context`, `eval`).
struct ContextPassage {
  std::string title;
  std::string text;
  std::string document;  // path, may be empty
};

struct AskOptions {
  SearchOptions search;
  std::vector<std::string> context_files;  // these files are the chunks, in this order; no retrieval
  std::vector<ContextPassage> passages;    // or these texts; no retrieval either
  std::vector<Turn> history;               // oldest first
  bool rewrite_by_model = false;           // a follow-up is made to stand alone by the model, not by rules alone
  std::string instructions;                // the user's own; follow the chunks
  bool short_answer = false;               // asks for the answer alone (`eval`)
  std::optional<AnswerMode> mode;          // unset: blend where the model's quality gate passes, else full
  std::optional<double> recompute_ratio;   // overrides the loading controller and the quality gate
  std::optional<int> full_layers;          // first layers that blend computes for the whole prompt; unset: controller
  std::string selector;                    // rows to recompute (engine/fusion/selector.h); empty: the default
  std::string kv_level = "medium";
  // The first token is wanted so many milliseconds after the question: passages come at the finest stored level that
  // keeps that, or from their text. Modes that load nothing do not look at it.
  std::optional<double> first_token_goal_ms;
  engine::RetrievalOptions retrieval = {.kind = engine::AttentionKind::kAuto};  // how decoding attends
  int max_tokens = 512;
  float temperature = 0.0f;
  float top_p = 1.0f;
  uint64_t seed = 0;
  // Tokens that a step of decoding may run ahead (engine/decoding); the answer is the same without.
  int max_drafted = engine::DraftedDecoder::kMostDrafted;
  // The chat this question belongs to: what was computed for its earlier turns is used, and this turn's is added.
  ChatKv* chat = nullptr;
  // For measuring: Answer::first_logits and mean_logprob are filled; and score_nll, for this text.
  bool wants_logits = false;
  std::optional<std::string> score_text;
};

struct AskCallbacks {
  std::function<void(std::string_view text)> token;           // whole UTF-8 characters
  std::function<void(const std::vector<Citation>&)> sources;  // known before the first token
  std::function<void(std::string_view stage)> stage;          // "retrieving", "reading", "thinking", "answering"
};

}  // namespace mneme::rag

// What a question comes back with: the text, what it cites, and how it came to be. Threads: values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rag/answering/exchange/stretch.h"
#include "rag/kv_reuse/cache_report.h"
#include "rag/retrieval/retriever.h"

namespace mneme::rag {

// A source the answer may cite. n counts from 1 in the order of the prompt.
struct Citation {
  int n = 0;
  Hit source;           // document, title, page (of the words, where they are quoted), lines, score, text, chunk
  bool cited = false;   // the answer names [n]
  bool quoted = false;  // the words of a sentence that cites it occur in the passage, exactly or nearly
  // Bytes of source.text that are quoted, best first; none where a model wrote the answer.
  std::vector<Stretch> quotes{};
};

// A sentence of the answer whose words no cited passage bears out. Byte span of Answer::text.
struct UnsupportedSpan {
  uint64_t byte_begin = 0;
  uint64_t byte_end = 0;
};

enum class Finish { kStop, kLength, kInterrupted };
std::string_view finish_name(Finish finish);

struct AnswerUsage {
  int prompt_tokens = 0;
  int chunk_tokens = 0;
  int answer_tokens = 0;  // with those of the reasoning
  int reasoning_tokens = 0;
  int cut_passages = 0;  // retrieved, but the context had no room for them
  int decode_steps = 0;  // of the model, for the answer's tokens behind the first
};

struct AttentionReport {
  std::string kind = "full";
  std::optional<int> budget;
  std::optional<int> attended;
  std::optional<double> block_cache_hit_rate;
  std::optional<double> recall;    // of the tokens full attention weighs most; where it was checked
  std::optional<double> mass;      // of full attention that was covered; likewise
  bool kv_in_host_memory = false;  // the GPU's had no room for keys and values of so many tokens
};

struct AnswerTiming {  // milliseconds; unset: does not apply
  std::optional<double> retrieve;
  std::optional<double> rerank;  // of retrieve: the closer look at the best candidates
  std::optional<double> load;
  std::optional<double> recompute;
  std::optional<double> ttft;
  std::optional<double> total;
};

// The short answer within a quotation (brief_answer.h).
struct BriefAnswer {
  std::string text;          // words of the quotation
  int n = 0;                 // of the source it stands in
  double probability = 0.0;  // of exactly this answer, as the model holds; 1 where brackets behind it say so
  bool stated = false;       // likely enough to be said first
  std::string model;         // that read it; empty: none did, brackets say it
};

// Everything of the `ask --json` object.
struct Answer {
  std::string text;
  std::string reasoning;  // what a model that thinks first wrote before the answer; not checked, cited or remembered
  Finish finish = Finish::kStop;
  std::vector<Citation> citations;  // those the answer names, by n
  std::vector<Citation> sources;    // all passages the model saw
  AnswerUsage usage;
  CacheReport cache;
  AttentionReport attention;
  AnswerTiming timing;
  std::optional<double> first_token_goal_ms;  // as it was asked for
  std::optional<double> decode_tokens_per_s;
  std::string model = "none";
  std::string device = "cpu";
  std::optional<int> gpu_layers;             // of the model's layers, those on a GPU; none without a model
  bool in_documents = true;                  // false: the answer is "not in your documents"
  std::optional<BriefAnswer> brief;          // of quotations, where a model read them
  std::vector<UnsupportedSpan> unsupported;  // sentences to mark
  int reranked = 0;                          // candidates that were looked at a second time
  std::string standalone_query;              // what was searched, when history changed the question
  std::vector<std::string> notes;            // truncation, fallbacks: never silent
  std::vector<int> prompt_ids;               // the exact prompt, for eval and debugging; empty without a model
  std::vector<float> first_logits;           // (vocab_size) of the first token, when asked for
  std::optional<double> mean_logprob;        // of the answer's tokens, when asked for
  std::optional<double> score_nll;           // mean -log p per token of AskOptions::score_text behind the prompt
};

// For people: "cpu", "cuda:0", "cuda:0+cpu (12 layers on the GPU)".
std::string device_text(const Answer& answer);

}  // namespace mneme::rag

// Question sets: SQuAD JSON, MuSiQue and LongChat JSON Lines, and this project's own JSON Lines (interface contract).
// Every length is bounded by the file; malformed records are refused with their place. Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace mneme::app {

struct EvalContext {
  std::string title;
  std::string text;
};

struct EvalQuestion {
  std::string id;
  std::string question;
  std::vector<EvalContext> contexts;
  std::vector<std::string> answers;  // empty: unanswerable
  std::vector<int> supporting;       // indices of the contexts that hold the answer
  bool answerable = true;
};

struct EvalSet {
  std::string name;
  std::vector<EvalQuestion> questions;
  std::string content{};  // xxh3_128 of the file, in hex digits: a set that was edited is another one
};

enum class EvalFormat { kAuto, kSquad, kMusique, kLongchat, kJsonl };
Result<EvalFormat> parse_eval_format(std::string_view name);

// kCorruption names the line or place of a record that is not of the format.
Result<EvalSet> parse_eval_set(std::string_view bytes, EvalFormat format, const std::string& name);
Result<EvalSet> load_eval_set(const std::string& path, EvalFormat format);

// The test split: xxHash64 of the document's title modulo 5 is 0. Training never sees these titles.
bool is_test_title(std::string_view title);
// The title that decides a question's split: that of its first supporting context.
std::string_view split_title(const EvalQuestion& question);

// Every different context of a set once, in order of first appearance, and for each question the indices of its
// supporting ones: the corpus for retrieval.
struct EvalCorpus {
  std::vector<EvalContext> documents;
  std::vector<std::vector<int>> relevant;  // per question
};
EvalCorpus corpus_of(const EvalSet& set);

// Brings a question to `n_chunks` contexts: its supporting ones in their order, with seeded distractors from
// `corpus` around them, none of which holds an answer. More contexts than n_chunks: distractors are dropped first.
EvalQuestion pad_with_distractors(const EvalQuestion& question, const EvalCorpus& corpus, int n_chunks, uint64_t seed);

}  // namespace mneme::app

// How often quoting refuses what the documents answer, and answers what they do not. Every different context of a
// question set becomes a document; each question is asked twice, the second time with the documents that answer it
// left out. Or all questions are asked of documents about other things. Threads: the main thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "app/context.h"
#include "app/eval/eval_set.h"
#include "base/status.h"

namespace mneme::app {

class ResultFile;

struct RefusingRun {
  std::string documents{};      // a folder to ask instead, which answers none of the questions; empty: the set's own
  std::string evidence_file{};  // empty: none. What the decisions were made by (judged_file.h)
  std::function<void(uint64_t done, uint64_t total)> progress{};
  ResultFile* kept = nullptr;  // questions whose outcome is there are not asked again; null: all are
};

struct RefusingResult {
  int64_t questions = 0;           // asked of documents that answer them
  int64_t refused_answerable = 0;  // of these
  int64_t first_right = 0;         // of these: the first quotation holds an answer
  int64_t absent = 0;              // asked of documents that do not
  int64_t answered_absent = 0;     // of these
  int64_t answered_elsewhere = 0;  // of answered_absent: the quotation holds an answer, another document has it too
};

// `corpus` comes from corpus_of(); questions without a supporting context are left out. Quoting alone: the language
// model of the context is not opened.
Result<RefusingResult> evaluate_refusing(Context& context, const EvalSet& set, const EvalCorpus& corpus,
                                         const RefusingRun& run);

}  // namespace mneme::app

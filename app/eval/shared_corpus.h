// Several question sets over one index, as a home has everything a user keeps: whether a set's paragraphs are still
// found among those of the others. Threads: values.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/eval/eval_set.h"
#include "base/status.h"

namespace mneme::app {

// A set as it is asked over documents it may share with others.
struct AskedSet {
  EvalSet set;
  std::vector<std::vector<int>> relevant;  // per question, of the shared documents; empty: not asked
};

class SharedCorpus {
 public:
  // Adds a set's documents, each different text once, and the set itself with its places among them. corpus: as
  // corpus_of() gives it; relevant may have been emptied for questions that are not asked.
  void add(EvalSet set, EvalCorpus corpus);
  // Documents that answer nothing.
  void add(std::vector<EvalContext> passages);

  const std::vector<EvalContext>& documents() const { return documents_; }
  const std::vector<AskedSet>& asked() const { return asked_; }

 private:
  int place_of(EvalContext document);

  std::vector<EvalContext> documents_;
  std::unordered_map<std::string, int> known_;  // by text
  std::vector<AskedSet> asked_;
};

// Passages without questions, as 2WikiMultihopQA comes: a JSON array of objects with `title` and `text`. kNotFound when
// the bytes are no JSON array, so that they may still be a question set; kCorruption for arrays of anything else.
Result<std::vector<EvalContext>> parse_passages(std::string_view bytes, const std::string& name);

}  // namespace mneme::app

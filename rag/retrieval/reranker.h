// A third look at the first candidates by a model that reads question and passage together, within a time limit: slower
// than the second look (second_look.h) and only where the user asks for it. Two kinds:
//   the language model's likelihood of the question behind the passage (Ponte and Croft 1998; Sachan et al. 2022), from
//   the passage's stored KV where there is some, so that only the question is computed;
//   a cross-encoder that the user brings: BERT with a classification head as GGUF (Nogueira and Cho 2019).
// Ownership: borrows the workspace. Threads: one score() at a time.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"

namespace mneme::rag {

class Workspace;

class Reranker {
 public:
  using Clock = std::chrono::steady_clock;

  virtual ~Reranker() = default;

  // What it is, for people: "likelihood of the question under mneme-mini".
  virtual const std::string& name() const = 0;
  // What one standard deviation of its scores among the candidates counts, in log odds of the second look.
  virtual double weight() const = 0;

  // Scores of the first passages, as many as are done by the deadline but at least one; higher is better, comparable
  // among themselves only. Passages come best first.
  virtual Result<std::vector<double>> score(std::string_view question, std::span<const std::string_view> passages,
                                            Clock::time_point deadline, const CancelToken& cancel) = 0;
};

// spec: "model" for the likelihood under the workspace's language model, else a cross-encoder's GGUF file or registered
// name. kUnsupported without a language model, or for a file without a head; kNotFound; kCorruption.
Result<std::unique_ptr<Reranker>> open_reranker(Workspace& workspace, const std::string& spec);

// Whether `more` passages will be read by the deadline if they take as long as `done` took from `begun` to `now`; the
// first always are.
bool time_for_more(Reranker::Clock::time_point begun, Reranker::Clock::time_point now, size_t done, size_t more,
                   Reranker::Clock::time_point deadline);

// Scores as deviations from their mean in units of their standard deviation; all 0 when they are equal.
std::vector<double> standardised(std::span<const double> scores);

}  // namespace mneme::rag

// Reranking by the language model's likelihood of the question behind each passage (reranker.h). A passage whose KV is
// stored is loaded, as it is, behind the prompt's prefix; another is computed. Ownership: borrows the workspace, whose
// model must stay open. Threads: one score() at a time.
#pragma once

#include "engine/language_model.h"
#include "rag/retrieval/reranker.h"

namespace mneme::rag {

class KvLibrary;

class LikelihoodReranker final : public Reranker {
 public:
  static Result<std::unique_ptr<Reranker>> open(Workspace& workspace);

  const std::string& name() const override { return name_; }
  double weight() const override { return 1.0; }
  // Mean log probability of the question's tokens, per token.
  Result<std::vector<double>> score(std::string_view question, std::span<const std::string_view> passages,
                                    Clock::time_point deadline, const CancelToken& cancel) override;

  static constexpr size_t kMaxQuestionTokens = 512;  // with what leads in to it

  int n_loaded() const { return n_loaded_; }  // passages of the last score() that came from the store

 private:
  LikelihoodReranker(engine::LanguageModel& model, KvLibrary& library, std::string name);

  // Puts the passage behind the prefix into the sequence, the question's lead-in behind it.
  Status place(std::string_view passage, const CancelToken& cancel);
  Result<double> likelihood(std::span<const engine::TokenId> question, const CancelToken& cancel);
  Status make_room(size_t n_tokens);

  engine::LanguageModel& model_;
  KvLibrary& library_;
  const std::string name_;
  std::unique_ptr<engine::Sequence> sequence_;
  int sequence_tokens_ = 0;
  int n_loaded_ = 0;
};

}  // namespace mneme::rag

// Reranking by a cross-encoder (reranker.h). Ownership: owns the model. Threads: one score() at a time.
#pragma once

#include "engine/encoder.h"
#include "rag/retrieval/reranker.h"

namespace mneme::rag {

class CrossEncoderReranker final : public Reranker {
 public:
  // kUnsupported for an encoder that only makes vectors.
  static Result<std::unique_ptr<Reranker>> open(const std::string& path, int n_threads, const std::string& device);

  const std::string& name() const override { return name_; }
  // Trained for nothing else: its order all but replaces the one before.
  double weight() const override { return 4.0; }
  Result<std::vector<double>> score(std::string_view question, std::span<const std::string_view> passages,
                                    Clock::time_point deadline, const CancelToken& cancel) override;

 private:
  explicit CrossEncoderReranker(std::unique_ptr<engine::Encoder> encoder);

  std::unique_ptr<engine::Encoder> encoder_;
  std::string name_;
};

}  // namespace mneme::rag

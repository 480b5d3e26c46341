#include "rag/retrieval/cross_encoder_reranker.h"

#include <algorithm>
#include <filesystem>

namespace mneme::rag {

namespace {

constexpr size_t kAtOnce = 2;  // passages between two looks at the clock

}  // namespace

CrossEncoderReranker::CrossEncoderReranker(std::unique_ptr<engine::Encoder> encoder)
    : encoder_(std::move(encoder)),
      name_("the cross-encoder " + std::filesystem::path(encoder_->path()).stem().string()) {}

Result<std::unique_ptr<Reranker>> CrossEncoderReranker::open(const std::string& path, int n_threads,
                                                             const std::string& device) {
  engine::ModelOptions options;
  options.device.device = device;
  options.device.n_threads = n_threads;
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<engine::Encoder> encoder, engine::Encoder::open(path, options));
  if (!encoder->is_ranker()) {
    return unsupported("cannot rerank with " + path +
                       ": it makes vectors and has no classification head; name a cross-encoder, or \"model\"");
  }
  return std::unique_ptr<Reranker>(new CrossEncoderReranker(std::move(encoder)));
}

Result<std::vector<double>> CrossEncoderReranker::score(std::string_view question,
                                                        std::span<const std::string_view> passages,
                                                        Clock::time_point deadline, const CancelToken& cancel) {
  std::vector<double> scores;
  const Clock::time_point begun = Clock::now();
  while (scores.size() < passages.size()) {
    const size_t count = std::min(kAtOnce, passages.size() - scores.size());
    if (!time_for_more(begun, Clock::now(), scores.size(), count, deadline)) break;
    MNEME_ASSIGN_OR_RETURN(const std::vector<double> more,
                           encoder_->rank(question, passages.subspan(scores.size(), count), cancel));
    scores.insert(scores.end(), more.begin(), more.end());
  }
  return scores;
}

}  // namespace mneme::rag

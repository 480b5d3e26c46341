#include "rag/retrieval/reranker.h"

#include <cmath>
#include <numeric>

#include "rag/retrieval/cross_encoder_reranker.h"
#include "rag/retrieval/likelihood_reranker.h"
#include "rag/workspace.h"

namespace mneme::rag {

Result<std::unique_ptr<Reranker>> open_reranker(Workspace& workspace, const std::string& spec) {
  if (spec == "model") return LikelihoodReranker::open(workspace);
  MNEME_ASSIGN_OR_RETURN(const std::string path, workspace.resolve_model(spec));
  return CrossEncoderReranker::open(path, workspace.n_threads(), workspace.options().device);
}

bool time_for_more(Reranker::Clock::time_point begun, Reranker::Clock::time_point now, size_t done, size_t more,
                   Reranker::Clock::time_point deadline) {
  if (done == 0) return true;
  const std::chrono::duration<double> each = (now - begun) / static_cast<double>(done);
  return each * static_cast<double>(more) < deadline - now;
}

std::vector<double> standardised(std::span<const double> scores) {
  std::vector<double> deviations(scores.begin(), scores.end());
  if (deviations.empty()) return deviations;
  const double n = static_cast<double>(scores.size());
  const double mean = std::accumulate(scores.begin(), scores.end(), 0.0) / n;
  double squares = 0.0;
  for (double& value : deviations) {
    value -= mean;
    squares += value * value;
  }
  const double deviation = std::sqrt(squares / n);
  for (double& value : deviations) value = deviation > 0.0 ? value / deviation : 0.0;
  return deviations;
}

}  // namespace mneme::rag

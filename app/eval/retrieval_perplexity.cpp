#include "app/eval/retrieval_perplexity.h"

#include <algorithm>
#include <cmath>

namespace mneme::app {
namespace {

constexpr size_t kBatch = 128;  // tokens whose logits are computed at once
constexpr uint64_t kBootstrapSeed = 1;

std::vector<double> log_probabilities(std::span<const float> logits) {
  const float top = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - top);
  const double shift = std::log(sum) + top;
  std::vector<double> log_p;
  log_p.reserve(logits.size());
  for (const float logit : logits) log_p.push_back(logit - shift);
  return log_p;
}

double divergence(const std::vector<float>& full, std::span<const double> lane) {
  double sum = 0;
  for (size_t i = 0; i < full.size(); ++i) sum += std::exp(double{full[i]}) * (full[i] - lane[i]);
  return sum;
}

// Log probabilities after each of ids[half - 1] .. ids[n - 2], under full attention.
Result<std::vector<std::vector<float>>> full_distributions(engine::LanguageModel& model, engine::Sequence& sequence,
                                                           std::span<const engine::TokenId> ids, size_t half,
                                                           const CancelToken& cancel) {
  const auto vocab = static_cast<size_t>(model.config().vocab_size);
  std::vector<std::vector<float>> all;
  const auto add = [&](std::span<const float> logits) {
    const std::vector<double> log_p = log_probabilities(logits);
    all.emplace_back(log_p.begin(), log_p.end());
  };
  MNEME_RETURN_IF_ERROR(sequence.append(ids.first(half), cancel));
  add(sequence.logits());
  std::vector<float> logits;
  for (size_t begin = half; begin + 1 < ids.size(); begin += kBatch) {
    const size_t n = std::min(kBatch, ids.size() - 1 - begin);
    MNEME_RETURN_IF_ERROR(sequence.append_with_logits(ids.subspan(begin, n), logits, cancel));
    for (size_t i = 0; i < n; ++i) add(std::span(logits).subspan(i * vocab, vocab));
  }
  return all;
}

Result<RetrievalScore> score_lane(engine::Sequence& sequence, std::span<const engine::TokenId> ids, size_t half,
                                  const std::vector<std::vector<float>>& full, const PerplexityLane& lane,
                                  const CancelToken& cancel) {
  sequence.truncate(static_cast<int>(half));
  MNEME_RETURN_IF_ERROR(sequence.set_retrieval(lane.options));
  RetrievalScore score;
  // The first token is predicted from the half that was read in full.
  score.nll -= full.front()[static_cast<size_t>(ids[half])];
  for (size_t i = half; i + 1 < ids.size(); ++i) {
    MNEME_RETURN_IF_ERROR(sequence.append(ids.subspan(i, 1), cancel));
    const std::vector<double> log_p = log_probabilities(sequence.logits());
    score.nll -= log_p[static_cast<size_t>(ids[i + 1])];
    score.kl += divergence(full[i + 1 - half], log_p);
  }
  const engine::RetrievalReport report = sequence.retrieval_report();
  score.steps = report.steps;
  score.recall = report.recall.value_or(0) * report.steps;
  score.mass = report.mass.value_or(0) * report.steps;
  score.attended = report.mean_attended * report.steps;
  return score;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace

Result<std::vector<PerplexityLane>> perplexity_lanes(const std::vector<std::string>& methods,
                                                     const std::string& budgets, const engine::RetrievalOptions& base) {
  std::vector<PerplexityLane> lanes;
  for (const std::string& method : methods) {
    for (const std::string& budget : split(budgets)) {
      PerplexityLane lane{.method = method, .budget = budget, .options = base};
      lane.options.kind = engine::AttentionKind::kPq;
      lane.options.check = true;
      MNEME_RETURN_IF_ERROR(engine::parse_retrieval_variant(method, lane.options));
      MNEME_ASSIGN_OR_RETURN(lane.options.budget, engine::parse_retrieval_budget(budget));
      lanes.push_back(std::move(lane));
    }
  }
  return lanes;
}

Result<RetrievalWindow> score_retrieval_window(engine::LanguageModel& model, std::span<const engine::TokenId> window,
                                               std::span<const PerplexityLane> lanes, const CancelToken& cancel) {
  RetrievalWindow scored;
  scored.lanes.resize(lanes.size());
  std::vector<engine::TokenId> ids;
  const engine::Tokenizer& tokenizer = model.tokenizer();
  if (tokenizer.add_bos() && tokenizer.bos() != engine::kNoToken) ids.push_back(tokenizer.bos());
  ids.insert(ids.end(), window.begin(), window.end());
  if (ids.size() < 4) return scored;
  const size_t half = ids.size() / 2;
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<engine::Sequence> sequence,
                         model.new_sequence(static_cast<int>(ids.size())));
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::vector<float>> distributions,
                         full_distributions(model, *sequence, ids, half, cancel));
  scored.tokens = static_cast<int64_t>(distributions.size());
  for (size_t i = 0; i < distributions.size(); ++i) {
    scored.full_nll -= distributions[i][static_cast<size_t>(ids[half + i])];
  }
  for (size_t i = 0; i < lanes.size(); ++i) {
    MNEME_ASSIGN_OR_RETURN(scored.lanes[i], score_lane(*sequence, ids, half, distributions, lanes[i], cancel));
  }
  return scored;
}

RetrievalWindow sum_of(std::span<const RetrievalWindow> windows) {
  RetrievalWindow sum;
  for (const RetrievalWindow& window : windows) {
    sum.tokens += window.tokens;
    sum.full_nll += window.full_nll;
    sum.lanes.resize(window.lanes.size());
    for (size_t i = 0; i < window.lanes.size(); ++i) {
      RetrievalScore& lane = sum.lanes[i];
      lane.nll += window.lanes[i].nll;
      lane.kl += window.lanes[i].kl;
      lane.steps += window.lanes[i].steps;
      lane.recall += window.lanes[i].recall;
      lane.mass += window.lanes[i].mass;
      lane.attended += window.lanes[i].attended;
    }
  }
  return sum;
}

Interval loss_95(std::span<const RetrievalWindow> windows, size_t lane) {
  const RetrievalWindow sum = sum_of(windows);
  if (sum.tokens == 0) return {};
  const double tokens_a_window = static_cast<double>(sum.tokens) / static_cast<double>(windows.size());
  std::vector<double> differences;
  for (const RetrievalWindow& window : windows) {
    differences.push_back((window.lanes[lane].nll - window.full_nll) / tokens_a_window);
  }
  const Interval interval = bootstrap_mean_95(differences, kBootstrapSeed);
  return {std::expm1(interval.low), std::expm1(interval.high)};
}

}  // namespace mneme::app

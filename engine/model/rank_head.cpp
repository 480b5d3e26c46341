#include "engine/model/rank_head.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "engine/model/tensor_values.h"

namespace mneme::engine {

namespace {

constexpr std::array<std::string_view, 4> kNames = {"cls.weight", "cls.bias", "cls.output.weight", "cls.output.bias"};
constexpr std::string_view kNorm = "cls.norm.weight";

double gelu(double x) {
  return 0.5 * x * (1.0 + std::erf(x / std::numbers::sqrt2));
}

double dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0.0;
  for (size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * b[i];
  return sum;
}

// The rows whose products with the hidden state say how likely either answer is.
struct YesNo {
  std::string_view tensor;
  int64_t yes = 0;
  int64_t no = 1;
};

Result<YesNo> find_yes_no(const gguf::GgufFile& file, const ModelConfig& config) {
  const bool has_head = file.find_tensor(kNames[2]) != nullptr;
  const bool tied = file.find_tensor("output.weight") == nullptr;
  const std::vector<std::string>* words =
      file.strings(has_head ? config.architecture + ".classifier.output_labels" : "tokenizer.ggml.tokens");
  if (has_head && words == nullptr) return YesNo{kNames[2], 0, 1};  // the order that the converter writes
  const auto place = [&](std::string_view word) {
    if (words == nullptr) return int64_t{-1};
    const auto found = std::find(words->begin(), words->end(), word);
    return found == words->end() ? int64_t{-1} : static_cast<int64_t>(found - words->begin());
  };
  const YesNo at{has_head ? kNames[2] : tied ? "token_embd.weight" : "output.weight", place("yes"), place("no")};
  if (at.yes >= 0 && at.no >= 0) return at;
  return unsupported("cannot use the model " + file.name() +
                     " for ranking: it has neither a head of one class nor the answers \"yes\" and \"no\"");
}

}  // namespace

bool is_rank_tensor(const ModelConfig& config, std::string_view name) {
  if (name == kNorm) return config.ranks_by_mean;
  for (const std::string_view known : kNames) {
    if (name == known) return true;
  }
  return false;
}

Result<RankHead> RankHead::load(const gguf::GgufFile& file, const ModelConfig& config) {
  RankHead head;
  const gguf::TensorInfo* output = file.find_tensor(kNames[2]);
  const gguf::TensorInfo* dense = file.find_tensor(kNames[0]);
  const gguf::TensorInfo* last = output != nullptr ? output : dense;
  if (config.causal && dense == nullptr && (output == nullptr || output->n_rows() == 2))
    return load_yes_no(file, config);
  if (last == nullptr) return unsupported("cannot use the model " + file.name() + ": it has no classification head");
  if (last->n_rows() != 1) {
    return unsupported("cannot use the model " + file.name() + " for ranking: it has " +
                       std::to_string(last->n_rows()) + " classes where one score is needed");
  }
  const int64_t dim = config.dim;
  const int64_t dense_rows = output != nullptr ? dim : 1;
  MNEME_ASSIGN_OR_RETURN(head.dense_, read_tensor_values(file, kNames[0], dense_rows, dim));
  MNEME_ASSIGN_OR_RETURN(head.dense_bias_, read_tensor_values(file, kNames[1], 1, dense_rows));
  MNEME_ASSIGN_OR_RETURN(head.output_, read_tensor_values(file, kNames[2], 1, dim));
  MNEME_ASSIGN_OR_RETURN(head.output_bias_, read_tensor_values(file, kNames[3], 1, 1));
  if (config.ranks_by_mean) MNEME_RETURN_IF_ERROR(head.load_norm(file, config));
  return head;
}

Status RankHead::load_norm(const gguf::GgufFile& file, const ModelConfig& config) {
  MNEME_ASSIGN_OR_RETURN(norm_, read_tensor_values(file, kNorm, 1, config.dim));
  epsilon_ = config.norm_epsilon;
  if (!norm_.empty() && !dense_.empty() && !output_.empty()) return {};
  return unsupported("cannot use the model " + file.name() + " for ranking: its head is not cls, cls.norm, cls.output");
}

void RankHead::normalise(std::span<float> values) const {
  const auto n = static_cast<double>(values.size());
  double mean = 0;
  for (const float value : values) mean += value / n;
  double variance = 0;
  for (const float value : values) variance += (value - mean) * (value - mean) / n;
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>((values[i] - mean) / std::sqrt(variance + epsilon_) * norm_[i]);
}

Result<RankHead> RankHead::load_yes_no(const gguf::GgufFile& file, const ModelConfig& config) {
  RankHead head;
  MNEME_ASSIGN_OR_RETURN(const YesNo at, find_yes_no(file, config));
  MNEME_ASSIGN_OR_RETURN(head.output_, read_tensor_row(file, at.tensor, at.yes, config.dim));
  MNEME_ASSIGN_OR_RETURN(const std::vector<float> no, read_tensor_row(file, at.tensor, at.no, config.dim));
  for (size_t i = 0; i < no.size(); ++i) head.output_[i] -= no[i];
  return head;
}

double RankHead::score(std::span<const float> hidden) const {
  const double bias = output_bias_.empty() ? 0.0 : double{output_bias_[0]};
  if (dense_.empty()) return dot(output_, hidden) + bias;
  const size_t n = dense_.size() / hidden.size();
  std::vector<float> pooled(n);
  for (size_t row = 0; row < n; ++row) {
    const double sum = dot(std::span(dense_).subspan(row * hidden.size(), hidden.size()), hidden);
    pooled[row] = static_cast<float>(sum + (dense_bias_.empty() ? 0.0 : double{dense_bias_[row]}));
  }
  if (output_.empty()) return pooled[0];
  for (float& value : pooled) value = norm_.empty() ? std::tanh(value) : static_cast<float>(gelu(value));
  if (!norm_.empty()) normalise(pooled);
  return dot(output_, pooled) + bias;
}

}  // namespace mneme::engine

// Layers with a state of the fp64 reference: gated delta nets [Gated Delta Networks 2412.06464], and the gates of the
// attention that stands among them.
#include <algorithm>
#include <cmath>

#include "tests/support/reference_model.h"

namespace mneme::testing {

namespace {

Vector to_length(Vector x, double length, double epsilon) {
  double squares = 0;
  for (const double value : x) squares += value * value;
  for (double& value : x) value *= length / std::sqrt(squares + epsilon);
  return x;
}

Vector part(const Vector& x, size_t first, size_t n) {
  const auto begin = x.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(n)};
}

double sigmoid(double x) {
  return 1.0 / (1.0 + std::exp(-x));
}

}  // namespace

bool ReferenceModel::keeps_state(int layer) const {
  return has_states() && (layer + 1) % static_cast<int>(number("full_attention_interval", 4)) != 0;
}

// A head's rows of the product are its query and then as many gates.
void ReferenceModel::split_gates(Row& row, size_t head_dim) {
  Vector queries;
  row.gate.clear();
  for (size_t first = 0; first < row.query.size(); first += 2 * head_dim) {
    for (size_t i = 0; i < head_dim; ++i) queries.push_back(row.query[first + i]);
    for (size_t i = 0; i < head_dim; ++i) row.gate.push_back(row.query[first + head_dim + i]);
  }
  row.query = queries;
}

// Of the last row: each channel over the rows that its kernel reaches, the last weight on the last row.
Vector ReferenceModel::convolve(const std::string& prefix, const State& state) const {
  const ReferenceTensor& kernel = tensor(prefix + "ssm_conv1d.weight");
  const size_t width = kernel.n_in;
  Vector out(state.rows.back().size());
  for (size_t channel = 0; channel < out.size(); ++channel) {
    double sum = 0;
    for (size_t back = 0; back < std::min(width, state.rows.size()); ++back)
      sum += kernel.values[channel * width + width - 1 - back] * state.rows[state.rows.size() - 1 - back][channel];
    out[channel] = sum * sigmoid(sum);
  }
  return out;
}

Vector ReferenceModel::mix_state(const std::string& prefix, const Vector& x, State& state) const {
  const auto dim = static_cast<size_t>(number("ssm.state_size", 0));
  const auto n_keys = static_cast<size_t>(number("ssm.group_count", 0));
  const auto n_values = static_cast<size_t>(number("ssm.time_step_rank", 0));
  const size_t per_key = n_values / n_keys;
  const bool neighbours = is("qwen3next");
  state.rows.push_back(multiply(prefix + "attn_qkv.weight", x));
  if (state.matrices.empty()) state.matrices.assign(n_values, Vector(dim * dim));
  const Vector mixed = convolve(prefix, state);
  const Vector gate = multiply(prefix + "attn_gate.weight", x);
  const Vector strengths = multiply(prefix + (neighbours ? "ssm_ba.weight" : "ssm_beta.weight"), x);
  const Vector decays = neighbours ? strengths : multiply(prefix + "ssm_alpha.weight", x);
  Vector out;
  for (size_t head = 0; head < n_values; ++head) {
    const size_t key_head = neighbours ? head / per_key : head % n_keys;
    const size_t strength_at = neighbours ? key_head * 2 * per_key + head % per_key : head;
    const size_t decay_at = neighbours ? strength_at + per_key : head;
    const Vector query =
        to_length(part(mixed, key_head * dim, dim), 1.0 / std::sqrt(static_cast<double>(dim)), epsilon_);
    const Vector key = to_length(part(mixed, (n_keys + key_head) * dim, dim), 1.0, epsilon_);
    const Vector value = part(mixed, (2 * n_keys + head) * dim, dim);
    const double step = std::log1p(std::exp(decays[decay_at] + tensor(prefix + "ssm_dt.bias").values[head]));
    const double left = std::exp(tensor(prefix + "ssm_a").values[head] * step);
    Vector& s = state.matrices[head];
    for (double& number : s) number *= left;
    Vector found(dim);
    for (size_t j = 0; j < dim; ++j) {
      double known = 0;
      for (size_t i = 0; i < dim; ++i) known += key[i] * s[i * dim + j];
      const double added = sigmoid(strengths[strength_at]) * (value[j] - known);
      for (size_t i = 0; i < dim; ++i) s[i * dim + j] += key[i] * added;
      for (size_t i = 0; i < dim; ++i) found[j] += query[i] * s[i * dim + j];
    }
    const Vector normed = rms_norm(prefix + "ssm_norm", found);
    for (size_t j = 0; j < dim; ++j) {
      const double z = gate[head * dim + j];
      out.push_back(normed[j] * z * sigmoid(z));
    }
  }
  return out;
}

}  // namespace mneme::testing

// Layers with a state of the fp64 reference, a row at a time, as the recurrences are written: gated delta nets
// [Gated Delta Networks 2412.06464] and the gates of the attention that stands among them; short convolutions between
// gates [LFM2 2511.23404]; Mamba-2 [2405.21060].
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
  if (is_convolution()) return has("blk." + std::to_string(layer) + ".shortconv.conv.weight");
  if (is_mamba()) return has("blk." + std::to_string(layer) + ".ssm_in.weight");
  return is_delta_net() && (layer + 1) % static_cast<int>(number("full_attention_interval", 4)) != 0;
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
Vector ReferenceModel::convolve(const std::string& name, const State& state) const {
  const ReferenceTensor& kernel = tensor(name);
  const size_t width = kernel.n_in;
  Vector out(state.rows.back().size());
  for (size_t channel = 0; channel < out.size(); ++channel) {
    double sum = 0;
    for (size_t back = 0; back < std::min(width, state.rows.size()); ++back)
      sum += kernel.values[channel * width + width - 1 - back] * state.rows[state.rows.size() - 1 - back][channel];
    out[channel] = sum;
  }
  return out;
}

Vector ReferenceModel::mix_state(const std::string& prefix, const Vector& x, State& state) const {
  if (is_mamba()) return mix_mamba(prefix, x, state);
  return is_convolution() ? mix_convolution(prefix, x, state) : mix_delta(prefix, x, state);
}

// h' = exp(a dt) h + dt B x^T, y = C^T h' + D x; then the norm of y silu(z) over the heads of each group.
Vector ReferenceModel::mix_mamba(const std::string& prefix, const Vector& x, State& state) const {
  const auto n_state = static_cast<size_t>(number("ssm.state_size", 0));
  const auto n_groups = static_cast<size_t>(number("ssm.group_count", 0));
  const auto n_heads = static_cast<size_t>(number("ssm.time_step_rank", 0));
  const auto inner = static_cast<size_t>(number("ssm.inner_size", 0));
  const size_t length = inner / n_heads;
  const Vector all = multiply(prefix + "ssm_in.weight", x);
  const Vector z = part(all, 0, inner);
  state.rows.push_back(part(all, inner, inner + 2 * n_groups * n_state));
  const Vector dt = part(all, 2 * inner + 2 * n_groups * n_state, n_heads);
  if (state.matrices.empty()) state.matrices.assign(n_heads, Vector(n_state * length));
  Vector mixed = convolve(prefix + "ssm_conv1d.weight", state);
  add_bias(prefix + "ssm_conv1d.bias", mixed);
  for (double& value : mixed) value *= sigmoid(value);
  Vector out(inner);
  for (size_t head = 0; head < n_heads; ++head) {
    const size_t group = head / (n_heads / n_groups);
    const Vector b = part(mixed, inner + group * n_state, n_state);
    const Vector c = part(mixed, inner + (n_groups + group) * n_state, n_state);
    const double step = std::log1p(std::exp(dt[head] + tensor(prefix + "ssm_dt.bias").values[head]));
    const double left = std::exp(tensor(prefix + "ssm_a").values[head] * step);
    Vector& h = state.matrices[head];
    for (size_t j = 0; j < length; ++j) {
      const double value = mixed[head * length + j];
      double found = tensor(prefix + "ssm_d").values[head] * value;
      for (size_t i = 0; i < n_state; ++i) {
        h[i * length + j] = left * h[i * length + j] + step * b[i] * value;
        found += c[i] * h[i * length + j];
      }
      const double gate = z[head * length + j];
      out[head * length + j] = found * gate * sigmoid(gate);
    }
  }
  if (!has(prefix + "ssm_norm.weight")) return out;
  const Vector& weights = tensor(prefix + "ssm_norm.weight").values;
  const size_t width = inner / n_groups;
  for (size_t group = 0; group < n_groups; ++group) {
    const Vector normed = bare_norm(part(out, group * width, width));
    for (size_t i = 0; i < width; ++i) out[group * width + i] = normed[i] * weights[group * width + i];
  }
  return out;
}

Vector ReferenceModel::mix_convolution(const std::string& prefix, const Vector& x, State& state) const {
  const Vector all = multiply(prefix + "shortconv.in_proj.weight", x);
  const size_t n = x.size();
  Vector& channels = state.rows.emplace_back(n);
  for (size_t i = 0; i < n; ++i) channels[i] = all[i] * all[2 * n + i];
  Vector out = convolve(prefix + "shortconv.conv.weight", state);
  for (size_t i = 0; i < n; ++i) out[i] *= all[n + i];
  return out;
}

Vector ReferenceModel::output_of_state(const std::string& prefix, const Vector& mixed) const {
  return multiply(prefix + (is_convolution() ? "shortconv.out_proj.weight" : "ssm_out.weight"), mixed);
}

Vector ReferenceModel::mix_delta(const std::string& prefix, const Vector& x, State& state) const {
  const auto dim = static_cast<size_t>(number("ssm.state_size", 0));
  const auto n_keys = static_cast<size_t>(number("ssm.group_count", 0));
  const auto n_values = static_cast<size_t>(number("ssm.time_step_rank", 0));
  const size_t per_key = n_values / n_keys;
  const bool neighbours = is("qwen3next");
  state.rows.push_back(multiply(prefix + "attn_qkv.weight", x));
  if (state.matrices.empty()) state.matrices.assign(n_values, Vector(dim * dim));
  Vector mixed = convolve(prefix + "ssm_conv1d.weight", state);
  for (double& value : mixed) value *= sigmoid(value);
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

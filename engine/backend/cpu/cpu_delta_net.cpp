#include "engine/backend/cpu/cpu_delta_net.h"

#include <algorithm>
#include <cmath>

#include "engine/backend/cpu/cpu_casts.h"
#include "engine/backend/cpu/cpu_kv_cache.h"

namespace mneme::engine::cpu {

struct DeltaNet::Call {
  const ModelConfig& config;
  const StateConfig& delta;
  int layer;
  const StateWeights& weights;
  CpuActivations& out;
};

namespace {

// Where a row's first logits of strengths and of decays lie behind its channels and gates.
struct LogitPlace {
  int strength;
  int decay;
};
LogitPlace logit_place(const StateConfig& delta, bool in_one_matrix, int key_head, int i) {
  const int begin = delta.channels() + delta.value_dim();
  const int per_key = delta.values_per_key();
  if (in_one_matrix) return {begin + 2 * key_head * per_key + i, begin + (2 * key_head + 1) * per_key + i};
  const int head = delta.value_head(key_head, i);
  return {begin + head, begin + delta.n_value_heads + head};
}

// ln(1 + e^x)
float softplus(float x) {
  return x > 20.0f ? x : std::log1p(std::exp(x));
}

// To length `length`, about: epsilon keeps what is next to nothing finite.
void set_length(float length, float epsilon, int n, float* x) {
  float squares = 0;
  for (int i = 0; i < n; ++i) squares += x[i] * x[i];
  const float scale = length / std::sqrt(squares + epsilon);
  for (int i = 0; i < n; ++i) x[i] *= scale;
}

}  // namespace

void DeltaNet::project(const StateConfig& delta, const StateWeights& weights, int n_rows) {
  const int channels = delta.channels();
  const int logits = channels + delta.value_dim();
  projected_.shape(n_rows, logits + 2 * delta.n_value_heads);
  float* const row = projected_.row(0);
  std::vector<Product> products = {{&cast(*weights.qkv), nullptr, row},
                                   {&cast(*weights.gate), nullptr, row + channels}};
  if (weights.beta_alpha != nullptr) {
    products.push_back({&cast(*weights.beta_alpha), nullptr, row + logits});
  } else {
    products.push_back({&cast(*weights.beta), nullptr, row + logits});
    products.push_back({&cast(*weights.alpha), nullptr, row + logits + delta.n_value_heads});
  }
  multiplier_.multiply(products, projected_.width);
}

void DeltaNet::run(const ModelConfig& config, int layer, const StateWeights& weights, const RowSet& rows,
                   CpuActivations& out) {
  const StateConfig& delta = config.state;
  project(delta, weights, rows.n_rows());
  const Call call{config, delta, layer, weights, out};
  units_.clear();
  for (const RowGroup& group : rows.groups) {
    LayerStates* const states = static_cast<CpuKvCache&>(*group.cache).states();
    const TokenPos first = rows.positions[static_cast<size_t>(group.first_row)];
    states->move_on(layer, first, group.n_rows);
    for (int head = 0; head < delta.n_key_heads; ++head)
      units_.push_back({states, group.first_row, group.n_rows, first == 0, head});
  }
  pool_.parallel_for(units_.size(), 1, [&](int worker, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) run_unit(call, units_[i], workers_[static_cast<size_t>(worker)]);
  });
}

void DeltaNet::run_unit(const Call& call, const Unit& unit, Worker& worker) {
  const StateConfig& delta = call.delta;
  if (unit.is_beginning) {
    const auto head_floats = static_cast<size_t>(delta.key_length) * static_cast<size_t>(unit.states->stride());
    for (int i = 0; i < delta.values_per_key(); ++i)
      std::fill_n(unit.states->matrix(call.layer, delta.value_head(unit.key_head, i)), head_floats, 0.0f);
  }
  const ConvolvedRows channels = channels_of(call, unit);
  const int most = unit.n_rows <= kFewRows ? 1 : kStateRows;
  for (int first = 0; first < unit.n_rows; first += most)
    run_chunk(call, unit, channels, first, std::min(most, unit.n_rows - first), worker);
  keep_recent(delta, channels, unit.key_head);
}

ConvolvedRows DeltaNet::channels_of(const Call& call, const Unit& unit) const {
  return {.kernels = kernels_,
          .state = call.delta,
          .weights = cast(*call.weights.conv).row(0),
          .rows = projected_.buffer.data() + unit.first_row * projected_.width,
          .stride = projected_.width,
          .n_rows = unit.n_rows,
          .is_beginning = unit.is_beginning,
          .recent = unit.states->recent_rows(call.layer)};
}

// Scratch: queries and keys, values, outputs, decayed keys, products, decays, strengths.
void DeltaNet::run_chunk(const Call& call, const Unit& unit, const ConvolvedRows& channels, int first, int n_rows,
                         Worker& worker) {
  const StateConfig& delta = call.delta;
  const int64_t stride = unit.states->stride();
  const size_t row_floats = static_cast<size_t>(kStateRows * stride);
  worker.floats.reserve(5 * row_floats + 2 * kStateRows * kStateRows + 2 * kStateRows);
  float* const queries_keys = worker.floats.data();
  float* const values = queries_keys + 2 * row_floats;
  float* const products = values + 3 * row_floats;
  float* const decays = products + 2 * kStateRows * kStateRows;
  std::fill_n(queries_keys, 3 * row_floats, 0.0f);  // and what lies behind a head's elements
  const float query_length = 1.0f / std::sqrt(static_cast<float>(delta.key_length));
  for (int t = 0; t < n_rows; ++t) {
    float* const query = queries_keys + t * stride;
    float* const key = queries_keys + (n_rows + t) * stride;
    const int channel = unit.key_head * delta.key_length;
    channels.convolve(first + t, channel, delta.key_length, true, query);
    channels.convolve(first + t, delta.key_dim() + channel, delta.key_length, true, key);
    set_length(query_length, delta.epsilon, delta.key_length, query);
    set_length(1.0f, delta.epsilon, delta.key_length, key);
  }
  kernels_.multiply_floats({.w = queries_keys + n_rows * stride,
                            .w_stride = stride,
                            .x = queries_keys,
                            .x_stride = stride,
                            .y = products,
                            .y_stride = n_rows,
                            .n_rows = 2 * n_rows,
                            .n_columns = n_rows,
                            .n_in = delta.key_length});
  StateRows rows{.n_rows = n_rows,
                 .key_length = delta.key_length,
                 .key_stride = static_cast<int>(stride),
                 .stride = static_cast<int>(stride),
                 .queries_keys = queries_keys,
                 .values = values,
                 .products = products,
                 .decays = decays,
                 .strengths = decays + kStateRows,
                 .out = values + row_floats,
                 .scratch = values + 2 * row_floats};
  for (int i = 0; i < delta.values_per_key(); ++i) {
    set_decays(call, unit, first, i, n_rows, decays, decays + kStateRows);
    run_value_head(call, unit, channels, first, i, rows, values);
    ThreadPool::read_some();
  }
}

// values: memory of the rows'.
void DeltaNet::run_value_head(const Call& call, const Unit& unit, const ConvolvedRows& channels, int first, int i,
                              StateRows& rows, float* values) {
  const StateConfig& delta = call.delta;
  const int dim = delta.key_length;
  const int head = delta.value_head(unit.key_head, i);
  for (int t = 0; t < rows.n_rows; ++t)
    channels.convolve(first + t, 2 * delta.key_dim() + head * dim, dim, true, values + int64_t{t} * rows.stride);
  rows.state = unit.states->matrix(call.layer, head);
  kernels_.run_delta(rows);
  for (int t = 0; t < rows.n_rows; ++t) {
    float* const found = rows.out + int64_t{t} * rows.stride;
    const int row = unit.first_row + first + t;
    const float* const gate = projected_.row(row) + delta.channels() + head * dim;
    kernels_.rms_norm(found, vector_or_null(call.weights.norm), delta.epsilon, dim, found);
    kernels_.silu(gate, found, dim, call.out.row(row) + head * dim);
  }
}

void DeltaNet::set_decays(const Call& call, const Unit& unit, int first, int i, int n_rows, float* decays,
                          float* strengths) {
  const LogitPlace place = logit_place(call.delta, call.weights.beta_alpha != nullptr, unit.key_head, i);
  const int head = call.delta.value_head(unit.key_head, i);
  const float rate = cast(*call.weights.decay).row(0)[head];
  const float bias = cast(*call.weights.alpha_bias).row(0)[head];
  for (int t = 0; t < n_rows; ++t) {
    const float* const row = projected_.row(unit.first_row + first + t);
    decays[t] = std::exp(rate * softplus(row[place.decay] + bias));
    strengths[t] = 1.0f / (1.0f + std::exp(-row[place.strength]));
  }
}

// The last rows of the channels of a key head and its value heads.
void DeltaNet::keep_recent(const StateConfig& delta, const ConvolvedRows& channels, int key_head) {
  channels.keep_recent(key_head * delta.key_length, delta.key_length);
  channels.keep_recent(delta.key_dim() + key_head * delta.key_length, delta.key_length);
  for (int i = 0; i < delta.values_per_key(); ++i)
    channels.keep_recent(2 * delta.key_dim() + delta.value_head(key_head, i) * delta.key_length, delta.key_length);
}

}  // namespace mneme::engine::cpu

#include "engine/backend/cpu/cpu_mamba.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/backend/cpu/cpu_casts.h"
#include "engine/backend/cpu/cpu_kv_cache.h"

namespace mneme::engine::cpu {

struct Mamba::Call {
  const StateConfig& mamba;
  int layer;
  const StateWeights& weights;
  CpuActivations& out;
};

namespace {

constexpr int kConvolvedChannels = 256;  // that a thread convolves
constexpr int kHeadsAtOnce = 4;          // enough that what they share is made seldom, few enough for many threads

// ln(1 + e^x)
float step_of(float x) {
  return x > 20.0f ? x : std::log1p(std::exp(x));
}

int whole_vectors(int n) {
  return (n + 15) / 16 * 16;
}

}  // namespace

template <class Run>
void Mamba::for_units(Run run) {
  pool_.parallel_for(units_.size(), 1, [&](int worker, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) run(units_[i], workers_[static_cast<size_t>(worker)]);
  });
}

void Mamba::run(const ModelConfig& config, int layer, const StateWeights& weights, const RowSet& rows,
                CpuActivations& out) {
  const StateConfig& mamba = config.state;
  projected_.shape(rows.n_rows(), int64_t{mamba.value_dim()} + mamba.channels() + mamba.n_value_heads);
  multiplier_.multiply(cast(*weights.in), nullptr, projected_.row(0), projected_.width);
  convolved_.shape(rows.n_rows(), mamba.channels());
  const Call call{.mamba = mamba, .layer = layer, .weights = weights, .out = out};
  groups_.clear();
  for (const RowGroup& group : rows.groups) {
    LayerStates* const states = static_cast<CpuKvCache&>(*group.cache).states();
    const TokenPos first = rows.positions[static_cast<size_t>(group.first_row)];
    states->move_on(layer, first, group.n_rows);
    groups_.push_back({states, group.first_row, group.n_rows, first == 0});
  }
  cut_channels(mamba);
  for_units([&](const Unit& unit, Worker&) { convolve(call, unit); });
  cut_heads(mamba);
  for_units([&](const Unit& unit, Worker& worker) { run_heads(call, unit, worker); });
  if (weights.norm != nullptr) norm_rows(call, rows.n_rows());
}

void Mamba::cut_channels(const StateConfig& mamba) {
  units_.clear();
  for (Unit unit : groups_) {
    for (unit.first = 0; unit.first < mamba.channels(); unit.first += kConvolvedChannels) {
      unit.n = std::min(kConvolvedChannels, mamba.channels() - unit.first);
      units_.push_back(unit);
    }
  }
}

void Mamba::cut_heads(const StateConfig& mamba) {
  units_.clear();
  for (Unit unit : groups_) {
    for (unit.key_head = 0; unit.key_head < mamba.n_key_heads; ++unit.key_head) {
      for (unit.first = 0; unit.first < mamba.values_per_key(); unit.first += kHeadsAtOnce) {
        unit.n = std::min(kHeadsAtOnce, mamba.values_per_key() - unit.first);
        units_.push_back(unit);
      }
    }
  }
}

void Mamba::convolve(const Call& call, const Unit& unit) {
  const ConvolvedRows channels{.kernels = kernels_,
                               .state = call.mamba,
                               .weights = cast(*call.weights.conv).row(0),
                               .bias = vector_or_null(call.weights.conv_bias),
                               .rows = projected_.row(unit.first_row) + call.mamba.value_dim(),
                               .stride = projected_.width,
                               .n_rows = unit.n_rows,
                               .is_beginning = unit.is_beginning,
                               .recent = unit.states->recent_rows(call.layer)};
  for (int i = 0; i < unit.n_rows; ++i)
    channels.convolve(i, unit.first, unit.n, true, convolved_.row(unit.first_row + i) + unit.first);
  channels.keep_recent(unit.first, unit.n);
}

void Mamba::run_heads(const Call& call, const Unit& unit, Worker& worker) {
  const StateConfig& mamba = call.mamba;
  if (unit.is_beginning) {
    const auto head_floats = static_cast<size_t>(mamba.key_length) * static_cast<size_t>(unit.states->stride());
    for (int i = 0; i < unit.n; ++i)
      std::fill_n(unit.states->matrix(call.layer, mamba.value_head(unit.key_head, unit.first + i)), head_floats, 0.0f);
  }
  const int most = unit.n_rows <= kFewRows ? 1 : kStateRows;
  for (int first = 0; first < unit.n_rows; first += most)
    run_chunk(call, unit, unit.first_row + first, std::min(most, unit.n_rows - first), worker);
}

// A chunk's numbers on their way through a head.
struct Mamba::Chunk {
  // The first row of the step, and how many.
  Chunk(const StateConfig& mamba, int stride, int row, int n_rows, AlignedBuffer<float>& memory);

  const int row;
  StateRows rows;
  // What those are made of.
  float* queries_keys;
  float* values;
  float* products;
  float* decays;
  float* steps;
};

Mamba::Chunk::Chunk(const StateConfig& mamba, int stride, int row, int n_rows, AlignedBuffer<float>& memory)
    : row(row) {
  const int key_stride = whole_vectors(mamba.key_length);
  const auto key_floats = static_cast<size_t>(kStateRows) * static_cast<size_t>(key_stride);
  const auto value_floats = static_cast<size_t>(kStateRows) * static_cast<size_t>(stride);
  memory.reserve(3 * key_floats + 2 * value_floats + kStateRows * kStateRows + 2 * kStateRows);
  queries_keys = memory.data();
  float* const left_keys = queries_keys + 2 * key_floats;
  values = left_keys + key_floats;
  float* const found = values + value_floats;
  products = found + value_floats;
  decays = products + kStateRows * kStateRows;
  steps = decays + kStateRows;
  std::fill_n(queries_keys, 3 * key_floats + value_floats, 0.0f);  // and what lies behind a head's elements
  rows = {.n_rows = n_rows,
          .key_length = mamba.key_length,
          .key_stride = key_stride,
          .stride = stride,
          .queries_keys = queries_keys,
          .values = values,
          .products = products,
          .decays = decays,
          .strengths = steps,
          .out = found,
          .scratch = left_keys};
}

// row: of the step.
void Mamba::run_chunk(const Call& call, const Unit& unit, int row, int n_rows, Worker& worker) {
  Chunk chunk(call.mamba, unit.states->stride(), row, n_rows, worker.floats);
  take_keys(call, unit, chunk);
  for (int i = 0; i < unit.n; ++i) {
    run_head(call, unit, call.mamba.value_head(unit.key_head, unit.first + i), chunk);
    ThreadPool::read_some();
  }
}

// What the unit's heads share.
void Mamba::take_keys(const Call& call, const Unit& unit, Chunk& chunk) {
  const StateConfig& mamba = call.mamba;
  const int n_rows = chunk.rows.n_rows;
  const int stride = chunk.rows.key_stride;
  const auto bytes = sizeof(float) * static_cast<size_t>(mamba.key_length);
  for (int t = 0; t < n_rows; ++t) {
    const float* const channels = convolved_.row(chunk.row + t) + unit.key_head * mamba.key_length;
    std::memcpy(chunk.queries_keys + t * stride, channels + mamba.queries_at(), bytes);
    std::memcpy(chunk.queries_keys + (n_rows + t) * stride, channels + mamba.keys_at(), bytes);
  }
  kernels_.multiply_floats({.w = chunk.queries_keys + n_rows * stride,
                            .w_stride = stride,
                            .x = chunk.queries_keys,
                            .x_stride = stride,
                            .y = chunk.products,
                            .y_stride = n_rows,
                            .n_rows = n_rows,
                            .n_columns = n_rows,
                            .n_in = mamba.key_length});
}

void Mamba::run_head(const Call& call, const Unit& unit, int head, Chunk& chunk) {
  const StateConfig& mamba = call.mamba;
  StateRows& rows = chunk.rows;
  const int length = mamba.value_length;
  const int channel = mamba.values_at() + head * length;
  set_steps(call, head, chunk);
  for (int t = 0; t < rows.n_rows; ++t)
    std::memcpy(chunk.values + int64_t{t} * rows.stride, convolved_.row(chunk.row + t) + channel,
                sizeof(float) * static_cast<size_t>(length));
  rows.state = unit.states->matrix(call.layer, head);
  rows.skip = cast(*call.weights.skip).row(0)[head];
  kernels_.run_state_sums(rows);
  for (int t = 0; t < rows.n_rows; ++t)
    kernels_.silu(projected_.row(chunk.row + t) + head * length, rows.out + int64_t{t} * rows.stride, length,
                  call.out.row(chunk.row + t) + head * length);
}

void Mamba::set_steps(const Call& call, int head, Chunk& chunk) {
  const float rate = cast(*call.weights.decay).row(0)[head];
  const float bias = cast(*call.weights.alpha_bias).row(0)[head];
  const int place = call.mamba.value_dim() + call.mamba.channels() + head;
  for (int t = 0; t < chunk.rows.n_rows; ++t) {
    chunk.steps[t] = step_of(projected_.row(chunk.row + t)[place] + bias);
    chunk.decays[t] = std::exp(rate * chunk.steps[t]);
  }
}

// The value heads of a key head lie side by side.
void Mamba::norm_rows(const Call& call, int n_rows) {
  const int n_parts = call.mamba.n_key_heads;
  const int length = call.mamba.value_dim() / n_parts;
  const float* const norm = cast(*call.weights.norm).row(0);
  pool_.parallel_for(static_cast<size_t>(n_rows) * static_cast<size_t>(n_parts), 4, [&](int, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const int first = static_cast<int>(i) % n_parts * length;
      float* const x = call.out.row(static_cast<int>(i) / n_parts) + first;
      kernels_.rms_norm(x, norm + first, call.mamba.epsilon, length, x);
    }
  });
}

}  // namespace mneme::engine::cpu

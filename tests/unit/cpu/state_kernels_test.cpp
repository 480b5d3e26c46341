// The kernels of layers that keep a state, of every instruction set this machine has, against the recurrence in fp64.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/backend/cpu/aligned_buffer.h"
#include "engine/backend/cpu/kernels.h"

namespace mneme::engine::cpu {
namespace {

class StateKernelsTest : public testing::TestWithParam<const Kernels*> {};
INSTANTIATE_TEST_SUITE_P(All, StateKernelsTest, testing::ValuesIn(available_kernels()),
                         [](const auto& info) { return std::string(info.param->name); });

int padded(int n) {
  return (n + 15) / 16 * 16;
}

// Rows of a head and its state, random, as the kernels take them.
struct Head {
  Head(int n, int key_length, int value_length, uint64_t seed)
      : n_rows(n),
        key_length(key_length),
        value_length(value_length),
        key_stride(padded(key_length)),
        stride(padded(value_length)),
        random(seed) {
    fill(queries_keys, 2 * n_rows, key_length, 1.0f / std::sqrt(static_cast<float>(key_length)));
    fill(values, n_rows, value_length, 1.0f);
    fill(state, key_length, value_length, 1.0f);
    fill(out, n_rows, value_length, 0.0f);
    fill(scratch, n_rows, key_length, 0.0f);
    for (int t = 0; t < n_rows; ++t) {
      decays.push_back(t % 5 == 4 ? 1e-30f : std::exp(-0.2f * static_cast<float>(random.uniform())));
      strengths.push_back(static_cast<float>(random.uniform()));
    }
    for (int m = 0; m < 2 * n_rows; ++m)
      for (int s = 0; s < n_rows; ++s) products.push_back(static_cast<float>(product(m, s)));
  }
  void fill(AlignedBuffer<float>& buffer, int rows, int length, float scale) {
    buffer.reserve(static_cast<size_t>(rows) * static_cast<size_t>(padded(length)));
    std::fill_n(buffer.data(), buffer.size(), 0.0f);
    for (int row = 0; row < rows && scale > 0.0f; ++row)
      for (int i = 0; i < length; ++i) buffer.data()[row * padded(length) + i] = scale * random.gaussian();
  }
  double product(int m, int s) const {
    double sum = 0;
    for (int i = 0; i < key_length; ++i) sum += double{key(m, i)} * key(n_rows + s, i);
    return sum;
  }
  float key(int row, int i) const { return queries_keys.data()[row * key_stride + i]; }  // queries first
  float at(const AlignedBuffer<float>& buffer, int row, int i) const { return buffer.data()[row * stride + i]; }

  StateRows rows() {
    return {.n_rows = n_rows,
            .key_length = key_length,
            .key_stride = key_stride,
            .stride = stride,
            .queries_keys = queries_keys.data(),
            .values = values.data(),
            .products = products.data(),
            .decays = decays.data(),
            .strengths = strengths.data(),
            .skip = 0.7f,
            .state = state.data(),
            .out = out.data(),
            .scratch = scratch.data()};
  }

  // The same row by row: what each finds, and the state afterwards. corrects: of a gated delta net, else of Mamba-2.
  void recur(bool corrects, std::vector<double>& found, std::vector<double>& s) const {
    const auto width = static_cast<size_t>(value_length);
    const auto length = static_cast<size_t>(key_length);
    s.resize(length * width);
    for (size_t i = 0; i < length; ++i)
      for (size_t j = 0; j < width; ++j) s[i * width + j] = at(state, static_cast<int>(i), static_cast<int>(j));
    for (int t = 0; t < n_rows; ++t) {
      for (double& number : s) number *= decays[static_cast<size_t>(t)];
      for (size_t j = 0; j < width; ++j) {
        const double value = at(values, t, static_cast<int>(j));
        double known = 0;
        double sum = corrects ? 0.0 : 0.7f * value;
        for (size_t i = 0; i < length; ++i) known += key(n_rows + t, static_cast<int>(i)) * s[i * width + j];
        const double added = strengths[static_cast<size_t>(t)] * (corrects ? value - known : value);
        for (size_t i = 0; i < length; ++i) {
          s[i * width + j] += key(n_rows + t, static_cast<int>(i)) * added;
          sum += key(t, static_cast<int>(i)) * s[i * width + j];
        }
        found.push_back(sum);
      }
    }
  }

  int n_rows, key_length, value_length, key_stride, stride;
  Random random;
  AlignedBuffer<float> queries_keys, values, state, out, scratch;
  std::vector<float> products, decays, strengths;
};

void expect_recurrence(const Kernels& kernels, bool corrects, int n_rows, int key_length, int value_length) {
  SCOPED_TRACE(std::to_string(n_rows) + " rows of " + std::to_string(key_length) + ", " + std::to_string(value_length));
  Head head(n_rows, key_length, value_length, static_cast<uint64_t>(key_length * 1000 + value_length * 100 + n_rows));
  std::vector<double> found;
  std::vector<double> state;
  head.recur(corrects, found, state);
  corrects ? kernels.run_delta(head.rows()) : kernels.run_state_sums(head.rows());
  for (int t = 0; t < n_rows; ++t)
    for (int j = 0; j < value_length; ++j)
      ASSERT_NEAR(head.at(head.out, t, j), found[static_cast<size_t>(t * value_length + j)], 2e-5) << t << ", " << j;
  for (int i = 0; i < key_length; ++i) {
    for (int j = 0; j < value_length; ++j)
      ASSERT_NEAR(head.at(head.state, i, j), state[static_cast<size_t>(i * value_length + j)], 2e-5) << i << ", " << j;
    for (int j = value_length; j < head.stride; ++j) ASSERT_EQ(head.at(head.state, i, j), 0.0f) << "beyond the values";
  }
}

TEST_P(StateKernelsTest, ChunksFindWhatTheRecurrenceFinds) {
  for (const int length : {1, 2, 15, 16, 40, 64, 100, 128})
    for (const int n_rows : {1, 2, 3, 7, kStateRows}) expect_recurrence(*GetParam(), true, n_rows, length, length);
}

// Of Mamba-2, whose keys and values may differ in length.
TEST_P(StateKernelsTest, ChunksOfSumsFindWhatTheRecurrenceFinds) {
  for (const int key_length : {1, 16, 50, 128}) {
    for (const int value_length : {1, 15, 64, 80})
      for (const int n_rows : {1, 2, 3, 7, kStateRows})
        expect_recurrence(*GetParam(), false, n_rows, key_length, value_length);
  }
}

TEST_P(StateKernelsTest, ConvolvesEachChannel) {
  Random random(7);
  for (const int n : {1, 5, 16, 33}) {
    for (const int width : {1, 2, 4}) {
      const int stride = n + 3;
      std::vector<float> rows(static_cast<size_t>(width * stride));
      std::vector<float> weights(rows.size());
      for (float& value : rows) value = random.gaussian();
      for (float& value : weights) value = random.gaussian();
      std::vector<const float*> sources;
      for (int j = 0; j < width; ++j) sources.push_back(rows.data() + j * stride);
      for (const bool silu : {true, false}) {
        const float* const bias = silu ? rows.data() : nullptr;
        std::vector<float> out(static_cast<size_t>(n) + 1, 5.0f);
        GetParam()->convolve({.rows = sources.data(),
                              .n_rows = width,
                              .weights = weights.data(),
                              .weight_stride = stride,
                              .bias = bias,
                              .n = n,
                              .silu = silu,
                              .out = out.data()});
        for (int i = 0; i < n; ++i) {
          double sum = bias == nullptr ? 0.0 : bias[i];
          for (int j = 0; j < width; ++j) {
            const auto place = static_cast<size_t>(j * stride + i);
            sum += double{rows[place]} * weights[place];
          }
          ASSERT_NEAR(out[static_cast<size_t>(i)], silu ? sum / (1.0 + std::exp(-sum)) : sum, 1e-5);
        }
        ASSERT_EQ(out[static_cast<size_t>(n)], 5.0f) << "beyond the channels";
      }
    }
  }
}

TEST_P(StateKernelsTest, SigmoidsMultiply) {
  Random random(8);
  for (const int n : {1, 7, 16, 50}) {
    std::vector<float> gates(static_cast<size_t>(n));
    std::vector<float> x(gates.size());
    for (float& value : gates) value = 8.0f * random.gaussian();
    for (float& value : x) value = random.gaussian();
    std::vector<float> out(gates.size());
    GetParam()->sigmoid(gates.data(), x.data(), n, out.data());
    for (size_t i = 0; i < out.size(); ++i) ASSERT_NEAR(out[i], x[i] / (1.0 + std::exp(-double{gates[i]})), 1e-6);
  }
}

}  // namespace
}  // namespace mneme::engine::cpu

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

class DeltaKernelsTest : public testing::TestWithParam<const Kernels*> {};
INSTANTIATE_TEST_SUITE_P(All, DeltaKernelsTest, testing::ValuesIn(available_kernels()),
                         [](const auto& info) { return std::string(info.param->name); });

// Rows of a head and its state, random, as the kernel takes them.
struct Head {
  Head(int n, int d, uint64_t seed) : n_rows(n), dim(d), stride((d + 15) / 16 * 16) {
    Random random(seed);
    for (AlignedBuffer<float>* buffer : {&queries_keys, &values, &state, &out, &scratch}) {
      const int rows = buffer == &state ? dim : buffer == &queries_keys ? 2 * n_rows : n_rows;
      buffer->reserve(static_cast<size_t>(rows) * static_cast<size_t>(stride));
      std::fill_n(buffer->data(), buffer->size(), 0.0f);
      if (buffer == &out || buffer == &scratch) continue;
      const float scale = buffer == &queries_keys ? 1.0f / std::sqrt(static_cast<float>(dim)) : 1.0f;
      for (int row = 0; row < rows; ++row)
        for (int i = 0; i < dim; ++i) buffer->data()[row * stride + i] = scale * random.gaussian();
    }
    for (int t = 0; t < n_rows; ++t) {
      decays.push_back(t % 5 == 4 ? 1e-30f : std::exp(-0.2f * static_cast<float>(random.uniform())));
      strengths.push_back(static_cast<float>(random.uniform()));
    }
    for (int m = 0; m < 2 * n_rows; ++m)
      for (int s = 0; s < n_rows; ++s) products.push_back(static_cast<float>(product(m, s)));
  }
  double product(int m, int s) const {
    double sum = 0;
    for (int i = 0; i < dim; ++i) sum += double{at(queries_keys, m, i)} * at(queries_keys, n_rows + s, i);
    return sum;
  }
  float at(const AlignedBuffer<float>& buffer, int row, int i) const { return buffer.data()[row * stride + i]; }

  DeltaRows rows() {
    return {.n_rows = n_rows,
            .dim = dim,
            .stride = stride,
            .queries_keys = queries_keys.data(),
            .values = values.data(),
            .products = products.data(),
            .decays = decays.data(),
            .strengths = strengths.data(),
            .state = state.data(),
            .out = out.data(),
            .scratch = scratch.data()};
  }

  // The same row by row: what each finds, and the state afterwards.
  void recur(std::vector<double>& found, std::vector<double>& s) const {
    const auto width = static_cast<size_t>(dim);
    s.resize(width * width);
    for (size_t i = 0; i < width; ++i)
      for (size_t j = 0; j < width; ++j) s[i * width + j] = at(state, static_cast<int>(i), static_cast<int>(j));
    for (int t = 0; t < n_rows; ++t) {
      for (double& number : s) number *= decays[static_cast<size_t>(t)];
      for (size_t j = 0; j < width; ++j) {
        double known = 0;
        double sum = 0;
        for (size_t i = 0; i < width; ++i)
          known += at(queries_keys, n_rows + t, static_cast<int>(i)) * s[i * width + j];
        const double added = strengths[static_cast<size_t>(t)] * (at(values, t, static_cast<int>(j)) - known);
        for (size_t i = 0; i < width; ++i) {
          s[i * width + j] += at(queries_keys, n_rows + t, static_cast<int>(i)) * added;
          sum += at(queries_keys, t, static_cast<int>(i)) * s[i * width + j];
        }
        found.push_back(sum);
      }
    }
  }

  int n_rows, dim, stride;
  AlignedBuffer<float> queries_keys, values, state, out, scratch;
  std::vector<float> products, decays, strengths;
};

TEST_P(DeltaKernelsTest, ChunksFindWhatTheRecurrenceFinds) {
  for (const int dim : {1, 2, 15, 16, 40, 64, 100, 128}) {
    for (const int n_rows : {1, 2, 3, 7, kDeltaRows}) {
      SCOPED_TRACE(std::to_string(n_rows) + " rows of " + std::to_string(dim));
      Head head(n_rows, dim, static_cast<uint64_t>(dim * 100 + n_rows));
      std::vector<double> found;
      std::vector<double> state;
      head.recur(found, state);
      GetParam()->run_delta(head.rows());
      for (int t = 0; t < n_rows; ++t)
        for (int j = 0; j < dim; ++j)
          ASSERT_NEAR(head.at(head.out, t, j), found[static_cast<size_t>(t * dim + j)], 2e-5) << t << ", " << j;
      for (int i = 0; i < dim; ++i) {
        for (int j = 0; j < dim; ++j)
          ASSERT_NEAR(head.at(head.state, i, j), state[static_cast<size_t>(i * dim + j)], 2e-5) << i << ", " << j;
        for (int j = dim; j < head.stride; ++j) ASSERT_EQ(head.at(head.state, i, j), 0.0f) << "beyond the values";
      }
    }
  }
}

TEST_P(DeltaKernelsTest, ConvolvesEachChannel) {
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
      std::vector<float> out(static_cast<size_t>(n) + 1, 5.0f);
      GetParam()->convolve(sources.data(), width, weights.data(), stride, n, out.data());
      for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int j = 0; j < width; ++j) {
          const auto place = static_cast<size_t>(j * stride + i);
          sum += double{rows[place]} * weights[place];
        }
        ASSERT_NEAR(out[static_cast<size_t>(i)], sum / (1.0 + std::exp(-sum)), 1e-5);
      }
      ASSERT_EQ(out[static_cast<size_t>(n)], 5.0f) << "beyond the channels";
    }
  }
}

TEST_P(DeltaKernelsTest, SigmoidsMultiply) {
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

// The f32 kernels of every instruction set this machine has, against plain double arithmetic.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/backend/cpu/kernels.h"

namespace mneme::engine::cpu {
namespace {

class FloatKernelsTest : public testing::TestWithParam<const Kernels*> {
 protected:
  std::vector<float> gaussians(size_t n, float scale = 1.0f) {
    std::vector<float> values(n);
    for (float& x : values) x = scale * random_.gaussian();
    return values;
  }
  Random random_{42};
};
INSTANTIATE_TEST_SUITE_P(All, FloatKernelsTest, testing::ValuesIn(available_kernels()),
                         [](const auto& info) { return std::string(info.param->name); });

TEST_P(FloatKernelsTest, GemmOfEveryFloatType) {
  for (const auto& [m, n, k] : std::vector<std::array<int, 3>>{{1, 1, 1}, {1, 7, 33}, {5, 6, 64}, {37, 9, 100}}) {
    const auto x = gaussians(static_cast<size_t>(m) * k);
    const auto w = gaussians(static_cast<size_t>(n) * k);
    const auto bias = gaussians(n);
    std::vector<f16> w16;
    std::vector<bf16> wb16;
    for (float v : w) {
      w16.push_back(to_f16(v));
      wb16.push_back(to_bf16(v));
    }
    for (FloatType type : {FloatType::kF32, FloatType::kF16, FloatType::kBF16}) {
      const void* weights = type == FloatType::kF32   ? static_cast<const void*>(w.data())
                            : type == FloatType::kF16 ? static_cast<const void*>(w16.data())
                                                      : static_cast<const void*>(wb16.data());
      std::vector<float> y(static_cast<size_t>(m) * n);
      GetParam()->multiply_floats({.type = type,
                                   .w = weights,
                                   .w_stride = k,
                                   .x = x.data(),
                                   .x_stride = k,
                                   .bias = bias.data(),
                                   .y = y.data(),
                                   .y_stride = n,
                                   .n_rows = m,
                                   .n_columns = n,
                                   .n_in = k});
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
          double expected = bias[j];
          for (int p = 0; p < k; ++p) {
            const size_t at = static_cast<size_t>(j) * k + p;
            const float weight = type == FloatType::kF32   ? w[at]
                                 : type == FloatType::kF16 ? to_f32(w16[at])
                                                           : to_f32(wb16[at]);
            expected += double{x[static_cast<size_t>(i) * k + p]} * weight;
          }
          ASSERT_NEAR(y[static_cast<size_t>(i) * n + j], expected, 1e-5 * std::sqrt(k) * 4);
        }
    }
  }
}

TEST_P(FloatKernelsTest, Norms) {
  for (int n : {1, 5, 64, 100, 1024}) {
    const auto x = gaussians(n, 3.0f);
    const auto w = gaussians(n);
    const auto b = gaussians(n);
    double squares = 0;
    double mean = 0;
    for (float v : x) {
      squares += double{v} * v / n;
      mean += double{v} / n;
    }
    double variance = 0;
    for (float v : x) variance += (v - mean) * (v - mean) / n;
    std::vector<float> out(n);
    GetParam()->rms_norm(x.data(), w.data(), 1e-5f, n, out.data());
    for (int i = 0; i < n; ++i) ASSERT_NEAR(out[i], x[i] * w[i] / std::sqrt(squares + 1e-5), 1e-5);
    GetParam()->layer_norm(x.data(), w.data(), b.data(), 1e-5f, n, out.data());
    if (n == 1) continue;
    for (int i = 0; i < n; ++i) ASSERT_NEAR(out[i], (x[i] - mean) * w[i] / std::sqrt(variance + 1e-5) + b[i], 2e-5);
  }
}

TEST_P(FloatKernelsTest, ActivationsOverTheWholeRange) {
  std::vector<float> x = {0.0f, -0.0f, 1e-6f, -1e-6f, 100.0f, -100.0f, 30.0f, -30.0f, 1e4f, -1e4f};
  for (int i = -400; i <= 400; ++i) x.push_back(static_cast<float>(i) * 0.025f);
  const int n = static_cast<int>(x.size());
  const auto up = gaussians(n);
  std::vector<float> silu(n), gelu(n), gelu_tanh(n), capped(x);
  GetParam()->silu(x.data(), up.data(), n, silu.data());
  GetParam()->gelu(x.data(), nullptr, n, gelu.data());
  GetParam()->gelu_tanh(x.data(), up.data(), n, gelu_tanh.data());
  GetParam()->softcap(30.0f, n, capped.data());
  for (int i = 0; i < n; ++i) {
    const double v = x[i];
    const double bound = 2e-6 * (1 + std::fabs(v));
    ASSERT_NEAR(silu[i], v / (1 + std::exp(-v)) * up[i], bound * (1 + std::fabs(up[i]))) << v;
    ASSERT_NEAR(gelu[i], 0.5 * v * (1 + std::erf(v / std::sqrt(2.0))), bound) << v;
    const double inner = std::sqrt(2 / M_PI) * (v + 0.044715 * v * v * v);
    ASSERT_NEAR(gelu_tanh[i], 0.5 * v * (1 + std::tanh(inner)) * up[i], bound * (1 + std::fabs(up[i]))) << v;
    ASSERT_NEAR(capped[i], 30 * std::tanh(v / 30), 1e-5) << v;
  }
}

TEST_P(FloatKernelsTest, HalvesMatchTheExactConversion) {
  const auto x = gaussians(1003, 10.0f);
  std::vector<f16> half(x.size());
  GetParam()->to_half(x.data(), static_cast<int>(x.size()), half.data());
  std::vector<float> back(x.size());
  GetParam()->to_float(half.data(), static_cast<int>(x.size()), back.data());
  for (size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(half[i].bits, to_f16(x[i]).bits);
    ASSERT_EQ(back[i], to_f32(half[i]));
  }
}

TEST_P(FloatKernelsTest, RotatesPairsOfEitherLayout) {
  for (const int n : {1, 3, 8, 20, 32, 40, 64}) {
    const auto x = gaussians(static_cast<size_t>(2 * n) + 5);
    const auto angles = gaussians(static_cast<size_t>(n), 100.0f);
    std::vector<float> cosines, sines;
    for (const float angle : angles) {
      cosines.push_back(std::cos(angle));
      sines.push_back(std::sin(angle));
    }
    for (const bool neighbours : {false, true}) {
      std::vector<float> head = x;
      const auto rotate = neighbours ? GetParam()->rotate_neighbours : GetParam()->rotate_halves;
      rotate(cosines.data(), sines.data(), n, head.data());
      for (int i = 0; i < n; ++i) {
        const auto first = static_cast<size_t>(neighbours ? 2 * i : i);
        const auto second = static_cast<size_t>(neighbours ? 2 * i + 1 : n + i);
        const auto at = static_cast<size_t>(i);
        ASSERT_NEAR(head[first], double{x[first]} * cosines[at] - double{x[second]} * sines[at], 2e-6);
        ASSERT_NEAR(head[second], double{x[first]} * sines[at] + double{x[second]} * cosines[at], 2e-6);
      }
      for (size_t i = static_cast<size_t>(2 * n); i < x.size(); ++i) ASSERT_EQ(head[i], x[i]) << "beyond the pairs";
    }
  }
}

TEST_P(FloatKernelsTest, AddsInPlace) {
  for (int n : {1, 15, 16, 17, 100}) {
    const auto x = gaussians(n);
    auto y = gaussians(n);
    const auto before = y;
    GetParam()->add(x.data(), n, y.data());
    for (int i = 0; i < n; ++i) ASSERT_EQ(y[i], before[i] + x[i]);
    GetParam()->add_scaled(x.data(), -1.0f, n, y.data());
    for (int i = 0; i < n; ++i) ASSERT_NEAR(y[i], before[i], 1e-6);
  }
}

}  // namespace
}  // namespace mneme::engine::cpu

#include "engine/codec/symmetric_eigen.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mneme::engine {

namespace {

// Turns rows and columns p and q of a so that a[p][q] becomes zero; the rows of v turn along.
void rotate(std::vector<double>& a, std::vector<double>& v, int n, int p, int q) {
  const double apq = a[p * n + q];
  const double theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
  const double t = (theta >= 0 ? 1.0 : -1.0) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1);
  const double s = t * c;
  for (int i = 0; i < n; ++i) {
    const double x = a[i * n + p];
    const double y = a[i * n + q];
    a[i * n + p] = c * x - s * y;
    a[i * n + q] = s * x + c * y;
  }
  const auto turn_rows = [&](std::vector<double>& m) {
    for (int i = 0; i < n; ++i) {
      const double x = m[p * n + i];
      const double y = m[q * n + i];
      m[p * n + i] = c * x - s * y;
      m[q * n + i] = s * x + c * y;
    }
  };
  turn_rows(a);
  turn_rows(v);
}

}  // namespace

Eigen symmetric_eigen(std::vector<double> a, int n) {
  std::vector<double> v(static_cast<size_t>(n) * n, 0.0);
  for (int i = 0; i < n; ++i) v[i * n + i] = 1;
  double total = 0;
  for (const double x : a) total += x * x;
  constexpr int kMaxSweeps = 30;
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    double off = 0;
    for (int p = 0; p < n; ++p) {
      for (int q = p + 1; q < n; ++q) off += a[p * n + q] * a[p * n + q];
    }
    if (off <= 1e-20 * total) break;
    // Rotating away what is far below the average costs time and changes nothing.
    const double least = std::sqrt(off) * 1e-3 / n;
    for (int p = 0; p < n; ++p) {
      for (int q = p + 1; q < n; ++q) {
        if (std::fabs(a[p * n + q]) > least) rotate(a, v, n, p, q);
      }
    }
  }
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return a[i * n + i] > a[j * n + j]; });
  Eigen result;
  for (const int i : order) {
    result.values.push_back(a[i * n + i]);
    result.vectors.insert(result.vectors.end(), v.begin() + static_cast<ptrdiff_t>(i) * n,
                          v.begin() + static_cast<ptrdiff_t>(i + 1) * n);
  }
  return result;
}

}  // namespace mneme::engine

// Eigenvectors of a small symmetric matrix by Jacobi's rotations. Plain double arithmetic: the same on every machine.
#pragma once

#include <cstddef>
#include <vector>

namespace mneme::engine {

struct Eigen {
  std::vector<double> values;   // (n), falling
  std::vector<double> vectors;  // (n, n): row i belongs to values[i]
};

// matrix: (n, n) row-major, symmetric.
Eigen symmetric_eigen(std::vector<double> matrix, int n);

}  // namespace mneme::engine

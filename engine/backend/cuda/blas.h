// cuBLAS, found at run time: the program neither links nor needs it. What it is used for are products of many rows on
// the tensor cores. Threads: one at a time.
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <string>

namespace mneme::engine::cuda {

// The functions of the library, with hand-written types: its header declares some only as C++ overloads.
struct BlasTable {
  using Handle = void*;
  int (*create)(Handle*) = nullptr;
  int (*destroy)(Handle) = nullptr;
  int (*set_stream)(Handle, cudaStream_t) = nullptr;
  int (*gemm)(Handle, int trans_a, int trans_b, int m, int n, int k, const void* alpha, const void* a, int a_type,
              int lda, const void* b, int b_type, int ldb, const void* beta, void* c, int c_type, int ldc,
              int compute_type, int algorithm) = nullptr;
};

// libcublas.so.13 or .12, from the loader's paths or /usr/local/cuda; null when neither can be loaded. Stays loaded.
const BlasTable* find_blas();

// Where a backend takes its library from; called once it has a device. What it gives outlives the backend.
using BlasFinder = const BlasTable* (*)();

enum class BlasType { kF32, kF16, kBf16 };

// y = x W^T in f32, or y += x W^T: x (n_rows, n_in), w (n_out, n_in), y (n_rows, n_out), row-major with the given
// strides in elements.
struct BlasProduct {
  BlasType type = BlasType::kF32;  // of x and w
  const void* x = nullptr;
  int x_stride = 0;
  const void* w = nullptr;
  int w_stride = 0;
  float* y = nullptr;
  int y_stride = 0;
  int n_rows = 0;
  int n_out = 0;
  int n_in = 0;
  bool adds = false;  // to y
};

class Blas {
 public:
  // Null when the library refuses. The table must outlive it.
  static std::unique_ptr<Blas> open(const BlasTable& table, cudaStream_t stream);
  ~Blas();
  Blas(const Blas&) = delete;
  Blas& operator=(const Blas&) = delete;
  // False when the library reports a failure.
  bool multiply(const BlasProduct& product);

 private:
  Blas(const BlasTable& table, BlasTable::Handle handle) : table_(table), handle_(handle) {}
  const BlasTable& table_;
  BlasTable::Handle handle_;
};

}  // namespace mneme::engine::cuda

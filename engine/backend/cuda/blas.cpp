#include "engine/backend/cuda/blas.h"

#include <dlfcn.h>

namespace mneme::engine::cuda {
namespace {

// Constants of the library's interface.
constexpr int kNotTransposed = 0;
constexpr int kTransposed = 1;
constexpr int kComputeF32 = 68;  // f32 sums; f32 inputs are not rounded to TF32 in the default mode
constexpr int kDefaultAlgorithm = -1;

int data_type(BlasType type) {
  switch (type) {
    case BlasType::kF16: return 2;
    case BlasType::kBf16: return 14;
    default: return 0;
  }
}

template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

const BlasTable* load() {
#ifdef MNEME_SIMT_ON_HOST
  return nullptr;  // a real library has no use for the memory of a pretended device
#else
  static BlasTable table;
  // The loader's paths, then where the toolkit's installer puts it without telling the loader.
  for (const char* name : {"libcublas.so.13", "/usr/local/cuda/lib64/libcublas.so.13", "libcublas.so.12",
                           "/usr/local/cuda/lib64/libcublas.so.12"}) {
    void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    if (find(library, "cublasCreate_v2", table.create) && find(library, "cublasDestroy_v2", table.destroy) &&
        find(library, "cublasSetStream_v2", table.set_stream) && find(library, "cublasGemmEx", table.gemm))
      return &table;
    dlclose(library);
  }
  return nullptr;
#endif
}

}  // namespace

const BlasTable* find_blas() {
  static const BlasTable* const table = load();
  return table;
}

std::unique_ptr<Blas> Blas::open(const BlasTable& table, cudaStream_t stream) {
  BlasTable::Handle handle = nullptr;
  if (table.create(&handle) != 0) return nullptr;
  std::unique_ptr<Blas> blas(new Blas(table, handle));
  return table.set_stream(handle, stream) == 0 ? std::move(blas) : nullptr;
}

Blas::~Blas() {
  table_.destroy(handle_);
}

// The library's matrices are by columns: a row-major y is its transpose, so y^T = W x^T is asked for, with W's rows as
// the columns of a matrix to be transposed.
bool Blas::multiply(const BlasProduct& p) {
  const float one = 1.0f;
  const float before = p.adds ? 1.0f : 0.0f;
  const int type = data_type(p.type);
  return table_.gemm(handle_, kTransposed, kNotTransposed, p.n_out, p.n_rows, p.n_in, &one, p.w, type, p.w_stride, p.x,
                     type, p.x_stride, &before, p.y, data_type(BlasType::kF32), p.y_stride, kComputeF32,
                     kDefaultAlgorithm) == 0;
}

}  // namespace mneme::engine::cuda

// Which kernel multiplies what. Few rows (decoding): quantised weights with activations rounded to int8, others in f32.
// Many rows: cuBLAS on the tensor cores in f16 or bf16 (f32 for F32 weights), or without it the tiled kernel in f32.
//
// Rounding: int8 as on the CPU; f16 has 11 bits, rows beyond its range are scaled where the user of the product can
// scale back, else they saturate (norms bound what they give far below that); bf16, for BF16 weights, has 8 bits. The
// exact mode multiplies everything in f32. Threads: one at a time.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>

#include "engine/backend/cuda/blas.h"
#include "engine/backend/cuda/cuda_objects.h"
#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/next_weights.h"
#include "engine/backend/cuda/product_kernels.h"
#include "engine/backend/cuda/product_ring.h"
#include "engine/backend/cuda/product_row.h"
#include "engine/backend/cuda/row_kernels.h"

namespace mneme::engine::cuda {

class Products {
 public:
  struct Options {
    bool exact = false;
    bool joins = true;  // many rows with matrices that lie side by side: one product, which has fewer half-empty waves
    // A single row with quantised weights (product_row.h): the products norm and round it themselves, and gate and up
    // end activated and rounded.
    bool norms_within = true;
    bool gates_within = true;
    bool rings = true;  // and their weights come through shared memory (product_ring.h)
  };
  // blas: null for none.
  Products(Device& device, std::unique_ptr<Blas> blas, const Options& options)
      : device_(device), blas_(std::move(blas)), options_(options) {}

  // Room for n_rows rows of `width`, in the forms that these matrices will be multiplied with; to be filled by the
  // kernel that makes the rows. Valid until the next call. `scales`: rows may be divided by their row_scales.
  RoundedRows rows_for(std::initializer_list<const CudaMatrix*> matrices, int n_rows, int width, bool scales);
  // norm(x[rows[i]]) in the forms that these matrices will be multiplied with; rows null: x[i]. Valid as rows_for().
  // A single row is left to a product that norms it itself: to be multiplied with all of them, before x changes.
  struct Normed {
    const float* x = nullptr;  // rows of `width`
    const int* rows = nullptr;
    int n_rows = 0;
    int width = 0;
    NormRef norm = {};
  };
  RoundedRows norm(std::initializer_list<const CudaMatrix*> matrices, const Normed& what);
  // The forms for experts' matrices like these, for few rows of the step as pairs, for many as groups; and those for
  // other matrices, which multiply the same rows. Values are always among them.
  RoundedRows rows_for_experts(std::initializer_list<const CudaMatrix*> experts, bool few, int n_rows, int width,
                               std::initializer_list<const CudaMatrix*> others = {});
  // Rows that exist in f32 already, in the forms needed: `values` points at x itself.
  RoundedRows round(std::initializer_list<const CudaMatrix*> matrices, const float* x, int n_rows, int width,
                    bool scales);
  // Codes that another kernel makes of rows of x beside x itself, for these matrices; round() then has nothing left to
  // do, unless other rows have been asked for meanwhile. No codes where another form is needed, too, or none.
  RoundedRows codes_beside(std::initializer_list<const CudaMatrix*> matrices, const float* x, int n_rows, int width);
  // The beginning of matrices that few rows will be multiplied with, the same part of each; null ones are left out.
  NextWeights next_weights(std::initializer_list<const CudaMatrix*> matrices, int n_rows) const;
  // Fills the scaled halves of rows whose values are there, where a kernel could not.
  void finish_scaled(const RoundedRows& rows, int n_rows);

  // Matrices that multiply the same rows, and where their outputs begin in rows `stride` apart: few rows in one launch
  // for neighbours of one type; many in one product of cuBLAS where matrices follow each other in memory and their
  // outputs in the rows. Null matrices are left out.
  struct Part {
    const CudaMatrix* matrix = nullptr;
    float* y = nullptr;
  };
  void multiply(std::span<const Part> parts, const RoundedRows& x, int n_rows, int64_t stride);
  void multiply(const CudaMatrix& matrix, const RoundedRows& x, int n_rows, ProductOut out) {
    const Part part{&matrix, out.y};
    multiply({&part, 1}, x, n_rows, out.stride);
  }

  // x (n_rows, n_out) += product + bias, where one launch can: for few rows, and for many by cuBLAS without a bias.
  // Else false, and nothing is done.
  bool multiply_and_add(const CudaMatrix& matrix, const RoundedRows& rows, int n_rows, const float* bias, float* x);

  // y (n_rows, n_out) = activation(gate x) * (up x + bias), in one launch where the rows are few and the matrices not
  // quantised; else false. Without `up`, `gate` has the rows of both, the gate's first.
  struct Gated {
    const CudaMatrix* gate = nullptr;
    const CudaMatrix* up = nullptr;
    const float* up_bias = nullptr;
    Activation activation = Activation::kSilu;
  };
  bool multiply_gated(const Gated& gated, const RoundedRows& x, int n_rows, float* y);
  // The same of a single row that the product norms itself, with quantised matrices, in the form that `next` takes,
  // valid as rows_for(); else no codes, and nothing is done.
  RoundedRows multiply_gated(const Gated& gated, const RoundedRows& x, const CudaMatrix& next);

  // Whether the product of n_rows rows that are rounded already has its weights come through a ring.
  bool takes_ring(const CudaMatrix& matrix, int n_rows) const {
    return n_rows == 1 && path_of(matrix, n_rows) == Path::kFewInt8 && rings_within(matrix.ref(), ring_device());
  }

  bool uses_blas() const { return blas_ != nullptr; }
  bool is_exact() const { return options_.exact; }

 private:
  enum class Path { kFewInt8, kFewFloat, kTiled, kBlasF32, kBlasF16, kBlasBf16 };
  struct Forms {
    bool values = false;
    bool codes = false;
    bool halves = false;
    HalfKind kind = HalfKind::kF16;
  };
  Path path_of(gguf::TensorType type, int n_rows) const;
  Path path_of(const CudaMatrix& matrix, int n_rows) const { return path_of(matrix.ref().type, n_rows); }
  Forms forms_of(std::initializer_list<const CudaMatrix*> matrices, int n_rows) const;
  bool norms_itself(std::initializer_list<const CudaMatrix*> matrices, const Normed& what) const;
  RingDevice ring_device() const;
  cudaError_t multiply_row_codes(std::span<const ProductPart> parts, const RoundedRows& x, const ProductEnd& end);
  cudaError_t multiply_few_codes(std::span<const ProductPart> parts, const RoundedRows& x, int n_rows, int64_t stride,
                                 const ProductEnd& end = {});
  RoundedRows make_rows(const Forms& forms, int n_rows, int width, bool scales);
  bool multiply_together(std::span<const Part> parts, const RoundedRows& x, int n_rows, int64_t stride,
                         const ProductEnd& end = {});
  static size_t n_of_one_type(std::span<const Part> parts);
  static GatedParts gated_parts(const Gated& gated, const RowNorm& norm);
  bool are_one(const ProductPart& before, const ProductPart& next, int n_rows) const;
  void multiply_one(const MatrixRef& w, const RoundedRows& x, int n_rows, ProductOut out);
  void multiply_blas(Path path, const MatrixRef& w, const RoundedRows& x, int n_rows, ProductOut out,
                     bool adds = false);
  void multiply_dequantised(const MatrixRef& w, const RoundedRows& x, int n_rows, ProductOut out);
  void run_blas(const BlasProduct& product);

  Device& device_;
  std::unique_ptr<Blas> blas_;
  const Options options_;
  DeviceBuffer values_, codes_, scales_, sums_, halves_, row_scales_;
  DeviceBuffer slab_;  // of dequantised weights
  // Of codes_beside(), until other rows are asked for.
  const float* coded_ = nullptr;
  int n_coded_ = 0;
};

}  // namespace mneme::engine::cuda

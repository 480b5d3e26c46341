#include "engine/backend/cuda/products.h"

#include <algorithm>
#include <cassert>

namespace mneme::engine::cuda {
namespace {

constexpr int kHalfRow = 8;  // halves: cuBLAS is quick on rows of whole 16 bytes
// Of dequantised weights at a time: within the second-level cache of large devices, enough for the tensor cores.
constexpr int64_t kSlabBytes = int64_t{64} << 20;

}  // namespace

Products::Path Products::path_of(gguf::TensorType type, int n_rows) const {
  if (options_.exact && is_quantised(type)) return Path::kTiled;
  if (n_rows <= kFewRows) return is_quantised(type) ? Path::kFewInt8 : Path::kFewFloat;
  if (blas_ == nullptr || (options_.exact && type != gguf::TensorType::kF32)) return Path::kTiled;
  if (type == gguf::TensorType::kF32) return Path::kBlasF32;
  return type == gguf::TensorType::kBF16 ? Path::kBlasBf16 : Path::kBlasF16;
}

Products::Forms Products::forms_of(std::initializer_list<const CudaMatrix*> matrices, int n_rows) const {
  Forms forms;
  bool f16 = false;
  bool bf16 = false;
  for (const CudaMatrix* matrix : matrices) {
    if (matrix == nullptr) continue;
    const Path path = path_of(*matrix, n_rows);
    f16 |= path == Path::kBlasF16;
    bf16 |= path == Path::kBlasBf16;
    forms.codes |= path == Path::kFewInt8;
    forms.values |= path == Path::kFewFloat || path == Path::kTiled || path == Path::kBlasF32;
  }
  forms.halves = f16 || bf16;
  forms.kind = f16 ? HalfKind::kF16 : HalfKind::kBf16;
  forms.values |= f16 && bf16;  // one kind of halves at a time: the BF16 matrices of a mixed set take f32
  return forms;
}

RoundedRows Products::make_rows(const Forms& forms, int n_rows, int width, bool scales) {
  coded_ = nullptr;
  RoundedRows rows;
  rows.width = width;
  const auto n = static_cast<size_t>(n_rows) * static_cast<size_t>(width);
  constexpr std::string_view kWhat = "activations";
  if (forms.values && device_.grow(values_, n * sizeof(float), kWhat)) rows.values = values_.as<float>();
  if (forms.codes && device_.grow(codes_, n, kWhat) && device_.grow(scales_, n / kRoundBlock * sizeof(float), kWhat) &&
      device_.grow(sums_, n / kSumBlock * sizeof(float), kWhat)) {
    rows.codes = codes_.as<int8_t>();
    rows.scales = scales_.as<float>();
    rows.sums = sums_.as<float>();
  }
  if (!forms.halves) return rows;
  rows.half_stride = (width + kHalfRow - 1) / kHalfRow * kHalfRow;
  rows.half_kind = forms.kind;
  const auto n_halves = static_cast<size_t>(n_rows) * static_cast<size_t>(rows.half_stride);
  if (device_.grow(halves_, n_halves * sizeof(uint16_t), kWhat)) rows.halves = halves_.as<uint16_t>();
  const bool scaled = scales && forms.kind == HalfKind::kF16;
  if (scaled && device_.grow(row_scales_, static_cast<size_t>(n_rows) * sizeof(float), kWhat))
    rows.row_scales = row_scales_.as<float>();
  return rows;
}

RoundedRows Products::rows_for(std::initializer_list<const CudaMatrix*> matrices, int n_rows, int width, bool scales) {
  Forms forms = forms_of(matrices, n_rows);
  // Scaled rows are made from their values, and scales belong to all of a row's forms or to none.
  if (scales && forms.halves && forms.kind == HalfKind::kF16) {
    scales = !forms.values;
    forms.values = true;
  }
  return make_rows(forms, n_rows, width, scales);
}

RoundedRows Products::rows_for_experts(std::initializer_list<const CudaMatrix*> experts, bool few, int n_rows,
                                       int width, std::initializer_list<const CudaMatrix*> others) {
  Forms forms = forms_of(others, n_rows);
  for (const CudaMatrix* matrix : experts)
    forms.codes |= few && !options_.exact && matrix != nullptr && matrix->is_quantised();
  forms.values = true;
  return make_rows(forms, n_rows, width, false);
}

RoundedRows Products::round(std::initializer_list<const CudaMatrix*> matrices, const float* x, int n_rows, int width,
                            bool scales) {
  Forms forms = forms_of(matrices, n_rows);
  scales = scales && !forms.values;
  forms.values = false;
  const bool is_coded = coded_ == x && n_coded_ == n_rows && !forms.halves;
  RoundedRows rows = make_rows(forms, n_rows, width, scales);
  if (!is_coded && (rows.codes != nullptr || rows.halves != nullptr))
    device_.check(round_rows(device_.stream(), x, width, n_rows, rows), "rounding activations");
  rows.values = const_cast<float*>(x);  // read only from here on
  return rows;
}

// Whether every launch norms the row by itself. For plain weights, which wait for memory, weighing the row costs
// nothing, but only one launch may do it; for quantised ones each block makes the row once, a microsecond a launch by
// count, so that of two (Q4_K and Q6_K side by side) both may, where a norm by itself takes 3 to 4.
bool Products::norms_itself(std::initializer_list<const CudaMatrix*> matrices, const Normed& what) const {
  if (what.n_rows != 1 || what.rows != nullptr || what.norm.weight == nullptr) return false;
  if (what.norm.kind != NormKind::kRms || what.norm.bias != nullptr) return false;
  constexpr int kMostLaunches = 2;
  int n_launches = 0;
  const CudaMatrix* last = nullptr;
  bool all_codes = true;
  for (const CudaMatrix* matrix : matrices) {
    if (matrix == nullptr) continue;
    const Path path = path_of(*matrix, 1);
    if (path != Path::kFewInt8 && path != Path::kFewFloat) return false;
    all_codes &= path == Path::kFewInt8;
    n_launches += last == nullptr || matrix->ref().type != last->ref().type ? 1 : 0;
    last = matrix;
  }
  if (!all_codes) return n_launches == 1;
  return n_launches >= 1 && n_launches <= kMostLaunches && options_.norms_within &&
         norms_within({what.x, what.width, {what.norm.weight, what.norm.epsilon}});
}

RoundedRows Products::norm(std::initializer_list<const CudaMatrix*> matrices, const Normed& what) {
  if (norms_itself(matrices, what)) {
    coded_ = nullptr;
    RoundedRows rows;
    rows.width = what.width;
    rows.values = const_cast<float*>(what.x);  // read only from here on
    rows.norm = {what.norm.weight, what.norm.epsilon};
    return rows;
  }
  const RoundedRows rows = rows_for(matrices, what.n_rows, what.width, false);
  if (device_.ok())
    device_.check(norm_rows(device_.stream(), what.x, what.rows, what.n_rows, what.norm, rows,
                            next_weights(matrices, what.n_rows)),
                  "normalising");
  return rows;
}

// Where kernels do not overlap it would come too late.
NextWeights Products::next_weights(std::initializer_list<const CudaMatrix*> matrices, int n_rows) const {
  NextWeights ahead;
  if (n_rows > kFewRows || !launches_overlap) return ahead;
  const auto bytes_of = [](const CudaMatrix* matrix) {
    return matrix != nullptr ? matrix->ref().stride_bytes * matrix->ref().n_out : 0;
  };
  int64_t all = 0;
  for (const CudaMatrix* matrix : matrices) all += bytes_of(matrix);
  const double share = all > kMostAhead ? static_cast<double>(kMostAhead) / static_cast<double>(all) : 1.0;
  int n = 0;
  for (const CudaMatrix* matrix : matrices) {
    if (matrix == nullptr || n == NextWeights::kMostParts) continue;
    ahead.parts[n] = matrix->ref().data;
    const auto taken = static_cast<int64_t>(share * static_cast<double>(bytes_of(matrix)));
    ahead.bytes[n++] = taken / NextWeights::kAlignment * NextWeights::kAlignment;
  }
  return ahead;
}

RoundedRows Products::codes_beside(std::initializer_list<const CudaMatrix*> matrices, const float* x, int n_rows,
                                   int width) {
  const Forms forms = forms_of(matrices, n_rows);
  if (!forms.codes || forms.halves) return {};
  RoundedRows rows = make_rows({.codes = true}, n_rows, width, false);
  coded_ = x;
  n_coded_ = n_rows;
  return rows;
}

void Products::finish_scaled(const RoundedRows& rows, int n_rows) {
  if (rows.row_scales == nullptr || !device_.ok()) return;
  RoundedRows halves = rows;
  halves.values = nullptr;
  halves.codes = nullptr;
  device_.check(round_rows(device_.stream(), rows.values, rows.width, n_rows, halves), "rounding activations");
}

constexpr std::string_view kMultiplying = "multiplying with weights";

// Without rings, or without the copies that fill them: no shared memory for them.
RingDevice Products::ring_device() const {
  const GpuInfo& gpu = device_.info();
  const bool copies = options_.rings && gpu.major >= kLeastCopyingMajor;
  return {gpu.n_processors, copies ? static_cast<size_t>(gpu.shared_bytes) : 0};
}

// A single row, which is rounded already or still to be normed.
cudaError_t Products::multiply_row_codes(std::span<const ProductPart> parts, const RoundedRows& x,
                                         const ProductEnd& end) {
  const cudaStream_t stream = device_.stream();
  const RingDevice rings = ring_device();
  const auto fits = [&](const ProductPart& part) { return rings_within(part.w, rings); };
  const bool in_rings = std::all_of(parts.begin(), parts.end(), fits);
  if (x.norm.weight == nullptr)
    return in_rings ? multiply_ring(stream, parts, {x.codes, x.scales, x.sums, x.width}, end, rings)
                    : multiply_few(stream, parts, x, 1, 0, end);
  assert(end == ProductEnd());
  const RowToNorm row{x.values, x.width, x.norm};
  return in_rings && ring_norms_within(row) ? multiply_ring(stream, parts, row, rings)
                                            : multiply_row(stream, parts, row, rings.n_processors);
}

cudaError_t Products::multiply_few_codes(std::span<const ProductPart> parts, const RoundedRows& x, int n_rows,
                                         int64_t stride, const ProductEnd& end) {
  if (n_rows == 1) return multiply_row_codes(parts, x, end);
  assert(x.norm.weight == nullptr);
  return multiply_few(device_.stream(), parts, x, n_rows, stride, end);
}

// False where these are not few rows with matrices of one type.
bool Products::multiply_together(std::span<const Part> parts, const RoundedRows& x, int n_rows, int64_t stride,
                                 const ProductEnd& end) {
  ProductPart together[kMostParts];
  size_t n = 0;
  bool is_int8 = false;
  for (const Part& part : parts) {
    if (part.matrix == nullptr) continue;
    const Path path = path_of(*part.matrix, n_rows);
    const MatrixRef& w = part.matrix->ref();
    if ((path != Path::kFewInt8 && path != Path::kFewFloat) || n == kMostParts) return false;
    if (n > 0 && w.type != together[0].w.type) return false;
    is_int8 = path == Path::kFewInt8;
    together[n++] = {w, part.y};
  }
  if (n == 0) return true;
  const std::span<const ProductPart> all(together, n);
  device_.check(is_int8 ? multiply_few_codes(all, x, n_rows, stride, end)
                        : multiply_few_f32(device_.stream(), all, x.values, n_rows, stride, end, x.norm),
                kMultiplying);
  return true;
}

bool Products::multiply_and_add(const CudaMatrix& matrix, const RoundedRows& rows, int n_rows, const float* bias,
                                float* x) {
  if (!device_.ok()) return false;
  const Part part{&matrix, x};
  const int64_t stride = matrix.ref().n_out;
  const Path path = path_of(matrix, n_rows);
  const bool is_blas = path == Path::kBlasF32 || ((path == Path::kBlasF16 || path == Path::kBlasBf16) &&
                                                  !matrix.is_quantised() && rows.row_scales == nullptr);
  if (!is_blas || bias != nullptr)
    return multiply_together({&part, 1}, rows, n_rows, stride, {.bias = bias, .adds = true});
  multiply_blas(path, matrix.ref(), rows, n_rows, {x, stride}, true);
  return true;
}

GatedParts Products::gated_parts(const Gated& gated, const RowNorm& norm) {
  GatedParts parts{gated.gate->ref(), {}, gated.up_bias, gated.activation, norm};
  if (gated.up != nullptr) {
    parts.up = gated.up->ref();
  } else {
    parts.gate.n_out /= 2;
    parts.up = parts.gate;
    parts.up.data += parts.gate.n_out * parts.gate.stride_bytes;
  }
  return parts;
}

bool Products::multiply_gated(const Gated& gated, const RoundedRows& x, int n_rows, float* y) {
  if (!device_.ok() || path_of(*gated.gate, n_rows) != Path::kFewFloat) return false;
  const GatedParts parts = gated_parts(gated, x.norm);
  if (parts.up.type != parts.gate.type) return false;
  device_.check(multiply_few_gated_f32(device_.stream(), parts, x.values, n_rows, y), kMultiplying);
  return true;
}

RoundedRows Products::multiply_gated(const Gated& gated, const RoundedRows& x, const CudaMatrix& next) {
  if (!device_.ok() || !options_.gates_within || x.norm.weight == nullptr) return {};
  if (path_of(*gated.gate, 1) != Path::kFewInt8 || path_of(next, 1) != Path::kFewInt8) return {};
  const GatedParts parts = gated_parts(gated, x.norm);
  const int n_processors = device_.info().n_processors;
  if (parts.up.type != parts.gate.type || !gates_within(x.width, parts.gate.n_out, n_processors)) return {};
  const RoundedRows rows = rows_for({&next}, 1, parts.gate.n_out, false);
  if (!device_.ok()) return rows;
  const RowToNorm row{x.values, x.width, x.norm};
  const RingDevice rings = ring_device();
  const bool in_rings =
      ring_norms_within(row) && gated_rings_within(parts.gate, rings) && gated_rings_within(parts.up, rings);
  device_.check(in_rings ? multiply_ring_gated(device_.stream(), parts, row, rings, rows)
                         : multiply_row_gated(device_.stream(), parts, row, n_processors, rows),
                kMultiplying);
  return rows;
}

// How many of them, from the first on, are of one type; null ones are of any.
size_t Products::n_of_one_type(std::span<const Part> parts) {
  const CudaMatrix* first = nullptr;
  for (size_t i = 0; i < parts.size(); ++i) {
    const CudaMatrix* matrix = parts[i].matrix;
    if (matrix == nullptr) continue;
    if (first == nullptr) first = matrix;
    if (matrix->ref().type != first->ref().type) return i;
  }
  return parts.size();
}

void Products::multiply(std::span<const Part> parts, const RoundedRows& x, int n_rows, int64_t stride) {
  while (!parts.empty() && device_.ok()) {
    const size_t n = n_of_one_type(parts);
    if (!multiply_together(parts.first(n), x, n_rows, stride)) break;
    parts = parts.subspan(n);
  }
  if (!device_.ok()) return;
  ProductPart own;  // neighbours so far
  for (const Part& part : parts) {
    if (part.matrix == nullptr) continue;
    const ProductPart next{part.matrix->ref(), part.y};
    if (are_one(own, next, n_rows)) {
      own.w.n_out += next.w.n_out;
      continue;
    }
    if (own.y != nullptr) multiply_one(own.w, x, n_rows, {own.y, stride});
    own = next;
  }
  if (own.y != nullptr) multiply_one(own.w, x, n_rows, {own.y, stride});
}

bool Products::are_one(const ProductPart& before, const ProductPart& next, int n_rows) const {
  if (!options_.joins || before.y == nullptr || next.y != before.y + before.w.n_out || !follows(next.w, before.w))
    return false;
  const Path path = path_of(next.w.type, n_rows);
  return path == Path::kBlasF32 || path == Path::kBlasF16 || path == Path::kBlasBf16;
}

void Products::multiply_one(const MatrixRef& w, const RoundedRows& x, int n_rows, ProductOut out) {
  if (!device_.ok()) return;
  assert(x.norm.weight == nullptr);  // only products of several matrices at once norm their row
  const cudaStream_t stream = device_.stream();
  const ProductPart part{w, out.y};
  Path path = path_of(w.type, n_rows);
  if (path == Path::kBlasBf16 && x.half_kind != HalfKind::kBf16) path = Path::kTiled;
  switch (path) {
    case Path::kFewInt8: return device_.check(multiply_few(stream, {&part, 1}, x, n_rows, out.stride), kMultiplying);
    case Path::kFewFloat:
      return device_.check(multiply_few_f32(stream, {&part, 1}, x.values, n_rows, out.stride), kMultiplying);
    case Path::kTiled: return device_.check(multiply_tiled(stream, w, x.values, n_rows, out), kMultiplying);
    default: return multiply_blas(path, w, x, n_rows, out);
  }
}

void Products::run_blas(const BlasProduct& product) {
  if (!blas_->multiply(product))
    device_.fail(io_error("cuBLAS failed on the GPU; start the program again, or use --device cpu"));
  if (launch_timer != nullptr) launch_timer->launched("cuBLAS", device_.stream());
}

void Products::multiply_blas(Path path, const MatrixRef& w, const RoundedRows& x, int n_rows, ProductOut out,
                             bool adds) {
  if (path == Path::kBlasF16 && is_quantised(w.type)) return multiply_dequantised(w, x, n_rows, out);
  const bool f32 = path == Path::kBlasF32;
  BlasProduct product;
  product.type = f32 ? BlasType::kF32 : path == Path::kBlasF16 ? BlasType::kF16 : BlasType::kBf16;
  product.x = f32 ? static_cast<const void*>(x.values) : x.halves;
  product.x_stride = f32 ? x.width : x.half_stride;
  product.w = w.data;
  product.w_stride = static_cast<int>(w.stride_bytes / (f32 ? 4 : 2));
  product.y = out.y;
  product.y_stride = static_cast<int>(out.stride);
  product.n_rows = n_rows;
  product.n_out = w.n_out;
  product.n_in = w.n_in;
  product.adds = adds;
  run_blas(product);
}

void Products::multiply_dequantised(const MatrixRef& w, const RoundedRows& x, int n_rows, ProductOut out) {
  const int64_t row_bytes = int64_t{w.n_in} * static_cast<int64_t>(sizeof(uint16_t));
  const int slab_rows = static_cast<int>(std::clamp<int64_t>(kSlabBytes / row_bytes, 1, w.n_out));
  if (!device_.grow(slab_, static_cast<size_t>(slab_rows * row_bytes), "dequantised weights")) return;
  for (int first = 0; first < w.n_out && device_.ok(); first += slab_rows) {
    const int n = std::min(slab_rows, w.n_out - first);
    device_.check(dequantise_f16(device_.stream(), w, first, n, slab_.as<uint16_t>()), "dequantising weights");
    run_blas({.type = BlasType::kF16,
              .x = x.halves,
              .x_stride = x.half_stride,
              .w = slab_.as(),
              .w_stride = w.n_in,
              .y = out.y + first,
              .y_stride = static_cast<int>(out.stride),
              .n_rows = n_rows,
              .n_out = n,
              .n_in = w.n_in});
  }
}

}  // namespace mneme::engine::cuda

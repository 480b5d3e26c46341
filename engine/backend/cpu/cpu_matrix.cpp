#include "engine/backend/cpu/cpu_matrix.h"

#include <utility>

#include "engine/gguf/dequantize.h"

namespace mneme::engine::cpu {
Status CpuMatrix::pack(ThreadPool& pool, WeightArena& arena, PackedMatrix::ScalePlace scale_place) {
  if (view_.use == MatrixUse::kLookup || !PackedMatrix::packs(view_.type)) return {};
  auto packed = std::make_unique<PackedMatrix>();
  MNEME_RETURN_IF_ERROR(packed->pack(view_, pool, arena, scale_place));
  packed_ = std::move(packed);
  return {};
}

void CpuMatrix::read_row(int64_t row, float* out) const {
  if (packed_) return packed_->read_row(row, out);
  const int64_t stride = gguf::row_bytes(view_.type, n_in);
  gguf::dequantize_row(view_.type, view_.bytes.data() + row * stride, n_in, out);
}

}  // namespace mneme::engine::cpu

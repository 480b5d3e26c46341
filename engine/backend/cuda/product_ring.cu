#include "engine/backend/cuda/product_ring.h"

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "engine/backend/cuda/next_weights.cuh"
#include "engine/backend/cuda/product_items.cuh"
#include "engine/backend/cuda/shared_copies.cuh"
#include "engine/backend/cuda/shared_memory.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kVectorBytes = 16;
constexpr int kMostRingWidth = 32768;  // of a row that a block copies, in few vectors a thread
constexpr int kRingStretches = 2;      // of a row that it norms, for which it has half the registers of product_row.cu

// The smallest piece of a row that lies by itself on the device.
struct BlockShape {
  int elements;
  int bytes;
};
constexpr BlockShape block_of(TensorType type) {
  constexpr auto small = [](size_t bytes) { return BlockShape{gguf::kSmallBlock, static_cast<int>(bytes)}; };
  constexpr auto super = [](size_t bytes) { return BlockShape{gguf::kSuperBlock, static_cast<int>(bytes)}; };
  switch (type) {
    case TensorType::kQ4_0: return small(sizeof(gguf::BlockQ4_0));
    case TensorType::kQ4_1: return small(sizeof(gguf::BlockQ4_1));
    case TensorType::kQ5_0: return small(sizeof(gguf::BlockQ5_0));
    case TensorType::kQ5_1: return small(sizeof(gguf::BlockQ5_1));
    case TensorType::kIQ4_NL: return small(sizeof(gguf::BlockIQ4_NL));
    case TensorType::kQ8_0: return {kQ8Group, kQ8GroupBytes};
    case TensorType::kMXFP4: return {kMxfp4Group, kMxfp4GroupBytes};
    case TensorType::kQ2_K: return super(sizeof(gguf::BlockQ2_K));
    case TensorType::kQ3_K: return super(sizeof(gguf::BlockQ3_K));
    case TensorType::kQ4_K: return super(sizeof(gguf::BlockQ4_K));
    case TensorType::kQ5_K: return super(sizeof(gguf::BlockQ5_K));
    case TensorType::kQ6_K: return super(sizeof(gguf::BlockQ6_K));
    case TensorType::kIQ4_XS: return super(sizeof(gguf::BlockIQ4_XS));
    default: return {0, 0};
  }
}

// A warp's ring: stages of kOutputs rows, as few pieces a lane as are whole blocks and whole vectors.
template <TensorType kType>
struct Ring {
  using Reader = PieceReader<UnitReader<kType>>;
  static constexpr int elements_of(int each) { return each * kWarp * Reader::kUnits * kUnit; }
  static constexpr int bytes_of(int each) {
    return elements_of(each) / block_of(kType).elements * block_of(kType).bytes;
  }
  static constexpr int fewest_pieces() {
    for (int each = 1; each <= 4; each *= 2)
      if (elements_of(each) % block_of(kType).elements == 0 && bytes_of(each) % kVectorBytes == 0) return each;
    return 0;
  }
  static constexpr int kEach = fewest_pieces();  // pieces of a lane
  static_assert(kEach > 0);
  static constexpr int kPieces = kEach * kWarp;
  static constexpr int kElements = elements_of(kEach);
  static constexpr int kUnits = kElements / kUnit;
  static_assert(kUnits % 16 == 0);  // RowInShared::place_of() looks at the place within sixteen
  static constexpr int kRowBytes = bytes_of(kEach);
  static constexpr int kBytes = kOutputs * kRowBytes;
  static constexpr int kMostBytes = 6144;  // with them two products' blocks have room on a multiprocessor of 228 KB
  static constexpr int kStages = std::clamp(kMostBytes / kBytes, 2, 10);
  static constexpr size_t kBlockBytes = size_t{kRowWarps} * kStages * kBytes;
};

// The lanes of half a warp copy one row of a stage, side by side.
constexpr int kRowLanes = kWarp / kOutputs;
__device__ __forceinline__ int copied_row() {
  return static_cast<int>(threadIdx.x) % kWarp / kRowLanes;
}
__device__ __forceinline__ int copied_bytes() {
  return static_cast<int>(threadIdx.x) % kRowLanes * kVectorBytes;
}

// A lane's part of a stage is on its way to `to`: `left` bytes of its row are left from `from` on.
template <TensorType kType>
__device__ __forceinline__ void ask_for_stage(const uint8_t* from, int left, unsigned char* to) {
  constexpr int kAtOnce = kRowLanes * kVectorBytes;
  const int n = min(left, Ring<kType>::kRowBytes) - copied_bytes();
#pragma unroll
  for (int at = 0; at < Ring<kType>::kRowBytes; at += kAtOnce)
    if (at < n) copy_vector(to + at, from + at);
}

// Adds up the pieces of a stage that has arrived, `left` of them at most; `done` is called when it is not needed any
// more.
template <TensorType kType, typename Done>
__device__ __forceinline__ void add_stage(const unsigned char* stage, int first_unit, int left, const RowInShared& x,
                                          float (&sums)[kOutputs], Done done) {
  using R = Ring<kType>;
  using Reader = typename R::Reader;
  const RowInShared at{x.codes + first_unit * (kUnit / 4), x.scales + first_unit / (kRoundBlock / kUnit),
                       x.sums + first_unit};
#pragma unroll
  for (int i = 0; i < R::kEach; ++i) {
    const int piece = i * kWarp + static_cast<int>(threadIdx.x) % kWarp;
    typename Reader::Raw raw[kOutputs];  // beyond the row whatever lies there, within the ring
#pragma unroll
    for (int o = 0; o < kOutputs; ++o) Reader::load(stage + o * R::kRowBytes, piece, raw[o]);
    if (i == R::kEach - 1) done();
    if (piece < left) add_piece<Reader>(raw, piece, at, sums);
  }
}

// What a warp works on: items from `first` on, `stride` apart.
struct Share {
  int first;
  int stride;
  int n_items;
};

// row_of(item, o) are an item's rows of weights, row_bytes long; make_row() makes the row of x, by all threads, when
// the kernels ahead have ended. begin(item) asks for what end(item, sums, begun) needs beside the products, which are
// complete in every lane. The first weights, which no kernel writes, are on their way before the kernels ahead have
// ended.
template <TensorType kType, typename RowOf, typename MakeRow, typename Begin, typename End>
__device__ __forceinline__ void multiply_items(const Share& share, const RowInShared& x, int width, int row_bytes,
                                               RowOf row_of, MakeRow make_row, Begin begin, End end) {
  using R = Ring<kType>;
  unsigned char* const ring =
      dynamic_shared<unsigned char>() + static_cast<int>(threadIdx.x) / kWarp * (R::kStages * R::kBytes);
  unsigned char* const copied = ring + copied_row() * R::kRowBytes + copied_bytes();
  int next = share.first;  // item whose weights are asked for
  int left = row_bytes;    // of its rows
  const uint8_t* from = nullptr;
  const auto ask = [&](int slot) {
    if (next < share.n_items) {
      if (left == row_bytes) from = row_of(next, copied_row()) + copied_bytes();
      ask_for_stage<kType>(from, left, copied + slot * R::kBytes);
      from += R::kRowBytes;
      left -= R::kRowBytes;
      if (left <= 0) {
        left = row_bytes;
        next += share.stride;
      }
    }
    end_of_copies();
  };
#pragma unroll 1
  for (int slot = 0; slot < R::kStages; ++slot) ask(slot);
  make_row();
  const int n_pieces = width / (R::Reader::kUnits * kUnit);
  auto begun = begin(share.first);
  int slot = 0;
#pragma unroll 1
  for (int item = share.first; item < share.n_items; item += share.stride) {
    float sums[kOutputs] = {};
#pragma unroll 1
    for (int pieces = n_pieces, unit = 0; pieces > 0; pieces -= R::kPieces, unit += R::kUnits) {
      wait_for_copies_but<R::kStages - 1>();
      __syncwarp();
      add_stage<kType>(ring + slot * R::kBytes, unit, pieces, x, sums, [&] {
        __syncwarp();
        ask(slot);
      });
      slot = slot + 1 < R::kStages ? slot + 1 : 0;
    }
#pragma unroll
    for (int o = 0; o < kOutputs; ++o) sums[o] = warp_sum(sums[o]);
    end(item, sums, begun);
    begun = begin(item + share.stride);
  }
}

// The row, when the kernels ahead have ended. All threads of the block.
__device__ __forceinline__ void make_row(const RowToNorm& row, const RowInShared& out) {
  if (threadIdx.x == 0)
    fetch_to_cache(reinterpret_cast<const std::byte*>(row.norm.weight), row.width * static_cast<int>(sizeof(float)));
  after_earlier_kernels();
  norm_and_round<kRingStretches>(row, out);
}
template <typename T, int kEach>
struct Copied {
  T values[kEach];
  static __device__ __forceinline__ int index(int i) { return i * kRowThreads + static_cast<int>(threadIdx.x); }
  __device__ __forceinline__ Copied(const void* from, int n) {
#pragma unroll
    for (int i = 0; i < kEach; ++i)
      if (index(i) < n) values[i] = reinterpret_cast<const T*>(from)[index(i)];
  }
  template <typename Place>
  __device__ __forceinline__ void store(void* to, int n, Place place) const {
#pragma unroll
    for (int i = 0; i < kEach; ++i)
      if (index(i) < n) reinterpret_cast<T*>(to)[place(index(i))] = values[i];
  }
};
__device__ __forceinline__ void make_row(const RoundedRow& row, const RowInShared& out) {
  constexpr int kUnits = kMostRingWidth / kUnit / kRowThreads;
  static_assert(kSumBlock == kUnit);
  after_earlier_kernels();
  const int n_units = row.width / kUnit;
  const Copied<int4, kUnits> codes(row.codes, n_units);
  const Copied<float, kUnits> sums(row.sums, n_units);
  const Copied<float, kUnits * kUnit / kRoundBlock> scales(row.scales, row.width / kRoundBlock);
  keep_loads_together();
  codes.store(out.codes, n_units, RowInShared::place_of);
  const auto same = [](int i) { return i; };
  sums.store(out.sums, n_units, same);
  scales.store(out.scales, row.width / kRoundBlock, same);
  __syncthreads();
}

template <TensorType kType>
__device__ __forceinline__ RowInShared row_behind_ring(int width) {
  return row_in_shared(dynamic_shared<unsigned char>() + Ring<kType>::kBlockBytes, width);
}

// What a lane's output is added to.
struct Before {
  float value = 0.0f;
  float bias = 0.0f;
};

// Pairs go to the blocks in turn, so that few of them keep all multiprocessors at work.
template <TensorType kType, typename Row>
__global__ void __launch_bounds__(kRowThreads, 2) multiply_ring_kernel(Row row, Pairs pairs, ProductEnd last) {
  const auto n_blocks = static_cast<int>(gridDim.x);
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const Share share{static_cast<int>(threadIdx.x) / kWarp * n_blocks + static_cast<int>(blockIdx.x),
                    n_blocks * kRowWarps, pairs.n};
  const RowInShared x = row_behind_ring<kType>(row.width);
  const auto begin = [&](int pair) {
    Before before;
    const PlacedPair at = pair_at(pairs, pair);
    const int output = at.first_output + lane;
    if (pair >= pairs.n || lane >= kOutputs || output >= at.w.n_out) return before;
    if (last.adds) before.value = at.y[output];
    if (last.bias != nullptr) before.bias = last.bias[output];
    return before;
  };
  const auto end = [&](int pair, const float(&sums)[kOutputs], const Before& before) {
    const PlacedPair at = pair_at(pairs, pair);
    const int output = at.first_output + lane;
    if (lane < kOutputs && output < at.w.n_out)
      at.y[output] = before.value + ((lane == 0 ? sums[0] : sums[1]) + before.bias);
  };
  multiply_items<kType>(
      share, x, row.width, static_cast<int>(pairs.parts[0].w.stride_bytes),
      [&](int pair, int row) {
        const PlacedPair at = pair_at(pairs, pair);
        return weight_row(at.w, at.first_output + row);
      },
      [&] { make_row(row, x); }, begin, end);
}

template <TensorType kType>
__global__ void __launch_bounds__(kRowThreads, 2)
    multiply_ring_gated_kernel(RowToNorm row, GatedParts parts, RoundedRows out) {
  const Neurons neurons(out.width);
  const RowInShared x = row_behind_ring<kType>(row.width);
  float2* const gated = gated_in_shared(x, row.width);
  const auto end = [&](int item, const float(&sums)[kOutputs], int) {
    if (threadIdx.x % kWarp == 0) gated[item] = {sums[0], sums[1]};
  };
  multiply_items<kType>(
      {static_cast<int>(threadIdx.x) / kWarp, kRowWarps, neurons.n()}, x, row.width,
      static_cast<int>(parts.gate.stride_bytes),
      [&](int item, int row) { return weight_row(row == 0 ? parts.gate : parts.up, neurons.output_of(item)); },
      [&] { make_row(row, x); }, [](int) { return 0; }, end);
  activate_neurons(neurons, parts, gated, out);
}

template <TensorType kType>
constexpr TensorType type_of(UnitReader<kType>) {
  return kType;
}

// Static shared memory beside what is asked for.
constexpr size_t kStaticBytes = 1024;

size_t ring_bytes_of(TensorType type) {
  size_t bytes = 0;
  with_unit_reader(type, [&](auto reader) { bytes = Ring<type_of(decltype(reader){})>::kBlockBytes; });
  return bytes;
}

// `given`: the kernel's, for give_shared_memory().
template <typename... Parameters, typename... Arguments>
cudaError_t launch_with_ring(std::atomic<uint64_t>& given, const RingDevice& device, cudaStream_t stream, int n_blocks,
                             size_t shared_bytes, void (*kernel)(Parameters...), Arguments... arguments) {
  const cudaError_t error = give_shared_memory(given, kernel, device.shared_bytes - kStaticBytes);
  if (error != cudaSuccess) return error;
  return launch(stream, dim3(static_cast<unsigned>(n_blocks)), kRowThreads, shared_bytes, kernel, arguments...);
}

template <TensorType kType, typename Row>
cudaError_t launch_pairs(cudaStream_t stream, const Pairs& pairs, const Row& row, const ProductEnd& end,
                         const RingDevice& device) {
  static std::atomic<uint64_t> given{0};
  return launch_with_ring(given, device, stream, std::min(pairs.n, device.n_processors),
                          Ring<kType>::kBlockBytes + row_shared_bytes(row.width), multiply_ring_kernel<kType, Row>, row,
                          pairs, end);
}
template <typename Row>
cudaError_t launch_any_pairs(cudaStream_t stream, std::span<const ProductPart> parts, const Row& row,
                             const ProductEnd& end, const RingDevice& device) {
  cudaError_t error = cudaErrorInvalidValue;
  with_unit_reader(parts[0].w.type, [&](auto reader) {
    error = launch_pairs<type_of(decltype(reader){})>(stream, pairs_of(parts), row, end, device);
  });
  return error;
}

template <TensorType kType>
cudaError_t launch_gated(cudaStream_t stream, const GatedParts& parts, const RowToNorm& row, const RingDevice& device,
                         const RoundedRows& out) {
  static std::atomic<uint64_t> given{0};
  const GatedGrid grid = gated_grid(row.width, out.width, device.n_processors);
  return launch_with_ring(given, device, stream, grid.n_blocks, Ring<kType>::kBlockBytes + grid.shared_bytes,
                          multiply_ring_gated_kernel<kType>, row, parts, out);
}

}  // namespace

bool rings_within(const MatrixRef& w, const RingDevice& device) {
  if (!is_quantised(w.type) || w.n_in > kMostRingWidth || w.n_in % kRoundBlock != 0) return false;
  if (w.stride_bytes % kVectorBytes != 0 || !is_aligned(w.data)) return false;
  return ring_bytes_of(w.type) + row_shared_bytes(w.n_in) + kStaticBytes <= device.shared_bytes;
}

bool gated_rings_within(const MatrixRef& gate, const RingDevice& device) {
  return rings_within(gate, device) && ring_bytes_of(gate.type) +
                                               gated_grid(gate.n_in, gate.n_out, device.n_processors).shared_bytes +
                                               kStaticBytes <=
                                           device.shared_bytes;
}

bool ring_norms_within(const RowToNorm& row) {
  return norms_within(row) && row.width <= width_of(kRingStretches);
}

cudaError_t multiply_ring(cudaStream_t stream, std::span<const ProductPart> parts, const RoundedRow& row,
                          const ProductEnd& end, const RingDevice& device) {
  return launch_any_pairs(stream, parts, row, end, device);
}
cudaError_t multiply_ring(cudaStream_t stream, std::span<const ProductPart> parts, const RowToNorm& row,
                          const RingDevice& device) {
  return launch_any_pairs(stream, parts, row, {}, device);
}

cudaError_t multiply_ring_gated(cudaStream_t stream, const GatedParts& parts, const RowToNorm& row,
                                const RingDevice& device, const RoundedRows& out) {
  cudaError_t error = cudaErrorInvalidValue;
  with_unit_reader(parts.gate.type, [&](auto reader) {
    error = launch_gated<type_of(decltype(reader){})>(stream, parts, row, device, out);
  });
  return error;
}

}  // namespace mneme::engine::cuda

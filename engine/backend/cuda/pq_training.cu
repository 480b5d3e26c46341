#include "engine/backend/cuda/pq_training.h"

#include "engine/backend/cuda/centroid_access.cuh"
#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/kv_access.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr float kMostValue = 1e30f;
constexpr int kThreads = 256;
constexpr int kSumDims = 64;  // that a block sums
constexpr float kMostCode = 127.0f;
constexpr float kUsualKeys = 8.0f;  // a code's variance is mixed with so many keys of the usual one

unsigned unsigned_of(int value) {
  return static_cast<unsigned>(value);
}
int part_dim_of(int head_dim) {
  return head_dim / kKeyParts;
}

__global__ void gather_kernel(KvView kv, TokenRun run, bool values, const int* order, float* out) {
  after_earlier_kernels();
  const auto head = static_cast<int>(blockIdx.y);
  const int64_t n = int64_t{run.n} * kv.head_dim;
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const auto place = static_cast<int>(i % kv.head_dim);
  const int position = run.first + static_cast<int>(i / kv.head_dim) * run.step;
  const int d = order != nullptr ? order[place] : place;
  const KvHead at = kv_head_at(kv, run.layer, position, head);
  const float value = element_of(at, kv.is_q8, values, position % kPageTokens, d);
  out[head * n + i] = fabsf(value) < kMostValue ? value : 0.0f;
}

// A thread: one dimension of a slice's points, which it adds in order.
__global__ void __launch_bounds__(kSumDims) sum_kernel(PqPoints points, CodeSums out, int width) {
  after_earlier_kernels();
  __shared__ float sums[kKeyCodes][kSumDims];
  __shared__ int counts[kKeyCodes];
  const auto thread = static_cast<int>(threadIdx.x);
  const auto slice = static_cast<int>(blockIdx.x);
  const auto head = static_cast<int>(blockIdx.y) / kKeyParts;
  const auto part = static_cast<int>(blockIdx.y) % kKeyParts;
  const int d = static_cast<int>(blockIdx.z) * kSumDims + thread;
  const int place = (out.own_places ? part * width : 0) + d;
  const bool adds = d < width;
  for (int code = 0; code < kKeyCodes; ++code) sums[code][thread] = 0.0f;
  counts[thread] = 0;
  __syncthreads();
  const int begin = slice * kSlicePoints;
  const int end = min(points.n, begin + kSlicePoints);
  const uint8_t* codes = points.codes + (int64_t{head} * kKeyParts + part) * points.code_stride + points.first;
  const float* data = points.data + int64_t{head} * points.n * points.head_dim + place;
  const int64_t row = int64_t{head} * points.head_dim + place;
  for (int i = begin; i < end && adds; ++i) {
    const int code = codes[i];
    float x = data[int64_t{i} * points.head_dim];
    if (out.around.bytes != nullptr) {
      x -= centroid_at(out.around, row, code);
      x *= x;
    }
    sums[code][thread] += x;
  }
  for (int i = begin + thread; i < end; i += kSumDims) atomicAdd(&counts[codes[i]], 1);
  __syncthreads();
  const int64_t of_part = (int64_t{slice} * points.n_kv_heads + head) * kKeyParts + part;
  for (int code = 0; code < kKeyCodes && adds; ++code)
    out.sums[(of_part * kKeyCodes + code) * width + d] = sums[code][thread];
  if (blockIdx.z == 0) out.counts[of_part * kKeyCodes + thread] = counts[thread];
}

// Sum number `at` of one slice over all slices; stride: between slices.
template <typename T>
__device__ T over_slices(const T* sums, int slices, int64_t stride, int64_t at) {
  T sum = 0;
  for (int s = 0; s < slices; ++s) sum += sums[s * stride + at];
  return sum;
}

__global__ void start_kernel(PqPoints points, const int* chosen, int n_clusters, float* centroids) {
  after_earlier_kernels();
  const auto place = static_cast<int>(blockIdx.x);
  const auto head = static_cast<int>(blockIdx.y);
  const auto code = static_cast<int>(threadIdx.x);
  const int part = place / (points.head_dim / kKeyParts);
  float value = 0.0f;
  if (code < n_clusters) {
    const int64_t point = int64_t{head} * points.n + chosen[part * n_clusters + code];
    value = points.data[point * points.head_dim + place];
  }
  centroids[(int64_t{head} * points.head_dim + place) * kKeyCodes + code] = value;
}

// The largest of the threads' numbers, which are not negative, and the lowest index that has it; n_threads is kThreads.
__device__ void block_argmax(float& value, int& index) {
  __shared__ float values[kThreads];
  __shared__ int indices[kThreads];
  const auto thread = static_cast<int>(threadIdx.x);
  __syncthreads();  // those of an earlier call have been read
  values[thread] = value;
  indices[thread] = index;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread >= half) continue;
    const float other = values[thread + half];
    const int other_index = indices[thread + half];
    if (other > values[thread] || (other == values[thread] && other_index < indices[thread])) {
      values[thread] = other;
      indices[thread] = other_index;
    }
  }
  __syncthreads();
  value = values[0];
  index = indices[0];
}

// An empty cluster takes the farthest point of the largest one, unless that has no spread.
__device__ void refill(const PqPoints& points, int head, int part, int n_clusters, int empty, int* counts,
                       float* centroids) {
  const auto thread = static_cast<int>(threadIdx.x);
  const int part_dim = points.head_dim / kKeyParts;
  int largest = 0;
  for (int c = 1; c < n_clusters; ++c)
    if (counts[c] > counts[largest]) largest = c;
  uint8_t* codes = points.codes + (int64_t{head} * kKeyParts + part) * points.code_stride + points.first;
  const float* data = points.data + int64_t{head} * points.n * points.head_dim + part * part_dim;
  float farthest = 0.0f;
  int index = INT32_MAX;
  for (int i = thread; i < points.n; i += kThreads) {
    if (codes[i] != largest) continue;
    float distance = 0.0f;
    for (int d = 0; d < part_dim; ++d) {
      const float away = data[int64_t{i} * points.head_dim + d] - centroids[d * kKeyCodes + largest];
      distance += away * away;
    }
    if (distance > farthest) {
      farthest = distance;
      index = i;
    }
  }
  block_argmax(farthest, index);
  if (farthest > 0.0f) {
    for (int d = thread; d < part_dim; d += kThreads)
      centroids[d * kKeyCodes + empty] = data[int64_t{index} * points.head_dim + d];
    if (thread == 0) {
      codes[index] = static_cast<uint8_t>(empty);
      --counts[largest];
      counts[empty] = 1;
    }
  }
  __syncthreads();
}

__global__ void __launch_bounds__(kThreads)
    move_kernel(PqPoints points, CodeSums from, int slices, int n_clusters, float* all_centroids) {
  after_earlier_kernels();
  __shared__ int counts[kKeyCodes];
  const auto thread = static_cast<int>(threadIdx.x);
  const auto head = static_cast<int>(blockIdx.x);
  const auto part = static_cast<int>(blockIdx.y);
  const int part_dim = points.head_dim / kKeyParts;
  const int64_t of_part = int64_t{head} * kKeyParts + part;
  const int64_t n_parts = int64_t{points.n_kv_heads} * kKeyParts;
  float* centroids = all_centroids + (int64_t{head} * points.head_dim + part * part_dim) * kKeyCodes;
  if (thread < kKeyCodes)
    counts[thread] = over_slices(from.counts, slices, n_parts * kKeyCodes, of_part * kKeyCodes + thread);
  __syncthreads();
  for (int i = thread; i < n_clusters * part_dim; i += kThreads) {
    const int code = i / part_dim;
    if (counts[code] == 0) continue;
    const float sum =
        over_slices(from.sums, slices, n_parts * kKeyCodes * part_dim, of_part * kKeyCodes * part_dim + i);
    centroids[i % part_dim * kKeyCodes + code] = sum / static_cast<float>(counts[code]);
  }
  __syncthreads();
  for (int code = 0; code < n_clusters; ++code)
    if (counts[code] == 0) refill(points, head, part, n_clusters, code, counts, centroids);
}

__global__ void __launch_bounds__(kKeyCodes) round_kernel(const float* centroids, PqLayerView index) {
  after_earlier_kernels();
  const int64_t row = int64_t{blockIdx.y} * index.head_dim + blockIdx.x;
  const auto code = static_cast<int>(threadIdx.x);
  const float value = code < index.n_clusters ? centroids[row * kKeyCodes + code] : 0.0f;
  const float largest = block_max(fabsf(value));
  const float inverse = largest > 0.0f ? kMostCode / largest : 0.0f;
  index.centroids[row * kKeyCodes + code] = static_cast<int8_t>(lroundf(value * inverse));
  if (code == 0) index.scales[row] = largest / kMostCode;
}

__global__ void __launch_bounds__(kThreads) spread_kernel(CodeSums from, int slices, int n_points, PqLayerView index) {
  after_earlier_kernels();
  const auto thread = static_cast<int>(threadIdx.x);
  const auto head = static_cast<int>(blockIdx.x);
  const auto part = static_cast<int>(blockIdx.y);
  const int part_dim = index.head_dim / kKeyParts;
  const int64_t of_part = int64_t{head} * kKeyParts + part;
  const int64_t n_parts = int64_t{index.n_kv_heads} * kKeyParts;
  const int64_t stride = n_parts * kKeyCodes * part_dim;
  const float* sums = from.sums + of_part * kKeyCodes * part_dim;
  float usual = 0.0f;
  for (int d = thread; d < part_dim; d += kThreads) {
    float sum = 0.0f;
    for (int code = 0; code < kKeyCodes; ++code) sum += over_slices(sums, slices, stride, code * part_dim + d);
    sum /= static_cast<float>(n_points);
    index.spreads[int64_t{head} * index.head_dim + part * part_dim + d] = sum;
    usual += sum;
  }
  usual = block_sum(usual);
  if (thread >= kKeyCodes) return;
  float own = 0.0f;
  for (int d = 0; d < part_dim; ++d) own += over_slices(sums, slices, stride, thread * part_dim + d);
  const int count = over_slices(from.counts, slices, n_parts * kKeyCodes, of_part * kKeyCodes + thread);
  index.spread_of[of_part * kKeyCodes + thread] =
      usual > 0.0f ? (own / usual + kUsualKeys) / (static_cast<float>(count) + kUsualKeys) : 0.0f;
}

__global__ void add_kernel(CodeSums from, int slices, bool anew, PqLayerView index) {
  after_earlier_kernels();
  const int64_t n_rows = int64_t{index.n_kv_heads} * kKeyParts * kKeyCodes;
  const int64_t row = blockIdx.x;
  for (int d = static_cast<int>(threadIdx.x); d < index.head_dim; d += static_cast<int>(blockDim.x)) {
    const int64_t at = row * index.head_dim + d;
    const float before = anew ? 0.0f : index.value_sums[at];
    index.value_sums[at] = before + over_slices(from.sums, slices, n_rows * index.head_dim, at);
  }
  if (threadIdx.x != 0) return;
  const int before = anew ? 0 : index.value_counts[row];
  index.value_counts[row] = before + over_slices(from.counts, slices, n_rows, row);
}

}  // namespace

int n_slices(int n_points) {
  return (n_points + kSlicePoints - 1) / kSlicePoints;
}

cudaError_t gather_tokens(cudaStream_t stream, const KvView& kv, const TokenRun& run, bool values, const int* order,
                          float* out) {
  const int64_t n = int64_t{run.n} * kv.head_dim;
  const dim3 grid(static_cast<unsigned>((n + kThreads - 1) / kThreads), unsigned_of(kv.n_kv_heads));
  return launch(stream, grid, kThreads, 0, gather_kernel, kv, run, values, order, out);
}

cudaError_t sum_by_code(cudaStream_t stream, const PqPoints& points, const CodeSums& sums) {
  const int width = sums.own_places ? part_dim_of(points.head_dim) : points.head_dim;
  const dim3 grid(unsigned_of(n_slices(points.n)), unsigned_of(points.n_kv_heads * kKeyParts),
                  unsigned_of((width + kSumDims - 1) / kSumDims));
  return launch(stream, grid, kSumDims, 0, sum_kernel, points, sums, width);
}

cudaError_t start_centroids(cudaStream_t stream, const PqPoints& points, const int* chosen, int n_clusters,
                            float* centroids) {
  const dim3 grid(unsigned_of(points.head_dim), unsigned_of(points.n_kv_heads));
  return launch(stream, grid, kKeyCodes, 0, start_kernel, points, chosen, n_clusters, centroids);
}

cudaError_t move_centroids(cudaStream_t stream, const PqPoints& points, const CodeSums& sums, int n_clusters,
                           float* centroids) {
  const dim3 grid(unsigned_of(points.n_kv_heads), kKeyParts);
  return launch(stream, grid, kThreads, 0, move_kernel, points, sums, n_slices(points.n), n_clusters, centroids);
}

cudaError_t round_centroids(cudaStream_t stream, const float* centroids, const PqLayerView& index) {
  const dim3 grid(unsigned_of(index.head_dim), unsigned_of(index.n_kv_heads));
  return launch(stream, grid, kKeyCodes, 0, round_kernel, centroids, index);
}

cudaError_t measure_spread(cudaStream_t stream, const CodeSums& sums, int n_points, const PqLayerView& index) {
  const dim3 grid(unsigned_of(index.n_kv_heads), kKeyParts);
  return launch(stream, grid, kThreads, 0, spread_kernel, sums, n_slices(n_points), n_points, index);
}

cudaError_t add_value_sums(cudaStream_t stream, const CodeSums& sums, int n_points, bool anew,
                           const PqLayerView& index) {
  const dim3 grid(unsigned_of(index.n_kv_heads * kKeyParts * kKeyCodes));
  return launch(stream, grid, 2 * kWarp, 0, add_kernel, sums, n_slices(n_points), anew, index);
}

}  // namespace mneme::engine::cuda

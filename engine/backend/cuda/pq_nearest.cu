// The nearest centroid of every point. Products are added place by place, as PqKernels::nearest does, so that equal
// centroids give equal codes.
#include "engine/backend/cuda/centroid_access.cuh"
#include "engine/backend/cuda/pq_training.h"

namespace mneme::engine::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kTilePoints = 64;
constexpr int kTilePlaces = 64;
constexpr int kOwnCodes = 16;  // of a thread
constexpr int kCodeGroups = kKeyCodes / kOwnCodes;
static_assert(kTilePoints * kCodeGroups == kThreads);

// What a block works on.
struct Tile {
  int head;
  int part;
  int part_dim;
  int first_point;
  int64_t first_row;  // of the centroids
};
struct Shared {
  alignas(16) float columns[kTilePlaces][kKeyCodes];
  float points[kTilePoints][kTilePlaces + 1];
  float half_norms[kKeyCodes];
  float best_score[kCodeGroups][kTilePoints];
  int best_code[kCodeGroups][kTilePoints];
};

// Half a centroid's squared length; beyond the clusters in use none is near.
__device__ float half_norm_of(const Centroids& centroids, const Tile& tile, int code) {
  if (code >= centroids.n_clusters) return INFINITY;
  float norm = 0.0f;
  for (int d = 0; d < tile.part_dim; ++d) {
    const float c = centroid_at(centroids, tile.first_row + d, code);
    norm = __fadd_rn(norm, __fmul_rn(__fmul_rn(0.5f, c), c));
  }
  return norm;
}

// n_places places from `first` on of the tile's points and of all centroids.
__device__ void load(const PqPoints& points, const Centroids& centroids, const Tile& tile, int first, int n_places,
                     Shared& shared) {
  for (int i = static_cast<int>(threadIdx.x); i < kTilePoints * n_places; i += kThreads) {
    const int row = i / n_places;
    const int place = i % n_places;
    const int64_t point = int64_t{tile.head} * points.n + tile.first_point + row;
    const bool is_there = tile.first_point + row < points.n;
    shared.points[row][place] =
        is_there ? points.data[point * points.head_dim + tile.part * tile.part_dim + first + place] : 0.0f;
  }
  for (int i = static_cast<int>(threadIdx.x); i < n_places * kKeyCodes; i += kThreads)
    shared.columns[i / kKeyCodes][i % kKeyCodes] =
        centroid_at(centroids, tile.first_row + first + i / kKeyCodes, i % kKeyCodes);
}

__device__ __forceinline__ void add_products(const Shared& shared, int point, int group, int n_places,
                                             float (&sums)[kOwnCodes]) {
  for (int d = 0; d < n_places; ++d) {
    const float x = shared.points[point][d];
#pragma unroll
    for (int j = 0; j < kOwnCodes; j += 4) {
      const float4 c = *reinterpret_cast<const float4*>(&shared.columns[d][group * kOwnCodes + j]);
      sums[j] = fmaf(x, c.x, sums[j]);
      sums[j + 1] = fmaf(x, c.y, sums[j + 1]);
      sums[j + 2] = fmaf(x, c.z, sums[j + 2]);
      sums[j + 3] = fmaf(x, c.w, sums[j + 3]);
    }
  }
}

// The best of a thread's codes, then of all; the lowest of equals.
__device__ int best_code(const float (&sums)[kOwnCodes], int point, int group, Shared& shared) {
  float best = -INFINITY;
  int code = 0;
#pragma unroll
  for (int j = 0; j < kOwnCodes; ++j)
    if (sums[j] > best) {
      best = sums[j];
      code = group * kOwnCodes + j;
    }
  shared.best_score[group][point] = best;
  shared.best_code[group][point] = code;
  __syncthreads();
  best = shared.best_score[0][point];
  code = shared.best_code[0][point];
  for (int g = 1; g < kCodeGroups; ++g)
    if (shared.best_score[g][point] > best) {
      best = shared.best_score[g][point];
      code = shared.best_code[g][point];
    }
  return code;
}

// A thread: one point, kOwnCodes centroids.
__global__ void __launch_bounds__(kThreads) nearest_kernel(PqPoints points, Centroids centroids) {
  after_earlier_kernels();
  __shared__ Shared shared;
  const auto thread = static_cast<int>(threadIdx.x);
  Tile tile{};
  tile.head = static_cast<int>(blockIdx.y);
  tile.part = static_cast<int>(blockIdx.z);
  tile.part_dim = points.head_dim / kKeyParts;
  tile.first_point = static_cast<int>(blockIdx.x) * kTilePoints;
  tile.first_row = int64_t{tile.head} * points.head_dim + tile.part * tile.part_dim;
  if (thread < kKeyCodes) shared.half_norms[thread] = half_norm_of(centroids, tile, thread);
  __syncthreads();
  const int point = thread % kTilePoints;
  const int group = thread / kTilePoints;
  float sums[kOwnCodes];
#pragma unroll
  for (int j = 0; j < kOwnCodes; ++j) sums[j] = -shared.half_norms[group * kOwnCodes + j];
  for (int first = 0; first < tile.part_dim; first += kTilePlaces) {
    const int n_places = min(kTilePlaces, tile.part_dim - first);
    __syncthreads();  // the places before have been used
    load(points, centroids, tile, first, n_places, shared);
    __syncthreads();
    add_products(shared, point, group, n_places, sums);
  }
  const int code = best_code(sums, point, group, shared);
  if (group != 0 || tile.first_point + point >= points.n) return;
  const int64_t row = int64_t{tile.head} * kKeyParts + tile.part;
  points.codes[row * points.code_stride + points.first + tile.first_point + point] = static_cast<uint8_t>(code);
}

}  // namespace

cudaError_t find_nearest(cudaStream_t stream, const PqPoints& points, const Centroids& centroids) {
  const dim3 grid(static_cast<unsigned>((points.n + kTilePoints - 1) / kTilePoints),
                  static_cast<unsigned>(points.n_kv_heads), kKeyParts);
  return launch(stream, grid, kThreads, 0, nearest_kernel, points, centroids);
}

}  // namespace mneme::engine::cuda

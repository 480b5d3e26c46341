// What a GPU can do at most, for shares of it: one line of JSON with the bandwidth of a large copy on the device (bytes
// read and written), of a large copy up from pinned memory, and the speed of a large bf16 product of cuBLAS; null where
// that library is missing. Random numbers: zeros are multiplied faster. Beside it what it takes to draw a token from
// logits of 128,256 tokens on the device, in microseconds: picked out there, or all copied.   gpu_ceilings [DEVICE]
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "base/random.h"
#include "engine/backend/cuda/blas.h"
#include "engine/backend/cuda/cuda_backend.h"
#include "engine/transformer/sampler.h"

namespace {

using mneme::engine::cuda::Blas;
using mneme::engine::cuda::BlasType;

constexpr size_t kCopyBytes = size_t{4} << 30;
constexpr size_t kBusBytes = size_t{1} << 30;
constexpr int kVocabulary = 128256;
constexpr int kSide = 8192;
constexpr int kRounds = 9;
constexpr int kPerRound = 10;

void check(cudaError_t error, const char* doing) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", doing, cudaGetErrorString(error));
  std::exit(1);
}

std::byte* device_memory(size_t n_bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, n_bytes), "taking memory");
  return static_cast<std::byte*>(memory);
}

// The median of rounds of several, in seconds for one; the first round is not counted.
double seconds_of(cudaStream_t stream, const std::function<void()>& work) {
  std::vector<double> seconds;
  for (int round = -1; round < kRounds; ++round) {
    check(cudaStreamSynchronize(stream), "waiting");
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kPerRound; ++i) work();
    check(cudaStreamSynchronize(stream), "waiting");
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (round >= 0) seconds.push_back(taken.count() / kPerRound);
  }
  std::nth_element(seconds.begin(), seconds.begin() + kRounds / 2, seconds.end());
  return seconds[kRounds / 2];
}

// bf16 values in [1, 2) and their negatives.
void fill(std::byte* to, size_t n_bytes) {
  mneme::Random random(1);
  std::vector<uint64_t> bits(n_bytes / sizeof(uint64_t));
  for (uint64_t& word : bits) word = (random.next() & 0x807f807f807f807fULL) | 0x3f803f803f803f80ULL;
  check(cudaMemcpy(to, bits.data(), n_bytes, cudaMemcpyHostToDevice), "copying up");
}

double copy_gb_s(cudaStream_t stream) {
  std::byte* from = device_memory(kCopyBytes);
  std::byte* to = device_memory(kCopyBytes);
  fill(from, size_t{64} << 20);
  const double seconds = seconds_of(
      stream, [&] { check(cudaMemcpyAsync(to, from, kCopyBytes, cudaMemcpyDeviceToDevice, stream), "copying"); });
  cudaFree(from);
  cudaFree(to);
  return 2.0 * kCopyBytes / seconds / 1e9;
}

double bus_gb_s(cudaStream_t stream) {
  void* from = nullptr;
  check(cudaMallocHost(&from, kBusBytes), "pinning memory");
  std::byte* to = device_memory(kBusBytes);
  const double seconds = seconds_of(
      stream, [&] { check(cudaMemcpyAsync(to, from, kBusBytes, cudaMemcpyHostToDevice, stream), "copying"); });
  cudaFree(to);
  cudaFreeHost(from);
  return kBusBytes / seconds / 1e9;
}

// The median of draws, the first ones not counted.
template <typename Draw>
double microseconds_of(const Draw& draw) {
  std::vector<double> times;
  for (int i = -3; i < 21; ++i) {
    const auto start = std::chrono::steady_clock::now();
    draw();
    const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - start;
    if (i >= 0) times.push_back(taken.count());
  }
  std::nth_element(times.begin(), times.begin() + 10, times.end());
  return times[10];
}

void print_sampling(int device) {
  auto backend = mneme::engine::cuda::make_cuda_backend({.index = device});
  if (!backend.ok()) return;
  const auto logits = *(*backend)->make_activations(1, kVocabulary);
  std::vector<float> row(kVocabulary);
  mneme::Random random(2);
  for (float& x : row) x = 3.0f * random.gaussian();
  mneme::engine::cuda::write_activations(**backend, row, *logits);
  const mneme::engine::SamplerOptions options{.temperature = 0.7f, .top_k = 200, .top_p = 0.9f};
  mneme::engine::Sampler sampler(options);
  const double there = microseconds_of([&] {
    const auto likeliest = (*backend)->likeliest(*logits, 0, options.temperature);
    if (likeliest.ok()) sampler.sample(*likeliest);
  });
  const double copied = microseconds_of([&] {
    if ((*backend)->read(*logits, 1, row).ok()) sampler.sample(row);
  });
  std::printf("\"sample_us\": %.1f, \"sample_copied_us\": %.1f, ", there, copied);
}

// Zero where there is no library.
double bf16_tflop_s(cudaStream_t stream) {
  const mneme::engine::cuda::BlasTable* table = mneme::engine::cuda::find_blas();
  const auto blas = table != nullptr ? Blas::open(*table, stream) : nullptr;
  if (blas == nullptr) return 0;
  constexpr size_t kElements = size_t{kSide} * kSide;
  std::byte* x = device_memory(kElements * 2);
  std::byte* w = device_memory(kElements * 2);
  auto* y = reinterpret_cast<float*>(device_memory(kElements * sizeof(float)));
  fill(x, kElements * 2);
  fill(w, kElements * 2);
  bool works = true;
  const double seconds = seconds_of(
      stream, [&] { works &= blas->multiply({BlasType::kBf16, x, kSide, w, kSide, y, kSide, kSide, kSide, kSide}); });
  return works ? 2.0 * kSide * kSide * kSide / seconds / 1e12 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int device = argc > 1 ? std::atoi(argv[1]) : 0;
  check(cudaSetDevice(device), "choosing the device");
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "starting");
  const double copy = copy_gb_s(stream);
  const double product = bf16_tflop_s(stream);
  std::printf("{\"copy_gb_s\": %.1f, \"bus_gb_s\": %.1f, ", copy, bus_gb_s(stream));
  print_sampling(device);
  product > 0 ? std::printf("\"bf16_tflop_s\": %.1f}\n", product) : std::printf("\"bf16_tflop_s\": null}\n");
}

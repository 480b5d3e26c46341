#include "simt.h"

#include "simt_block.h"
#include "simt_graphs.h"
#include "simt_streams.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

namespace simt {
namespace {

Machine the_machine;
Counters the_counters;
std::vector<std::byte> shared_memory;
std::map<const void*, size_t> allowed_shared_bytes;  // of kernels that have asked for more than all may have
std::map<void*, size_t> allocations;
std::map<void*, size_t> pinned;

// Within memory that cudaMallocHost gave.
bool is_pinned(const void* at, size_t n_bytes) {
  const auto* begin = static_cast<const std::byte*>(at);
  for (const auto& [memory, size] : pinned) {
    const auto* first = static_cast<const std::byte*>(memory);
    if (begin >= first && begin + n_bytes <= first + size) return true;
  }
  return false;
}
int64_t waits_for_earlier = 0;  // of threads of this grid

}  // namespace

int usual_major() {
  static const int major = [] {
    const char* value = std::getenv("MNEME_SIMT_MAJOR");  // NOLINT(concurrency-mt-unsafe): nobody sets it
    return value != nullptr ? std::atoi(value) : 7;
  }();
  return major;
}
Machine& machine() {
  return the_machine;
}
const Counters& counters() {
  return the_counters;
}
void count_graph_launch() {
  ++the_counters.graph_launches;
}

void* dynamic_shared_memory() {
  return shared_memory.data();
}
void wait_for_earlier_kernels() {
  ++waits_for_earlier;
}
namespace {
size_t most_shared_bytes() {
  return static_cast<size_t>(the_machine.major >= 9 ? 227 : the_machine.major == 8 ? 99 : 64) << 10;
}
}  // namespace

cudaError_t allow_shared_bytes(const void* kernel, int n_bytes) {
  if (n_bytes < 0 || static_cast<size_t>(n_bytes) > most_shared_bytes()) return cudaErrorInvalidValue;
  allowed_shared_bytes[kernel] = static_cast<size_t>(n_bytes);
  return cudaSuccess;
}

namespace {
cudaError_t run_now(const cudaLaunchConfig_t& config, const std::function<void()>& thread);

bool fits_shared_memory(const cudaLaunchConfig_t& config, const void* kernel) {
  const auto allowed = allowed_shared_bytes.find(kernel);
  const size_t most = allowed == allowed_shared_bytes.end() ? size_t{48} << 10 : allowed->second;
  return config.dynamicSmemBytes <= most;
}
}  // namespace

cudaError_t run_grid(const cudaLaunchConfig_t& config, const void* kernel, const std::function<void()>& thread) {
  if (!fits_shared_memory(config, kernel)) return cudaErrorInvalidValue;
  if (is_capturing(config.stream)) return capture([config, thread] { return run_now(config, thread); });
  return enqueue(config.stream, [config, thread] { return run_now(config, thread); });
}

namespace {

cudaError_t run_now(const cudaLaunchConfig_t& config, const std::function<void()>& thread) {
  if (the_machine.launches_before_failure == 0) the_machine.is_lost = true;
  if (the_machine.is_lost) return the_machine.failure;
  if (the_machine.launches_before_failure > 0) --the_machine.launches_before_failure;
  const unsigned n_threads = config.blockDim.x * config.blockDim.y * config.blockDim.z;
  const bool fits = n_threads > 0 && n_threads <= 1024 && config.gridDim.x > 0 && config.gridDim.y > 0 &&
                    config.gridDim.z > 0 && config.gridDim.y < 65536 && config.gridDim.z < 65536;
  const bool overlaps = config.numAttrs > 0;
  if (!fits || (overlaps && the_machine.major < 9)) return cudaErrorInvalidValue;
  ++the_counters.launches;
  the_counters.overlapped += overlaps ? 1 : 0;
  waits_for_earlier = 0;
  gridDim = config.gridDim;
  blockDim = config.blockDim;
  for (unsigned z = 0; z < gridDim.z; ++z)
    for (unsigned y = 0; y < gridDim.y; ++y)
      for (unsigned x = 0; x < gridDim.x; ++x) {
        blockIdx = {x, y, z};
        shared_memory.assign(config.dynamicSmemBytes + 16, std::byte{0xff});
        run_block(config.blockDim, thread);
      }
  const int64_t n_blocks = int64_t{gridDim.x} * gridDim.y * gridDim.z;
  if (overlaps && waits_for_earlier != n_blocks * n_threads) {
    std::fprintf(stderr, "simt: a kernel began before the one ahead of it without waiting for it\n");
    std::abort();
  }
  return cudaSuccess;
}

}  // namespace
}  // namespace simt

namespace simt {
namespace {

cudaError_t copy_now(void* to, const void* from, size_t n_bytes) {
  if (the_machine.is_lost) return the_machine.failure;
  if (n_bytes > 0) std::memcpy(to, from, n_bytes);
  return cudaSuccess;
}

cudaError_t set_now(void* memory, int value, size_t n_bytes) {
  if (the_machine.is_lost) return the_machine.failure;
  std::memset(memory, value, n_bytes);
  return cudaSuccess;
}

// To and from memory that is not pinned, the call returns when the copy has reached or left it.
cudaError_t copy(void* to, const void* from, size_t n_bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  if (the_machine.is_lost) return the_machine.failure;
  if (kind == cudaMemcpyDeviceToHost) the_counters.bytes_to_host += static_cast<int64_t>(n_bytes);
  if (kind == cudaMemcpyHostToDevice && !is_pinned(from, n_bytes)) {
    const auto* bytes = static_cast<const std::byte*>(from);
    return enqueue(stream, [to, kept = std::vector<std::byte>(bytes, bytes + n_bytes)] {
      return copy_now(to, kept.data(), kept.size());
    });
  }
  const cudaError_t error = enqueue(stream, [=] { return copy_now(to, from, n_bytes); });
  if (error != cudaSuccess || kind != cudaMemcpyDeviceToHost || is_pinned(to, n_bytes)) return error;
  return finish(stream);
}

}  // namespace
}  // namespace simt

// --- The runtime's functions -----------------------------------------------------------------------------------------

using simt::the_counters;
using simt::the_machine;

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 0;
  if (the_machine.driver_version < 13000) return cudaErrorInsufficientDriver;
  if (the_machine.n_devices == 0) return cudaErrorNoDevice;
  *count = the_machine.n_devices;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (device < 0 || device >= the_machine.n_devices) return cudaErrorInvalidDevice;
  *properties = {};
  std::snprintf(properties->name, sizeof(properties->name), "pretended GPU");
  properties->major = the_machine.major;
  properties->minor = the_machine.major == 7 ? 5 : 0;
  properties->totalGlobalMem = the_machine.memory_bytes;
  properties->multiProcessorCount = 4;
  properties->sharedMemPerBlockOptin = simt::most_shared_bytes();
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  if (the_machine.is_used_alone) return cudaErrorDevicesUnavailable;
  return device >= 0 && device < the_machine.n_devices ? cudaSuccess : cudaErrorInvalidDevice;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = the_machine.driver_version;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  const auto used = static_cast<size_t>(the_counters.bytes_in_use) + the_machine.memory_of_others;
  *free_bytes = used < the_machine.memory_bytes ? the_machine.memory_bytes - used : 0;
  *total_bytes = the_machine.memory_bytes;
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** memory, size_t n_bytes) {
  if (simt::is_capturing()) return simt::refuse_in_capture();
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  cudaMemGetInfo(&free_bytes, &total_bytes);
  if (n_bytes + the_machine.memory_taken_unseen > free_bytes) return cudaErrorMemoryAllocation;
  *memory = std::aligned_alloc(256, (n_bytes + 255) / 256 * 256);
  if (*memory == nullptr) return cudaErrorMemoryAllocation;
  std::memset(*memory, 0xff, n_bytes);
  simt::allocations[*memory] = n_bytes;
  the_counters.bytes_in_use += static_cast<int64_t>(n_bytes);
  ++the_counters.allocations;
  return cudaSuccess;
}

cudaError_t cudaFree(void* memory) {
  if (simt::is_capturing()) return simt::refuse_in_capture();
  if (memory == nullptr) return cudaSuccess;
  simt::finish_all();
  const auto found = simt::allocations.find(memory);
  if (found == simt::allocations.end()) return cudaErrorInvalidValue;
  the_counters.bytes_in_use -= static_cast<int64_t>(found->second);
  simt::allocations.erase(found);
  std::free(memory);
  return cudaSuccess;
}

cudaError_t cudaMallocHost(void** memory, size_t n_bytes) {
  if (simt::is_capturing()) return simt::refuse_in_capture();
  if (!the_machine.pins_memory) return cudaErrorMemoryAllocation;
  *memory = std::aligned_alloc(256, (n_bytes + 255) / 256 * 256);
  if (*memory == nullptr) return cudaErrorMemoryAllocation;
  simt::pinned[*memory] = n_bytes;
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* memory) {
  simt::finish_all();
  simt::pinned.erase(memory);
  std::free(memory);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t n_bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  if (simt::is_capturing(stream)) {
    const void* host = kind == cudaMemcpyHostToDevice ? from : to;
    if (kind != cudaMemcpyDeviceToDevice && !simt::is_pinned(host, n_bytes)) return simt::refuse_in_capture();
    return simt::capture([=] { return simt::copy_now(to, from, n_bytes); });
  }
  return simt::copy(to, from, n_bytes, kind, stream);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  for (size_t row = 0; row < height; ++row) {
    const cudaError_t error =
        cudaMemcpyAsync(static_cast<std::byte*>(to) + row * to_pitch,
                        static_cast<const std::byte*>(from) + row * from_pitch, width, kind, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* memory, int value, size_t n_bytes, cudaStream_t stream) {
  if (simt::is_capturing(stream)) return simt::capture([=] { return simt::set_now(memory, value, n_bytes); });
  return simt::enqueue(stream, [=] { return simt::set_now(memory, value, n_bytes); });
}

cudaError_t cudaGetLastError() {
  return cudaSuccess;
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess: return "no error";
    case cudaErrorMemoryAllocation: return "out of memory";
    case cudaErrorInsufficientDriver: return "CUDA driver version is insufficient for CUDA runtime version";
    case cudaErrorNoDevice: return "no CUDA-capable device is detected";
    case cudaErrorInvalidDevice: return "invalid device ordinal";
    case cudaErrorLaunchFailure: return "unspecified launch failure";
    case cudaErrorIllegalAddress: return "an illegal memory access was encountered";
    default: return "unknown error";
  }
}

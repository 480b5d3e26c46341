#include "engine/backend/cuda/device_memory.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <string>
#include <utility>

namespace mneme::engine::cuda {
namespace {

constexpr size_t kBlockBytes = size_t{64} << 20;
// Wholly free blocks kept for the next question; more goes back to the driver.
constexpr size_t kKeptBytes = size_t{512} << 20;
// Left alone: the driver's own needs, the desktop's. A share on small devices.
constexpr size_t kReserveBytes = size_t{256} << 20;

size_t reserve_of(size_t total) {
  return std::min(kReserveBytes, total / 16);
}

size_t device_free_bytes() {
  size_t free_bytes = 0;
  size_t total = 0;
  if (cudaMemGetInfo(&free_bytes, &total) != cudaSuccess) return 0;
  const size_t reserve = reserve_of(total);
  return free_bytes > reserve ? free_bytes - reserve : 0;
}

std::string mebibytes(size_t n_bytes) {
  return std::to_string((n_bytes + (size_t{1} << 20) - 1) >> 20) + " MiB";
}

}  // namespace

DeviceBuffer::~DeviceBuffer() {
  give_back();
}
DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : memory_(std::move(other.memory_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}
DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  if (this == &other) return *this;
  give_back();
  memory_ = std::move(other.memory_);
  data_ = std::exchange(other.data_, nullptr);
  size_ = std::exchange(other.size_, 0);
  return *this;
}
void DeviceBuffer::give_back() {
  if (data_ != nullptr) memory_->give_back(data_, size_);
  data_ = nullptr;
}

std::shared_ptr<DeviceMemory> DeviceMemory::of(int device) {
  static Mutex mutex;
  static std::map<int, std::weak_ptr<DeviceMemory>> all;
  MutexLock lock(mutex);
  std::shared_ptr<DeviceMemory> memory = all[device].lock();
  if (memory == nullptr) {
    memory.reset(new DeviceMemory(device));
    all[device] = memory;
  }
  return memory;
}

DeviceMemory::~DeviceMemory() {
  MutexLock lock(mutex_);
  cudaSetDevice(device_);
  for (const Block& block : blocks_) cudaFree(block.data);
}

std::byte* DeviceMemory::take(size_t n_bytes) {
  for (Block& block : blocks_) {
    for (auto range = block.free.begin(); range != block.free.end(); ++range) {
      const auto [offset, length] = *range;
      if (length < n_bytes) continue;
      block.free.erase(range);
      if (length > n_bytes) block.free[offset + n_bytes] = length - n_bytes;
      used_ += n_bytes;
      return block.data + offset;
    }
  }
  return nullptr;
}

Status DeviceMemory::add_block(size_t n_bytes, std::string_view what) {
  const size_t room = device_free_bytes();
  if (n_bytes > room)
    return resource_error(
        "the GPU has no memory for " + std::string(what) + ": " + mebibytes(n_bytes) + " are needed and " +
        mebibytes(room) +
        " are free; use a smaller model or a shorter context, close other programs on the GPU, or use "
        "--device cpu");
  size_t size = std::max(n_bytes, std::min(kBlockBytes, room));
  void* data = nullptr;
  cudaError_t error = cudaMalloc(&data, size);
  if (error != cudaSuccess && size > n_bytes) {
    size = n_bytes;
    error = cudaMalloc(&data, size);
  }
  cudaGetLastError();
  if (error != cudaSuccess)
    return resource_error("the GPU gave no memory for " + std::string(what) + " (" + mebibytes(n_bytes) +
                          "): " + cudaGetErrorString(error) + "; close other programs on the GPU or use --device cpu");
  blocks_.push_back({static_cast<std::byte*>(data), size, {{0, size}}});
  return {};
}

Result<DeviceBuffer> DeviceMemory::allocate(size_t n_bytes, std::string_view what) {
  const size_t size = (std::max<size_t>(n_bytes, 1) + kPieceAlignment - 1) / kPieceAlignment * kPieceAlignment;
  cudaSetDevice(device_);
  MutexLock lock(mutex_);
  std::byte* data = take(size);
  if (data == nullptr) {
    MNEME_RETURN_IF_ERROR(add_block(size, what));
    data = take(size);
  }
  return DeviceBuffer(shared_from_this(), data, size);
}

void DeviceMemory::give_back(std::byte* data, size_t n_bytes) {
  MutexLock lock(mutex_);
  used_ -= n_bytes;
  for (Block& block : blocks_) {
    if (data < block.data || data >= block.data + block.size) continue;
    auto here = block.free.emplace(static_cast<size_t>(data - block.data), n_bytes).first;
    const auto after = std::next(here);
    if (after != block.free.end() && here->first + here->second == after->first) {
      here->second += after->second;
      block.free.erase(after);
    }
    if (here != block.free.begin()) {
      const auto before = std::prev(here);
      if (before->first + before->second == here->first) {
        before->second += here->second;
        block.free.erase(here);
      }
    }
  }
  release_spare_blocks();
}

void DeviceMemory::release_spare_blocks() {
  size_t kept = 0;
  const auto is_spare = [&](const Block& block) {
    const bool is_free = block.free.size() == 1 && block.free.begin()->second == block.size;
    if (!is_free) return false;
    kept += block.size;
    if (kept <= kKeptBytes) return false;
    cudaSetDevice(device_);
    cudaFree(block.data);
    return true;
  };
  std::erase_if(blocks_, is_spare);
}

int64_t DeviceMemory::free_bytes() const {
  cudaSetDevice(device_);
  MutexLock lock(mutex_);
  size_t inside = 0;
  for (const Block& block : blocks_)
    for (const auto& [offset, length] : block.free) inside += length;
  return static_cast<int64_t>(device_free_bytes() + inside);
}

int64_t DeviceMemory::used_bytes() const {
  MutexLock lock(mutex_);
  return static_cast<int64_t>(used_);
}

}  // namespace mneme::engine::cuda

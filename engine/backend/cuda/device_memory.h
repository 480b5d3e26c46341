// Memory of one GPU, shared by all backends of the program on it. Taken from the driver in large blocks and given out
// in pieces, so that nothing in a step allocates: taking memory from the driver stops the whole device.
//
// Blocks grow with the need instead of taking all free memory at once: a window and a command line, or an embedder and
// a language model, share a GPU. Memory that other programs took meanwhile makes the next block fail, with what is
// free, and changes nothing.
//
// A piece that is given back may be handed out again at once: who returns it has waited for the work that uses it.
// Threads: safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"

namespace mneme::engine::cuda {

class DeviceMemory;

inline constexpr size_t kPieceAlignment = 256;

// A piece, aligned to kPieceAlignment; gives itself back.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  DeviceBuffer(std::shared_ptr<DeviceMemory> memory, std::byte* data, size_t size)
      : memory_(std::move(memory)), data_(data), size_(size) {}
  ~DeviceBuffer();
  DeviceBuffer(DeviceBuffer&& other) noexcept;
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;

  template <typename T = std::byte>
  T* as() const {
    return reinterpret_cast<T*>(data_);
  }
  size_t size() const { return size_; }

 private:
  void give_back();
  std::shared_ptr<DeviceMemory> memory_;
  std::byte* data_ = nullptr;
  size_t size_ = 0;
};

class DeviceMemory : public std::enable_shared_from_this<DeviceMemory> {
 public:
  // The one of a device, while anybody holds it.
  static std::shared_ptr<DeviceMemory> of(int device);
  ~DeviceMemory();

  // At least n_bytes; contents are anything. kResource when there is no room: `what` is for the message ("the
  // weights").
  Result<DeviceBuffer> allocate(size_t n_bytes, std::string_view what);

  // What allocate() could give, in pieces.
  int64_t free_bytes() const;
  int64_t used_bytes() const;

 private:
  friend class DeviceBuffer;
  struct Block {
    std::byte* data = nullptr;
    size_t size = 0;
    std::map<size_t, size_t> free;  // offset -> length; neighbours are joined
  };

  explicit DeviceMemory(int device) : device_(device) {}
  std::byte* take(size_t n_bytes) MNEME_REQUIRES(mutex_);
  Status add_block(size_t n_bytes, std::string_view what) MNEME_REQUIRES(mutex_);
  void give_back(std::byte* data, size_t n_bytes);
  void release_spare_blocks() MNEME_REQUIRES(mutex_);

  const int device_;
  mutable Mutex mutex_;
  std::vector<Block> blocks_ MNEME_GUARDED_BY(mutex_);
  size_t used_ MNEME_GUARDED_BY(mutex_) = 0;
};

}  // namespace mneme::engine::cuda

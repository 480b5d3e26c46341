// One GPU as a backend uses it: its streams, the first failure, copies from the host.
//
// A failure is remembered; from then on begin() says no and nothing more is enqueued, until synchronize() has reported
// it. Failures of the device itself (lost, an illegal access) come back at every later call, those of memory do not.
// Ownership: objects made with a device must not outlive it. Threads: one at a time.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "base/status.h"
#include "engine/backend/cuda/device_memory.h"
#include "engine/backend/cuda/device_probe.h"
#include "engine/backend/cuda/launch_overlap.h"
#include "engine/backend/cuda/launch_timer.h"
#include "engine/backend/cuda/pinned_buffer.h"
#include "engine/backend/cuda/step_log.h"

namespace mneme::engine::cuda {

inline constexpr int kMostLoggedRows = 8;

// Memory of the host that the device reads by itself. Two halves, in turn: one is filled while the other is read.
class PinnedRing {
 public:
  PinnedRing() = default;
  ~PinnedRing();
  PinnedRing(const PinnedRing&) = delete;
  PinnedRing& operator=(const PinnedRing&) = delete;
  cudaError_t open(size_t half_bytes);
  size_t half_bytes() const { return half_bytes_; }
  // `out` becomes room for n_bytes (at most half_bytes) that nothing reads any more.
  cudaError_t acquire(size_t n_bytes, cudaStream_t stream, std::byte*& out);

 private:
  PinnedBuffer memory_;
  size_t half_bytes_ = 0;
  size_t used_ = 0;  // of the current half
  int half_ = 0;
  std::array<cudaEvent_t, 2> read_{};  // the half has been read
};

class Device {
 public:
  // kNotFound for a GPU that is not there, kUnsupported, kResource.
  static Result<std::unique_ptr<Device>> open(int index);
  ~Device();

  int index() const { return index_; }
  const GpuInfo& info() const { return info_; }
  cudaStream_t stream() const { return stream_; }
  cudaStream_t copy_stream() const { return copy_stream_; }
  DeviceMemory& memory() { return *memory_; }

  // Makes this thread use the device; false after a failure. What a step's operations have not enqueued yet
  // (step_log.h) is enqueued first.
  bool begin();
  // The same for an operation of a step: its launches and uploads go to the log.
  bool begin_step();
  // A step begins with this operation; for steps of up to `kMostLoggedRows` rows. false after a failure.
  bool begin_first_of_step(const StepKind& kind);
  // Enqueues what the log holds back: for whoever touches the stream without begin().
  void settle();
  // Lets steps that repeat run as graphs.
  void allow_graphs() { step_log_.open(stream_); }
  const StepGraphReport& graph_report() const { return step_log_.report(); }
  // Lets launches overlap where the device can (launch_overlap.h).
  void allow_overlap(bool allowed) { overlaps_ = allowed && info_.major >= kOverlapMajor; }
  // Times every launch from now on (launch_timer.h); the table goes to stderr in the end.
  void time_launches() { timer_ = std::make_unique<LaunchTimer>(); }
  // Remembers a failure. `doing`: "computing attention".
  void check(cudaError_t error, std::string_view doing);
  void fail(Status status);
  bool ok() const { return failure_.ok(); }
  // Waits for everything enqueued; the first failure since the last call.
  Status synchronize();

  // Grows `buffer` to n_bytes; what was in it is lost. False (and remembered) when there is no memory.
  bool grow(DeviceBuffer& buffer, size_t n_bytes, std::string_view what);
  // The same for n_floats activations that live from one operation to the next; null when there is no memory.
  float* grow_floats(DeviceBuffer& buffer, int64_t n_floats) {
    return grow(buffer, static_cast<size_t>(n_floats) * sizeof(float), "activations") ? buffer.as<float>() : nullptr;
  }
  // Copies from the device, after everything enqueued on the compute stream. Synchronises; the first failure so far.
  Status download(const std::byte* from, std::span<std::byte> to, std::string_view doing);
  // Between memory of the device, within a step's operation.
  void copy(const float* from, int64_t n_floats, float* to, std::string_view doing);
  // `from` is copied before the call returns; `to` is written in the order of `stream`.
  void upload(std::span<const std::byte> from, std::byte* to, cudaStream_t stream);

 private:
  Device(int index, GpuInfo info) : index_(index), info_(std::move(info)) {}
  Status create();
  bool enter();

  const int index_;
  const GpuInfo info_;
  std::shared_ptr<DeviceMemory> memory_;
  cudaStream_t stream_ = nullptr;
  cudaStream_t copy_stream_ = nullptr;
  PinnedRing rings_[2];  // of the stream and of the copy stream: each is read in the order of one stream
  bool overlaps_ = false;
  StepLog step_log_;
  std::unique_ptr<LaunchTimer> timer_;  // null: nothing is timed
  Status failure_;
};

}  // namespace mneme::engine::cuda
